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

#[cfg(test)]
mod tests {
    use super::*;

    fn missed(calls: usize, elsewhere: usize) -> Blind {
        let blind = Blind::default();
        (0..calls).for_each(|_| blind.miss(elsewhere));
        blind
    }

    #[test]
    fn a_place_is_blind_after_some_calls_in_a_row() {
        assert!(!missed(IN_A_ROW - 1, 0).is(0));
        let blind = missed(IN_A_ROW, 0);
        assert!(blind.is(0));
        blind.hit();
        assert!(!blind.is(0));
    }

    #[test]
    fn a_scout_that_sees_more_elsewhere_goes_on() {
        let blind = missed(5, 100);
        assert!(blind.is(104), "it has foreseen four calls meanwhile");
        assert!(!blind.is(105));
    }
}
