//! How the starts of a module's replicas have gone, and from when on the next one may be made.
//!
//! A replica that cannot load its module may be able to at the next attempt: a file was missing for
//! a moment, memory was short. So a start is tried again, after a pause that doubles each time: a
//! module that is broken costs little, however often it is called.

use super::{Nanos, ReplicaId, MILLI};

/// So many replicas in a row that die before they are ready are replaced at once.
const AT_ONCE: u32 = 3;
/// The first pause …
const FIRST_PAUSE: Nanos = 100 * MILLI;
/// … and the longest.
const LONGEST_PAUSE: Nanos = 10_000 * MILLI;

/// How a start has failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The replica said that its module cannot be loaded.
    Load,
    /// It died before it was ready.
    Death,
}

/// The failures since the last replica that was ready.
#[derive(Debug, Clone, Default)]
pub struct Starts {
    last: Option<Failure>,
    /// The first replica that was not launched yet when the last failure came.
    next: ReplicaId,
    deaths: u32,
    pauses: u32,
    not_before: Nanos,
}

impl Starts {
    /// A replica has failed; `next` is the one that will be launched next. One that was launched
    /// before the last failure came tells nothing new.
    pub fn fail(&mut self, now: Nanos, replica: ReplicaId, next: ReplicaId, failure: Failure) {
        if replica < self.next {
            // A thread of a process that ends since others could not load their module has died of
            // that: its death does not hide why.
            self.last = match self.last {
                Some(Failure::Load) => self.last,
                _ => Some(failure),
            };
            return;
        }
        self.last = Some(failure);
        self.next = next;
        if failure == Failure::Death {
            self.deaths += 1;
            if self.deaths <= AT_ONCE {
                return;
            }
        }
        let doubled = FIRST_PAUSE.saturating_mul(1 << self.pauses.min(16));
        self.not_before = now + doubled.min(LONGEST_PAUSE);
        self.pauses += 1;
    }

    /// A replica is ready, or is to load another version of the module.
    pub fn succeed(&mut self) {
        *self = Starts::default();
    }

    /// How the last start has failed; none if it has not.
    pub fn failure(&self) -> Option<Failure> {
        self.last
    }

    /// From when on the next start may be made.
    pub fn not_before(&self) -> Nanos {
        self.not_before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest_and_a_success_ends_them() {
        let mut starts = Starts::default();
        let mut now = 0;
        let mut pause = |starts: &mut Starts| {
            starts.fail(now, 1, 1, Failure::Load);
            let pause = starts.not_before() - now;
            now = starts.not_before();
            pause / MILLI
        };
        let pauses: Vec<Nanos> = (0..9).map(|_| pause(&mut starts)).collect();
        assert_eq!(
            pauses,
            [100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]
        );
        starts.succeed();
        assert_eq!((starts.failure(), starts.not_before()), (None, 0));
        assert_eq!(pause(&mut starts), 100);
    }

    #[test]
    fn the_first_deaths_cost_no_pause() {
        let mut starts = Starts::default();
        for _ in 0..AT_ONCE {
            starts.fail(5, 1, 1, Failure::Death);
            assert_eq!(starts.not_before(), 0);
        }
        starts.fail(5, 1, 1, Failure::Death);
        assert_eq!(starts.not_before(), 5 + FIRST_PAUSE);
        assert_eq!(starts.failure(), Some(Failure::Death));
    }

    #[test]
    fn who_dies_of_the_failure_of_others_does_not_hide_it() {
        let mut starts = Starts::default();
        starts.fail(10, 1, 3, Failure::Load);
        starts.fail(11, 2, 3, Failure::Death);
        assert_eq!(starts.failure(), Some(Failure::Load));
        starts.fail(12, 3, 4, Failure::Death);
        assert_eq!(starts.failure(), Some(Failure::Death));
    }

    #[test]
    fn replicas_that_were_started_together_fail_once() {
        let mut starts = Starts::default();
        for replica in 1..=8 {
            starts.fail(10 + Nanos::from(replica), replica, 9, Failure::Load);
        }
        assert_eq!(starts.not_before(), 11 + FIRST_PAUSE);
        starts.fail(20, 9, 10, Failure::Load);
        assert_eq!(starts.not_before(), 20 + 2 * FIRST_PAUSE);
    }
}
