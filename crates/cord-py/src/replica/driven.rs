//! What calls of coroutine functions come to: they are run to their end.

use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyFunction;

use crate::python;
use crate::replica::outside::Stopped;

/// Of what kind it is what such a call leaves.
const TASKS: &str = "tasks";

/// What a call of a function gave, or what that comes to where it is a coroutine function.
pub fn driven<'py>(
    function: &Bound<'py, PyAny>,
    made: PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let given = made?;
    // SAFETY: a live object.
    if unsafe { ffi::PyCoro_CheckExact(given.as_ptr()) } == 0 || !gives_coroutines(function)? {
        return Ok(given);
    }
    let (returned, come): (Option<bool>, Bound<'py, PyAny>) =
        python::DRIVE.call(given.py(), (given,))?.extract()?;
    match returned {
        Some(true) => Ok(come),
        Some(false) => Err(PyErr::from_value(come)),
        None => Err(Stopped::new_err((TASKS, come.unbind()))),
    }
}

/// Whether a function is one of those: another one may return a coroutine, too.
fn gives_coroutines(function: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = function.py();
    if !function.is_exact_instance_of::<PyFunction>() {
        return Ok(false);
    }
    let code = function.getattr(intern!(py, "__code__"))?;
    let flags: i32 = code.getattr(intern!(py, "co_flags"))?.extract()?;
    Ok(flags & ffi::CO_COROUTINE != 0)
}
