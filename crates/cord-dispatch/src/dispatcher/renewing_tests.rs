//! Replicas that are renewed between calls.

use super::lab::{sent, Lab};
use super::*;

/// So many ready replicas, each of which answers so many calls at most.
fn renewed_after(calls: u32, replicas: u32) -> Lab {
    let mut lab = Lab::of(&[ModuleSpec {
        recycle: Some(calls),
        ..ModuleSpec::plain("work", replicas)
    }]);
    for replica in lab.launched.clone() {
        lab.make_ready(replica);
    }
    lab.taken();
    lab
}

fn retired(actions: &[Action]) -> Vec<ReplicaId> {
    let retired = |action: &Action| match action {
        Action::Retire { replica } => Some(*replica),
        _ => None,
    };
    actions.iter().filter_map(retired).collect()
}

#[test]
fn a_replica_is_sent_no_more_calls_than_it_may_answer() {
    let mut lab = renewed_after(3, 1);
    lab.issue(1..=8);
    let mut answered = Vec::new();
    for replica in 1..=3 {
        while !lab.has(replica).is_empty() {
            answered.push((replica, lab.reply(replica, MICRO).0));
        }
        lab.make_ready(replica + 1);
    }
    assert_eq!(
        answered,
        [
            (1, 1),
            (1, 2),
            (1, 3),
            (2, 4),
            (2, 5),
            (2, 6),
            (3, 7),
            (3, 8)
        ]
    );
    assert_eq!(retired(&lab.taken()), [1, 2]);
    assert!(lab.dispatcher.fallen().is_empty(), "nobody is to blame");
}

#[test]
fn another_one_takes_the_place_at_once() {
    let mut lab = renewed_after(1, 2);
    lab.issue(1..=2);
    lab.taken();
    lab.reply(1, MICRO);
    let launch = Action::Launch {
        module: 0,
        replica: 3,
        slot: 0,
    };
    assert_eq!(lab.taken(), [Action::Retire { replica: 1 }, launch]);
    lab.exited(1); // what is heard of it later is of no interest
    lab.link_closed(1);
    lab.decide();
    assert_eq!(lab.taken(), []);
}

#[test]
fn one_with_too_much_memory_hands_back_what_it_has_not_begun() {
    let mut lab = renewed_after(1000, 2);
    lab.issue(1..=2);
    lab.reply(1, MICRO);
    lab.reply(2, MICRO);
    lab.issue(3..=6);
    assert_eq!((lab.has(1), lab.has(2)), (&[3, 4][..], &[5, 6][..]));
    lab.taken();
    lab.hear(Event::Worn { replica: 1 }).unwrap();
    lab.decide();
    let recall = Action::Recall {
        replica: 1,
        calls: vec![4],
    };
    assert_eq!(lab.taken(), [recall]);
    lab.answer_recall(1, &[4]);
    assert_eq!(lab.has(2), [5, 6, 4]);
    assert_eq!(lab.reply(1, MICRO), (3, Delivery::Deliver));
    assert_eq!(retired(&lab.taken()), [1]);
}

#[test]
fn one_that_keeps_values_goes_on_until_others_have_them() {
    let mut lab = renewed_after(1, 1);
    lab.issued(Issue {
        keeps: true,
        ..Issue::plain(1, 0, true)
    });
    lab.decide();
    lab.kept(1, 1, MICRO, 1 << 20, true).unwrap();
    lab.at.get_mut(&1).unwrap().remove(0);
    lab.issued(Issue {
        needs: vec![1],
        ..Issue::plain(2, 0, true)
    });
    lab.decide();
    assert_eq!(lab.has(1), [2], "no other one could run it");
    lab.let_go(1);
    lab.reply(1, MICRO);
    assert_eq!(retired(&lab.taken()), [1]);
}

#[test]
fn one_that_waits_for_a_call_runs_what_that_leads_to() {
    let mut lab = renewed_after(1, 1);
    lab.issue([1]);
    lab.nested(2, 0, Effects::Pure, 1, 1);
    lab.decide();
    lab.replied(1, 2, MICRO, 0).unwrap();
    lab.nested(3, 0, Effects::Pure, 1, 1);
    lab.decide();
    let entered = lab.taken().into_iter().filter_map(|action| match action {
        Action::Enter { call, .. } => Some(call),
        _ => None,
    });
    assert_eq!(entered.collect::<Vec<_>>(), [2, 3]);
    lab.replied(1, 3, MICRO, 0).unwrap();
    lab.reply(1, MICRO);
    let actions = lab.taken();
    assert_eq!((retired(&actions), sent(&actions)), (vec![1], vec![]));
}

#[test]
fn one_goes_on_where_no_other_can_be_made() {
    let mut lab = renewed_after(1, 1);
    lab.launcher_gone();
    lab.issue(1..=3);
    for call in 1..=3 {
        assert_eq!(lab.reply(1, MICRO).0, call);
    }
    assert_eq!(retired(&lab.taken()), []);
    let mut lab = renewed_after(2, 2);
    lab.issue(1..=2);
    lab.die(1);
    lab.fail(3); // nothing can be loaded any more
    for _ in 0..2 {
        lab.reply(2, MICRO);
    }
    lab.issue([4]);
    assert_eq!(lab.has(2), [4]);
    assert_eq!(retired(&lab.taken()), []);
}
