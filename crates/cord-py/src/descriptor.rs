//! Descriptors that Python code of Cord's holds in processes which run the program's code.

use std::os::fd::RawFd;

use pyo3::prelude::*;

use crate::endpoint::owned;

/// A descriptor that is written only while it is what it was. The one given is taken over.
#[pyclass(frozen, module = "cord._core")]
pub struct Descriptor(cord_core::Descriptor);

#[pymethods]
impl Descriptor {
    #[new]
    fn new(fd: RawFd) -> PyResult<Descriptor> {
        Ok(Descriptor(owned(fd)?.into()))
    }

    /// Writes some of it, where nobody has closed the descriptor.
    fn write(&self, bytes: &[u8]) -> PyResult<()> {
        Ok(self.0.write(bytes)?)
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Descriptor>()
}
