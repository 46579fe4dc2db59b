//! When the next call may start where the plan says how many may in so long a time.
//!
//! The generic cell rate algorithm, in its form as a virtual schedule (ITU-T Recommendation I.371,
//! annex A): a call that starts on time, or later, moves the time at which the next one is due by the
//! interval between two. A call may start a moment before it is due, so that a clock that wakes late does
//! not make the rate lower than it is to be.

use std::fmt::Debug;
use std::sync::Arc;

use super::{Nanos, MILLI};
use crate::manner::Rate;

/// When the next call of a rate is due that several runs keep together, in this session's time.
pub trait Due: Debug + Send + Sync {
    /// When that is.
    fn get(&self) -> Nanos;

    /// Moves it, in one step for all.
    fn change(&self, next: &dyn Fn(Nanos) -> Nanos);
}

/// By so much a call may be early. Where calls are closer together than this, so many of them may
/// start at once as fit into it.
const EARLY: Nanos = 10 * MILLI;
/// Where several runs keep a rate, no call is due later than so many intervals and so long from now, for each may have
/// found at once that one may start, and looked at its clock a moment ago.
const AT_ONCE: Nanos = 64;
const APART: Nanos = 1000 * MILLI;

/// Keeps one rate.
#[derive(Debug, Clone)]
pub struct Bucket {
    interval: Nanos,
    /// When the next call is due: what I.371 calls its theoretical arrival time.
    due: Nanos,
    /// The same for all runs that share a store.
    shared: Option<Arc<dyn Due>>,
}

impl Bucket {
    pub fn new(rate: Rate) -> Bucket {
        let interval = rate.per.as_nanos() as f64 / rate.calls;
        Bucket {
            interval: interval as Nanos,
            due: 0,
            shared: None,
        }
    }

    /// Other runs keep it, too.
    pub fn share(&mut self, due: Arc<dyn Due>) {
        self.shared = Some(due);
    }

    /// From when on the next call may start.
    pub fn next(&self, now: Nanos) -> Nanos {
        let due = self.shared.as_ref().map_or(self.due, |due| due.get());
        self.heeded(due, now).saturating_sub(EARLY)
    }

    /// A call starts.
    pub fn take(&mut self, now: Nanos) {
        match &self.shared {
            Some(shared) => shared.change(&|due| self.heeded(due, now).max(now) + self.interval),
            None => self.due = self.due.max(now) + self.interval,
        }
    }

    /// Where a call is due later than it can be by this clock, that of a run before was ahead.
    fn heeded(&self, due: Nanos, now: Nanos) -> Nanos {
        let last = now.saturating_add(self.interval.saturating_mul(AT_ONCE).saturating_add(APART));
        match due > last && self.shared.is_some() {
            true => now,
            false => due,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::dice::Dice;
    use super::*;

    fn bucket(calls: f64) -> Bucket {
        let per = Duration::from_secs(1);
        Bucket::new(Rate { calls, per })
    }

    /// The times of so many starts, each as early as it may be and `late` after that at most.
    fn starts(bucket: &mut Bucket, calls: usize, mut late: impl FnMut() -> Nanos) -> Vec<Nanos> {
        let mut now = 0;
        let start = |_| {
            now = now.max(bucket.next(now)) + late();
            bucket.take(now);
            now
        };
        (0..calls).map(start).collect()
    }

    #[test]
    fn slow_calls_start_one_by_one() {
        let starts = starts(&mut bucket(10.0), 5, || 0);
        let after: Vec<Nanos> = starts.iter().map(|at| at / MILLI).collect();
        assert_eq!(after, [0, 90, 190, 290, 390]);
    }

    #[test]
    fn however_late_the_clock_wakes_no_second_has_more_than_its_calls() {
        for seed in 1..50 {
            let mut dice = Dice(seed);
            let rate = 1 + dice.below(40);
            let mut bucket = bucket(rate as f64);
            let starts = starts(&mut bucket, 400, || dice.below(8 * MILLI));
            for (at, start) in starts.iter().enumerate() {
                let end = start + 1000 * MILLI - EARLY;
                let within = starts[at..].iter().take_while(|one| **one < end).count();
                assert!(within as u64 <= rate + 1, "{within} at {rate}/s");
            }
            let mean = starts[399] as f64 / 399.0;
            let wanted = 1e9 / rate as f64;
            assert!((mean - wanted).abs() < 0.02 * wanted, "{mean} for {wanted}");
        }
    }

    #[test]
    fn time_in_which_nothing_starts_is_not_saved_up() {
        let mut bucket = bucket(10.0);
        bucket.take(60_000 * MILLI);
        assert_eq!(bucket.next(60_000 * MILLI), 60_090 * MILLI);
    }

    #[derive(Debug, Default)]
    struct Shared(std::sync::Mutex<Nanos>);

    impl Due for Shared {
        fn get(&self) -> Nanos {
            *self.0.lock().unwrap()
        }

        fn change(&self, next: &dyn Fn(Nanos) -> Nanos) {
            let mut due = self.0.lock().unwrap();
            *due = next(*due);
        }
    }

    fn sharing(due: &Arc<Shared>) -> Bucket {
        let mut bucket = bucket(10.0);
        bucket.share(Arc::clone(due) as Arc<dyn Due>);
        bucket
    }

    #[test]
    fn runs_that_begin_at_once_start_no_more_calls_together_than_one() {
        let due = Arc::<Shared>::default();
        let mut runs = [sharing(&due), sharing(&due), sharing(&due)];
        assert!(runs.iter().all(|run| run.next(0) == 0));
        runs.iter_mut().for_each(|run| run.take(0));
        assert!(runs.iter().all(|run| run.next(0) == 290 * MILLI));
    }

    #[test]
    fn a_clock_that_was_ahead_holds_nobody_up() {
        let due = Arc::<Shared>::default();
        let run = sharing(&due);
        due.change(&|_| 3_600_000 * MILLI);
        assert_eq!(run.next(50 * MILLI), 40 * MILLI);
    }
}
