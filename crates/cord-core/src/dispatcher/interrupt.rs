//! Calls whose callers are interrupted: the program's by a signal, a replica's by that or by one of its
//! own.

use super::{Action, CallId, Dispatcher, ReplicaId, Violation};

impl Dispatcher {
    /// Whoever waits for this call was interrupted. Gives the replica that is to interrupt it, or to
    /// hand it back if it has not begun there.
    pub fn interrupted(&mut self, id: CallId) -> Option<ReplicaId> {
        self.unqueue(id);
        let call = self.calls.get_mut(&id)?;
        if !call.life.interrupt().ok()? {
            return call.at;
        }
        self.end_call(id);
        self.actions.push(Action::Forget { call: id });
        None
    }

    /// The replica had not begun these interrupted calls, and never will.
    ///
    /// # Errors
    /// If the replica does not have one of them.
    pub fn withdrawn(&mut self, id: ReplicaId, calls: &[CallId]) -> Result<(), Violation> {
        for call in calls {
            self.hand_back(id, *call)?;
        }
        if let Some(replica) = self.replicas.get_mut(&id) {
            replica.exclusive &= replica.load() > 0;
            self.soil(id);
        }
        Ok(())
    }

    /// Nobody waits any longer for this call to end by itself: its replica is ended.
    pub fn given_up(&mut self, id: CallId) {
        let at = self.calls.get(&id).and_then(|call| call.at);
        let Some((at, replica)) = at.and_then(|at| Some((at, self.replicas.get_mut(&at)?))) else {
            return;
        };
        replica.killed = true;
        self.actions.push(Action::Kill { pid: replica.pid });
        self.soil(at);
    }
}
