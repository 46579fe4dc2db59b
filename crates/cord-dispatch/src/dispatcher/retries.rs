//! Calls that are tried again after an exception, and how long they pause before.

use super::tended::nanos;
use super::{Call, CallId, Dispatcher, Nanos, ReplicaId, Violation, MILLI};
use crate::life::Delivery;

/// What the first pause is at most …
const FIRST: Nanos = 500 * MILLI;
/// … and what any is.
const LONGEST: Nanos = 30_000 * MILLI;

/// Draws the pauses between tries: exponential back-off with full jitter. Each is anything from nothing to
/// twice what the one before could be, so that calls which have failed together do not come back together
/// (Marc Brooker: "Exponential Backoff And Jitter", AWS Architecture Blog, 2015).
#[derive(Debug, Clone)]
pub struct Chance(u64);

impl Default for Chance {
    fn default() -> Chance {
        Chance(0x9e37_79b9_7f4a_7c15)
    }
}

impl Chance {
    /// Another row of pauses.
    pub fn seed(&mut self, seed: u64) {
        self.0 = seed | 1;
    }

    /// The pause after so many failures, the last of which asks for `after` at least.
    fn pause(&mut self, failures: u32, after: Nanos) -> Nanos {
        let doubled = FIRST.saturating_mul(1 << failures.saturating_sub(1).min(16));
        after.saturating_add(self.below(doubled.min(LONGEST)))
    }

    /// xorshift64* (Sebastiano Vigna, 2016).
    fn below(&mut self, limit: Nanos) -> Nanos {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let drawn = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32;
        ((u128::from(drawn) * u128::from(limit)) >> 32) as Nanos
    }
}

impl Dispatcher {
    /// Has the pauses between tries drawn otherwise than in other runs.
    pub fn seed(&mut self, seed: u64) {
        self.agenda.chance.seed(seed);
    }

    /// The replica answered with an exception that is to be tried again, after `after` at least. If it
    /// has been often enough, that is a reply like any other.
    pub(super) fn failed(
        &mut self,
        now: Nanos,
        id: ReplicaId,
        call: CallId,
        service: Nanos,
        bytes: usize,
        after: std::time::Duration,
    ) -> Result<Delivery, Violation> {
        if super::hedging::is_copy(call) {
            return self.copy_failed(now, id, call, service);
        }
        let may_fail = |call: &Call| call.tended.is_some() && call.life.may_fail();
        if !self.calls.get(&call).is_some_and(may_fail) {
            return self.replied(now, id, call, service, bytes);
        }
        if !self.take_reply(now, id, call, service)? {
            return Ok(Delivery::Discard);
        }
        self.untend(call);
        let failed = self.calls.get_mut(&call).ok_or(Violation(call))?;
        failed.life.fail().map_err(|_| Violation(call))?;
        (failed.at, failed.lane) = (None, None);
        let module = &mut self.modules[failed.module as usize];
        module.styles[failed.manner as usize].sent -= 1;
        module.tally.retried += 1;
        let failures = failed.life.failures();
        let pause = self.agenda.chance.pause(failures, nanos(after));
        let again = now.saturating_add(pause);
        if let Some(tended) = &mut failed.tended {
            tended.admitted = false;
            tended.asleep = Some(again);
            self.agenda.asleep.insert((again, call));
            module.asleep += 1;
        }
        Ok(Delivery::Again)
    }

    /// Calls of which the pause is over wait for a replica like others.
    pub(super) fn wake_sleepers(&mut self, now: Nanos) {
        while let Some((at, id)) = self.agenda.asleep.first().copied() {
            if at > now {
                return;
            }
            self.rouse(id);
            self.queue(id);
        }
    }

    /// A call does not pause any more. Whether it did.
    pub(super) fn rouse(&mut self, id: CallId) -> bool {
        let Some(call) = self.calls.get_mut(&id) else {
            return false;
        };
        let Some(at) = call.tended.as_mut().and_then(|one| one.asleep.take()) else {
            return false;
        };
        self.agenda.asleep.remove(&(at, id));
        self.modules[call.module as usize].asleep -= 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_are_anything_up_to_a_bound_that_doubles() {
        let mut chance = Chance::default();
        for (failures, most) in [(1, 500), (2, 1000), (4, 4000), (7, 30_000), (99, 30_000)] {
            let pauses: Vec<Nanos> = (0..2000).map(|_| chance.pause(failures, 0)).collect();
            let most = most * MILLI;
            assert!(pauses.iter().all(|pause| *pause < most));
            let mean = pauses.iter().sum::<Nanos>() / 2000;
            assert!(
                mean > most * 9 / 20 && mean < most * 11 / 20,
                "{mean} of {most}"
            );
        }
    }

    #[test]
    fn what_the_exception_asks_for_comes_before_the_pause() {
        let pause = Chance::default().pause(1, 7000 * MILLI);
        assert!((7000 * MILLI..7500 * MILLI).contains(&pause));
    }

    #[test]
    fn one_seed_gives_one_row_of_pauses() {
        let row = |seed| {
            let mut chance = Chance::default();
            chance.seed(seed);
            [1, 2, 3].map(|failures| chance.pause(failures, 0))
        };
        assert_eq!(row(6), row(6));
        assert_ne!(row(6), row(60));
    }
}
