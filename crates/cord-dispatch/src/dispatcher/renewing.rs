//! Replicas that are renewed: another one takes the place of each between two calls, and nobody
//! notices.
//!
//! How many calls one answers is kept exactly: it is sent no more than are left to it. That it has
//! too much memory it says by itself, after a call; then it hands back what it has not begun. One
//! whose values other calls need goes on until they have them: they would have to be made anew.

use super::replica::{Phase, Piled, Replica};
use super::{Action, CallId, Dispatcher, ReplicaId};

impl Dispatcher {
    /// A replica has too much memory.
    pub(super) fn worn(&mut self, id: ReplicaId) {
        let Some(replica) = self.replicas.get_mut(&id) else {
            return;
        };
        replica.is_worn = true;
        self.worn.insert(id);
        let behind: Vec<CallId> = replica.line.behind().collect();
        let is_busy = replica.recalling || replica.phase != Phase::Ready || replica.killed;
        if !is_busy && !behind.is_empty() {
            self.recall(id, behind);
        }
        self.soil(id);
    }

    /// Lets those leave on which nothing depends: others take their places.
    pub(super) fn renew_worn(&mut self) {
        if self.worn.is_empty() {
            return;
        }
        for id in self.worn.clone() {
            let Some(replica) = self.replicas.get(&id) else {
                self.worn.remove(&id);
                continue;
            };
            if self.has_no_other(replica.module) {
                self.worn.remove(&id);
                self.spare(id);
            } else if replica.may_leave() {
                self.worn.remove(&id);
                self.retire(id);
            }
        }
    }

    /// Whether none could take the place of a module's replica.
    fn has_no_other(&self, module: u32) -> bool {
        self.launcher_gone || self.modules[module as usize].starts.failure().is_some()
    }

    /// It goes on.
    fn spare(&mut self, id: ReplicaId) {
        if let Some(replica) = self.replicas.get_mut(&id) {
            (replica.most, replica.is_worn) = (usize::MAX, false);
        }
        self.file(id);
    }

    fn retire(&mut self, id: ReplicaId) {
        self.unfile(id);
        self.set_piled(id, Piled::default());
        let Some(replica) = self.replicas.remove(&id) else {
            return;
        };
        let module = &mut self.modules[replica.module as usize];
        module.live -= 1;
        module.slots[replica.slot as usize] = None;
        module.free.insert(replica.slot);
        self.actions.push(Action::Retire { replica: id });
    }
}

impl Replica {
    /// Whether another one is to take its place.
    pub fn is_due(&self) -> bool {
        self.is_worn || self.served >= self.most
    }

    /// How many more calls it may be sent.
    pub fn left(&self) -> usize {
        match (self.values.is_empty(), self.is_worn) {
            (false, _) => usize::MAX,
            (true, true) => 0,
            (true, false) => self.most.saturating_sub(self.served + self.load()),
        }
    }

    /// Whether nothing depends on it, and nothing is under way to it or from it.
    fn may_leave(&self) -> bool {
        let has_calls = self.load() > 0 || !self.inner.is_empty() || !self.waits.is_empty();
        let is_told = self.recalling || !self.departing.is_empty() || self.arriving > 0;
        let is_at_rest = self.phase == Phase::Ready && !self.killed && !self.is_away;
        is_at_rest && !has_calls && !is_told && self.values.is_empty()
    }
}
