//! Calls that take longer than they may.

use super::replica::Phase;
use super::tended::nanos;
use super::{Action, CallId, Dispatcher, Nanos, ReplicaId};

impl Dispatcher {
    /// Calls that have run for as long as they may end with that; what runs them is of no use.
    pub(super) fn expire(&mut self, now: Nanos) {
        while let Some((due, id)) = self.agenda.due.first().copied() {
            if due > now {
                return;
            }
            self.expire_one(id);
        }
    }

    fn expire_one(&mut self, id: CallId) {
        self.untend(id);
        let Some(call) = self.calls.get_mut(&id) else {
            return;
        };
        let deadline = call.tended.as_ref().and_then(|one| one.care.deadline);
        let (Some(at), Some(deadline)) = (call.at, deadline) else {
            return;
        };
        if call.life.drop_call() != Ok(false) {
            return; // nobody waits for it any more
        }
        self.modules[call.module as usize].tally.expired += 1;
        let deadline = nanos(deadline);
        self.actions.push(Action::Expire { call: id, deadline });
        self.drop_copy(id);
        self.led_to_nothing(at, id);
        self.condemn(at, id);
    }

    /// Decides whether the replica that runs an expired call is ended for that: not where it runs
    /// others, which would be lost with it and cannot be repeated, nor where other threads of its
    /// process run any.
    fn condemn(&mut self, at: ReplicaId, id: CallId) {
        let Some(replica) = self.replicas.get_mut(&at) else {
            return;
        };
        let may_be_lost = |other: CallId| {
            let known = self.calls.get(&other);
            other == id || known.is_none_or(|call| call.life.is_pure() || call.is_in_vain())
        };
        let is_alone = replica.all_begun().all(may_be_lost) && !replica.killed;
        if is_alone && self.may_be_ended(at) {
            self.condemn_it(at);
        }
    }

    fn condemn_it(&mut self, at: ReplicaId) {
        if let Some(replica) = self.replicas.get_mut(&at) {
            replica.condemned = true;
            self.agenda.condemned.entry(at).or_insert(false);
            self.soil(at);
        }
    }

    /// The call that a replica was to be ended for has left it.
    pub(super) fn pardon(&mut self, id: ReplicaId) {
        let was_asked = self.agenda.condemned.remove(&id).is_some();
        if let Some(replica) = self.replicas.get_mut(&id).filter(|_| was_asked) {
            replica.condemned = false;
        }
    }

    /// Ends the replicas that are to be; what they have not begun they hand back before, so that nothing
    /// is lost with them that has not run.
    pub(super) fn end_condemned(&mut self) {
        for (id, was_asked) in self.agenda.condemned.clone() {
            let Some(replica) = self.replicas.get_mut(&id) else {
                self.agenda.condemned.remove(&id);
                continue;
            };
            if replica.recalling && replica.phase == Phase::Ready {
                continue;
            }
            let behind: Vec<CallId> = replica.line.behind().collect();
            if replica.phase == Phase::Ready && !replica.killed && !was_asked && !behind.is_empty()
            {
                self.agenda.condemned.insert(id, true);
                self.recall(id, behind);
                continue;
            }
            self.agenda.condemned.remove(&id);
            if replica.killed || replica.phase != Phase::Ready {
                continue;
            }
            if self.may_be_ended(id) {
                self.end_process(id);
                self.give_up_vain(id);
            } else if let Some(replica) = self.replicas.get_mut(&id) {
                replica.condemned = false; // others of its process have got calls meanwhile
            }
            self.file(id);
        }
    }
}
