//! What is read once and remembered: what a function with an `lru_cache` has read for an earlier call counts for each
//! later one that is given what it remembers.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use cord_wire::reads::Read;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use super::{under, LOOKING};

/// By the function that remembers: by its arguments, which of all that was read is theirs.
static REMEMBERED: Mutex<Option<Remembered>> = Mutex::new(None);
/// Its class's own code.
static PLAIN: AtomicUsize = AtomicUsize::new(0);

#[derive(Default)]
struct Remembered {
    by_function: HashMap<usize, Py<PyDict>>,
    reads: Vec<Vec<Read>>,
}

/// Has what such functions read noted from now on, in this process.
pub fn listen(py: Python<'_>) -> PyResult<()> {
    static LISTENING: Once = Once::new();
    let class = py.import("_functools")?.getattr("_lru_cache_wrapper")?; // a program may have a functools of its own
    let class = class.cast_into::<PyType>()?;
    LISTENING.call_once(|| {
        // SAFETY: the lock is held, and what is put there has the same convention.
        let slot = unsafe { &mut (*class.as_type_ptr()).tp_call };
        if let Some(plain) = slot.replace(call) {
            PLAIN.store(plain as usize, Ordering::Relaxed);
        }
    });
    Ok(())
}

unsafe extern "C" fn call(
    function: *mut ffi::PyObject,
    args: *mut ffi::PyObject,
    kwargs: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: it was taken from a slot of this convention, before any call came here.
    let plain =
        unsafe { std::mem::transmute::<usize, ffi::ternaryfunc>(PLAIN.load(Ordering::Relaxed)) };
    // SAFETY: whoever calls this has the lock.
    let began = unsafe { under() }.map(|under| under.seen().reads.collect());
    // SAFETY: as it was called.
    let made = unsafe { plain(function, args, kwargs) };
    if let Some(number) = began {
        // SAFETY: the lock is held again.
        unsafe { note(number, function, args, kwargs) };
    }
    made
}

/// A call has come to its end: what it has read is put down, or, if it is remembered, is read again.
unsafe fn note(
    number: usize,
    function: *mut ffi::PyObject,
    args: *mut ffi::PyObject,
    kwargs: *mut ffi::PyObject,
) {
    // SAFETY: the caller's promise.
    let Some(under) = (unsafe { under() }) else {
        return;
    };
    let read = under.seen().reads.collected(number);
    let is_known = all()
        .as_ref()
        .is_some_and(|all| all.by_function.contains_key(&(function as usize)));
    if read.is_empty() && !is_known || LOOKING.replace(true) {
        return;
    }
    // SAFETY: the lock is held, and both live as long as the call.
    let (py, args, kwargs) = unsafe {
        let py = Python::assume_attached();
        let kwargs = Bound::from_borrowed_ptr_or_opt(py, kwargs);
        (py, Bound::from_borrowed_ptr(py, args), kwargs)
    };
    let raised = PyErr::take(py); // code of theirs compares arguments
    if let Ok(Some(before)) = remembered(function as usize, &args, kwargs.as_ref(), read) {
        under.seen().reads.add(before);
    }
    if let Some(raised) = raised {
        raised.restore(py);
    }
    LOOKING.set(false);
}

/// Puts down what was read for these arguments; if nothing was, what was read for them before.
fn remembered(
    function: usize,
    args: &Bound<'_, PyAny>,
    kwargs: Option<&Bound<'_, PyAny>>,
    mut read: Vec<Read>,
) -> PyResult<Option<Vec<Read>>> {
    let py = args.py();
    let named = match kwargs {
        Some(kwargs) => kwargs
            .call_method0("items")?
            .try_iter()?
            .collect::<PyResult<Vec<_>>>()?,
        None => Vec::new(),
    };
    let key = PyTuple::new(py, [args, PyTuple::new(py, named)?.as_any()])?;
    let empty = PyDict::new(py).unbind(); // not while nobody else may look: garbage may be collected
    let own = {
        let mut all = all();
        let known = &mut all.get_or_insert_default().by_function;
        known.entry(function).or_insert(empty).clone_ref(py)
    };
    if read.is_empty() {
        let number = own.bind(py).get_item(key)?;
        let number = number.map(|number| number.extract::<usize>()).transpose()?;
        let all = all();
        return Ok(number.and_then(|number| all.as_ref()?.reads.get(number).cloned()));
    }
    read.iter_mut().for_each(|read| read.is_remembered = true);
    let number = {
        let mut all = all();
        let reads = &mut all.get_or_insert_default().reads;
        reads.push(read);
        reads.len() - 1
    };
    own.bind(py).set_item(key, number)?;
    Ok(None)
}

fn all() -> MutexGuard<'static, Option<Remembered>> {
    REMEMBERED.lock().unwrap_or_else(PoisonError::into_inner)
}
