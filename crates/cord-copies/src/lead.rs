//! When a copy that waits makes a leader, which goes on in its place without what it waits for: a pure
//! state machine.

use std::collections::HashMap;

use crate::area::LEADERS;
use crate::knowledge::Place;

/// So many leaders that were made at a place may find nothing more than have found something; and of those
/// that were made there since replies had come.
const FEW: u32 = 1;
const FEW_FURTHER: u32 = 4;
/// And after so many more waits there, it is tried again.
const AGAIN: u32 = 8;

/// What is known of leaders at one moment.
#[derive(Debug, Clone, Copy, Default)]
pub struct Seen {
    /// For each place for one: how many calls it has found, and whether it is there.
    pub leaders: [(u32, bool); LEADERS],
    /// Whether each goes no further.
    pub lingers: [bool; LEADERS],
    /// So many replies have come.
    pub replies: usize,
    /// So many calls of the copy's none had foreseen.
    pub unforeseen: u32,
}

/// What comes of a wait.
#[derive(Debug, PartialEq, Eq)]
pub enum Step {
    /// The copy just waits.
    Wait,
    /// It makes a leader here.
    Make(usize),
}

#[derive(Debug, Default)]
struct Score {
    found: u32,
    vain: u32,
    waits: u32,
}

/// The place where a leader was made, and whether since replies had come that those before did not know.
type Kind = (Place, bool);

/// The leaders of a copy.
#[derive(Debug, Default)]
pub struct Leads {
    scores: HashMap<Kind, Score>,
    /// Where those were made of which nothing is known yet.
    open: [Option<Kind>; LEADERS],
    /// They were made in this order.
    order: Vec<usize>,
    unforeseen: u32,
    /// So many replies had come when it last looked.
    replies: usize,
    /// The next one would be made since there are more.
    gets_further: bool,
}

impl Leads {
    /// The copy is about to wait at a place.
    pub fn waits(&mut self, place: Place, seen: &Seen) -> Step {
        self.settle(seen);
        let is_foreseen = seen.unforeseen == self.unforeseen;
        let is_ahead = self.is_led(seen) && is_foreseen;
        self.gets_further = self.may_get_further(seen) && is_foreseen;
        self.replies = seen.replies;
        if is_ahead || !self.is_worth_it((place, self.gets_further)) {
            return Step::Wait;
        }
        let free = seen.leaders.iter().position(|(_, is_there)| !is_there);
        free.map_or(Step::Wait, Step::Make)
    }

    /// Replies have come that nobody has seen who goes on: a leader that would be made now may get further
    /// than those that went without them.
    pub fn may_get_further(&self, seen: &Seen) -> bool {
        !self.order.is_empty() && seen.replies != self.replies && !self.is_led(seen)
    }

    /// The copy goes on with a reply that has come: it needs no leader for that.
    pub fn goes_on_itself(&mut self) {
        self.replies += 1;
    }

    /// Whether the newest one goes on, or there is nothing that it did not know.
    fn is_led(&self, seen: &Seen) -> bool {
        self.order.last().is_some_and(|newest| {
            let is_over = seen.lingers[*newest] && seen.replies != self.replies;
            seen.leaders[*newest].1 && !is_over
        })
    }

    /// It has made one there. The oldest is to end if there would be no place for the next one.
    pub fn made(&mut self, leader: usize, place: Place, seen: &Seen) -> Option<usize> {
        self.order.retain(|one| *one != leader);
        self.order.push(leader);
        self.open[leader] = Some((place, self.gets_further));
        self.unforeseen = seen.unforeseen;
        let mut others = seen.leaders.iter().enumerate();
        let is_full = others.all(|(at, (_, is_there))| at == leader || *is_there);
        is_full.then(|| self.order[0])
    }

    /// What came of those that have found something, or have ended.
    fn settle(&mut self, seen: &Seen) {
        for (open, (found, is_there)) in self.open.iter_mut().zip(seen.leaders) {
            let Some(kind) = open.take_if(|_| found > 0 || !is_there) else {
                continue;
            };
            let score = self.scores.entry(kind).or_default();
            *(if found > 0 {
                &mut score.found
            } else {
                &mut score.vain
            }) += 1;
        }
    }

    fn is_worth_it(&mut self, kind: Kind) -> bool {
        let score = self.scores.entry(kind).or_default();
        let few = if kind.1 { FEW_FURTHER } else { FEW };
        if score.vain <= score.found + few {
            return true;
        }
        score.waits += 1;
        score.waits % AGAIN == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(leaders: &[(u32, bool)], unforeseen: u32) -> Seen {
        let mut seen = Seen {
            unforeseen,
            ..Seen::default()
        };
        seen.leaders[..leaders.len()].copy_from_slice(leaders);
        seen
    }

    #[test]
    fn there_is_another_once_one_has_ended_or_was_wrong() {
        let mut leads = Leads::default();
        let none = seen(&[], 0);
        assert_eq!(leads.waits(1, &none), Step::Make(0));
        leads.made(0, 1, &none);
        assert_eq!(leads.waits(1, &seen(&[(3, true)], 0)), Step::Wait);
        assert_eq!(leads.waits(1, &seen(&[(3, true)], 1)), Step::Make(1));
        assert_eq!(leads.waits(1, &seen(&[(3, false)], 0)), Step::Make(0));
    }

    #[test]
    fn replies_that_none_saw_make_another_one_once() {
        let mut leads = Leads::default();
        let mut there = seen(&[], 0);
        assert!(!leads.may_get_further(&there), "there was none");
        assert_eq!(leads.waits(1, &there), Step::Make(0));
        leads.made(0, 1, &there);
        there.leaders[0] = (3, true);
        there.replies = 1;
        assert!(!leads.may_get_further(&there), "it sees them itself");
        there.lingers[0] = true;
        assert!(leads.may_get_further(&there));
        assert_eq!(leads.waits(1, &there), Step::Make(1));
        leads.made(1, 1, &there);
        assert!(!leads.may_get_further(&there));
        there.leaders[1] = (0, false);
        assert!(!leads.may_get_further(&there), "no more have come");
        there.replies = 2;
        leads.goes_on_itself();
        assert!(
            !leads.may_get_further(&there),
            "the copy has waited for that"
        );
    }

    #[test]
    fn the_oldest_makes_place() {
        let mut leads = Leads::default();
        let mut there = Seen::default();
        for leader in 0..LEADERS - 1 {
            assert_eq!(leads.made(leader, 1, &there), None);
            there.leaders[leader] = (1, true);
        }
        assert_eq!(leads.made(LEADERS - 1, 1, &there), Some(0));
        there.leaders[LEADERS - 1] = (1, true);
        there.unforeseen = 1;
        assert_eq!(leads.waits(1, &there), Step::Wait, "it has not ended yet");
    }

    #[test]
    fn where_nothing_was_found_it_is_seldom_tried() {
        let mut leads = Leads::default();
        for _ in 0..=FEW {
            assert_eq!(leads.waits(1, &Seen::default()), Step::Make(0));
            leads.made(0, 1, &Seen::default());
        }
        let ended = seen(&[(0, false)], 0);
        let tried = (0..AGAIN).filter(|_| leads.waits(1, &ended) != Step::Wait);
        assert_eq!(tried.count(), 1);
        assert_eq!(leads.waits(2, &ended), Step::Make(0));
    }
}
