//! Replicas that are threads of one process: they start where there is room, and end together.
//!
//! The places of a module are those of its processes, one after the other, so many to each. All that
//! is here is asked only where there is more than one to a process.

use std::ops::Range;

use super::lanes::Slot;
use super::module::Module;
use super::replica::{Phase, Replica};
use super::{Action, Dispatcher, ReplicaId};

impl Module {
    /// The places of the process that this one belongs to.
    fn places(&self, slot: Slot) -> Range<Slot> {
        let first = slot - slot % self.threads;
        let end = first.saturating_add(self.threads);
        first..end.min(u32::try_from(self.slots.len()).unwrap_or(u32::MAX))
    }

    /// A free place: of the process with the fewest replicas.
    pub(super) fn next_free(&mut self) -> Option<Slot> {
        if self.threads == 1 {
            return self.free.pop_first();
        }
        let mut best: Option<(usize, Slot)> = None;
        let mut from = 0;
        while let Some(slot) = self.free.range(from..).next().copied() {
            let places = self.places(slot);
            let taken = self.slots[places.start as usize..places.end as usize].iter();
            let taken = taken.flatten().count();
            if best.is_none_or(|(fewest, _)| taken < fewest) {
                best = Some((taken, slot));
            }
            from = places.end;
        }
        let (_, slot) = best?;
        self.free.remove(&slot);
        Some(slot)
    }
}

impl Dispatcher {
    /// The other replicas of the process that a replica is a thread of.
    pub(super) fn housemates(&self, id: ReplicaId) -> Vec<ReplicaId> {
        let Some(replica) = self.replicas.get(&id) else {
            return Vec::new();
        };
        let module = &self.modules[replica.module as usize];
        if module.threads == 1 {
            return Vec::new();
        }
        let places = module.places(replica.slot);
        let there = module.slots[places.start as usize..places.end as usize].iter();
        there.flatten().copied().filter(|one| *one != id).collect()
    }

    fn others(&self, id: ReplicaId) -> impl Iterator<Item = &Replica> {
        let others = self.housemates(id);
        others
            .into_iter()
            .filter_map(|other| self.replicas.get(&other))
    }

    /// An idle replica whose process has nothing else to do, for a call that may kill it.
    pub(super) fn alone(&self, index: usize) -> Option<ReplicaId> {
        let open = self.modules[index].open.iter();
        let idle = open.take_while(|(load, _)| *load == 0);
        let is_alone = |id: &ReplicaId| self.others(*id).all(Replica::does_nothing);
        idle.map(|(_, id)| *id).find(is_alone)
    }

    /// A replica has a call that may kill its process, or has it no more: the others of the process
    /// get none meanwhile.
    pub(super) fn set_exclusive(&mut self, id: ReplicaId, exclusive: bool) {
        let Some(replica) = self.replicas.get_mut(&id) else {
            return;
        };
        if std::mem::replace(&mut replica.exclusive, exclusive) == exclusive {
            return;
        }
        for other in self.housemates(id) {
            if let Some(replica) = self.replicas.get_mut(&other) {
                replica.is_kept_free = exclusive;
            }
            self.file(other);
        }
    }

    /// A replica is new in its process, where another one may have such a call.
    pub(super) fn meet_others(&mut self, id: ReplicaId) {
        let is_kept_free = self.others(id).any(|other| other.exclusive);
        if let Some(replica) = self.replicas.get_mut(&id) {
            replica.is_kept_free = is_kept_free;
        }
    }

    /// A replica has ended that had a call which may have killed the process: one that comes to its
    /// place finds others that are free.
    pub(super) fn free_others(&mut self, others: &[ReplicaId]) {
        for other in others {
            if let Some(replica) = self.replicas.get_mut(other) {
                replica.is_kept_free = false;
            }
            self.soil(*other);
        }
    }

    /// Whether nothing that anybody needs ends with the process of a replica which runs a call in
    /// vain: its other threads do nothing, or the same.
    pub(super) fn may_be_ended(&self, id: ReplicaId) -> bool {
        self.others(id).all(|other| {
            let is_unused = other.does_nothing() && other.stateful == 0 && {
                let mut values = other.values.iter();
                values.all(|value| self.calls.get(value).is_none_or(|call| call.life.is_pure()))
            };
            is_unused || other.filed.wasted && other.load() == 1
        })
    }

    /// Ends the process of a replica for the sake of other calls: nobody is to blame.
    pub(super) fn end_process(&mut self, id: ReplicaId) {
        for one in std::iter::once(id).chain(self.housemates(id)) {
            if let Some(replica) = self.replicas.get_mut(&one) {
                replica.killed = true;
                self.soil(one);
            }
        }
        self.actions.push(Action::End { replica: id });
    }

    /// Whether others of a replica's process can be heard.
    pub(super) fn is_survived(&self, id: ReplicaId) -> bool {
        self.others(id)
            .any(|other| !other.link_closed && !other.exited)
    }
}

impl Replica {
    /// Whether it has no call, and is on its way to no end.
    fn does_nothing(&self) -> bool {
        let is_idle = self.load() == 0 && self.inner.is_empty() && self.waits.is_empty();
        is_idle && !self.killed && !matches!(self.phase, Phase::Ending(_))
    }
}
