//! Calls that the client makes by itself, because shipping them takes longer than they do.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cord_os::threads::thread_time;
use cord_scout::inline::{Cost, Inline, Place};
use pyo3::prelude::*;

use crate::client::remote::RemoteFunction;
use crate::takes::standing::count_here;

/// What is known of the calls at one place, and where they are made.
#[derive(Default)]
pub struct Inlining {
    policy: Mutex<Inline>,
    /// So many calls are still to be made in the client before one of them is timed again, of so many.
    untimed: AtomicU32,
    span: AtomicU32,
    /// Scouts have asked for values of calls here, to come to others by them.
    leads: AtomicBool,
    /// Calls take so long that it is looked how much of the processor shipping them takes.
    long: AtomicBool,
}

/// What the program spends on a call from some time on.
pub struct Spending {
    begun: Instant,
    computed: Option<Duration>,
}

impl Spending {
    /// What it has spent so far. `ahead`: the call was under way when the program came to it.
    pub fn so_far(&self, ahead: bool) -> Cost {
        Cost {
            elapsed: self.begun.elapsed(),
            computing: self.computed.map(|before| thread_time() - before),
            ahead,
        }
    }
}

impl Inlining {
    pub fn policy(&self) -> MutexGuard<'_, Inline> {
        self.policy.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the next call is made in the client. `begins`: those at the places that depend on this
    /// one, where the client is about to try calls; none if it must not.
    pub fn is_inlined(&self, begins: impl FnOnce() -> bool) -> bool {
        if self.untimed.load(Ordering::Relaxed) > 0 {
            return true;
        }
        let curious = {
            let policy = self.policy();
            if policy.place() == Place::Inlined {
                return true;
            }
            policy.is_curious()
        };
        if curious && begins() {
            self.policy().try_inlined();
            return true;
        }
        false
    }

    /// Makes a call in the client.
    pub fn make<'py>(
        &self,
        call: impl FnOnce() -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        count_here();
        let untimed = self.untimed.load(Ordering::Relaxed);
        if untimed > 0 {
            self.untimed.store(untimed - 1, Ordering::Relaxed);
            return call();
        }
        let begun = Instant::now();
        let result = call();
        let took = begun.elapsed();
        let span = self.span.load(Ordering::Relaxed) + 1;
        let untimed = self.policy().inlined(span, took);
        self.span.store(untimed, Ordering::Relaxed);
        self.untimed.store(untimed, Ordering::Relaxed);
        result
    }

    /// What the program spends on a call from here on.
    #[inline]
    pub fn spending(&self) -> Spending {
        Spending {
            begun: Instant::now(),
            computed: self.long.load(Ordering::Relaxed).then(thread_time),
        }
    }

    /// A call was shipped: what the program spent on it, and how long it took in its replica. Tells
    /// whether the next ones are made in the client.
    pub fn shipped(&self, remote: &RemoteFunction, cost: Cost, service: Duration) -> bool {
        let mut policy = self.policy();
        policy.shipped(cost, service);
        let looks = policy.is_long() && !remote.is_far();
        self.long.store(looks, Ordering::Relaxed);
        policy.place() == Place::Inlined
    }

    /// A call was made by a copy of the program, ahead of it.
    pub fn ahead(&self, cost: Cost, service: Duration) {
        self.policy().ahead(cost, service);
    }

    /// Whether calls here are shipped, and had better not be.
    pub fn is_curious(&self) -> bool {
        self.policy().is_curious()
    }

    /// A scout wants the value of a call here, to come to others by it. Whether it is to have it: not
    /// where the client makes the calls, unless those at the places that it has `met` are worth it.
    pub fn lead(&self, met: impl FnOnce() -> Vec<Arc<Self>>) -> bool {
        self.leads.store(true, Ordering::Relaxed);
        if self.is_local() {
            if self.loses_more_than(&met()) {
                return false;
            }
            self.untimed.store(0, Ordering::Relaxed);
            self.policy().ship();
        }
        true
    }

    /// Whether calls here may be tried in the client, for all that scouts come by their values to those
    /// at the places that one has `met`.
    pub fn may_begin(&self, met: &[Arc<Self>]) -> bool {
        !self.leads.load(Ordering::Relaxed)
            || met.iter().all(|other| other.is_curious())
            || self.loses_more_than(met)
    }

    /// Whether shipping calls here has cost more than it can have spared at the other places.
    fn loses_more_than(&self, others: &[Arc<Self>]) -> bool {
        let others = others.iter().filter(|other| !std::ptr::eq(&***other, self));
        let spared: Duration = others.map(|other| other.policy().spared()).sum();
        self.policy().lost() > spared
    }

    /// How long calls here take in a replica.
    pub fn service(&self) -> Duration {
        self.policy().service()
    }

    /// Whether calls here are made in the client.
    pub fn is_local(&self) -> bool {
        self.policy().place() == Place::Inlined
    }
}

thread_local! {
    static WITHIN: Cell<u32> = const { Cell::new(0) };
}

/// While it lives, this thread runs a function of a remote module in the client.
pub struct Within(u32);

impl Within {
    /// The function is one of this module's.
    pub fn module(module: u32) -> Self {
        Self(WITHIN.replace(module + 1))
    }
}

impl Drop for Within {
    fn drop(&mut self) {
        WITHIN.set(self.0);
    }
}

/// Whether this thread runs a function of this module in the client: it calls the others locally.
pub fn runs_within(module: u32) -> bool {
    WITHIN.get() == module + 1
}
