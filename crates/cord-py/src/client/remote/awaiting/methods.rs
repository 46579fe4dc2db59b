//! Coroutines of remote calls as Python has them: with the methods and attributes of plain ones.

use pyo3::exceptions::PyRuntimeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use super::{Coroutine, Stand, Step, Wrapper};

#[pymethods]
impl Coroutine {
    #[pyo3(signature = (value, /))]
    fn send<'py>(&self, py: Python<'py>, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.step(py, &Step::Send(value))
    }

    #[pyo3(signature = (*what))]
    fn throw<'py>(
        &self,
        py: Python<'py>,
        what: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.step(py, &Step::Throw(what))
    }

    fn close<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.step(py, &Step::Close)
    }

    fn __await__(slf: &Bound<'_, Self>) -> PyResult<Wrapper> {
        let py = slf.py();
        let is_awaited = match &*slf.get().stand() {
            Stand::Waits(..) | Stand::Rests(_) | Stand::Running => true,
            Stand::Fresh => false,
            Stand::Here => !slf
                .get()
                .plain
                .bind(py)
                .getattr(intern!(py, "cr_await"))?
                .is_none(),
        };
        if is_awaited {
            let text = "coroutine is being awaited already";
            return Err(PyRuntimeError::new_err(text));
        }
        Ok(Wrapper(slf.clone().unbind()))
    }

    /// All else is as of the plain coroutine.
    fn __getattr__<'py>(
        &self,
        py: Python<'py>,
        name: &Bound<'py, PyString>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.plain.bind(py).getattr(name)
    }

    fn __setattr__(&self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.plain.bind(py).setattr(name, value)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let name = slf.get().plain.bind(slf.py()).getattr("__qualname__")?;
        Ok(format!(
            "<coroutine object {name} at {:#x}>",
            slf.as_ptr() as usize
        ))
    }

    #[getter(__class__)]
    fn class<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.plain.bind(py).get_type().into_any()
    }

    #[getter(__name__)]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.plain.bind(py).getattr(intern!(py, "__name__"))
    }

    #[getter(__qualname__)]
    fn qualname<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.plain.bind(py).getattr(intern!(py, "__qualname__"))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.plain)?;
        visit.call(&self.args)?;
        visit.call(&self.kwargs)?;
        if let Ok(stand) = self.stand.try_lock() {
            if let Stand::Waits(_, waiter) | Stand::Rests(waiter) = &*stand {
                visit.call(waiter)?;
            }
        }
        Ok(())
    }
}

#[pymethods]
impl Wrapper {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0
            .get()
            .step(py, &Step::Send(&py.None().into_bound(py)))
    }

    fn send<'py>(&self, py: Python<'py>, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.0.get().step(py, &Step::Send(value))
    }

    #[pyo3(signature = (*what))]
    fn throw<'py>(
        &self,
        py: Python<'py>,
        what: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.0.get().step(py, &Step::Throw(what))
    }

    fn close<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.get().step(py, &Step::Close)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.0)
    }
}
