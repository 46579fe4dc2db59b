//! What earlier copies have taught: which guesses come true, and which calls nobody wants once
//! something was guessed. A pure state machine; it outlives copies.

use std::collections::HashMap;

/// A guess that came true so many times as often as not may be made again.
const TRUE_FOR_FALSE: u32 = 4;
/// So many unwanted calls of one kind are an accident.
const ACCIDENTS: u32 = 2;
/// To pass by may be in vain so many times more than not.
const FEW: u32 = 1;

/// Where a copy guessed: a place in the program's code.
pub type Place = u64;
/// Set in a place where it passed by what it did not know.
const PASSED: Place = 1 << 63;

/// Set in a place where the answer was known of an earlier run, or by a function of the project's.
const FOUNDED: Place = 1 << 62;

/// Of so many questions at most the answers are known.
pub const MOST_ANSWERS: usize = 4096;

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
    /// What was guessed there has been another thing than the truth.
    misled: bool,
}

/// Something that shows what a guess, or a call behind it, is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lesson {
    /// The program has taken a leader's call by these lines, which was issued behind this guess.
    Right(Place, Option<Place>),
    /// Nobody wanted a leader's call by these lines, though the program came to others behind it.
    WrongCall(Place),
    /// Behind this guess the program went elsewhere.
    WrongGuess(Place),
    /// What was guessed here was not so, whether or not the calls behind it were wanted.
    Misled(Place),
    /// This question was answered so.
    Answer(u64, u32),
    /// What a function of the project's gave for a value of this function was that value, or was not.
    StoodFor(u32, bool),
}

/// How long a lesson is in a log.
const LESSON: usize = 21;

impl Lesson {
    /// As it lies in a log.
    pub fn written(self) -> [u8; LESSON] {
        let (kind, function, place, call) = match self {
            Lesson::Right(call, place) => (0, 0, place.unwrap_or(0), call),
            Lesson::WrongCall(call) => (1, 0, 0, call),
            Lesson::WrongGuess(place) => (2, 0, place, 0),
            Lesson::Misled(place) => (3, 0, place, 0),
            Lesson::Answer(question, answer) => (4, answer, question, 0),
            Lesson::StoodFor(function, right) => (5, function, u64::from(right), 0),
        };
        let mut written = [kind; LESSON];
        written[1..5].copy_from_slice(&u32::to_le_bytes(function));
        written[5..13].copy_from_slice(&place.to_le_bytes());
        written[13..].copy_from_slice(&call.to_le_bytes());
        written
    }

    /// One out of a log.
    pub fn read(written: &[u8]) -> Option<Lesson> {
        let (kind, rest) = written.split_first()?;
        let (function, rest) = rest.split_first_chunk()?;
        let function = u32::from_le_bytes(*function);
        let (place, rest) = rest.split_first_chunk()?;
        let place = Place::from_le_bytes(*place);
        let call = Place::from_le_bytes(rest.try_into().ok()?);
        Some(match kind {
            0 => Lesson::Right(call, Some(place).filter(|place| *place != 0)),
            1 => Lesson::WrongCall(call),
            2 => Lesson::WrongGuess(place),
            3 => Lesson::Misled(place),
            4 => Lesson::Answer(place, function),
            _ => Lesson::StoodFor(function, place != 0),
        })
    }
}

/// What is known of guesses and of functions.
#[derive(Debug, Clone, Default)]
pub struct Knowledge {
    /// What the copy that runs has not been told yet.
    news: Vec<Lesson>,
    places: HashMap<Place, Score>,
    /// By the lines that they were made by.
    calls: HashMap<Place, Score>,
    /// What questions were answered, in this run or the last one.
    answers: HashMap<u64, u32>,
    /// How often what a function of the project's gave for values of each was the value itself.
    stood_for: HashMap<u32, Score>,
}

impl Knowledge {
    /// One more lesson; the copy that runs is to hear of it, too.
    pub fn learn(&mut self, lesson: Lesson) {
        self.hear(lesson);
        self.news.push(lesson);
    }

    /// One more lesson, of one who has learnt it.
    pub fn hear(&mut self, lesson: Lesson) {
        match lesson {
            Lesson::Right(call, guess) => {
                self.calls.entry(call).or_default().right += 1;
                if let Some(place) = guess {
                    self.places.entry(place).or_default().right += 1;
                }
            }
            Lesson::WrongCall(call) => self.calls.entry(call).or_default().wrong += 1,
            Lesson::WrongGuess(place) => self.places.entry(place).or_default().wrong += 1,
            Lesson::Misled(place) => self.places.entry(place).or_default().misled = true,
            Lesson::Answer(question, answer) => {
                if self.answers.len() < MOST_ANSWERS || self.answers.contains_key(&question) {
                    self.answers.insert(question, answer);
                }
            }
            Lesson::StoodFor(function, right) => {
                let score = self.stood_for.entry(function).or_default();
                *(if right {
                    &mut score.right
                } else {
                    &mut score.wrong
                }) += 1;
            }
        }
    }

    /// What a question was answered before, in this run or the last one.
    pub fn answer(&self, question: u64) -> Option<u32> {
        self.answers.get(&question).copied()
    }

    /// Whether what a function of the project's gives for values of this one may be sent in their place.
    pub fn is_good_for(&self, function: u32) -> bool {
        let score = self.stood_for.get(&function);
        score.is_none_or(|score| score.right >= score.wrong)
    }

    /// What has been learnt since this was last asked.
    pub fn news(&mut self) -> Vec<Lesson> {
        std::mem::take(&mut self.news)
    }

    /// The program has not come to what was issued behind a place, at least not yet.
    pub fn left(&mut self, place: Place) {
        if place & PASSED != 0 {
            self.learn(Lesson::WrongGuess(place));
        }
    }

    /// A copy went wrong, and this is where it guessed last. Where it passed something by, it has guessed nothing.
    pub fn went_wrong(&mut self, place: Place) {
        if place & PASSED == 0 {
            self.learn(Lesson::WrongGuess(place));
        }
    }

    /// Whether what is asked for at a place may be passed by. What was never guessed wrong there is not.
    pub fn may_pass(&self, place: Place) -> bool {
        let is_vain = |score: &Score| score.wrong > score.right + FEW;
        let misled = self.places.get(&place).is_some_and(|score| score.misled);
        (misled || self.trust(place) != Trust::Sure)
            && !self.places.get(&passed(place)).is_some_and(is_vain)
    }

    /// How far a guess at this place is to be trusted.
    pub fn trust(&self, place: Place) -> Trust {
        match self.places.get(&place) {
            None if place & FOUNDED != 0 => Trust::Sure,
            Some(score) if place & FOUNDED != 0 && score.right >= score.wrong => Trust::Sure,
            None => Trust::Try,
            // what is passed by is not told: it is enough that calls behind it are wanted
            Some(score) if place & PASSED != 0 && score.right > score.wrong => Trust::Sure,
            Some(score) if score.right > score.wrong * TRUE_FOR_FALSE => Trust::Sure,
            Some(score) if score.wrong == 0 => Trust::Try,
            Some(_) => Trust::Wait,
        }
    }

    /// Whether calls by these lines are not to be issued behind a guess: the program does not come to them
    /// then, or with something else.
    pub fn is_vain(&self, call: Place) -> bool {
        let vain = |score: &Score| score.wrong > ACCIDENTS && score.wrong > score.right;
        self.calls.get(&call).is_some_and(vain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guess_is_tried_then_trusted_or_not_made_again() {
        let mut known = Knowledge::default();
        assert_eq!(known.trust(1), Trust::Try);
        known.learn(Lesson::Right(7, Some(1)));
        assert_eq!(known.trust(1), Trust::Sure);
        known.learn(Lesson::WrongGuess(2));
        assert_eq!(known.trust(2), Trust::Wait);
    }

    #[test]
    fn what_is_passed_by_need_not_be_right_as_often() {
        let mut known = Knowledge::default();
        for place in [1, passed(1)] {
            (0..4).for_each(|_| known.learn(Lesson::Right(7, Some(place))));
            known.learn(Lesson::WrongGuess(place));
        }
        assert_eq!(known.trust(1), Trust::Wait);
        assert_eq!(known.trust(passed(1)), Trust::Sure);
    }

    #[test]
    fn one_passes_by_where_one_does_not_guess_with_success() {
        let mut known = Knowledge::default();
        assert!(known.may_pass(1));
        known.learn(Lesson::Right(7, Some(1)));
        assert!(!known.may_pass(1));
        known.learn(Lesson::Misled(1));
        assert!(known.may_pass(1), "it was no success of the guess");
        (0..=FEW).for_each(|_| known.learn(Lesson::WrongGuess(passed(2))));
        assert!(!known.may_pass(2));
    }

    #[test]
    fn what_an_earlier_run_has_shown_is_trusted_until_it_is_wrong() {
        let mut known = Knowledge::default();
        assert_eq!(known.trust(FOUNDED | 1), Trust::Sure);
        assert!(!known.may_pass(FOUNDED | 1));
        known.learn(Lesson::WrongGuess(FOUNDED | 1));
        assert_eq!(known.trust(FOUNDED | 1), Trust::Wait);
        assert_eq!(known.trust(1), Trust::Try);
    }

    #[test]
    fn the_last_answer_to_a_question_is_known_and_not_too_many() {
        let mut known = Knowledge::default();
        for question in 0..=MOST_ANSWERS as u64 {
            known.learn(Lesson::Answer(question, 1));
        }
        known.learn(Lesson::Answer(0, 2));
        assert_eq!(known.answer(0), Some(2));
        assert_eq!(known.answer(MOST_ANSWERS as u64), None);
    }

    #[test]
    fn what_is_seldom_the_value_is_not_sent_for_it() {
        let mut known = Knowledge::default();
        assert!(known.is_good_for(7));
        known.learn(Lesson::StoodFor(7, false));
        assert!(!known.is_good_for(7));
        known.learn(Lesson::StoodFor(7, true));
        assert!(known.is_good_for(7));
    }

    #[test]
    fn a_loop_is_left_once_and_still_foreseen() {
        let mut known = Knowledge::default();
        for _ in 0..20 {
            known.learn(Lesson::Right(7, Some(1)));
        }
        known.learn(Lesson::WrongGuess(1));
        assert_eq!(known.trust(1), Trust::Sure);
    }

    #[test]
    fn calls_that_nobody_wants_behind_guesses_are_not_made() {
        let mut known = Knowledge::default();
        known.learn(Lesson::Right(1, None));
        for _ in 0..=ACCIDENTS {
            assert!(!known.is_vain(2));
            known.learn(Lesson::WrongCall(2));
        }
        assert!(known.is_vain(2) && !known.is_vain(1));
    }

    #[test]
    fn lessons_come_out_of_a_log_as_they_went_in() {
        let all = [
            Lesson::Right(7, Some(passed(3))),
            Lesson::Right(8, None),
            Lesson::WrongCall(9),
            Lesson::WrongGuess(4),
            Lesson::Misled(5),
            Lesson::Answer(u64::MAX, 6),
            Lesson::StoodFor(7, true),
        ];
        let read = all.map(|lesson| Lesson::read(&lesson.written()));
        assert_eq!(read, all.map(Some));
        assert_eq!(Lesson::read(&[0; LESSON - 1]), None);
    }

    #[test]
    fn what_was_learnt_is_told_once() {
        let mut known = Knowledge::default();
        known.learn(Lesson::WrongCall(1));
        known.hear(Lesson::Misled(2));
        assert_eq!(known.news(), [Lesson::WrongCall(1)]);
        assert_eq!(known.news(), []);
    }
}
