//! One thing that has happened in a run, as plain data.

use cord_dispatch::dispatcher::{CallId, Nanos, ReplicaId};

/// Something, and when: nanoseconds since the session began, by the client's clock.
#[derive(Debug, Clone, PartialEq)]
pub struct Stamped {
    /// When.
    pub at: Nanos,
    /// What.
    pub what: Record,
}

/// Something that has happened. Modules are numbered as in the plan, places (call sites, or functions of
/// which no site tells the calls apart) as the text at the end lists them, threads of the program in the
/// order in which they have made calls.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    /// The program has issued a call: itself, or by a scout, or by a copy.
    Issued {
        /// The call.
        call: CallId,
        /// Its module.
        module: u32,
        /// Its manner there.
        manner: u32,
        /// 0 pure, 1 independent, 2 stateful.
        effects: u8,
        /// Whether its value is kept for other calls.
        keeps: bool,
        /// Whether it only gets a replica ready.
        beside: bool,
        /// What its priority is made from, as it travels; `None` for the usual one.
        priority: Option<u64>,
        /// Bytes of its arguments.
        bytes: u64,
        /// Calls whose kept values it is given.
        needs: Vec<CallId>,
    },
    /// A replica has issued a call.
    Nested {
        /// The call.
        call: CallId,
        /// Its module.
        module: u32,
        /// As above.
        effects: u8,
        /// Who makes it.
        from: ReplicaId,
        /// The call that runs there; 0 if that has ended.
        parent: CallId,
    },
    /// The call was made at this place of the program.
    Placed {
        /// The call.
        call: CallId,
        /// The place.
        place: u32,
    },
    /// The program waits for this call from now on.
    Demanded(CallId),
    /// Nobody will take this call.
    Dropped(CallId),
    /// The program has been at a place, until now: with a call, or with one that was not sent.
    Took {
        /// The program's thread.
        thread: u32,
        /// The place.
        place: u32,
        /// The call that answered; 0 if none was sent.
        call: CallId,
        /// For how long.
        spent: Nanos,
    },
    /// These calls were sent, in one frame.
    Sent {
        /// To whom.
        replica: ReplicaId,
        /// Which.
        calls: Vec<CallId>,
    },
    /// This call was sent, to be run on top of one that waits.
    Entered {
        /// To whom.
        replica: ReplicaId,
        /// Which.
        call: CallId,
        /// The one that waits.
        wait: CallId,
    },
    /// A reply has come.
    Replied {
        /// From whom.
        replica: ReplicaId,
        /// To which call.
        call: CallId,
        /// How long it took there, without waiting for a core.
        service: Nanos,
        /// How large it is.
        bytes: u64,
    },
    /// A call has been answered whose value is kept.
    Kept {
        /// From whom.
        replica: ReplicaId,
        /// Which call.
        call: CallId,
        /// How long it took there.
        service: Nanos,
        /// How large the value is.
        bytes: u64,
        /// Whether it stays there.
        at_home: bool,
    },
    /// A call has run, by the clock of the replica's machine, of which only the difference between two
    /// times is known: nanoseconds since the session's begin, if that machine is the client's.
    Ran {
        /// Where.
        replica: ReplicaId,
        /// Which.
        call: CallId,
        /// From when.
        began: i64,
        /// Until when.
        ended: i64,
        /// For how long of that its thread has used a core.
        used: Nanos,
    },
    /// A replica was asked for.
    Launched {
        /// Of this module.
        module: u32,
        /// Its number.
        replica: ReplicaId,
        /// Its place in the module.
        slot: u32,
    },
    /// A replica is on this node, if it is not on the client's machine. Names may be equal, numbers are not.
    Lives {
        /// Its number.
        replica: ReplicaId,
        /// The node's.
        node: u32,
        /// The node's name.
        name: String,
    },
    /// A replica can take calls.
    Ready(ReplicaId),
    /// A replica cannot load its module.
    LoadFailed(ReplicaId),
    /// A replica has died: 0 exited, 1 killed, 2 disconnected, 3 silent.
    Died(ReplicaId, u8),
    /// A replica is ended.
    Ended(ReplicaId),
    /// These calls are asked back.
    Recalled {
        /// From whom.
        replica: ReplicaId,
        /// Which.
        calls: Vec<CallId>,
    },
    /// These calls have come back unbegun: asked back, interrupted, unread or unmet.
    Returned {
        /// From whom.
        replica: ReplicaId,
        /// Which.
        calls: Vec<CallId>,
    },
    /// These calls are to be passed on by one replica to another.
    Moving {
        /// From whom.
        from: ReplicaId,
        /// To whom.
        to: ReplicaId,
        /// Which.
        calls: Vec<CallId>,
    },
    /// These have been passed on.
    Moved {
        /// By whom.
        replica: ReplicaId,
        /// Which.
        calls: Vec<CallId>,
    },
    /// A call will not be answered.
    Lost(CallId),
    /// A call was answered with an exception after which it is to be tried again.
    Failed {
        /// By whom.
        replica: ReplicaId,
        /// Which call.
        call: CallId,
        /// How long it took there.
        service: Nanos,
    },
    /// A call has waited for its turn by a rate, until now.
    Admitted {
        /// Which call.
        call: CallId,
        /// For how long.
        waited: Nanos,
    },
    /// A call has taken longer than it may: that is its outcome.
    Expired(CallId),
    /// A call was sent a second time, while it runs elsewhere; who answers first says what comes of it.
    Hedged {
        /// To whom.
        replica: ReplicaId,
        /// Which call.
        call: CallId,
    },
    /// A scout was born at a place.
    Scouted {
        /// Where.
        place: u32,
    },
    /// A copy of the program was made, which took so long.
    Copied {
        /// For how long the program stood still.
        cost: Nanos,
    },
    /// Content that replicas keep was sent along with a call, so many bytes.
    Supplied {
        /// To whom.
        replica: ReplicaId,
        /// With which call.
        call: CallId,
        /// How much.
        bytes: u64,
    },
}
