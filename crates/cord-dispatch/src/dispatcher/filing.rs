//! Replicas filed by what they can take and what stands at them, so that a decision finds them without
//! looking at all.

use super::replica::{Filed, Phase, Piled, Replica};
use super::{Call, CallId, Dispatcher, ReplicaId, Table};

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
            let takes_part = !replica.is_due(); // what it has not begun it hands back
            balance.touch(replica.slot, takes_part.then(|| replica.balanced_load()));
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
}

/// Whether a replica runs a call in vain, and nothing but time would be lost with the replica.
fn is_wasted(replica: &Replica, calls: &Table<Call>) -> bool {
    let in_vain = |id: CallId| calls.get(&id).is_some_and(Call::is_in_vain);
    let is_pure = |id: CallId| calls.get(&id).is_some_and(|call| call.life.is_pure());
    // What it runs while it waits keeps the call below from going on.
    let below = usize::from(!replica.inner.is_empty());
    let is_in_vain = replica.begun().skip(below).any(in_vain);
    let mut needed = replica.begun().chain(replica.values.iter().copied());
    let is_alone = replica.line.begun_besides().next().is_none();
    is_in_vain && is_alone && replica.stateful == 0 && needed.all(is_pure)
}
