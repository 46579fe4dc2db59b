//! Out-of-band buffers between Python objects and cord-core.

use std::any::Any;
use std::ffi::c_int;
use std::fmt;

use cord_core::{Buffer, Lent, Segment, SHARED_FROM};
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyList};

use crate::forms::{given, is_piece, private};
use crate::sent;

/// A received buffer in memory that is private to this process.
#[pyclass(frozen, module = "cord._core")]
pub struct SharedBuffer(pub Segment);

#[pymethods]
impl SharedBuffer {
    /// Length in bytes.
    fn __len__(&self) -> usize {
        self.0.len()
    }

    // SAFETY: `view` comes from CPython, which has checked that it may be filled.
    unsafe fn __getbuffer__(
        slf: Bound<'_, Self>,
        view: *mut ffi::Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        let segment = &slf.get().0;
        let Some(start) = segment.private_mut() else {
            return Err(PyBufferError::new_err(
                "this buffer was made here, not received",
            ));
        };
        let length = isize::try_from(segment.len())
            .map_err(|_| PyBufferError::new_err("this buffer is too long"))?;
        // SAFETY: the mapping lives as long as `slf`, which the view keeps alive.
        let filled =
            unsafe { ffi::PyBuffer_FillInfo(view, slf.as_ptr(), start.cast(), length, 0, flags) };
        if filled == 0 {
            Ok(())
        } else {
            Err(PyErr::fetch(slf.py()))
        }
    }
}

/// A contiguous view of an object's memory, given back when dropped.
pub struct View(Box<ffi::Py_buffer>);

// SAFETY: the exporter keeps the memory in place for as long as the view is held; it is read only.
unsafe impl Sync for View {}
// SAFETY: as above, and it is given back by a thread that holds the interpreter.
unsafe impl Send for View {}

/// What becomes of the memory of objects.
#[derive(Debug, Clone, Copy)]
pub enum Outside {
    /// It is copied: to shared memory, if it is at least so many bytes.
    Copied(usize),
    /// The same for a scout: a copy that was sent is taken again, if it is right.
    Guessed(usize),
    /// It is only looked at for now.
    Lent,
}

impl View {
    /// The memory of an object.
    ///
    /// # Errors
    /// As [`buffer_from_py`].
    pub fn of(object: &Bound<'_, PyAny>) -> PyResult<View> {
        let mut view = Box::new(ffi::Py_buffer::new());
        // SAFETY: the view is fresh, and released once by `drop`.
        let got = unsafe {
            ffi::PyObject_GetBuffer(object.as_ptr(), &raw mut *view, ffi::PyBUF_ANY_CONTIGUOUS)
        };
        if got == 0 {
            Ok(View(view))
        } else {
            Err(PyErr::fetch(object.py()))
        }
    }

    /// Where the memory lies.
    pub fn place(&self) -> (usize, usize) {
        (self.0.buf as usize, self.bytes().len())
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        let length = usize::try_from(self.0.len).unwrap_or(0);
        if length == 0 {
            return &[];
        }
        // SAFETY: a contiguous view holds `len` bytes at `buf`.
        unsafe { std::slice::from_raw_parts(self.0.buf.cast::<u8>(), length) }
    }
}

impl Drop for View {
    fn drop(&mut self) {
        // SAFETY: this thread holds the interpreter.
        Python::attach(|_| unsafe { ffi::PyBuffer_Release(&raw mut *self.0) });
    }
}

impl fmt::Debug for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("View").field(&self.place()).finish()
    }
}

impl Lent for View {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn bytes(&self) -> &[u8] {
        View::bytes(self)
    }
}

/// The memory of one contiguous object. A large copy is made with the interpreter released.
///
/// # Errors
/// `BufferError` if its memory is not contiguous, `TypeError` if it has none to show.
pub fn buffer_from_py(object: &Bound<'_, PyAny>, outside: Outside) -> PyResult<Buffer> {
    let view = View::of(object)?;
    Ok(match outside {
        Outside::Copied(shared_from) => copy_from(object.py(), view.bytes(), shared_from),
        Outside::Guessed(shared_from) => match sent::known(object.py(), &view) {
            Some(copy) => Buffer::Shared(copy),
            None => copy_from(object.py(), view.bytes(), shared_from),
        },
        Outside::Lent => Buffer::Lent(Box::new(view)),
    })
}

/// Copies what is lent.
pub fn own(py: Python<'_>, buffer: Buffer, shared_from: usize) -> Buffer {
    match buffer {
        Buffer::Lent(memory) => {
            let copy = copy_from(py, memory.bytes(), shared_from);
            if let (Buffer::Shared(copy), Some(view)) = (&copy, memory.as_any().downcast_ref()) {
                sent::note(view, copy);
            }
            copy
        }
        other => other,
    }
}

/// A copy; none is made of what was received and nobody has written since.
fn copy_from(py: Python<'_>, bytes: &[u8], shared_from: usize) -> Buffer {
    if bytes.len() < SHARED_FROM {
        return Buffer::copy_from(bytes, shared_from);
    }
    py.detach(|| {
        let is_shared = bytes.len() >= shared_from;
        let same = is_shared.then(|| Segment::unwritten(bytes)).flatten();
        same.map_or_else(|| Buffer::copy_from(bytes, shared_from), Buffer::Shared)
    })
}

/// The memory of contiguous objects, in their order.
///
/// # Errors
/// As [`buffer_from_py`].
pub fn buffers_from_py(
    _py: Python<'_>,
    objects: &Bound<'_, PyList>,
    outside: Outside,
) -> PyResult<Vec<Buffer>> {
    objects
        .iter()
        .map(|object| buffer_from_py(&object, outside))
        .collect()
}

/// Objects that show the memory of `buffers`, writable and private to this process.
///
/// # Errors
/// When Python has no memory left.
pub fn buffers_to_py(py: Python<'_>, buffers: Vec<Buffer>) -> PyResult<Bound<'_, PyList>> {
    let objects = PyList::empty(py);
    for buffer in buffers {
        match buffer {
            Buffer::Shared(segment) => objects.append(private(py, &segment)?)?,
            piece if is_piece(&piece) => {} // of the head
            Buffer::Resident(resident) => objects.append(given(py, &resident)?)?,
            other => objects.append(PyByteArray::new(py, other.as_slice()))?,
        }
    }
    Ok(objects)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<SharedBuffer>()
}
