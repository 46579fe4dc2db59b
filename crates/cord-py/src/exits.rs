//! Exits that depend on results: which conditions of a loop a scout has passed, which are open, and
//! whether it goes on before they are decided.
//!
//! Such a condition is a strand. Behind it the scout's own line guesses that the exit is not taken,
//! for as long as the history of the loop makes that likely; else it waits, and then does as the
//! program will. An exit that shows itself only later drops what was issued behind it.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cord_core::scout;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::calls::{Entry, SharedCalls};
use crate::run::Run;
use crate::scout_end::unwound;
use crate::stream::Items;

/// A scout goes on past open conditions if it is likelier than this that the program will.
const LIKELY: f64 = 0.5;

/// An exit that is taken: what a strand returns instead of its values.
#[pyclass(module = "cord._core", frozen)]
pub struct Left {
    /// `break`, else `return`.
    #[pyo3(get)]
    breaks: bool,
    /// The variables of the loop as they are then, or what is returned.
    #[pyo3(get)]
    value: Py<PyAny>,
}

/// How a loop is left.
enum Exit {
    Left(Py<Left>),
    Raised,
}

/// The condition that a strand decides.
pub struct Deciding {
    exits: Py<Exits>,
    index: usize,
    caught: bool,
}

impl Deciding {
    /// The strand returned this, or nothing. Returns the strands to wake.
    pub fn settle(&self, value: Option<&Bound<'_, PyAny>>, raises: bool) -> Vec<u64> {
        let decision = match value.map(|value| value.cast_exact::<Left>()) {
            Some(Ok(left)) => Condition::Leaves(Exit::Left(left.clone().unbind())),
            Some(Err(_)) => Condition::Stays,
            None if raises && !self.caught => Condition::Leaves(Exit::Raised),
            None => Condition::Unknown,
        };
        self.exits.get().decide(self.index, decision)
    }
}

/// The history of one loop of the program.
#[pyclass(module = "cord._core", frozen)]
#[derive(Default)]
pub struct History(scout::History);

#[pymethods]
impl History {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// The loop begins, or goes on where the program is (`resumed`).
    fn begin(&self, run: &Bound<'_, Run>, resumed: bool) -> PyResult<Exits> {
        let run = run.get();
        run.learns();
        Ok(Exits {
            history: self.0.clone(),
            here: Here(run.place()?, run.items()),
            inner: Mutex::new(Progress {
                recorded: resumed && !run.is_first(),
                ..Progress::default()
            }),
        })
    }

    /// `break`, with the variables that are read behind the loop.
    fn breaks(&self, value: Py<PyAny>) -> Left {
        Left {
            breaks: true,
            value,
        }
    }

    /// `return`, with what is returned.
    fn returns(&self, value: Py<PyAny>) -> Left {
        Left {
            breaks: false,
            value,
        }
    }
}

/// Where the calls of a strand stand, and what it yields if it is a generator's.
#[derive(Clone)]
struct Here(SharedCalls, Option<Items>);

impl Here {
    /// Drops what stands behind a strand, and before `end`.
    fn discard_behind(&self, strand: &Here, end: Option<&Here>) {
        self.0.discard_behind(&strand.0, end.map(|end| &end.0));
        if let (Some(items), Some(behind)) = (&self.1, &strand.1) {
            items.discard_behind(behind, end.and_then(|end| end.1.as_ref()));
        }
    }

    /// Marks the place where the next ones will stand.
    fn end(&self) -> Here {
        let calls = SharedCalls::default();
        self.0.push(Entry::Group(calls.clone()));
        let items = self.1.as_ref().map(Items::inner);
        if let Some(items) = &items {
            items.close(false);
        }
        Here(calls, items)
    }
}

enum Condition {
    Open(Here),
    Stays,
    Leaves(Exit),
    Unknown,
}

#[derive(Default)]
struct Progress {
    /// How many conditions have been passed for certain; those behind them are in `open`.
    passed: usize,
    open: VecDeque<Condition>,
    left: Option<Exit>,
    /// One of the open ones leaves.
    leaves: bool,
    /// The scout's own line is behind the loop, whose calls end here.
    is_over: bool,
    end: Option<Here>,
    recorded: bool,
    waiting: Vec<u64>,
}

impl Progress {
    fn is_settled(&self) -> bool {
        self.left.is_some() || self.open.is_empty()
    }
}

/// The conditions of one run of a loop, in the program's order.
#[pyclass(module = "cord._core", frozen)]
pub struct Exits {
    history: scout::History,
    here: Here,
    inner: Mutex<Progress>,
}

#[pymethods]
impl Exits {
    /// Starts a strand that may leave the loop; as `Run.defer`. It does not leave it by an exception
    /// that is `caught` inside the loop.
    #[pyo3(signature = (run, caught, count, function, *args))]
    fn defer<'py>(
        slf: &Bound<'py, Self>,
        run: &Bound<'py, Run>,
        caught: bool,
        count: usize,
        function: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut begun = Run::group(run, function, args)?;
        let index = {
            let mut inner = slf.get().lock();
            let here = Here(begun.place.clone(), begun.items.clone());
            inner.open.push_back(Condition::Open(here));
            inner.passed + inner.open.len() - 1
        };
        begun.exit = Some(Deciding {
            exits: slf.clone().unbind(),
            index,
            caught,
        });
        run.get().start(slf.py(), begun, Some(count))
    }

    /// Whether the scout's own line waits here for conditions that are open.
    fn holds(&self, run: &Bound<'_, Run>) -> PyResult<bool> {
        let mut inner = self.lock();
        if inner.is_settled() {
            return Ok(false);
        }
        let chance = if inner.leaves {
            0.0
        } else {
            self.history
                .chance(inner.passed, inner.passed + inner.open.len())
        };
        if chance > LIKELY || (!inner.leaves && run.get().dares()) {
            return Ok(false);
        }
        inner.waiting.push(run.get().hold(chance)?);
        Ok(true)
    }

    /// Whether the strand must wait until all conditions are decided; it is woken then.
    fn waits(&self, run: &Bound<'_, Run>) -> PyResult<bool> {
        let mut inner = self.lock();
        if inner.is_settled() {
            return Ok(false);
        }
        inner.waiting.push(run.get().hold(0.0)?);
        Ok(true)
    }

    /// The exit by which the loop is left, if one is known to be taken.
    ///
    /// # Errors
    /// Ends the strand where the program raises an exception.
    fn left<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, Left>>> {
        match &self.lock().left {
            None => Ok(None),
            Some(Exit::Left(left)) => Ok(Some(left.bind(py).clone())),
            Some(Exit::Raised) => Err(unwound()),
        }
    }

    /// The scout's own line has left the loop. Tells whether it is not yet known how the program
    /// does, or whether that returns.
    fn close(&self) -> bool {
        let mut inner = self.lock();
        let marked = !inner.is_settled();
        inner.is_over = true;
        if marked {
            inner.end = Some(self.here.end());
        }
        self.settle(&mut inner);
        inner.left.is_some() || !inner.open.is_empty()
    }
}

impl Exits {
    fn lock(&self) -> MutexGuard<'_, Progress> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A condition is decided. Returns the strands to wake.
    fn decide(&self, index: usize, decision: Condition) -> Vec<u64> {
        let mut vain = None;
        let woken = {
            let mut inner = self.lock();
            if inner.left.is_some() {
                return Vec::new();
            }
            let at = index.checked_sub(inner.passed);
            let Some(condition) = at.and_then(|at| inner.open.get_mut(at)) else {
                return Vec::new();
            };
            let (leaves, breaks) = match &decision {
                Condition::Leaves(Exit::Left(left)) => (true, left.get().breaks),
                Condition::Leaves(Exit::Raised) => (true, false),
                _ => (false, false),
            };
            let before = std::mem::replace(condition, decision);
            if let (Condition::Open(strand), true) = (before, leaves) {
                vain = Some((strand, inner.end.clone().filter(|_| breaks)));
                inner.leaves = true;
            }
            self.settle(&mut inner);
            std::mem::take(&mut inner.waiting)
        };
        if let Some((strand, end)) = vain {
            self.here.discard_behind(&strand, end.as_ref());
        }
        woken
    }

    /// Goes over the conditions that are decided, up to the first that is not, or leaves.
    fn settle(&self, inner: &mut Progress) {
        while inner.left.is_none() {
            match inner.open.front() {
                Some(Condition::Stays | Condition::Leaves(_)) => {}
                // nothing is known of what comes behind it
                Some(Condition::Unknown) => self.remember(inner, false),
                Some(Condition::Open(_)) => return,
                None if inner.is_over => return self.remember(inner, false),
                None => return,
            }
            match inner.open.pop_front() {
                Some(Condition::Leaves(exit)) => {
                    inner.left = Some(exit);
                    self.remember(inner, true);
                }
                _ => inner.passed += 1,
            }
        }
    }

    /// Writes down how the loop went.
    fn remember(&self, inner: &mut Progress, exits: bool) {
        if !inner.recorded {
            inner.recorded = true;
            self.history.add(inner.passed, exits);
        }
    }
}

impl Drop for Exits {
    /// What was seen of the loop counts.
    fn drop(&mut self) {
        let inner = self.lock();
        if !inner.recorded && inner.passed > 0 {
            self.history.add(inner.passed, false);
        }
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<History>()?;
    module.add_class::<Exits>()?;
    module.add_class::<Left>()
}
