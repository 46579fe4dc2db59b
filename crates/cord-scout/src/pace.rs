//! How far a scout may run ahead: what it has out, how well it does, and when it is enough.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cord_core::far::is_far;
use cord_sync::budget::Budget;
use cord_sync::wake::Wake;

/// How many of a scout's calls and strands are out: shared by the scout and what counts there.
pub type Outstanding = AtomicUsize;

/// How many turns of loops a scout may do without a call.
const MAX_TICKS: usize = 1_000_000;
/// While replicas have nothing to do, so many times the window may be out.
const STRETCH: usize = 8;
/// After so many calls in a row that were no earlier than the program's own, a scout gives up.
const MAX_LATE: usize = 16;
/// Every so many turns a scout looks whether to pause: looking at the clock costs more than a turn.
const LOOK_EVERY: usize = 16;

/// How a scout does; outlives it.
pub struct Score {
    /// How many calls it may have out.
    pub window: AtomicUsize,
    /// Calls of its that the program asked for.
    pub hits: AtomicUsize,
}

/// What a loop's turn means for a scout.
pub enum Turn {
    /// Nothing.
    GoOn,
    /// It is to look whether to pause.
    Look,
    /// It has gone round for too long without a call.
    TooMany,
}

/// How far one scout may run ahead.
pub struct Pace {
    /// What is out of its calls and strands.
    pub outstanding: Arc<Outstanding>,
    /// How it does.
    pub score: Arc<Score>,
    /// The bounds on what may be out of the functions that it calls.
    budgets: Mutex<Vec<Arc<Budget>>>,
    /// A strand whose value has come runs: it was counted when it was started.
    exempt: AtomicBool,
    ticks: AtomicUsize,
    /// How many calls were issued.
    issued: AtomicUsize,
    takes: AtomicUsize,
    /// How many calls in a row were issued only when the program asked for them.
    late: AtomicUsize,
}

impl Pace {
    /// The pace of a scout that has so many calls out at first.
    pub fn new(window: usize) -> Self {
        Self {
            outstanding: Arc::default(),
            score: Arc::new(Score {
                window: AtomicUsize::new(window),
                hits: AtomicUsize::new(0),
            }),
            budgets: Mutex::default(),
            exempt: AtomicBool::new(false),
            ticks: AtomicUsize::new(0),
            issued: AtomicUsize::new(0),
            takes: AtomicUsize::new(0),
            late: AtomicUsize::new(0),
        }
    }

    fn window(&self) -> usize {
        if is_far() {
            return usize::MAX / 64; // with room for what it is multiplied by
        }
        self.score.window.load(Ordering::Relaxed)
    }

    fn calls(&self) -> usize {
        self.outstanding.load(Ordering::Relaxed)
    }

    fn budgets(&self) -> MutexGuard<'_, Vec<Arc<Budget>>> {
        self.budgets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The scout calls a function whose calls this bounds.
    pub fn keep_within(&self, budget: &Arc<Budget>) {
        let mut budgets = self.budgets();
        if !budgets.iter().any(|known| Arc::ptr_eq(known, budget)) {
            budgets.push(Arc::clone(budget));
        }
    }

    /// A loop of the scout's turns once more.
    pub fn tick(&self) -> Turn {
        let ticks = self.ticks.fetch_add(1, Ordering::Relaxed);
        if ticks >= MAX_TICKS {
            Turn::TooMany
        } else if ticks % LOOK_EVERY == LOOK_EVERY - 1 {
            Turn::Look
        } else {
            Turn::GoOn
        }
    }

    /// Another take of the program begins.
    pub fn count_take(&self) {
        self.takes.fetch_add(1, Ordering::Relaxed);
    }

    /// How many takes of the program there have been.
    pub fn takes(&self) -> usize {
        self.takes.load(Ordering::Relaxed)
    }

    /// A call was issued.
    pub fn count_call(&self) {
        self.issued.fetch_add(1, Ordering::Relaxed);
        self.ticks.store(0, Ordering::Relaxed);
    }

    /// How many calls were issued so far.
    pub fn issued(&self) -> usize {
        self.issued.load(Ordering::Relaxed)
    }

    /// The program asked for a call that was issued during its take number `during`. Tells whether
    /// the scout is of no use: it has been no earlier than the program for a while.
    pub fn hit(&self, during: usize) -> bool {
        if during == self.takes() {
            return self.late.fetch_add(1, Ordering::Relaxed) + 1 >= MAX_LATE;
        }
        self.late.store(0, Ordering::Relaxed);
        self.score.hits.fetch_add(1, Ordering::Relaxed);
        let most = self
            .budgets()
            .iter()
            .map(|budget| budget.most_calls())
            .max();
        if most.is_some_and(|most| self.window() < most) {
            self.score.window.fetch_add(1, Ordering::Relaxed);
        }
        false
    }

    /// Whether what runs now may have more out than the window allows.
    pub fn exempt(&self, exempt: bool) {
        self.exempt.store(exempt, Ordering::Relaxed);
    }

    /// Whether enough is out. What strands are to call counts as well, so that a call which one of
    /// them makes has been counted before.
    pub fn is_full(&self) -> bool {
        let budgets = self.budgets();
        if budgets.iter().any(|budget| budget.is_spent()) {
            return true;
        }
        if self.exempt.load(Ordering::Relaxed) {
            return self.is_crowded();
        }
        let is_idle = budgets.iter().any(|budget| budget.is_idle());
        let stretch = if is_idle { STRETCH } else { 1 };
        self.calls() >= self.most_out(&budgets, stretch)
    }

    /// Whether so much is out that not even what is exempt may have more.
    pub fn is_crowded(&self) -> bool {
        self.calls() >= 2 * self.window() + 16
    }

    /// How much may be out, where the window is stretched so many times.
    fn most_out(&self, budgets: &[Arc<Budget>], stretch: usize) -> usize {
        let most = budgets.iter().map(|budget| budget.most_calls()).min();
        (self.window() * stretch).min(most.unwrap_or(usize::MAX))
    }

    /// Whether more would be welcome if replicas had nothing to do.
    pub fn can_stretch(&self) -> bool {
        let budgets = self.budgets();
        let is_spent = budgets.iter().any(|budget| budget.is_spent());
        !is_spent && self.calls() < self.most_out(&budgets, STRETCH)
    }

    /// Has `who` woken when replicas have nothing to do.
    pub fn wake_when_idle(&self, who: &Arc<dyn Wake>, token: u64) {
        for budget in self.budgets().iter() {
            budget.wake_when_idle(who, token);
        }
    }

    /// Does not wake `who` any more.
    pub fn forget(&self, who: &Arc<dyn Wake>) {
        for budget in self.budgets().iter() {
            budget.forget(who);
        }
    }

    /// Whether so little is out that it is worth a moment even when a reply is there: also where
    /// replicas have nothing to do, however many replies wait for the program.
    pub fn is_low(&self) -> bool {
        self.calls() * 2 < self.window()
            || (self.budgets().iter().any(|budget| budget.is_idle()) && self.can_stretch())
    }
}

/// One more call or strand is out, for as long as this is there.
pub struct Counted(Arc<Outstanding>);

impl Counted {
    /// One more of these.
    pub fn new(outstanding: &Arc<Outstanding>) -> Self {
        outstanding.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(outstanding))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn out(pace: &Pace, calls: usize) {
        pace.outstanding.store(calls, Ordering::Relaxed);
    }

    /// A scout with a window of four calls, of which so many may be out by its budget.
    fn pace_within(most: usize) -> (Pace, Arc<Budget>) {
        let (pace, budget) = (Pace::new(4), Arc::new(Budget::new(most, 1000)));
        pace.keep_within(&budget);
        pace.keep_within(&budget);
        (pace, budget)
    }

    #[test]
    fn a_scout_has_enough_out_when_its_window_is_full() {
        let (pace, _budget) = pace_within(100);
        out(&pace, 3);
        assert!(!pace.is_full());
        out(&pace, 4);
        assert!(pace.is_full());
        pace.exempt(true);
        assert!(!pace.is_full(), "what is exempt was counted before");
        out(&pace, 24);
        assert!(pace.is_full(), "but not without an end");
    }

    #[test]
    fn idle_replicas_stretch_the_window() {
        let (pace, budget) = pace_within(20);
        out(&pace, 4);
        assert!(pace.is_full() && pace.can_stretch() && !pace.is_low());
        budget.set_idle(true);
        assert!(!pace.is_full() && pace.is_low());
        out(&pace, 20);
        assert!(
            pace.is_full() && !pace.can_stretch(),
            "the budget is the bound"
        );
    }

    #[test]
    fn a_budget_that_is_spent_ends_all_exemptions() {
        let (pace, budget) = pace_within(1);
        let spent = budget.spend(0);
        pace.exempt(true);
        assert!(pace.is_full());
        drop(spent);
        assert!(!pace.is_full());
    }

    #[test]
    fn hits_widen_the_window_as_far_as_the_budget_goes() {
        let (pace, _budget) = pace_within(6);
        pace.count_take();
        for _ in 0..5 {
            assert!(!pace.hit(0));
        }
        assert_eq!(pace.score.window.load(Ordering::Relaxed), 6);
        assert_eq!(pace.score.hits.load(Ordering::Relaxed), 5);
    }

    #[test]
    fn a_scout_that_is_never_early_is_of_no_use() {
        let pace = Pace::new(4);
        let useless: Vec<bool> = (0..MAX_LATE).map(|_| pace.hit(0)).collect();
        assert_eq!(useless.iter().position(|one| *one), Some(MAX_LATE - 1));
        pace.count_take();
        assert!(!pace.hit(0), "issued in the take before");
        assert!(!pace.hit(1), "the row begins anew");
    }

    #[test]
    fn turns_without_a_call_are_bounded() {
        let pace = Pace::new(4);
        let looks = (0..LOOK_EVERY).filter(|_| matches!(pace.tick(), Turn::Look));
        assert_eq!(looks.count(), 1);
        let turns = (LOOK_EVERY..MAX_TICKS).filter(|_| matches!(pace.tick(), Turn::TooMany));
        assert_eq!(turns.count(), 0);
        assert!(matches!(pace.tick(), Turn::TooMany));
        pace.count_call();
        assert!(matches!(pace.tick(), Turn::GoOn));
    }
}
