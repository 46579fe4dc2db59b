//! How calls are handled, as the plan says it: what holds for all calls of one kind.

use std::sync::Arc;
use std::time::Duration;

use cord_sync::budget::Budget;

/// How calls of one kind are sent to replicas. A module's calls may be of several kinds: by function,
/// or by the module of the program that makes them.
#[derive(Debug, Clone, Default)]
pub struct Manner {
    /// A replica gets such a call only while it has fewer calls than this; none: as many as hide
    /// the latency, by the service times that are measured.
    pub watermark: Option<usize>,
    /// How many go into one frame.
    pub batch: Batch,
    /// A share for each replica, by which calls are assigned when they are issued; none: calls go
    /// to whoever has room.
    pub shares: Option<Vec<u32>>,
    /// How much of it may be out ahead of the program.
    pub budget: Arc<Budget>,
    /// What goes for functions that wait for others; none: nothing of that.
    pub care: Option<Arc<Care>>,
}

/// How calls of functions that wait for others, such as services, are made.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Care {
    /// How long a call may take, from the start of service.
    pub deadline: Option<Duration>,
    /// How often a pure call is repeated: when its replica is lost, or when that says that its exception
    /// is one to be tried again. None: as often as where nothing is said, for losses alone.
    pub retries: Option<u32>,
    /// When a pure call is made a second time elsewhere while it runs.
    pub hedge: Option<Hedge>,
    /// Through which of the module's gates its calls go.
    pub gate: Option<usize>,
}

/// From when on a call that runs is worth a second one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Hedge {
    /// Once it takes longer than this part of those before, from 0 to 1.
    Quantile(f64),
    /// Once it takes longer than this.
    After(Duration),
}

/// What calls go through before they may go to a replica.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GateSpec {
    /// Which of the module's rates they keep.
    pub rate: Option<usize>,
    /// How many of them one call may serve; 1: each is made by itself.
    pub group: usize,
    /// Calls wait until no more come: all of a layer go together.
    pub layered: bool,
}

/// So many starts in so long a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// How many.
    pub calls: f64,
    /// In how long.
    pub per: Duration,
}

/// How many calls go into one frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Batch {
    /// As many as make some hundred microseconds of work, by the service times that are measured.
    #[default]
    Auto,
    /// So many.
    Calls(usize),
    /// As many as fit so many bytes of arguments, one at least.
    Bytes(usize),
}
