//! Exceptions that are raised in the midst of calls.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::python;

/// The exceptions that were sent into a call, until its outcome is decoded: where one of them passes
/// through the function, the program sees the very object that its handler has raised.
pub struct Sent<'py>(Bound<'py, PyAny>);

impl<'py> Sent<'py> {
    pub fn new(py: Python<'py>) -> PyResult<Sent<'py>> {
        python::SENT_INTERRUPTS.call(py, ()).map(Sent)
    }

    pub fn encode(&self, error: &PyErr) -> PyResult<Vec<u8>> {
        let py = self.0.py();
        let exception = error.value(py);
        if let Some(traceback) = error.traceback(py) {
            exception.setattr(intern!(py, "__traceback__"), traceback)?;
        }
        let encoded = self.0.call_method1(intern!(py, "encode"), (exception,))?;
        Ok(encoded.cast_into::<PyBytes>()?.as_bytes().to_vec())
    }
}

impl Drop for Sent<'_> {
    fn drop(&mut self) {
        let _ = self.0.call_method0(intern!(self.0.py(), "forget"));
    }
}
