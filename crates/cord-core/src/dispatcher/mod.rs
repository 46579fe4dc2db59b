//! Which replica gets which call, when, in what order, with how many others.
//!
//! A pure state machine: events go in by the methods of [`Dispatcher`], each with the time at
//! which it happened, and [`Dispatcher::decide`] says what to do. It touches no socket, no thread
//! and no clock, so that its policy can be tried out with simulated replicas.

mod action;
#[cfg(test)]
mod chaos;
mod ids;
mod policy;
mod queue;
mod replica;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

pub use action::{Action, Loss};
pub(crate) use ids::IdMap;

use crate::life::{Delivery, Fate, Life};
use queue::{Place, Queue};
use replica::{Phase, Replica};

/// A call, numbered in the order of issue.
pub type CallId = u64;
/// A replica, numbered in the order of launch; never used twice.
pub type ReplicaId = u32;
/// Nanoseconds since the session started.
pub type Nanos = u64;

const MICRO: Nanos = 1000;
const MILLI: Nanos = 1000 * MICRO;
/// How long the end of a link waits for the end of its process, and the other way round.
const END_WAIT: Nanos = 200 * MILLI;
/// So many replicas of a module may die in a row before they are ready.
const MAX_FAILED_STARTS: u32 = 3;
/// So many may die idle in a row before the next is made only when it is needed.
const MAX_IDLE_DEATHS: u32 = 3;

/// What the dispatcher of a module wants to hear of at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heed {
    /// That a call was issued.
    pub issued: bool,
    /// That the program waits for one.
    pub demanded: bool,
}

/// A replica said something about a call that it does not have.
#[derive(Debug, PartialEq, Eq)]
pub struct Violation(pub CallId);

#[derive(Debug)]
struct Call {
    module: u32,
    life: Life,
    demanded: bool,
    suspect: bool,
    at: Option<ReplicaId>,
}

impl Call {
    fn place(&self, id: CallId) -> Place {
        Place::new(id, self.demanded, self.suspect)
    }
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
        let new = Call {
            module,
            life: Life::new(pure_call),
            demanded: false,
            suspect: false,
            at: None,
        };
        self.modules[module as usize].queue.insert(new.place(call));
        self.calls.insert(call, new);
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
                self.calls.remove(&id);
                self.actions.push(Action::Forget { call: id });
            }
            Ok(false) => {
                let Some(at) = call.at else { return };
                let pure_call = call.life.is_pure();
                if let Some(replica) = self.replicas.get_mut(&at) {
                    if pure_call && replica.outstanding.front() != Some(&id) {
                        replica.unwanted.push(id);
                        self.unwanted.insert(at);
                    }
                    self.soil(at);
                }
            }
            Err(_) => {} // dropped before
        }
    }

    /// The replica's process exists.
    pub fn started(&mut self, replica: ReplicaId, pid: u32) {
        if let Some(replica) = self.replicas.get_mut(&replica) {
            replica.pid = pid;
        }
    }

    /// All replicas of this module are told to load it, or to load it again.
    pub fn loading(&mut self, now: Nanos, module: u32) {
        let told = &mut self.modules[module as usize];
        told.unavailable = false;
        told.failed_starts = 0;
        for (id, replica) in &mut self.replicas {
            if replica.module == module && !matches!(replica.phase, Phase::Ending(_)) {
                replica.phase = Phase::Starting;
                replica.launched = now;
                if !std::mem::replace(&mut replica.dirty, true) {
                    self.dirty.push(*id);
                }
            }
        }
    }

    /// The replica can take calls.
    pub fn ready(&mut self, now: Nanos, id: ReplicaId, pid: u32) {
        let Some(replica) = self.replicas.get_mut(&id) else {
            return;
        };
        if replica.pid == 0 {
            replica.pid = pid;
        }
        if replica.phase == Phase::Starting {
            replica.phase = Phase::Ready;
            replica.start_time = now - replica.launched;
            self.modules[replica.module as usize].failed_starts = 0;
            self.soil(id);
        }
    }

    /// The replica cannot load its module. Gives the module's index.
    pub fn init_failed(&mut self, id: ReplicaId) -> Option<u32> {
        let replica = self.replicas.get_mut(&id)?;
        replica.phase = Phase::Failed;
        let index = replica.module;
        self.soil(id);
        let module = &mut self.modules[index as usize];
        module.unavailable = true;
        self.refuse_queue(index);
        Some(index)
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
        take_out(replica, call, false)?;
        replica.measure(service);
        replica.has_served = true;
        replica.exclusive = false;
        self.modules[replica.module as usize].idle_deaths = 0;
        self.soil(id);
        let mut ended = self.calls.remove(&call).ok_or(Violation(call))?;
        ended.life.reply().map_err(|_| Violation(call))
    }

    /// The replica answered a recall: these have not begun and never will there.
    ///
    /// # Errors
    /// If the replica does not have one of them.
    pub fn returned(&mut self, id: ReplicaId, calls: &[CallId]) -> Result<(), Violation> {
        for call in calls {
            let replica = self.replicas.get_mut(&id).ok_or(Violation(*call))?;
            take_out(replica, *call, true)?;
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

    /// The replica's link is closed.
    pub fn link_closed(&mut self, now: Nanos, id: ReplicaId) {
        if let Some(replica) = self.replicas.get_mut(&id) {
            replica.link_closed = true;
            self.end(now, id);
        }
    }

    /// The replica's process has ended.
    pub fn exited(&mut self, now: Nanos, id: ReplicaId, status: Option<i32>) {
        if let Some(replica) = self.replicas.get_mut(&id) {
            replica.exited = true;
            replica.status = status;
            self.end(now, id);
        }
    }

    /// No replica can be started any more. Those that live may go on.
    pub fn engine_gone(&mut self) {
        self.engine_gone = true;
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
            self.spread(now, module);
            self.make_way(now, module);
            self.reclaim(now, module);
        }
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

    /// Link or process has ended; both ends together are the replica's end.
    fn end(&mut self, now: Nanos, id: ReplicaId) {
        let Some(replica) = self.replicas.get_mut(&id) else {
            return;
        };
        let both = replica.link_closed && replica.exited;
        let by = if both { now } else { now + END_WAIT };
        if let Phase::Ending(before) = replica.phase {
            self.ending.remove(&(before, id));
        } else {
            self.note_bad_start(id);
        }
        if let Some(replica) = self.replicas.get_mut(&id) {
            replica.phase = Phase::Ending(by);
        }
        self.ending.insert((by, id));
        self.soil(id);
    }

    /// Counts deaths before readiness, and deaths in idleness.
    fn note_bad_start(&mut self, id: ReplicaId) {
        let Some(replica) = self.replicas.get(&id) else {
            return;
        };
        let module = &mut self.modules[replica.module as usize];
        match replica.phase {
            Phase::Starting => module.failed_starts += 1,
            Phase::Ready if replica.load() == 0 && !replica.has_served => module.idle_deaths += 1,
            _ => {}
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
        self.calls.remove(&id);
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
            if let Some(mut call) = self.calls.remove(&place.call) {
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
