//! Iterators that only a scout has: those that it made, and those that go on behind the program's.

use pyo3::prelude::*;

use crate::scouts::scout_end::stop;
use cord_scout::Why;

/// An iterator that only the scout has, for it was made by it.
#[pyclass(module = "cord._core", frozen)]
pub struct Fresh(pub Py<PyAny>);

#[pymethods]
impl Fresh {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.0.bind(py).try_iter()?.next().transpose()
    }
}

/// See `Guard::resume`.
#[pyclass(module = "cord._core")]
pub struct Resume {
    rest: Option<Py<PyAny>>,
    begun: bool,
}

impl Resume {
    pub fn new(rest: Option<Py<PyAny>>) -> Self {
        Self { rest, begun: false }
    }
}

#[pymethods]
impl Resume {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if !self.begun {
            self.begun = true;
            return Ok(Some(py.None().into_bound(py)));
        }
        match &self.rest {
            Some(rest) => rest.bind(py).try_iter()?.next().transpose(),
            None => Err(stop(Why::Resumed)),
        }
    }
}
