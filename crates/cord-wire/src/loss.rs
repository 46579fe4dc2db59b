//! How calls are lost.

use crate::payload::Payload;

/// The process of a replica that is gone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Fallen {
    /// Its process id; 0 if there was none.
    pub pid: u32,
    /// Its wait status as from `waitpid`, if known.
    pub status: Option<i32>,
    /// If it was ended for that: how much memory it had.
    pub beyond: Option<Beyond>,
}

/// More memory than the plan allows, in KiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Beyond {
    /// How much it was.
    pub peak: u32,
    /// How much is allowed.
    pub limit: u32,
}

/// Modules by index of which something was lost that no call was told of, and with which process.
pub type Untold = Vec<(u32, Fallen)>;

/// What a call is lost with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Cause {
    /// A replica that had it.
    #[default]
    Replica,
    /// As many replicas as it may be given to, one after the other: it is taken to have ended them.
    Call,
    /// The value of another call, which it needed.
    Value,
    /// A mistake of Cord's.
    Fault,
    /// What starts replicas: it is gone, and all of them with it.
    Launcher,
}

/// What is known of a call that is lost.
#[derive(Debug, Default)]
pub struct Lost {
    /// The processes that it is lost with; the last one is last.
    pub fallen: Vec<Fallen>,
    /// How many replicas died while they had it.
    pub tries: u32,
    /// Whether it may have had effects.
    pub may_have_run: bool,
    /// With what.
    pub cause: Cause,
    /// What was called, with its arguments, where that is little.
    pub call: Option<Payload>,
}

impl Lost {
    /// The process that was lost last.
    pub fn last(&self) -> Fallen {
        self.fallen.last().copied().unwrap_or_default()
    }
}
