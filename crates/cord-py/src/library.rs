//! Modules of Python's library, found as `cord.stdlib` has them.

use pyo3::prelude::*;

/// The library's module of this name, even where the program has one that is called so.
pub fn library<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("cord.stdlib")?.getattr(name)
}
