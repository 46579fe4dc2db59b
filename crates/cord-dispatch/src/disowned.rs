//! Calls whose replies must not be used: the next ones of their function are made where they are called,
//! and one of them is sent now and then, to see whether its reply can be used by now.

/// So many calls are made where they are called before one is sent again …
const FIRST_STAY: u32 = 4;
/// … and so many times as many after each that was in vain.
const GROWTH: u32 = 8;

/// What becomes of the next call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// It is sent.
    Sent,
    /// It is made where it is called.
    Stays,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Calls are sent.
    Sends,
    /// So many more are made where they are called.
    Stays(u32),
    /// One is out, to see; if nothing is heard of it, another one is after so many more.
    Tries(u32),
    /// None is sent any more.
    Ended,
}

/// Decides for one function, of which a reply could not be used, where its calls are made.
#[derive(Debug)]
pub struct Disowned {
    phase: Phase,
    /// How many calls stay after the next reply that cannot be used.
    stay: u32,
    /// Calls whose replies could be used, since one could not.
    clean: u32,
    /// Calls that were made where they are called, and those of them that were sent before.
    made: u64,
    in_vain: u64,
}

impl Default for Disowned {
    fn default() -> Self {
        Self {
            phase: Phase::Sends,
            stay: FIRST_STAY,
            clean: 0,
            made: 0,
            in_vain: 0,
        }
    }
}

impl Disowned {
    /// The next call of the program's.
    pub fn turn(&mut self) -> Turn {
        match self.phase {
            Phase::Sends => Turn::Sent,
            Phase::Stays(0) | Phase::Tries(0) => {
                self.phase = Phase::Tries(self.stay);
                Turn::Sent
            }
            Phase::Stays(left) => self.stay_by(Phase::Stays(left - 1)),
            Phase::Tries(left) => self.stay_by(Phase::Tries(left - 1)),
            Phase::Ended => self.stay_by(Phase::Ended),
        }
    }

    fn stay_by(&mut self, next: Phase) -> Turn {
        self.phase = next;
        self.made += 1;
        Turn::Stays
    }

    /// The reply of a call could not be used: that one is made where it was called, and so are the next.
    pub fn refused(&mut self) {
        self.made += 1;
        self.in_vain += 1;
        if let Phase::Stays(_) | Phase::Ended = self.phase {
            return; // it was sent before that was known
        }
        if self.clean >= self.stay {
            self.stay = FIRST_STAY; // it is as good as new
        }
        self.clean = 0;
        self.phase = Phase::Stays(self.stay);
        self.stay = self.stay.saturating_mul(GROWTH);
    }

    /// The reply of a call could be used.
    pub fn used(&mut self) {
        match self.phase {
            Phase::Sends => self.clean = self.clean.saturating_add(1),
            Phase::Tries(_) => {
                self.phase = Phase::Sends;
                self.clean = 1;
            }
            Phase::Stays(_) | Phase::Ended => {} // it was sent before one could not
        }
    }

    /// None of its calls is sent any more: nobody can tell which reply is the right one.
    pub fn end(&mut self) {
        self.phase = Phase::Ended;
    }

    /// Whether that was said.
    pub fn has_ended(&self) -> bool {
        self.phase == Phase::Ended
    }

    /// Whether calls are sent as if nothing had been.
    pub fn sends(&self) -> bool {
        self.phase == Phase::Sends
    }

    /// How many calls were made where they are called, and how many of these had been sent before.
    pub fn calls(&self) -> (u64, u64) {
        (self.made, self.in_vain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes so many calls of a function whose replies `can` be used; gives the numbers of those sent.
    fn sent(calls: usize, can: impl Fn(usize) -> bool) -> (Vec<usize>, Disowned) {
        let mut function = Disowned::default();
        let mut sent = Vec::new();
        for call in 0..calls {
            if function.turn() == Turn::Sent {
                sent.push(call);
                match can(call) {
                    true => function.used(),
                    false => function.refused(),
                }
            }
        }
        (sent, function)
    }

    #[test]
    fn calls_of_a_function_that_never_keeps_its_word_are_sent_ever_less_often() {
        let (sent, function) = sent(10_000, |_| false);
        assert_eq!(sent, [0, 5, 38, 295, 2344]);
        assert_eq!(function.calls(), (10_000, 5));
    }

    #[test]
    fn a_function_that_keeps_its_word_again_is_sent_again() {
        let (sent, function) = sent(200, |call| call > 0);
        assert_eq!(sent, [vec![0], (5..200).collect()].concat());
        assert!(function.sends());
        assert_eq!(function.calls(), (5, 1));
    }

    #[test]
    fn a_function_that_fails_now_and_then_is_sent_ever_less_often_too() {
        let (sent, _) = sent(100_000, |call| call % 20 != 19);
        assert!(sent.len() < 200, "{}", sent.len());
    }

    #[test]
    fn a_function_that_has_been_good_for_long_begins_anew() {
        let mut function = Disowned::default();
        for _ in 0..3 {
            assert_eq!(function.turn(), Turn::Sent);
            function.refused();
            for _ in 0..FIRST_STAY {
                assert_eq!(function.turn(), Turn::Stays);
            }
            for _ in 0..600 {
                assert_eq!(function.turn(), Turn::Sent);
                function.used();
            }
        }
    }

    #[test]
    fn while_one_is_out_to_see_the_others_stay() {
        let mut function = Disowned::default();
        function.turn();
        function.refused();
        while function.turn() == Turn::Stays {}
        for _ in 0..FIRST_STAY * GROWTH {
            assert_eq!(function.turn(), Turn::Stays);
        }
        assert_eq!(
            function.turn(),
            Turn::Sent,
            "nothing was heard of the other"
        );
        function.used();
        assert!(function.sends());
    }

    #[test]
    fn a_function_whose_replies_differ_is_never_sent_again() {
        let mut function = Disowned::default();
        assert_eq!(function.turn(), Turn::Sent);
        function.end();
        function.used();
        function.refused();
        for _ in 0..10_000 {
            assert_eq!(function.turn(), Turn::Stays);
        }
        assert!(function.has_ended() && !function.sends());
        assert_eq!(function.calls(), (10_001, 1));
    }

    #[test]
    fn replies_of_calls_that_were_sent_before_change_nothing() {
        let mut function = Disowned::default();
        function.turn();
        function.turn();
        function.refused();
        function.used();
        function.refused();
        assert_eq!(function.turn(), Turn::Stays);
        assert_eq!(function.calls(), (3, 2));
    }
}
