//! What was written down of a run, read again.

use std::collections::HashMap;

use cord_core::trace::Damaged;
use cord_trace::perfetto::{export, Names};
use cord_trace::Run;
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

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(trace_texts, module)?)?;
    module.add_function(wrap_pyfunction!(perfetto, module)?)
}
