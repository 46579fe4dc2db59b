//! Calls that replicas make: who runs them, so that replicas which wait for one another never lock
//! up.
//!
//! A nested call goes to an idle replica. If there is none, one that waits may run it meanwhile, on
//! top of the call that it waits in:
//!
//! 1. one that waits for a call which led to this one: the call below could not go on anyway, and
//!    the plain program would run it there too;
//! 2. if the call is pure, and all replicas of its module wait: any of them;
//! 3. if no replica at all gets on: any of its module. This is for calls that are not pure, of
//!    several threads of the program.
//!
//! A replica that is to load its module, but waits for a call first, is one of those for 1 and 3.
//!
//! No more calls than needed are put on top of others, and never one of the client's own: a call
//! below goes on only when those above it have ended.

use super::{Action, CallId, Dispatcher, Issue, Nanos, Origin, Place, ReplicaId};
use crate::dispatcher::replica::{Phase, Replica, Wait};

impl Dispatcher {
    /// A replica makes a call, while it runs `parent` (0 if that has ended), and waits for it.
    pub(super) fn nested(&mut self, now: Nanos, issue: Issue, from: ReplicaId, parent: CallId) {
        let call = issue.call;
        self.note_arrival(now, from, parent);
        let known = self.calls.get(&parent);
        let parent = known.filter(|call| call.at == Some(from)).map(|_| parent);
        let origin = Origin {
            replica: from,
            parent,
        };
        if let Some(replica) = self.replicas.get_mut(&from) {
            replica.waits.push(Wait { call, inner: None });
            self.soil(from);
        }
        self.enqueue(issue, Some(origin));
    }

    /// Nobody will take this pure call, nor those that it has led to. They run on, so that it may
    /// come to its end, unless their replicas are needed.
    pub(super) fn led_to_nothing(&mut self, at: ReplicaId, parent: CallId) {
        let Some(replica) = self.replicas.get(&at) else {
            return;
        };
        let made: Vec<CallId> = replica.waits.iter().map(|wait| wait.call).collect();
        for id in made {
            let Some(call) = self.calls.get_mut(&id) else {
                continue;
            };
            let is_child = call
                .origin
                .is_some_and(|origin| origin.parent == Some(parent));
            if is_child && call.life.is_pure() {
                call.vain = true;
                if let Some(at) = call.at {
                    self.soil(at);
                    self.led_to_nothing(at, id);
                }
            }
        }
    }

    /// A replica is about to be ended: what it runs in vain is not to be tried again.
    pub(super) fn give_up_vain(&mut self, id: ReplicaId) {
        let begun = self.replicas.get(&id).into_iter().flat_map(Replica::begun);
        for call in begun {
            if let Some(call) = self.calls.get_mut(&call).filter(|call| call.vain) {
                // It may have been dropped by itself.
                let _ = call.life.drop_call();
            }
        }
    }

    /// Lets replicas that wait run nested calls meanwhile, as far as rules 1 and 2 allow.
    pub(super) fn feed_waiting(&mut self, now: Nanos, index: usize) {
        let module = &self.modules[index];
        if module.waiting.is_empty() {
            return;
        }
        let nested: Vec<CallId> = module.queue.shared.nested().collect();
        for call in nested {
            if let Some((replica, wait)) = self.place_on_top(index, call) {
                self.enter(now, replica, wait, call);
            }
        }
    }

    /// Rule 3: nobody gets on, and nobody will.
    pub(super) fn resolve_stall(&mut self, now: Nanos) {
        if self.running > 0 {
            return;
        }
        let stuck = self.modules.iter().find_map(|module| {
            let call = module.queue.shared.nested().next()?;
            let (_, replica) = module.waiting.first()?;
            Some((*replica, call))
        });
        let Some((replica, call)) = stuck else {
            return;
        };
        let is_settled = |replica: &Replica| replica.phase == Phase::Ready || replica.is_held_up();
        if self.replicas.values().all(is_settled) {
            if let Some(wait) = self.free_wait(replica, call) {
                self.enter(now, replica, wait, call);
            }
        }
    }

    /// Which replica may run a call while it waits, and the call that it waits for.
    fn place_on_top(&self, index: usize, call: CallId) -> Option<(ReplicaId, CallId)> {
        if let Some((replica, wait)) = self.ancestor_in(index, call) {
            if let Some(wait) = self.free_wait(replica, wait) {
                return Some((replica, wait));
            }
        }
        let module = &self.modules[index];
        let pure_call = self.calls.get(&call)?.life.is_pure();
        if !pure_call || module.waiting.len() < module.serving {
            return None;
        }
        let is_ready = |id: &ReplicaId| {
            let replica = self.replicas.get(id);
            replica.is_some_and(|replica| replica.phase == Phase::Ready)
        };
        let waiting = module.waiting.iter().map(|(_, id)| *id);
        let replica = waiting.into_iter().find(is_ready)?;
        let wait = self.free_wait(replica, call)?;
        Some((replica, wait))
    }

    fn free_wait(&self, replica: ReplicaId, preferred: CallId) -> Option<CallId> {
        let replica = self.replicas.get(&replica)?;
        // One that is ending is filed under nothing.
        replica.filed.waiting?;
        replica.free_wait(preferred)
    }

    /// The nearest call among those that led to `call` which a replica of this module made, and
    /// that replica.
    fn ancestor_in(&self, index: usize, call: CallId) -> Option<(ReplicaId, CallId)> {
        let mut parent = self.calls.get(&call)?.origin?.parent;
        while let Some(id) = parent {
            let origin = self.calls.get(&id)?.origin?;
            let replica = self.replicas.get(&origin.replica)?;
            if replica.module as usize == index {
                return Some((origin.replica, id));
            }
            parent = origin.parent;
        }
        None
    }

    fn enter(&mut self, now: Nanos, id: ReplicaId, wait: CallId, call: CallId) {
        let (Some(replica), Some(entered)) =
            (self.replicas.get_mut(&id), self.calls.get_mut(&call))
        else {
            return;
        };
        let module = &mut self.modules[entered.module as usize];
        module.queue.remove(None, Place::new(call, entered));
        let legal = entered.life.send().and_then(|()| entered.life.start());
        if let Err(illegal) = legal {
            return self.fault(call, illegal);
        }
        module.styles[entered.manner as usize].sent += 1;
        entered.at = Some(id);
        replica.stateful += usize::from(entered.stateful);
        replica.enter(wait, call);
        self.actions.push(Action::Enter {
            replica: id,
            wait,
            call,
        });
        self.tend(now, call);
        self.file(id);
    }
}
