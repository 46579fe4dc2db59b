//! What the program handles at the moment.

use pyo3::exceptions::PyException;
use pyo3::ffi;
use pyo3::prelude::*;

/// The exception that the program handles.
pub fn handled(py: Python<'_>) -> Option<Py<PyAny>> {
    // SAFETY: a new reference, or null where nothing is handled.
    let found = unsafe { Bound::from_owned_ptr_or_opt(py, ffi::PyErr_GetHandledException()) };
    found.filter(|found| !found.is_none()).map(Bound::unbind)
}

/// The interrupt that the program handles: what only handlers of signals raise.
pub fn interrupted(py: Python<'_>) -> Option<PyErr> {
    let error = handled(py)?.into_bound(py);
    (!error.is_instance_of::<PyException>()).then(|| PyErr::from_value(error))
}

/// While it lives, what the program handles is what it handled where a call stands.
pub struct Handling<'py>(Python<'py>, Option<Py<PyAny>>);

impl<'py> Handling<'py> {
    pub fn again(py: Python<'py>, then: Option<&Py<PyAny>>) -> Self {
        let now = handled(py);
        set_handled(py, then);
        Self(py, now)
    }
}

impl Drop for Handling<'_> {
    fn drop(&mut self) {
        set_handled(self.0, self.1.as_ref());
    }
}

fn set_handled(_py: Python<'_>, error: Option<&Py<PyAny>>) {
    let error = error.map_or(std::ptr::null_mut(), Py::as_ptr);
    // SAFETY: an exception, or null for none; a reference of its own is taken.
    unsafe { ffi::PyErr_SetHandledException(error) };
}
