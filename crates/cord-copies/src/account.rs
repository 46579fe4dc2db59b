//! What copies have done, for those who ask why.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::knowledge::{Place, MOST_ANSWERS};

/// So many places are told.
const MOST_PLACES: usize = 64;

/// All copies of a program together.
#[derive(Debug, Default, Clone)]
pub struct Account {
    /// So many were made.
    pub made: u32,
    /// So many calls did they issue, and so many of these did the program take.
    pub issued: u32,
    pub taken: u32,
    /// So many did nobody take.
    pub unwanted: u32,
    /// How long the program stood still for the last one.
    pub cost: Duration,
    /// What ended them, and how often.
    pub ends: BTreeMap<String, u32>,
    /// What ended their leaders, and how often.
    pub leaders: BTreeMap<String, u32>,
    /// Where the program asks for values that were not there when a copy came to it, and for how many
    /// copies that was so.
    pub waits: BTreeMap<String, u32>,
    /// Where they have gone on behind what was asked for without knowing it, and how often.
    pub passed: BTreeMap<String, u32>,
    /// What they have guessed wrong, with the line, and how often.
    pub wrong: BTreeMap<String, u32>,
    /// The lines at which they have guessed.
    pub guesses: BTreeMap<Place, String>,
    /// What questions were answered in this run.
    pub answers: BTreeMap<u64, u32>,
    /// How often what each function of the project's gave for the values of calls was that, and was not.
    pub stood_for: BTreeMap<String, (u32, u32)>,
    /// Calls for whose values something stood, by what tells them from others.
    pub stood: BTreeSet<u64>,
    /// So many calls might have had one made that were waited for on other threads than the first, while some
    /// thread did not wait, or where copies may not guess.
    pub on_threads: u32,
    /// And so many behind which a slice of the program's text was thought to see what comes.
    pub behind_slices: u32,
    /// Why there are none any more.
    pub refused: Option<&'static str>,
    /// How long calls take that nobody foresaw, as far as the program has waited for them.
    pub service: Duration,
    /// What all copies have cost the program, and what the calls that were ahead have saved.
    pub lost: Duration,
    pub saved: Duration,
    /// So many calls were worth a copy that the program could not bear.
    pub too_costly: u32,
}

impl Account {
    /// A copy waits for a value at this place of the program.
    pub fn note_wait(&mut self, place: String) {
        note(&mut self.waits, place);
    }

    /// A leader of a copy has ended.
    pub fn note_leader(&mut self, words: String) {
        note(&mut self.leaders, words);
    }

    /// A copy passes by what is asked for at this place of the program.
    pub fn note_passed(&mut self, place: String) {
        note(&mut self.passed, place);
    }

    /// A copy has guessed something else than what came.
    pub fn note_wrong(&mut self, words: String) {
        note(&mut self.wrong, words);
    }

    /// A copy guesses here, which is this line.
    pub fn note_guess(&mut self, place: Place, line: String) {
        if self.guesses.len() < MOST_PLACES {
            self.guesses.insert(place, line);
        }
    }

    /// A question was answered so.
    pub fn note_answer(&mut self, question: u64, answer: u32) {
        if self.answers.len() < MOST_ANSWERS || self.answers.contains_key(&question) {
            self.answers.insert(question, answer);
        }
    }

    /// What this function gave for the value of a call was that, or was not. False if it was told before:
    /// the copy and each leader come to it.
    pub fn note_stood_for(&mut self, by: String, call: u64, right: bool) -> bool {
        let is_new = self.stood.insert(call);
        if is_new {
            let (rights, wrongs) = self.stood_for.entry(by).or_default();
            *(if right { rights } else { wrongs }) += 1;
        }
        is_new
    }

    /// Why a copy was ended that was not on the program's way, since a guess.
    pub fn elsewhere(&self, guess: Option<Place>) -> String {
        match guess.and_then(|place| self.guesses.get(&place)) {
            Some(line) => format!("the program went elsewhere than was guessed at {line}"),
            None => "the program went elsewhere".into(),
        }
    }
}

fn note(places: &mut BTreeMap<String, u32>, place: String) {
    if places.len() < MOST_PLACES || places.contains_key(&place) {
        *places.entry(place).or_default() += 1;
    }
}
