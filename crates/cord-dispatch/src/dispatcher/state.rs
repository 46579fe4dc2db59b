//! What stateful calls leave in their replica. If that is lost with it, no such call is made in a
//! fresh replica as if nothing had been: each is told, until the client loads the module anew.
//!
//! A replica holds what its import gave, until it is sent a stateful call. Whether that has begun is
//! not asked: only one that was handed back has certainly left nothing.

use super::replica::{Phase, Replica};
use super::{Action, CallId, Dispatcher, Loss, ReplicaId};

impl Dispatcher {
    /// A replica hands a call back, or passes it on: it has left nothing there.
    pub(super) fn note_untouched(&mut self, id: ReplicaId, call: CallId) {
        let stateful = self.calls.get(&call).is_some_and(|call| call.stateful);
        if let Some(replica) = self.replicas.get_mut(&id).filter(|_| stateful) {
            replica.stateful -= 1;
        }
    }

    /// A replica is gone, and what stateful calls have left there: those that wait are not made.
    pub(super) fn lose_state(&mut self, index: u32, loss: Loss) {
        let module = &mut self.modules[index as usize];
        if !module.keeps_state {
            return;
        }
        (module.state_lost, module.loss_told) = (Some(loss), false);
        let mut waiting = Vec::new();
        while let Some(place) = module.queue.pop_any() {
            waiting.push(place.call);
        }
        for call in waiting {
            self.queue(call);
        }
    }

    /// The modules of which something is lost that no call was told of, by index, and how.
    pub fn untold_losses(&self) -> Vec<(u32, Loss)> {
        let known = (0..).zip(&self.modules).filter_map(|(index, module)| {
            let loss = module.state_lost.filter(|_| !module.loss_told);
            Some((index, loss?))
        });
        let is_ending = |(_, replica): &(&ReplicaId, &Replica)| {
            let keeps_state = self.modules[replica.module as usize].keeps_state;
            keeps_state && replica.stateful > 0 && matches!(replica.phase, Phase::Ending(_))
        };
        let ending = self.replicas.iter().filter(is_ending);
        known
            .chain(ending.map(|(id, replica)| (replica.module, Loss::of(*id))))
            .collect()
    }

    /// A call that waits is not made, as it may depend on what is lost.
    pub(super) fn deny(&mut self, id: CallId, loss: Loss) {
        if let Some(call) = self.give_up(id) {
            self.modules[call.module as usize].loss_told = true;
            self.actions.push(Action::Deny { call: id, loss });
        }
    }
}
