//! How a scout ends before its region does: an exception that no program sees.

use pyo3::exceptions::PyBaseException;
use pyo3::intern;
use pyo3::prelude::*;

/// What is told by the end of a scout.
const RAISE: &str = "raise";
const RAISED: &str = "raised";

pyo3::create_exception!(
    _core,
    ScoutEnd,
    PyBaseException,
    "Ends a scout; never seen by a program."
);

pub fn stop() -> PyErr {
    ScoutEnd::new_err(())
}

/// The program raises an exception here.
pub fn unwound() -> PyErr {
    ScoutEnd::new_err((RAISE,))
}

/// The program asks for a call here that raised an exception.
pub fn raised() -> PyErr {
    ScoutEnd::new_err((RAISED,))
}

/// Whether a scout ended where the program raises an exception.
pub fn is_unwinding(py: Python<'_>, end: &PyErr) -> bool {
    ends_with(py, end, RAISE)
}

/// Whether a scout ended where a remote call has raised an exception.
pub fn has_raised(py: Python<'_>, end: &PyErr) -> bool {
    ends_with(py, end, RAISED)
}

fn ends_with(py: Python<'_>, end: &PyErr, word: &str) -> bool {
    let args = end.value(py).getattr(intern!(py, "args"));
    let is = args.and_then(|args| args.eq((word,))).unwrap_or(false);
    is && end.is_instance_of::<ScoutEnd>(py)
}
