//! Places where scouts that run see nothing: whether a copy of the program would see more.

use std::sync::atomic::{AtomicUsize, Ordering};

/// So many calls in a row must be unforeseen at least.
const IN_A_ROW: usize = 3;

/// Of one place. It is written by whoever has the interpreter's lock.
#[derive(Default)]
pub struct Blind {
    /// So many calls in a row no scout foresaw.
    missed: AtomicUsize,
    /// How many calls the scout that ran had foreseen elsewhere before the first of them.
    before: AtomicUsize,
}

impl Blind {
    /// A scout foresaw a call.
    pub fn hit(&self) {
        self.missed.store(0, Ordering::Relaxed);
    }

    /// None did; the one that runs has foreseen so many elsewhere.
    pub fn miss(&self, elsewhere: usize) {
        let missed = self.missed.load(Ordering::Relaxed);
        if missed == 0 {
            self.before.store(elsewhere, Ordering::Relaxed);
        }
        self.missed.store(missed + 1, Ordering::Relaxed);
    }

    /// Whether a scout that runs is of less use than it leaves undone here: a copy would end it.
    pub fn is(&self, elsewhere: usize) -> bool {
        let missed = self.missed.load(Ordering::Relaxed);
        let foreseen = elsewhere.saturating_sub(self.before.load(Ordering::Relaxed));
        missed >= IN_A_ROW && missed > foreseen
    }
}
