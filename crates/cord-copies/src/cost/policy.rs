//! When a copy is worth making: a pure state machine. Calls must be long, and where copies were of no
//! use, more and more calls pass before the next one.

use std::time::Duration;

/// Calls must take as long as this at least.
pub const SHORTEST: Duration = Duration::from_millis(2);
/// And so many times as long as making a copy takes.
const TIMES_COST: u32 = 4;
/// This part of the cost is forgotten with each call for which it is too high.
const FORGETTING: u32 = 16;
/// So many calls pass at most.
const LONGEST_PAUSE: u32 = 1024;
/// Where so many pass, copies have been in vain for long.
const LONG_PAUSE: u32 = 64;
/// The newest of so many service times counts one part.
const MEMORY: u32 = 4;

/// What is known of calls and copies.
#[derive(Debug, Default)]
pub struct Policy {
    /// Every call is worth one: for tests.
    eager: bool,
    /// How long calls take in their replicas.
    service: Option<Duration>,
    /// How long the first one has taken so far.
    so_far: Option<Duration>,
    /// How long making a copy took.
    cost: Duration,
    /// So many calls pass before the next copy.
    pause: u32,
    /// And so many after another failure.
    next_pause: u32,
}

impl Policy {
    /// A copy is wanted at every call.
    pub fn eager() -> Policy {
        Policy {
            eager: true,
            ..Policy::default()
        }
    }

    /// Whether it is such a one.
    pub fn is_eager(&self) -> bool {
        self.eager
    }

    /// A call that nobody foresaw has taken so long.
    pub fn served(&mut self, time: Duration) {
        self.service = Some(match self.service {
            Some(before) => (before * (MEMORY - 1) + time) / MEMORY,
            None => time,
        });
    }

    /// The first call has been with its replica so long.
    pub fn under_way(&mut self, time: Duration) {
        self.so_far = Some(time);
    }

    /// How long calls take, once that is known.
    pub fn service(&self) -> Duration {
        self.service.unwrap_or_default()
    }

    /// Nobody foresaw this call of the program's: whether a copy is to be made now.
    pub fn wants_copy(&mut self) -> bool {
        if self.eager {
            return true;
        }
        let Some(service) = self.service.or(self.so_far) else {
            return false;
        };
        if service < SHORTEST {
            return false;
        }
        if service < self.cost * TIMES_COST {
            self.cost -= self.cost / FORGETTING; // it may have been an accident
            return false;
        }
        if self.pause > 0 {
            self.pause -= 1;
            return false;
        }
        true
    }

    /// Whether copies may yet be of use to calls of such a length.
    pub fn has_hope(&self, service: Duration) -> bool {
        service >= SHORTEST && self.next_pause < LONG_PAUSE
    }

    /// A copy was made in so much time.
    pub fn made(&mut self, cost: Duration) {
        self.cost = cost;
    }

    /// So many calls of a copy that has ended were issued, and so many of them taken.
    pub fn ended(&mut self, issued: u32, hits: u32) {
        if hits > 1 && hits * 2 > issued {
            (self.pause, self.next_pause) = (0, 0);
            return;
        }
        self.next_pause = (self.next_pause * 2).clamp(1, LONGEST_PAUSE);
        self.pause = self.next_pause;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_millis(20);

    #[test]
    fn nothing_is_known_at_first() {
        let mut policy = Policy::default();
        assert!(!policy.wants_copy());
        policy.served(LONG);
        assert!(policy.wants_copy());
    }

    #[test]
    fn the_first_call_is_worth_one_once_it_is_long() {
        let mut policy = Policy::default();
        policy.under_way(SHORTEST);
        assert!(policy.wants_copy());
        policy.served(SHORTEST / 2);
        assert!(!policy.wants_copy());
    }

    #[test]
    fn short_calls_are_not_worth_it() {
        let mut policy = Policy::default();
        policy.served(Duration::from_micros(50));
        assert!(!policy.wants_copy());
    }

    #[test]
    fn costly_copies_are_not_worth_it() {
        let mut policy = Policy::default();
        policy.served(LONG);
        policy.made(LONG / 2);
        assert!(!policy.wants_copy());
        assert_eq!(passed(&mut policy), 10, "then it is tried again");
        policy.made(LONG / 10);
        assert!(policy.wants_copy());
    }

    fn passed(policy: &mut Policy) -> usize {
        std::iter::from_fn(|| (!policy.wants_copy()).then_some(())).count()
    }

    #[test]
    fn failures_make_pauses_longer_and_a_success_ends_them() {
        let mut policy = Policy::default();
        policy.served(LONG);
        let mut pauses = Vec::new();
        for _ in 0..12 {
            policy.ended(5, 0);
            pauses.push(passed(&mut policy));
        }
        assert_eq!(pauses[..4], [1, 2, 4, 8]);
        assert_eq!(pauses[11], LONGEST_PAUSE as usize);
        policy.ended(10, 9);
        assert_eq!(passed(&mut policy), 0);
        policy.ended(0, 0);
        assert_eq!(passed(&mut policy), 1);
    }

    #[test]
    fn hope_for_long_calls_ends_after_many_failures() {
        let mut policy = Policy::default();
        assert!(!policy.has_hope(Duration::from_micros(50)));
        for _ in 0..6 {
            assert!(policy.has_hope(LONG));
            policy.ended(5, 0);
        }
        policy.ended(5, 0);
        assert!(!policy.has_hope(LONG));
        policy.ended(10, 9);
        assert!(policy.has_hope(LONG));
    }

    #[test]
    fn a_copy_most_of_whose_calls_nobody_takes_is_a_failure() {
        let mut policy = Policy::default();
        policy.served(LONG);
        policy.ended(100, 40);
        assert!(!policy.wants_copy());
    }
}
