//! Out-of-band buffers between Python objects and cord-core.

use std::any::Any;
use std::ffi::c_int;
use std::fmt;
use std::sync::Arc;

use cord_wire::buffer::{Buffer, Lent};
use cord_wire::payload::Payload;
use cord_wire::segment::{Segment, SHARED_FROM};
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::travel::forms::{given, is_piece, private};
use crate::travel::large::{byte_array, bytes, no_room};
use crate::travel::sent;

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
pub struct View {
    start: *const u8,
    len: usize,
    owner: Owner,
}

/// What keeps memory in place.
enum Owner {
    Shown(Box<ffi::Py_buffer>),
    Object(Option<Py<PyAny>>),
}

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
            Ok(View {
                start: view.buf.cast(),
                len: usize::try_from(view.len).unwrap_or(0),
                owner: Owner::Shown(view),
            })
        } else {
            Err(PyErr::fetch(object.py()))
        }
    }

    /// Memory that this object keeps in place.
    ///
    /// # Safety
    /// There must be `len` bytes at `start` for as long as there is a reference to the object.
    pub unsafe fn within(object: &Bound<'_, PyAny>, start: *const u8, len: usize) -> View {
        View {
            start,
            len,
            owner: Owner::Object(Some(object.clone().unbind())),
        }
    }

    /// The object whose memory it is, if it was made of one.
    pub fn object<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        match &self.owner {
            Owner::Shown(_) => None,
            Owner::Object(object) => object.as_ref().map(|object| object.bind(py).clone()),
        }
    }

    /// Where the memory lies.
    pub fn place(&self) -> (usize, usize) {
        (self.start as usize, self.len)
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: the owner keeps so many bytes there.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }

    /// What becomes of this memory. A large copy is made with the interpreter released.
    ///
    /// # Errors
    /// When there is no memory for a copy.
    pub fn into_buffer(self, py: Python<'_>, outside: Outside) -> PyResult<Buffer> {
        match outside {
            Outside::Copied(shared_from) => copy_from(py, self.bytes(), shared_from),
            Outside::Guessed(shared_from) => match sent::known(py, &self) {
                Some(copy) => Ok(Buffer::Shared(copy)),
                None => copy_from(py, self.bytes(), shared_from),
            },
            Outside::Lent => Ok(Buffer::Lent(Box::new(self))),
        }
    }
}

impl Drop for View {
    fn drop(&mut self) {
        Python::attach(|_| match &mut self.owner {
            // SAFETY: this thread holds the interpreter.
            Owner::Shown(view) => unsafe { ffi::PyBuffer_Release(&raw mut **view) },
            Owner::Object(object) => drop(object.take()),
        });
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
/// `BufferError` if its memory is not contiguous, `TypeError` if it has none to show, `MemoryError`.
pub fn buffer_from_py(object: &Bound<'_, PyAny>, outside: Outside) -> PyResult<Buffer> {
    View::of(object)?.into_buffer(object.py(), outside)
}

/// Copies what is lent.
///
/// # Errors
/// When there is no memory for a copy.
pub fn own(py: Python<'_>, buffer: Buffer, shared_from: usize) -> PyResult<Buffer> {
    Ok(match buffer {
        Buffer::Lent(memory) => {
            let copy = copy_from(py, memory.bytes(), shared_from)?;
            if let (Buffer::Shared(copy), Some(view)) = (&copy, memory.as_any().downcast_ref()) {
                sent::note(view, copy);
            }
            copy
        }
        other => other,
    })
}

/// A copy; none is made of what was received and nobody has written since.
fn copy_from(py: Python<'_>, bytes: &[u8], shared_from: usize) -> PyResult<Buffer> {
    let copied = if bytes.len() < SHARED_FROM {
        Buffer::copy_from(bytes, shared_from)
    } else {
        py.detach(|| {
            let is_shared = bytes.len() >= shared_from;
            let same = is_shared.then(|| Segment::unwritten(bytes)).flatten();
            match same {
                Some(same) => Ok(Buffer::Shared(same)),
                None => Buffer::copy_from(bytes, shared_from),
            }
        })
    };
    copied.map_err(no_room)
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
        if !is_piece(&buffer) {
            objects.append(buffer_to_py(py, &buffer)?)?;
        }
    }
    Ok(objects)
}

/// What travels, as Python has it: number of the codec, head and buffers.
///
/// # Errors
/// As [`buffers_to_py`].
pub fn encoded_to_py(
    py: Python<'_>,
    payload: Payload,
) -> PyResult<(u8, Bound<'_, PyBytes>, Bound<'_, PyList>)> {
    let head = bytes(py, &payload.head)?;
    Ok((payload.codec.0, head, buffers_to_py(py, payload.buffers)?))
}

/// An object that shows the memory of a buffer, writable and private to this process.
///
/// # Errors
/// As [`buffers_to_py`].
pub fn buffer_to_py<'py>(py: Python<'py>, buffer: &Buffer) -> PyResult<Bound<'py, PyAny>> {
    match buffer {
        Buffer::Shared(segment) => private(py, segment),
        Buffer::Resident(resident) => given(py, resident),
        other => Ok(byte_array(py, other.bytes().map_err(no_room)?)?.into_any()),
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<SharedBuffer>()
}

/// The same once more: bytes are shared, but for those that are only lent.
pub fn keep_buffer(buffer: &Buffer) -> Buffer {
    match buffer {
        Buffer::Inline(bytes) => Buffer::Inline(Arc::clone(bytes)),
        Buffer::Shared(segment) => Buffer::Shared(segment.clone()),
        Buffer::Resident(resident) => Buffer::Resident(resident.clone()),
        Buffer::Lent(memory) => memory.bytes().to_vec().into(),
    }
}
