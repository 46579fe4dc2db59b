//! Whether replicas are on machines of unequal speed, by what their calls have taken.

use super::measured::Found;
use super::workload::{Service, Workload};

/// Machines are unequal only where one differs by so much from the others …
const DIFFERENT: f64 = 0.1;
/// … and by so many times what chance would do.
const SIGNIFICANT: f64 = 4.0;
/// So many calls say something of a machine.
const SEVERAL: usize = 8;

/// The calls of one replica's place: so long they took, and so long they computed.
type Times = Vec<(f64, f64)>;

/// How many times as long calls take at each replica, by module; nothing where all are alike. What is
/// left in `load` is what they would take where this is 1.
pub(super) fn machines_of(found: &Found<'_>, load: &mut Workload) -> Vec<Vec<f64>> {
    let modules = load.calls.iter().map(|call| call.module as usize + 1).max();
    (0..modules.unwrap_or(0))
        .map(|module| machines_in(found, load, module as u32))
        .collect()
}

/// The place of the replica that has run a call.
fn slot_of(found: &Found<'_>, at: usize) -> Option<usize> {
    let replica = found.run.replica(found.ran[at].replica?)?;
    found.ran[at].ran.map(|_| replica.slot as usize)
}

fn machines_in(found: &Found<'_>, load: &mut Workload, module: u32) -> Vec<f64> {
    let mut slots: Vec<Times> = Vec::new();
    let mut ours = Vec::new();
    for (at, call) in load.calls.iter().enumerate() {
        let Some(slot) = slot_of(found, at).filter(|_| call.module == module) else {
            continue;
        };
        if slots.len() <= slot {
            slots.resize_with(slot + 1, Vec::new);
        }
        let (total, computes) = (call.service.total() as f64, call.service.computes as f64);
        slots[slot].push((total, computes.max(1.0)));
        ours.push((at, slot));
    }
    if slots.len() < 2 || slots.iter().any(|times| times.len() < SEVERAL) {
        return Vec::new();
    }
    let by_computing = follows_computing(&slots);
    let mut every: Vec<f64> = slots.iter().flat_map(totals).collect();
    let usual = median(&mut every);
    let factor = |times: &Times| match by_computing {
        true => median(&mut ratios(times)),
        false => median(&mut totals(times)) / usual,
    };
    let factors: Vec<f64> = slots.iter().map(factor).collect();
    if !are_unequal(&slots, &factors, by_computing) {
        return Vec::new();
    }
    for (at, slot) in ours {
        let service = &mut load.calls[at].service;
        *service = match by_computing {
            true => Service::computing(service.computes),
            false => Service {
                computes: service.computes,
                waits: ((service.total() as f64 / factors[slot]) as u64)
                    .saturating_sub(service.computes),
            },
        };
    }
    factors
}

/// The value in the middle: what is held up by something else now and then does not change it.
fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

/// How far values usually are from the one in the middle, as a part of that.
fn scatter(values: &mut [f64]) -> f64 {
    let middle = median(values);
    let mut off: Vec<f64> = values.iter().map(|one| (one - middle).abs()).collect();
    median(&mut off) / middle
}

fn ratios(times: &Times) -> Vec<f64> {
    times
        .iter()
        .map(|(total, computes)| total / computes)
        .collect()
}

fn totals(times: &Times) -> Vec<f64> {
    times.iter().map(|(total, _)| *total).collect()
}

/// Whether at each replica calls take longer the more they compute, and by nothing else.
fn follows_computing(slots: &[Times]) -> bool {
    let mean = |values: fn(&Times) -> Vec<f64>| {
        let each = slots.iter().map(|times| scatter(&mut values(times)));
        each.sum::<f64>() / slots.len() as f64
    };
    mean(ratios) < mean(totals)
}

/// Whether the machines differ by more than chance.
fn are_unequal(slots: &[Times], factors: &[f64], by_computing: bool) -> bool {
    let mean = factors.iter().sum::<f64>() / factors.len() as f64;
    slots.iter().zip(factors).any(|(times, factor)| {
        let mut values = if by_computing {
            ratios(times)
        } else {
            totals(times)
        };
        let chance = scatter(&mut values) / (times.len() as f64).sqrt();
        let off = (factor / mean - 1.0).abs();
        off > DIFFERENT && off > SIGNIFICANT * chance
    })
}
