//! Workloads whose times are known by arithmetic.

use cord_dispatch::dispatcher::Nanos;
use cord_dispatch::manner::{Batch, Manner};
use cord_dispatch::module_spec::ModuleSpec;
use cord_wire::effects::Effects;
use cord_wire::priority::Priority;

use super::*;

const MS: Nanos = 1_000_000;

/// Calls of one place, each taken where the one before was: the first in place, the others by a scout
/// that is born there.
fn loop_of(services: impl IntoIterator<Item = Service>) -> Workload {
    let mut load = Workload {
        costs: vec![Costs::default()],
        ..Workload::default()
    };
    for service in services {
        let at = load.calls.len() as Index;
        let issue = match at {
            0 => Issue::InPlace,
            _ => Issue::Ahead { born: 0 },
        };
        load.calls.push(Call {
            service,
            issue,
            ..Call::default()
        });
        load.program.push(Step::Take(at));
    }
    load
}

fn on(replicas: u32) -> Setup {
    Setup::of(vec![ModuleSpec::plain("work", replicas)], 2)
}

fn demand(replicas: u32, watermark: usize) -> Setup {
    let manner = Manner {
        watermark: Some(watermark),
        ..Manner::default()
    };
    let module = ModuleSpec {
        manners: vec![manner],
        ..ModuleSpec::plain("work", replicas)
    };
    Setup::of(vec![module], 2)
}

fn time(load: &Workload, setup: &Setup) -> Nanos {
    simulate(load, setup).unwrap().time
}

#[test]
fn calls_that_wait_go_side_by_side() {
    let load = loop_of([Service::waiting(10 * MS); 640]);
    for replicas in [1, 2, 8, 32, 64] {
        let wanted = 640 / Nanos::from(replicas) * 10 * MS;
        assert_eq!(time(&load, &on(replicas)), wanted, "{replicas}");
    }
    assert_eq!(load.alone(), 6400 * MS);
}

#[test]
fn calls_that_compute_share_the_cores() {
    let load = loop_of([Service::computing(10 * MS); 64]);
    let shared = |replicas| Setup {
        shared: true,
        ..on(replicas)
    };
    assert_eq!(time(&load, &shared(1)), 640 * MS);
    assert_eq!(time(&load, &shared(2)), 320 * MS);
    let found = simulate(&load, &shared(8)).unwrap();
    assert_eq!((found.time, found.crowded), (320 * MS, 320 * MS));
    assert_eq!(time(&load, &on(8)), 80 * MS, "each with its own core");
}

#[test]
fn from_some_replicas_on_the_program_is_the_limit() {
    let mut load = loop_of([Service::waiting(8 * MS); 400]);
    let takes = std::mem::take(&mut load.program);
    let work = [Step::Work(MS)];
    load.program = takes.into_iter().flat_map(|take| [take, work[0]]).collect();
    assert_eq!(time(&load, &on(1)), 400 * 8 * MS + MS);
    // the first call, then the program's own work, which hides all others
    for replicas in [9, 16, 64] {
        assert_eq!(time(&load, &on(replicas)), 8 * MS + 400 * MS);
    }
    let found = simulate(&load, &on(64)).unwrap();
    assert_eq!((found.own, found.places[0].waited), (400 * MS, 8 * MS));
    assert_eq!((found.places[0].ahead, found.places[0].taken), (399, 400));
}

#[test]
fn what_calls_cost_the_program_is_its_own_time() {
    let mut load = loop_of([Service::waiting(MS); 100]);
    load.costs = vec![Costs {
        ahead: 10_000,
        in_place: 20_000,
        taken: 5_000,
        awaited: 7_000,
    }];
    let found = simulate(&load, &on(64)).unwrap();
    let issued = 20_000 + 99 * 10_000;
    assert!(found.places[0].spent >= issued + 100 * 5_000);
    assert!(found.places[0].spent <= issued + 100 * 7_000);
    assert_eq!(found.time, found.places[0].waited + found.places[0].spent);
}

#[test]
fn a_chain_of_calls_gains_nothing() {
    let mut load = loop_of([Service::waiting(MS); 50]);
    for call in &mut load.calls {
        call.issue = Issue::InPlace;
    }
    load.latency = Latency {
        there: 30_000,
        back: 20_000,
        between: 0,
    };
    for replicas in [1, 4, 32] {
        assert_eq!(time(&load, &on(replicas)), 50 * (MS + 50_000));
    }
}

#[test]
fn calls_that_may_not_be_ahead_are_made_in_place() {
    let load = loop_of([Service::waiting(MS); 20]);
    let mut setup = on(4);
    setup.ahead = vec![false];
    assert_eq!(time(&load, &setup), 20 * MS);
    assert_eq!(time(&load, &on(4)), 5 * MS);
}

/// Of each item one call of the first module, then one of the second that needs its value.
fn two_stages(items: u32, passed: bool) -> (Workload, Setup) {
    let mut load =
        loop_of((0..2 * items).map(|at| Service::waiting([4 * MS, 6 * MS][at as usize % 2])));
    for item in 0..items {
        let (first, second) = (2 * item, 2 * item + 1);
        let call = &mut load.calls[second as usize];
        call.module = 1;
        if passed {
            call.needs = vec![first];
            load.calls[first as usize].keeps = true;
        } else {
            call.issue = Issue::After {
                born: 0,
                call: first,
            };
        }
    }
    let stage = |name| ModuleSpec::plain(name, 1);
    (load, Setup::of(vec![stage("first"), stage("second")], 2))
}

#[test]
fn two_stages_overlap() {
    let (load, setup) = two_stages(20, false);
    assert_eq!(time(&load, &setup), 4 * MS + 20 * 6 * MS);
    let (load, setup) = two_stages(20, true);
    assert_eq!(time(&load, &setup), 4 * MS + 20 * 6 * MS);
}

#[test]
fn long_calls_first_leave_no_long_end() {
    let mut load = loop_of([1, 1, 1, 1, 1, 1, 6].map(|ms| Service::waiting(ms * MS)));
    load.starts = vec![Start {
        first: 10 * MS,
        later: 10 * MS,
        each: 0,
    }];
    // the program waits for the first call, which goes first whatever its priority
    assert_eq!(time(&load, &demand(2, 1)), (10 + 3 + 6) * MS);
    let longest = Setup {
        order: Order::Longest,
        ..demand(2, 1)
    };
    // before the scout's window has grown as far as the long one, both replicas have begun another
    assert_eq!(time(&load, &longest), (10 + 1 + 6) * MS);
    for call in &mut load.calls {
        call.priority = Priority::new(call.service.total() as f64);
    }
    assert_eq!(time(&load, &demand(2, 1)), (10 + 1 + 6) * MS);
    let oldest = Setup {
        order: Order::Oldest,
        ..demand(2, 1)
    };
    assert_eq!(time(&load, &oldest), (10 + 3 + 6) * MS);
}

#[test]
fn equal_shares_take_as_long_as_the_slowest_machine() {
    let mut load = loop_of([Service::waiting(MS); 90]);
    load.machines = vec![vec![1.0, 4.0]];
    let shares = Manner {
        shares: Some(vec![1, 1]),
        ..Manner::default()
    };
    let mut setup = on(2);
    setup.modules[0].manners = vec![shares];
    assert_eq!(time(&load, &setup), 45 * 4 * MS);
    // on demand, rates add up: 1 + 1/4 calls in each ms, and what is begun last ends at once
    let found = time(&load, &demand(2, 1));
    assert!((72 * MS..=76 * MS).contains(&found), "{found}");
}

#[test]
fn frames_spare_the_way_between_calls() {
    let mut load = loop_of([Service::waiting(MS); 100]);
    load.latency.there = MS;
    load.starts = vec![Start {
        first: MS,
        later: MS,
        each: 0,
    }];
    let one = time(&load, &demand(1, 1));
    assert!(one >= 100 * 2 * MS, "each waits for its frame: {one}");
    let mut batched = demand(1, 20);
    batched.modules[0].manners[0].batch = Batch::Calls(10);
    assert!(time(&load, &batched) < 120 * MS);
}

#[test]
fn replicas_that_start_late_serve_late() {
    let mut load = loop_of([Service::waiting(MS); 100]);
    load.starts = vec![Start {
        first: 50 * MS,
        later: 50 * MS,
        each: 10 * MS,
    }];
    assert_eq!(time(&load, &on(1)), 150 * MS);
    // the second one 10 ms later
    assert_eq!(time(&load, &on(2)), (50 + 10 + 45) * MS);
}

#[test]
fn calls_in_vain_take_replicas_from_others() {
    let mut load = loop_of([Service::waiting(MS); 40]);
    for at in (1..40).step_by(2) {
        load.calls[at].dropped = Some(40);
    }
    load.program
        .retain(|step| matches!(step, Step::Take(call) if call % 2 == 0));
    let found = simulate(&load, &on(1)).unwrap();
    assert!(
        found.time > 20 * MS && found.time <= 40 * MS,
        "{}",
        found.time
    );
    assert_eq!(found.places[0].taken, 20);
}

#[test]
fn calls_of_replicas_are_run_while_these_wait() {
    let mut load = loop_of([Service::waiting(4 * MS); 10]);
    for parent in 0..10 {
        load.calls.push(Call {
            module: 1,
            nested: true,
            service: Service::waiting(2 * MS),
            ..Call::default()
        });
        load.calls[parent].children = vec![Child {
            call: 10 + parent as Index,
            before: Service::waiting(MS),
        }];
    }
    let modules = |replicas| {
        let module = |name| ModuleSpec::plain(name, replicas);
        Setup::of(vec![module("outer"), module("inner")], 2)
    };
    assert_eq!(time(&load, &modules(1)), 10 * 6 * MS);
    assert_eq!(time(&load, &modules(2)), 5 * 6 * MS);
}

#[test]
fn calls_with_effects_stay_in_their_order() {
    let mut load = loop_of([Service::waiting(MS); 10]);
    for call in &mut load.calls {
        (call.effects, call.issue) = (Effects::Stateful, Issue::InPlace);
    }
    assert_eq!(time(&load, &on(1)), 10 * MS);
}

#[test]
fn what_a_line_would_gain_by_shorter_calls() {
    let load = loop_of([Service::waiting(10 * MS); 64]);
    let halved = Setup {
        halved: Some(0),
        ..on(8)
    };
    assert_eq!(time(&load, &halved), 40 * MS);
}

#[test]
fn a_program_without_calls_takes_its_own_time() {
    let load = Workload {
        program: vec![Step::Work(7 * MS)],
        ..Workload::default()
    };
    assert_eq!(time(&load, &on(3)), 7 * MS);
}
