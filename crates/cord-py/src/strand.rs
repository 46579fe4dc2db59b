//! Strands: the threads of a scout. A strand is a generator that runs until it ends, pauses or waits
//! for a value; others go on meanwhile.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cord_core::scout::{Outstanding, Pace};
use cord_core::{Ticket, Wake};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::calls::SharedCalls;
use crate::exits::Deciding;
use crate::future::Future;
use crate::stream::Items;

/// What wakes the program when it waits for its own call.
const AWAITED: u64 = u64::MAX;

/// A thread of a scout.
pub struct Strand {
    pub id: u64,
    pub generator: Py<PyAny>,
    /// Where its calls go.
    pub place: SharedCalls,
    /// Who gets what it returns.
    pub results: Results,
    pub depth: usize,
    /// It waits for the other end of a stream.
    pub starved: bool,
    /// It has read a stream, so it can go no farther than what others have put there.
    pub reads: bool,
    /// It goes through a region from where that begins, or from where the program is.
    pub heads: bool,
    /// What it yields, if it is a generator's.
    pub items: Option<Items>,
    /// It covers a frame of the program, not something that was started by another strand.
    pub main: bool,
    /// It goes on where the program is in a loop that no scout has seen before.
    pub first: bool,
    /// How likely the program is to want what comes next, while it waits to know.
    pub chance: f64,
    /// It is to go on without knowing.
    pub dares: bool,
    /// The condition that it decides.
    pub exit: Option<Deciding>,
    /// Counts it among what is under way.
    pub _counted: Option<Counted>,
}

/// A strand that is to be started.
pub struct Begun {
    pub generator: Py<PyAny>,
    pub place: SharedCalls,
    pub counted: Option<Counted>,
    /// Where what it yields goes, if it is a generator's.
    pub items: Option<Items>,
    /// It is what makes the items of a stream, not a part of that.
    pub heads: bool,
    pub exit: Option<Deciding>,
}

/// How far a strand went.
pub enum Step {
    Returned(Py<PyAny>),
    Waits,
    Pauses(Strand),
    Ended(PyErr),
}

impl Strand {
    /// Whether the window alone tells how far it is to go.
    pub fn leads(&self) -> bool {
        self.heads && !self.reads
    }

    /// Hands over what it has come to; returns the strands that wait for that.
    pub fn settle(&self, value: Option<&Bound<'_, PyAny>>, raises: bool) -> Vec<u64> {
        let mut woken = self.results.settle(value);
        if let Some(exit) = &self.exit {
            woken.extend(exit.settle(value, raises));
        }
        woken
    }
}

/// Who gets what a strand returns.
pub enum Results {
    Nobody,
    Whole(Py<Future>),
    /// It returns a tuple, each item for one.
    Each(Vec<Py<Future>>),
}

impl Results {
    /// Hands the value over, or that there is none; returns the strands that wait for it.
    pub fn settle(&self, value: Option<&Bound<'_, PyAny>>) -> Vec<u64> {
        match self {
            Results::Nobody => Vec::new(),
            Results::Whole(future) => future.get().settle(value.map(|v| v.clone().unbind())),
            Results::Each(futures) => {
                let items = value.and_then(|value| value.cast_exact::<PyTuple>().ok());
                let mut woken = Vec::new();
                for (index, future) in futures.iter().enumerate() {
                    let item = items.and_then(|items| items.get_item(index).ok());
                    woken.extend(future.get().settle(item.map(Bound::unbind)));
                }
                woken
            }
        }
    }
}

/// Futures for what a strand will return, and who keeps them: one, or a tuple of `count`.
pub fn promise(py: Python<'_>, count: Option<usize>) -> PyResult<(Results, Bound<'_, PyAny>)> {
    let Some(count) = count else {
        let future = Bound::new(py, Future::of_strand())?;
        return Ok((Results::Whole(future.clone().unbind()), future.into_any()));
    };
    let futures = (0..count)
        .map(|_| Bound::new(py, Future::of_strand()))
        .collect::<PyResult<Vec<_>>>()?;
    let tuple = PyTuple::new(py, &futures)?.into_any();
    let each = futures.into_iter().map(Bound::unbind).collect();
    Ok((Results::Each(each), tuple))
}

/// One more under way, for as long as this is there.
pub struct Counted(Arc<Outstanding>);

impl Counted {
    pub fn new(outstanding: &Arc<Outstanding>) -> Self {
        outstanding.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(outstanding))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// How running a strand ended.
pub enum Ended {
    Returned(Py<PyAny>),
    Yielded,
    Raised(PyErr),
}

/// Runs a generator until it yields or ends.
pub fn advance(py: Python<'_>, generator: &Py<PyAny>) -> Ended {
    let mut result: *mut ffi::PyObject = std::ptr::null_mut();
    // SAFETY: the generator and None are alive; on RETURN and NEXT `result` is a new reference
    unsafe {
        match ffi::PyIter_Send(generator.as_ptr(), ffi::Py_None(), &raw mut result) {
            ffi::PySendResult::PYGEN_RETURN => {
                Ended::Returned(Bound::from_owned_ptr(py, result).unbind())
            }
            ffi::PySendResult::PYGEN_NEXT => {
                drop(Bound::from_owned_ptr(py, result));
                Ended::Yielded
            }
            ffi::PySendResult::PYGEN_ERROR => Ended::Raised(PyErr::fetch(py)),
        }
    }
}

/// Strands whose values have come, and a place to wait for that.
#[derive(Debug, Default)]
pub struct Signal {
    inner: Mutex<Woken>,
    changed: Condvar,
    count: AtomicUsize,
}

#[derive(Debug, Default)]
struct Woken {
    strands: VecDeque<u64>,
    awaited: bool,
}

impl Wake for Signal {
    fn wake(&self, token: u64) {
        let mut inner = self.lock();
        if token == AWAITED {
            inner.awaited = true;
        } else {
            inner.strands.push_back(token);
            self.count.fetch_add(1, Ordering::Release);
        }
        self.changed.notify_all();
    }
}

impl Signal {
    fn lock(&self) -> MutexGuard<'_, Woken> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn is_set(&self) -> bool {
        self.count.load(Ordering::Acquire) > 0
    }

    /// A strand can go on.
    pub fn wake_strand(&self, id: u64) {
        self.wake(id);
    }

    /// How many strands are woken.
    pub fn count(&self) -> usize {
        self.count.load(Ordering::Acquire)
    }

    pub fn next(&self) -> Option<u64> {
        if !self.is_set() {
            return None;
        }
        let next = self.lock().strands.pop_front();
        if next.is_some() {
            self.count.fetch_sub(1, Ordering::Release);
        }
        next
    }

    /// Waits until the call is settled or a strand can go on, for `timeout` at most; where a pace is
    /// given, also until idle replicas make more calls welcome.
    pub fn wait(self: &Arc<Self>, ticket: &Ticket, pace: Option<&Pace>, timeout: Duration) {
        self.lock().awaited = false;
        let who: Arc<dyn Wake> = Arc::clone(self) as Arc<dyn Wake>;
        if !ticket.wake(&who, AWAITED) {
            return;
        }
        if let Some(pace) = pace {
            pace.wake_when_idle(&who, AWAITED);
        }
        let inner = self.lock();
        let still = |woken: &mut Woken| !woken.awaited && woken.strands.is_empty();
        let waited = self.changed.wait_timeout_while(inner, timeout, still);
        drop(waited);
        if let Some(pace) = pace {
            pace.forget(&who);
        }
    }
}
