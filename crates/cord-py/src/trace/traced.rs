//! A run that was written down, read: as texts, for whoever tells of it.

use cord_trace::facts::Facts;
use cord_trace::perfetto::{events, Names};
use cord_trace::Run;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// What was written down of a run.
#[pyclass(frozen, module = "cord._core")]
pub struct Traced(Run);

#[pymethods]
impl Traced {
    #[new]
    fn new(py: Python<'_>, bytes: &[u8]) -> PyResult<Traced> {
        let run = py.detach(|| Run::read(bytes));
        run.map(Traced)
            .map_err(|damaged| PyValueError::new_err(damaged.to_string()))
    }

    /// What was known before, as JSON.
    #[getter]
    fn head(&self) -> &str {
        &self.0.head
    }

    /// What was known at the end, as JSON; `None` where it was cut off.
    #[getter]
    fn end(&self) -> Option<&str> {
        self.0.end.as_deref()
    }

    /// What the run was like, as JSON; it took so many nanoseconds or more.
    fn facts(&self, py: Python<'_>, length: u64) -> String {
        py.detach(|| Facts::of(&self.0, length).json())
    }

    /// As Chrome's trace events. Names are JSON: of the program, of modules in their order, of places by
    /// number.
    fn perfetto(
        &self,
        py: Python<'_>,
        program: String,
        modules: Vec<String>,
        places: Vec<(u32, String)>,
    ) -> String {
        let names = Names {
            program,
            modules,
            places,
        };
        py.detach(|| events(&self.0, &names))
    }
}
