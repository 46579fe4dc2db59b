//! Helpers that scouts go into: whether what they call there is what the program calls. An effect that a
//! scout passes by may have changed what the helper reads, and each time all calls in it are in vain.

use std::sync::atomic::{AtomicU32, Ordering};

/// So many times the program goes into a helper by itself, once a scout was wrong about it.
const FIRST_PAUSE: u32 = 16;
/// And twice as many times after each further one, but no more than this.
const LONGEST_PAUSE: u32 = 1024;

/// Of one call of a helper in the program's text. It is written by whoever has the interpreter's lock.
#[derive(Default)]
pub struct Entering {
    pause: AtomicU32,
    next_pause: AtomicU32,
}

impl Entering {
    /// Whether scouts go in.
    pub fn is_worth_it(&self) -> bool {
        self.pause.load(Ordering::Relaxed) == 0
    }

    /// The program's first call in the helper was one that a scout had made there.
    pub fn right(&self) {
        self.pause.store(0, Ordering::Relaxed);
        self.next_pause.store(0, Ordering::Relaxed);
    }

    /// It was another one. Scouts may have gone in several times before that was known.
    pub fn wrong(&self) {
        if self.is_worth_it() {
            let pause = self.next_pause.load(Ordering::Relaxed).max(FIRST_PAUSE);
            self.pause.store(pause, Ordering::Relaxed);
            let next = pause.saturating_mul(2).min(LONGEST_PAUSE);
            self.next_pause.store(next, Ordering::Relaxed);
        }
    }

    /// The program goes in, and no scout was there.
    pub fn passes(&self) {
        let pause = self.pause.load(Ordering::Relaxed);
        self.pause.store(pause.saturating_sub(1), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many times the program goes in by itself, once a scout was wrong.
    fn passed(entering: &Entering) -> u32 {
        entering.wrong();
        let mut passed = 0;
        while !entering.is_worth_it() {
            entering.passes();
            passed += 1;
        }
        passed
    }

    #[test]
    fn scouts_go_in_until_they_are_wrong_and_then_less_and_less_often() {
        let entering = Entering::default();
        assert!(entering.is_worth_it());
        let pauses: Vec<u32> = (0..10).map(|_| passed(&entering)).collect();
        assert_eq!(pauses[..3], [FIRST_PAUSE, 32, 64]);
        assert_eq!(pauses[9], LONGEST_PAUSE);
        entering.right();
        assert_eq!(passed(&entering), FIRST_PAUSE);
    }

    #[test]
    fn several_that_were_wrong_at_once_count_once() {
        let entering = Entering::default();
        entering.wrong();
        assert_eq!(passed(&entering), FIRST_PAUSE);
    }
}
