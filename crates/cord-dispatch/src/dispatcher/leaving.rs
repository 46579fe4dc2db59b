//! Calls that leave the replica which had them: with a reply, handed back, or without an answer.

use super::action::{Action, Loss, Violation};
use super::call::Call;
use super::hedging::is_copy;
use super::{CallId, Dispatcher, Nanos, ReplicaId};
use crate::life::{Delivery, Fate, Illegal, Life, State};

impl Dispatcher {
    pub(super) fn replied(
        &mut self,
        now: Nanos,
        id: ReplicaId,
        call: CallId,
        service: Nanos,
        bytes: usize,
    ) -> Result<Delivery, Violation> {
        if is_copy(call) {
            return self.copy_replied(now, id, call, service, bytes);
        }
        if !self.take_reply(now, id, call, service)? {
            return Ok(Delivery::Discard);
        }
        if let Some(replied) = self.calls.get(&call) {
            self.note_again(replied.module, call, service);
        }
        let mut ended = self.end_call(call).ok_or(Violation(call))?;
        self.measure(&ended, bytes);
        if ended.tended.is_some() {
            self.learn_time(ended.module, ended.manner, service);
        }
        ended.life.reply().map_err(|_| Violation(call))
    }

    pub(super) fn measure(&mut self, call: &Call, bytes: usize) {
        let style = &mut self.modules[call.module as usize].styles[call.manner as usize];
        style.sent -= 1;
        style.measure(bytes);
    }

    /// A call leaves its replica with a reply; false if others repeat it, so that nobody wants that.
    pub(super) fn take_reply(
        &mut self,
        now: Nanos,
        id: ReplicaId,
        call: CallId,
        service: Nanos,
    ) -> Result<bool, Violation> {
        self.note_presence(now, id, call);
        let replica = self.replicas.get_mut(&id).ok_or(Violation(call))?;
        let mut was_alone = false;
        if !replica.leave(call) {
            let ours = replica.line.remove(call);
            if !ours && replica.strays.remove(&call) {
                return Ok(false);
            }
            if !ours {
                return Err(Violation(call));
            }
            was_alone = replica.exclusive;
        }
        replica.measure(service);
        replica.served += 1;
        let is_due = replica.is_due();
        let module = &mut self.modules[replica.module as usize];
        module.idle_deaths = 0;
        module.busy[replica.slot as usize] += service;
        module.answered += 1;
        if is_due {
            self.worn.insert(id);
        }
        if was_alone {
            self.set_exclusive(id, false);
        }
        if self.tends {
            self.pardon(id);
        }
        self.begin_first(now, id);
        self.soil(id);
        Ok(true)
    }

    pub(super) fn returned(
        &mut self,
        now: Nanos,
        id: ReplicaId,
        calls: &[CallId],
    ) -> Result<(), Violation> {
        for call in calls {
            self.hand_back(now, id, *call)?;
        }
        if let Some(replica) = self.replicas.get_mut(&id) {
            let answered = usize::from(std::mem::take(&mut replica.recalling));
            for call in std::mem::take(&mut replica.recalled) {
                replica.line.has_begun(call); // those that were returned are gone
            }
            self.modules[replica.module as usize].recalls -= answered;
            self.set_exclusive(id, false);
            self.begin_first(now, id);
            self.soil(id);
        }
        Ok(())
    }

    pub(super) fn unread(&mut self, id: ReplicaId, calls: &[CallId]) {
        for call in calls {
            let there = self.calls.get(call);
            let stays = there.is_some_and(|call| call.at == Some(id) && call.heading.is_none());
            let replica = self.replicas.get_mut(&id).filter(|_| stays);
            if replica.is_some_and(|replica| replica.line.remove(*call)) {
                self.note_untouched(id, *call);
                self.leave(*call, |life| life.hand_back(), Loss::default());
            }
        }
    }

    /// A replica has not begun this call, and never will.
    pub(super) fn hand_back(
        &mut self,
        now: Nanos,
        id: ReplicaId,
        call: CallId,
    ) -> Result<(), Violation> {
        self.note_presence(now, id, call);
        let replica = self.replicas.get_mut(&id).ok_or(Violation(call))?;
        if !replica.leave(call) && !replica.line.remove(call) {
            return Err(Violation(call));
        }
        self.note_untouched(id, call);
        self.leave(call, |life| life.hand_back(), Loss::default());
        Ok(())
    }

    /// A call leaves its replica without an answer.
    pub(super) fn leave(
        &mut self,
        id: CallId,
        change: impl FnOnce(&mut Life) -> Result<Fate, Illegal>,
        loss: Loss,
    ) {
        if is_copy(id) {
            return self.lose_copy(id);
        }
        if self.tends {
            self.untend(id);
        }
        let Some(call) = self.calls.get_mut(&id) else {
            return;
        };
        let fate = match change(&mut call.life) {
            Ok(fate) => fate,
            Err(illegal) => return self.fault(id, illegal),
        };
        let style = &mut self.modules[call.module as usize].styles[call.manner as usize];
        style.sent -= usize::from(call.at.take().is_some());
        if fate == Fate::Requeue {
            if call.life.state() == State::Retried {
                call.lane = None; // whoever has room repeats it
            }
            return self.queue(id);
        }
        let tries = call.life.tries();
        if call.stateful && fate == Fate::Lost {
            self.modules[call.module as usize].loss_told = true;
        }
        let replicas = self.ended.remove(&id).unwrap_or_default();
        self.end_call(id);
        self.actions.push(match fate {
            Fate::Lost if !replicas.is_empty() => Action::Poison { call: id, replicas },
            Fate::Lost => Action::Lose {
                call: id,
                loss: Loss {
                    tries,
                    may_have_run: true,
                    ..loss
                },
            },
            _ => Action::Forget { call: id },
        });
    }
}
