//! What has come to the client, and what has not.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use cord_dispatch::dispatcher::Tally;
use cord_wire::loss::Fallen;

/// What is known of replicas when the session has ended.
#[derive(Debug, Clone, Default)]
pub struct AtEnd {
    /// By module: for how many nanoseconds each of its replicas has run calls that were answered.
    pub busy: Vec<Vec<u64>>,
    /// By module: what has become of calls that the plan takes care of.
    pub tallies: Vec<Tally>,
    /// Those that have died by themselves: the index of the module, and the process.
    pub fallen: Vec<(u32, Fallen)>,
}

/// A module has no replica and can have none.
const NONE: u32 = u32::MAX;

/// Counts bytes of results, without what the calls have printed; and how many replicas there were calls
/// for at once.
#[derive(Debug)]
pub struct Traffic {
    came: AtomicU64,
    stayed: AtomicU64,
    /// By module.
    calls: Vec<AtomicU32>,
    /// By module: how many replicas there are; `NONE` where none can be had.
    staff: Vec<AtomicU32>,
    /// By module: how often several calls that one served have not got a result each.
    miscounted: Vec<AtomicU32>,
    at_end: Mutex<AtEnd>,
}

impl Traffic {
    /// Of so many modules.
    pub fn new(modules: usize) -> Traffic {
        Traffic {
            came: AtomicU64::new(0),
            stayed: AtomicU64::new(0),
            calls: (0..modules).map(|_| AtomicU32::new(0)).collect(),
            staff: (0..modules).map(|_| AtomicU32::new(0)).collect(),
            miscounted: (0..modules).map(|_| AtomicU32::new(0)).collect(),
            at_end: Mutex::default(),
        }
    }

    /// A result of so many bytes has come.
    pub fn count_came(&self, bytes: usize) {
        self.came.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// A result of so many bytes has stayed where it was made.
    pub fn count_stayed(&self, bytes: usize) {
        self.stayed.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Several calls of a module that one served have not got a result each.
    pub fn count_miscounted(&self, module: u32) {
        if let Some(count) = self.miscounted.get(module as usize) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// A module has so many replicas, if it has any or can have some.
    pub fn note_staff(&self, module: usize, now: Option<u32>) {
        let now = now.unwrap_or(NONE);
        // it is told with every round, and is read by others
        if self.staff[module].load(Ordering::Relaxed) != now {
            self.staff[module].store(now, Ordering::Relaxed);
        }
    }

    /// By module, how many replicas it has; none where it has none and can have none now.
    pub fn staff(&self) -> impl Iterator<Item = Option<u32>> + '_ {
        let now = self.staff.iter().map(|staff| staff.load(Ordering::Relaxed));
        now.map(|staff| Some(staff).filter(|staff| *staff != NONE))
    }

    /// By module, how often that was so.
    pub fn miscounted(&self) -> Vec<u32> {
        let count = |one: &AtomicU32| one.load(Ordering::Relaxed);
        self.miscounted.iter().map(count).collect()
    }

    /// The session ends: for so many replicas of each module there have been calls at once.
    pub fn note_calls(&self, most: impl Iterator<Item = u32>) {
        for (calls, most) in self.calls.iter().zip(most) {
            calls.store(most, Ordering::Relaxed);
        }
    }

    /// The session ends: this has become of its replicas.
    pub fn note_end(&self, end: AtEnd) {
        *self.at_end.lock().unwrap_or_else(PoisonError::into_inner) = end;
    }

    /// What has become of the replicas; known at the session's end.
    pub fn at_end(&self) -> AtEnd {
        let at_end = self.at_end.lock();
        at_end.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many replicas of each module there have been calls for at once; known at the session's end.
    pub fn calls(&self) -> Vec<u32> {
        let most = |calls: &AtomicU32| calls.load(Ordering::Relaxed);
        self.calls.iter().map(most).collect()
    }

    /// Bytes of results that have come to the client.
    pub fn came(&self) -> u64 {
        self.came.load(Ordering::Relaxed)
    }

    /// Bytes of results that have stayed at replicas, to be passed on from there.
    pub fn stayed(&self) -> u64 {
        self.stayed.load(Ordering::Relaxed)
    }
}
