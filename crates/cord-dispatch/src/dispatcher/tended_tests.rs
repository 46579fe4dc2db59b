//! Deadlines, rates, retries, hedges and groups, with simulated replicas and a clock moved by hand.

use std::sync::Arc;
use std::time::Duration;

use super::lab::{module, sent, Lab};
use super::*;
use crate::manner::{Care, GateSpec, Hedge, Manner, Rate};

const SECOND: Nanos = 1000 * MILLI;

fn secs(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

fn manner(care: Care) -> Manner {
    Manner {
        care: Some(Arc::new(care)),
        ..Manner::default()
    }
}

/// Replicas, all ready, whose calls are taken care of so, by gates that keep these rates.
fn lab(replicas: u32, care: Care, gates: &[(Option<f64>, usize)]) -> Lab {
    let mut spec = module(replicas, vec![manner(care)]);
    for (calls, group) in gates {
        let rate = calls.map(|_| spec.rates.len());
        spec.gates.push(GateSpec {
            rate,
            group: *group,
            layered: false,
        });
        spec.rates.extend(calls.map(|calls| Rate {
            calls,
            per: secs(1.0),
        }));
    }
    let mut lab = Lab::of(&[spec]);
    for replica in lab.launched.clone() {
        lab.make_ready(replica);
    }
    lab.taken();
    lab
}

fn gated() -> Care {
    Care {
        gate: Some(0),
        ..Care::default()
    }
}

fn expired(actions: &[Action]) -> Vec<CallId> {
    let expired = |action: &Action| match action {
        Action::Expire { call, .. } => Some(*call),
        _ => None,
    };
    actions.iter().filter_map(expired).collect()
}

fn deadline(seconds: f64) -> Care {
    Care {
        deadline: Some(secs(seconds)),
        ..Care::default()
    }
}

#[test]
fn a_call_that_takes_too_long_ends_and_its_replica_is_ended() {
    let mut lab = lab(1, deadline(30.0), &[]);
    lab.issue([1]);
    lab.pass(30 * SECOND - 1);
    assert_eq!(expired(&lab.taken()), []);
    assert_eq!(lab.dispatcher.timer(), Some(30 * SECOND));
    lab.pass(1);
    assert_eq!(lab.kills(), [1]);
    assert_eq!(expired(&lab.taken()), [1]);
    lab.die(1);
    let after = lab.taken();
    assert!(after.contains(&Action::Forget { call: 1 }));
    assert!(matches!(
        after.last(),
        Some(Action::Launch { replica: 2, .. })
    ));
    assert_eq!(lab.dispatcher.fallen(), [], "nobody is to blame");
}

#[test]
fn a_deadline_counts_from_the_start_of_service() {
    let mut lab = lab(1, deadline(1.0), &[]);
    lab.issue([1, 2]);
    lab.pass(SECOND - MILLI);
    lab.reply(1, SECOND - MILLI);
    lab.pass(SECOND - MILLI);
    assert_eq!(expired(&lab.taken()), []);
    lab.pass(MILLI);
    assert_eq!(expired(&lab.taken()), [2]);
}

#[test]
fn what_a_replica_has_not_begun_is_handed_back_before_it_is_ended() {
    let mut lab = lab(1, deadline(1.0), &[]);
    lab.issue([1, 2]);
    lab.pass(SECOND);
    assert_eq!(lab.kills(), []);
    lab.answer_recall(1, &[2]);
    assert_eq!(lab.kills(), [1]);
    lab.die(1);
    lab.make_ready(2);
    assert_eq!(lab.has(2), [2]);
}

#[test]
fn an_answer_that_comes_while_the_rest_is_asked_for_saves_the_replica() {
    let mut lab = lab(1, deadline(1.0), &[]);
    lab.issue([1, 2]);
    lab.pass(SECOND);
    assert_eq!(lab.reply(1, SECOND), (1, Delivery::Discard));
    lab.returned(1, &[]).unwrap();
    lab.decide();
    assert_eq!(lab.kills(), []);
    assert_eq!(lab.reply(1, MILLI), (2, Delivery::Deliver));
}

#[test]
fn calls_start_as_fast_as_the_rate_lets_them() {
    let mut lab = lab(4, gated(), &[(Some(10.0), 1)]);
    lab.issue(1..=5);
    let mut starts = Vec::new();
    while starts.len() < 5 {
        for (_, calls) in sent(&lab.taken()) {
            starts.extend(calls.iter().map(|call| (*call, lab.now / MILLI)));
        }
        for replica in [1, 2, 3, 4] {
            if !lab.has(replica).is_empty() {
                lab.reply(replica, MILLI);
            }
        }
        if let Some(timer) = lab.dispatcher.timer() {
            lab.now = timer;
        }
        lab.decide();
    }
    assert_eq!(starts, [(1, 0), (2, 90), (3, 190), (4, 290), (5, 390)]);
    let tally = lab.dispatcher.modules[0].tally;
    assert_eq!((tally.waited, tally.wait), (4, 960 * MILLI));
}

#[test]
fn what_the_program_waits_for_goes_first() {
    let mut lab = lab(4, gated(), &[(Some(10.0), 1)]);
    lab.issue(1..=5);
    lab.demanded(4);
    lab.dropped(2);
    lab.pass(100 * MILLI);
    lab.pass(100 * MILLI);
    let calls: Vec<_> = sent(&lab.taken())
        .into_iter()
        .flat_map(|(_, calls)| calls)
        .collect();
    assert_eq!(calls, [1, 4, 3]);
}

#[test]
fn no_start_is_counted_while_no_replica_is_free() {
    let mut lab = lab(1, gated(), &[(Some(10.0), 1)]);
    lab.issue(1..=4);
    lab.pass(SECOND);
    lab.pass(9 * SECOND);
    lab.reply(1, 10 * SECOND);
    assert_eq!(lab.has(1), [2], "one has had its turn");
    lab.reply(1, 0);
    assert_eq!(lab.has(1), [3], "its own turn was long ago");
    lab.reply(1, 0);
    assert_eq!(lab.has(1), [] as [CallId; 0], "and no others are saved up");
}

fn retries(retries: u32) -> Care {
    Care {
        retries: Some(retries),
        ..Care::default()
    }
}

#[test]
fn a_failed_call_is_tried_again_after_a_pause_and_holds_no_replica_meanwhile() {
    let mut lab = lab(1, retries(1), &[]);
    lab.issue([1]);
    assert_eq!(lab.fail_call(1, MILLI), (1, Delivery::Again));
    let again = lab.dispatcher.timer().unwrap();
    assert!(again < 500 * MILLI);
    lab.issue([2]);
    assert_eq!(lab.reply(1, MILLI), (2, Delivery::Deliver));
    lab.now = again;
    lab.decide();
    assert_eq!(lab.has(1), [1]);
    assert_eq!(
        lab.fail_call(1, MILLI),
        (1, Delivery::Deliver),
        "it was often enough"
    );
    assert!(lab.dispatcher.is_at_rest());
}

#[test]
fn a_call_that_pauses_can_be_dropped() {
    let mut lab = lab(1, retries(1), &[]);
    lab.issue([1]);
    lab.fail_call(1, MILLI);
    lab.dropped(1);
    lab.decide();
    assert!(lab.taken().contains(&Action::Forget { call: 1 }));
    assert!(lab.dispatcher.is_at_rest());
}

#[test]
fn losses_and_failures_count_together() {
    let mut lab = lab(1, retries(1), &[]);
    lab.issue([1]);
    lab.fail_call(1, MILLI);
    lab.pass(SECOND);
    lab.die(1);
    let lost = |action: &Action| matches!(action, Action::Poison { call: 1, .. });
    assert!(lab.taken().iter().any(lost));
}

#[test]
fn without_retries_a_call_dies_with_its_replica() {
    let mut lab = lab(1, retries(0), &[]);
    lab.issue([1]);
    lab.die(1);
    let lost = |action: &Action| matches!(action, Action::Poison { call: 1, .. });
    assert!(lab.taken().iter().any(lost));
}

#[test]
fn a_call_that_is_tried_again_keeps_the_rate() {
    let care = Care {
        retries: Some(1),
        ..gated()
    };
    let mut lab = lab(1, care, &[(Some(0.1), 1)]);
    lab.issue([1]);
    lab.fail_call(1, MILLI);
    lab.pass(5 * SECOND);
    assert_eq!(lab.has(1), [] as [CallId; 0]);
    lab.pass(5 * SECOND);
    assert_eq!(lab.has(1), [1]);
}

fn after(seconds: f64) -> Care {
    Care {
        hedge: Some(Hedge::After(secs(seconds))),
        ..Care::default()
    }
}

/// Two replicas, of which the first runs a call for so long that it has a copy at the second.
fn hedged() -> (Lab, CallId) {
    let mut lab = lab(2, after(2.0), &[]);
    lab.issue([1]);
    lab.taken();
    lab.pass(2 * SECOND - 1);
    assert_eq!(sent(&lab.taken()), []);
    lab.pass(1);
    let copies = sent(&lab.taken());
    let copy = copies[0].1[0];
    assert!(is_copy(copy) && original(copy) == 1);
    assert_eq!(copies, [(2, vec![copy])]);
    (lab, copy)
}

#[test]
fn the_first_answer_wins_and_the_other_is_dropped() {
    let (mut lab, copy) = hedged();
    assert_eq!(lab.reply(2, MILLI), (copy, Delivery::Deliver));
    assert_eq!(lab.reply(1, 3 * SECOND), (1, Delivery::Discard));
    assert!(lab.dispatcher.is_at_rest());
    let (mut lab, copy) = hedged();
    assert_eq!(lab.reply(1, 2 * SECOND), (1, Delivery::Deliver));
    assert_eq!(lab.reply(2, MILLI), (copy, Delivery::Discard));
    assert!(lab.dispatcher.is_at_rest());
}

#[test]
fn a_copy_that_is_lost_changes_nothing() {
    let (mut lab, _) = hedged();
    lab.die(2);
    lab.make_ready(3);
    assert_eq!(lab.reply(1, MILLI), (1, Delivery::Deliver));
}

#[test]
fn a_copy_answers_for_a_call_whose_replica_died() {
    let (mut lab, copy) = hedged();
    lab.die(1);
    assert_eq!(lab.reply(2, MILLI), (copy, Delivery::Deliver));
    assert!(lab.taken().contains(&Action::Forget { call: 1 }));
}

#[test]
fn a_dropped_call_takes_its_copy_along() {
    let (mut lab, copy) = hedged();
    lab.dropped(1);
    lab.decide();
    lab.issue([2, 3]);
    lab.pass(SECOND);
    lab.pass(SECOND);
    assert_eq!(lab.kills(), [1, 2], "both are needed");
    assert!(lab.has(2).contains(&copy));
}

#[test]
fn few_calls_have_copies() {
    let mut lab = lab(3, after(0.001), &[]);
    for call in 0..200 {
        lab.issue([call]);
        lab.pass(2 * MILLI);
        for replica in [1, 2, 3] {
            if !lab.has(replica).is_empty() {
                lab.reply(replica, 2 * MILLI);
            }
        }
    }
    assert_eq!(lab.dispatcher.modules[0].tally.copies, 10);
}

#[test]
fn times_are_learnt_before_calls_are_hedged() {
    let care = Care {
        hedge: Some(Hedge::Quantile(0.9)),
        ..Care::default()
    };
    let mut lab = lab(2, care, &[]);
    lab.issue([0]); // it runs on, at the first replica
    for call in 1..=20 {
        assert_eq!(lab.dispatcher.modules[0].tally.copies, 0);
        lab.issue([call]);
        lab.pass(10 * MILLI);
        lab.reply(2, 10 * MILLI);
    }
    lab.decide();
    let copies = lab.dispatcher.modules[0].tally.copies;
    assert_eq!(copies, 1, "it has taken twenty times as long as the others");
}

#[test]
fn an_idle_replica_gets_what_is_there_and_a_busy_one_lets_the_rest_gather() {
    let mut lab = lab(1, gated(), &[(None, 4)]);
    lab.issue([1]);
    lab.issue(2..=8);
    assert_eq!(sent(&lab.taken()), [(1, vec![1])]);
    lab.reply(1, MILLI);
    assert_eq!(sent(&lab.taken()), [(1, vec![2, 3, 4, 5])]);
    for _ in 0..4 {
        lab.reply(1, MILLI);
    }
    assert_eq!(sent(&lab.taken()), [(1, vec![6, 7, 8])]);
    let tally = lab.dispatcher.modules[0].tally;
    assert_eq!((tally.groups, tally.grouped), (2, 7));
}

#[test]
fn calls_of_a_layer_wait_until_no_more_come() {
    let mut spec = module(1, vec![manner(gated())]);
    spec.gates.push(GateSpec {
        rate: None,
        group: 100,
        layered: true,
    });
    let mut lab = Lab::of(&[spec]);
    for replica in lab.launched.clone() {
        lab.make_ready(replica);
    }
    lab.taken();
    lab.issue([1]);
    lab.pass(SECOND);
    lab.issue([2, 3]);
    lab.pass(SECOND);
    assert_eq!(sent(&lab.taken()), []);
    lab.pass(SECOND);
    let actions = lab.taken();
    assert_eq!(sent(&actions), [(1, vec![1, 2, 3])]);
    let is_told = |action: &Action| {
        let told = Action::Layer {
            call: 1,
            number: 1,
            count: 3,
        };
        *action == told
    };
    assert!(actions.iter().any(is_told));
    lab.issue([4]);
    lab.pass(3 * SECOND); // it waits for the replica now
    (0..3).for_each(|_| {
        lab.reply(1, MILLI);
    });
    assert_eq!(lab.has(1), [4]);
}

#[test]
fn calls_that_are_served_together_are_not_asked_back() {
    let mut lab = lab(2, gated(), &[(None, 8)]);
    lab.issue(1..=6);
    lab.pass(SECOND);
    let recalls = |action: &Action| matches!(action, Action::Recall { .. });
    assert!(!lab.taken().iter().any(recalls));
    assert_eq!(lab.has(1), [1, 2, 3, 4, 5, 6]);
}

#[test]
fn what_died_together_is_tried_alone() {
    let mut lab = lab(1, gated(), &[(None, 8)]);
    lab.issue(1..=3);
    lab.die(1);
    lab.make_ready(2);
    assert_eq!(lab.has(2), [1]);
    assert_eq!(lab.dispatcher.group_of(1), 0);
    lab.reply(2, MILLI);
    assert_eq!(lab.has(2), [2]);
}

#[test]
fn what_waits_at_gates_is_given_up_when_no_replica_can_start() {
    let mut lab = lab(1, gated(), &[(Some(1.0), 1)]);
    lab.issue(1..=3);
    lab.dispatcher.handle(lab.now, Event::LauncherGone).unwrap();
    lab.die(1);
    let lost = |action: &Action| matches!(action, Action::Lose { .. });
    assert_eq!(lab.taken().iter().filter(|action| lost(action)).count(), 3);
    lab.replays = false; // what was told past the lab
}
