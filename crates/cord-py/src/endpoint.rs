//! The replica's end of its link.

use std::os::fd::{FromRawFd, OwnedFd, RawFd};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::buffers::{buffers_from_py, buffers_to_py};

/// A call as Python sees it: its number, its head, its buffers.
type Incoming<'py> = (u64, Bound<'py, PyBytes>, Bound<'py, PyList>);

/// The replica's end of its link, over a stream socket that it takes over.
#[pyclass(frozen, module = "cord._core")]
pub struct Endpoint(cord_core::Endpoint);

#[pymethods]
impl Endpoint {
    #[new]
    fn new(fd: RawFd) -> PyResult<Endpoint> {
        Ok(Endpoint(cord_core::Endpoint::new(owned(fd)?)?))
    }

    /// Tells the client that calls can come.
    fn ready(&self, py: Python<'_>) {
        py.detach(|| self.0.ready());
    }

    /// Tells the client that the module cannot be loaded, and why.
    fn init_failed(&self, py: Python<'_>, head: &[u8]) {
        py.detach(|| self.0.init_failed(head));
    }

    /// Waits for the next call; `None` once the client is gone.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<Incoming<'py>>> {
        loop {
            match py.detach(|| self.0.next()) {
                Ok(None) => return Ok(None),
                Ok(Some(incoming)) => {
                    let head = PyBytes::new(py, &incoming.payload.head);
                    let buffers = buffers_to_py(py, incoming.payload.buffers)?;
                    return Ok(Some((incoming.call, head, buffers)));
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {
                    py.check_signals()?;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Answers a call; never waits for the client.
    fn reply(
        &self,
        py: Python<'_>,
        call: u64,
        kind: u8,
        head: &[u8],
        buffers: &Bound<'_, PyList>,
        output: &[u8],
    ) -> PyResult<()> {
        let buffers = buffers_from_py(py, buffers)?;
        self.0.reply(call, kind, head, &buffers, output);
        Ok(())
    }
}

/// Takes over a descriptor number.
///
/// # Errors
/// `ValueError` if it is not open.
pub fn owned(fd: RawFd) -> PyResult<OwnedFd> {
    // SAFETY: asking for the flags of any number is harmless.
    if fd < 0 || unsafe { libc::fcntl(fd, libc::F_GETFD) } < 0 {
        return Err(PyValueError::new_err(format!(
            "{fd} is no open file descriptor"
        )));
    }
    // SAFETY: it is open, and the caller hands it over.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Endpoint>()
}
