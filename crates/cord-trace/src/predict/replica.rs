//! A simulated replica: the order in which it runs what it has, and when it answers.

use std::collections::BTreeSet;
use std::time::Duration;

use cord_core::endpoint::may_gather;
use cord_dispatch::dispatcher::{CallId, Event, Nanos, ReplicaId};
use cord_wire::priority::Priority;

use super::cores::Who;
use super::workload::{Index, Service};
use super::world::{What, World};

/// After so long a replica that runs one call sends the replies that it holds.
const LONG: Nanos = 2_000_000;

/// What the program waits for goes first, the oldest first; then by priority, then the oldest.
type Turn = (bool, Priority, CallId, Index);

/// A call that is being run.
#[derive(Debug)]
struct Frame {
    call: Index,
    began: Nanos,
    /// It has made so many calls.
    made: usize,
    /// The one that it waits for, and whether that is answered.
    waits: Option<Index>,
    answered: bool,
    /// What is to be run on top of it meanwhile.
    entered: Vec<Index>,
}

/// A replica.
#[derive(Debug, Default)]
pub(super) struct Replica {
    slot: u32,
    queue: BTreeSet<Turn>,
    stack: Vec<Frame>,
    /// Replies that are held back, and since when.
    held: Vec<(Index, Nanos)>,
    held_since: Nanos,
    /// Counts what it has begun: what was to happen to an earlier one does not.
    begun: u64,
    /// So long it will wait after it has computed.
    rests: Nanos,
    is_ended: bool,
}

impl Replica {
    pub fn new(slot: u32) -> Replica {
        Replica {
            slot,
            ..Replica::default()
        }
    }
}

impl World<'_> {
    fn replica(&mut self, id: ReplicaId) -> &mut Replica {
        &mut self.replicas[id as usize - 1]
    }

    fn turn(&self, call: Index) -> Turn {
        let fate = &self.fates[call as usize];
        let is_first = fate.demanded || self.load.calls[call as usize].nested;
        let priority = match is_first {
            true => Priority::default(),
            false => self.priority(call),
        };
        (!is_first, priority, fate.id, call)
    }

    pub fn arrive(&mut self, id: ReplicaId, calls: Vec<Index>) {
        for call in calls {
            let turn = self.turn(call);
            self.replica(id).queue.insert(turn);
        }
        let replica = self.replica(id);
        if replica.stack.is_empty() && !replica.is_ended {
            self.begin_next(id, 0);
        }
    }

    /// Begins what is next, if anything is; after so much that is to be done before.
    fn begin_next(&mut self, id: ReplicaId, before: Nanos) {
        if let Some((_, _, _, call)) = self.replica(id).queue.pop_first() {
            self.begin(id, call, before);
        }
    }

    fn begin(&mut self, id: ReplicaId, call: Index, before: Nanos) {
        let began = self.now + before;
        let replica = self.replica(id);
        replica.stack.push(Frame {
            call,
            began,
            made: 0,
            waits: None,
            answered: false,
            entered: Vec::new(),
        });
        self.run_part(id, before);
    }

    /// How long the next part of the call on top takes: until it makes a call, or ends.
    fn part(&self, id: ReplicaId) -> Service {
        let replica = &self.replicas[id as usize - 1];
        let Some(frame) = replica.stack.last() else {
            return Service::default();
        };
        let call = &self.load.calls[frame.call as usize];
        let part = match call.children.get(frame.made) {
            Some(child) => child.before,
            None => {
                let before = |pick: fn(Service) -> Nanos| -> Nanos {
                    call.children.iter().map(|child| pick(child.before)).sum()
                };
                Service {
                    computes: (call.service.computes).saturating_sub(before(|one| one.computes)),
                    waits: call.service.waits.saturating_sub(before(|one| one.waits)),
                }
            }
        };
        let part = self.scaled(frame.call, part);
        let machines = self.load.machines.get(call.module as usize);
        match machines.filter(|machines| !machines.is_empty()) {
            Some(machines) => slowed(part, machines[replica.slot as usize % machines.len()]),
            None => part,
        }
    }

    /// As this setup has it.
    fn scaled(&self, call: Index, part: Service) -> Service {
        match self.setup.halved == Some(self.load.calls[call as usize].place) {
            true => Service {
                computes: part.computes / 2,
                waits: part.waits / 2,
            },
            false => part,
        }
    }

    fn run_part(&mut self, id: ReplicaId, before: Nanos) {
        let part = self.part(id);
        let shares = self.setup.shared;
        let replica = self.replica(id);
        replica.begun += 1;
        let begun = replica.begun;
        if !replica.held.is_empty() {
            self.later(LONG, What::Flush(id, begun));
        }
        if shares && part.computes + before > 0 {
            self.replica(id).rests = part.waits;
            return (self.cores).begin(self.now, Who::Replica(id), part.computes + before);
        }
        self.later(before + part.total(), What::Rested(id, begun));
    }

    pub fn replica_computed(&mut self, id: ReplicaId) {
        let replica = self.replica(id);
        let (rests, begun) = (replica.rests, replica.begun);
        match rests {
            0 => self.rested(id, begun),
            rests => self.later(rests, What::Rested(id, begun)),
        }
    }

    /// A part of the call on top is over.
    pub fn rested(&mut self, id: ReplicaId, begun: u64) {
        let load = self.load;
        let replica = self.replica(id);
        if replica.is_ended || replica.begun != begun {
            return;
        }
        let Some(frame) = replica.stack.last_mut() else {
            return;
        };
        let parent = frame.call;
        match load.calls[parent as usize].children.get(frame.made) {
            Some(child) => {
                frame.made += 1;
                (frame.waits, frame.answered) = (Some(child.call), false);
                let back = load.latency.back;
                self.later(back, What::Nested(id, parent, child.call));
            }
            None => self.finish(id),
        }
    }

    /// The call on top has ended.
    fn finish(&mut self, id: ReplicaId) {
        let now = self.now;
        let nominal = self.part(id).total();
        let replica = self.replica(id);
        let Some(frame) = replica.stack.pop() else {
            return;
        };
        let service = match frame.made {
            0 => nominal,
            _ => now - frame.began,
        };
        if replica.held.is_empty() {
            replica.held_since = now;
        }
        replica.held.push((frame.call, service));
        let (others, held) = (replica.queue.len(), now - replica.held_since);
        let is_inner = !replica.stack.is_empty();
        let nanos = Duration::from_nanos;
        if is_inner || !may_gather(others, nanos(service), nanos(held)) {
            self.flush(id);
        }
        match is_inner {
            true => self.go_on_below(id),
            false => self.begin_next(id, self.load.latency.between),
        }
    }

    fn flush(&mut self, id: ReplicaId) {
        let replies = std::mem::take(&mut self.replica(id).held);
        self.later(self.load.latency.back, What::Replies(id, replies));
    }

    pub fn flush_long(&mut self, id: ReplicaId, begun: u64) {
        let replica = self.replica(id);
        if replica.begun == begun && !replica.held.is_empty() && !replica.is_ended {
            self.flush(id);
        }
    }

    /// A call of a replica's comes to the dispatcher.
    pub fn nested(&mut self, from: ReplicaId, parent: Index, call: Index) {
        let what = &self.load.calls[call as usize];
        let (module, effects) = (what.module, what.effects);
        let parent = self.fates[parent as usize].id;
        let id = self.give_number(call);
        self.fates[call as usize].scout = from;
        self.tell(Event::Nested {
            call: id,
            module,
            manner: 0,
            effects,
            from,
            parent,
        });
    }

    /// What a replica's call has waited for is there.
    pub fn answered(&mut self, id: ReplicaId, call: Index) {
        let replica = self.replica(id);
        let waiting = replica.stack.iter_mut().find(|it| it.waits == Some(call));
        if let Some(frame) = waiting {
            frame.answered = true;
            self.go_on_below(id);
        }
    }

    /// A call is to be run on top of the one that waits for another.
    pub fn enter(&mut self, id: ReplicaId, wait: CallId, call: Index) {
        let fates = &self.fates;
        let stack = &mut self.replicas[id as usize - 1].stack;
        let waits = |frame: &&mut Frame| {
            let waits = frame.waits.map(|waits| fates[waits as usize].id);
            waits == Some(wait)
        };
        if let Some(frame) = stack.iter_mut().find(waits) {
            frame.entered.push(call);
            self.go_on_below(id);
        }
    }

    /// If the call on top waits, it may go on now, or another one be run on top of it.
    fn go_on_below(&mut self, id: ReplicaId) {
        let replica = self.replica(id);
        if replica.is_ended {
            return;
        }
        let Some(frame) = replica.stack.last_mut() else {
            return;
        };
        if frame.waits.is_none() {
            return; // it runs
        }
        if !frame.entered.is_empty() {
            let call = frame.entered.remove(0);
            return self.begin(id, call, 0);
        }
        if frame.answered {
            frame.waits = None;
            self.run_part(id, 0);
        }
    }

    /// Takes those out that it has not begun.
    fn take_out(&mut self, id: ReplicaId, calls: &[Index]) -> Vec<Index> {
        let mut out = Vec::new();
        for call in calls {
            let wanted = self.fates[*call as usize].id;
            let queue = &mut self.replica(id).queue;
            let found = queue.iter().find(|turn| turn.2 == wanted).copied();
            if let Some(found) = found {
                queue.remove(&found);
                out.push(*call);
            }
        }
        out
    }

    pub fn give_back(&mut self, id: ReplicaId, calls: &[Index]) {
        if self.replica(id).is_ended {
            return;
        }
        let out = self.take_out(id, calls);
        self.later(self.load.latency.back, What::Returned(id, out));
    }

    pub fn hasten(&mut self, id: ReplicaId, call: Index) {
        if !self.take_out(id, &[call]).is_empty() {
            let number = self.fates[call as usize].id;
            let turn = (false, Priority::default(), number, call);
            self.replica(id).queue.insert(turn);
        }
    }

    pub fn pass_on(&mut self, from: ReplicaId, to: ReplicaId, calls: &[Index]) {
        if self.replica(from).is_ended {
            return;
        }
        let out = self.take_out(from, calls);
        let latency = self.load.latency;
        if !out.is_empty() {
            self.later(latency.there, What::Arrive(to, out.clone()));
        }
        self.later(latency.back, What::Moved(from, out));
    }

    /// It is ended, with all that it has.
    pub fn end(&mut self, id: ReplicaId) {
        let replica = self.replica(id);
        replica.is_ended = true;
        replica.queue.clear();
        replica.held.clear();
    }
}

/// On a machine that takes so many times as long: it computes as much, and rests for the remainder.
fn slowed(part: Service, factor: f64) -> Service {
    let total = (part.total() as f64 * factor) as Nanos;
    let computes = part.computes.min(total);
    Service {
        computes,
        waits: total - computes,
    }
}
