//! `cord run --live`: what a run tells while it runs.

use std::os::fd::RawFd;

use cord_core::live;
use pyo3::prelude::*;

use crate::client::session::Session;
use crate::takes::standing::look_on;

/// Tells of a run while it runs.
#[pyclass(frozen, module = "cord._core")]
struct Live(live::Live);

#[pymethods]
impl Live {
    /// Begins to tell of a session's run of `program`; `terminal` is what `TERM` says.
    #[new]
    #[pyo3(signature = (session, program, terminal=None))]
    fn new(
        session: &Bound<'_, Session>,
        program: String,
        terminal: Option<&str>,
    ) -> PyResult<Live> {
        let core = session.get().core();
        let begun = live::Live::start(core, look_on(), program, terminal)?;
        Ok(Live(begun))
    }

    /// Tells nothing more: the terminal is as it was.
    fn close(&self, py: Python<'_>) {
        py.detach(|| self.0.close());
    }
}

/// Before the process is forked that outlives this one: it will know what is to be done to the terminal.
#[pyfunction]
fn share_terminal() -> PyResult<()> {
    Ok(live::share()?)
}

/// Where the client has left its lines on a terminal, takes them away: this descriptor leads there.
#[pyfunction]
fn restore_terminal(fd: RawFd) {
    live::undo(fd);
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Live>()?;
    module.add_function(wrap_pyfunction!(share_terminal, module)?)?;
    module.add_function(wrap_pyfunction!(restore_terminal, module)?)
}
