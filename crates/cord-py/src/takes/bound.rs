//! Callees that have a call site with them, for calls that something else makes.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::library::library;
use crate::takes::site::Site;

/// A callee with a site in front; it looks like the callee where Python names it.
#[pyclass(module = "cord._core", frozen)]
pub struct BoundTake {
    site: Py<Site>,
    activation: Py<PyAny>,
    callee: Py<PyAny>,
}

impl BoundTake {
    pub fn new(site: Py<Site>, activation: Py<PyAny>, callee: Py<PyAny>) -> Self {
        Self {
            site,
            activation,
            callee,
        }
    }
}

#[pymethods]
impl BoundTake {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.site
            .get()
            .call_of(self.activation.bind(py), self.callee.bind(py), args, kwargs)
    }

    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.callee.bind(py).getattr(name)
    }

    /// A copy or a pickle of what holds it holds the callee.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let first = library(py, "operator")?
            .getattr("itemgetter")?
            .call1((0,))?;
        let args = ((self.callee.bind(py),),);
        (first, args).into_pyobject(py)
    }

    #[getter(__module__)]
    fn module_name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.callee.bind(py).getattr("__module__")
    }
}
