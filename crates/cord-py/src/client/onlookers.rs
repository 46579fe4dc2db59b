//! Who looks on as the program runs: debuggers, profilers, measures of coverage.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// What may look on under `sys.monitoring` has one of so many numbers.
const TOOLS: usize = 6;

/// Whether something looks on as the program runs: a debugger, a profiler.
pub fn is_watched(py: Python<'_>) -> PyResult<bool> {
    static GETTRACE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let gettrace = GETTRACE.get_or_try_init(py, || {
        PyResult::Ok(py.import("sys")?.getattr("gettrace")?.unbind())
    })?;
    Ok(!gettrace.bind(py).call0()?.is_none())
}

/// Whether something looks on as the program runs, and would see what runs before the value is there: a
/// debugger, a profiler, a measure of coverage.
#[pyfunction]
pub fn is_looked_at(py: Python<'_>) -> PyResult<bool> {
    let sys = py.import(intern!(py, "sys"))?;
    if is_watched(py)? || !sys.call_method0(intern!(py, "getprofile"))?.is_none() {
        return Ok(true);
    }
    let Ok(monitoring) = sys.getattr(intern!(py, "monitoring")) else {
        return Ok(false); // before Python 3.12
    };
    for tool in 0..TOOLS {
        let user = monitoring.call_method1(intern!(py, "get_tool"), (tool,))?;
        if !user.is_none() {
            return Ok(true);
        }
    }
    Ok(false)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(is_looked_at, module)?)
}
