//! Who gets which call, and when, if the plan asks for nothing special.

use super::lab::Lab;
use super::*;

#[test]
fn replicas_that_are_not_ready_get_nothing() {
    let mut lab = Lab::new(&[2]);
    lab.issue(1..=4);
    assert_eq!(lab.taken().len(), 2, "two launches and nothing else");
    lab.make_ready(2);
    assert_eq!((lab.has(1), lab.has(2)), (&[][..], &[1, 2][..]));
}

#[test]
fn the_oldest_goes_first_to_the_least_loaded() {
    let mut lab = Lab::ready(2);
    lab.issue(1..=6);
    assert_eq!((lab.has(1), lab.has(2)), (&[1, 3][..], &[2, 4][..]));
    lab.reply(2, MILLI);
    assert_eq!(lab.has(2), [4, 5]);
}

#[test]
fn a_demanded_call_goes_first() {
    let mut lab = Lab::ready(1);
    lab.issue(1..=5);
    lab.demanded(5);
    lab.reply(1, MILLI);
    assert_eq!(lab.has(1), [2, 5]);
}

#[test]
fn a_demanded_call_takes_the_place_of_one_that_has_not_begun() {
    let mut lab = Lab::ready(1);
    lab.issue(1..=4);
    lab.reply(1, 50 * MILLI);
    assert_eq!(lab.has(1), [2, 3]);
    lab.taken();
    lab.demanded(4);
    lab.decide();
    assert_eq!(
        lab.taken(),
        [Action::Recall {
            replica: 1,
            calls: vec![3]
        }]
    );
    lab.answer_recall(1, &[3]);
    assert_eq!(lab.has(1), [2, 4]);
    lab.decide();
    assert_eq!(
        lab.taken().len(),
        1,
        "what is demanded is there: nothing more is moved"
    );
}

#[test]
fn tiny_calls_travel_many_to_a_frame() {
    let mut lab = Lab::ready(1);
    lab.issue(1..=500);
    lab.reply(1, 10 * MICRO);
    lab.reply(1, 10 * MICRO);
    let frames: Vec<usize> = lab
        .taken()
        .iter()
        .filter_map(|action| match action {
            Action::Send { calls, .. } => Some(calls.len()),
            _ => None,
        })
        .collect();
    assert_eq!(frames, [1, 1, 50, 50]);
}

#[test]
fn no_replica_is_idle_while_calls_wait_and_all_are_answered_once() {
    let mut lab = Lab::ready(3);
    let service = [200 * MICRO, 20 * MICRO, 3 * MILLI];
    let mut free_at = [0; 3];
    let mut answered = Vec::new();
    lab.issue(1..=3000);
    while answered.len() < 3000 {
        let queued = !lab.dispatcher.modules[0].queue.is_empty();
        for replica in 1..=3 {
            assert!(
                !queued || !lab.has(replica).is_empty(),
                "replica {replica} is idle"
            );
        }
        for action in lab.taken() {
            if let Action::Recall { replica, calls } = action {
                lab.answer_recall(replica, &calls);
            }
        }
        let busy = (1..=3_u32).filter(|replica| !lab.has(*replica).is_empty());
        let next = busy
            .min_by_key(|replica| free_at[*replica as usize - 1])
            .unwrap();
        let index = next as usize - 1;
        lab.now = lab.now.max(free_at[index]);
        let (call, delivery) = lab.reply(next, service[index]);
        assert_eq!(delivery, Delivery::Deliver);
        answered.push(call);
        free_at[index] = lab.now + service[index];
    }
    answered.sort_unstable();
    assert!(answered.into_iter().eq(1..=3000));
}

#[test]
fn a_call_behind_a_long_one_is_asked_back_for_an_idle_replica() {
    let mut lab = Lab::ready(2);
    lab.issue(1..=3);
    lab.reply(2, MILLI);
    assert_eq!((lab.has(1), lab.has(2)), (&[1, 3][..], &[][..]));
    lab.taken();
    assert!(lab.dispatcher.timer().is_some());
    lab.pass(2 * MILLI);
    assert_eq!(
        lab.taken(),
        [Action::Recall {
            replica: 1,
            calls: vec![3]
        }]
    );
    lab.answer_recall(1, &[3]);
    assert_eq!(lab.has(2), [3]);
}

#[test]
fn one_idle_replica_asks_one_other() {
    let mut lab = Lab::ready(4);
    lab.issue(1..=8);
    lab.reply(4, MILLI);
    lab.reply(4, MILLI);
    lab.taken();
    lab.pass(10 * MILLI);
    assert_eq!(
        lab.taken(),
        [Action::Recall {
            replica: 3,
            calls: vec![7]
        }]
    );
    lab.pass(10 * MILLI);
    assert_eq!(lab.taken(), []);
    lab.answer_recall(3, &[7]);
    assert_eq!(lab.has(4), [7]);
}

#[test]
fn a_recall_that_comes_too_late_changes_nothing() {
    let mut lab = Lab::ready(2);
    lab.issue(1..=3);
    lab.reply(2, MILLI);
    lab.pass(2 * MILLI);
    lab.reply(1, 2 * MILLI); // call 3 has begun by now
    lab.answer_recall(1, &[3]);
    assert_eq!((lab.has(1), lab.has(2)), (&[3][..], &[][..]));
    assert_eq!(lab.reply(1, MILLI), (3, Delivery::Deliver));
}

#[test]
fn a_dropped_waiting_call_is_gone_at_once() {
    let mut lab = Lab::ready(1);
    lab.issue(1..=3);
    lab.taken();
    lab.dropped(3);
    lab.decide();
    assert_eq!(lab.taken(), [Action::Forget { call: 3 }]);
    lab.reply(1, MILLI);
    assert_eq!(lab.has(1), [2]);
}

#[test]
fn a_dropped_call_that_has_not_begun_is_asked_back() {
    let mut lab = Lab::ready(1);
    lab.issue(1..=2);
    lab.taken();
    lab.dropped(2);
    lab.decide();
    assert_eq!(
        lab.taken(),
        [Action::Recall {
            replica: 1,
            calls: vec![2]
        }]
    );
    lab.answer_recall(1, &[2]);
    assert_eq!(lab.taken(), [Action::Forget { call: 2 }]);
}

#[test]
fn the_reply_to_a_dropped_call_is_discarded() {
    let mut lab = Lab::ready(1);
    lab.issue([1]);
    lab.dropped(1);
    lab.decide();
    assert_eq!(lab.reply(1, MILLI), (1, Delivery::Discard));
    assert!(lab.dispatcher.calls.is_empty());
}

#[test]
fn a_dropped_running_call_is_let_be_while_its_replica_is_not_needed() {
    let mut lab = Lab::ready(2);
    lab.issue([1]);
    lab.dropped(1);
    lab.pass(1000 * MILLI);
    lab.issue([2]);
    assert_eq!(lab.has(2), [2]);
    lab.pass(1000 * MILLI);
    assert!(lab.kills().is_empty());
}

#[test]
fn a_dropped_running_call_is_ended_when_its_replica_is_needed() {
    for (demanded, grace) in [(true, 5 * MILLI), (false, 50 * MILLI)] {
        let mut lab = Lab::ready(1);
        lab.issue([1, 2]);
        lab.dropped(1);
        lab.issue([3]);
        if demanded {
            lab.demanded(3);
            lab.decide();
        }
        lab.taken();
        lab.pass(grace - MICRO);
        assert!(lab.taken().is_empty());
        lab.pass(MICRO);
        assert_eq!(
            lab.taken(),
            [Action::Recall {
                replica: 1,
                calls: vec![2]
            }]
        );
        lab.answer_recall(1, &[2]);
        assert_eq!(lab.kills(), [1]);
        lab.die(1);
        let replacement = *lab.launched.last().unwrap();
        lab.make_ready(replacement);
        assert_eq!(lab.has(replacement), if demanded { [3, 2] } else { [2, 3] });
        let lost = lab
            .seen
            .iter()
            .any(|action| matches!(action, Action::Lose { .. }));
        assert!(!lost, "nobody is to blame");
    }
}

#[test]
fn a_replica_that_is_slow_to_start_is_not_ended_lightly() {
    let mut lab = Lab::new(&[1]);
    lab.now = 3000 * MILLI;
    lab.make_ready(1);
    lab.issue([1]);
    lab.dropped(1);
    lab.issue([2]);
    lab.demanded(2);
    lab.pass(2999 * MILLI);
    assert!(lab.kills().is_empty());
    lab.pass(MILLI);
    assert_eq!(lab.kills(), [1]);
}

#[test]
fn an_impure_call_is_never_ended() {
    let mut lab = Lab::ready(1);
    lab.issued(Issue::plain(1, 0, false));
    lab.decide();
    lab.dropped(1);
    lab.issue([2]);
    lab.demanded(2);
    lab.pass(60_000 * MILLI);
    assert!(lab.kills().is_empty());
}

#[test]
fn an_answer_to_a_call_that_the_replica_does_not_have_is_a_violation() {
    let mut lab = Lab::ready(2);
    lab.issue([1]);
    assert_eq!(lab.replied(2, 1, 0, 0), Err(Violation(1)));
    assert_eq!(lab.returned(1, &[7]), Err(Violation(7)));
    assert_eq!(lab.reply(1, 0), (1, Delivery::Deliver));
}

#[test]
fn nothing_is_kept_of_calls_that_have_ended() {
    let mut lab = Lab::ready(2);
    for call in 1..=10_000 {
        lab.issue([call]);
        let replica = if lab.has(1).is_empty() { 2 } else { 1 };
        lab.reply(replica, MICRO);
        lab.taken();
    }
    let dispatcher = &lab.dispatcher;
    assert!(dispatcher.calls.is_empty() && dispatcher.dirty.is_empty());
    assert!(dispatcher.modules[0].queue.is_empty() && dispatcher.modules[0].stacked.is_empty());
}

#[test]
fn of_an_interrupted_call_its_replica_is_told_or_it_is_withdrawn() {
    let mut lab = Lab::ready(1);
    lab.issue(1..=3);
    assert_eq!(lab.has(1), [1, 2]);
    assert_eq!(lab.interrupted(3), None);
    assert_eq!(lab.interrupted(2), Some(1));
    lab.withdraw(1, 2);
    let forgotten = [3, 2].map(|call| Action::Forget { call });
    assert!(forgotten.iter().all(|action| lab.seen.contains(action)));
    lab.taken();
    lab.given_up(1);
    lab.decide();
    assert_eq!(lab.taken(), [Action::End { replica: 1 }]);
    lab.issue(4..=4);
    assert_eq!(lab.has(1), [1], "it gets no more calls");
}
