//! Objects of Python's that may be large, and what is raised where there is no room for them.

use std::io;

use cord_os::spare;
use pyo3::exceptions::{PyMemoryError, PyOSError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyString};

/// A `bytes` object.
///
/// # Errors
/// `MemoryError`.
pub fn bytes<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let (start, len) = (bytes.as_ptr().cast(), length(bytes)?);
    // SAFETY: so many bytes are there; what comes back is a new reference to a `bytes` object, or null
    // with an error set.
    unsafe {
        let made = ffi::PyBytes_FromStringAndSize(start, len);
        Ok(Bound::from_owned_ptr_or_err(py, made)?.cast_into_unchecked())
    }
}

/// A `bytearray` object.
///
/// # Errors
/// `MemoryError`.
pub fn byte_array<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyByteArray>> {
    let (start, len) = (bytes.as_ptr().cast(), length(bytes)?);
    // SAFETY: as above, a `bytearray`.
    unsafe {
        let made = ffi::PyByteArray_FromStringAndSize(start, len);
        Ok(Bound::from_owned_ptr_or_err(py, made)?.cast_into_unchecked())
    }
}

/// A `str` object.
///
/// # Errors
/// `MemoryError`.
pub fn text<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyString>> {
    let (start, len) = (text.as_ptr().cast(), length(text.as_bytes())?);
    // SAFETY: as above, a `str`.
    unsafe {
        let made = ffi::PyUnicode_FromStringAndSize(start, len);
        Ok(Bound::from_owned_ptr_or_err(py, made)?.cast_into_unchecked())
    }
}

/// A module that may have to be loaded, with the descriptors that are held back if there are no others.
///
/// # Errors
/// As the import statement.
pub fn import<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyModule>> {
    let imported = py.import(name);
    if !imported
        .as_ref()
        .is_err_and(|error| error.is_instance_of::<PyOSError>(py))
    {
        return imported;
    }
    spare::give();
    let imported = py.import(name);
    spare::keep();
    imported
}

fn length(bytes: &[u8]) -> PyResult<ffi::Py_ssize_t> {
    ffi::Py_ssize_t::try_from(bytes.len()).map_err(|_| PyMemoryError::new_err(()))
}

/// What plain Python raises where the system says this.
pub fn no_room(error: io::Error) -> PyErr {
    match error.kind() {
        io::ErrorKind::OutOfMemory => PyMemoryError::new_err(()),
        _ => PyOSError::new_err((error.raw_os_error(), error.to_string())),
    }
}
