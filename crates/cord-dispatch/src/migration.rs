//! How replicas of a module pass queued calls to one another, as the plan says it.

/// When a replica sends or asks: while it has so many calls, begun or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Load {
    /// At least so many.
    pub least: usize,
    /// And at most so many.
    pub most: usize,
}

impl Load {
    /// Whether so many calls are meant.
    pub fn holds(self, calls: usize) -> bool {
        (self.least..=self.most).contains(&calls)
    }
}

/// How much of what waits moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// So many parts …
    pub parts: usize,
    /// … of so many; not 0.
    pub of: usize,
}

impl Share {
    /// So many of `waiting` calls; one at least.
    pub fn of(self, waiting: usize) -> usize {
        (waiting.saturating_mul(self.parts) / self.of).clamp(usize::from(waiting > 0), waiting)
    }
}

/// Who begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trigger {
    /// The sender, while its load is such.
    Overload(Load),
    /// The receiver, while its load is such.
    Underload(Load),
}

/// A link over which calls move one way. Replicas go by their place in the module, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Who sends.
    pub from: u32,
    /// Who receives.
    pub to: u32,
    /// When.
    pub trigger: Trigger,
    /// How much.
    pub share: Share,
}

/// Which replicas pass calls to which.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Migration {
    /// Over these links.
    Links(Vec<Rule>),
    /// Everybody to everybody: the most loaded sends, the least loaded receives.
    Full {
        /// When a replica sends.
        overload: Option<Load>,
        /// When a replica asks.
        underload: Option<Load>,
        /// How much.
        share: Share,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_rounded_down_but_one_moves_at_least() {
        let half = Share { parts: 1, of: 2 };
        assert_eq!([0, 1, 2, 3, 9].map(|calls| half.of(calls)), [0, 1, 1, 1, 4]);
        let all = Share { parts: 1, of: 1 };
        assert_eq!([0, 1, 7].map(|calls| all.of(calls)), [0, 1, 7]);
    }
}
