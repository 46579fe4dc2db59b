//! What copies cost the program, and what they earn: a pure state machine.
//!
//! After a copy was made each page that the program writes raises a fault; while the copy lives, the page
//! is copied. So the program's faults tell what it loses. Copies may cost a small part of the time that
//! the program has run, and whatever they have earned: calls that were ahead when the program came to
//! them.

use std::time::Duration;

/// This part of the program's time may be lost: one in so many.
const PART: u32 = 50;
/// And so much besides: no program is too short to try.
const GRACE: Duration = Duration::from_millis(20);
/// Of the time that calls saved which were ahead, this part may be spent.
const SAVED: u32 = 2;
/// Calls do not all take the same time: this part of it is not counted as saved.
const UNSURE: u32 = 8;
/// What a fault costs when the copy has ended: the page is found to be the program's alone.
const LATER: Duration = Duration::from_nanos(800);
/// And one while it lives, until that was measured.
const MEANWHILE: Duration = Duration::from_micros(3);
/// What copying the entry of a page takes the program, when a copy is made.
const ENTRY: Duration = Duration::from_nanos(150);
/// Of its pages the program is expected to write this part before the next copy.
const WRITTEN: u32 = 4;
/// The newest of so many rates counts one part.
const MEMORY: f64 = 4.0;
/// With each copy in a row that saved less than it cost, the next one must be twice as cheap; so often.
const MOST_IN_VAIN: u32 = 6;
/// The program is looked at so often at most while a copy lives.
const SHORTEST: Duration = Duration::from_millis(2);

/// What is known of the program's process at some time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Seen {
    /// How long it has run.
    pub at: Duration,
    /// So many pages it had to be given.
    pub faults: u64,
}

/// What copies have cost so far.
#[derive(Debug)]
pub struct Faults {
    /// What was lost by copies that are accounted for.
    lost: Duration,
    earned: Duration,
    /// Faults in each second without any copy.
    usual: Option<f64>,
    state: State,
    /// When the program came to its first call: what it did before has nothing to do with copies.
    first: Duration,
    /// What the last copy cost in all, and how many pages the program had.
    last: Option<(Duration, u64)>,
    pages: u64,
    /// What was earned before the last copy, and how many in a row were not worth what they cost.
    earned_before: Duration,
    in_vain: u32,
    /// What a fault costs while a copy lives.
    each: Duration,
}

#[derive(Debug, Clone, Copy)]
enum State {
    /// The program has not made a call yet.
    New,
    /// No copy lives, and the last one is accounted for.
    Apart(Seen),
    /// A copy was made then, and making it took so long.
    Lives(Seen, Duration),
    /// It has ended then, and cost so much until then.
    Ended(Seen, Duration),
}

impl Default for Faults {
    fn default() -> Faults {
        Faults {
            lost: Duration::ZERO,
            earned: Duration::ZERO,
            usual: None,
            state: State::New,
            first: Duration::ZERO,
            last: None,
            pages: 0,
            earned_before: Duration::ZERO,
            in_vain: 0,
            each: MEANWHILE,
        }
    }
}

impl Faults {
    /// The program comes to a call that nobody foresaw, while no copy lives: whether one may be made of
    /// so many pages.
    pub fn may_copy(&mut self, now: Seen, pages: u64) -> bool {
        self.account(now);
        self.pages = pages;
        self.lost + self.expected(pages) <= self.allowed(now)
    }

    fn account(&mut self, now: Seen) {
        match self.state {
            State::New => self.first = now.at,
            State::Apart(before) => self.learn(rate(before, now)),
            State::Ended(then, until_then) => {
                let all = until_then + self.more_than_usual(then, now, LATER);
                self.lost += all;
                self.last = Some((all, self.pages));
                let was_worth_it = self.earned - self.earned_before >= all;
                self.in_vain = if was_worth_it { 0 } else { self.in_vain + 1 };
            }
            State::Lives(..) => return,
        }
        self.state = State::Apart(now);
    }

    fn learn(&mut self, rate: Option<f64>) {
        if let Some(rate) = rate {
            let before = self.usual.unwrap_or(rate);
            self.usual = Some(before + (rate - before) / MEMORY);
        }
    }

    /// What the faults between two times cost beyond those that there are without copies.
    fn more_than_usual(&self, from: Seen, to: Seen, each: Duration) -> Duration {
        let time = to.at.saturating_sub(from.at);
        let usual = self.usual.unwrap_or(0.0) * time.as_secs_f64();
        let more = to.faults.saturating_sub(from.faults) as f64 - usual;
        time.min(each.mul_f64(more.max(0.0)))
    }

    /// What one more copy will cost: as much as the last one, for as many pages; of the first it is not
    /// known how much the program writes.
    fn expected(&self, pages: u64) -> Duration {
        let count = u32::try_from(pages).unwrap_or(u32::MAX);
        match self.last {
            Some((all, before)) => {
                let times = 1 << self.in_vain.min(MOST_IN_VAIN);
                all.mul_f64(pages as f64 / before.max(1) as f64) * times
            }
            None => ENTRY * count + LATER * (count / WRITTEN),
        }
    }

    fn allowed(&self, now: Seen) -> Duration {
        GRACE + now.at.saturating_sub(self.first) / PART + self.earned
    }

    /// A copy was made, which took the program so long.
    pub fn born(&mut self, now: Seen, cost: Duration) {
        self.state = State::Lives(now, cost);
        self.earned_before = self.earned;
    }

    /// The program was kept from its work for so long, on account of copies.
    pub fn spent(&mut self, time: Duration) {
        self.lost += time;
    }

    /// A fault while a copy lives was measured to take so long.
    pub fn measured(&mut self, each: Duration) {
        self.each = each;
    }

    /// A call was ahead: the program has waited so long for it, and else would have as long as such calls
    /// take.
    pub fn ahead(&mut self, waited: Duration, service: Duration) {
        let sure = service - service / UNSURE;
        self.earned += sure.saturating_sub(waited) / SAVED;
    }

    /// What copies have cost so far, and what they have saved.
    pub fn sums(&self, now: Seen) -> (Duration, Duration) {
        let more = match self.state {
            State::New | State::Apart(_) => Duration::ZERO,
            State::Lives(born, cost) => cost + self.more_than_usual(born, now, self.each),
            State::Ended(then, lost) => lost + self.more_than_usual(then, now, LATER),
        };
        (self.lost + more, self.earned * SAVED)
    }

    /// What may still be lost by the copy that lives: for so long nobody need look. None if it has cost
    /// too much already.
    pub fn left(&self, now: Seen) -> Option<Duration> {
        let State::Lives(born, _) = self.state else {
            return None;
        };
        // what making it cost is lost, whether it goes on or not
        let all = self.lost + self.more_than_usual(born, now, self.each);
        let left = self.allowed(now).checked_sub(all)?;
        Some(left.max(SHORTEST))
    }

    /// So many pages were copied for the program while the copy lives, as far as that is known.
    pub fn copied(&self, now: Seen) -> u64 {
        match self.state {
            State::Lives(born, _) => now.faults.saturating_sub(born.faults),
            _ => 0,
        }
    }

    /// The copy that lived has ended.
    pub fn ended(&mut self, now: Seen) {
        if let State::Lives(born, cost) = self.state {
            let lost = cost + self.more_than_usual(born, now, self.each);
            self.state = State::Ended(now, lost);
        }
    }
}

fn rate(from: Seen, to: Seen) -> Option<f64> {
    let time = to.at.checked_sub(from.at)?.as_secs_f64();
    let faults = to.faults.saturating_sub(from.faults) as f64;
    (time > 0.0).then(|| faults / time)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: u64 = 10_000;
    const LARGE: u64 = 500_000;
    const COST: Duration = Duration::from_millis(1);

    fn seen(ms: u64, faults: u64) -> Seen {
        Seen {
            at: Duration::from_millis(ms),
            faults,
        }
    }

    /// After a copy was made at `ms`, with a usual rate of one fault in a millisecond.
    fn living(ms: u64) -> Faults {
        let mut faults = Faults::default();
        assert!(faults.may_copy(seen(ms - 20, 0), SMALL));
        assert!(faults.may_copy(seen(ms, 20), SMALL));
        faults.born(seen(ms, 20), COST);
        faults
    }

    #[test]
    fn a_small_program_is_copied_at_once_and_a_large_one_later() {
        let mut faults = Faults::default();
        assert!(faults.may_copy(seen(9_000, 0), SMALL));
        assert!(!faults.may_copy(seen(10_000, 0), LARGE));
        assert!(faults.may_copy(seen(30_000, 0), LARGE));
    }

    #[test]
    fn a_copy_lives_as_long_as_the_program_writes_little() {
        let faults = living(100);
        assert!(faults.left(seen(120, 1_000)).is_some());
        assert!(faults.left(seen(10_000, 9_900)).is_some());
    }

    #[test]
    fn what_the_program_would_be_given_anyway_does_not_count() {
        let faults = living(10_000);
        assert!(faults.left(seen(30_000, 20_000)).is_some());
        let mut other = living(10_000);
        other.usual = None;
        let (one, other) = (
            faults.left(seen(10_100, 120)),
            other.left(seen(10_100, 120)),
        );
        assert!(one > other);
    }

    #[test]
    fn a_copy_that_slows_the_program_ends() {
        let faults = living(100);
        assert_eq!(faults.left(seen(200, 30_000)), None);
        assert!(
            faults.left(seen(5_000, 30_000)).is_some(),
            "of more time it is less"
        );
    }

    #[test]
    fn who_looks_next_does_so_before_too_much_is_lost() {
        let faults = living(100);
        let left = faults.left(seen(101, 21)).unwrap();
        assert!(left <= GRACE + Duration::from_millis(2), "{left:?}");
        assert!(left >= SHORTEST);
    }

    #[test]
    fn what_calls_earn_may_be_spent() {
        let mut faults = living(100);
        for _ in 0..20 {
            faults.ahead(Duration::ZERO, Duration::from_millis(20));
        }
        assert!(faults.left(seen(200, 30_000)).is_some());
    }

    #[test]
    fn who_waits_as_long_as_ever_has_saved_nothing() {
        let mut faults = living(100);
        for wait in [18, 20, 25] {
            faults.ahead(Duration::from_millis(wait), Duration::from_millis(20));
        }
        assert_eq!(faults.sums(seen(100, 20)), (COST, Duration::ZERO));
        faults.ahead(Duration::from_millis(5), Duration::from_millis(20));
        let (_, saved) = faults.sums(seen(100, 20));
        assert_eq!(saved, Duration::from_micros(12_500));
    }

    #[test]
    fn after_a_costly_copy_it_takes_time_to_the_next_one() {
        let mut faults = living(100);
        faults.ended(seen(150, 30_000));
        assert!(!faults.may_copy(seen(170, 30_000), SMALL));
        assert!(!faults.may_copy(seen(3_000, 33_000), SMALL));
        assert!(faults.may_copy(seen(9_000, 39_000), SMALL));
    }

    #[test]
    fn pages_written_after_the_end_of_a_copy_count_too() {
        let mut faults = living(1_000);
        faults.ended(seen(1_010, 40));
        assert!(!faults.may_copy(seen(1_500, 100_000), SMALL));
    }

    #[test]
    fn the_cost_of_a_fault_is_what_was_measured() {
        let mut faults = living(100);
        faults.measured(Duration::from_nanos(100));
        assert!(faults.left(seen(200, 30_000)).is_some());
    }

    #[test]
    fn in_the_long_run_no_more_than_a_part_is_lost() {
        let mut faults = Faults::default();
        let (mut now, mut count, mut copies) = (seen(0, 0), 0, 0);
        let mut lost = Duration::ZERO;
        while now.at < Duration::from_secs(100) {
            if faults.may_copy(now, LARGE) {
                copies += 1;
                faults.born(now, COST);
                // the program writes all that it has, once
                count += 10_000;
                now = seen(u64::try_from(now.at.as_millis()).unwrap() + 50, count);
                lost += COST + MEANWHILE * 10_000;
                faults.ended(now);
            }
            now.at += Duration::from_millis(20);
        }
        assert!(copies > 1);
        assert!(lost < now.at * 2 / 100, "{lost:?} of {:?}", now.at);
    }
}
