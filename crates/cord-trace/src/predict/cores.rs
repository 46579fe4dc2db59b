//! A machine's cores, shared by all that computes: each has as much of them as any other.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use cord_dispatch::dispatcher::{Nanos, ReplicaId};

/// Who computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    Program,
    Replica(ReplicaId),
}

#[derive(Debug)]
struct Job {
    /// How much each that computes all the time has computed when this one is done.
    until: f64,
    number: u64,
    who: Who,
}

impl Ord for Job {
    fn cmp(&self, other: &Job) -> Ordering {
        let by_end = other.until.total_cmp(&self.until);
        by_end.then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for Job {
    fn partial_cmp(&self, other: &Job) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Job {
    fn eq(&self, other: &Job) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Job {}

/// Cores, and what they compute: the one that is done first stands first. All have the same share, so
/// that this order does not change.
#[derive(Debug)]
pub struct Cores {
    cores: f64,
    now: f64,
    /// How much each that computes since the begin has computed.
    done: f64,
    jobs: BinaryHeap<Job>,
    number: u64,
    /// For how long more wanted to compute than there are cores.
    crowded: f64,
}

impl Cores {
    /// So many cores.
    pub fn new(cores: u32) -> Cores {
        Cores {
            cores: f64::from(cores.max(1)),
            now: 0.0,
            done: 0.0,
            jobs: BinaryHeap::new(),
            number: 0,
            crowded: 0.0,
        }
    }

    fn rate(&self) -> f64 {
        (self.cores / self.jobs.len().max(1) as f64).min(1.0)
    }

    fn pass(&mut self, now: Nanos) {
        let (now, rate) = (now as f64, self.rate());
        let passed = (now - self.now).max(0.0);
        self.done += passed * rate;
        if rate < 1.0 {
            self.crowded += passed;
        }
        self.now = now;
    }

    /// Somebody begins to compute, for so long if it has a core for itself.
    pub fn begin(&mut self, now: Nanos, who: Who, work: Nanos) {
        self.pass(now);
        self.number += 1;
        self.jobs.push(Job {
            until: self.done + work as f64,
            number: self.number,
            who,
        });
    }

    /// When the next one is done.
    pub fn next(&self) -> Option<Nanos> {
        let first = self.jobs.peek()?;
        let left = (first.until - self.done).max(0.0) / self.rate();
        Some((self.now + left).ceil() as Nanos)
    }

    /// The one that is done now.
    pub fn end(&mut self, now: Nanos) -> Option<Who> {
        self.pass(now);
        self.jobs.pop().map(|job| job.who)
    }

    /// For how long more wanted to compute than there are cores.
    pub fn crowded(&self) -> Nanos {
        self.crowded as Nanos
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_alone_has_a_core_and_more_share_them() {
        let mut cores = Cores::new(2);
        cores.begin(0, Who::Program, 100);
        assert_eq!(cores.next(), Some(100));
        cores.begin(0, Who::Replica(1), 100);
        assert_eq!((cores.next(), cores.crowded()), (Some(100), 0));
        cores.begin(50, Who::Replica(2), 100);
        assert_eq!(cores.next(), Some(125), "the last 50 take 75");
        assert_eq!(cores.end(125), Some(Who::Program));
        assert_eq!(cores.end(125), Some(Who::Replica(1)));
        assert_eq!(cores.next(), Some(175));
        assert_eq!(cores.crowded(), 75);
    }
}
