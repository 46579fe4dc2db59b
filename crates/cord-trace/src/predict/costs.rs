//! What the steps of a call have cost in a run.

use std::collections::HashMap;

use cord_dispatch::dispatcher::{Nanos, ReplicaId};

use super::measured::Found;
use super::workload::{Costs, Index, Issue, Latency, Start, Workload};
use crate::{Call as Ran, Run};

/// A scout that took more than so many times the median from one call to the next has paused.
const HELD_UP: Nanos = 8;
/// How long fewer replicas than this were ready apart says little …
const FEW: usize = 4;
/// … but that it is no more than such a part of the first one's start: they are forked from one process that
/// has loaded the module.
const ALONE: Nanos = 8;
/// Replicas that were asked for so soon are those of the session's begin.
const BEGIN: Nanos = 5_000_000;

/// The mean; none of nothing.
fn mean(samples: &[Nanos]) -> Option<Nanos> {
    let count = samples.len() as u64;
    samples.iter().sum::<Nanos>().checked_div(count)
}

/// Keeps what the thread has done without a pause: a scout that has enough out waits between two calls.
fn unheld(samples: &mut Vec<Nanos>) {
    if let Some(median) = quantile(samples, 2) {
        let most = median.max(1).saturating_mul(HELD_UP);
        samples.retain(|one| *one <= most);
    }
}

/// So much that one of so many parts is less; none of nothing.
fn quantile(samples: &mut [Nanos], part: usize) -> Option<Nanos> {
    samples.sort_unstable();
    samples.get(samples.len() / part).copied()
}

/// Of each place: what was measured.
#[derive(Default)]
struct Samples {
    ahead: Vec<Nanos>,
    in_place: Vec<Nanos>,
    taken: Vec<Nanos>,
    awaited: Vec<Nanos>,
}

impl Samples {
    fn all(&mut self) -> [&mut Vec<Nanos>; 4] {
        [
            &mut self.ahead,
            &mut self.in_place,
            &mut self.taken,
            &mut self.awaited,
        ]
    }
}

/// What calls have cost the program, by place; where something was not seen, as at other places.
pub(super) fn costs_of(found: &Found<'_>, load: &Workload) -> Vec<Costs> {
    let most = load.calls.iter().map(|call| call.place).max().unwrap_or(0);
    let mut samples: Vec<Samples> = (0..=most).map(|_| Samples::default()).collect();
    let issued = issued_in(found, load, &mut samples);
    for (at, taken) in found.taken.iter().enumerate() {
        let (take, call) = (taken.take, found.ran[taken.call as usize]);
        let placed = found.placed(taken.call);
        let samples = &mut samples[call.place as usize];
        if load.calls[taken.call as usize].issue == Issue::InPlace && placed >= take.began {
            samples.in_place.push(placed - take.began);
        }
        let there = call.ended.filter(|ended| *ended <= take.ended);
        let since = there.unwrap_or(0).max(take.began).max(issued[at]);
        let spent = take.ended - since.min(take.ended);
        match there.is_some_and(|there| there > take.began) {
            true => samples.awaited.push(spent),
            false => samples.taken.push(spent),
        }
    }
    samples.iter_mut().for_each(|one| unheld(&mut one.ahead));
    let mut everywhere = Samples::default();
    for one in &mut samples {
        for (all, here) in everywhere.all().into_iter().zip(one.all()) {
            all.extend_from_slice(here);
        }
    }
    let elsewhere = everywhere.all().map(|samples| mean(samples));
    let cost = |one: &mut Samples| {
        let here = one.all().map(|samples| mean(samples));
        let of = |at: usize| here[at].or(elsewhere[at]);
        let ahead = of(0).or(of(1)).unwrap_or(0);
        let awaited = of(3).or(of(2)).unwrap_or(0);
        Costs {
            ahead,
            in_place: of(1).unwrap_or(ahead),
            taken: of(2).unwrap_or(awaited),
            awaited,
        }
    };
    samples.iter_mut().map(cost).collect()
}

/// Looks what it takes to issue one call after another. By take: when the last one was issued in it.
fn issued_in(found: &Found<'_>, load: &Workload, samples: &mut [Samples]) -> Vec<Nanos> {
    let mut last = vec![0; found.taken.len()];
    let mut before: Option<(usize, Nanos)> = None;
    for (at, call) in load.calls.iter().enumerate() {
        if call.nested {
            continue;
        }
        let placed = found.placed(at as Index);
        let taken = found.taken.partition_point(|one| one.take.ended < placed);
        let during = found
            .taken
            .get(taken)
            .filter(|one| one.take.began <= placed);
        if during.is_none() {
            continue;
        }
        last[taken] = placed.max(last[taken]);
        if let Some((_, time)) = before.filter(|(during, _)| *during == taken) {
            if call.issue != Issue::InPlace && placed >= time {
                samples[call.place as usize].ahead.push(placed - time);
            }
        }
        before = Some((taken, placed));
    }
    last
}

/// The calls that each replica has run, in this order.
fn by_replica<'a>(found: &Found<'a>) -> HashMap<ReplicaId, Vec<&'a Ran>> {
    let mut all: HashMap<ReplicaId, Vec<&Ran>> = HashMap::new();
    for ran in &found.ran {
        if let (Some(replica), Some(_)) = (ran.replica, ran.ran) {
            all.entry(replica).or_default().push(ran);
        }
    }
    for calls in all.values_mut() {
        calls.sort_unstable_by_key(|call| call.ran);
    }
    all
}

/// How long the way was.
pub(super) fn latency_of(found: &Found<'_>) -> Latency {
    let (mut there, mut back, mut between) = (Vec::new(), Vec::new(), Vec::new());
    for calls in by_replica(found).values() {
        let mut free = 0;
        for call in calls {
            let (Some(sent), Some((began, ended))) = (call.sent, call.ran) else {
                continue;
            };
            // one that was passed on has come later than it was sent, and nobody knows when
            match call.moved {
                true => {}
                false if sent >= free => there.push(began.saturating_sub(sent)),
                false if free > 0 => between.push(began.saturating_sub(free)),
                false => {}
            }
            if let Some(answered) = call.ended {
                back.push(answered.saturating_sub(ended));
            }
            free = ended;
        }
    }
    let back = quantile(&mut back, 2).unwrap_or(0); // some have gathered
    Latency {
        there: mean(&there).unwrap_or(back),
        back,
        between: mean(&between).unwrap_or(0),
    }
}

/// How replicas have started, by module.
pub(super) fn starts_of(run: &Run) -> Vec<Start> {
    let modules = run.replicas.iter().map(|one| one.module + 1).max();
    (0..modules.unwrap_or(0))
        .map(|module| start_of(run, module))
        .collect()
}

fn start_of(run: &Run, module: u32) -> Start {
    let ready = |is_early: bool| -> Vec<(Nanos, Nanos)> {
        let of_module = run.replicas.iter().filter(|one| one.module == module);
        let all = of_module.filter_map(|one| Some((one.ready?, one.launched)));
        let mut all: Vec<_> = all
            .filter(|(_, launched)| (*launched < BEGIN) == is_early)
            .collect();
        all.sort_unstable();
        all
    };
    let (early, late) = (ready(true), ready(false));
    let took = |all: &[(Nanos, Nanos)]| {
        let took = all
            .iter()
            .map(|(ready, launched)| ready.saturating_sub(*launched));
        took.min()
    };
    let later = took(&late).or(took(&early)).unwrap_or(0);
    let spread = |all: &[(Nanos, Nanos)]| {
        let (first, last) = (all.first()?.0, all.last()?.0);
        let more = all.len() as u64 - 1;
        (more > 0).then(|| (last - first) / more)
    };
    let most = match early.len().max(late.len()) {
        FEW.. => later,
        _ => later / ALONE,
    };
    Start {
        first: took(&early).unwrap_or(later),
        later,
        each: spread(&early).or(spread(&late)).unwrap_or(most).min(most),
    }
}
