//! What the dispatcher knows of one call.

use super::forward::Part;
use super::lanes::Slot;
use super::tended::Tended;
use super::{CallId, ReplicaId};
use crate::life::{Life, State};
use cord_wire::effects::Effects;
use cord_wire::priority::Priority;

/// A call that the client makes.
#[derive(Debug, Clone, PartialEq)]
pub struct Issue {
    /// Its number; they grow with each.
    pub call: CallId,
    /// Index of its module.
    pub module: u32,
    /// What it does besides giving a value.
    pub effects: Effects,
    /// Index of its manner in the module.
    pub manner: u32,
    /// Where it stands among those that wait.
    pub priority: Priority,
    /// Whether it only gets a replica ready: none is made for it.
    pub beside: bool,
    /// Bytes of its arguments.
    pub bytes: usize,
    /// Whether its value is kept for other calls, until [`super::Dispatcher::let_go`].
    pub keeps: bool,
    /// Calls whose kept values it is given.
    pub needs: Vec<CallId>,
}

impl Issue {
    /// A call in the module's first manner, like any other.
    pub fn plain(call: CallId, module: u32, pure_call: bool) -> Issue {
        Issue {
            call,
            module,
            effects: Effects::of(pure_call),
            manner: 0,
            priority: Priority::default(),
            beside: false,
            bytes: 0,
            keeps: false,
            needs: Vec::new(),
        }
    }
}

/// A call that has not ended.
#[derive(Debug, Clone)]
pub struct Call {
    pub module: u32,
    pub manner: u32,
    pub priority: Priority,
    pub bytes: usize,
    /// The only replica that it may go to, by its slot.
    pub lane: Option<Slot>,
    pub life: Life,
    /// It may leave something in its replica, and depend on what others have left there.
    pub stateful: bool,
    pub demanded: bool,
    /// No replica is made for it.
    pub beside: bool,
    pub suspect: bool,
    pub at: Option<ReplicaId>,
    /// The replica to which that one is to pass it on.
    pub heading: Option<ReplicaId>,
    /// The replica that made it; none if the client did.
    pub origin: Option<Origin>,
    /// Nobody will take a call that led to it.
    pub vain: bool,
    /// Its part in a chain of calls, if it has one.
    pub part: Option<Box<Part>>,
    /// How it is taken care of, if the plan says anything of that.
    pub tended: Option<Box<Tended>>,
}

impl Call {
    /// What stands before others: no priority counts among those that the program waits for.
    pub fn rank(&self) -> Priority {
        if self.demanded {
            Priority::default()
        } else {
            self.priority
        }
    }

    /// Whether nothing comes of it, however it ends.
    pub fn is_in_vain(&self) -> bool {
        self.vain || self.life.state() == State::Dropped
    }
}

/// Where a nested call comes from.
#[derive(Debug, Clone, Copy)]
pub struct Origin {
    pub replica: ReplicaId,
    /// The call that was running there.
    pub parent: Option<CallId>,
}
