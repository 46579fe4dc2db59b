//! One version of what the main script defines, as it goes before the arguments of calls.

use std::sync::{Mutex, PoisonError};

use cord_core::{Buffer, SHARED_FROM};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};

use crate::buffers::{buffer_from_py, Outside};
use crate::encode::{keep_buffer, Encoded};

/// The two bytes that begin a pickle: the opcode PROTO and the protocol.
const PROTO: usize = 2;

/// Definitions, encoded once for all calls that need them.
///
/// `prefix` is a piece of pickle that reads the first buffer, puts the definitions in their place and
/// leaves nothing behind: it stands before the arguments in the same pickle.
#[pyclass(frozen, module = "cord._core")]
pub struct Definitions {
    prefix: Vec<u8>,
    encoded: Buffer,
}

#[pymethods]
impl Definitions {
    #[new]
    fn new(prefix: Vec<u8>, encoded: &Bound<'_, PyBytes>) -> PyResult<Self> {
        Ok(Self {
            prefix,
            encoded: buffer_from_py(encoded, Outside::Copied(SHARED_FROM))?,
        })
    }
}

impl Definitions {
    /// Puts the definitions before the arguments.
    pub fn go_before(&self, encoded: &mut Encoded) {
        let payload = &mut encoded.payload;
        payload
            .head
            .splice(PROTO..PROTO, self.prefix.iter().copied());
        payload.buffers.insert(0, keep_buffer(&self.encoded));
        for cut in &mut encoded.cuts {
            cut.start += self.prefix.len();
            cut.end += self.prefix.len();
        }
        encoded.shared = self.encoded.len();
    }
}

/// What impure calls have mentioned of the main script: their module may keep it, and those that it
/// calls.
#[derive(Default)]
pub struct Mentioned(Mutex<Vec<String>>);

impl Mentioned {
    /// Adds the names that an impure call mentions; returns all so far.
    pub fn add(&self, names: Vec<String>) -> Vec<String> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for name in names {
            if !all.contains(&name) {
                all.push(name);
            }
        }
        all.clone()
    }
}

/// Whether a list or tuple holds the very objects that `before` does.
#[pyfunction]
fn same_objects(now: &Bound<'_, PyAny>, before: &Bound<'_, PyTuple>) -> bool {
    if let Ok(now) = now.cast_exact::<PyTuple>() {
        return items_of(now) == items_of(before);
    }
    now.cast_exact::<PyList>().is_ok_and(|now| {
        // SAFETY: a list keeps its items while the interpreter is held and nothing runs.
        let items = unsafe {
            let list = now.as_ptr().cast::<ffi::PyListObject>();
            slice((*list).ob_item, now.len())
        };
        items == items_of(before)
    })
}

/// The items by their addresses, none of them looked at.
fn items_of<'a>(tuple: &'a Bound<'_, PyTuple>) -> &'a [*mut ffi::PyObject] {
    // SAFETY: a tuple keeps its items as long as it lives.
    unsafe {
        let object = tuple.as_ptr().cast::<ffi::PyTupleObject>();
        slice((*object).ob_item.as_ptr(), tuple.len())
    }
}

/// # Safety
/// As `std::slice::from_raw_parts`, but where there is nothing `items` may be null.
unsafe fn slice<'a, T>(items: *const T, length: usize) -> &'a [T] {
    if length == 0 {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(items, length) }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Definitions>()?;
    module.add_function(wrap_pyfunction!(same_objects, module)?)
}
