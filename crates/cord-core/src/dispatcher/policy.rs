//! The decisions of the dispatcher.

use super::replica::{Filed, Phase, Piled, Replica, WORTH_MOVING};
use super::{Action, Call, CallId, Dispatcher, Nanos, ReplicaId, Table, MILLI};

/// A dropped call runs on for at least so long before its replica is ended for a demanded call…
const GRACE_DEMANDED: Nanos = 5 * MILLI;
/// … and for at least so long for another one.
const GRACE: Nanos = 50 * MILLI;

impl Dispatcher {
    /// Files every replica that changed under what it is now.
    pub(super) fn file_dirty(&mut self) {
        while let Some(id) = self.dirty.pop() {
            if let Some(replica) = self.replicas.get_mut(&id) {
                replica.dirty = false;
                self.file(id);
            }
        }
    }

    pub(super) fn file(&mut self, id: ReplicaId) {
        self.unfile(id);
        let Some(replica) = self.replicas.get_mut(&id) else {
            return;
        };
        if !std::mem::replace(&mut replica.unpiled, true) {
            self.unpiled.push(id);
        }
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
        filed.wasted = is_wasted(replica, &self.calls);
        let takes_more = || module.styles.iter().any(|style| style.room(replica) > 0);
        if replica.is_up() && !filed.wasted && takes_more() {
            filed.open = Some(load);
            module.open.insert((load, id));
            module.idle += usize::from(load == 0);
            module.queue.stir(replica.slot);
        }
        if let Some(balance) = &mut module.balance {
            balance.touch(replica.slot, Some(replica.balanced_load()));
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
            module.idle -= usize::from(load == 0);
        }
        if filed.wasted {
            module.wasted.remove(&id);
        }
        if let Some(balance) = &mut module.balance {
            balance.touch(replica.slot, None);
        }
        module.serving -= usize::from(filed.serving);
        if let Some(inner) = filed.waiting {
            module.waiting.remove(&(inner, id));
        }
        self.running -= usize::from(filed.running);
    }

    /// Files the replicas that were filed anew under what waits there, too. Most of them have got
    /// another call for the one that they have answered: for them nothing has changed.
    pub(super) fn pile(&mut self) {
        while let Some(id) = self.unpiled.pop() {
            if let Some(replica) = self.replicas.get_mut(&id) {
                replica.unpiled = false;
                let piled = replica.pile();
                self.set_piled(id, piled);
            }
        }
    }

    pub(super) fn set_piled(&mut self, id: ReplicaId, piled: Piled) {
        let Some(replica) = self.replicas.get_mut(&id) else {
            return;
        };
        let before = std::mem::replace(&mut replica.piled, piled);
        if before == piled {
            return;
        }
        let module = &mut self.modules[replica.module as usize];
        for (set, before, now) in [
            (&mut module.stacked, before.stacked, piled.stacked),
            (&mut module.loaded, before.loaded, piled.loaded),
        ] {
            if let Some(load) = before {
                set.remove(&(load, id));
            }
            set.extend(now.map(|load| (load, id)));
        }
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
            let half = replica.line.free().div_ceil(2);
            let mut calls: Vec<CallId> = replica.line.free_backwards().take(half).collect();
            calls.reverse();
            self.recall(id, calls);
        }
    }

    /// While the program waits for a call that nobody has room for, asks those back that would be
    /// run before it.
    pub(super) fn make_way(&mut self, index: usize) {
        let module = &self.modules[index];
        let waiting = &module.queue.shared;
        let urgent = waiting.first().is_some_and(super::Place::is_demanded);
        let room = if waiting.needs_idle() {
            module.open.first().is_some_and(|(load, _)| *load == 0)
        } else {
            !module.open.is_empty()
        };
        if !urgent || room || module.recalls > 0 {
            return;
        }
        let Some((_, id)) = module.loaded.first().copied() else {
            return;
        };
        let Some(replica) = self
            .replicas
            .get(&id)
            .filter(|r| r.backlog() >= WORTH_MOVING)
        else {
            return;
        };
        let calls: Vec<CallId> = replica
            .line
            .behind()
            .filter(|id| self.calls.get(id).is_some_and(|call| !call.demanded))
            .collect();
        if !calls.is_empty() {
            self.recall(id, calls);
        }
    }

    fn recall(&mut self, id: ReplicaId, calls: Vec<CallId>) {
        let Some(replica) = self.replicas.get_mut(&id) else {
            return;
        };
        replica.recalling = true;
        replica.recalled.clone_from(&calls);
        self.modules[replica.module as usize].recalls += 1;
        self.actions.push(Action::Recall { replica: id, calls });
        self.file(id);
        self.pile();
    }

    /// Ends replicas that run a dropped call, if others need them. A replica costs its start time
    /// to replace, so that a dropped call is let run for as long first.
    pub(super) fn reclaim(&mut self, now: Nanos, index: usize) {
        let module = &self.modules[index];
        if module.wasted.is_empty() {
            return;
        }
        let idle = module.open.first().is_some_and(|(load, _)| *load == 0);
        let others = module.queue.shared.len() + module.stacked.len();
        let mut needed = if idle { 0 } else { others };
        if needed == 0 && !module.has_assigned() {
            return;
        }
        for id in module.wasted.iter().copied().collect::<Vec<_>>() {
            let Some(replica) = self.replicas.get(&id) else {
                continue;
            };
            // What is assigned to it can go nowhere else.
            let lane = self.modules[index].queue.queue(Some(replica.slot));
            let alone = !lane.is_empty() || replica.line.fixed() > 0;
            if alone || needed > 0 {
                needed -= usize::from(!alone);
                let urgent = [lane, &self.modules[index].queue.shared]
                    .iter()
                    .any(|queue| queue.first().is_some_and(super::Place::is_demanded));
                self.end_wasted(now, id, if urgent { GRACE_DEMANDED } else { GRACE });
            }
        }
    }

    fn end_wasted(&mut self, now: Nanos, id: ReplicaId, grace: Nanos) {
        let Some(replica) = self.replicas.get_mut(&id) else {
            return;
        };
        let by = replica.head_since + grace.max(replica.start_time);
        if now < by {
            self.wake_at(by);
        } else if replica.load() == 1 {
            replica.killed = true;
            self.actions.push(Action::End { replica: id });
            self.give_up_vain(id);
            self.file(id);
        } else if !replica.recalling {
            let calls = replica.line.behind().collect();
            self.recall(id, calls);
        }
    }

    /// Asks dropped calls back, so that they are not begun.
    pub(super) fn recall_unwanted(&mut self) {
        let mut later = std::collections::BTreeSet::new();
        while let Some(id) = self.unwanted.pop_first() {
            let Some(replica) = self.replicas.get_mut(&id) else {
                continue;
            };
            if replica.recalling {
                later.insert(id);
            } else if replica.phase == Phase::Ready {
                let calls = std::mem::take(&mut replica.unwanted);
                self.recall(id, calls);
            }
        }
        self.unwanted = later;
    }

    pub(super) fn wake_at(&mut self, time: Nanos) {
        self.timer = Some(self.timer.map_or(time, |timer| timer.min(time)));
    }
}

/// Whether a replica runs a call in vain, and nothing but time would be lost with the replica.
fn is_wasted(replica: &Replica, calls: &Table<Call>) -> bool {
    let in_vain = |id: CallId| calls.get(&id).is_some_and(Call::is_in_vain);
    let is_pure = |id: CallId| calls.get(&id).is_some_and(|call| call.life.is_pure());
    // What it runs while it waits keeps the call below from going on.
    let below = usize::from(!replica.inner.is_empty());
    let is_in_vain = replica.begun().skip(below).any(in_vain);
    let mut needed = replica.begun().chain(replica.values.iter().copied());
    is_in_vain && replica.stateful == 0 && needed.all(is_pure)
}
