//! What goes to a replica next, and with how many others.

use std::sync::Arc;

use super::hedging::Hedging;
use super::lanes::{Shares, Slot};
use super::queue::{Place, Queue};
use super::replica::Replica;
use super::{Action, Call, CallId, Dispatcher, Nanos, ReplicaId};
use crate::manner::{Batch, Care, GateSpec, Manner};
use cord_sync::budget::Budget;

/// A manner, and what is under way of its calls.
#[derive(Debug, Clone)]
pub struct Style {
    watermark: Option<usize>,
    batch: Batch,
    shares: Option<Shares>,
    budget: Arc<Budget>,
    /// What goes for functions that wait for others.
    pub care: Option<Arc<Care>>,
    /// What is known of their times, if calls may be made twice.
    pub hedging: Option<Hedging>,
    /// How many of them one call may serve.
    group: usize,
    /// How many calls replicas have.
    pub sent: usize,
    /// Mean size of a reply, once there was one.
    reply: usize,
}

impl Style {
    /// What becomes of a manner. Where replicas pass calls to one another, they have all of them,
    /// unless the plan says how many.
    pub fn new(manner: &Manner, migrates: bool, gates: &[GateSpec]) -> Style {
        let all = migrates.then_some(usize::MAX);
        let care = manner.care.as_deref();
        let gate = care.and_then(|care| gates.get(care.gate?));
        // a call that has its turn by a rate starts, and does not wait behind another
        let paced = gate.is_some_and(|gate| gate.rate.is_some()).then_some(1);
        let hedge = care.and_then(|care| care.hedge);
        Style {
            watermark: manner.watermark.or(paced).or(all),
            care: manner.care.clone(),
            hedging: hedge.map(Hedging::new),
            group: gate.map_or(1, |gate| gate.group.max(1)),
            batch: manner.batch,
            shares: manner.shares.as_deref().map(Shares::new),
            budget: Arc::clone(&manner.budget),
            sent: 0,
            reply: 0,
        }
    }

    /// The replica that a call issued now is assigned to, if they are assigned.
    pub fn lane(&mut self) -> Option<Slot> {
        self.shares.as_mut()?.next()
    }

    /// Whether calls are assigned when they are issued.
    pub fn assigns(&self) -> bool {
        self.shares.is_some()
    }

    /// Takes the size of a reply into the mean.
    pub fn measure(&mut self, bytes: usize) {
        self.reply = if self.reply == 0 {
            bytes
        } else {
            self.reply - self.reply / 8 + bytes / 8
        };
    }

    /// Whether a call is to stay while `more` others are sent, as it would bring more replies than
    /// may wait.
    fn holds_back(&self, place: Place, more: usize) -> bool {
        let expected = (self.sent + more).saturating_mul(self.reply);
        !place.is_demanded() && self.budget.holds_back(expected)
    }

    /// How many more of these calls a replica may have now.
    pub fn room(&self, replica: &Replica) -> usize {
        self.room_of_any(replica).min(replica.left())
    }

    fn room_of_any(&self, replica: &Replica) -> usize {
        let load = replica.load();
        if self.group > 1 {
            // while it has something to do, more may come that can be served together
            return if load == 0 { self.group } else { 0 };
        }
        let two_of = |frame: usize| if load > frame { 0 } else { 2 * frame - load };
        match (self.watermark, self.batch) {
            (Some(most), _) => most.saturating_sub(load),
            (None, Batch::Auto) => two_of(replica.per_frame()),
            (None, Batch::Calls(frame)) => two_of(frame),
            (None, Batch::Bytes(frame)) if replica.line.bytes() > frame => 0,
            (None, Batch::Bytes(_)) => usize::MAX,
        }
    }

    /// The most calls that a replica may have, whatever it has now.
    #[cfg(test)]
    pub fn most(&self, replica: &Replica) -> usize {
        if self.group > 1 {
            return self.group;
        }
        match (self.watermark, self.batch) {
            (Some(most), _) => most,
            (None, Batch::Auto) => 2 * replica.per_frame(),
            (None, Batch::Calls(frame)) => 2 * frame,
            (None, Batch::Bytes(_)) => usize::MAX,
        }
    }

    /// The most calls in one frame: with a watermark, two frames fit under it, unless the replica
    /// is idle.
    fn frame(&self, replica: &Replica) -> usize {
        let calls = match self.batch {
            Batch::Auto => replica.per_frame(),
            Batch::Calls(calls) => calls,
            Batch::Bytes(_) => usize::MAX,
        };
        let most = self.watermark.map_or(usize::MAX, |most| {
            if replica.load() == 0 {
                most
            } else {
                most.div_ceil(2)
            }
        });
        calls.min(most)
    }

    /// Whether a frame is not full yet, and its replica has something to do meanwhile.
    fn gathers(&self, replica: &Replica, queue: &Queue) -> bool {
        let frame = self.frame(replica);
        match self.batch {
            _ if replica.load() == 0 => false,
            Batch::Auto => false,
            Batch::Calls(_) => queue.len() < frame || self.room(replica) < frame,
            Batch::Bytes(bytes) => queue.bytes() < bytes && queue.len() < frame,
        }
    }

    /// Whether so many bytes are too many for one frame.
    fn is_too_large(&self, bytes: usize) -> bool {
        matches!(self.batch, Batch::Bytes(most) if bytes > most)
    }
}

impl Dispatcher {
    /// Sends what waits to those that take more: what is assigned to the replica that it is
    /// assigned to, the rest to the least loaded.
    pub(super) fn feed(&mut self, now: Nanos, index: usize) {
        self.feed_lanes(now, index);
        loop {
            let module = &self.modules[index];
            let waiting = &module.queue.shared;
            let (Some(first), Some((load, id))) = (waiting.first(), module.open.first().copied())
            else {
                return;
            };
            if load > 0 && waiting.needs_idle() {
                return;
            }
            let id = match (first.suspect, module.threads) {
                (false, _) => Some(id),
                // if it is not to blame, what calls have left in older ones may be
                (true, 1) => module.open.range(..(1, 0)).next_back().map(|(_, id)| *id),
                (true, _) => self.alone(index),
            };
            let Some(id) = id else {
                return; // a process comes to have nothing to do, for nothing else is sent
            };
            if self.has_less_room(index, None, id) {
                continue;
            }
            let calls = if first.needs_idle() {
                self.modules[index].queue.pop(None);
                let mut calls = vec![first.call];
                self.take_along(first.call, &mut calls);
                calls
            } else {
                self.next_frame(index, None, id)
            };
            if calls.is_empty() {
                return;
            }
            self.send(now, id, calls, first.suspect);
        }
    }

    fn feed_lanes(&mut self, now: Nanos, index: usize) {
        self.look_at_held(index);
        while let Some(slot) = self.modules[index].queue.next_stirred() {
            while let Some(id) = self.replica_of(index, slot) {
                let open = self.replicas.get(&id).and_then(|r| r.filed.open);
                let urgent = self.modules[index].queue.shared.needs_idle();
                if open.is_none_or(|load| load > 0 && urgent) {
                    break;
                }
                if self.has_less_room(index, Some(slot), id) {
                    continue;
                }
                let calls = self.next_frame(index, Some(slot), id);
                if calls.is_empty() {
                    break;
                }
                self.send(now, id, calls, false);
            }
        }
    }

    /// Tells a replica how much waits for it. Whether it may take less than before: it may have
    /// enough now.
    fn has_less_room(&mut self, index: usize, lane: Option<Slot>, id: ReplicaId) -> bool {
        let module = &self.modules[index];
        let takers = lane.map_or(module.open.len(), |_| 1);
        let waiting = module.queue.queue(lane).len() / takers.max(1);
        let replica = self.replicas.get_mut(&id);
        let less = replica.is_some_and(|replica| replica.expect(waiting));
        if less {
            self.file(id);
        }
        less
    }

    /// Lanes that were held back are looked at again once one of them would go on.
    fn look_at_held(&mut self, index: usize) {
        let module = &self.modules[index];
        let is_held = |slot: Slot| {
            let first = module.queue.queue(Some(slot)).first();
            first.is_some_and(|place| self.style_of(place).holds_back(place, 0))
        };
        if module.held.first().is_some_and(|slot| !is_held(*slot)) {
            let module = &mut self.modules[index];
            for slot in std::mem::take(&mut module.held) {
                module.queue.stir(slot);
            }
        }
    }

    fn style_of(&self, place: Place) -> &Style {
        let call = &self.calls[&place.call];
        &self.modules[call.module as usize].styles[call.manner as usize]
    }

    /// The calls of the next frame for `id`, taken out of their queue: its share of what waits,
    /// within its watermark; none if it is too early for one.
    fn next_frame(&mut self, index: usize, lane: Option<Slot>, id: ReplicaId) -> Vec<CallId> {
        let most = self.frame_size(index, lane, id);
        let mut calls = Vec::with_capacity(most.min(64));
        let mut bytes = 0;
        while let Some(place) = self.modules[index].queue.queue(lane).first() {
            let (Some(replica), style) = (self.replicas.get(&id), self.style_of(place)) else {
                break;
            };
            let (count, group) = (calls.len(), style.group);
            bytes += place.bytes;
            let fits = count == 0
                || style.room(replica) > count
                    && style.frame(replica) > count
                    && !style.is_too_large(bytes);
            if count >= most || place.needs_idle() || !fits || count > 0 && group > 1 {
                break;
            }
            if style.holds_back(place, count) {
                let module = &mut self.modules[index];
                module.held.extend(lane.filter(|_| count == 0));
                break;
            }
            self.modules[index].queue.pop(lane);
            calls.push(place.call);
            if group > 1 {
                self.take_along(place.call, &mut calls);
                break;
            }
        }
        calls
    }

    /// How many calls are to go to `id` in one frame.
    fn frame_size(&self, index: usize, lane: Option<Slot>, id: ReplicaId) -> usize {
        let module = &self.modules[index];
        let queue = module.queue.queue(lane);
        let (Some(first), Some(replica)) = (queue.first(), self.replicas.get(&id)) else {
            return 0;
        };
        let style = self.style_of(first);
        if !first.is_demanded() && style.gathers(replica, queue) {
            return 0;
        }
        let takers = match style.batch {
            _ if lane.is_some() => 1,
            Batch::Auto => module.open.len(),
            _ if replica.load() == 0 => module.idle,
            _ => 0,
        };
        let share = match takers {
            0 => usize::MAX,
            takers => queue.len().div_ceil(takers),
        };
        style.room(replica).min(style.frame(replica)).min(share)
    }

    /// Calls that one call serves begin together.
    fn begin_group(&mut self, now: Nanos, id: ReplicaId, calls: &[CallId]) {
        let group =
            |call: &Call| self.modules[call.module as usize].styles[call.manner as usize].group;
        if self
            .calls
            .get(&calls[0])
            .is_none_or(|call| group(call) == 1)
        {
            return;
        }
        for other in &calls[1..] {
            let Some(call) = self.calls.get_mut(other) else {
                continue;
            };
            if let Some(replica) = self.replicas.get_mut(&id) {
                replica.line.has_begun(*other);
            }
            if call.life.start().is_ok() {
                self.tend(now, *other);
            }
        }
    }

    pub(super) fn send(
        &mut self,
        now: Nanos,
        id: ReplicaId,
        mut calls: Vec<CallId>,
        exclusive: bool,
    ) {
        let Some(replica) = self.replicas.get_mut(&id) else {
            return;
        };
        let changes = replica.exclusive != exclusive;
        let mut faults = Vec::new();
        for sent in &calls {
            if let Some(call) = self.calls.get_mut(sent) {
                if let Err(illegal) = call.life.send() {
                    faults.push((*sent, illegal));
                    continue;
                }
                call.at = Some(id);
                self.modules[call.module as usize].styles[call.manner as usize].sent += 1;
                replica.receive(*sent, call);
            }
        }
        for (call, illegal) in faults {
            calls.retain(|sent| *sent != call);
            self.fault(call, illegal);
        }
        self.begin_first(now, id);
        for call in &calls {
            self.note_copies(*call, id);
        }
        if changes {
            self.set_exclusive(id, exclusive);
        }
        if calls.len() > 1 {
            self.begin_group(now, id, &calls);
        }
        self.actions.push(Action::Send { replica: id, calls });
        self.file(id);
    }
}
