//! Which replica gets which call, when, in what order, with how many others.
//!
//! A pure state machine: events go in by the methods of [`Dispatcher`], each with the time at
//! which it happened, and [`Dispatcher::decide`] says what to do. It touches no socket, no thread
//! and no clock, so that its policy can be tried out with simulated replicas.

mod action;
#[cfg(test)]
mod chaos;
#[cfg(test)]
mod dice;
mod ids;
mod nested;
#[cfg(test)]
mod nested_tests;
#[cfg(test)]
mod nested_world;
mod policy;
mod queue;
mod replica;
mod staff;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

pub use action::{Action, Heed, Loss, Violation};
pub(crate) use ids::IdMap;

use crate::life::{Delivery, Fate, Life, State};
use queue::{Place, Queue};
use replica::Replica;

/// A call, numbered in the order of issue.
pub type CallId = u64;
/// A replica, numbered in the order of launch; never used twice.
pub type ReplicaId = u32;
/// Nanoseconds since the session started.
pub type Nanos = u64;

const MICRO: Nanos = 1000;
const MILLI: Nanos = 1000 * MICRO;

#[derive(Debug)]
struct Call {
    module: u32,
    life: Life,
    demanded: bool,
    suspect: bool,
    at: Option<ReplicaId>,
    /// The replica that made it; none if the client did.
    origin: Option<Origin>,
    /// Nobody will take a call that led to it.
    vain: bool,
}

impl Call {
    fn place(&self, id: CallId) -> Place {
        Place::new(id, self.demanded, self.suspect, self.origin.is_some())
    }

    /// Whether nothing comes of it, however it ends.
    fn is_in_vain(&self) -> bool {
        self.vain || self.life.state() == State::Dropped
    }
}

/// Where a nested call comes from.
#[derive(Debug, Clone, Copy)]
struct Origin {
    replica: ReplicaId,
    /// The call that was running there.
    parent: Option<CallId>,
}

#[derive(Debug)]
struct Module {
    wanted: u32,
    live: u32,
    queue: Queue,
    /// Ready replicas that take more calls, the least loaded first.
    open: BTreeSet<(usize, ReplicaId)>,
    /// Ready replicas with calls that wait behind others, by load.
    stacked: BTreeSet<(usize, ReplicaId)>,
    /// Replicas that run a dropped call.
    wasted: BTreeSet<ReplicaId>,
    /// How many replicas are ready.
    serving: usize,
    /// Those with a thread that only waits, by the number of calls that they run meanwhile.
    waiting: BTreeSet<(usize, ReplicaId)>,
    /// How many replicas have a recall to answer.
    recalls: usize,
    unavailable: bool,
    failed_starts: u32,
    idle_deaths: u32,
    last_loss: Loss,
}

/// The dispatcher of a session.
#[derive(Debug)]
pub struct Dispatcher {
    modules: Vec<Module>,
    calls: IdMap<CallId, Call>,
    replicas: IdMap<ReplicaId, Replica>,
    next_replica: ReplicaId,
    /// Replicas whose link or process has ended, by when they are given up.
    ending: BTreeSet<(Nanos, ReplicaId)>,
    /// Replicas to be filed anew.
    dirty: Vec<ReplicaId>,
    /// Replicas that have dropped calls which they need not begin.
    unwanted: BTreeSet<ReplicaId>,
    /// How many replicas have calls and get on with them by themselves.
    running: usize,
    engine_gone: bool,
    timer: Option<Nanos>,
    actions: Vec<Action>,
}

impl Dispatcher {
    /// A dispatcher for modules with so many replicas each. The first [`Dispatcher::decide`] asks
    /// for them.
    pub fn new(replicas: impl IntoIterator<Item = u32>) -> Dispatcher {
        let module = |wanted| Module {
            wanted,
            live: 0,
            queue: Queue::default(),
            open: BTreeSet::new(),
            stacked: BTreeSet::new(),
            wasted: BTreeSet::new(),
            serving: 0,
            waiting: BTreeSet::new(),
            recalls: 0,
            unavailable: false,
            failed_starts: 0,
            idle_deaths: 0,
            last_loss: Loss::default(),
        };
        Dispatcher {
            modules: replicas.into_iter().map(module).collect(),
            calls: IdMap::default(),
            replicas: IdMap::default(),
            next_replica: 1,
            ending: BTreeSet::new(),
            dirty: Vec::new(),
            unwanted: BTreeSet::new(),
            running: 0,
            engine_gone: false,
            timer: None,
            actions: Vec::new(),
        }
    }

    /// A call was issued. Ids grow with each.
    pub fn issued(&mut self, call: CallId, module: u32, pure_call: bool) {
        if self.modules[module as usize].unavailable {
            self.actions.push(Action::Refuse { call, module });
            return;
        }
        self.enqueue(call, module, pure_call, None);
    }

    fn enqueue(&mut self, id: CallId, module: u32, pure_call: bool, origin: Option<Origin>) {
        let call = Call {
            module,
            life: Life::new(pure_call),
            demanded: origin.is_some(),
            suspect: false,
            at: None,
            vain: origin
                .and_then(|origin| self.calls.get(&origin.parent?))
                .is_some_and(|parent| parent.life.is_pure() && parent.is_in_vain()),
            origin,
        };
        self.modules[module as usize].queue.insert(call.place(id));
        self.calls.insert(id, call);
    }

    /// The call has come to its end: nobody waits for it any more.
    fn end_call(&mut self, id: CallId) -> Option<Call> {
        let call = self.calls.remove(&id)?;
        if let Some(origin) = call.origin {
            if let Some(replica) = self.replicas.get_mut(&origin.replica) {
                replica.stop_waiting(id);
                self.soil(origin.replica);
            }
        }
        Some(call)
    }

    /// The program waits for this call now.
    pub fn demanded(&mut self, id: CallId) {
        let Some(call) = self.calls.get_mut(&id) else {
            return;
        };
        let before = call.place(id);
        call.demanded = true;
        if call.life.is_waiting() {
            let queue = &mut self.modules[call.module as usize].queue;
            queue.remove(before);
            queue.insert(call.place(id));
        }
    }

    /// Nobody will take this call.
    pub fn dropped(&mut self, id: CallId) {
        let Some(call) = self.calls.get_mut(&id) else {
            return;
        };
        match call.life.drop_call() {
            Ok(true) => {
                let place = call.place(id);
                self.modules[call.module as usize].queue.remove(place);
                self.end_call(id);
                self.actions.push(Action::Forget { call: id });
            }
            Ok(false) => {
                let Some(at) = call.at else { return };
                let pure_call = call.life.is_pure();
                if let Some(replica) = self.replicas.get_mut(&at) {
                    if pure_call && !replica.begun().any(|begun| begun == id) {
                        replica.unwanted.push(id);
                        self.unwanted.insert(at);
                    }
                    self.soil(at);
                    if pure_call {
                        self.led_to_nothing(at, id);
                    }
                }
            }
            Err(_) => {} // dropped before
        }
    }

    /// The replica answered a call that took `service` there.
    ///
    /// # Errors
    /// If the replica does not have that call: its link is of no use any more.
    pub fn replied(
        &mut self,
        id: ReplicaId,
        call: CallId,
        service: Nanos,
    ) -> Result<Delivery, Violation> {
        let replica = self.replicas.get_mut(&id).ok_or(Violation(call))?;
        if !replica.leave(call) {
            take_out(replica, call, false)?;
            replica.exclusive = false;
        }
        replica.measure(service);
        replica.has_served = true;
        self.modules[replica.module as usize].idle_deaths = 0;
        self.soil(id);
        let mut ended = self.end_call(call).ok_or(Violation(call))?;
        ended.life.reply().map_err(|_| Violation(call))
    }

    /// The replica answered a recall: these have not begun and never will there.
    ///
    /// # Errors
    /// If the replica does not have one of them.
    pub fn returned(&mut self, id: ReplicaId, calls: &[CallId]) -> Result<(), Violation> {
        for call in calls {
            let replica = self.replicas.get_mut(&id).ok_or(Violation(*call))?;
            if !replica.leave(*call) {
                take_out(replica, *call, true)?;
            }
            self.leave(*call, |life| life.hand_back(), Loss::default());
        }
        if let Some(replica) = self.replicas.get_mut(&id) {
            let answered = usize::from(std::mem::take(&mut replica.recalling));
            self.modules[replica.module as usize].recalls -= answered;
            replica.exclusive = false;
            self.soil(id);
        }
        Ok(())
    }

    /// When [`Dispatcher::decide`] is to be called again even if nothing happens.
    pub fn timer(&self) -> Option<Nanos> {
        self.timer
    }

    /// For each module, what would change what to do if it happened now. Of the rest it is early
    /// enough to hear with the next event.
    pub fn heeds(&self) -> impl Iterator<Item = Heed> + '_ {
        self.modules.iter().map(|module| {
            let full = module.open.is_empty() && module.wasted.is_empty() && module.live > 0;
            let issued = !full || module.unavailable || module.live < module.wanted;
            let first = module
                .stacked
                .first()
                .and_then(|(_, id)| self.replicas.get(id));
            let long = first.is_some_and(|replica| replica.backlog() >= policy::WORTH_MOVING);
            Heed {
                issued,
                demanded: issued || long,
            }
        })
    }

    /// Says what to do now; `actions` is to be empty.
    pub fn decide(&mut self, now: Nanos, actions: &mut Vec<Action>) {
        self.timer = None;
        self.bury_ended(now);
        self.file_dirty(now);
        for module in 0..self.modules.len() {
            self.staff(now, module);
            self.feed(now, module);
            self.feed_waiting(now, module);
            self.spread(now, module);
            self.make_way(now, module);
            self.reclaim(now, module);
        }
        self.resolve_stall(now);
        self.recall_unwanted(now);
        std::mem::swap(&mut self.actions, actions);
    }

    /// Notes that a replica is to be filed anew.
    fn soil(&mut self, id: ReplicaId) {
        if let Some(replica) = self.replicas.get_mut(&id) {
            if !replica.dirty {
                replica.dirty = true;
                self.dirty.push(id);
            }
        }
    }

    /// A call leaves its replica without an answer.
    fn leave(
        &mut self,
        id: CallId,
        change: impl FnOnce(&mut Life) -> Result<Fate, crate::life::Illegal>,
        loss: Loss,
    ) {
        let Some(call) = self.calls.get_mut(&id) else {
            return;
        };
        call.at = None;
        let fate = change(&mut call.life).unwrap_or(Fate::Silent);
        if fate == Fate::Requeue {
            let (place, index) = (call.place(id), call.module);
            self.modules[index as usize].queue.insert(place);
            if self.modules[index as usize].unavailable {
                self.refuse_queue(index);
            }
            return;
        }
        let tries = call.life.tries();
        self.end_call(id);
        self.actions.push(match fate {
            Fate::Lost => Action::Lose {
                call: id,
                loss: Loss {
                    tries,
                    may_have_run: true,
                    ..loss
                },
            },
            _ => Action::Forget { call: id },
        });
    }

    /// Refuses all that waits for an unavailable module.
    fn refuse_queue(&mut self, module: u32) {
        while let Some(place) = self.modules[module as usize].queue.pop() {
            if let Some(mut call) = self.end_call(place.call) {
                let given_up = call.life.give_up();
                debug_assert!(given_up.is_ok());
                self.actions.push(Action::Refuse {
                    call: place.call,
                    module,
                });
            }
        }
    }
}

/// Takes `call` out of what `replica` has: replies come from the front, returns from the back.
fn take_out(replica: &mut Replica, call: CallId, from_back: bool) -> Result<(), Violation> {
    let calls = &mut replica.outstanding;
    if calls.front() == Some(&call) {
        calls.pop_front();
        return Ok(());
    }
    let found = if from_back {
        calls.iter().rposition(|id| *id == call)
    } else {
        calls.iter().position(|id| *id == call)
    };
    calls.remove(found.ok_or(Violation(call))?);
    Ok(())
}
