//! What the dispatcher knows of one replica.

use std::collections::VecDeque;

use super::{CallId, Nanos, MICRO};

/// One frame should hold about this much work.
const FRAME_WORK: Nanos = 500 * MICRO;
/// Never more calls than this in one frame's worth.
const MAX_PER_FRAME: usize = 128;

/// Where a replica is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Asked for; not ready.
    Starting,
    /// Serves calls.
    Ready,
    /// It said that its module cannot be loaded.
    Failed,
    /// Its link or its process has ended; the other is waited for until the time given.
    Ending(Nanos),
}

/// One replica.
#[derive(Debug)]
pub struct Replica {
    /// Index of its module.
    pub module: u32,
    /// Process id; 0 until known.
    pub pid: u32,
    /// Where it is in its life.
    pub phase: Phase,
    /// What it has, in the order in which it will run it.
    pub outstanding: VecDeque<CallId>,
    /// Mean service time, once a call was answered.
    service: Option<Nanos>,
    /// When it was asked for.
    pub launched: Nanos,
    /// How long it took to become ready.
    pub start_time: Nanos,
    /// Since when the first outstanding call is first.
    pub head_since: Nanos,
    /// A recall is under way.
    pub recalling: bool,
    /// Dropped calls that it need not begin.
    pub unwanted: Vec<CallId>,
    /// Has a suspect call, and gets no other meanwhile.
    pub exclusive: bool,
    /// Its link is closed.
    pub link_closed: bool,
    /// Its process has ended.
    pub exited: bool,
    /// Wait status, if its exit was reported.
    pub status: Option<i32>,
    /// Ended for the sake of other calls: nobody is to blame.
    pub killed: bool,
    /// Has answered at least one call.
    pub has_served: bool,
    /// What it is filed under, to be taken out again.
    pub filed: Filed,
    /// Is on the list of replicas to be filed anew.
    pub dirty: bool,
}

/// Under which of its module's sets a replica is filed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Filed {
    /// Load in the set of those that take more calls.
    pub open: Option<usize>,
    /// Load in the set of those with calls that wait behind others.
    pub stacked: Option<usize>,
    /// Whether its first call was dropped.
    pub wasted: bool,
}

impl Replica {
    /// A replica just asked for.
    pub fn new(module: u32, now: Nanos) -> Replica {
        Replica {
            module,
            pid: 0,
            phase: Phase::Starting,
            outstanding: VecDeque::new(),
            service: None,
            launched: now,
            start_time: 0,
            head_since: now,
            recalling: false,
            unwanted: Vec::new(),
            exclusive: false,
            link_closed: false,
            exited: false,
            status: None,
            killed: false,
            has_served: false,
            filed: Filed::default(),
            dirty: false,
        }
    }

    /// Number of calls that it has.
    pub fn load(&self) -> usize {
        self.outstanding.len()
    }

    /// Takes a measured service time into the mean.
    pub fn measure(&mut self, service: Nanos) {
        self.service = Some(match self.service {
            None => service,
            Some(mean) => mean - mean / 8 + service / 8,
        });
    }

    /// How many calls make a frame that holds [`FRAME_WORK`]; 1 until something was measured.
    pub fn per_frame(&self) -> usize {
        let Some(mean) = self.service else { return 1 };
        let calls = FRAME_WORK / mean.max(1);
        usize::try_from(calls)
            .unwrap_or(MAX_PER_FRAME)
            .clamp(1, MAX_PER_FRAME)
    }

    /// The most calls that it may have: two frames under way.
    pub fn watermark(&self) -> usize {
        2 * self.per_frame()
    }

    /// How long what it has will take, as far as known.
    pub fn backlog(&self) -> Nanos {
        self.service.unwrap_or(0).saturating_mul(self.load() as u64)
    }

    /// Whether another frame may be sent to it.
    pub fn has_room(&self) -> bool {
        self.phase == Phase::Ready && !self.exclusive && self.load() <= self.per_frame()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_watermark_follows_the_service_time() {
        let mut replica = Replica::new(0, 0);
        assert_eq!(replica.watermark(), 2);
        replica.measure(10 * MICRO);
        assert_eq!(replica.watermark(), 100);
        for _ in 0..100 {
            replica.measure(50_000 * MICRO);
        }
        assert_eq!(replica.watermark(), 2);
        let mut quick = Replica::new(0, 0);
        quick.measure(1);
        assert_eq!(quick.watermark(), 2 * MAX_PER_FRAME);
    }
}
