//! What the dispatcher decides.

use super::{CallId, Nanos, ReplicaId};
use crate::life::Illegal;
use cord_wire::loss::Cause;
use cord_wire::shortage::Shortage;

/// What the dispatcher wants done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Start a replica of this module.
    Launch {
        /// Index of the module.
        module: u32,
        /// The new replica's number.
        replica: ReplicaId,
        /// Its place in the module, from 0; that of the one which it replaces.
        slot: u32,
    },
    /// Send these calls, in one go.
    Send {
        /// To whom.
        replica: ReplicaId,
        /// In this order.
        calls: Vec<CallId>,
    },
    /// Send this call to a thread that waits for another one of its replica's.
    Enter {
        /// To which replica.
        replica: ReplicaId,
        /// The call that the thread waits for.
        wait: CallId,
        /// What it is to run meanwhile.
        call: CallId,
    },
    /// Ask for these calls back, as far as they have not begun.
    Recall {
        /// From whom.
        replica: ReplicaId,
        /// Which.
        calls: Vec<CallId>,
    },
    /// Let the replica run this call before all others that it has not begun.
    Hasten {
        /// Which replica.
        replica: ReplicaId,
        /// Which call.
        call: CallId,
    },
    /// Let a replica pass on these calls, as far as they have not begun, to another one.
    Move {
        /// Who has them.
        from: ReplicaId,
        /// Who is to have them.
        to: ReplicaId,
        /// Which.
        calls: Vec<CallId>,
    },
    /// Have an exception raised in the midst of this call, or the call handed back if it has not begun.
    Interrupt {
        /// Which replica has it.
        replica: ReplicaId,
        /// Which call.
        call: CallId,
    },
    /// End this replica.
    End {
        /// Which.
        replica: ReplicaId,
    },
    /// Close this replica's link for good.
    Close {
        /// Which replica.
        replica: ReplicaId,
    },
    /// Let this replica, which has nothing to do, come to its end by itself: its link is closed for good.
    Retire {
        /// Which.
        replica: ReplicaId,
    },
    /// The call cannot be answered.
    Lose {
        /// Which call.
        call: CallId,
        /// How it was lost.
        loss: Loss,
    },
    /// The pure call has ended as many replicas as it may be given to.
    Poison {
        /// Which call.
        call: CallId,
        /// Who has died with it, the last one last.
        replicas: Vec<ReplicaId>,
    },
    /// The call goes to a replica with others that have waited until no more came. Nothing is to be done.
    Layer {
        /// Which call.
        call: CallId,
        /// Which layer of its function's it is, from 1.
        number: u32,
        /// How many calls it has.
        count: usize,
    },
    /// The call has waited for its turn by a rate, and may go to a replica now. Nothing is to be done.
    Admit {
        /// Which call.
        call: CallId,
        /// For how long.
        waited: Nanos,
    },
    /// The call has taken as long as it may: that is its outcome.
    Expire {
        /// Which call.
        call: CallId,
        /// How long it may.
        deadline: Nanos,
    },
    /// The call is not made: what it may depend on is lost.
    Deny {
        /// Which call.
        call: CallId,
        /// How it was lost: with this replica.
        loss: Loss,
    },
    /// There is no room for a replica that would run the call.
    NoRoom {
        /// Which call.
        call: CallId,
        /// What the system said.
        shortage: Shortage,
    },
    /// The call's module cannot be loaded.
    Refuse {
        /// Which call.
        call: CallId,
        /// Its module.
        module: u32,
    },
    /// Something was to happen to a call that cannot: a mistake of Cord's, to be told loudly. The call
    /// is lost, and so are those of its replica.
    Fault {
        /// Which call.
        call: CallId,
        /// What was to happen.
        illegal: Illegal,
    },
    /// The dropped call is gone.
    Forget {
        /// Which call.
        call: CallId,
    },
    /// Nobody needs the value of this call any more.
    Release {
        /// Which call.
        call: CallId,
        /// Who has the value, or may have asked for it.
        replicas: Vec<ReplicaId>,
    },
}

/// How a call was lost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Loss {
    /// The last replica lost; 0 if there was none.
    pub replica: ReplicaId,
    /// How many replicas died while they had the call.
    pub tries: u32,
    /// Whether it may have had effects.
    pub may_have_run: bool,
    /// With what.
    pub cause: Cause,
}

impl Loss {
    /// That of what a replica had.
    pub(super) fn of(replica: ReplicaId) -> Loss {
        Loss {
            replica,
            ..Loss::default()
        }
    }
}

/// What the dispatcher of a module wants to hear of at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heed {
    /// That a call was issued.
    pub issued: bool,
    /// That the program waits for this call or a younger one.
    pub demanded: CallId,
    /// A replica has nothing to do, and nothing waits for it.
    pub idle: bool,
    /// How many replicas there are; none if there are none and none can be started now.
    pub staff: Option<u32>,
}

/// A replica said something about a call that it does not have.
#[derive(Debug, PartialEq, Eq)]
pub struct Violation(pub CallId);
