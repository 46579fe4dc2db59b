//! Whether a copy is on the program's way: a pure state machine over the numbers of the calls that
//! both come to. The copy's calls and the program's are counted alike, from the one at which the copy
//! was made.

use std::collections::{BTreeMap, BTreeSet};

use crate::knowledge::Place;

/// So many calls in a row the program may come to before its copy does.
const MOST_BEHIND: u32 = 8;
/// A copy that guesses may be wrong about so many calls in a row and yet be on the way.
const MOST_ASTRAY: u32 = 3;
/// Of one that has leaders the program may make so many calls in a row that nobody came to.
const MOST_PASSED: u32 = 8;
/// What the program has left behind by so many calls it will not come to.
const SLACK: u32 = 8;

/// A call that a copy has come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub function: u32,
    /// The last guess before it.
    pub guess: Option<Place>,
    /// What tells the call from others.
    pub key: Box<[u8]>,
}

/// What a call of the program's says of its copy.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The copy has not come as far.
    Behind,
    /// Nothing: the copy could not tell what the program calls there.
    Blank,
    /// It is elsewhere here, perhaps only for this call.
    Astray,
    /// It is elsewhere, since this guess.
    Lost(Option<Place>),
}

#[derive(Debug, Default)]
pub struct Course {
    /// The program's last call.
    asked: u32,
    /// The last one that the copy is known to have come to.
    reached: u32,
    /// Issued and not taken.
    open: BTreeMap<u32, Step>,
    /// The copy knows that there is a call, not which.
    blanks: BTreeSet<u32>,
    behind: u32,
    astray: u32,
    suspect: Option<Place>,
    pub guesses: bool,
    /// The copy has leaders, which pass by what may have calls in it: calls have numbers in no order.
    leads: bool,
}

impl Course {
    /// The program comes to its next call.
    pub fn asked(&mut self) -> u32 {
        self.asked += 1;
        self.asked
    }

    /// Of a copy that guesses, or does not.
    pub fn new(guesses: bool) -> Course {
        Course {
            guesses,
            ..Course::default()
        }
    }

    /// The copy has issued its call of this number.
    pub fn issued(&mut self, number: u32, step: Step) {
        self.blanks.remove(&number);
        self.reached = self.reached.max(number);
        self.open.insert(number, step);
    }

    /// The copy has come to a call that it does not issue, at least not yet.
    pub fn passed_over(&mut self, number: u32) {
        self.reached = self.reached.max(number);
        self.blanks.insert(number);
    }

    /// The copy has leaders from now on.
    pub fn leads(&mut self) {
        self.leads = true;
    }

    /// Whether it has, or had.
    pub fn has_leaders(&self) -> bool {
        self.leads
    }

    /// The program has made this call before the copy came to it.
    pub fn was_made(&mut self, number: u32) {
        self.reached = self.reached.max(number);
    }

    /// Whether the program was there already, as far as that is known.
    pub fn is_over(&self, number: u32) -> bool {
        !self.leads && number <= self.asked
    }

    /// Whether the copy has not come to the program's call yet, and may.
    pub fn is_just_behind(&self) -> bool {
        !self.leads && self.reached < self.asked && self.behind < MOST_BEHIND
    }

    /// The program's call is this one of the copy's.
    pub fn hit(&mut self, number: u32) -> Option<Step> {
        (self.behind, self.astray, self.suspect) = (0, 0, None);
        self.open.remove(&number)
    }

    /// The copy has not issued the program's call of this function.
    pub fn miss(&mut self, function: u32) -> Verdict {
        if self.leads {
            self.astray += 1;
            return match self.astray < MOST_PASSED {
                true => Verdict::Blank,
                false => Verdict::Lost(None),
            };
        }
        if self.reached < self.asked {
            self.behind += 1;
            return if self.behind < MOST_BEHIND {
                Verdict::Behind
            } else {
                Verdict::Lost(None)
            };
        }
        if self.blanks.remove(&self.asked) {
            return Verdict::Blank;
        }
        let step = self.open.get(&self.asked);
        if self.astray == 0 {
            self.suspect = step.and_then(|step| step.guess);
        }
        self.astray += 1;
        let is_other = step.is_some_and(|step| step.function != function);
        if !self.guesses || is_other || self.astray >= MOST_ASTRAY {
            return Verdict::Lost(self.suspect);
        }
        Verdict::Astray
    }

    /// Calls that the program has left behind, though it is on the way.
    pub fn overdue(&mut self) -> Vec<Step> {
        self.blanks = self.blanks.split_off(&self.asked.saturating_sub(SLACK));
        if !self.guesses || self.leads || self.astray > 0 {
            return Vec::new();
        }
        let later = self.open.split_off(&self.asked.saturating_sub(SLACK));
        let left = std::mem::replace(&mut self.open, later);
        left.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(guess: Option<Place>) -> Step {
        Step {
            function: 1,
            guess,
            key: (*b"key").into(),
        }
    }

    #[test]
    fn a_copy_that_is_behind_is_given_time() {
        let mut course = Course::new(false);
        for _ in 1..MOST_BEHIND {
            course.asked();
            assert!(course.is_just_behind());
            assert_eq!(course.miss(1), Verdict::Behind);
        }
        course.asked();
        assert_eq!(course.miss(1), Verdict::Lost(None));
    }

    #[test]
    fn a_copy_that_guesses_nothing_is_never_astray() {
        let mut course = Course::new(false);
        course.issued(1, step(None));
        course.asked();
        assert_eq!(course.miss(1), Verdict::Lost(None));
    }

    #[test]
    fn one_that_guesses_may_be_for_a_call() {
        let mut course = Course::new(true);
        for number in 1..=5 {
            course.issued(number, step(Some(9)));
        }
        course.asked();
        assert_eq!(course.miss(1), Verdict::Astray);
        course.asked();
        assert!(course.hit(2).is_some());
        for _ in 1..MOST_ASTRAY {
            course.asked();
            assert_eq!(course.miss(1), Verdict::Astray);
        }
        course.asked();
        assert_eq!(course.miss(1), Verdict::Lost(Some(9)));
    }

    #[test]
    fn another_function_is_another_way() {
        let mut course = Course::new(true);
        course.issued(1, step(Some(9)));
        course.asked();
        assert_eq!(course.miss(2), Verdict::Lost(Some(9)));
    }

    #[test]
    fn calls_that_the_copy_could_not_tell_say_nothing() {
        let mut course = Course::new(true);
        course.passed_over(1);
        course.asked();
        assert_eq!(course.miss(1), Verdict::Blank);
    }

    #[test]
    fn one_with_leaders_leaves_calls_out() {
        let mut course = Course::new(true);
        course.leads();
        course.issued(1, step(Some(9)));
        for _ in 0..3 {
            course.asked();
            assert_eq!(course.miss(2), Verdict::Blank);
        }
        assert!(course.hit(1).is_some());
        for _ in 1..MOST_PASSED {
            course.asked();
            assert_eq!(course.miss(1), Verdict::Blank);
        }
        assert_eq!(course.miss(1), Verdict::Lost(None));
    }

    #[test]
    fn what_lies_behind_is_given_up() {
        let mut course = Course::new(true);
        course.issued(1, step(None));
        for number in 2..2 + SLACK {
            course.issued(number, step(None));
            course.asked();
            course.hit(number);
            assert!(course.overdue().is_empty());
        }
        course.asked();
        course.asked();
        assert_eq!(course.overdue(), [step(None)]);
    }
}
