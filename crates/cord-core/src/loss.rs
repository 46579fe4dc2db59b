//! How calls are lost.

/// The process of a replica that is gone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Fallen {
    /// Its process id; 0 if there was none.
    pub pid: u32,
    /// Its wait status as from `waitpid`, if known.
    pub status: Option<i32>,
}

/// Modules by index of which something was lost that no call was told of, and with which process.
pub type Untold = Vec<(u32, Fallen)>;

/// What a call is lost with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Cause {
    /// A replica that had it.
    #[default]
    Replica,
    /// The value of another call, which it needed.
    Value,
    /// A mistake of Cord's.
    Fault,
    /// What starts replicas: it is gone, and all of them with it.
    Launcher,
}
