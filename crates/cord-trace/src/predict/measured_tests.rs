//! Workloads that are read from runs made up by hand.

use cord_dispatch::dispatcher::{CallId, Nanos};

use super::*;
use crate::{Call as Ran, Outcome, Replica, Run, Scout, Take};

const MS: Nanos = 1_000_000;

/// A call that was issued then, ran on one replica from then on for so long, and was answered at once.
fn ran(id: CallId, placed: Nanos, began: Nanos, service: Nanos) -> Ran {
    Ran {
        id,
        place: 1,
        issued: placed,
        placed: Some(placed),
        sent: Some(began),
        replica: Some(1),
        tries: 1,
        ran: Some((began, began + service)),
        service,
        used: 0,
        ended: Some(began + service),
        outcome: Outcome::Answered,
        ..Ran::default()
    }
}

fn take(call: CallId, began: Nanos, ended: Nanos) -> Take {
    Take {
        thread: 0,
        place: 1,
        call,
        began,
        ended,
        depth: 0,
    }
}

/// A run with these calls and takes, and one scout that was born in the first take.
fn run(calls: Vec<Ran>, takes: Vec<Take>) -> Run {
    let mut run = Run {
        calls,
        scouts: vec![Scout {
            at: takes[0].began + 1,
            place: 1,
        }],
        takes,
        replicas: vec![Replica {
            id: 1,
            ready: Some(MS),
            ..Replica::default()
        }],
        ..Run::default()
    };
    for (at, take) in run.takes.iter().enumerate() {
        let call = run.calls.iter_mut().find(|call| call.id == take.call);
        if let Some(call) = call {
            call.take = Some(at);
        }
    }
    run
}

/// Three calls of 10 ms, all issued in the first take, which lasts until the first is there.
fn three() -> Run {
    let calls = vec![
        ran(1, 5 * MS, 5 * MS, 10 * MS),
        ran(2, 6 * MS, 15 * MS, 10 * MS),
        ran(3, 7 * MS, 25 * MS, 10 * MS),
    ];
    let takes = vec![
        take(1, 5 * MS, 15 * MS),
        take(2, 16 * MS, 25 * MS),
        take(3, 27 * MS, 35 * MS),
    ];
    run(calls, takes)
}

#[test]
fn the_time_between_takes_is_the_programs_own() {
    let load = measured(&three(), 40 * MS, 2).unwrap();
    let steps = [
        Step::Work(5 * MS),
        Step::Take(0),
        Step::Work(MS),
        Step::Take(1),
        Step::Work(2 * MS),
        Step::Take(2),
        Step::Work(5 * MS),
    ];
    assert_eq!(load.program, steps);
    assert_eq!(load.alone(), (13 + 30) * MS);
    let issues: Vec<Issue> = load.calls.iter().map(|call| call.issue).collect();
    let ahead = Issue::Ahead { born: 1 };
    assert_eq!(issues, [Issue::InPlace, ahead, ahead]);
}

#[test]
fn what_issuing_and_the_start_have_taken_is_measured() {
    let load = measured(&three(), 40 * MS, 2).unwrap();
    assert_eq!((load.costs[1].ahead, load.costs[1].awaited), (MS, 0));
    assert_eq!(load.starts[0].first, MS);
    assert!(load.held_up.abs() < 0.001);
    assert_eq!(load.calls[2].service, Service::waiting(10 * MS));
}

#[test]
fn a_run_that_is_simulated_as_it_was_takes_as_long() {
    let load = measured(&three(), 40 * MS, 2).unwrap();
    let module = cord_dispatch::module_spec::ModuleSpec::plain("work", 1);
    let found = simulate(&load, &Setup::of(vec![module], 2)).unwrap();
    assert_eq!(found.time, 40 * MS);
}

#[test]
fn what_the_program_computes_in_the_place_of_a_call_is_its_own() {
    let mut run = three();
    run.takes[1].call = 0; // it was not sent
    let load = measured(&run, 40 * MS, 2).unwrap();
    assert_eq!(load.program[2], Step::Work((1 + 9 + 2) * MS));
    assert_eq!(load.calls[1].dropped, Some(load.program.len() as u32));
}

#[test]
fn a_call_that_is_issued_after_those_behind_it_waits_for_a_value() {
    let calls = vec![
        ran(1, 5 * MS, 5 * MS, 10 * MS),
        ran(2, 6 * MS, 15 * MS, 10 * MS),
        ran(3, 15 * MS, 25 * MS, 10 * MS),
    ];
    // the third, which needs the value of the first, is taken before the second
    let takes = vec![
        take(1, 5 * MS, 15 * MS),
        take(3, 16 * MS, 35 * MS),
        take(2, 36 * MS, 37 * MS),
    ];
    let load = measured(&run(calls, takes), 40 * MS, 2).unwrap();
    assert_eq!(load.calls[1].issue, Issue::Ahead { born: 1 });
    assert_eq!(load.calls[2].issue, Issue::After { born: 1, call: 0 });
}

#[test]
fn calls_that_replicas_make_are_parts_of_others() {
    let mut run = three();
    let inner = Ran {
        parent: Some((1, 1)),
        placed: None,
        ..ran(9, 8 * MS, 8 * MS, 4 * MS)
    };
    run.calls.push(inner);
    let load = measured(&run, 40 * MS, 2).unwrap();
    assert_eq!(load.calls[0].children.len(), 1);
    assert_eq!(load.calls[0].children[0].before, Service::waiting(3 * MS));
    assert_eq!(load.calls[0].service, Service::waiting(6 * MS));
    assert!(load.calls[3].nested);
}

/// So many calls, in turns on two replicas, of which the second is slower: `of` says how long the call of
/// a number takes on the fast one, and for how long of that it computes.
fn unequal(calls: u64, of: impl Fn(u64) -> (Nanos, Nanos)) -> Vec<f64> {
    let on_two = |id: u64| {
        let (service, used) = of(id / 2);
        let slow = id % 2;
        Ran {
            replica: Some(slow as u32 + 1),
            used,
            ..ran(id + 1, 5 * MS, id * 100 * MS, service * (1 + 3 * slow))
        }
    };
    let calls: Vec<Ran> = (0..calls).map(on_two).collect();
    let takes = calls.iter().map(|call| {
        let ended = call.ended.unwrap_or(0);
        take(call.id, ended, ended)
    });
    let mut run = run(calls.clone(), takes.collect());
    let slot = |id| Replica {
        id,
        slot: id - 1,
        ..Replica::default()
    };
    run.replicas = vec![slot(1), slot(2)];
    measured(&run, 100_000 * MS, 2)
        .unwrap()
        .machines
        .swap_remove(0)
}

#[test]
fn machines_of_unequal_speed_are_told_apart() {
    let by_computing = unequal(40, |number| ((number + 1) * MS, (number + 1) * 100_000));
    assert_eq!(by_computing.len(), 2);
    assert!((by_computing[1] / by_computing[0] - 4.0).abs() < 0.01);
    let by_waiting = unequal(40, |number| (10 * MS, 50_000 + number * 1_000));
    assert!((by_waiting[1] / by_waiting[0] - 4.0).abs() < 0.01);
}

#[test]
fn what_chance_explains_is_no_other_machine() {
    let mut run = three();
    for (at, call) in run.calls.iter_mut().enumerate() {
        call.replica = Some(at as u32 % 2 + 1);
    }
    let load = measured(&run, 40 * MS, 2).unwrap();
    assert_eq!(load.machines, [Vec::<f64>::new()]);
}

#[test]
fn runs_that_cannot_be_simulated_say_why() {
    let mut run = three();
    run.takes[2].thread = 1;
    let unfit = measured(&run, 40 * MS, 2).unwrap_err();
    assert!(
        unfit.to_string().contains("more than one thread"),
        "{unfit}"
    );
    run.takes.truncate(0);
    let unfit = measured(&run, 40 * MS, 2).unwrap_err();
    assert!(unfit.to_string().contains("no call"), "{unfit}");
}

#[test]
fn what_a_replica_waits_until_calls_are_passed_on_to_it_is_not_the_way() {
    let mut run = three();
    run.calls[2].sent = Some(10 * MS); // while the one before runs
    run.calls[2].ran = Some((65 * MS, 75 * MS));
    run.calls[2].ended = Some(75 * MS);
    run.takes[2].ended = 75 * MS;
    let between = |run: &Run| measured(run, 80 * MS, 2).unwrap().latency.between;
    assert!(between(&run) > 0);
    run.calls[2].moved = true;
    assert_eq!(between(&run), 0);
}
