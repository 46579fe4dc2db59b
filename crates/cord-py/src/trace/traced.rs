//! A run that was written down, read: as texts, for whoever tells of it.

use std::collections::HashMap;
use std::sync::Arc;

use cord_trace::facts::Facts;
use cord_trace::perfetto::{export, Names};
use cord_trace::{Outcome, Run};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// What was written down of a run.
#[pyclass(frozen, module = "cord._core")]
pub struct Traced(Arc<Run>);

impl Traced {
    /// What is known of it.
    pub fn run(&self) -> &Run {
        &self.0
    }
}

#[pymethods]
impl Traced {
    #[new]
    fn new(py: Python<'_>, bytes: &[u8]) -> PyResult<Traced> {
        let run = py.detach(|| Run::read(bytes));
        run.map(|run| Traced(Arc::new(run)))
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

    /// The calls one after the other, by number.
    fn calls(&self) -> TracedCalls {
        TracedCalls {
            run: Arc::clone(&self.0),
            next: 0,
        }
    }

    /// By replica: the name of its node, where it is on another machine.
    #[getter]
    fn nodes(&self) -> HashMap<u32, String> {
        let names = self.0.node_names();
        let named = |node: &u32| names.get(node).cloned();
        (self.0.replicas.iter())
            .filter_map(|one| Some((one.id, one.node.as_ref().and_then(named)?)))
            .collect()
    }

    /// The run as Perfetto opens it.
    fn perfetto<'py>(
        &self,
        py: Python<'py>,
        program: String,
        modules: Vec<String>,
        places: HashMap<u32, String>,
    ) -> Bound<'py, PyBytes> {
        let names = Names {
            program,
            modules,
            places,
        };
        PyBytes::new(py, &py.detach(|| export(&self.0, &names)))
    }
}

/// The calls of a trace one after the other, by number.
#[pyclass(module = "cord._core")]
pub struct TracedCalls {
    run: Arc<Run>,
    next: usize,
}

/// Number, place, module, when it was issued and ended; when it ran, on which replica; bytes of
/// arguments and of the reply; how it ended.
type Told = (
    u64,
    u32,
    u32,
    (u64, Option<u64>),
    Option<(u64, u64, u32)>,
    (u64, u64),
    &'static str,
);

#[pymethods]
impl TracedCalls {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self) -> Option<Told> {
        let call = self.run.calls.get(self.next)?;
        self.next += 1;
        let ran = call.ran.zip(call.replica);
        Some((
            call.id,
            call.place,
            call.module,
            (call.issued, call.ended),
            ran.map(|((began, ended), replica)| (began, ended, replica)),
            (call.bytes, call.came),
            match call.outcome {
                Outcome::Open => "open",
                Outcome::Answered => "answered",
                Outcome::Dropped => "dropped",
                Outcome::Lost => "lost",
            },
        ))
    }
}
