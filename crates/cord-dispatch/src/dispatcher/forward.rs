//! Chains of calls: a value that is only passed on stays where it was made, and goes to the calls
//! that need it.
//!
//! A call whose value is passed on *keeps* it: when its reply comes the call is not over, but
//! [`State::Kept`]. A call that *needs* such values is queued once all of them are kept; who serves
//! it fetches them from where they are. A call stays kept for as long as the program may pass its
//! value on, and as long as a call that needs it has not ended. So a value that is lost with its
//! replica can be made again, from the start of the chain if need be, for what that needs is kept
//! too.

use std::collections::BTreeSet;

use super::{Action, CallId, Dispatcher, Issue, Loss, Nanos, ReplicaId, Violation};
use crate::life::{Delivery, Fate, State};
use cord_wire::loss::Cause;

/// A call's part in a chain.
#[derive(Debug, Clone)]
pub struct Part {
    /// The program may pass its value on; false for a call that only needs others.
    held: bool,
    /// The replica that has its value; none if the client has it, or nobody.
    home: Option<ReplicaId>,
    /// The replicas that were sent calls which need it.
    copies: BTreeSet<ReplicaId>,
    /// The calls that need its value and have not ended.
    wanted_by: BTreeSet<CallId>,
    /// The calls whose values it needs.
    needs: Vec<CallId>,
    /// How its value was lost.
    loss: Loss,
}

impl Part {
    /// The part of a call, if it keeps or needs anything.
    pub fn of(issue: &Issue) -> Option<Box<Part>> {
        let is_part = issue.keeps || !issue.needs.is_empty();
        is_part.then(|| {
            Box::new(Part {
                held: issue.keeps,
                home: None,
                copies: BTreeSet::new(),
                wanted_by: BTreeSet::new(),
                needs: issue.needs.clone(),
                loss: Loss::default(),
            })
        })
    }
}

impl Dispatcher {
    /// The replica answered a call whose value is kept: there (`at_home`), or by the client.
    pub(super) fn kept(
        &mut self,
        now: Nanos,
        id: ReplicaId,
        call: CallId,
        service: Nanos,
        bytes: usize,
        at_home: bool,
    ) -> Result<Delivery, Violation> {
        let wanted = self.take_reply(now, id, call, service)?;
        let delivery = if wanted {
            self.keep(id, call, bytes, at_home)?
        } else {
            Delivery::Discard
        };
        if delivery == Delivery::Discard && at_home {
            let replicas = vec![id];
            self.actions.push(Action::Release { call, replicas });
        }
        Ok(delivery)
    }

    fn keep(
        &mut self,
        id: ReplicaId,
        call: CallId,
        bytes: usize,
        at_home: bool,
    ) -> Result<Delivery, Violation> {
        let kept = self.calls.get_mut(&call).ok_or(Violation(call))?;
        let part = kept.part.as_mut().ok_or(Violation(call))?;
        let delivery = kept.life.keep().map_err(|_| Violation(call))?;
        kept.at = None;
        part.home = at_home.then_some(id);
        let style = &mut self.modules[kept.module as usize].styles[kept.manner as usize];
        style.sent -= 1;
        style.measure(bytes);
        if delivery == Delivery::Discard {
            self.end_call(call);
            return Ok(delivery);
        }
        let wanted_by: Vec<CallId> = part.wanted_by.iter().copied().collect();
        if let Some(replica) = self.replicas.get_mut(&id).filter(|_| at_home) {
            replica.values.insert(call);
        }
        for waiting in wanted_by {
            self.queue(waiting);
        }
        self.release_unneeded(call);
        Ok(delivery)
    }

    /// The program will not pass the value of this call on any more.
    pub(super) fn let_go(&mut self, call: CallId) {
        let part = self
            .calls
            .get_mut(&call)
            .and_then(|call| call.part.as_mut());
        if let Some(part) = part {
            part.held = false;
            self.release_unneeded(call);
        }
    }

    /// The values that a call needs, and who has them; none if the client has.
    pub fn needs_of(&self, call: CallId) -> Vec<(CallId, Option<ReplicaId>)> {
        let part = self.calls.get(&call).and_then(|call| call.part.as_ref());
        let needs = part.into_iter().flat_map(|part| &part.needs);
        let home = |id: &CallId| self.calls.get(id)?.part.as_ref()?.home;
        needs.map(|id| (*id, home(id))).collect()
    }

    /// The replica has calls that it cannot run: a value that they need will not come.
    pub(super) fn unmet(
        &mut self,
        now: Nanos,
        id: ReplicaId,
        calls: &[CallId],
    ) -> Result<(), Violation> {
        for call in calls {
            let replica = self.replicas.get_mut(&id).ok_or(Violation(*call))?;
            if !replica.line.remove(*call) {
                return Err(Violation(*call));
            }
            self.set_exclusive(id, false);
            self.note_untouched(id, *call);
            self.leave(*call, |life| life.hand_back(), Loss::default());
        }
        self.begin_first(now, id);
        self.soil(id);
        Ok(())
    }

    /// Notes with the calls that a new one needs that it does.
    pub(super) fn note_needs(&mut self, id: CallId) {
        for (need, _) in self.needs_of(id) {
            let needed = self
                .calls
                .get_mut(&need)
                .and_then(|call| call.part.as_mut());
            if let Some(part) = needed {
                part.wanted_by.insert(id);
            }
        }
    }

    /// A call goes to a replica, and with it what it needs.
    pub(super) fn note_copies(&mut self, id: CallId, to: ReplicaId) {
        if self.calls.get(&id).is_none_or(|call| call.part.is_none()) {
            return;
        }
        for (need, _) in self.needs_of(id) {
            let needed = self
                .calls
                .get_mut(&need)
                .and_then(|call| call.part.as_mut());
            if let Some(part) = needed {
                part.copies.insert(to);
            }
        }
    }

    /// Whether a call that no replica has can be queued. If values that it needs are not there it
    /// awaits them; if one of them will never be, it is lost.
    pub(super) fn has_values(&mut self, id: CallId) -> bool {
        let Some(call) = self.calls.get(&id) else {
            return false;
        };
        let Some(part) = &call.part else {
            return true;
        };
        let awaits = call.life.state() == State::Awaiting;
        if !awaits && !call.life.is_waiting() {
            return false;
        }
        let (mut all, mut lost) = (true, None);
        for need in &part.needs {
            match self.calls.get(need) {
                Some(need) if need.life.state() == State::Kept => {}
                Some(need) if need.life.state() == State::Lost => {
                    lost = Some(need.part.as_ref().map_or(Loss::default(), |part| part.loss));
                }
                Some(need) if need.part.is_some() => all = false,
                _ => lost = Some(Loss::default()),
            }
        }
        if let Some(loss) = lost {
            self.lose_for_value(id, loss);
            return false;
        }
        let Some(call) = self.calls.get_mut(&id) else {
            return false;
        };
        let legal = match (all, awaits) {
            (true, true) => call.life.become_ready(),
            (false, false) => call.life.await_value(),
            _ => Ok(()),
        };
        if let Err(illegal) = legal {
            self.fault(id, illegal);
            return false;
        }
        all
    }

    /// A call has ended: it needs nothing any more, and nobody will be given its value.
    pub(super) fn leave_chain(&mut self, id: CallId, part: &Part) {
        if let Some(home) = part.home {
            if let Some(replica) = self.replicas.get_mut(&home) {
                replica.values.remove(&id);
            }
            self.soil(home); // it may be one that is to be renewed
        }
        for need in &part.needs {
            let needed = self.calls.get_mut(need).and_then(|call| call.part.as_mut());
            if let Some(needed) = needed {
                needed.wanted_by.remove(&id);
                self.release_unneeded(*need);
            }
        }
        for waiting in &part.wanted_by {
            self.lose_for_value(*waiting, part.loss);
        }
    }

    /// A call that no replica has cannot be made: a value that it needs is lost.
    fn lose_for_value(&mut self, id: CallId, loss: Loss) {
        self.unqueue(id);
        let Some(call) = self.calls.get_mut(&id) else {
            return;
        };
        if call.life.give_up().is_err() {
            return; // a replica has it: it will say that it cannot run it, if that is so
        }
        let loss = Loss {
            tries: 1,
            may_have_run: false,
            cause: Cause::Value,
            ..loss
        };
        self.end_call(id);
        self.actions.push(Action::Lose { call: id, loss });
    }

    /// A replica is gone, and the values that it kept.
    pub(super) fn lose_values(&mut self, id: ReplicaId) {
        let Some(replica) = self.replicas.get_mut(&id) else {
            return;
        };
        let loss = Loss::of(id);
        for call in std::mem::take(&mut replica.values) {
            self.lose_value(call, loss);
        }
    }

    fn lose_value(&mut self, id: CallId, loss: Loss) {
        let Some(call) = self.calls.get_mut(&id) else {
            return;
        };
        let fate = match call.life.lose_value() {
            Ok(fate) => fate,
            Err(illegal) => return self.fault(id, illegal),
        };
        call.lane = None; // whoever has room makes it again
        let Some(part) = call.part.as_mut() else {
            return;
        };
        (part.home, part.loss) = (None, loss);
        for waiting in part.wanted_by.clone() {
            self.unqueue(waiting);
            if fate == Fate::Requeue {
                self.has_values(waiting);
            } else {
                self.lose_for_value(waiting, loss);
            }
        }
        if fate == Fate::Requeue {
            self.queue(id);
        }
    }

    /// Ends a call whose value nobody needs any more.
    fn release_unneeded(&mut self, id: CallId) {
        let Some(call) = self.calls.get_mut(&id) else {
            return;
        };
        let needed = |part: &Part| part.held || !part.wanted_by.is_empty();
        if call.part.as_ref().is_none_or(|part| needed(part)) {
            return;
        }
        if call.life.state() != State::Lost && call.life.let_go().is_err() {
            return; // it has not been answered yet
        }
        let Some(part) = self.end_call(id).and_then(|call| call.part) else {
            return;
        };
        let mut replicas = part.copies;
        replicas.extend(part.home);
        self.actions.push(Action::Release {
            call: id,
            replicas: replicas.into_iter().collect(),
        });
    }
}
