//! What was written down of a run, read again.

use std::collections::HashMap;

use cord_core::trace::Damaged;
use cord_trace::perfetto::{export, Names};
use cord_trace::{Outcome, Run};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

fn refused(damaged: Damaged) -> PyErr {
    PyValueError::new_err(damaged.0)
}

/// The texts at the begin and at the end of a trace; the last is None where it was cut off.
#[pyfunction]
fn trace_texts(py: Python<'_>, trace: &[u8]) -> PyResult<(String, Option<String>)> {
    let run = py.detach(|| Run::read(trace)).map_err(refused)?;
    Ok((run.head, run.end))
}

/// A trace as Perfetto opens it.
#[pyfunction]
fn perfetto<'py>(
    py: Python<'py>,
    trace: &[u8],
    program: String,
    modules: Vec<String>,
    places: HashMap<u32, String>,
) -> PyResult<Bound<'py, PyBytes>> {
    let names = Names {
        program,
        modules,
        places,
    };
    let exported = py.detach(|| Run::read(trace).map(|run| export(&run, &names)));
    Ok(PyBytes::new(py, &exported.map_err(refused)?))
}

/// The calls of a trace one after the other, by number.
#[pyclass(module = "cord._core")]
struct TraceCalls {
    run: Run,
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
impl TraceCalls {
    #[new]
    fn new(py: Python<'_>, trace: &[u8]) -> PyResult<TraceCalls> {
        let run = py.detach(|| Run::read(trace)).map_err(refused)?;
        Ok(TraceCalls { run, next: 0 })
    }

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

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<TraceCalls>()?;
    module.add_function(wrap_pyfunction!(trace_texts, module)?)?;
    module.add_function(wrap_pyfunction!(perfetto, module)?)
}
