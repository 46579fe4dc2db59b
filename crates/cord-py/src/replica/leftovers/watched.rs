//! How a function is watched, and what there was before a call of it.

use std::collections::HashSet;
use std::sync::atomic::Ordering;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::at_once::Others;
use super::bound::Hearing;
use super::{held, EPOCH};
use crate::attached::Attached;
use crate::replica::shared::{shared, Shared};
use crate::travel::pickling::has_arrays;
use crate::travel::watch::{is_immutable, Snapshot};

/// Where only an encoding tells, and that takes long, it is done for so many calls of a function …
const ALWAYS: u64 = 16;
/// … and then for no more than one part in so many of the time that calls take.
const PART: u32 = 100;
/// Encodings of arguments that are shorter are always compared.
pub const LONG: usize = 64 << 10;

/// A moment that is over: where nobody asks when a call has begun, no clock is read.
pub static EARLY: OnceLock<Instant> = OnceLock::new();

/// How a function is watched.
#[pyclass(frozen, module = "cord._core")]
pub struct Watched {
    pub pure: bool,
    /// Functions and classes whose state is watched, by their addresses.
    pub known: Attached<HashSet<usize>>,
    pub state: Attached<State>,
    pub arguments: Attached<Account>,
}

/// The state that a function reaches.
#[derive(Default)]
pub struct State {
    pub epoch: u64,
    pub snapshot: Option<Py<Snapshot>>,
    pub has_caches: bool,
    pub account: Account,
}

/// What comparing by encodings has taken, and the calls themselves.
#[derive(Clone, Copy, Default)]
pub struct Account {
    pub calls: u64,
    /// How much was compared at last.
    pub length: usize,
    pub spent: Duration,
    pub service: Duration,
}

impl Account {
    pub fn is_due(&self) -> bool {
        self.calls < ALWAYS || self.spent * PART <= self.service
    }
}

#[pymethods]
impl Watched {
    #[new]
    fn new(pure: bool) -> Watched {
        Watched {
            pure,
            known: Attached::default(),
            state: Attached::default(),
            arguments: Attached::default(),
        }
    }

    /// What the function reaches, with these functions and classes, is as it is noted here.
    /// Caches are asked what they have noted if `has_caches`.
    fn have(
        &self,
        py: Python<'_>,
        snapshot: Option<Py<Snapshot>>,
        known: Vec<Bound<'_, PyAny>>,
        has_caches: bool,
    ) {
        let epoch = EPOCH.load(Ordering::Relaxed);
        let old = {
            let mut state = held(py, &self.state);
            (state.epoch, state.has_caches) = (epoch, has_caches);
            std::mem::replace(&mut state.snapshot, snapshot)
        };
        held(py, &self.known).extend(known.iter().map(|one| one.as_ptr() as usize));
        drop(old);
    }

    /// What a result shares with the arguments of its call and with the state that the function reaches.
    fn shared<'py>(
        &self,
        value: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: &Bound<'py, PyDict>,
    ) -> Option<Shared<'py>> {
        let state = self.snapshot(value.py());
        shared(value, 0, args, Some(kwargs), state.as_ref().map(Py::get))
    }
}

impl Watched {
    /// The state that calls of a pure function reach.
    fn snapshot(&self, py: Python<'_>) -> Option<Py<Snapshot>> {
        let state = self.pure.then(|| held(py, &self.state));
        state.and_then(|state| state.snapshot.as_ref().map(|one| one.clone_ref(py)))
    }
}

/// What there was before a call.
#[pyclass(frozen, module = "cord._core")]
pub struct Seen {
    pub watched: Py<Watched>,
    pub others: Others,
    pub hearing: Hearing,
    /// Apart, for few calls have any, and this is moved about.
    pub arguments: Option<Box<Arguments>>,
    pub begun: Instant,
    /// How many processes this one had started.
    pub started: u64,
    /// What was told of it before it began.
    pub early: Option<String>,
}

#[pymethods]
impl Seen {
    /// Whether it is known before the call that its reply could not count: it need not be made.
    #[getter]
    pub fn is_vain(&self) -> bool {
        self.early.is_some()
    }
}

/// The arguments of a call, positional and named.
pub type Given<'py> = (Bound<'py, PyTuple>, Option<Bound<'py, PyDict>>);

impl Seen {
    /// The arguments, if a call may change any.
    pub fn given<'py>(&self, py: Python<'py>) -> Option<Given<'py>> {
        let noted = self.arguments.as_ref()?;
        let kwargs = noted.kwargs.as_ref().map(|kwargs| kwargs.bind(py).clone());
        Some((noted.args.bind(py).clone(), kwargs))
    }

    /// The same, if a result that only its caller refers to shares something with them or with the state
    /// that the function reaches, or one part of it with another.
    pub fn shared_with<'py>(&self, value: &Bound<'py, PyAny>) -> Option<Given<'py>> {
        let py = value.py();
        if is_immutable(value) {
            return None;
        }
        let state = self.watched.get().snapshot(py);
        if self.arguments.is_none() && state.is_none() && !has_arrays(py) {
            return None;
        }
        let given = self.given(py).unwrap_or_else(|| (PyTuple::empty(py), None));
        let state = state.as_ref().map(Py::get);
        shared(value, 1, &given.0, given.1.as_ref(), state).map(|_| given)
    }

    /// A call of which nothing but settings is looked at.
    pub fn of_effects(py: Python<'_>, watched: Py<Watched>) -> Seen {
        Seen {
            watched,
            others: Others::default(),
            hearing: Hearing::begin(py),
            arguments: None,
            begun: *EARLY.get_or_init(Instant::now),
            started: 0,
            early: None,
        }
    }
}

pub struct Arguments {
    pub args: Py<PyTuple>,
    pub kwargs: Option<Py<PyDict>>,
    pub snapshot: Snapshot,
    pub spent: Duration,
}
