//! What comes of a call, as the program sees it: a value, or an exception at its own line.

use cord_core::{
    Buffer, Outcome, Payload, Ticket, KIND_KEPT, KIND_PASSED, KIND_UNENCODABLE, KIND_VALUE,
};
use pyo3::exceptions::PyException;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use crate::buffers::buffers_to_py;
use crate::encode::loads;
use crate::ending::stay_if_left_behind;
use crate::passed::Passed;
use crate::pickling;
use crate::remote::RemoteFunction;
use crate::scalars;

impl RemoteFunction {
    /// The settled call's result, a fresh object; or its exception, raised.
    pub fn value<'py>(&self, py: Python<'py>, ticket: &Ticket) -> PyResult<Bound<'py, PyAny>> {
        self.result(py, ticket.take().unwrap_or(Outcome::Closed))
    }

    /// The exception of a settled call that nobody has taken, if it did not return.
    pub fn failure(&self, py: Python<'_>, ticket: &Ticket) -> Option<PyErr> {
        match ticket.take()? {
            Outcome::Closed => None,
            Outcome::Reply { .. } if !ticket.has_raised() => None,
            Outcome::Reply { kind, head, .. } => {
                let head = PyBytes::new(py, &head);
                Some(raised(py, &head, kind).unwrap_or_else(|error| error))
            }
            outcome => self.result(py, outcome).err(),
        }
    }

    /// What stands for the settled call's result, which is only passed on; or its exception, raised.
    pub fn passed<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
        ticket: &Ticket,
    ) -> PyResult<Bound<'py, PyAny>> {
        let outcome = ticket.take().unwrap_or(Outcome::Closed);
        match &outcome {
            Outcome::Reply {
                kind: KIND_KEPT | KIND_PASSED,
                output,
                ..
            } => {
                if !output.is_empty() {
                    replay(py, output)?;
                }
                let (ticket, function) = (ticket.clone(), slf.clone().unbind());
                let passed = Passed::of_reply(py, ticket, function, outcome)?;
                if is_watched(py)? {
                    return Passed::value(&passed); // a debugger may show it
                }
                Ok(passed.into_any())
            }
            _ => slf.get().result(py, outcome),
        }
    }

    /// The value that stays at a replica: a call that gives back what it is given.
    pub fn fetch<'py>(&self, passed: &Bound<'py, Passed>) -> PyResult<Bound<'py, PyAny>> {
        let ticket = self.fetching(passed)?;
        self.value(passed.py(), &ticket)
    }

    /// The same, still encoded; none if it is lost, as using it will say.
    pub fn fetch_encoded(&self, passed: &Bound<'_, Passed>) -> PyResult<Option<Payload>> {
        Ok(match self.fetching(passed)?.take() {
            Some(Outcome::Reply {
                kind: KIND_VALUE,
                head,
                buffers,
                ..
            }) => Some(Payload { head, buffers }),
            _ => None,
        })
    }

    fn fetching(&self, passed: &Bound<'_, Passed>) -> PyResult<Ticket> {
        let py = passed.py();
        let args = PyTuple::new(py, [passed])?;
        let ticket = self.issue_fetch(py, &args)?;
        self.wait(py, &ticket)?;
        Ok(ticket)
    }

    pub fn result<'py>(&self, py: Python<'py>, outcome: Outcome) -> PyResult<Bound<'py, PyAny>> {
        match outcome {
            Outcome::Reply {
                kind,
                head,
                buffers,
                output,
            } => {
                if !output.is_empty() {
                    replay(py, &output)?;
                }
                if kind != KIND_VALUE {
                    return Err(raised(py, &PyBytes::new(py, &head), kind)?);
                }
                let payload = Payload { head, buffers };
                decode_value(py, payload).map_err(|error| self.explain_decoding(py, error))
            }
            Outcome::Unavailable { head } => {
                let failed = py
                    .import("cord.runtime.failures")?
                    .getattr("unavailable_error")?;
                let error = failed.call1((self.original.bind(py), PyBytes::new(py, &head)))?;
                Err(PyErr::from_value(error))
            }
            Outcome::Lost {
                replica_pid,
                status,
                tries,
                may_have_run,
                of_value,
            } => {
                let lost = py.import("cord.runtime.failures")?.getattr("lost_error")?;
                let original = self.original.bind(py);
                let how = (original, replica_pid, status, tries, may_have_run, of_value);
                let error = lost.call1(how)?;
                Err(PyErr::from_value(error))
            }
            Outcome::Closed => {
                stay_if_left_behind(py);
                let closed = py
                    .import("cord.runtime.failures")?
                    .getattr("closed_error")?;
                Err(PyErr::from_value(closed.call1((self.original.bind(py),))?))
            }
        }
    }

    /// The error for a result that cannot be decoded; an interrupt passes as it is.
    fn explain_decoding(&self, py: Python<'_>, error: PyErr) -> PyErr {
        if !error.is_instance_of::<PyException>(py) {
            return error;
        }
        py.import("cord.runtime.failures")
            .and_then(|failures| failures.getattr("result_error"))
            .and_then(|explain| explain.call1((error.value(py), self.original.bind(py))))
            .map_or_else(|problem| problem, PyErr::from_value)
    }
}

/// The object that a payload holds.
pub fn decode_value<'py>(py: Python<'py>, payload: Payload) -> PyResult<Bound<'py, PyAny>> {
    if let Some(value) = decode_natively(py, &payload) {
        return Ok(value);
    }
    let Payload { head, buffers } = payload;
    decode(py, &PyBytes::new(py, &head), buffers)
}

/// The object that a payload holds, if no unpickler is needed.
fn decode_natively<'py>(py: Python<'py>, payload: &Payload) -> Option<Bound<'py, PyAny>> {
    let is_alone = payload.buffers.is_empty();
    let scalar = is_alone
        .then(|| scalars::decode(py, &payload.head))
        .flatten();
    scalar.or_else(|| pickling::read(py, payload))
}

/// The object that a pickle and its buffers hold.
fn decode<'py>(
    py: Python<'py>,
    head: &Bound<'py, PyBytes>,
    buffers: Vec<Buffer>,
) -> PyResult<Bound<'py, PyAny>> {
    let buffers = buffers_to_py(py, buffers)?;
    let decoded = if buffers.is_empty() {
        loads(py)?.call1((head,))
    } else {
        let options = PyDict::new(py);
        options.set_item(intern!(py, "buffers"), &buffers)?;
        loads(py)?.call((head,), Some(&options))
    };
    decoded.or_else(|error| {
        let ordered = py.import("cord.runtime.ordered")?;
        if error.is_instance(py, &ordered.getattr("UnpicklingError")?) {
            return ordered.call_method1("loads", (head, buffers));
        }
        Err(error)
    })
}

/// Whether something looks on as the program runs: a debugger, a profiler.
pub fn is_watched(py: Python<'_>) -> PyResult<bool> {
    static GETTRACE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let gettrace = GETTRACE.get_or_try_init(py, || {
        PyResult::Ok(py.import("sys")?.getattr("gettrace")?.unbind())
    })?;
    Ok(!gettrace.bind(py).call0()?.is_none())
}

fn replay(py: Python<'_>, output: &[u8]) -> PyResult<()> {
    static REPLAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let replay = REPLAY.get_or_try_init(py, || {
        PyResult::Ok(
            py.import("cord.runtime.output")?
                .getattr("replay")?
                .unbind(),
        )
    })?;
    replay.call1(py, (PyBytes::new(py, output),))?;
    Ok(())
}

/// The remote exception, with the context that it has where the program is now.
fn raised(py: Python<'_>, head: &Bound<'_, PyBytes>, kind: u8) -> PyResult<PyErr> {
    let decode = py
        .import("cord.runtime.codec")?
        .getattr("decode_exception")?;
    let exception = decode.call1((head,))?;
    if kind == KIND_UNENCODABLE {
        // the replica does not know where the call stands
        py.import("cord.runtime.failures")?
            .call_method1("place", (&exception,))?;
    }
    Ok(PyErr::from_value(exception))
}
