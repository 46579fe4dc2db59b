//! What copies have done, for those who ask why.

use std::collections::BTreeMap;
use std::time::Duration;

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
    /// Where the program asks for values that were not there when a copy came to it, and for how many
    /// copies that was so.
    pub waits: BTreeMap<String, u32>,
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
        if self.waits.len() < MOST_PLACES || self.waits.contains_key(&place) {
            *self.waits.entry(place).or_default() += 1;
        }
    }
}
