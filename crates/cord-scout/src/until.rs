//! The end of the time that a scout is given while the program could go on.

use std::time::{Duration, Instant};

use cord_os::threads::thread_time;

/// The end of that time. What the kernel gives to others meanwhile does not count: a scout that is held
/// up so would be no earlier than the program.
pub struct Until {
    end: Instant,
    used: Duration,
    budget: Duration,
}

impl Until {
    /// So long from now on.
    pub fn after(budget: Duration) -> Self {
        Self::begun(Instant::now(), thread_time(), budget)
    }

    fn begun(now: Instant, used: Duration, budget: Duration) -> Self {
        Self {
            end: now + budget,
            used,
            budget,
        }
    }

    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        self.is_over_at(Instant::now(), thread_time)
    }

    /// Whether it is over at that time, when the thread has run for so long.
    fn is_over_at(&self, now: Instant, used: impl FnOnce() -> Duration) -> bool {
        now >= self.end && used().saturating_sub(self.used) >= self.budget
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_given_to_others_does_not_count() {
        let ms = Duration::from_millis;
        let now = Instant::now();
        let until = Until::begun(now, ms(7), ms(10));
        assert!(!until.is_over_at(now + ms(9), || ms(16)));
        assert!(
            !until.is_over_at(now + ms(30), || ms(16)),
            "it had no processor"
        );
        assert!(until.is_over_at(now + ms(30), || ms(17)));
    }
}
