//! Calls with effects that were issued ahead of the program. They run to their end, whether or not
//! the program still comes to take them.

use std::sync::{Mutex, MutexGuard, PoisonError};

use cord_core::ticket::Ticket;
use pyo3::prelude::*;

use crate::client::remote::RemoteFunction;

/// So many are kept before those are looked for that need not be.
const FEW: usize = 64;

/// The function that a call was of, and the exception that nobody has seen.
pub type Untaken<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

#[derive(Default)]
struct Kept {
    calls: Vec<(Ticket, Py<RemoteFunction>)>,
    /// How many there may be before it is tidied.
    room: usize,
}

/// Those of a session.
#[derive(Default)]
pub struct Committed(Mutex<Kept>);

impl Committed {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn add(&self, ticket: Ticket, remote: Py<RemoteFunction>) {
        let done: Vec<_> = {
            let mut kept = self.lock();
            kept.calls.push((ticket, remote));
            if kept.calls.len() <= kept.room.max(FEW) {
                return;
            }
            let all = std::mem::take(&mut kept.calls).into_iter();
            let (done, left): (Vec<_>, Vec<_>) = all.partition(|(ticket, _)| is_done(ticket));
            kept.room = 2 * left.len();
            kept.calls = left;
            done
        };
        drop(done); // dropped only after the lock is released
    }

    pub fn settle<'py>(&self, py: Python<'py>) -> PyResult<Vec<Untaken<'py>>> {
        let all = std::mem::take(&mut self.lock().calls);
        let mut untaken = Vec::new();
        for (ticket, remote) in all {
            let remote = remote.bind(py);
            remote.get().wait(py, &ticket)?;
            if let Some(error) = remote.get().failure(py, &ticket) {
                let function = remote.get().original.bind(py).clone();
                untaken.push((function, error.into_value(py).into_bound(py).into_any()));
            }
        }
        Ok(untaken)
    }
}

/// Whether nothing more is to be said of a call: it was taken, or came to a good end and nobody is
/// left to take it.
fn is_done(ticket: &Ticket) -> bool {
    ticket.is_taken() || (ticket.is_last() && ticket.is_settled() && ticket.has_returned())
}
