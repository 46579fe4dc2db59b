//! A call that Python has issued, and what came of it.

use std::time::{Duration, Instant};

use cord_wire::loss::Fallen;
use cord_wire::outcome::Outcome;
use cord_wire::payload::Payload;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::travel::buffers::buffers_to_py;
use crate::travel::large::bytes;

/// Signals are looked after this often while a thread waits for a ticket.
pub const SIGNALS: Duration = Duration::from_millis(50);

/// A call issued and not yet taken.
#[pyclass(frozen, module = "cord._core")]
pub struct Ticket(pub cord_core::ticket::Ticket);

#[pymethods]
impl Ticket {
    /// Whether the outcome is there.
    fn is_settled(&self) -> bool {
        self.0.is_settled()
    }

    /// Waits for the outcome, for so many seconds at most; true if it is there.
    #[pyo3(signature = (timeout=f64::INFINITY))]
    fn wait(&self, py: Python<'_>, timeout: f64) -> PyResult<bool> {
        let timeout = Duration::try_from_secs_f64(timeout.max(0.0)).unwrap_or(Duration::MAX);
        let began = Instant::now();
        loop {
            let left = timeout.saturating_sub(began.elapsed());
            if py.detach(|| self.0.wait(left.min(SIGNALS))) {
                return Ok(true);
            }
            py.check_signals()?;
            if began.elapsed() >= timeout {
                return Ok(false);
            }
        }
    }

    /// The outcome, once: a tuple whose first item names its kind; `None` if it is not there.
    fn take<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        self.0
            .take()
            .map(|outcome| outcome_to_py(py, outcome))
            .transpose()
    }

    /// The program waits for this call now.
    fn demand(&self) {
        self.0.demand();
    }

    /// Nobody will take this call.
    fn drop_call(&self) {
        self.0.drop_call();
    }
}

fn outcome_to_py(py: Python<'_>, outcome: Outcome) -> PyResult<Bound<'_, PyTuple>> {
    match outcome {
        Outcome::Reply {
            kind,
            payload: Payload { head, buffers, .. },
            output,
        } => {
            let (head, output) = (bytes(py, &head)?, bytes(py, &output)?);
            ("reply", kind, head, buffers_to_py(py, buffers)?, output).into_pyobject(py)
        }
        Outcome::Lost(lost) => {
            let Fallen { pid, status, .. } = lost.last();
            ("lost", pid, status, lost.tries, lost.may_have_run).into_pyobject(py)
        }
        Outcome::StateLost {
            fallen: Fallen { pid, status, .. },
        } => ("state lost", pid, status).into_pyobject(py),
        Outcome::Unavailable { head } => ("unavailable", bytes(py, &head)?).into_pyobject(py),
        Outcome::Expired { deadline } => ("expired", deadline.as_secs_f64()).into_pyobject(py),
        Outcome::Closed => ("closed",).into_pyobject(py),
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Ticket>()
}
