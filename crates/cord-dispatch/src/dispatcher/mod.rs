//! Which replica gets which call, when, in what order, with how many others.
//!
//! A pure state machine: [`Dispatcher::handle`] takes events, each with the time at which it
//! happened, and [`Dispatcher::decide`] says what to do. It touches no socket, no thread and no
//! clock, and knows replicas by number only, so that its policy can be tried out with simulated ones.

mod absence;
mod action;
mod again;
#[cfg(test)]
mod again_tests;
mod balance;
#[cfg(test)]
mod balance_tests;
mod call;
#[cfg(test)]
mod chaos;
mod deadlines;
#[cfg(any(test, feature = "testing"))]
pub mod dice;
mod event;
#[cfg(test)]
mod explored;
mod fault;
#[cfg(test)]
mod fault_tests;
mod feed;
#[cfg(test)]
mod feed_tests;
mod fifo;
mod filing;
mod forward;
#[cfg(test)]
mod forward_tests;
mod gates;
mod hedging;
mod ids;
mod interrupt;
#[cfg(test)]
mod lab;
mod lanes;
mod leaving;
mod line;
mod module;
mod nested;
#[cfg(test)]
mod nested_tests;
#[cfg(test)]
mod nested_world;
mod processes;
#[cfg(test)]
mod processes_tests;
mod quantile;
mod queue;
mod ranked;
pub mod rate;
mod recalling;
#[cfg(test)]
mod record;
mod renewing;
#[cfg(test)]
mod renewing_tests;
mod replica;
mod retries;
mod seen;
mod staff;
#[cfg(test)]
mod staff_tests;
mod starts;
mod state;
#[cfg(test)]
mod state_tests;
mod table;
mod tended;
#[cfg(test)]
mod tended_tests;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

pub use action::{Action, Heed, Loss, Violation};
pub use call::Issue;
pub use event::{Death, Event, Tap};
use forward::Part;
pub use hedging::{is_copy, original};
pub use ids::IdMap;
pub use seen::{Doing, ModuleSeen, ReplicaSeen};

use crate::life::{Delivery, Life, State};
use crate::module_spec::ModuleSpec;
use call::{Call, Origin};
use cord_wire::effects::Effects;
use module::Module;
use queue::Place;
use replica::{Phase, Replica};
pub use table::Table;
pub use tended::Tally;
use tended::{Agenda, Tended};

/// A call, numbered in the order of issue.
pub type CallId = u64;
/// A replica, numbered in the order of launch; never used twice.
pub type ReplicaId = u32;
/// Nanoseconds since the session started.
pub type Nanos = u64;

/// So many replicas are looked at for what may as well be left open.
const AT_A_GLANCE: usize = 16;

const MICRO: Nanos = 1000;
const MILLI: Nanos = 1000 * MICRO;

/// The dispatcher of a session.
#[derive(Debug)]
pub struct Dispatcher {
    modules: Vec<Module>,
    calls: Table<Call>,
    replicas: IdMap<ReplicaId, Replica>,
    next_replica: ReplicaId,
    /// Replicas whose link or process has ended, by when they are given up.
    ending: BTreeSet<(Nanos, ReplicaId)>,
    /// Replicas to be filed anew.
    dirty: Vec<ReplicaId>,
    /// Replicas of which the calls that wait there are to be looked at.
    unpiled: Vec<ReplicaId>,
    /// Replicas that have dropped calls which they need not begin.
    unwanted: BTreeSet<ReplicaId>,
    /// Replicas that are to be renewed once nothing depends on them.
    worn: BTreeSet<ReplicaId>,
    /// Replicas that have died with pure calls, which are made again.
    ended: IdMap<CallId, Vec<ReplicaId>>,
    /// How many replicas have calls and get on with them by themselves.
    running: usize,
    /// Replicas that died by themselves, with their modules.
    fallen: Vec<(u32, ReplicaId)>,
    launcher_gone: bool,
    /// Whether the plan takes care of any calls.
    tends: bool,
    agenda: Agenda,
    timer: Option<Nanos>,
    actions: Vec<Action>,
    tap: Option<Box<dyn Tap>>,
}

impl Dispatcher {
    /// A dispatcher for these modules. The first [`Dispatcher::decide`] asks for their replicas.
    pub fn new(modules: &[ModuleSpec]) -> Dispatcher {
        Dispatcher {
            modules: modules.iter().map(Module::new).collect(),
            calls: Table::default(),
            replicas: IdMap::default(),
            next_replica: 1,
            ending: BTreeSet::new(),
            dirty: Vec::new(),
            unpiled: Vec::new(),
            unwanted: BTreeSet::new(),
            worn: BTreeSet::new(),
            ended: IdMap::default(),
            running: 0,
            fallen: Vec::new(),
            launcher_gone: false,
            tends: modules.iter().any(|module| {
                let mut manners = module.manners.iter();
                manners.any(|manner| manner.care.is_some())
            }),
            agenda: Agenda::default(),
            timer: None,
            actions: Vec::new(),
            tap: None,
        }
    }

    /// Has all that is heard and done seen by this from now on.
    pub fn observe(&mut self, tap: Box<dyn Tap>) {
        self.tap = Some(tap);
    }

    fn enqueue(&mut self, issue: Issue, origin: Option<Origin>) {
        let part = Part::of(&issue);
        let module = &mut self.modules[issue.module as usize];
        let lane = match origin {
            Some(_) => None,
            None => module.styles[issue.manner as usize].lane(),
        };
        let id = issue.call;
        let care = module.styles[issue.manner as usize].care.as_ref();
        let mut life = Life::new(issue.effects.is_pure());
        if let Some(retries) = care.and_then(|care| care.retries) {
            life.may_be_repeated(retries);
        }
        let call = Call {
            module: issue.module,
            manner: issue.manner,
            priority: issue.priority,
            bytes: issue.bytes,
            lane,
            life,
            stateful: issue.effects == Effects::Stateful,
            demanded: origin.is_some(),
            beside: issue.beside,
            suspect: false,
            at: None,
            heading: None,
            vain: origin
                .and_then(|origin| self.calls.get(&origin.parent?))
                .is_some_and(|parent| parent.life.is_pure() && parent.is_in_vain()),
            origin,
            part,
            tended: care.map(Tended::new),
        };
        module.beside += usize::from(issue.beside);
        self.calls.insert(id, call);
        self.note_needs(id);
        self.queue(id);
    }

    /// A call that waits for a replica goes into its queue; if it needs values that are not there,
    /// it awaits them first.
    fn queue(&mut self, id: CallId) {
        if !self.has_values(id) {
            return;
        }
        let Some(call) = self.calls.get(&id) else {
            return;
        };
        let module = &mut self.modules[call.module as usize];
        match module.state_lost {
            Some(loss) if call.stateful => self.deny(id, loss),
            _ if call.tended.is_some() => self.queue_tended(id),
            _ => module.queue.insert(call.lane, Place::new(id, call)),
        }
    }

    /// The call has come to its end: nobody waits for it any more.
    fn end_call(&mut self, id: CallId) -> Option<Call> {
        if self.tends {
            self.untend(id);
            self.drop_copy(id);
        }
        let call = self.calls.remove(&id)?;
        if !self.ended.is_empty() {
            self.ended.remove(&id);
        }
        let module = &mut self.modules[call.module as usize];
        module.beside -= usize::from(call.beside);
        module.again.ended(id);
        if let Some(part) = &call.part {
            self.leave_chain(id, part);
        }
        if let Some(origin) = call.origin {
            if let Some(replica) = self.replicas.get_mut(&origin.replica) {
                replica.stop_waiting(id);
                self.soil(origin.replica);
            }
        }
        Some(call)
    }

    /// A call is not to be sent for now.
    fn unqueue(&mut self, id: CallId) {
        if self.tends && (self.rouse(id) || self.leaves_gate(id)) {
            return;
        }
        if let Some(call) = self.calls.get(&id).filter(|call| call.life.is_waiting()) {
            let place = Place::new(id, call);
            let queue = &mut self.modules[call.module as usize].queue;
            queue.remove(call.lane, place);
        }
    }

    fn demanded(&mut self, id: CallId) {
        if self.tends && self.demanded_early(id) {
            return;
        }
        let Some(call) = self.calls.get_mut(&id) else {
            return;
        };
        let before = Place::new(id, call);
        call.demanded = true;
        if call.life.is_waiting() {
            let queue = &mut self.modules[call.module as usize].queue;
            queue.remove(call.lane, before);
            queue.insert(call.lane, Place::new(id, call));
        } else if let Some(at) = call.at {
            self.hasten(at, id);
        }
    }

    /// The program waits for a call that may not go to a replica yet. Whether it is such.
    fn demanded_early(&mut self, id: CallId) -> bool {
        let was_at_gate = self.leaves_gate(id);
        let Some(call) = self.calls.get_mut(&id) else {
            return false;
        };
        let is_asleep = call.tended.as_ref().is_some_and(|one| one.asleep.is_some());
        call.demanded |= was_at_gate || is_asleep;
        if was_at_gate {
            self.stops_at_gate(id);
        }
        was_at_gate || is_asleep
    }

    /// The program waits for a call that a replica has: it goes before the others there.
    fn hasten(&mut self, at: ReplicaId, call: CallId) {
        let Some(replica) = self.replicas.get_mut(&at) else {
            return;
        };
        if replica.line.hasten(call) && replica.is_backed_up() {
            self.actions.push(Action::Hasten { replica: at, call });
        }
    }

    /// Whether the program waits for this call.
    pub fn is_demanded(&self, call: CallId) -> bool {
        self.calls.get(&call).is_some_and(|call| call.demanded)
    }

    fn dropped(&mut self, id: CallId) {
        if self.tends {
            self.drop_copy(id);
        }
        self.unqueue(id);
        let Some(call) = self.calls.get_mut(&id) else {
            return;
        };
        match call.life.drop_call() {
            Ok(true) => {
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

    /// When [`Dispatcher::decide`] is to be called again even if nothing happens.
    pub fn timer(&self) -> Option<Nanos> {
        self.timer
    }

    /// Whether nothing is to be done before a call is issued: none is under way, and all replicas
    /// that are to be there are ready.
    pub fn is_at_rest(&self) -> bool {
        let calm = |module: &Module| {
            module.serving as u32 == module.live
                && (module.live >= module.needed() || module.is_reluctant())
        };
        self.calls.is_empty()
            && self.timer.is_none()
            && self.ending.is_empty()
            && self.dirty.is_empty()
            && self.modules.iter().all(calm)
    }

    /// For each module, how many replicas there have been calls for at once.
    pub fn calls_at_once(&self) -> impl Iterator<Item = u32> + '_ {
        self.modules.iter().map(|module| module.most)
    }

    /// The replica that has this call.
    pub fn replica_with(&self, call: CallId) -> Option<ReplicaId> {
        self.calls.get(&call).and_then(|call| call.at)
    }

    /// For each module, what would change what to do if it happened now. Of the rest it is early
    /// enough to hear with the next event.
    pub fn heeds(&self) -> impl Iterator<Item = Heed> + '_ {
        self.modules.iter().map(|module| {
            let is_lost = module.live == 0 && module.starts.failure().is_some();
            let full = module.open.is_empty() && module.wasted.is_empty() && module.live > 0;
            let issued = !full || module.live < module.wanted;
            let demanded = match issued || module.has_assigned() {
                true => 0,
                false => self.hastens_from(module),
            };
            Heed {
                issued,
                demanded,
                idle: module.idle > 0,
                staff: (!is_lost && !self.launcher_gone).then_some(module.live),
            }
        })
    }

    /// As [`Line::hastens_from`], of all replicas where it would be worth a message.
    fn hastens_from(&self, module: &Module) -> CallId {
        if module.stacked.len() > AT_A_GLANCE {
            return 0;
        }
        let stacked = module.stacked.iter();
        stacked
            .filter_map(|(_, id)| self.replicas.get(id))
            .filter(|replica| replica.is_backed_up())
            .map(|replica| replica.line.hastens_from())
            .min()
            .unwrap_or(CallId::MAX)
    }

    /// Says what to do now; `actions` is to be empty.
    pub fn decide(&mut self, now: Nanos, actions: &mut Vec<Action>) {
        self.timer = None;
        self.bury_ended(now);
        self.file_dirty();
        self.renew_worn();
        if self.tends {
            self.tend_all(now);
        }
        for module in 0..self.modules.len() {
            self.admit(now, module);
            self.staff(now, module);
            self.feed(now, module);
            while self.admit(now, module) {
                self.staff(now, module);
                self.feed(now, module);
            }
            self.feed_waiting(now, module);
            self.balance(module);
            self.pile();
            self.spread(now, module);
            self.make_way(module);
            self.reclaim(now, module);
        }
        self.resolve_stall(now);
        self.recall_unwanted();
        self.pile();
        if self.tends {
            self.hedge_all(now); // who has nothing to do is known now
            self.note_agenda(now);
        }
        std::mem::swap(&mut self.actions, actions);
        if let Some(tap) = &mut self.tap {
            tap.decided(now, actions);
        }
    }

    /// What is first at a replica runs there from now on, as far as is known here.
    fn begin_first(&mut self, now: Nanos, id: ReplicaId) {
        let Some(replica) = self.replicas.get_mut(&id) else {
            return;
        };
        if replica.phase != Phase::Ready || replica.killed {
            return;
        }
        let first = replica.line.first();
        let Some(first) = first.and_then(|id| self.calls.get_mut(&id)) else {
            return;
        };
        if first.life.state() == State::Sent && first.life.start().is_ok() {
            replica.head_since = now;
            if first.tended.is_some() {
                let first = replica.line.first();
                first.into_iter().for_each(|id| self.tend(now, id));
            }
        }
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
}
