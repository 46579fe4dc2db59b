//! Forks of the program: Python's warning of a process with threads is not for Cord's own.
//!
//! Since Python 3.12, `os.fork` warns where the process has other threads when it has forked. Cord's hold no
//! lock of the interpreter's: a fork is as safe as without them, and the program is not to see that they
//! are there. Others are counted when the warning would count them, between the C library's fork and all
//! that Python does then: libraries end threads of theirs right before a fork.

use std::cell::Cell;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering};

use cord_os::threads::threads_beside;
use pyo3::exceptions::PyDeprecationWarning;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyTuple};

use crate::c_functions::{definition_of, replace};

type Word = *mut ffi::PyObject;
type Fork = unsafe extern "C" fn(Word, Word) -> Word;

const NAMES: [&str; 2] = ["fork", "forkpty"];
static FORKS: [Fork; 2] = [fork::<0>, fork::<1>];
static ORIGINALS: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];
/// What warnings pass while it is the first filter.
static ANY: PyOnceLock<Py<PyTuple>> = PyOnceLock::new();

thread_local! {
    /// While this thread forks: the filters of warnings, and the one that is to be the first.
    static FORKING: Cell<[Word; 2]> = const { Cell::new([null_mut(); 2]) };
}

/// Let `os.fork` and `os.forkpty` warn as they would without Cord's threads.
#[pyfunction]
fn warn_of_own_threads_only(py: Python<'_>) -> PyResult<()> {
    if py.version_info() < (3, 12) || ANY.get(py).is_some() {
        return Ok(());
    }
    let category = py.get_type::<PyDeprecationWarning>();
    let any = ("ignore", py.None(), category, py.None(), 0).into_pyobject(py)?;
    let module = py.import("posix")?;
    // SAFETY: the handler lives as long as the process.
    if ANY.set(py, any.unbind()).is_err()
        || unsafe { libc::pthread_atfork(None, Some(hush), None) } != 0
    {
        return Ok(());
    }
    for (place, name) in NAMES.into_iter().enumerate() {
        let definition = definition_of(&module.getattr(name)?);
        // SAFETY: it is one, and of the convention that the functions here have.
        unsafe {
            if !definition.is_null() && (*definition).ml_flags == ffi::METH_NOARGS {
                let original = replace(definition, FORKS[place] as usize);
                ORIGINALS[place].store(original, Ordering::Relaxed);
            }
        }
    }
    Ok(())
}

unsafe extern "C" fn fork<const N: usize>(module: Word, none: Word) -> Word {
    // SAFETY: the interpreter calls this, and holds its lock.
    let py = unsafe { Python::assume_attached() };
    let filters = filters(py).ok();
    let any = ANY.get(py).map_or(null_mut(), Py::as_ptr);
    let listed = filters.as_ref().map_or(null_mut(), Bound::as_ptr);
    FORKING.set([listed, any]);
    // SAFETY: it was put there together with this, and has this convention.
    let original: Fork = unsafe { std::mem::transmute(ORIGINALS[N].load(Ordering::Relaxed)) };
    // SAFETY: as the interpreter calls it.
    let value = unsafe { original(module, none) };
    FORKING.set([null_mut(); 2]);
    // SAFETY: a list, of which one item is looked at and removed; whatever has been raised stays.
    unsafe {
        if !listed.is_null()
            && ffi::PyList_GET_SIZE(listed) > 0
            && ffi::PyList_GET_ITEM(listed, 0) == any
        {
            ffi::PyList_SetSlice(listed, 0, 1, null_mut());
        }
    }
    value
}

/// The filters of warnings, as the interpreter finds them. Registries of warnings do not begin anew for
/// what is done to them here.
fn filters(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let modules = py.import("sys")?.getattr("modules")?;
    let warnings = match modules.get_item("warnings") {
        Ok(warnings) => warnings,
        Err(_) => py.import("_warnings")?.into_any(),
    };
    Ok(warnings.getattr("filters")?.cast_into()?)
}

/// Right after a fork, in the parent: nothing is called that needs more than the interpreter's lock.
unsafe extern "C" fn hush() {
    let [filters, any] = FORKING.get();
    if !filters.is_null() && matches!(threads_beside(&[]), 0 | usize::MAX) {
        // SAFETY: this thread is within `fork`, which has them.
        unsafe { ffi::PyList_Insert(filters, 0, any) };
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(warn_of_own_threads_only, module)?)
}
