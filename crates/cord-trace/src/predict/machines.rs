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
    let all: Times = slots.iter().flatten().copied().collect();
    let factor = |times: &Times| match by_computing {
        true => sum(times, |one| one.0) / sum(times, |one| one.1),
        false => {
            sum(times, |one| one.0) / times.len() as f64 * all.len() as f64 / sum(&all, |one| one.0)
        }
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

fn sum(times: &Times, pick: fn(&(f64, f64)) -> f64) -> f64 {
    times.iter().map(pick).sum()
}

/// How much values scatter, as a part of their mean.
fn scatter(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|one| (one - mean).powi(2)).sum();
    (squares / count).sqrt() / mean
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
        let each = slots.iter().map(|times| scatter(&values(times)));
        each.sum::<f64>() / slots.len() as f64
    };
    mean(ratios) < mean(totals)
}

/// Whether the machines differ by more than chance.
fn are_unequal(slots: &[Times], factors: &[f64], by_computing: bool) -> bool {
    let mean = factors.iter().sum::<f64>() / factors.len() as f64;
    slots.iter().zip(factors).any(|(times, factor)| {
        let values = if by_computing {
            ratios(times)
        } else {
            totals(times)
        };
        let chance = scatter(&values) / (times.len() as f64).sqrt();
        let off = (factor / mean - 1.0).abs();
        off > DIFFERENT && off > SIGNIFICANT * chance
    })
}
