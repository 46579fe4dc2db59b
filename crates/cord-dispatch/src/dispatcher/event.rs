//! What the dispatcher hears of, as plain data: it can be written down, and played back. One thing
//! is not told but looked at: how many bytes of replies wait for the program ([`cord_sync::budget::Budget`]).

use std::time::Duration;

use super::{Action, CallId, Dispatcher, Issue, Nanos, ReplicaId, Violation};
use crate::life::Delivery;
use cord_wire::effects::Effects;
use cord_wire::shortage::Shortage;

/// Something has happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The client makes a call.
    Issued(Issue),
    /// A replica makes a call, and waits for it.
    Nested {
        /// The call.
        call: CallId,
        /// Index of its module.
        module: u32,
        /// Index of its manner there.
        manner: u32,
        /// What it does besides giving a value.
        effects: Effects,
        /// The replica that makes it.
        from: ReplicaId,
        /// The call that runs there; 0 if that has ended.
        parent: CallId,
    },
    /// A call is to be made again, to see whether it gives the same.
    Again {
        /// As if it were a new one.
        issue: Issue,
        /// By this replica.
        to: ReplicaId,
    },
    /// The program waits for this call now.
    Demanded(CallId),
    /// Nobody will take this call.
    Dropped(CallId),
    /// Whoever waits for this call was interrupted.
    Interrupted(CallId),
    /// Nobody waits any longer for this call to end by itself.
    GivenUp(CallId),
    /// The program will not pass the value of this call on any more.
    LetGo(CallId),
    /// All replicas of this module are told to load it, or to load it again.
    Loading {
        /// Index of the module.
        module: u32,
    },
    /// There was no room for this replica.
    NotLaunched {
        /// Which.
        replica: ReplicaId,
        /// What the system said.
        shortage: Shortage,
    },
    /// The replica can take calls.
    Ready {
        /// Which.
        replica: ReplicaId,
    },
    /// The replica cannot load its module: it is of no use.
    LoadFailed {
        /// Which.
        replica: ReplicaId,
    },
    /// The replica is gone, or as good as gone.
    Died {
        /// Which.
        replica: ReplicaId,
        /// In what way.
        death: Death,
    },
    /// The replica has said its last word, and ends: what a call has left there is not for others.
    Spent {
        /// Which.
        replica: ReplicaId,
    },
    /// The replica has come to so much memory that another one is to take its place between two calls.
    Worn {
        /// Which.
        replica: ReplicaId,
    },
    /// Nothing is heard of the replica for now, though it may well go on; or it is heard of again.
    Away {
        /// Which.
        replica: ReplicaId,
        /// Whether it is so from now on.
        is_away: bool,
    },
    /// Replicas live on so many cores now, more than before.
    Grown {
        /// On how many, together.
        cores: u32,
    },
    /// No replica can be started any more. Those that live may go on.
    LauncherGone,
    /// The replica answered a call.
    Replied {
        /// Which replica.
        replica: ReplicaId,
        /// Which call.
        call: CallId,
        /// How long it took there.
        service: Nanos,
        /// How large the reply is.
        bytes: usize,
    },
    /// The replica answered a call with an exception that the plan names as one to be tried again.
    Failed {
        /// Which replica.
        replica: ReplicaId,
        /// Which call.
        call: CallId,
        /// How long it took there.
        service: Nanos,
        /// How large the reply is.
        bytes: usize,
        /// How long it is to pause at least.
        after: Duration,
    },
    /// The replica answered a call whose value is kept for other calls.
    Kept {
        /// Which replica.
        replica: ReplicaId,
        /// Which call.
        call: CallId,
        /// How long it took there.
        service: Nanos,
        /// How large the value is.
        bytes: usize,
        /// Whether the value stays there; else the client has it.
        at_home: bool,
    },
    /// The replica answered a recall: these have not begun and never will there.
    Returned {
        /// Which replica.
        replica: ReplicaId,
        /// Which calls.
        calls: Vec<CallId>,
    },
    /// The replica had not begun these interrupted calls, and never will.
    Withdrawn {
        /// Which replica.
        replica: ReplicaId,
        /// Which calls.
        calls: Vec<CallId>,
    },
    /// The replica has ended before it had read these calls, as far as it has them.
    Unread {
        /// Which replica.
        replica: ReplicaId,
        /// Which calls.
        calls: Vec<CallId>,
    },
    /// The replica has calls that it cannot run: a value that they need will not come.
    Unmet {
        /// Which replica.
        replica: ReplicaId,
        /// Which calls.
        calls: Vec<CallId>,
    },
    /// The replica has passed these calls on, of those that it was to; the others stay.
    Moved {
        /// Which replica.
        replica: ReplicaId,
        /// Which calls.
        calls: Vec<CallId>,
    },
}

/// How a replica is seen to have died. Its link and its process end in any order; what the link still
/// holds is read first, so that the end of one is waited for after the other's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Death {
    /// Its process has ended by itself.
    Exited,
    /// Its process was ended.
    Killed,
    /// Its link is closed.
    Disconnected,
    /// Nothing was heard of it for too long, and nothing will be.
    Silent,
}

/// Sees all that a dispatcher hears and does, in order.
pub trait Tap: std::fmt::Debug + Send {
    /// It is told of this.
    fn heard(&mut self, at: Nanos, event: &Event);
    /// It was asked what to do, and wants this done.
    fn decided(&mut self, at: Nanos, actions: &[Action]);
}

impl Dispatcher {
    /// Something has happened. Whether what came with it is to be given to whoever holds the call:
    /// that is said of replies only.
    ///
    /// # Errors
    /// If a replica speaks of a call that it does not have: its link is of no use any more.
    pub fn handle(&mut self, at: Nanos, event: Event) -> Result<Delivery, Violation> {
        if let Some(tap) = &mut self.tap {
            tap.heard(at, &event);
        }
        if self.tends {
            self.agenda.now = at;
        }
        match event {
            Event::Replied {
                replica,
                call,
                service,
                bytes,
            } => return self.replied(at, replica, call, service, bytes),
            Event::Failed {
                replica,
                call,
                service,
                bytes,
                after,
            } => return self.failed(at, replica, call, service, bytes, after),
            Event::Kept {
                replica,
                call,
                service,
                bytes,
                at_home,
            } => return self.kept(at, replica, call, service, bytes, at_home),
            Event::Issued(issue) => self.enqueue(issue, None),
            Event::Again { issue, to } => self.make_again(at, issue, to),
            Event::Demanded(call) => self.demanded(call),
            Event::Dropped(call) => self.dropped(call),
            Event::Nested {
                call,
                module,
                manner,
                effects,
                from,
                parent,
            } => {
                let issue = Issue {
                    effects,
                    manner,
                    ..Issue::plain(call, module, false)
                };
                self.nested(at, issue, from, parent);
            }
            Event::Interrupted(call) => self.interrupted(call),
            Event::GivenUp(call) => self.given_up(call),
            Event::LetGo(call) => self.let_go(call),
            Event::Loading { module } => self.loading(at, module),
            Event::NotLaunched { replica, shortage } => self.not_launched(at, replica, shortage),
            Event::Ready { replica } => self.ready(at, replica),
            Event::LoadFailed { replica } => self.load_failed(at, replica),
            Event::Died { replica, death } => self.died(at, replica, death),
            Event::Away { replica, is_away } => self.away(replica, is_away),
            Event::Spent { replica } => self.spent(replica),
            Event::Worn { replica } => self.worn(replica),
            Event::Grown { cores } => {
                for module in &mut self.modules {
                    module.have_cores(cores);
                }
            }
            Event::LauncherGone => self.launcher_gone = true,
            Event::Returned { replica, calls } => self.returned(at, replica, &calls)?,
            Event::Withdrawn { replica, calls } => self.withdrawn(at, replica, &calls)?,
            Event::Unread { replica, calls } => self.unread(replica, &calls),
            Event::Unmet { replica, calls } => self.unmet(at, replica, &calls)?,
            Event::Moved { replica, calls } => self.moved(at, replica, &calls)?,
        }
        Ok(Delivery::Discard)
    }
}
