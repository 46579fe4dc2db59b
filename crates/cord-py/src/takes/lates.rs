//! What is kept of values that the program has not received yet, for one frame.

use std::collections::VecDeque;

use cord_core::ticket::Ticket;
use cord_scout::inline::Cost;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::client::remote::RemoteFunction;

/// What an activation has of calls whose values its frame has not received.
#[derive(Default)]
pub struct Lates {
    pub calls: Vec<Under>,
    /// What is to be put back after an exception.
    pub undo: Option<Undo>,
    /// The local work has raised an exception.
    pub failing: bool,
    /// Values of the statement that is under way.
    pub held: VecDeque<Py<PyAny>>,
}

/// A call whose value the program has not received yet.
pub struct Under {
    /// Where it may be received late, and the number of its call site.
    pub late: Py<PyAny>,
    pub site: u32,
    pub state: State,
}

pub enum State {
    There(Py<PyAny>),
    Waiting(Box<Waiting>),
    /// It is not made yet.
    Here(Box<Here>),
}

/// A call that the program makes itself, once it has received what stands before it.
pub struct Here {
    pub callee: Py<PyAny>,
    pub args: Py<PyTuple>,
    pub kwargs: Option<Py<PyDict>>,
}

/// A call under way.
pub struct Waiting {
    pub function: Py<RemoteFunction>,
    pub args: Py<PyTuple>,
    pub kwargs: Option<Py<PyDict>>,
    pub ticket: Ticket,
    /// What the program has spent on it.
    pub spent: Cost,
    /// What was handled where the call stands.
    pub handled: Option<Py<PyAny>>,
    /// What is to be put back; none where it is to be received at once.
    pub kept: Option<Py<PyAny>>,
}

/// What an exception undoes.
pub struct Undo {
    pub kept: Option<Py<PyAny>>,
    /// What was handled where the call stands, if the exception is not the call's own.
    pub handled: Option<Option<Py<PyAny>>>,
}

impl Lates {
    /// The calls that are under way, by their sites.
    pub fn tickets(&self) -> Vec<(u32, Ticket)> {
        let ticket = |under: &Under| match &under.state {
            State::Waiting(waiting) => Some((under.site, waiting.ticket.clone())),
            State::There(_) | State::Here(_) => None,
        };
        self.calls.iter().filter_map(ticket).collect()
    }
}
