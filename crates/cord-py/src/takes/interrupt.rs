//! Calls that the program is interrupted in: what a signal's handler raises while a take waits is
//! raised in the midst of the remote function, and the take waits for what comes of that.

use std::time::{Duration, Instant};

use cord_core::ticket::Ticket;
use cord_wire::outcome::{has_raised, Outcome};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::client::given::Given;
use crate::client::remote::RemoteFunction;
use crate::client::session::Session;
use crate::client::ticket::SIGNALS;
use crate::copies;
use crate::python;
use crate::travel::interrupts_sent::Sent;

/// So long a function has to notice that it is interrupted. Signals wait meanwhile, as they do in
/// plain Python while the function is in C code.
const PATIENCE: Duration = Duration::from_secs(1);

/// How the wait for an interrupted call has ended.
enum Waited {
    /// The call has come to its end.
    Settled,
    /// The function has not noticed in time, and nothing is lost with a pure call.
    Useless,
    /// The program was interrupted once more.
    Again(PyErr),
}

impl RemoteFunction {
    /// What comes of a call of the program's: its result, or an exception; also where the wait for
    /// it was interrupted.
    pub fn come_of<'py>(
        slf: &Bound<'py, Self>,
        ticket: &Ticket,
        waited: PyResult<()>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copies::is_copy() {
            return copies::waited(slf);
        }
        match waited {
            Ok(()) => Self::taken(slf, ticket, args, kwargs),
            Err(error) => {
                let _given = Given::new(args, kwargs);
                Self::interrupted(slf, ticket, error)
            }
        }
    }

    #[cold]
    fn interrupted<'py>(
        slf: &Bound<'py, Self>,
        ticket: &Ticket,
        mut raised: PyErr,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        let Ok(sent) = Sent::new(py) else {
            return Err(raised); // no room on the stack
        };
        let mut count = 0;
        loop {
            let encoded = sent.encode(&raised).ok();
            let is_sent = encoded.is_some();
            if let Some(exception) = encoded {
                ticket.interrupt(exception);
                count += 1;
            }
            match this.session().wait_interrupted(py, ticket, count) {
                Waited::Settled if is_sent && ticket.noticed() >= count => {
                    return Self::value_of(slf, slf.py(), ticket)
                }
                Waited::Settled => {
                    let outcome = ticket.take().unwrap_or(Outcome::Closed);
                    return Err(this.too_late(py, outcome, raised));
                }
                Waited::Useless => {
                    ticket.drop_call();
                    return Err(raised);
                }
                Waited::Again(again) if ticket.noticed() >= count => raised = again,
                Waited::Again(again) => return Err(this.give_up(py, ticket, raised, again)),
            }
        }
    }

    /// The function had ended before it could be interrupted, or had not begun: what it has printed
    /// is shown, and the exception is raised where the call stands.
    pub fn too_late(&self, py: Python<'_>, outcome: Outcome, raised: PyErr) -> PyErr {
        match outcome {
            Outcome::Reply { kind, output, .. } if !has_raised(kind) => {
                self.show(py, &output).err().unwrap_or(raised)
            }
            Outcome::Reply { .. } => match self.result(py, outcome) {
                Err(before) => raised_while(py, raised, &before),
                Ok(_) => raised,
            },
            Outcome::Lost(_) => match self.result(py, outcome) {
                Err(lost) => raised_while(py, lost, &raised),
                Ok(_) => raised,
            },
            Outcome::Unavailable { .. }
            | Outcome::StateLost { .. }
            | Outcome::Expired { .. }
            | Outcome::Closed => raised,
        }
    }

    /// The function has not noticed an interrupt, and there is another one: its replica is ended.
    fn give_up(&self, py: Python<'_>, ticket: &Ticket, first: PyErr, again: PyErr) -> PyErr {
        ticket.give_up();
        if let Err(more) = self.wait(py, ticket) {
            return raised_while(py, more, &again);
        }
        let outcome = ticket.take().unwrap_or(Outcome::Closed);
        let lost = self.too_late(py, outcome, first);
        raised_while(py, again, &lost)
    }
}

/// `error`, in the context of another one.
fn raised_while(py: Python<'_>, error: PyErr, context: &PyErr) -> PyErr {
    let _ = python::CONTINUE_CONTEXT.call(py, (error.value(py), context.value(py)));
    error
}

impl Session {
    /// Waits for a call into which so many exceptions were sent.
    fn wait_interrupted(&self, py: Python<'_>, ticket: &Ticket, sent: u32) -> Waited {
        let began = Instant::now();
        while !ticket.is_settled() {
            self.wait_for_a_moment(py, ticket);
            let has_noticed = ticket.noticed() >= sent;
            let is_over = began.elapsed() >= PATIENCE;
            if has_noticed || is_over {
                if let Err(again) = py.check_signals() {
                    return Waited::Again(again);
                }
            }
            if is_over && !has_noticed && ticket.is_pure() {
                return Waited::Useless;
            }
        }
        Waited::Settled
    }

    /// Waits until a call is settled, or signals are to be looked after.
    pub fn wait_for_a_moment(&self, py: Python<'_>, ticket: &Ticket) {
        copies::wait(py, self.copies(), ticket, || {
            self.core().wait(ticket, SIGNALS);
        });
    }
}
