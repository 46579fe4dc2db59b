//! Looking out for a moment before going to sleep.
//!
//! To be woken takes some tens of microseconds where a core has gone idle. Who expects an answer
//! sooner than that does better to look for it; who is wrong about that keeps a core from others. So
//! each failure makes it rarer, and most of all where the kernel has taken the core away meanwhile.

use std::time::{Duration, Instant};

/// What a spin takes at most.
const LONGEST: Duration = Duration::from_micros(50);
/// One that took longer had no core for some of the time.
const TAKEN: Duration = Duration::from_micros(200);
/// Looks between two looks at the clock.
const LOOKS: u32 = 16;
/// After failures so many times at most it is not tried.
const LONGEST_PAUSE: u32 = 255;

/// Whether it has paid lately.
#[derive(Debug, Default)]
pub struct Spin {
    failures: u32,
    pause: u32,
}

impl Spin {
    /// Looks for a while; whether what is waited for has come.
    pub fn until(&mut self, has_come: impl FnMut() -> bool) -> bool {
        let began = Instant::now();
        self.until_by(|| began.elapsed(), has_come)
    }

    fn until_by(
        &mut self,
        elapsed: impl Fn() -> Duration,
        mut has_come: impl FnMut() -> bool,
    ) -> bool {
        if self.pause > 0 {
            self.pause -= 1;
            return has_come();
        }
        let mut came = false;
        loop {
            for _ in 0..LOOKS {
                came = has_come();
                if came {
                    break;
                }
                std::hint::spin_loop();
            }
            if came || elapsed() >= LONGEST {
                break;
            }
        }
        let core_was_taken = elapsed() > TAKEN;
        if came && !core_was_taken {
            self.failures = 0;
        } else {
            self.failures = self.failures.saturating_add(1);
            let pause = 1_u32.checked_shl(self.failures).unwrap_or(LONGEST_PAUSE);
            self.pause = if core_was_taken { LONGEST_PAUSE } else { pause }.min(LONGEST_PAUSE);
        }
        came
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// How often it looks while nothing comes, where each look at the clock takes so long.
    fn looks(spin: &mut Spin, step: Duration) -> u32 {
        let (now, looks) = (Cell::new(Duration::ZERO), Cell::new(0));
        let elapsed = || {
            now.set(now.get() + step);
            now.get()
        };
        let came = spin.until_by(elapsed, || {
            looks.set(looks.get() + 1);
            false
        });
        assert!(!came);
        looks.get()
    }

    #[test]
    fn what_comes_soon_is_seen() {
        let mut spin = Spin::default();
        let mut left = 100;
        let soon = || {
            left -= 1;
            left == 0
        };
        assert!(spin.until_by(|| Duration::ZERO, soon));
        assert_eq!(spin.pause, 0);
    }

    #[test]
    fn failures_make_it_rarer_and_a_success_makes_it_usual_again() {
        let (mut spin, step) = (Spin::default(), Duration::from_micros(10));
        let tried: Vec<bool> = (0..11).map(|_| looks(&mut spin, step) > 1).collect();
        let expected = [1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0].map(|tried| tried == 1);
        assert_eq!(tried, expected);
        while spin.pause > 0 {
            looks(&mut spin, step);
        }
        assert!(spin.until_by(|| Duration::ZERO, || true));
        assert!(looks(&mut spin, step) > 1);
    }

    #[test]
    fn it_is_let_be_where_the_core_is_wanted_by_others() {
        let mut spin = Spin::default();
        assert!(looks(&mut spin, Duration::from_millis(3)) <= LOOKS);
        assert_eq!(spin.pause, LONGEST_PAUSE);
    }
}
