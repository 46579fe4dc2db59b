//! What is drawn of a run: rows of intervals, in levels of detail that are computed beforehand, and
//! single intervals up to a number.

use std::collections::{BTreeMap, HashMap};

use cord_dispatch::dispatcher::Nanos;

use super::replicas::{busy, ByReplica};
use super::{ran, At};
use crate::{Call, Outcome, Run, Take};

/// In how many parts the run is told at each level.
pub const LEVELS: [usize; 3] = [512, 4096, 32768];
/// The parts of all rows at a level are no more than this; a finer level is left out.
const MOST_PARTS: usize = 2 << 20;
/// So many single intervals are kept of replicas, and as many of the program.
const MOST_SINGLE: usize = 150_000;
/// So many rows of replicas are drawn, and of the program's threads; more are told together.
const MOST_ROWS: usize = 256;
const MOST_THREADS: usize = 16;

/// A single interval, in units of the timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drawn {
    pub began: u32,
    pub length: u32,
    pub place: u16,
    /// In replicas: for how long it had been issued, and 0 taken, 1 not taken, 2 lost. At takes: for how
    /// long the call was waited for, and 0 with a call, 1 without.
    pub before: u32,
    pub what: u8,
}

/// A row.
#[derive(Debug, Default)]
pub struct Row {
    /// The replicas, or the thread, that it is about.
    pub about: Vec<u32>,
    /// What part of each part was filled, by level: 0 to 255.
    pub levels: Vec<Vec<u8>>,
    pub singles: Vec<Drawn>,
}

/// All rows.
#[derive(Debug)]
pub struct Timeline {
    /// Nanoseconds.
    pub unit: Nanos,
    pub threads: Vec<Row>,
    pub replicas: Vec<Row>,
    /// Of how many single takes and calls one is drawn.
    pub takes_of: usize,
    pub calls_of: usize,
    /// Births of scouts: for each part of the first level, how many.
    pub scouts: Vec<u64>,
    /// Copies of the program: when made, and how long it stood still.
    pub copies: Vec<(Nanos, Nanos)>,
}

pub(super) fn of(
    run: &Run,
    outer: &HashMap<u32, Vec<&Take>>,
    by_replica: &ByReplica<'_>,
    length: Nanos,
) -> Timeline {
    let unit = length / u64::from(u32::MAX) + 1;
    let many: usize = outer.values().map(Vec::len).sum();
    let takes_of = many.div_ceil(MOST_SINGLE).max(1);
    let calls_of = run.calls.len().div_ceil(MOST_SINGLE).max(1);
    Timeline {
        unit,
        threads: threads(run, outer, length, (unit, takes_of)),
        replicas: replicas(run, by_replica, length, (unit, calls_of)),
        takes_of,
        calls_of,
        scouts: scouts(run, length),
        copies: run.copies.iter().map(|one| (one.at, one.cost)).collect(),
    }
}

fn small(time: Nanos, unit: Nanos) -> u32 {
    u32::try_from(time / unit).unwrap_or(u32::MAX)
}

fn place(number: u32) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

fn threads(
    run: &Run,
    outer: &HashMap<u32, Vec<&Take>>,
    length: Nanos,
    (unit, one_of): (Nanos, usize),
) -> Vec<Row> {
    let in_order: BTreeMap<u32, &Vec<&Take>> = outer.iter().map(|(id, all)| (*id, all)).collect();
    let rows = in_order.len().min(MOST_THREADS);
    let drawn = |take: &&Take| {
        let at = At::of(take, run.call(take.call));
        Drawn {
            began: small(take.began, unit),
            length: small(take.ended - take.began, unit),
            place: place(take.place),
            before: small(at.queued + at.running + at.coming, unit),
            what: u8::from(take.call == 0),
        }
    };
    let row = |(id, takes): (u32, &Vec<&Take>)| Row {
        about: vec![id],
        levels: levels(length, rows, 1, || {
            takes.iter().map(|take| (take.began, take.ended))
        }),
        singles: takes.iter().step_by(one_of).map(drawn).collect(),
    };
    in_order.into_iter().take(rows).map(row).collect()
}

fn replicas(
    run: &Run,
    by_replica: &ByReplica<'_>,
    length: Nanos,
    (unit, one_of): (Nanos, usize),
) -> Vec<Row> {
    let mut in_order: Vec<_> = run.replicas.iter().collect();
    in_order.sort_by_key(|one| (one.node, one.module, one.slot, one.id));
    let mut together: Vec<Vec<u32>> = Vec::new();
    let each = in_order.len().div_ceil(MOST_ROWS).max(1);
    for some in in_order.chunk_by(|one, other| (one.node, one.module) == (other.node, other.module))
    {
        for chunk in some.chunks(each) {
            together.push(chunk.iter().map(|one| one.id).collect());
        }
    }
    let drawn = |call: &&Call| {
        let (began, ended) = ran(call)?;
        Some(Drawn {
            began: small(began, unit),
            length: small(ended.saturating_sub(began), unit),
            place: place(call.place),
            before: small(began.saturating_sub(call.issued), unit),
            what: match call.outcome {
                Outcome::Lost => 2,
                _ if call.is_in_vain() => 1,
                _ => 0,
            },
        })
    };
    let rows = together.len();
    let row = |about: Vec<u32>| {
        let calls = || about.iter().filter_map(|id| by_replica.get(id));
        Row {
            levels: levels(length, rows, about.len(), || {
                calls().flat_map(|calls| busy(calls))
            }),
            singles: (calls().flatten())
                .filter(|call| call.id % one_of as u64 == 0)
                .filter_map(drawn)
                .collect(),
            about,
        }
    };
    together.into_iter().map(row).collect()
}

/// What part of each part of the run these spans fill, at each level; of `together` at once, the mean.
fn levels<Spans: Iterator<Item = (Nanos, Nanos)>>(
    length: Nanos,
    rows: usize,
    together: usize,
    spans: impl Fn() -> Spans,
) -> Vec<Vec<u8>> {
    let fits = |parts: &&usize| **parts * rows.max(1) <= MOST_PARTS;
    let filled = |parts: &usize| {
        let mut filled = vec![0_u64; *parts];
        let width = length.div_ceil(*parts as u64).max(1);
        for (began, ended) in spans() {
            let mut at = began;
            while at < ended {
                let part = (at / width) as usize;
                let until = ended.min((at / width + 1) * width);
                if let Some(part) = filled.get_mut(part) {
                    *part += until - at;
                }
                at = until;
            }
        }
        let whole = width * together.max(1) as u64;
        let share = |time: u64| {
            (u128::from(time) * 255)
                .div_ceil(u128::from(whole))
                .min(255) as u8
        };
        filled.into_iter().map(share).collect()
    };
    LEVELS.iter().filter(fits).map(filled).collect()
}

/// How many scouts were born in each part of the first level.
fn scouts(run: &Run, length: Nanos) -> Vec<u64> {
    let mut born = vec![0; LEVELS[0]];
    let width = length.div_ceil(LEVELS[0] as u64).max(1);
    for scout in &run.scouts {
        born[((scout.at / width) as usize).min(LEVELS[0] - 1)] += 1;
    }
    born
}
