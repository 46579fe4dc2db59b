//! A run as facts, for whoever tells of it: sums by place, use of replicas, the critical path, and a
//! timeline in several levels of detail. All sums are exact; only what is drawn is thinned, and says so.

mod json;
mod path;
mod places;
mod replicas;
#[cfg(test)]
mod tests;
mod timeline;

use std::collections::{BTreeMap, HashMap};

use cord_dispatch::dispatcher::Nanos;

use crate::{Call, Run, Take};

pub use path::{Kind, Path, Piece};
pub use places::{At, Place};
pub use replicas::Used;
pub use timeline::{Drawn, Row, Timeline, LEVELS};

/// In so many equal parts of the run it is told how many calls were answered.
const PARTS: usize = 120;

/// What is told of a run.
#[derive(Debug)]
pub struct Facts {
    /// How long it took.
    pub length: Nanos,
    /// The thread of the program that was longest at calls; what is its own is told of this one.
    pub thread: u32,
    /// For how long that was at calls, those within others left out.
    pub at_calls: Nanos,
    /// How many threads have made calls.
    pub threads: usize,
    pub calls: usize,
    pub takes: usize,
    /// By number.
    pub places: Vec<Place>,
    pub replicas: Vec<Used>,
    /// By number: the names of nodes.
    pub nodes: BTreeMap<u32, String>,
    pub path: Path,
    /// How many calls were answered in each of equal parts of the run.
    pub answered: Vec<u64>,
    pub timeline: Timeline,
}

impl Facts {
    /// Finds out all of it.
    ///
    /// # Args
    /// `length`: how long the program ran, as far as that is known; the last record tells otherwise.
    pub fn of(run: &Run, length: Nanos) -> Facts {
        let length = length.max(run.last).max(1);
        let outer = outer_takes(run);
        let longest = |takes: &Vec<&Take>| takes.iter().map(|take| take.ended - take.began).sum();
        let (thread, at_calls) = outer
            .iter()
            .map(|(thread, takes)| (*thread, longest(takes)))
            .max_by_key(|(thread, spent): &(u32, Nanos)| (*spent, std::cmp::Reverse(*thread)))
            .unwrap_or_default();
        let by_replica = replicas::in_order(run);
        let own = outer.get(&thread).map_or(&[][..], Vec::as_slice);
        Facts {
            length,
            thread,
            at_calls,
            threads: outer.len(),
            calls: run.calls.iter().filter(|call| !call.beside).count(),
            takes: run.takes.len(),
            places: places::of(run),
            replicas: replicas::of(run, &by_replica, length),
            nodes: run.node_names(),
            path: path::of(run, own, &by_replica, length),
            answered: answered(run, length),
            timeline: timeline::of(run, &outer, &by_replica, length),
        }
    }

    /// As JSON.
    pub fn json(&self) -> String {
        json::written(self)
    }
}

/// The takes of each thread that lie in no others, in order.
fn outer_takes(run: &Run) -> HashMap<u32, Vec<&Take>> {
    let mut outer: HashMap<u32, Vec<&Take>> = HashMap::new();
    for take in run.takes.iter().filter(|take| take.depth == 0) {
        outer.entry(take.thread).or_default().push(take);
    }
    for takes in outer.values_mut() {
        takes.sort_by_key(|take| take.began);
    }
    outer
}

/// From when to when a call was at its replica, as far as is known.
fn ran(call: &Call) -> Option<(Nanos, Nanos)> {
    call.ran.or_else(|| {
        let (ended, sent) = (call.ended?, call.sent?);
        // its replica has not told when: it ran at the end of the time that it was there
        (call.service > 0).then(|| (sent.max(ended.saturating_sub(call.service)), ended))
    })
}

fn answered(run: &Run, length: Nanos) -> Vec<u64> {
    let mut parts = vec![0; PARTS];
    for call in run.calls.iter().filter(|call| !call.beside) {
        if let (Some(ended), Some(_)) = (call.ended, ran(call)) {
            let at = u128::from(ended) * PARTS as u128 / u128::from(length);
            parts[(at as usize).min(PARTS - 1)] += 1;
        }
    }
    parts
}
