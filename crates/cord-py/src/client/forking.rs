//! What is done right before and after the program forks: closer than hooks of `os.register_at_fork`
//! are, after which Python may still warn of the fork.

use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::c_functions::{definition_of, replace};

type Word = *mut ffi::PyObject;
type Fork = unsafe extern "C" fn(Word, Word) -> Word;

const NAMES: [&str; 2] = ["fork", "forkpty"];
static FORKS: [Fork; 2] = [fork::<0>, fork::<1>];
static ORIGINALS: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];
static AROUND: PyOnceLock<[Py<PyAny>; 2]> = PyOnceLock::new();

/// Call `before` and `after` around each `os.fork` and `os.forkpty`, after in both processes.
#[pyfunction]
fn around_forks(py: Python<'_>, before: Py<PyAny>, after: Py<PyAny>) -> PyResult<()> {
    if AROUND.set(py, [before, after]).is_err() {
        return Ok(());
    }
    let module = py.import("posix")?;
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
    call(0);
    // SAFETY: it was put there together with this, and has this convention.
    let original: Fork = unsafe { std::mem::transmute(ORIGINALS[N].load(Ordering::Relaxed)) };
    // SAFETY: as the interpreter calls it.
    let value = unsafe { original(module, none) };
    call(1);
    value
}

fn call(which: usize) {
    // SAFETY: the interpreter calls this, and holds its lock.
    let py = unsafe { Python::assume_attached() };
    let raised = PyErr::take(py); // that of a fork that failed
    if let Some(around) = AROUND.get(py) {
        if let Err(error) = around[which].call0(py) {
            error.write_unraisable(py, None);
        }
    }
    if let Some(raised) = raised {
        raised.restore(py);
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(around_forks, module)?)
}
