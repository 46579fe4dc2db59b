use super::{Facts, Kind};
use crate::{Call, Outcome, Replica, Run, Scout, Take};

/// A call of place 1 that ran then, at replica 1.
fn call(id: u64, issued: u64, ran: (u64, u64)) -> Call {
    Call {
        id,
        place: 1,
        issued,
        sent: Some(issued + 1),
        replica: Some(1),
        tries: 1,
        ran: Some(ran),
        service: ran.1 - ran.0,
        ended: Some(ran.1 + 1),
        outcome: Outcome::Answered,
        ..Call::default()
    }
}

fn take(call: u64, (began, ended): (u64, u64)) -> Take {
    Take {
        thread: 0,
        place: 1,
        call,
        began,
        ended,
        depth: 0,
    }
}

fn run(calls: Vec<Call>, takes: Vec<Take>) -> Run {
    let mut calls = calls;
    for (at, take) in takes.iter().enumerate() {
        if let Some(call) = calls.iter_mut().find(|call| call.id == take.call) {
            call.take = Some(at);
        }
    }
    let replicas = [1, 2].map(|id| Replica {
        id,
        slot: id - 1,
        ready: Some(5),
        ..Replica::default()
    });
    Run {
        last: takes.last().map_or(0, |take| take.ended),
        calls,
        takes,
        replicas: replicas.to_vec(),
        ..Run::default()
    }
}

fn path(facts: &Facts) -> Vec<(u64, u64, Kind)> {
    let pieces = facts.path.pieces.iter();
    pieces.map(|one| (one.began, one.ended, one.kind)).collect()
}

fn is_whole(facts: &Facts) {
    let mut at = 0;
    for piece in &facts.path.pieces {
        assert_eq!(piece.began, at);
        at = piece.ended;
    }
    assert_eq!(at, facts.length);
    let sum: u64 = facts.path.sums.values().map(|sum| sum.0).sum();
    assert_eq!(sum, facts.length);
}

#[test]
fn of_calls_in_place_the_path_is_what_they_wait_for() {
    let calls = vec![call(1, 12, (20, 50)), call(2, 62, (70, 90))];
    let facts = Facts::of(&run(calls, vec![take(1, (10, 55)), take(2, (60, 95))]), 100);
    is_whole(&facts);
    assert_eq!(
        path(&facts),
        [
            (0, 10, Kind::Own),
            (10, 12, Kind::Scout),
            (12, 20, Kind::Starting),
            (20, 50, Kind::Running),
            (50, 55, Kind::Coming),
            (55, 60, Kind::Own),
            (60, 62, Kind::Scout),
            (62, 70, Kind::Sending),
            (70, 90, Kind::Running),
            (90, 95, Kind::Coming),
            (95, 100, Kind::Own),
        ]
    );
    let place = &facts.places[0];
    assert_eq!((place.takes, place.ahead, place.hidden), (2, 0, 0));
    assert_eq!((place.at.running, place.at.queued), (50, 16));
    assert_eq!(facts.at_calls, 80);
    // here each part is a nanosecond
    let kinds = &facts.path.kinds;
    assert_eq!(
        (kinds.len(), kinds[9], kinds[30]),
        (100, Kind::Own, Kind::Running)
    );
}

#[test]
fn what_kept_a_replica_from_a_call_is_on_the_path() {
    let calls = vec![call(1, 11, (20, 50)), call(2, 13, (51, 90))];
    let facts = Facts::of(&run(calls, vec![take(1, (10, 55)), take(2, (60, 95))]), 95);
    is_whole(&facts);
    assert_eq!(
        path(&facts)[2..],
        [
            (11, 20, Kind::Starting),
            (20, 50, Kind::Behind),
            (50, 51, Kind::Sending),
            (51, 90, Kind::Running),
            (90, 95, Kind::Coming),
        ]
    );
    let place = &facts.places[0];
    assert_eq!((place.ahead, place.hidden, place.ran), (1, 9, 69));
    assert_eq!(facts.replicas[0].busy, 69);
    assert_eq!(facts.replicas[1].busy, 0);
}

#[test]
fn where_answers_are_there_before_they_are_asked_for_the_path_is_the_programs_own() {
    let calls = vec![call(1, 11, (20, 30)), call(2, 13, (30, 40))];
    let takes = vec![take(1, (10, 35)), take(2, (80, 82))];
    let facts = Facts::of(&run(calls, takes), 90);
    is_whole(&facts);
    let own: u64 = (facts.path.sums.iter())
        .filter(|((_, kind), _)| *kind == Kind::Own)
        .map(|(_, sum)| sum.0)
        .sum();
    assert_eq!(own, 10 + 45 + 8);
    assert_eq!(facts.places[0].hidden, 10);
}

#[test]
fn a_call_whose_value_another_one_needs_is_on_the_path() {
    let mut second = call(2, 13, (52, 90));
    (second.needs, second.replica) = (vec![1], Some(2));
    let calls = vec![call(1, 11, (20, 50)), second];
    let facts = Facts::of(&run(calls, vec![take(1, (10, 55)), take(2, (60, 95))]), 95);
    is_whole(&facts);
    assert_eq!(path(&facts)[3], (20, 50, Kind::Needed));
}

#[test]
fn a_scout_that_goes_on_with_an_answer_has_waited_for_it() {
    let calls = vec![call(1, 11, (20, 50)), call(2, 52, (55, 90))];
    let facts = Facts::of(&run(calls, vec![take(2, (10, 95))]), 95);
    is_whole(&facts);
    assert!(path(&facts).contains(&(20, 50, Kind::Needed)));
}

#[test]
fn a_replica_that_starts_is_waited_for() {
    let run = run(vec![call(1, 11, (60, 70))], vec![take(1, (10, 75))]);
    let facts = Facts::of(&run, 75);
    is_whole(&facts);
    assert_eq!(path(&facts)[2], (11, 60, Kind::Starting));
}

#[test]
fn what_nobody_took_is_told_apart() {
    let mut vain = call(2, 13, (30, 40));
    vain.outcome = Outcome::Dropped;
    let mut run = run(vec![call(1, 11, (20, 30)), vain], vec![take(1, (10, 35))]);
    run.scouts = vec![Scout { at: 12, place: 1 }];
    let facts = Facts::of(&run, 40);
    let place = &facts.places[0];
    assert_eq!((place.dropped, place.in_vain, place.hidden), (1, 10, 0));
    assert_eq!(facts.replicas[0].in_vain, 10);
    assert_eq!(facts.timeline.scouts.iter().sum::<u64>(), 1);
}

#[test]
fn a_call_that_ends_as_its_take_does_is_waited_for() {
    let facts = Facts::of(
        &run(vec![call(1, 11, (20, 60))], vec![take(1, (10, 55))]),
        55,
    );
    is_whole(&facts);
    assert_eq!(path(&facts).last(), Some(&(20, 55, Kind::Running)));
}

#[test]
fn clocks_that_do_not_agree_end_no_walk() {
    let calls = vec![call(1, 50, (10, 20)), call(2, 5, (90, 200))];
    let facts = Facts::of(&run(calls, vec![take(1, (10, 55)), take(2, (60, 95))]), 100);
    is_whole(&facts);
}

#[test]
fn many_calls_are_drawn_in_part_and_counted_in_full() {
    let many = 200_000;
    let calls: Vec<Call> = (0..many)
        .map(|at| call(at + 1, at * 10, (at * 10 + 2, at * 10 + 8)))
        .collect();
    let takes = (0..many).map(|at| take(at + 1, (at * 10 + 1, at * 10 + 10)));
    let mut run = run(Vec::new(), takes.collect());
    run.calls = calls;
    let facts = Facts::of(&run, 0);
    is_whole(&facts);
    assert_eq!((facts.calls, facts.places[0].issued), (200_000, 200_000));
    assert_eq!(facts.answered.iter().sum::<u64>(), 200_000);
    let timeline = &facts.timeline;
    assert_eq!((timeline.calls_of, timeline.takes_of), (2, 2));
    let drawn = timeline.replicas[0].singles.len();
    assert_eq!(drawn, 100_000);
    let json = facts.json();
    assert!(
        json.starts_with("{\"length\":") && json.ends_with("]}}"),
        "{}",
        json.len()
    );
    // 60 % of each part is filled
    let level = &timeline.replicas[0].levels[0];
    assert!(level[1..511].iter().all(|part| (150..=157).contains(part)));
}

#[test]
fn service_times_stand_in_buckets() {
    let calls = (0..100).map(|at| call(at + 1, 0, (1000, 2000 + at * 1000)));
    let facts = Facts::of(&run(calls.collect(), Vec::new()), 1_000_000);
    let place = &facts.places[0];
    assert_eq!(place.quantiles, [1000, 50_000, 90_000, 99_000, 100_000]);
    assert_eq!(place.buckets.iter().map(|one| one.1).sum::<u64>(), 100);
    assert!(place.buckets.windows(2).all(|two| two[0].0 < two[1].0));
}

#[test]
fn a_call_that_the_program_made_itself_is_told_apart() {
    let facts = Facts::of(&run(Vec::new(), vec![take(0, (10, 55))]), 60);
    is_whole(&facts);
    assert_eq!(path(&facts)[1], (10, 55, Kind::Made));
    let place = &facts.places[0];
    assert_eq!((place.unsent, place.at.made, place.at.handling), (1, 45, 0));
}
