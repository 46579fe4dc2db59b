//! How often a loop went on, by the number of its conditions that were passed: what a scout expects.
//!
//! For each number of conditions passed, this counts how many runs of the loop got so far and how
//! many were left there. What was not seen to its end counts as far as it was seen. The chance of
//! going on is then the product of the chances at each step (Kaplan and Meier, 1958).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Steps that are counted one by one; later ones are counted in spans, each twice as long.
const SINGLE: usize = 64;
const SPANS: usize = 24;
const SLOTS: usize = SINGLE + SPANS;
/// What a run of the loop counts for after another one: the last ten or so decide.
const FADING: f64 = 0.9;
/// How many runs without an exit are supposed to have gone before.
const TRUST: f64 = 1.5;
/// After so many exits at one place it is not worth a try that the loop goes on.
const ENOUGH: f64 = 5.0;

struct Slot {
    /// Steps made here.
    steps: f64,
    /// Exits taken here.
    exits: f64,
    /// The logarithm of the chance to get here, and that to make one step more from here.
    before: f64,
    each: f64,
}

/// What the runs of one loop of the program have shown.
#[derive(Clone, Default)]
pub struct History(Arc<Mutex<Option<Box<[Slot]>>>>);

impl History {
    fn lock(&self) -> MutexGuard<'_, Option<Box<[Slot]>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A run of the loop has passed so many conditions, and `exits` at the next one, or is no longer
    /// seen.
    pub fn add(&self, passed: usize, exits: bool) {
        let mut inner = self.lock();
        if inner.is_none() && !exits {
            return; // that is what is expected anyway
        }
        let slots = inner.get_or_insert_with(|| slots(0.0));
        for (index, slot) in slots.iter_mut().enumerate() {
            let made = (passed + usize::from(exits)).saturating_sub(start_of(index));
            slot.steps = slot.steps * FADING + as_f64(made.min(length_of(index)));
            slot.exits *= FADING;
        }
        if exits {
            slots[slot_of(passed)].exits += 1.0;
        }
        estimate(slots);
    }

    /// Until something was seen, the loop is expected to be left wherever it can be.
    pub fn expect_exits(&self) {
        self.lock().get_or_insert_with(|| {
            let mut slots = slots(ENOUGH);
            estimate(&mut slots);
            slots
        });
    }

    /// How likely a run that has passed `from` conditions passes the next ones up to `to` as well.
    pub fn chance(&self, from: usize, to: usize) -> f64 {
        match &*self.lock() {
            Some(slots) => (reach(slots, to) - reach(slots, from)).exp(),
            None => 1.0,
        }
    }
}

/// As if the loop had been left so often at each of its conditions.
fn slots(exits: f64) -> Box<[Slot]> {
    let slot = |_| Slot {
        steps: exits,
        exits,
        before: 0.0,
        each: 0.0,
    };
    (0..SLOTS).map(slot).collect()
}

fn estimate(slots: &mut [Slot]) {
    let mut before = 0.0;
    for (index, slot) in slots.iter_mut().enumerate() {
        slot.before = before;
        let supposed = TRUST * as_f64(length_of(index));
        slot.each = (-slot.exits / (slot.steps + supposed)).ln_1p();
        before += slot.each * as_f64(length_of(index));
    }
}

fn reach(slots: &[Slot], passed: usize) -> f64 {
    let index = slot_of(passed);
    let slot = &slots[index];
    slot.before + slot.each * as_f64(passed - start_of(index))
}

fn slot_of(step: usize) -> usize {
    if step < SINGLE {
        return step;
    }
    let doubled = (step / SINGLE).ilog2() as usize;
    (SINGLE + doubled).min(SLOTS - 1)
}

fn start_of(slot: usize) -> usize {
    if slot < SINGLE {
        slot
    } else {
        SINGLE << (slot - SINGLE)
    }
}

fn length_of(slot: usize) -> usize {
    if slot < SINGLE {
        1
    } else {
        SINGLE << (slot - SINGLE)
    }
}

#[allow(clippy::cast_precision_loss)] // an estimate
fn as_f64(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chance_after(runs: &[(usize, bool)], from: usize, to: usize) -> f64 {
        let history = History::default();
        for (passed, exits) in runs {
            history.add(*passed, *exits);
        }
        history.chance(from, to)
    }

    #[test]
    fn at_first_no_exit_is_expected() {
        assert_eq!(chance_after(&[], 0, 1000), 1.0);
        assert_eq!(chance_after(&[(50, false)], 0, 1000), 1.0);
    }

    #[test]
    fn two_runs_that_were_left_at_one_place_are_enough_to_expect_it() {
        assert_eq!(chance_after(&[(3, true); 2], 0, 3), 1.0);
        assert!(chance_after(&[(3, true); 2], 0, 4) < 0.5);
        assert!(chance_after(&[(3, true)], 0, 4) > 0.5);
    }

    #[test]
    fn exits_may_be_expected_before_one_was_seen() {
        let history = History::default();
        history.expect_exits();
        assert!(history.chance(0, 1) < 0.25 && history.chance(2, 3) < 0.25);
        history.add(0, true);
        assert!(history.chance(0, 1) < 0.25);
        (0..6).for_each(|_| history.add(3, false));
        history.expect_exits();
        assert!(history.chance(0, 1) > 0.5, "what was seen goes before");
    }

    #[test]
    fn what_was_passed_counts_no_more() {
        let runs = [(2, true), (2, true), (40, true), (2, true), (2, true)];
        assert!(chance_after(&runs, 0, 3) < 0.5);
        assert!(chance_after(&runs, 3, 40) > 0.9);
    }

    #[test]
    fn exits_anywhere_make_far_steps_unlikely() {
        let runs: Vec<_> = (0..30).map(|run| (run * 7 % 10, true)).collect();
        let near = chance_after(&runs, 0, 2);
        let far = chance_after(&runs, 0, 8);
        assert!(near > 0.5 && far < 0.35, "{near} {far}");
    }

    #[test]
    fn a_loop_that_is_left_no_more_is_trusted_again() {
        let mut runs = vec![(3, true); 20];
        runs.extend([(50, false); 10]);
        assert!(chance_after(&runs, 0, 50) > 0.5);
    }

    #[test]
    fn far_exits_are_counted_in_spans() {
        let runs = [(900, true), (1000, true), (950, true), (990, true)];
        assert!(chance_after(&runs, 0, 400) > 0.99);
        assert!(chance_after(&runs, 0, 5000) < 0.5);
        assert!(chance_after(&[(1 << 40, true)], 0, 1 << 41).is_finite());
    }
}
