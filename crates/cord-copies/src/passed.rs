//! How far the program has come on the way of each leader: what a leader has issued before a call that the
//! program has taken, it will not come to any more. A pure state machine.

use std::collections::{HashMap, VecDeque};

/// It may come to what it has passed by so many calls later: threads are not in order.
const SLACK: u32 = 8;

/// By the leader's process: the last of its calls that the program has taken a while ago.
#[derive(Debug, Default)]
pub struct Passed {
    sure: HashMap<i32, u32>,
    /// A leader, its call's number, and how many calls the program had made.
    recent: VecDeque<(i32, u32, u32)>,
}

impl Passed {
    /// The program has taken this call of a leader's, at its own call of the number `made`.
    pub fn took(&mut self, leader: i32, number: u32, made: u32) {
        self.recent.push_back((leader, number, made));
    }

    /// The program has made so many calls.
    pub fn go_on(&mut self, made: u32) {
        while let Some(&(leader, number, then)) = self.recent.front() {
            if made - then < SLACK {
                return;
            }
            self.recent.pop_front();
            let last = self.sure.entry(leader).or_default();
            *last = number.max(*last);
        }
    }

    /// Whether a call of a leader's lies behind the program.
    pub fn is(&self, leader: i32, number: u32) -> bool {
        self.sure.get(&leader).is_some_and(|last| number < *last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_leader_has_issued_before_is_passed_after_a_while() {
        let mut passed = Passed::default();
        passed.took(7, 12, 100);
        passed.go_on(100 + SLACK - 1);
        assert!(!passed.is(7, 11));
        passed.go_on(100 + SLACK);
        assert!(passed.is(7, 11) && !passed.is(7, 12));
        assert!(!passed.is(8, 11), "another leader's");
    }
}
