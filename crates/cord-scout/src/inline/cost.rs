//! What shipping a call costs the program.

use std::ops::Add;
use std::time::Duration;

use super::{nanos, SHORT};

/// What the program has spent on a shipped call.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cost {
    /// From asking for its value until that was there.
    pub elapsed: Duration,
    /// For so much of that the program has computed. Not known of short calls, where looking costs too
    /// much, nor where replicas are on other machines: there, waiting is what sending costs.
    pub computing: Option<Duration>,
    /// It was under way when the program came to it.
    pub ahead: bool,
}

impl Cost {
    /// What of it making the call in the client would have saved, but for what the call itself takes.
    pub(super) fn price(self, service: u64) -> u64 {
        let elapsed = nanos(self.elapsed);
        match self.computing.map(nanos) {
            Some(computing) if self.ahead => computing,
            Some(computing) if service > SHORT => elapsed.min(computing.saturating_add(service)),
            _ => elapsed,
        }
    }

    /// What it was in the whole run, in which replicas also begin.
    pub(super) fn whole(self) -> u64 {
        let computing = self.computing.filter(|_| self.ahead);
        nanos(computing.unwrap_or(self.elapsed))
    }
}

impl Add for Cost {
    type Output = Cost;

    /// What was spent on one call at two times.
    fn add(self, more: Cost) -> Cost {
        let both = self.computing.zip(more.computing);
        Cost {
            elapsed: self.elapsed + more.elapsed,
            computing: both.map(|(one, other)| one + other),
            ahead: self.ahead || more.ahead,
        }
    }
}
