//! Numpy's arrays and numbers of the simple types, as they lie in memory.
//!
//! Numpy's own interface to C promises the layout of an array, for as long as the version of its binary
//! interface is one that is known here. Still, it is tried out before it is relied on; where it is
//! another one, all arrays are left to picklers.

use std::ffi::{c_int, c_uint};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::OnceLock;

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

use super::opcodes::{GLOBAL, MEMOIZE, REDUCE, TEXT, TUPLE_1};

/// The simple types: what each is called in the machine's own byte order.
const TYPES: [&str; 14] = [
    "|b1", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8", "<c8",
    "<c16",
];
/// More dimensions are left to picklers.
pub const MOST_DIMENSIONS: usize = 8;

/// The versions of numpy's binary interface in which an array lies as `Fields` has it: those of
/// numpy 1 (from 1.5 on) and 2.
const KNOWN_INTERFACES: [c_uint; 2] = [0x0100_0009, 0x0200_0000];
/// Where numpy keeps its interface to C: numpy 2, numpy 1.
const INTERFACES: [&str; 2] = [
    "numpy._core._multiarray_umath",
    "numpy.core._multiarray_umath",
];

const C_ORDER: c_int = 0x1;
const F_ORDER: c_int = 0x2;
const ALIGNED: c_int = 0x100;
const WRITEABLE: c_int = 0x400;
/// Its memory stands for another array's, and is copied there later.
const WRITES_BACK: c_int = 0x2000;

/// An array as numpy's C interface lays it out.
#[repr(C)]
struct Fields {
    head: ffi::PyObject,
    data: *const u8,
    dimensions: c_int,
    shape: *const isize,
    strides: *const isize,
    base: *mut ffi::PyObject,
    descr: *mut ffi::PyObject,
    flags: c_int,
}

/// What is known of numpy.
pub struct Numpy {
    array: Py<PyAny>,
    kinds: Vec<Kind>,
    /// Has an entry for each class that is pickled in a way of its own.
    reducers: Py<PyDict>,
    /// The pickles of the functions that make an array, and a number.
    pub array_maker: Vec<u8>,
    pub number_maker: Vec<u8>,
    from_buffer: Py<PyAny>,
    number: Py<PyAny>,
}

/// One of the simple types.
struct Kind {
    /// Numpy's one object for it.
    dtype: Py<PyAny>,
    number: Py<PyAny>,
    size: usize,
    pickle: Vec<u8>,
}

/// A simple array.
pub struct Array {
    pub start: *const u8,
    pub len: usize,
    pub kind: usize,
    pub is_read_only: bool,
    /// Its memory is in Fortran's order, not in C's.
    pub is_turned: bool,
    shape: [isize; MOST_DIMENSIONS],
    dimensions: usize,
}

impl Array {
    pub fn shape(&self) -> &[isize] {
        &self.shape[..self.dimensions]
    }

    /// All but where it lies and what is in it.
    pub fn layout(&self) -> Vec<usize> {
        let flags = usize::from(self.is_read_only) << 1 | usize::from(self.is_turned);
        let lengths = self.shape().iter().map(|length| length.unsigned_abs());
        [self.kind, flags, self.dimensions]
            .into_iter()
            .chain(lengths)
            .collect()
    }

    /// What is in it.
    ///
    /// # Safety
    /// The array lives, and nobody writes it, while the result is used.
    pub unsafe fn bytes<'a>(&self) -> &'a [u8] {
        // SAFETY: the caller's promise.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }
}

/// The version of numpy's binary interface, as numpy tells it (`PyArray_GetNDArrayCVersion`, which is
/// the first entry of its table in all versions).
fn binary_interface(py: Python<'_>) -> PyResult<c_uint> {
    let modules = py
        .import(intern!(py, "sys"))?
        .getattr(intern!(py, "modules"))?;
    let named = |name| modules.call_method1(intern!(py, "get"), (name,)).ok();
    let mut found = INTERFACES.into_iter().filter_map(named);
    let module = found.find(|module| !module.is_none());
    let module = module.ok_or_else(|| PyTypeError::new_err("its interface is somewhere else"))?;
    let table = module.getattr(intern!(py, "_ARRAY_API"))?;
    // SAFETY: numpy's capsule has no name, and holds a table of functions for as long as numpy lives;
    // the first takes nothing and gives a number.
    unsafe {
        let table = ffi::PyCapsule_GetPointer(table.as_ptr(), std::ptr::null());
        if table.is_null() {
            return Err(PyErr::fetch(py));
        }
        let version = *table.cast::<unsafe extern "C" fn() -> c_uint>();
        Ok(version())
    }
}

/// This as an array that is pickled natively, if it is one.
pub fn array_of(value: &Bound<'_, PyAny>) -> Option<Array> {
    Numpy::behind(value).and_then(|numpy| numpy.array(value))
}

/// Whether there may be arrays here.
pub fn has_arrays(py: Python<'_>) -> bool {
    Numpy::known(py).is_some()
}

/// Whether objects of a class are numpy's arrays; `exactly`: of its own class.
pub fn is_array_class(py: Python<'_>, class: *mut ffi::PyTypeObject, exactly: bool) -> bool {
    Numpy::known(py).is_some_and(|numpy| {
        let own = numpy.array.as_ptr().cast();
        // SAFETY: two classes that live.
        class == own || !exactly && unsafe { ffi::PyType_IsSubtype(class, own) } != 0
    })
}

/// In whose memory an array lies, if not in its own.
///
/// # Safety
/// It is a live array of numpy's.
pub unsafe fn base_of_array(array: *mut ffi::PyObject) -> Option<*mut ffi::PyObject> {
    // SAFETY: the caller's promise; such objects lie so.
    let base = unsafe { (*array.cast::<Fields>()).base };
    (!base.is_null()).then_some(base)
}

/// Whether this is an array that is pickled natively.
pub fn is_simple(value: &Bound<'_, PyAny>) -> bool {
    array_of(value).is_some()
}

impl Numpy {
    /// What is known, if numpy is imported and this may be something of its.
    pub fn behind(value: &Bound<'_, PyAny>) -> Option<&'static Numpy> {
        let class = value.get_type();
        // SAFETY: a class has a name, which lives as long as the class.
        let name = unsafe { std::ffi::CStr::from_ptr((*class.as_type_ptr()).tp_name) };
        name.to_bytes().starts_with(b"numpy.").then_some(())?;
        Self::known(value.py())
    }

    /// What is known, if numpy is imported.
    pub fn known(py: Python<'_>) -> Option<&'static Numpy> {
        static NUMPY: OnceLock<Option<Numpy>> = OnceLock::new();
        // So many modules were loaded when it was not among them.
        static WITHOUT: AtomicUsize = AtomicUsize::new(0);
        if let Some(known) = NUMPY.get() {
            return known.as_ref();
        }
        // SAFETY: the interpreter's own dict of modules, which it keeps.
        let modules = unsafe { Bound::from_borrowed_ptr(py, ffi::PyImport_GetModuleDict()) };
        let modules = modules.cast_into_exact::<PyDict>().ok()?;
        if modules.len() == WITHOUT.load(Ordering::Relaxed) {
            return None;
        }
        let Some(numpy) = modules.get_item(intern!(py, "numpy")).ok()? else {
            WITHOUT.store(modules.len(), Ordering::Relaxed);
            return None;
        };
        numpy.getattr_opt(intern!(py, "frombuffer")).ok()??; // else it is being imported
        let learned = Self::learn(&numpy).ok(); // may let other threads run
        NUMPY.get_or_init(|| learned).as_ref()
    }

    fn learn(numpy: &Bound<'_, PyAny>) -> PyResult<Numpy> {
        let py = numpy.py();
        if !KNOWN_INTERFACES.contains(&binary_interface(py)?) {
            return Err(PyTypeError::new_err("its binary interface is another one"));
        }
        let mut known = Numpy {
            array: numpy.getattr("ndarray")?.unbind(),
            kinds: Vec::new(),
            reducers: py
                .import("copyreg")?
                .getattr("dispatch_table")?
                .cast_into_exact::<PyDict>()?
                .unbind(),
            array_maker: Vec::new(),
            number_maker: Vec::new(),
            from_buffer: numpy.getattr("frombuffer")?.unbind(),
            number: py.None(),
        };
        for name in TYPES {
            let dtype = numpy.call_method1("dtype", (name,))?;
            known.kinds.push(Kind {
                number: dtype.getattr("type")?.unbind(),
                size: dtype.getattr("itemsize")?.extract()?,
                pickle: pickle_of_dtype(name),
                dtype: dtype.unbind(),
            });
        }
        for kind in 0..TYPES.len() {
            known.try_out(numpy, kind)?;
        }
        Ok(known)
    }

    /// Compares what is read from memory with what numpy says.
    fn try_out(&mut self, numpy: &Bound<'_, PyAny>, kind: usize) -> PyResult<()> {
        let py = numpy.py();
        let dtype = self.kinds[kind].dtype.bind(py);
        let size = self.kinds[kind].size;
        let bytes = PyBytes::new(py, &vec![1; 6 * size]);
        let flat = numpy.call_method1("frombuffer", (&bytes, dtype))?;
        let tried = flat.call_method1("reshape", ((2, 3),))?;
        let reduced = tried.call_method1("__reduce_ex__", (5,))?;
        let (maker, args): (Bound<'_, PyAny>, Bound<'_, PyTuple>) = reduced.extract()?;
        let array_maker = pickle_of_function(&maker)?;
        let order: String = args.get_item(3)?.extract()?;
        let number = tried.get_item((0, 0))?;
        let reduced = number.call_method1("__reduce_ex__", (5,))?;
        let (maker, parts): (Bound<'_, PyAny>, Bound<'_, PyTuple>) = reduced.extract()?;
        self.number_maker = pickle_of_function(&maker)?;
        self.number = maker.unbind();
        let is_maker = kind == 0 || self.array_maker == array_maker;
        self.array_maker = array_maker;

        let array = self.array(&tried).ok_or_else(unlike)?;
        let place = tried.getattr("__array_interface__")?.get_item("data")?;
        let is_array = array.start as usize == place.get_item(0)?.extract::<usize>()?
            && array.len == 6 * size
            && array.shape() == [2, 3]
            && array.kind == kind
            && array.is_read_only
            && !array.is_turned
            && order == "C"
            && args.len() == 4
            && args.get_item(1)?.is(self.kinds[kind].dtype.bind(py))
            && args.get_item(2)?.eq((2, 3))?;
        let (found, held) = self.number(&number).ok_or_else(unlike)?;
        let is_number = found == kind
            && parts.len() == 2
            && parts.get_item(0)?.is(self.kinds[kind].dtype.bind(py))
            && parts.get_item(1)?.eq(PyBytes::new(py, held))?;
        if is_maker && is_array && is_number {
            Ok(())
        } else {
            Err(unlike())
        }
    }

    /// How this array lies in memory, if it is a simple one.
    pub fn array(&self, value: &Bound<'_, PyAny>) -> Option<Array> {
        let class = value.get_type();
        if !class.is(&self.array) || self.has_reducer(&class) {
            return None;
        }
        // SAFETY: the class is numpy's own, whose objects lie so.
        let fields = unsafe { &*value.as_ptr().cast::<Fields>() };
        let kind = self.kind(fields.descr)?;
        let turned = fields.flags & (C_ORDER | F_ORDER) == F_ORDER;
        let in_order = fields.flags & (C_ORDER | F_ORDER) != 0;
        let whole = fields.flags & (ALIGNED | WRITES_BACK) == ALIGNED;
        let dimensions = usize::try_from(fields.dimensions).ok()?;
        if !in_order || !whole || !(1..=MOST_DIMENSIONS).contains(&dimensions) {
            return None;
        }
        let mut shape = [0; MOST_DIMENSIONS];
        // SAFETY: an array of so many dimensions has so many lengths.
        let lengths = unsafe { std::slice::from_raw_parts(fields.shape, dimensions) };
        shape[..dimensions].copy_from_slice(lengths);
        let items: isize = lengths.iter().product();
        let len = usize::try_from(items).ok()? * self.kinds[kind].size;
        (len > 0).then_some(Array {
            start: fields.data,
            len,
            kind,
            is_read_only: fields.flags & WRITEABLE == 0,
            is_turned: turned,
            shape,
            dimensions,
        })
    }

    /// The kind and the bytes of one of numpy's own simple numbers.
    pub fn number<'a>(&self, value: &'a Bound<'_, PyAny>) -> Option<(usize, &'a [u8])> {
        let class = value.get_type();
        let kind = self.kinds.iter().position(|kind| class.is(&kind.number))?;
        if self.has_reducer(&class) {
            return None;
        }
        // SAFETY: behind the head of such an object is the number, so large, and it does not change.
        let bytes = unsafe {
            let start = value.as_ptr().cast::<u8>().add(size_of::<ffi::PyObject>());
            std::slice::from_raw_parts(start, self.kinds[kind].size)
        };
        Some((kind, bytes))
    }

    /// The pickle of a type.
    pub fn pickle_of(&self, kind: usize) -> &[u8] {
        &self.kinds[kind].pickle
    }

    /// The type whose pickle this begins with.
    pub fn kind_of(&self, pickle: &[u8]) -> Option<usize> {
        let begins = |kind: &Kind| pickle.starts_with(&kind.pickle);
        self.kinds.iter().position(begins)
    }

    /// An array over a buffer, as numpy makes it of its own pickle.
    pub fn make_array<'py>(
        &self,
        buffer: &Bound<'py, PyAny>,
        kind: usize,
        shape: &Bound<'py, PyAny>,
        order: &Bound<'py, PyString>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = buffer.py();
        let dtype = self.kinds[kind].dtype.bind(py);
        let flat = self.from_buffer.bind(py).call1((buffer, dtype))?;
        let shaped = [flat.as_ptr(), shape.as_ptr(), order.as_ptr()];
        static ORDER: pyo3::sync::PyOnceLock<Py<PyTuple>> = pyo3::sync::PyOnceLock::new();
        let names = ORDER.get_or_try_init(py, || {
            PyResult::Ok(PyTuple::new(py, [intern!(py, "order")])?.unbind())
        })?;
        // SAFETY: an object, one argument, one more for the name; what comes back is a new
        // reference, or null with an error set.
        unsafe {
            let made = ffi::PyObject_VectorcallMethod(
                intern!(py, "reshape").as_ptr(),
                shaped.as_ptr(),
                2,
                names.as_ptr(),
            );
            Bound::from_owned_ptr_or_err(py, made)
        }
    }

    /// A number of these bytes.
    pub fn make_number<'py>(
        &self,
        kind: usize,
        bytes: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = bytes.py();
        let dtype = self.kinds[kind].dtype.bind(py);
        self.number.bind(py).call1((dtype, bytes))
    }

    fn kind(&self, descr: *mut ffi::PyObject) -> Option<usize> {
        let is = |kind: &Kind| kind.dtype.as_ptr() == descr;
        self.kinds.iter().position(is)
    }

    fn has_reducer(&self, class: &Bound<'_, pyo3::types::PyType>) -> bool {
        let reducers = self.reducers.bind(class.py());
        reducers.contains(class).unwrap_or(true)
    }
}

/// A pickle of a function by its name, which puts it into the memo.
fn pickle_of_function(function: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let module: String = function.getattr("__module__")?.extract()?;
    let name: String = function.getattr("__qualname__")?.extract()?;
    let mut pickle = Vec::new();
    for text in [module, name] {
        pickle.extend([TEXT, u8::try_from(text.len())?]);
        pickle.extend(text.as_bytes());
    }
    pickle.extend([GLOBAL, MEMOIZE]);
    Ok(pickle)
}

/// A pickle of a type by what numpy calls it, which puts it into the memo.
fn pickle_of_dtype(name: &str) -> Vec<u8> {
    let mut pickle = Vec::new();
    for (text, end) in [("numpy", None), ("dtype", Some(GLOBAL)), (name, None)] {
        pickle.extend([TEXT, text.len() as u8]);
        pickle.extend(text.as_bytes());
        pickle.extend(end);
    }
    pickle.extend([TUPLE_1, REDUCE, MEMOIZE]);
    pickle
}

fn unlike() -> PyErr {
    PyTypeError::new_err("this numpy lays its arrays out in a way of its own")
}
