//! What is scouted for one execution of a region, and whether the program goes that way.

use super::calls::Calls;

/// So many calls are made in place beside a scout that left some to the program, before all that it
/// issued counts as wrong.
const UNFORESEEN: u32 = 8;

/// The calls that scouts have issued for one frame of the program.
pub struct Guesses<C> {
    calls: Calls<C>,
    /// Calls in a row that no scout foresaw, while one had left some to the program.
    unforeseen: u32,
}

impl<C> Default for Guesses<C> {
    fn default() -> Self {
        Self::of(Calls::default())
    }
}

impl<C> Guesses<C> {
    /// What a caller's scout has issued for it.
    pub fn of(calls: Calls<C>) -> Self {
        Self {
            calls,
            unforeseen: 0,
        }
    }

    /// Where the calls are.
    pub fn calls(&self) -> &Calls<C> {
        &self.calls
    }

    /// The program has asked for one of them.
    pub fn hit(&mut self) {
        self.unforeseen = 0;
    }

    /// The program makes a call that its scout has neither issued nor left to it by plan: whether all
    /// that was issued is wrong.
    pub fn missed(&mut self) -> bool {
        if !self.calls.has_failed() {
            return true;
        }
        self.unforeseen += 1;
        self.unforeseen >= UNFORESEEN
    }

    /// Gives up all calls but those with effects, which the next scout goes on with: what is to be
    /// discarded.
    #[must_use]
    pub fn give_up(&mut self) -> Calls<C> {
        let given_up = std::mem::take(self).calls;
        self.calls.inherit(&given_up);
        self.calls.leave_committed();
        given_up
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Calls, Entry};
    use super::*;

    fn with_a_strand() -> (Guesses<u32>, Calls<u32>) {
        let (guesses, strand) = (Guesses::default(), Calls::default());
        guesses.calls().push(Entry::Group(strand.clone()));
        (guesses, strand)
    }

    #[test]
    fn a_call_that_a_scout_should_have_foreseen_tells_that_it_is_wrong() {
        let (mut guesses, strand) = with_a_strand();
        strand.close(None);
        assert!(guesses.missed());
    }

    #[test]
    fn some_calls_are_the_programs_where_a_strand_has_failed() {
        let (mut guesses, strand) = with_a_strand();
        strand.close(Some(None));
        assert_eq!((1..100).find(|_| guesses.missed()), Some(UNFORESEEN));
        let (mut guesses, strand) = with_a_strand();
        strand.close(Some(None));
        for _ in 0..3 {
            assert!((1..UNFORESEEN).all(|_| !guesses.missed()));
            guesses.hit();
        }
    }

    #[test]
    fn calls_with_effects_are_not_given_up() {
        let mut guesses = Guesses::default();
        guesses.calls().push(Entry::Call(1));
        guesses.calls().promise(2);
        let given_up = guesses.give_up();
        given_up.discard();
        assert!(
            guesses.calls().is_empty(),
            "what is left waits for another scout"
        );
        assert_eq!(guesses.calls().left_behind(&2, |one| *one), Some(2));
        assert_eq!(given_up.find_call(&1), None);
    }
}
