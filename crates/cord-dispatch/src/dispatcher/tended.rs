//! What is kept of a call that the plan takes care of: deadline, retries, hedge, gate; and the times at
//! which something is to be done about such calls. Calls without such care have none of this.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::queue::Place;
use super::retries::Chance;
use super::{CallId, Dispatcher, Nanos, ReplicaId};
use crate::manner::Care;

/// What is kept of one call.
#[derive(Debug, Clone)]
pub struct Tended {
    /// What the plan says.
    pub care: Arc<Care>,
    /// Its gate has let it through.
    pub admitted: bool,
    /// Since when it waits at its gate.
    pub at_gate: Option<Nanos>,
    /// It is to be tried again then.
    pub asleep: Option<Nanos>,
    /// It runs, and may until then.
    pub due: Option<Nanos>,
    /// It runs, and is worth a copy from then on.
    pub hedge_at: Option<Nanos>,
    /// A copy of it runs.
    pub has_copy: bool,
}

impl Tended {
    pub fn new(care: &Arc<Care>) -> Box<Tended> {
        Box::new(Tended {
            care: Arc::clone(care),
            admitted: false,
            at_gate: None,
            asleep: None,
            due: None,
            hedge_at: None,
            has_copy: false,
        })
    }
}

/// What has become of a module's calls that are taken care of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many have waited for their turn by a rate, and for how long together.
    pub waited: u64,
    pub wait: Nanos,
    /// How often one was to be tried again after an exception.
    pub retried: u64,
    /// How many have taken longer than they may.
    pub expired: u64,
    /// How many copies were made, and how many of them have answered first.
    pub copies: u64,
    pub won: u64,
    /// How often several were sent to be served by one call, and how many they were.
    pub groups: u64,
    pub grouped: u64,
    /// How many were made again when replicas had nothing to do.
    pub again: u64,
}

/// When something is to be done about calls, by time.
#[derive(Debug, Clone, Default)]
pub struct Agenda {
    /// What time it is.
    pub now: Nanos,
    /// Calls that are to be tried again.
    pub asleep: BTreeSet<(Nanos, CallId)>,
    /// Calls that run, and how long they may.
    pub due: BTreeSet<(Nanos, CallId)>,
    /// Calls that run, and are worth a copy from then on.
    pub hedges: BTreeSet<(Nanos, CallId)>,
    /// Replicas that are to be ended for what they run; whether they were asked for the rest.
    pub condemned: std::collections::BTreeMap<ReplicaId, bool>,
    /// How long calls pause before they are tried again.
    pub chance: Chance,
}

impl Dispatcher {
    /// A call has begun, as far as is known here.
    pub(super) fn tend(&mut self, now: Nanos, id: CallId) {
        let Some(call) = self.calls.get_mut(&id) else {
            return;
        };
        let Some(tended) = &mut call.tended else {
            return;
        };
        if let Some(deadline) = tended.care.deadline {
            let due = now.saturating_add(nanos(deadline));
            tended.due = Some(due);
            self.agenda.due.insert((due, id));
        }
        if tended.care.hedge.is_some() {
            self.watch(now, id);
        }
    }

    /// A call does not run any more.
    pub(super) fn untend(&mut self, id: CallId) {
        let tended = self.calls.get_mut(&id);
        let Some(tended) = tended.and_then(|call| call.tended.as_mut()) else {
            return;
        };
        if let Some(due) = tended.due.take() {
            self.agenda.due.remove(&(due, id));
        }
        if let Some(at) = tended.hedge_at.take() {
            self.agenda.hedges.remove(&(at, id));
        }
    }

    /// A call that is taken care of waits for a replica, or at its gate before.
    pub(super) fn queue_tended(&mut self, id: CallId) {
        if self.stops_at_gate(id) {
            return;
        }
        if let Some(call) = self.calls.get(&id) {
            let queue = &mut self.modules[call.module as usize].queue;
            queue.insert(call.lane, Place::new(id, call));
        }
    }

    /// By module, what has become of calls that are taken care of.
    pub fn tallies(&self) -> impl Iterator<Item = Tally> + '_ {
        self.modules.iter().map(|module| Tally {
            again: module.again.made,
            ..module.tally
        })
    }

    /// What time has brought about for calls that are taken care of.
    pub(super) fn tend_all(&mut self, now: Nanos) {
        self.agenda.now = now;
        self.wake_sleepers(now);
        self.expire(now);
        self.end_condemned();
    }

    /// When that is to be looked at again.
    pub(super) fn note_agenda(&mut self, now: Nanos) {
        let sets = [&self.agenda.asleep, &self.agenda.due];
        let next = sets.into_iter().filter_map(|set| set.first()).min();
        if let Some((at, _)) = next.copied() {
            self.wake_at(at);
        }
        // one that is worth a copy already waits for a place, and hears of that
        let mut hedges = self.agenda.hedges.range((now + 1, 0)..);
        if let Some((at, _)) = hedges.next().copied() {
            self.wake_at(at);
        }
    }
}

pub fn nanos(time: std::time::Duration) -> Nanos {
    Nanos::try_from(time.as_nanos()).unwrap_or(Nanos::MAX)
}
