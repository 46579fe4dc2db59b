//! Modules of Python's library, found as `cord.runtime.library` has them.

use pyo3::prelude::*;

/// The library's module of this name, even where the program has one that is called so.
pub fn library<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("cord.runtime.library")?.getattr(name)
}
