//! Descriptors that Python code of Cord's holds in processes which run the program's code.

use std::io;
use std::os::fd::{AsRawFd, RawFd};

use pyo3::prelude::*;

use crate::replica::endpoint::owned;

/// A descriptor that is used only while it is what it was. The one given is taken over.
#[pyclass(frozen, module = "cord._core")]
pub struct Descriptor(cord_os::descriptor::Descriptor);

#[pymethods]
impl Descriptor {
    #[new]
    fn new(fd: RawFd) -> PyResult<Descriptor> {
        Ok(Descriptor(owned(fd)?.into()))
    }

    /// Its number, to be used at once.
    #[getter]
    fn fd(&self) -> PyResult<RawFd> {
        Ok(self.0.get().map_err(io::Error::from)?.as_raw_fd())
    }

    /// Writes some of it, where nobody has closed the descriptor.
    fn write(&self, bytes: &[u8]) -> PyResult<()> {
        Ok(self.0.write(bytes)?)
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Descriptor>()
}
