//! Exits that depend on results: which conditions of a loop a scout has passed, which are open, and
//! whether it goes on before they are decided.
//!
//! Such a condition is a strand. Behind it the scout's own line guesses that the exit is not taken,
//! for as long as the history of the loop makes that likely; else it waits, and then does as the
//! program will. An exit that shows itself only later drops what was issued behind it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::calls::Calls;
use super::history::History;
use super::interpreter::{Exit, Kind};
use super::strands::Strands;

/// A scout goes on past open conditions if it is likelier than this that the program will.
const LIKELY: f64 = 0.5;

/// The condition that a strand decides.
pub struct Deciding<K: Kind> {
    exits: Arc<Exits<K>>,
    index: usize,
    caught: bool,
}

/// What a strand has come to.
pub(super) enum Decision<V> {
    Leaves(Exit<V>),
    Stays,
    /// It ended before its end, where the program raises an exception or not.
    Ended {
        raises: bool,
    },
}

impl<K: Kind> Deciding<K> {
    /// Returns the strands to wake.
    pub(super) fn settle(&self, decision: Decision<K::Value>) -> Vec<u64> {
        let decided = match decision {
            Decision::Leaves(exit) => Condition::Leaves(exit),
            Decision::Stays => Condition::Stays,
            Decision::Ended { raises: true } if !self.caught => Condition::Leaves(Exit::Raised),
            Decision::Ended { .. } => Condition::Unknown,
        };
        self.exits.decide(self.index, decided)
    }
}

enum Condition<K: Kind> {
    Open(Calls<K::Call>),
    Stays,
    Leaves(Exit<K::Value>),
    Unknown,
}

struct Progress<K: Kind> {
    /// How many conditions have been passed for certain; those behind them are in `open`.
    passed: usize,
    open: VecDeque<Condition<K>>,
    left: Option<Exit<K::Value>>,
    /// One of the open ones leaves.
    leaves: bool,
    /// The scout's own line is behind the loop, whose calls end here.
    is_over: bool,
    end: Option<Calls<K::Call>>,
    recorded: bool,
    waiting: Vec<u64>,
}

impl<K: Kind> Progress<K> {
    fn is_settled(&self) -> bool {
        self.left.is_some() || self.open.is_empty()
    }
}

/// The conditions of one run of a loop, in the program's order.
pub struct Exits<K: Kind> {
    history: History,
    here: Calls<K::Call>,
    inner: Mutex<Progress<K>>,
}

impl<K: Kind> Exits<K> {
    /// A loop begins, or goes on where the program is (`resumed`).
    pub fn begin(
        history: &History,
        strands: &Strands<K>,
        resumed: bool,
    ) -> Result<Arc<Self>, K::Error> {
        strands.learns();
        Ok(Arc::new(Self {
            history: history.clone(),
            here: strands.calls()?,
            inner: Mutex::new(Progress {
                passed: 0,
                open: VecDeque::new(),
                left: None,
                leaves: false,
                is_over: false,
                end: None,
                recorded: resumed && !strands.is_first(),
                waiting: Vec::new(),
            }),
        }))
    }

    fn lock(&self) -> MutexGuard<'_, Progress<K>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The condition that a strand decides whose calls are these. It does not leave the loop by an
    /// exception that is `caught` inside. `usual`: else it leaves.
    pub fn open(
        self: &Arc<Self>,
        calls: &Calls<K::Call>,
        caught: bool,
        usual: bool,
    ) -> Deciding<K> {
        if usual {
            self.history.expect_exits();
        }
        let mut inner = self.lock();
        let index = inner.passed + inner.open.len();
        inner.open.push_back(Condition::Open(calls.clone()));
        Deciding {
            exits: Arc::clone(self),
            index,
            caught,
        }
    }

    /// Whether the scout's own line waits here for conditions that are open.
    pub fn holds(&self, strands: &Strands<K>) -> Result<bool, K::Error> {
        let mut inner = self.lock();
        if inner.is_settled() {
            return Ok(false);
        }
        let chance = if inner.leaves {
            0.0
        } else {
            let to = inner.passed + inner.open.len();
            self.history.chance(inner.passed, to)
        };
        if chance > LIKELY || (!inner.leaves && strands.dares()) {
            return Ok(false);
        }
        inner.waiting.push(strands.hold(chance)?);
        Ok(true)
    }

    /// Whether the strand must wait until all conditions are decided; it is woken then.
    pub fn waits(&self, strands: &Strands<K>) -> Result<bool, K::Error> {
        let mut inner = self.lock();
        if inner.is_settled() {
            return Ok(false);
        }
        inner.waiting.push(strands.hold(0.0)?);
        Ok(true)
    }

    /// What `look` says of the exit by which the loop is left, if one is known to be taken.
    pub fn left<T>(&self, look: impl FnOnce(&Exit<K::Value>) -> T) -> Option<T> {
        self.lock().left.as_ref().map(look)
    }

    /// The scout's own line has left the loop. Tells whether it is not yet known how the program
    /// does, or whether that returns.
    pub fn close(&self) -> bool {
        let mut inner = self.lock();
        let marked = !inner.is_settled();
        inner.is_over = true;
        if marked {
            inner.end = Some(self.here.inner());
        }
        self.settle(&mut inner);
        inner.left.is_some() || !inner.open.is_empty()
    }

    /// A condition is decided. Returns the strands to wake.
    fn decide(&self, index: usize, decided: Condition<K>) -> Vec<u64> {
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
            let leaves = matches!(decided, Condition::Leaves(_));
            let breaks = matches!(decided, Condition::Leaves(Exit::Left { breaks: true, .. }));
            let before = std::mem::replace(condition, decided);
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
    fn settle(&self, inner: &mut Progress<K>) {
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
    fn remember(&self, inner: &mut Progress<K>, exits: bool) {
        if !inner.recorded {
            inner.recorded = true;
            self.history.add(inner.passed, exits);
        }
    }
}

impl<K: Kind> Drop for Exits<K> {
    /// What was seen of the loop counts.
    fn drop(&mut self) {
        let inner = self.lock();
        if !inner.recorded && inner.passed > 0 {
            self.history.add(inner.passed, false);
        }
    }
}
