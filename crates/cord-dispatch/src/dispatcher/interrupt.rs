//! Calls whose callers are interrupted: the program's by a signal, a replica's by that or by one of its
//! own.

use super::{Action, CallId, Dispatcher, Nanos, ReplicaId, Violation};

impl Dispatcher {
    /// Whoever waits for this call was interrupted: where a replica has it, that is to interrupt it, or
    /// to hand it back if it has not begun there.
    pub(super) fn interrupted(&mut self, id: CallId) {
        self.unqueue(id);
        if self.tends {
            self.drop_copy(id);
        }
        let Some(call) = self.calls.get_mut(&id) else {
            return;
        };
        match (call.life.interrupt(), call.at) {
            (Ok(true), _) => {
                self.end_call(id);
                self.actions.push(Action::Forget { call: id });
            }
            (Ok(false), Some(replica)) => {
                self.actions.push(Action::Interrupt { replica, call: id });
            }
            _ => {} // it has ended, or was dropped
        }
    }

    pub(super) fn withdrawn(
        &mut self,
        now: Nanos,
        id: ReplicaId,
        calls: &[CallId],
    ) -> Result<(), Violation> {
        for call in calls {
            self.hand_back(now, id, *call)?;
        }
        if let Some(replica) = self.replicas.get(&id) {
            let exclusive = replica.exclusive && replica.load() > 0;
            self.set_exclusive(id, exclusive);
            self.begin_first(now, id);
            self.soil(id);
        }
        Ok(())
    }

    /// Nobody waits any longer for this call to end by itself: its replica is ended.
    pub(super) fn given_up(&mut self, id: CallId) {
        let at = self.calls.get(&id).and_then(|call| call.at);
        if let Some(at) = at.filter(|at| self.replicas.contains_key(at)) {
            self.end_process(at);
        }
    }
}
