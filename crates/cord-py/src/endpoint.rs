//! The replica's end of its link.

use std::os::fd::{FromRawFd, OwnedFd, RawFd};
use std::sync::{Arc, Mutex, PoisonError};

use cord_core::World;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::buffers::{buffers_from_py, buffers_to_py};

/// A call as Python sees it: its number, its head, its buffers, its world. The number is 0 for the
/// order to load the module; equal worlds are mostly the same object.
type Incoming<'py> = (
    u64,
    Bound<'py, PyBytes>,
    Bound<'py, PyList>,
    Bound<'py, PyBytes>,
);

/// The replica's end of its link, over a stream socket that it takes over.
#[pyclass(frozen, module = "cord._core")]
pub struct Endpoint {
    core: cord_core::Endpoint,
    /// The world of the last call, as it came and as Python sees it.
    world: Mutex<Option<(World, Py<PyBytes>)>>,
}

impl Endpoint {
    fn world<'py>(&self, py: Python<'py>, world: &World) -> Bound<'py, PyBytes> {
        let mut last = self.world.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((known, bytes)) if Arc::ptr_eq(known, world) => bytes.bind(py).clone(),
            _ => {
                let bytes = PyBytes::new(py, world);
                *last = Some((World::clone(world), bytes.clone().unbind()));
                bytes
            }
        }
    }
}

#[pymethods]
impl Endpoint {
    #[new]
    fn new(fd: RawFd) -> PyResult<Endpoint> {
        Ok(Endpoint {
            core: cord_core::Endpoint::new(owned(fd)?)?,
            world: Mutex::default(),
        })
    }

    /// Tells the client that calls can come.
    fn ready(&self, py: Python<'_>) {
        py.detach(|| self.core.ready());
    }

    /// Tells the client that the module cannot be loaded, and why.
    fn init_failed(&self, py: Python<'_>, head: &[u8]) {
        py.detach(|| self.core.init_failed(head));
    }

    /// Waits for the next call; `None` once the client is gone.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<Incoming<'py>>> {
        loop {
            match py.detach(|| self.core.next()) {
                Ok(None) => return Ok(None),
                Ok(Some(incoming)) => {
                    let head = PyBytes::new(py, &incoming.payload.head);
                    let buffers = buffers_to_py(py, incoming.payload.buffers)?;
                    let world = self.world(py, &incoming.world);
                    return Ok(Some((incoming.call, head, buffers, world)));
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
        self.core.reply(call, kind, head, &buffers, output);
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
