//! What happens when something was to happen that cannot: a mistake of Cord's own.

use super::{Action, CallId, Dispatcher, Loss, ReplicaId};
use crate::life::Illegal;
use cord_wire::loss::Cause;

impl Dispatcher {
    /// A call was to change in a way that its state does not allow. It ends as lost, and so do all of
    /// the replica that has it, which is ended: what it does cannot be told any more.
    #[cold]
    pub(super) fn fault(&mut self, id: CallId, illegal: Illegal) {
        self.actions.push(Action::Fault { call: id, illegal });
        let at = self.calls.get(&id).and_then(|call| call.at);
        self.unqueue(id);
        self.lose_to_fault(id, at.unwrap_or(0));
        let Some((at, replica)) = at.and_then(|at| Some((at, self.replicas.get_mut(&at)?))) else {
            return;
        };
        replica.line.remove(id);
        let mut others = replica.line.drain();
        others.append(&mut replica.inner);
        for call in others {
            self.end_way(call);
            self.lose_to_fault(call, at);
        }
        self.end_process(at);
    }

    fn lose_to_fault(&mut self, id: CallId, replica: ReplicaId) {
        let Some(call) = self.end_call(id) else {
            return;
        };
        let style = &mut self.modules[call.module as usize].styles[call.manner as usize];
        style.sent -= usize::from(call.at.is_some());
        self.actions.push(Action::Lose {
            call: id,
            loss: Loss {
                replica,
                tries: call.life.tries(),
                may_have_run: true,
                cause: Cause::Fault,
            },
        });
    }
}
