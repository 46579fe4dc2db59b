//! What a pure call has left behind in its replica: looked for after each, before its reply counts.
//!
//! A call that leaves nothing costs a look at some counters, and at the state that its function reaches,
//! as far as there is any (`Snapshot`). Only what is other than before is Python's to judge
//! (`runtime/replica/leftovers.py`).

mod at_once;
mod bound;
mod numbers;
mod settings;
mod started;
mod state;
mod watched;

use std::cell::RefMut;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use std::time::Instant;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use at_once::Others;
use bound::Hearing;
use numbers::number_at;
use started::{hear_of_processes, STARTED};
use state::look_at_arguments;
use watched::{Arguments, Watched, EARLY, LONG};
pub use watched::{Given, Seen};

use crate::attached::Attached;
use crate::client::settings::{note_start, SettingsSeen};
use crate::client::world::listen as hear_of_world;
use crate::travel::watch::{is_immutable, Own, Snapshot};

/// Of what kind that is which a call has left, and in words, as a sentence about its function goes on.
type Left = (&'static str, String);
/// Settings before a call, as native code and the judge have noted them.
type Aside<'py> = (Option<Py<SettingsSeen>>, Bound<'py, PyAny>);

const ARGUMENT: &str = "argument";
const STATE: &str = "state";
const SETTING: &str = "setting";
const RUNNING: &str = "running";

/// Counts what may have changed the state of modules besides pure calls: definitions that came, calls
/// with effects.
static EPOCH: AtomicU64 = AtomicU64::new(1);
/// The state of modules may be another one from here on, and no pure call has done that.
#[pyfunction]
pub fn note_new_state() {
    EPOCH.fetch_add(1, Ordering::Relaxed);
}

/// Looks for what calls leave behind in this process.
#[pyclass(frozen, module = "cord._core")]
pub struct Leftovers {
    /// What judges.
    judge: Py<PyAny>,
    /// The function that was called last, by its name.
    last: Attached<Option<(Py<PyString>, Py<Watched>)>>,
    own: Attached<Option<Py<Own>>>,
    modules: Py<PyDict>,
    loaded: AtomicUsize,
    /// Numbers that change with each draw from shared random numbers: where, and what they were.
    draws: Attached<Vec<(usize, u64)>>,
    /// The threads that there are, as `threading` has them.
    threads: Attached<Option<(Py<PyDict>, usize)>>,
    is_spoilt: AtomicBool,
    /// Settings as they were noted, and after how many changes of state.
    settings: Attached<Option<(u64, Py<SettingsSeen>)>>,
    are_settings_spoilt: AtomicBool,
    /// Other calls run at the same time, in threads.
    is_shared: bool,
    /// The judge has what is to go home.
    is_homeward: AtomicBool,
}

#[pymethods]
impl Leftovers {
    #[new]
    fn new(py: Python<'_>, judge: Py<PyAny>, is_shared: bool) -> PyResult<Leftovers> {
        hear_of_processes();
        hear_of_world()?;
        note_start(py);
        bound::listen(py)?;
        Ok(Leftovers {
            judge,
            last: Attached::default(),
            own: Attached::default(),
            modules: py.import("sys")?.getattr("modules")?.cast_into()?.unbind(),
            loaded: AtomicUsize::new(0),
            draws: Attached::default(),
            threads: Attached::default(),
            is_spoilt: AtomicBool::new(false),
            settings: Attached::default(),
            are_settings_spoilt: AtomicBool::new(false),
            is_shared,
            is_homeward: AtomicBool::new(false),
        })
    }

    /// Says what is the project's, and what else there is to look at, now that so many modules are
    /// loaded: numbers that change with draws, by their addresses, and threads.
    fn have(
        &self,
        py: Python<'_>,
        own: Py<Own>,
        draws: Vec<usize>,
        threads: Option<Bound<'_, PyDict>>,
    ) {
        self.loaded
            .store(self.modules.bind(py).len(), Ordering::Relaxed);
        bound::has_own(own.clone_ref(py));
        *held(py, &self.own) = Some(own);
        // SAFETY: who says so has looked that they lie in objects that stay.
        let read = draws.into_iter().map(|at| (at, unsafe { number_at(at) }));
        *held(py, &self.draws) = read.collect();
        *held(py, &self.threads) = threads.map(|all| (all.clone().unbind(), all.len()));
    }

    /// A call begins; none if nobody asks what it leaves.
    pub fn begin<'py>(
        &self,
        py: Python<'py>,
        name: &Bound<'py, PyString>,
        function: &Bound<'py, PyAny>,
        args: Option<&Bound<'py, PyTuple>>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Option<Seen>> {
        let watched = self.watched(py, name, function)?;
        let this = watched.get();
        if self.modules.bind(py).len() != self.loaded.load(Ordering::Relaxed) {
            self.judge.bind(py).call_method0("refresh")?;
        }
        if !this.pure {
            self.note_settings(py, false)?;
            note_new_state();
            return Ok(Some(Seen {
                others: Others::begin(self.is_shared, true),
                ..Seen::of_effects(py, watched)
            }));
        }
        let arguments = match args {
            Some(args) => self.note_arguments(py, this, args, kwargs)?,
            None => None,
        };
        let met = arguments.as_ref().map(|noted| noted.snapshot.all_met());
        let unknown = {
            let known = held(py, &this.known);
            met.unwrap_or_default()
                .iter()
                .filter(|one| !known.contains(&(one.as_ptr() as usize)))
                .map(|one| one.clone_ref(py))
                .collect::<Vec<_>>()
        };
        let mut early = None;
        let is_current = held(py, &this.state).epoch == EPOCH.load(Ordering::Relaxed);
        let is_asked = !unknown.is_empty() || !is_current;
        if is_asked {
            let judge = self.judge.bind(py);
            let told = judge.call_method1("reach", (&watched, name, function, unknown))?;
            early = told.extract()?;
        }
        self.note_settings(py, is_asked)?;
        if self.modules.bind(py).len() != self.loaded.load(Ordering::Relaxed) {
            self.judge.bind(py).call_method0("refresh")?; // what noting has loaded is no call's doing
        }
        let reaches_others = held(py, &this.state)
            .snapshot
            .as_ref()
            .is_some_and(|one| one.get().has_others());
        let begun = match &arguments {
            None if !reaches_others => *EARLY.get_or_init(Instant::now), // nobody asks
            _ => Instant::now(),
        };
        Ok(Some(Seen {
            watched,
            others: Others::begin(self.is_shared, false),
            hearing: Hearing::begin(py),
            arguments,
            begun,
            started: STARTED.load(Ordering::Relaxed),
            early,
        }))
    }

    /// Of what kind that is which a call has left, and in words; none if nothing. It may have raised.
    pub fn end(&self, py: Python<'_>, seen: &Seen) -> PyResult<Option<Left>> {
        if !seen.watched.get().pure {
            self.look_home(py)?;
            return Ok(None);
        }
        if self.is_spoilt.load(Ordering::Relaxed) {
            let state = held(py, &seen.watched.get().state);
            if state.snapshot.is_some() || self.are_settings_spoilt.load(Ordering::Relaxed) {
                return Ok(Some((STATE, "reads what others have changed".into())));
            }
        }
        let found = match &seen.early {
            None => self.look(py, seen)?,
            early => early.clone().map(|text| (STATE, text)),
        };
        if found.is_some() {
            note_new_state();
        }
        Ok(found)
    }

    /// Whether the judge has what is to go home with the next reply; that is asked once.
    fn goes_home(&self) -> bool {
        self.is_homeward.swap(false, Ordering::Relaxed)
    }

    /// Another call is made on top of the one at hand: gives what was noted before that.
    fn put_aside<'py>(&self, py: Python<'py>) -> PyResult<Aside<'py>> {
        let seen = held(py, &self.settings).take().map(|(_, seen)| seen);
        let has_started = STARTED.load(Ordering::Relaxed) != 0;
        let judge = self.judge.bind(py);
        Ok((seen, judge.call_method1("put_aside", (has_started,))?))
    }

    /// The call below goes on.
    fn go_on(&self, py: Python<'_>, aside: Aside<'_>) -> PyResult<()> {
        let (seen, noted) = aside;
        self.judge.bind(py).call_method1("go_on", (noted,))?;
        let epoch = EPOCH.load(Ordering::Relaxed);
        let below = seen.map(|seen| (epoch, seen));
        let old = std::mem::replace(&mut *held(py, &self.settings), below);
        drop(old);
        Ok(())
    }

    /// What a call has left stays in this process: no reply that state had a part in counts from now on.
    fn spoil(&self) {
        self.is_spoilt.store(true, Ordering::Relaxed);
    }
}

impl Leftovers {
    fn watched<'py>(
        &self,
        py: Python<'py>,
        name: &Bound<'py, PyString>,
        function: &Bound<'py, PyAny>,
    ) -> PyResult<Py<Watched>> {
        if let Some((known, watched)) = &*held(py, &self.last) {
            if known.is(name) {
                return Ok(watched.clone_ref(py));
            }
        }
        let watched = self
            .judge
            .bind(py)
            .call_method1("watched", (name, function))?
            .cast_into::<Watched>()?
            .unbind();
        let old = held(py, &self.last).replace((name.clone().unbind(), watched.clone_ref(py)));
        drop(old);
        Ok(watched)
    }

    fn note_arguments<'py>(
        &self,
        py: Python<'py>,
        watched: &Watched,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Option<Box<Arguments>>> {
        let Some(own) = held(py, &self.own).as_ref().map(|own| own.clone_ref(py)) else {
            return Ok(None);
        };
        let is_still =
            |values: &Bound<'py, PyTuple>| values.iter_borrowed().all(|one| is_immutable(&one));
        if is_still(args) && kwargs.is_none_or(PyDictMethods::is_empty) {
            return Ok(None);
        }
        let begun = Instant::now();
        let account = *held(py, &watched.arguments);
        let is_due = account.length < LONG || account.is_due();
        let by_name = kwargs.map(|kwargs| kwargs.values());
        let by_name = by_name.iter().flat_map(|values| values.iter());
        let roots = args.iter().chain(by_name);
        let snapshot = Snapshot::of(py, own.get(), false, is_due, Vec::new(), roots)?;
        if snapshot.is_empty() {
            return Ok(None);
        }
        Ok(Some(Box::new(Arguments {
            args: args.clone().unbind(),
            kwargs: kwargs.map(|kwargs| kwargs.clone().unbind()),
            snapshot,
            spent: begun.elapsed(),
        })))
    }

    fn look(&self, py: Python<'_>, seen: &Seen) -> PyResult<Option<Left>> {
        if seen.others.are_none(self.is_shared) {
            // else nobody knows whose doing it is
            if let Some(found) = self.look_at_settings(py)? {
                return Ok(Some(found));
            }
        }
        let judge = self.judge.bind(py);
        if bound::has_any() {
            let found: Option<String> = judge
                .call_method1("bound", (bound::taken(py),))?
                .extract()?;
            if let Some(text) = found {
                return Ok(Some((STATE, text)));
            }
        }
        // SAFETY: as for `have`.
        let drawn = held(py, &self.draws)
            .iter()
            .position(|(at, before)| unsafe { number_at(*at) } != *before);
        if let Some(drawn) = drawn {
            let text: Option<String> = judge.call_method1("drawn", (drawn,))?.extract()?;
            return Ok(text.map(|text| (STATE, text)));
        }
        if self.modules.bind(py).len() != self.loaded.load(Ordering::Relaxed) {
            let found: Option<String> = judge.call_method0("loaded")?.extract()?;
            if let Some(text) = found {
                return Ok(Some((STATE, text)));
            }
        }
        if let Some(text) = self.look_at_state(py, seen)? {
            return Ok(Some((STATE, text)));
        }
        if let Some(text) = look_at_arguments(py, judge, seen)? {
            return Ok(Some((ARGUMENT, text)));
        }
        let threads = held(py, &self.threads)
            .as_ref()
            .is_some_and(|(all, before)| all.bind(py).len() != *before);
        // of processes nobody knows which of the calls that run at once has started them
        let started = !self.is_shared && STARTED.load(Ordering::Relaxed) != seen.started;
        if threads || started {
            let found: Option<String> = judge.call_method0("running")?.extract()?;
            return Ok(found.map(|text| (RUNNING, text)));
        }
        Ok(None)
    }
}

/// What is used for a moment, in which nothing of the program's runs.
fn held<'a, T>(py: Python<'a>, what: &'a Attached<T>) -> RefMut<'a, T> {
    what.get(py).expect("nobody else uses it meanwhile")
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Watched>()?;
    module.add_class::<Seen>()?;
    module.add_class::<Leftovers>()?;
    module.add_function(wrap_pyfunction!(note_new_state, module)?)?;
    module.add_function(wrap_pyfunction!(numbers::state_in_capsule, module)?)
}
