//! What is asked back from replicas, and which of them is ended for a dropped call.

use super::replica::{Phase, WORTH_MOVING};
use super::{Action, CallId, Dispatcher, Nanos, ReplicaId, MILLI};

/// A dropped call runs on for at least so long before its replica is ended for a demanded call…
const GRACE_DEMANDED: Nanos = 5 * MILLI;
/// … and for at least so long for another one.
const GRACE: Nanos = 50 * MILLI;

impl Dispatcher {
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

    pub(super) fn recall(&mut self, id: ReplicaId, calls: Vec<CallId>) {
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
            if (alone || needed > 0) && self.may_be_ended(id) {
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
            self.end_process(id);
            for one in std::iter::once(id).chain(self.housemates(id)) {
                self.give_up_vain(one);
                self.file(one);
            }
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
