//! How the program's calls at a site were answered.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts for one site. Of a call of a helper it is counted whether a scout had gone into it.
#[derive(Default)]
pub struct Answers {
    /// By what a scout had issued before the program came to the call.
    ahead: AtomicUsize,
    /// By what a scout issued only then, because a value had come.
    just_then: AtomicUsize,
    /// By a call made afresh.
    in_place: AtomicUsize,
}

impl Answers {
    pub fn count_ahead(&self) {
        self.ahead.fetch_add(1, Ordering::Relaxed);
    }

    pub fn count_just_then(&self) {
        self.just_then.fetch_add(1, Ordering::Relaxed);
    }

    pub fn count_in_place(&self) {
        self.in_place.fetch_add(1, Ordering::Relaxed);
    }

    /// Ahead, just then, in place.
    pub fn read(&self) -> (usize, usize, usize) {
        (
            self.ahead.load(Ordering::Relaxed),
            self.just_then.load(Ordering::Relaxed),
            self.in_place.load(Ordering::Relaxed),
        )
    }
}
