//! Operations of scouts warn of nothing: the program does them, too, and it is for it to warn. Nor does
//! what only Cord does.

use pyo3::exceptions::PyWarning;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyList;

/// Does something with warnings ignored, and whatever they have been counted as left as it is.
pub fn quietly<T>(py: Python<'_>, operation: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    static IGNORED: PyOnceLock<Py<PyList>> = PyOnceLock::new();
    let module = MODULE.get_or_try_init(py, || py.import("warnings").map(Bound::unbind))?;
    let ignored = IGNORED.get_or_try_init(py, || {
        let every = (
            "ignore",
            py.None(),
            py.get_type::<PyWarning>(),
            py.None(),
            0,
        );
        PyList::new(py, [every]).map(Bound::unbind)
    })?;
    let (module, name) = (module.bind(py), intern!(py, "filters"));
    let filters = module.getattr(name)?;
    module.setattr(name, ignored)?;
    let result = operation();
    module.setattr(name, filters)?;
    result
}
