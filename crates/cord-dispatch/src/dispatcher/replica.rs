//! What the dispatcher knows of one replica.

use std::collections::BTreeSet;

use super::lanes::Slot;
use super::line::Line;
use super::{Call, CallId, Nanos, MICRO, MILLI};

/// One frame should hold about this much work …
const FRAME_WORK: Nanos = 500 * MICRO;
/// … or this part of what waits, so that replies can gather where nobody can need them soon …
const PART_OF_BACKLOG: Nanos = 16;
/// … but no more than this.
const MOST_FRAME_WORK: Nanos = 8 * MILLI;
/// Never more calls than this in one frame's worth.
const MAX_PER_FRAME: usize = 128;

/// Calls behind others are moved only if their replica is busy for at least so long: less is not
/// worth the messages.
pub(super) const WORTH_MOVING: Nanos = 2 * MILLI;

/// Where a replica is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Asked for; not ready.
    Starting,
    /// Serves calls.
    Ready,
    /// Its link or its process has ended; the other is waited for until the time given.
    Ending(Nanos),
}

/// One replica.
#[derive(Debug, Clone)]
pub struct Replica {
    /// Index of its module.
    pub module: u32,
    /// Its place in the module.
    pub slot: Slot,
    /// Where it is in its life.
    pub phase: Phase,
    /// What it has, in the order in which it will run it.
    pub line: Line,
    /// Calls that it makes and waits for, the oldest first.
    pub waits: Vec<Wait>,
    /// Calls that it runs while it waits.
    pub inner: Vec<CallId>,
    /// Mean service time, once a call was answered.
    service: Option<Nanos>,
    /// How much work one frame should hold.
    frame_work: Nanos,
    /// When it was asked for.
    pub launched: Nanos,
    /// How long it took to become ready.
    pub start_time: Nanos,
    /// Since when the first outstanding call is first.
    pub head_since: Nanos,
    /// A recall is under way.
    pub recalling: bool,
    /// What it asks for.
    pub recalled: Vec<CallId>,
    /// Dropped calls that it need not begin.
    pub unwanted: Vec<CallId>,
    /// What it is to pass on to another replica, until it says what it has passed on.
    pub departing: Vec<CallId>,
    /// How many calls are on their way to it.
    pub arriving: usize,
    /// Calls that were on their way to it when their sender died: they may come or not, and others
    /// repeat them.
    pub strays: BTreeSet<CallId>,
    /// Calls whose values are kept there.
    pub values: BTreeSet<CallId>,
    /// Has a suspect call, and gets no other meanwhile.
    pub exclusive: bool,
    /// Gets no call meanwhile, for another thread of its process has such a call.
    pub is_kept_free: bool,
    /// Is to be ended for what it runs, and gets no other call.
    pub condemned: bool,
    /// Nothing is heard of it for now, and it gets no other call.
    pub is_away: bool,
    /// Its link is closed.
    pub link_closed: bool,
    /// Its process has ended.
    pub exited: bool,
    /// Whether its process has ended will not be told.
    pub is_silent: bool,
    /// Ended for the sake of other calls: nobody is to blame.
    pub killed: bool,
    /// How many calls it has answered.
    pub served: usize,
    /// How many it answers at most before another one takes its place.
    pub most: usize,
    /// It has too much memory, and another one is to take its place.
    pub is_worn: bool,
    /// It ended before it was ready.
    pub failed_start: bool,
    /// How many calls it may have begun that leave something there.
    pub stateful: usize,
    /// What it is filed under, to be taken out again.
    pub filed: Filed,
    /// Where it stands among those that have calls behind others, to be taken out again.
    pub piled: Piled,
    /// Is on the list of replicas of which that is to be looked at.
    pub unpiled: bool,
    /// Is on the list of replicas to be filed anew.
    pub dirty: bool,
}

/// A call that a replica makes: one of its threads waits for it, and may run others meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// The call waited for.
    pub call: CallId,
    /// What the thread runs meanwhile.
    pub inner: Option<CallId>,
}

/// Under which of its module's sets a replica is filed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Filed {
    /// Load in the set of those that take more calls.
    pub open: Option<usize>,
    /// Whether it runs a dropped call that others could make place for.
    pub wasted: bool,
    /// Counted among those that serve.
    pub serving: bool,
    /// Number of inner calls in the set of those that have a thread which only waits.
    pub waiting: Option<usize>,
    /// Counted among those that get on by themselves.
    pub running: bool,
}

/// Under which of its module's sets of replicas with calls behind others a replica is filed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Piled {
    /// Load in the set of those with calls that wait behind others and may go elsewhere.
    pub stacked: Option<usize>,
    /// Load in the set of those with any calls that wait behind others.
    pub loaded: Option<usize>,
}

impl Replica {
    /// A replica just asked for.
    pub fn new(module: u32, slot: Slot, now: Nanos) -> Replica {
        Replica {
            module,
            slot,
            phase: Phase::Starting,
            line: Line::default(),
            waits: Vec::new(),
            inner: Vec::new(),
            service: None,
            frame_work: FRAME_WORK,
            launched: now,
            start_time: 0,
            head_since: now,
            recalling: false,
            recalled: Vec::new(),
            unwanted: Vec::new(),
            departing: Vec::new(),
            arriving: 0,
            strays: BTreeSet::new(),
            values: BTreeSet::new(),
            exclusive: false,
            is_kept_free: false,
            condemned: false,
            is_away: false,
            link_closed: false,
            exited: false,
            is_silent: false,
            killed: false,
            served: 0,
            most: usize::MAX,
            is_worn: false,
            failed_start: false,
            stateful: 0,
            filed: Filed::default(),
            piled: Piled::default(),
            unpiled: false,
            dirty: false,
        }
    }

    /// Number of calls that it has.
    pub fn load(&self) -> usize {
        self.line.len()
    }

    /// Whether one of its threads waits and runs nothing meanwhile.
    pub fn only_waits(&self) -> bool {
        self.waits.iter().any(|wait| wait.inner.is_none())
    }

    /// Whether it gets on with what it has, or may run calls while it waits: also while it loads its
    /// module, if what that waits for needs another of its functions.
    pub fn serves(&self) -> bool {
        let is_up = self.phase == Phase::Ready || self.is_held_up();
        is_up && !self.killed
    }

    /// Whether it is to load its module, but waits for a call first.
    pub fn is_held_up(&self) -> bool {
        self.phase == Phase::Starting && self.only_waits()
    }

    /// The call that a thread waits for which may run another: the one that waits for `preferred`,
    /// if it is free.
    pub fn free_wait(&self, preferred: CallId) -> Option<CallId> {
        let free = || self.waits.iter().filter(|wait| wait.inner.is_none());
        let found = free().find(|wait| wait.call == preferred);
        found.or_else(|| free().next_back()).map(|wait| wait.call)
    }

    /// A call comes to it.
    pub fn receive(&mut self, id: CallId, call: &Call) {
        self.line.push(id, call);
        self.stateful += usize::from(call.stateful);
    }

    /// The thread that waits for `wait` runs `call` meanwhile.
    pub fn enter(&mut self, wait: CallId, call: CallId) {
        self.inner.push(call);
        if let Some(wait) = self.waits.iter_mut().find(|each| each.call == wait) {
            wait.inner = Some(call);
        }
    }

    /// An inner call has left; false if there is no such.
    pub fn leave(&mut self, call: CallId) -> bool {
        let Some(index) = self.inner.iter().rposition(|inner| *inner == call) else {
            return false;
        };
        self.inner.remove(index);
        if let Some(wait) = self.waits.iter_mut().find(|wait| wait.inner == Some(call)) {
            wait.inner = None;
        }
        true
    }

    /// No thread waits for `call` any more.
    pub fn stop_waiting(&mut self, call: CallId) {
        self.waits.retain(|wait| wait.call != call);
    }

    /// What it has begun, as far as known here: the first in line, and what it runs while it waits.
    pub fn begun(&self) -> impl Iterator<Item = CallId> + '_ {
        self.line
            .first()
            .into_iter()
            .chain(self.inner.iter().copied())
    }

    /// All that it has begun, those included that it serves together.
    pub fn all_begun(&self) -> impl Iterator<Item = CallId> + '_ {
        self.begun().chain(self.line.begun_besides())
    }

    /// Takes a measured service time into the mean.
    pub fn measure(&mut self, service: Nanos) {
        self.service = Some(match self.service {
            None => service,
            Some(mean) => mean - mean / 8 + service / 8,
        });
    }

    /// So many calls wait for it: how much one frame should hold now. Whether that is less than
    /// before.
    pub fn expect(&mut self, waiting: usize) -> bool {
        let mean = self.service.unwrap_or(0);
        let backlog = mean.saturating_mul(waiting as u64);
        let work = (backlog / PART_OF_BACKLOG).clamp(FRAME_WORK, MOST_FRAME_WORK);
        work < std::mem::replace(&mut self.frame_work, work)
    }

    /// How many calls make a frame that holds the work it should; 1 until something was measured.
    pub fn per_frame(&self) -> usize {
        let Some(mean) = self.service else { return 1 };
        let calls = self.frame_work / mean.max(1);
        usize::try_from(calls)
            .unwrap_or(MAX_PER_FRAME)
            .clamp(1, MAX_PER_FRAME)
    }

    /// Where it is to stand among those that have calls behind others.
    pub fn pile(&self) -> Piled {
        let load = self.load();
        let is_ready = self.phase == Phase::Ready && !self.killed;
        let loaded = (is_ready && load > 1 && !self.recalling).then_some(load);
        Piled {
            stacked: loaded.filter(|_| self.line.free() > 0),
            loaded,
        }
    }

    /// How long what it has will take, as far as known.
    pub fn backlog(&self) -> Nanos {
        self.service.unwrap_or(0).saturating_mul(self.load() as u64)
    }

    /// Whether what it has will take so long that it is worth a message to change the order; it may
    /// if nothing is known yet.
    pub fn is_backed_up(&self) -> bool {
        self.service.is_none() || self.backlog() >= WORTH_MOVING
    }

    /// Whether it may be sent anything.
    pub fn is_up(&self) -> bool {
        let is_kept_from_calls =
            self.exclusive || self.is_kept_free || self.condemned || self.is_away;
        self.phase == Phase::Ready && !is_kept_from_calls
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_follows_the_service_time() {
        let mut replica = Replica::new(0, 0, 0);
        assert_eq!(replica.per_frame(), 1);
        replica.measure(10 * MICRO);
        assert_eq!(replica.per_frame(), 50);
        for _ in 0..100 {
            replica.measure(50_000 * MICRO);
        }
        assert_eq!(replica.per_frame(), 1);
        let mut quick = Replica::new(0, 0, 0);
        quick.measure(1);
        assert_eq!(quick.per_frame(), MAX_PER_FRAME);
    }

    #[test]
    fn a_frame_is_larger_where_much_waits() {
        let mut replica = Replica::new(0, 0, 0);
        assert!(!replica.expect(1_000_000), "nothing is known");
        replica.measure(MILLI);
        let mut frames = |waiting| {
            let is_less = replica.expect(waiting);
            (replica.per_frame(), is_less)
        };
        assert_eq!(frames(10), (1, false));
        assert_eq!(frames(32), (2, false));
        assert_eq!(frames(1_000_000), (8, false));
        assert_eq!(frames(48), (3, true));
        assert_eq!(frames(1), (1, true));
        assert_eq!(frames(1), (1, false));
    }
}
