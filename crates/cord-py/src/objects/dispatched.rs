//! Functions chosen by the class of their first argument, by `functools.singledispatch`.

use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyFunction, PyTuple};

use crate::library::library;
use crate::python;

/// The function that a call of a `functools.singledispatch` function runs, None for any other callee.
pub fn dispatched<'py>(
    callee: &Bound<'py, PyAny>,
    args: &Bound<'py, PyTuple>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    if !dispatches(callee)? {
        return Ok(None);
    }
    let py = callee.py();
    let found = python::DISPATCHED.call(py, (callee, args))?;
    Ok((!found.is_none()).then_some(found))
}

/// Whether this is a function that `functools` has made and given more attributes.
pub fn dispatches(callee: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = callee.py();
    if !callee.is_exact_instance_of::<PyFunction>() {
        return Ok(false);
    }
    static FUNCTOOLS: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let functools = FUNCTOOLS
        .get_or_try_init(py, || {
            PyResult::Ok(library(py, "functools")?.cast_into::<PyModule>()?.unbind())
        })?
        .bind(py);
    // SAFETY: a function object always has globals
    let its_globals = unsafe { ffi::PyFunction_GetGlobals(callee.as_ptr()) };
    Ok(its_globals == functools.dict().as_ptr() && callee.hasattr(intern!(py, "dispatch"))?)
}
