//! A workload, from a run that was written down: what the program and its calls have taken there.

use std::collections::HashMap;
use std::fmt;

use cord_dispatch::dispatcher::{CallId, Nanos};
use cord_wire::effects::Effects;
use cord_wire::priority::Priority;

use super::costs::{costs_of, latency_of, starts_of};
use super::machines::machines_of;
use super::workload::{Call, Child, Index, Issue, Service, Step, Workload};
use crate::{Call as Ran, Outcome, Run, Take};

/// So many calls before one, in the program's order, are looked at for the one that it waited for.
const NEAR: usize = 64;

/// Less than such a part of the cores' time is little.
const FEW: u64 = 4;

/// Why a run cannot be simulated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfit(pub String);

impl fmt::Display for Unfit {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.0)
    }
}

/// The program's takes, as steps of the workload: which step, and the take.
pub(super) struct Taken<'a> {
    pub step: u32,
    pub take: &'a Take,
    pub call: Index,
}

/// A run, and where its calls are in the workload.
pub(super) struct Found<'a> {
    pub run: &'a Run,
    /// In the order of the workload's calls.
    pub ran: Vec<&'a Ran>,
    pub index: HashMap<CallId, Index>,
    pub taken: Vec<Taken<'a>>,
    /// By call: the take that waits for it, as an index of `taken`.
    pub take_of: Vec<Option<usize>>,
}

impl Found<'_> {
    /// When the program's thread has issued a call.
    pub fn placed(&self, call: Index) -> Nanos {
        let ran = self.ran[call as usize];
        ran.placed.unwrap_or(ran.issued)
    }

    /// The first take that has ended then or later.
    fn taken_at(&self, time: Nanos) -> usize {
        self.taken.partition_point(|one| one.take.ended < time)
    }

    fn step_at(&self, time: Nanos, last: u32) -> u32 {
        let taken = self.taken.get(self.taken_at(time));
        taken.map_or(last, |one| one.step)
    }
}

/// The workload that a run had, which ended then, on so many cores.
///
/// # Errors
/// Where the simulation would not be of what has happened.
pub fn measured(run: &Run, ended: Nanos, cores: u32) -> Result<Workload, Unfit> {
    let mut load = Workload::default();
    let mut found = Found {
        run,
        ran: run.calls.iter().filter(|call| !call.beside).collect(),
        index: HashMap::new(),
        taken: Vec::new(),
        take_of: Vec::new(),
    };
    for (at, call) in found.ran.iter().enumerate() {
        found.index.insert(call.id, at as Index);
    }
    found.take_of = vec![None; found.ran.len()];
    walk(&mut found, &mut load, ended)?;
    load.calls = found.ran.iter().map(|ran| call_of(&found, ran)).collect();
    set_issues(&found, &mut load);
    set_services(&found, &mut load, cores);
    load.machines = machines_of(&found, &mut load);
    load.costs = costs_of(&found, &load);
    load.latency = latency_of(&found);
    load.starts = starts_of(run);
    Ok(load)
}

/// The program's steps: what lies between takes, and what a take spends on a call that was not sent, is
/// its own work.
fn walk<'a>(found: &mut Found<'a>, load: &mut Workload, ended: Nanos) -> Result<(), Unfit> {
    let mut now = 0;
    for (number, take) in found.run.takes.iter().enumerate() {
        let call = found.index.get(&take.call).copied();
        if take.thread != 0 && call.is_some() {
            let words = "calls were made by more than one thread of the program";
            return Err(Unfit(words.to_owned()));
        }
        if take.thread != 0 {
            continue;
        }
        let until = call.map_or(take.ended, |_| take.began);
        work(load, until.saturating_sub(now));
        now = now.max(take.ended);
        let Some(call) = call else { continue };
        let is_last = found.ran[call as usize].take == Some(number);
        let step = load.program.len() as u32;
        if is_last {
            found.take_of[call as usize] = Some(found.taken.len());
        }
        found.taken.push(Taken { step, take, call });
        load.program.push(match is_last {
            true => Step::Take(call),
            false => Step::Pass(call),
        });
    }
    if found.taken.is_empty() {
        let words = "no call of a remote function was sent in it";
        return Err(Unfit(words.to_owned()));
    }
    work(load, ended.saturating_sub(now));
    Ok(())
}

fn work(load: &mut Workload, time: Nanos) {
    if let Some(Step::Work(before)) = load.program.last_mut() {
        *before += time;
    } else if time > 0 {
        load.program.push(Step::Work(time));
    }
}

fn call_of(found: &Found<'_>, ran: &Ran) -> Call {
    let index = |id: &CallId| found.index.get(id).copied();
    Call {
        module: ran.module,
        manner: ran.manner,
        effects: match ran.effects {
            0 => Effects::Pure,
            1 => Effects::Independent,
            _ => Effects::Stateful,
        },
        priority: ran
            .priority
            .map_or_else(Priority::default, Priority::from_bits),
        bytes: usize::try_from(ran.bytes).unwrap_or(usize::MAX),
        came: usize::try_from(ran.came).unwrap_or(usize::MAX),
        keeps: ran.keeps,
        needs: ran.needs.iter().filter_map(index).collect(),
        place: ran.place,
        nested: ran.parent.is_some(),
        ..Call::default()
    }
}

/// Who issues which call, and from when on that is possible.
fn set_issues(found: &Found<'_>, load: &mut Workload) {
    let last = load.program.len() as u32;
    let births: Vec<u32> = (found.run.scouts.iter())
        .map(|scout| found.step_at(scout.at, last))
        .collect();
    let born_at = |time: Nanos| {
        let before = found.run.scouts.partition_point(|scout| scout.at <= time);
        before.checked_sub(1).map(|scout| births[scout])
    };
    let mut farthest = 0;
    for at in 0..load.calls.len() {
        if load.calls[at].nested {
            continue;
        }
        let placed = found.placed(at as Index);
        let taken = found.take_of[at];
        let first = taken.map(|taken| first_take(found, taken));
        let is_ahead = first.is_none_or(|first| {
            let take = found.taken[first].take;
            placed < take.began || just_then(found, take)
        });
        let Some(born) = born_at(placed).filter(|_| is_ahead) else {
            continue;
        };
        load.calls[at].issue = Issue::Ahead { born };
        if let Some(taken) = taken {
            if taken < farthest {
                if let Some(call) = awaited_by(found, taken, placed) {
                    load.calls[at].issue = Issue::After { born, call };
                }
            }
            farthest = farthest.max(taken);
        }
        if taken.is_none() && !load.calls[at].keeps {
            let ran = found.ran[at];
            let is_dropped = ran.outcome == Outcome::Dropped;
            let end = ran.ended.filter(|_| is_dropped);
            load.calls[at].dropped = Some(end.map_or(last, |end| found.step_at(end, last)));
        }
    }
}

/// The take at which the program came to a call, where it received its value at a later one.
fn first_take(found: &Found<'_>, taken: usize) -> usize {
    let call = found.taken[taken].call;
    let from = taken.saturating_sub(NEAR);
    let first = (from..taken).find(|at| found.taken[*at].call == call);
    first.unwrap_or(taken)
}

/// Whether the call of a take that was issued in it was issued by a scout: then none is born there.
fn just_then(found: &Found<'_>, take: &Take) -> bool {
    let scouts = &found.run.scouts;
    let next = scouts.partition_point(|scout| scout.at < take.began);
    next > 0 && scouts.get(next).is_none_or(|scout| scout.at > take.ended)
}

/// The call whose value a scout has waited for before it issued the one of this take: of those that the
/// program takes before, the one that was answered last.
fn awaited_by(found: &Found<'_>, taken: usize, placed: Nanos) -> Option<Index> {
    let before = &found.taken[taken.saturating_sub(NEAR)..taken];
    let ended = |one: &&Taken<'_>| {
        let ended = found.ran[one.call as usize].ended;
        ended.filter(|ended| *ended <= placed)
    };
    let answered = before.iter().filter(|one| ended(one).is_some());
    answered.max_by_key(|one| ended(one)).map(|one| one.call)
}

/// How long calls take in replicas. What they wait for a core is a matter of how many replicas there are,
/// unless these have used few of the cores' time: then others have, and will.
fn set_services(found: &Found<'_>, load: &mut Workload, cores: u32) {
    let used: Nanos = found.ran.iter().map(|ran| ran.used).sum();
    let by_others = used < found.run.last.saturating_mul(u64::from(cores)) / FEW;
    load.held_up = held_up(found);
    for (at, ran) in found.ran.iter().enumerate() {
        let time = match ran.ran {
            Some((began, ended)) if by_others => ended - began,
            _ => ran.service,
        };
        load.calls[at].service = Service {
            computes: ran.used.min(time),
            waits: time.saturating_sub(ran.used),
        };
    }
    set_children(found, load);
    let mut known: HashMap<u32, (Nanos, Nanos, Nanos)> = HashMap::new();
    for call in &load.calls {
        let sum = known.entry(call.place).or_default();
        if call.service != Service::default() {
            *sum = (
                sum.0 + call.service.computes,
                sum.1 + call.service.waits,
                sum.2 + 1,
            );
        }
    }
    for call in &mut load.calls {
        let (computes, waits, calls) = known[&call.place];
        if call.service == Service::default() && calls > 0 {
            call.service = Service {
                computes: computes / calls,
                waits: waits / calls,
            };
        }
    }
}

/// What part of the time that calls ran they have waited for a core.
fn held_up(found: &Found<'_>) -> f64 {
    let ran = found
        .ran
        .iter()
        .filter_map(|ran| Some((ran.ran?, ran.service)));
    let (mut all, mut waited) = (0, 0);
    for ((began, ended), service) in ran {
        all += ended - began;
        waited += (ended - began).saturating_sub(service);
    }
    waited as f64 / all.max(1) as f64
}

/// Which calls others make, and when: what they wait for these is no part of their own time.
fn set_children(found: &Found<'_>, load: &mut Workload) {
    let mut children: HashMap<CallId, Vec<Index>> = HashMap::new();
    for (at, ran) in found.ran.iter().enumerate() {
        if let Some((_, parent)) = ran.parent {
            children.entry(parent).or_default().push(at as Index);
        }
    }
    for (parent, mut made) in children {
        let Some(at) = found.index.get(&parent).copied() else {
            continue;
        };
        let Some((began, ended)) = found.ran[at as usize].ran else {
            continue;
        };
        made.sort_unstable_by_key(|child| found.ran[*child as usize].issued);
        let mut since = began;
        let mut spans = Vec::with_capacity(made.len());
        for child in &made {
            let child = found.ran[*child as usize];
            spans.push(child.issued.saturating_sub(since));
            since = child.ended.unwrap_or(child.issued).max(since);
        }
        let own = spans.iter().sum::<Nanos>() + ended.saturating_sub(since);
        let call = &mut load.calls[at as usize];
        let computes = call.service.computes.min(own);
        call.service = Service {
            computes,
            waits: own - computes,
        };
        let part = |span: Nanos| {
            let computes =
                (u128::from(computes) * u128::from(span) / u128::from(own.max(1))) as u64;
            Service {
                computes,
                waits: span - computes,
            }
        };
        let made = made.into_iter().zip(spans);
        call.children = made
            .map(|(call, span)| Child {
                call,
                before: part(span),
            })
            .collect();
    }
}
