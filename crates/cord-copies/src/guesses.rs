//! What a leader has guessed and passed by so far: a pure state machine.

use std::collections::HashSet;

use crate::knowledge::{passed, Knowledge, Lesson, Place, Trust};

/// So many calls it issues behind a guess that has never come true.
const MOST_TRIED: u32 = 8;

/// Of one leader.
#[derive(Debug)]
pub struct Guesses {
    knowledge: Knowledge,
    /// The last place where it guessed.
    last: Option<Place>,
    /// Places that nobody knew before, the number of the call after which it came to the last of them, and
    /// how many it has issued since it came to the first.
    tried: HashSet<Place>,
    since: Option<u32>,
    issued: u32,
    /// And those of them behind which the program has come to a call since.
    proven: HashSet<Place>,
    has_passed: bool,
}

impl Guesses {
    /// Nothing so far; what copies have learnt tells where it may.
    pub fn new(knowledge: Knowledge) -> Guesses {
        Guesses {
            knowledge,
            last: None,
            tried: HashSet::new(),
            since: None,
            issued: 0,
            proven: HashSet::new(),
            has_passed: false,
        }
    }

    /// The program's calls have shown something.
    pub fn hear(&mut self, lesson: Lesson) {
        self.knowledge.hear(lesson);
    }

    /// What is known of guesses.
    pub fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    /// The last place where it guessed, or passed something by.
    pub fn last(&self) -> Option<Place> {
        self.last
    }

    /// Whether it has passed something by.
    pub fn has_passed(&self) -> bool {
        self.has_passed
    }

    /// It issues a call.
    pub fn issues(&mut self) {
        self.issued += 1;
    }

    /// How it goes on at a place where it does not know. `number` is that of the last call that it came to.
    pub fn guess(&mut self, place: Place, number: u32) -> Trust {
        let trust = match self.knowledge.trust(place) {
            Trust::Try if self.has_tried(place) => Trust::Sure,
            trust => trust,
        };
        if trust == Trust::Try {
            self.tried.insert(place);
            if self.since.replace(number).is_none() {
                self.issued = 0;
            }
        }
        if trust != Trust::Wait {
            self.last = Some(place);
        }
        trust
    }

    fn has_tried(&self, place: Place) -> bool {
        self.tried.contains(&place) || self.proven.contains(&place)
    }

    /// Whether it would rather pass by what is asked for at a place than guess it.
    pub fn may_pass(&self, place: Place) -> bool {
        self.knowledge.may_pass(place)
    }

    /// It passes by what is asked for at a place. What it is known by then.
    pub fn pass_by(&mut self, place: Place, number: u32) -> Place {
        let place = passed(place);
        self.guess(place, number);
        self.has_passed = true;
        place
    }

    /// Whether it is to go no further before a guess has come true. `hit` is the number of the last call
    /// that the program has taken; `is_passed`: the program has come as far by now.
    pub fn is_cautious(&mut self, hit: u32, is_passed: bool) -> bool {
        if self.since.is_some_and(|number| hit > number) {
            self.since = None;
            self.proven.extend(self.tried.drain());
        } else if is_passed {
            self.since = None;
        }
        self.since.is_some() && self.issued >= MOST_TRIED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_careful_until_a_guess_has_come_true() {
        let mut guesses = Guesses::new(Knowledge::default());
        assert_eq!(guesses.guess(1, 5), Trust::Try);
        (1..MOST_TRIED).for_each(|_| guesses.issues());
        assert!(!guesses.is_cautious(0, false));
        guesses.issues();
        assert!(guesses.is_cautious(5, false));
        assert!(!guesses.is_cautious(6, false), "the program came past it");
        assert_eq!(guesses.guess(1, 9), Trust::Sure);
    }
}
