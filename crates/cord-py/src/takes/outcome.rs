//! What comes of a call, as the program sees it: a value, or an exception at its own line.

use cord_core::ticket::Ticket;
use cord_wire::loss::{Beyond, Cause, Fallen, Lost};
use cord_wire::outcome::{
    Outcome, KIND_KEPT, KIND_NO_ROOM, KIND_PASSED, KIND_UNENCODABLE, KIND_VALUE,
};
use cord_wire::payload::Payload;
use cord_wire::reads;
use cord_wire::shortage::{Of, Shortage};
use pyo3::exceptions::{PyException, PyMemoryError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::client::ending::stay_if_left_behind;
use crate::client::onlookers::is_watched;
use crate::client::remote::RemoteFunction;
use crate::held::Held;
use crate::python;
use crate::replica::outside::add_reads;
use crate::travel::buffers::encoded_to_py;
use crate::travel::codec;
use crate::travel::large::bytes;
use crate::travel::passed::Passed;

/// A process, how it has ended, and if it was for that: how much memory it had, and may have, in KiB.
pub type PlainFallen = (u32, Option<i32>, Option<(u32, u32)>);

/// What Python is told of a process that is gone.
pub fn plain_fallen(fallen: Fallen) -> PlainFallen {
    let beyond = fallen.beyond.map(|Beyond { peak, limit }| (peak, limit));
    (fallen.pid, fallen.status, beyond)
}

/// Whether an error tells that something cannot be decoded, and not of an interrupt or of memory.
fn is_of_decoding(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<PyException>(py) && !error.is_instance_of::<PyMemoryError>(py)
}

impl RemoteFunction {
    /// What came of a settled call.
    pub fn outcome(&self, ticket: &Ticket) -> Outcome {
        let outcome = ticket.take().unwrap_or(Outcome::Closed);
        if outcome.is_there() {
            if !self.is_pure() {
                self.session().reads_outcome(ticket);
            }
            return outcome;
        }
        self.cut_off();
        Outcome::Closed
    }

    /// The settled call's result, a fresh object; or its exception, raised.
    pub fn value<'py>(&self, py: Python<'py>, ticket: &Ticket) -> PyResult<Bound<'py, PyAny>> {
        self.result(py, self.outcome(ticket))
    }

    /// The settled call's result, or what stands for it if it is only passed on; or its exception,
    /// raised.
    pub fn value_of<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
        ticket: &Ticket,
    ) -> PyResult<Bound<'py, PyAny>> {
        let outcome = slf.get().outcome(ticket);
        match Self::is_kept(&outcome) {
            true => Self::passed(slf, py, ticket, outcome),
            false => slf.get().result(py, outcome),
        }
    }

    /// The exception of a settled call that nobody has taken, if it did not return.
    pub fn failure(&self, py: Python<'_>, ticket: &Ticket) -> Option<PyErr> {
        match ticket.take()? {
            Outcome::Closed if !self.is_cut_off() => None,
            Outcome::Reply { .. } if !ticket.has_raised() => None,
            Outcome::Reply { kind, payload, .. } => {
                let error = self.raised(py, &payload.head, kind);
                Some(error.unwrap_or_else(|error| error))
            }
            outcome => self.result(py, outcome).err(),
        }
    }

    /// What stands for the settled call's result, a value that is only passed on.
    pub fn passed<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
        ticket: &Ticket,
        outcome: Outcome,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Outcome::Reply { output, .. } = &outcome {
            slf.get().show(py, output)?;
        }
        let (ticket, function) = (ticket.clone(), slf.clone().unbind());
        let passed = Passed::of_reply(py, ticket, function, outcome)?;
        if is_watched(py)? {
            return Passed::value(&passed); // a debugger may show it
        }
        Ok(passed.into_any())
    }

    /// Whether an outcome is a value that is only passed on.
    pub fn is_kept(outcome: &Outcome) -> bool {
        let kept = [KIND_KEPT, KIND_PASSED];
        matches!(outcome, Outcome::Reply { kind, .. } if kept.contains(kind))
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
                payload,
                ..
            }) => Some(payload),
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
                payload,
                output,
            } => {
                if kind != KIND_VALUE {
                    self.show(py, &output)?;
                    return Err(self.raised(py, &payload.head, kind)?);
                }
                let decoded = codec::decode(py, payload);
                self.show(py, &output)?;
                decoded.map_err(|error| self.explain_decoding(py, error))
            }
            Outcome::Unavailable { head } => {
                Err(python::UNAVAILABLE_ERROR
                    .error(py, (self.original.bind(py), bytes(py, &head)?)))
            }
            Outcome::Lost(lost) => {
                let Lost {
                    fallen,
                    tries,
                    may_have_run,
                    cause,
                    call,
                } = *lost;
                let of = match cause {
                    Cause::Replica => "replica",
                    Cause::Call => "call",
                    Cause::Value => "value",
                    Cause::Fault => "fault",
                    Cause::Launcher => "launcher",
                };
                let fallen: Vec<_> = fallen.into_iter().map(plain_fallen).collect();
                let call = call.and_then(|call| encoded_to_py(py, call).ok());
                let known = (tries, may_have_run, self.is_pure(), of, call);
                let how = (self.original.bind(py), fallen, known);
                Err(python::LOST_ERROR.error(py, how))
            }
            Outcome::StateLost { fallen } => {
                let how = (self.original.bind(py), plain_fallen(fallen));
                Err(python::STATE_ERROR.error(py, how))
            }
            Outcome::Expired { deadline } => {
                let how = (self.original.bind(py), deadline.as_secs_f64());
                Err(python::EXPIRED_ERROR.error(py, how))
            }
            Outcome::Closed => {
                stay_if_left_behind(py);
                let error = match self.is_cut_off() {
                    true => &python::CUT_OFF_ERROR,
                    false => &python::CLOSED_ERROR,
                };
                Err(error.error(py, (self.original.bind(py),)))
            }
        }
    }

    /// The same of a pure call; none if its result cannot be decoded here, and nothing was shown.
    pub fn result_if_decoded<'py>(
        &self,
        py: Python<'py>,
        outcome: Outcome,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        match outcome {
            Outcome::Reply {
                kind: KIND_VALUE,
                payload,
                output,
            } => match codec::decode(py, payload) {
                Err(error) if is_of_decoding(py, &error) => Ok(None),
                decoded => {
                    self.show(py, &output)?;
                    decoded.map(Some)
                }
            },
            outcome => self.result(py, outcome).map(Some),
        }
    }

    /// Writes what a call has printed.
    pub fn show(&self, py: Python<'_>, output: &[u8]) -> PyResult<()> {
        let (read, output) = reads::split(output);
        if !read.is_empty() {
            add_reads(py, read);
        }
        if output.is_empty() {
            return Ok(());
        }
        python::REPLAY.call(py, (bytes(py, output)?,)).map(drop)
    }

    /// The remote exception, with the context that it has where the program is now.
    fn raised(&self, py: Python<'_>, head: &[u8], kind: u8) -> PyResult<PyErr> {
        if let Some(shortage) = (kind == KIND_NO_ROOM)
            .then(|| Shortage::decode(head))
            .flatten()
        {
            let Shortage { errno, bytes, of } = shortage;
            let of = match of {
                Of::Arguments => "arguments",
                Of::Result => "result",
                Of::Replica => "replica",
            };
            let how = (self.original.bind(py), errno, bytes, of);
            return Ok(python::SHORTAGE_ERROR.error(py, how));
        }
        let _held = Held::new(py)?;
        let exception = python::DECODE_EXCEPTION.call(py, (bytes(py, head)?,))?;
        if kind == KIND_UNENCODABLE {
            // the replica does not know where the call stands
            python::PLACE.call(py, (&exception,))?;
        }
        Ok(PyErr::from_value(exception))
    }

    /// The error for a result that cannot be decoded; an interrupt passes as it is, and that there is
    /// no memory.
    fn explain_decoding(&self, py: Python<'_>, error: PyErr) -> PyErr {
        if !is_of_decoding(py, &error) {
            return error;
        }
        python::RESULT_ERROR.error(py, (error.value(py), self.original.bind(py)))
    }
}
