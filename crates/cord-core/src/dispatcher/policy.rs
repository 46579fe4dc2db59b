//! The decisions of the dispatcher.

use super::replica::{Filed, Phase, Replica};
use super::{Action, Call, CallId, Dispatcher, IdMap, Nanos, ReplicaId, MILLI};
use crate::life::State;

/// Calls behind others are asked back for an idle replica only if their replica is busy for at
/// least so long: less is not worth the messages.
pub(super) const WORTH_MOVING: Nanos = 2 * MILLI;
/// A dropped call runs on for at least so long before its replica is ended for a demanded call…
const GRACE_DEMANDED: Nanos = 5 * MILLI;
/// … and for at least so long for another one.
const GRACE: Nanos = 50 * MILLI;

impl Dispatcher {
    /// Files every replica that changed under what it is now.
    pub(super) fn file_dirty(&mut self, now: Nanos) {
        while let Some(id) = self.dirty.pop() {
            if let Some(replica) = self.replicas.get_mut(&id) {
                replica.dirty = false;
                self.file(now, id);
            }
        }
    }

    pub(super) fn file(&mut self, now: Nanos, id: ReplicaId) {
        self.unfile(id);
        let Some(replica) = self.replicas.get_mut(&id) else {
            return;
        };
        let module = &mut self.modules[replica.module as usize];
        if !replica.serves() {
            return;
        }
        let load = replica.load();
        let mut filed = Filed {
            serving: true,
            ..Filed::default()
        };
        module.serving += 1;
        if replica.only_waits() {
            filed.waiting = Some(replica.inner.len());
            module.waiting.insert((replica.inner.len(), id));
        } else if load > 0 {
            filed.running = true;
            self.running += 1;
        }
        replica.filed = filed;
        if replica.phase != Phase::Ready {
            return;
        }
        if let Some(head) = replica
            .outstanding
            .front()
            .and_then(|id| self.calls.get_mut(id))
        {
            if head.life.state() == State::Sent && head.life.start().is_ok() {
                replica.head_since = now;
            }
        }
        filed.wasted = is_wasted(replica, &self.calls);
        if replica.has_room() && !filed.wasted {
            filed.open = Some(load);
            module.open.insert((load, id));
        }
        if load > 1 && !replica.recalling {
            filed.stacked = Some(load);
            module.stacked.insert((load, id));
        }
        if filed.wasted {
            module.wasted.insert(id);
        }
        replica.filed = filed;
    }

    pub(super) fn unfile(&mut self, id: ReplicaId) {
        let Some(replica) = self.replicas.get_mut(&id) else {
            return;
        };
        let filed = std::mem::take(&mut replica.filed);
        let module = &mut self.modules[replica.module as usize];
        if let Some(load) = filed.open {
            module.open.remove(&(load, id));
        }
        if let Some(load) = filed.stacked {
            module.stacked.remove(&(load, id));
        }
        if filed.wasted {
            module.wasted.remove(&id);
        }
        module.serving -= usize::from(filed.serving);
        if let Some(inner) = filed.waiting {
            module.waiting.remove(&(inner, id));
        }
        self.running -= usize::from(filed.running);
    }

    /// Sends what waits to those that take more, the least loaded first.
    pub(super) fn feed(&mut self, now: Nanos, index: usize) {
        loop {
            let module = &mut self.modules[index];
            let Some(first) = module.queue.first() else {
                return;
            };
            let Some((load, id)) = module.open.first().copied() else {
                return;
            };
            if load > 0 && module.queue.needs_idle() {
                return;
            }
            let calls = if first.needs_idle() {
                module.queue.pop();
                vec![first.call]
            } else {
                self.next_frame(index, id)
            };
            self.send(now, id, calls, first.suspect);
        }
    }

    /// The calls of the next frame for `id`: its share of what waits, within its watermark.
    fn next_frame(&mut self, index: usize, id: ReplicaId) -> Vec<CallId> {
        let module = &mut self.modules[index];
        let share = module.queue.len().div_ceil(module.open.len().max(1));
        let (frame, room) = self.replicas.get(&id).map_or((1, 1), |r| {
            (r.per_frame(), r.watermark().saturating_sub(r.load()))
        });
        let size = share.min(frame).min(room).max(1);
        let mut calls = Vec::with_capacity(size);
        while calls.len() < size
            && module
                .queue
                .first()
                .is_some_and(|place| !place.needs_idle())
        {
            calls.extend(module.queue.pop().map(|place| place.call));
        }
        calls
    }

    fn send(&mut self, now: Nanos, id: ReplicaId, calls: Vec<CallId>, exclusive: bool) {
        let Some(replica) = self.replicas.get_mut(&id) else {
            return;
        };
        replica.exclusive = exclusive;
        for sent in &calls {
            if let Some(call) = self.calls.get_mut(sent) {
                let legal = call.life.send();
                debug_assert!(legal.is_ok());
                call.at = Some(id);
            }
            replica.outstanding.push_back(*sent);
        }
        self.actions.push(Action::Send { replica: id, calls });
        self.file(now, id);
    }

    /// While a replica is idle and nothing waits, asks calls back that wait behind others.
    pub(super) fn spread(&mut self, now: Nanos, index: usize) {
        loop {
            let module = &self.modules[index];
            // Each recall under way will feed one idle replica.
            let idle = module.open.iter().take_while(|(load, _)| *load == 0);
            if !module.queue.is_empty() || idle.take(module.recalls + 1).count() <= module.recalls {
                return;
            }
            let Some((_, id)) = module.stacked.last().copied() else {
                return;
            };
            let Some(replica) = self.replicas.get(&id) else {
                return;
            };
            let worth = replica.head_since + WORTH_MOVING;
            if now < worth && replica.backlog() < WORTH_MOVING {
                return self.wake_at(worth);
            }
            let load = replica.load();
            let calls = replica.outstanding.iter().skip(load - load / 2);
            let calls = calls.copied().collect();
            self.recall(now, id, calls);
        }
    }

    /// While the program waits for a call that nobody has room for, asks those back that would be
    /// run before it.
    pub(super) fn make_way(&mut self, now: Nanos, index: usize) {
        let module = &self.modules[index];
        let urgent = module.queue.first().is_some_and(super::Place::is_demanded);
        let room = if module.queue.needs_idle() {
            module.open.first().is_some_and(|(load, _)| *load == 0)
        } else {
            !module.open.is_empty()
        };
        if !urgent || room || module.recalls > 0 {
            return;
        }
        let Some((_, id)) = module.stacked.first().copied() else {
            return;
        };
        let Some(replica) = self
            .replicas
            .get(&id)
            .filter(|r| r.backlog() >= WORTH_MOVING)
        else {
            return;
        };
        let behind = replica.outstanding.iter().skip(1).copied();
        let calls: Vec<CallId> = behind
            .filter(|id| self.calls.get(id).is_some_and(|call| !call.demanded))
            .collect();
        if !calls.is_empty() {
            self.recall(now, id, calls);
        }
    }

    fn recall(&mut self, now: Nanos, id: ReplicaId, calls: Vec<CallId>) {
        let Some(replica) = self.replicas.get_mut(&id) else {
            return;
        };
        replica.recalling = true;
        self.modules[replica.module as usize].recalls += 1;
        self.actions.push(Action::Recall { replica: id, calls });
        self.file(now, id);
    }

    /// Ends replicas that run a dropped call, if others need them. A replica costs its start time
    /// to replace, so that a dropped call is let run for as long first.
    pub(super) fn reclaim(&mut self, now: Nanos, index: usize) {
        let module = &self.modules[index];
        let idle = module.open.first().is_some_and(|(load, _)| *load == 0);
        let needed = module.queue.len() + module.stacked.len();
        if idle || needed == 0 || module.wasted.is_empty() {
            return;
        }
        let urgent = module.queue.first().is_some_and(super::Place::is_demanded);
        let grace = if urgent { GRACE_DEMANDED } else { GRACE };
        let wasted: Vec<ReplicaId> = module.wasted.iter().copied().take(needed).collect();
        for id in wasted {
            let Some(replica) = self.replicas.get_mut(&id) else {
                continue;
            };
            let by = replica.head_since + grace.max(replica.start_time);
            if now < by {
                self.wake_at(by);
            } else if replica.load() == 1 {
                replica.killed = true;
                self.actions.push(Action::Kill { pid: replica.pid });
                self.give_up_vain(id);
                self.file(now, id);
            } else if !replica.recalling {
                let calls = replica.outstanding.iter().skip(1).copied().collect();
                self.recall(now, id, calls);
            }
        }
    }

    /// Asks dropped calls back, so that they are not begun.
    pub(super) fn recall_unwanted(&mut self, now: Nanos) {
        let mut later = std::collections::BTreeSet::new();
        while let Some(id) = self.unwanted.pop_first() {
            let Some(replica) = self.replicas.get_mut(&id) else {
                continue;
            };
            if replica.recalling {
                later.insert(id);
            } else if replica.phase == Phase::Ready {
                let calls = std::mem::take(&mut replica.unwanted);
                self.recall(now, id, calls);
            }
        }
        self.unwanted = later;
    }

    pub(super) fn wake_at(&mut self, time: Nanos) {
        self.timer = Some(self.timer.map_or(time, |timer| timer.min(time)));
    }
}

/// Whether a replica runs a call in vain, and nothing but time would be lost with the replica.
fn is_wasted(replica: &Replica, calls: &IdMap<CallId, Call>) -> bool {
    let in_vain = |id: CallId| calls.get(&id).is_some_and(Call::is_in_vain);
    let is_pure = |id: CallId| calls.get(&id).is_some_and(|call| call.life.is_pure());
    // What it runs while it waits keeps the call below from going on.
    let below = usize::from(!replica.inner.is_empty());
    replica.begun().skip(below).any(in_vain) && replica.begun().all(is_pure)
}
