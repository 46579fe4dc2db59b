//! What becomes of calls where several replicas are threads of one process.

use super::lab::Lab;
use super::*;

/// A module with so many processes, of so many threads each, which are ready.
fn ready(processes: u32, threads: u32) -> Lab {
    let mut lab = Lab::of(&[ModuleSpec {
        threads,
        ..ModuleSpec::plain("work", processes * threads)
    }]);
    for replica in lab.launched.clone() {
        lab.make_ready(replica);
    }
    lab.taken();
    lab
}

/// A process has died: all that it was.
fn die(lab: &mut Lab, replicas: &[ReplicaId]) {
    for replica in replicas {
        lab.at.remove(replica);
        lab.link_closed(*replica);
        lab.exited(*replica);
    }
    lab.decide();
}

fn slots(actions: &[Action]) -> Vec<u32> {
    let slot = |action: &Action| match action {
        Action::Launch { slot, .. } => Some(*slot),
        _ => None,
    };
    actions.iter().filter_map(slot).collect()
}

#[test]
fn there_is_a_thread_in_each_process_before_there_is_a_second_in_one() {
    let mut lab = Lab::of(&[ModuleSpec {
        threads: 3,
        at_start: 1,
        ..ModuleSpec::plain("work", 6)
    }]);
    lab.make_ready(1);
    lab.issue(1..=4);
    assert_eq!(slots(&lab.taken()), [0, 3, 1, 4]);
}

#[test]
fn where_cores_are_added_there_may_be_more_processes() {
    let mut lab = Lab::of(&[ModuleSpec {
        threads: 2,
        most: 8,
        at_start: u32::MAX,
        ..ModuleSpec::plain("work", 2)
    }]);
    lab.grown(2);
    lab.decide();
    assert_eq!(slots(&lab.taken()), [0, 1, 2, 3]);
}

#[test]
fn calls_of_a_process_that_died_are_repeated_one_by_one_in_a_process_that_runs_nothing_else() {
    let mut lab = ready(1, 3);
    lab.issue(1..=3);
    die(&mut lab, &[1, 2, 3]);
    for replica in 4..=6 {
        lab.make_ready(replica);
    }
    lab.issue(4..=9);
    assert_eq!(lab.has(4), [1]);
    assert_eq!(
        (lab.has(5), lab.has(6)),
        (&[][..], &[][..]),
        "none beside it"
    );
    lab.reply(4, MILLI);
    assert_eq!(lab.has(4), [2]);
    lab.reply(4, MILLI);
    assert_eq!(lab.has(4), [3]);
    assert_eq!((lab.has(5), lab.has(6)), (&[][..], &[][..]));
    lab.reply(4, MILLI);
    assert!((4..=6).all(|replica| !lab.has(replica).is_empty()));
}

#[test]
fn the_call_that_kills_its_process_three_times_is_lost_and_takes_no_other_with_it() {
    let mut lab = ready(1, 2);
    lab.issue(1..=2);
    die(&mut lab, &[1, 2]);
    lab.make_ready(3);
    lab.make_ready(4);
    assert_eq!(lab.has(3), [1]);
    die(&mut lab, &[3, 4]);
    lab.taken();
    lab.make_ready(5);
    lab.make_ready(6);
    assert_eq!(lab.has(5), [1]);
    die(&mut lab, &[5, 6]);
    let lost = lab.taken();
    let is_lost = |action: &&Action| matches!(action, Action::Poison { call: 1, .. });
    assert_eq!(lost.iter().filter(is_lost).count(), 1);
    lab.make_ready(7);
    lab.make_ready(8);
    assert_eq!(
        lab.has(7),
        [2],
        "it ran once beside the other, and alone now"
    );
    lab.reply(7, MILLI);
    lab.issue(3..=4);
    assert_eq!((lab.has(7), lab.has(8)), (&[3][..], &[4][..]));
}

#[test]
fn what_may_kill_waits_until_a_process_has_nothing_else_to_do() {
    let mut lab = ready(2, 2);
    lab.issue(1..=4);
    // the processes are {1, 3} and {2, 4}: threads are made in turn
    die(&mut lab, &[1, 3]);
    lab.issue(5..=6);
    lab.reply(2, MILLI);
    assert_eq!(lab.has(2), [], "the other thread of its process is busy");
    lab.reply(4, MILLI);
    assert_eq!(lab.has(2), [1]);
    assert_eq!(lab.has(4), []);
}

#[test]
fn a_dropped_call_costs_its_process_only_if_nothing_else_runs_there() {
    let mut lab = ready(1, 2);
    lab.issue(1..=2);
    lab.dropped(1);
    lab.issue(3..=3);
    lab.demanded(3);
    lab.pass(1_000 * MILLI);
    assert_eq!(lab.kills(), [], "call 2 runs there");
    lab.reply(2, MILLI);
    assert_eq!(lab.has(2), [3], "there is room beside it");
    lab.issue(4..=4);
    lab.demanded(4);
    lab.dropped(3);
    lab.pass(1_000 * MILLI);
    lab.answer_recall(2, &[4]);
    lab.pass(1_000 * MILLI);
    assert_eq!(lab.kills(), [1], "both run in vain");
    lab.issue(5..=5);
    die(&mut lab, &[1, 2]);
    lab.make_ready(3);
    assert_eq!(lab.has(3), [4, 5], "nobody is to blame: none goes alone");
}

#[test]
fn a_thread_that_cannot_load_the_module_does_not_end_the_others() {
    let mut lab = Lab::of(&[ModuleSpec {
        threads: 2,
        ..ModuleSpec::plain("work", 2)
    }]);
    lab.make_ready(1);
    lab.issue(1..=1);
    lab.fail(2);
    assert_eq!(lab.kills(), []);
    lab.fail(1);
    assert_eq!(lab.kills(), [1], "the last one");
}
