//! What earlier copies have taught: which guesses come true, and which calls nobody wants once
//! something was guessed. A pure state machine; it outlives copies.

use std::collections::{HashMap, HashSet};

/// A guess that came true so many times as often as not may be made again.
const TRUE_FOR_FALSE: u32 = 4;
/// So many unwanted calls of a function are an accident.
const ACCIDENTS: u32 = 2;
/// Of all calls, one in so many may be unwanted.
const ONE_IN: u32 = 10;
/// And so many more, at the start.
const SPARE: u32 = 8;

/// To pass by may be in vain so many times more than not.
const FEW: u32 = 1;

/// Where a copy guessed: a place in the program's code.
pub type Place = u64;
/// Set in a place where it passed by what it did not know.
const PASSED: Place = 1 << 63;

/// The same place, for those who pass it by.
pub fn passed(place: Place) -> Place {
    place | PASSED
}

/// How a copy goes on where it would have to guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// It guesses: that has come true before.
    Sure,
    /// It guesses, and goes only a little further until that has come true.
    Try,
    /// It waits until it knows.
    Wait,
}

#[derive(Debug, Clone, Default)]
struct Score {
    right: u32,
    wrong: u32,
}

/// What is known of guesses and of functions.
#[derive(Debug, Clone, Default)]
pub struct Knowledge {
    places: HashMap<Place, Score>,
    functions: HashMap<u32, Score>,
    calls: u32,
    unwanted: u32,
}

impl Knowledge {
    /// The program has made a call; with or without a ticket.
    pub fn made(&mut self) {
        self.calls += 1;
    }

    /// The program has taken a call of this function that was issued behind a guess.
    pub fn right(&mut self, function: u32, guess: Option<Place>) {
        self.functions.entry(function).or_default().right += 1;
        if let Some(place) = guess {
            self.places.entry(place).or_default().right += 1;
        }
    }

    /// Nobody wanted a call of this function, though the program came to others behind it.
    pub fn wrong_call(&mut self, function: u32) {
        self.functions.entry(function).or_default().wrong += 1;
    }

    /// Behind this guess the program went elsewhere.
    pub fn wrong_guess(&mut self, place: Place) {
        self.places.entry(place).or_default().wrong += 1;
    }

    /// So many calls more were made for nobody.
    pub fn unwanted(&mut self, count: u32) {
        self.calls += count;
        self.unwanted += count;
    }

    /// Whether copies may guess: not while more than a part of all calls is made for nobody.
    pub fn may_guess(&self) -> bool {
        self.unwanted.saturating_sub(SPARE) * ONE_IN <= self.calls
    }

    /// The program has not come to what was issued behind a place, at least not yet.
    pub fn left(&mut self, place: Place) {
        if place & PASSED != 0 {
            self.wrong_guess(place);
        }
    }

    /// Whether what is asked for at a place may be passed by. What is guessed there with success is not.
    pub fn may_pass(&self, place: Place) -> bool {
        let is_vain = |score: &Score| score.wrong > score.right + FEW;
        self.trust(place) != Trust::Sure && !self.places.get(&passed(place)).is_some_and(is_vain)
    }

    /// How far a guess at this place is to be trusted.
    pub fn trust(&self, place: Place) -> Trust {
        match self.places.get(&place) {
            None => Trust::Try,
            // what is passed by is not told: it is enough that calls behind it are wanted
            Some(score) if place & PASSED != 0 && score.right > score.wrong => Trust::Sure,
            Some(score) if score.right > score.wrong * TRUE_FOR_FALSE => Trust::Sure,
            Some(score) if score.wrong == 0 => Trust::Try,
            Some(_) => Trust::Wait,
        }
    }

    /// Functions whose calls are not to be issued behind a guess: what they are called with is wrong.
    pub fn vain(&self) -> HashSet<u32> {
        let vain = |score: &Score| score.wrong > ACCIDENTS && score.wrong > score.right;
        let found = self.functions.iter().filter(|(_, score)| vain(score));
        found.map(|(function, _)| *function).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guess_is_tried_then_trusted_or_not_made_again() {
        let mut known = Knowledge::default();
        assert_eq!(known.trust(1), Trust::Try);
        known.right(7, Some(1));
        assert_eq!(known.trust(1), Trust::Sure);
        known.wrong_guess(2);
        assert_eq!(known.trust(2), Trust::Wait);
    }

    #[test]
    fn what_is_passed_by_need_not_be_right_as_often() {
        let mut known = Knowledge::default();
        for place in [1, passed(1)] {
            (0..4).for_each(|_| known.right(7, Some(place)));
            known.wrong_guess(place);
        }
        assert_eq!(known.trust(1), Trust::Wait);
        assert_eq!(known.trust(passed(1)), Trust::Sure);
    }

    #[test]
    fn one_passes_by_where_one_does_not_guess_with_success() {
        let mut known = Knowledge::default();
        assert!(known.may_pass(1));
        known.right(7, Some(1));
        assert!(!known.may_pass(1));
        (0..=FEW).for_each(|_| known.wrong_guess(passed(2)));
        assert!(!known.may_pass(2));
    }

    #[test]
    fn a_loop_is_left_once_and_still_foreseen() {
        let mut known = Knowledge::default();
        for _ in 0..20 {
            known.right(7, Some(1));
        }
        known.wrong_guess(1);
        assert_eq!(known.trust(1), Trust::Sure);
    }

    #[test]
    fn functions_that_are_called_with_guesses_are_not_called() {
        let mut known = Knowledge::default();
        known.right(1, None);
        for _ in 0..=ACCIDENTS {
            assert!(known.vain().is_empty());
            known.wrong_call(2);
        }
        assert_eq!(known.vain(), HashSet::from([2]));
    }

    #[test]
    fn nothing_is_guessed_while_a_tenth_is_in_vain() {
        let mut known = Knowledge::default();
        known.unwanted(SPARE);
        assert!(known.may_guess());
        known.unwanted(3);
        assert!(!known.may_guess());
        (0..40).for_each(|_| known.made());
        assert!(known.may_guess());
    }
}
