//! What becomes of calls when replicas do not start, or end.

use std::sync::Arc;

use super::lab::{ready_with, Lab};
use super::replica::Phase;
use super::staff::END_WAIT;
use super::*;
use crate::manner::{Care, Manner};
use cord_wire::loss::Cause;
use cord_wire::shortage::{Of, Shortage};

/// How long after a first failure the next start is tried.
const PAUSE: Nanos = 100 * MILLI;

fn refused(call: CallId) -> Action {
    Action::Refuse { call, module: 0 }
}

fn closed(replica: ReplicaId) -> Action {
    Action::Close { replica }
}

#[test]
fn a_dead_replica_is_replaced_and_its_pure_calls_go_elsewhere_one_by_one() {
    let mut lab = Lab::ready(2);
    lab.issue(1..=6);
    lab.taken();
    lab.die(1);
    let actions = lab.taken();
    assert!(actions.contains(&Action::Close { replica: 1 }));
    assert!(actions.contains(&Action::Launch {
        module: 0,
        replica: 3,
        slot: 0
    }));
    lab.make_ready(3);
    assert_eq!(lab.has(3), [1], "suspects go alone, the oldest first");
    lab.reply(3, MILLI);
    assert_eq!(lab.has(3), [3]);
    lab.reply(3, MILLI);
    assert_eq!(lab.has(3), [5, 6]);
}

#[test]
fn a_replica_that_is_spent_is_replaced_and_nobody_is_to_blame() {
    let mut lab = Lab::ready(1);
    lab.issue(1..=3);
    assert_eq!(lab.has(1)[0], 1);
    lab.hear(Event::Spent { replica: 1 }).unwrap();
    let (call, delivery) = lab.reply(1, MILLI);
    assert_eq!(
        (call, delivery),
        (1, Delivery::Deliver),
        "what it has said counts"
    );
    lab.die(1);
    assert_eq!(lab.launched, [1, 2]);
    lab.make_ready(2);
    assert_eq!(lab.has(2)[0], 2);
    assert!(lab.dispatcher.fallen().is_empty());
    assert_eq!(lab.dispatcher.calls[&2].life.tries(), 0);
}

/// One module that has a replica for each core, of which there is one at first.
fn per_core(at_start: u32) -> Lab {
    let mut lab = Lab::of(&[ModuleSpec {
        most: 4,
        at_start,
        ..ModuleSpec::plain("work", 1)
    }]);
    lab.make_ready(1);
    lab
}

#[test]
fn where_cores_are_added_there_may_be_more_replicas_if_there_are_calls_for_them() {
    let mut lab = per_core(0);
    lab.issue(1..=3);
    assert_eq!(lab.launched, [1]);
    lab.grown(2);
    lab.decide();
    assert_eq!(lab.launched, [1, 2]);
    lab.grown(9);
    lab.decide();
    assert_eq!(lab.launched, [1, 2, 3], "a fourth one has no call");
    lab.issue(4..=9);
    assert_eq!(lab.launched, [1, 2, 3, 4], "there may be four");
    lab.grown(1);
    lab.make_ready(4);
    lab.die(4);
    assert_eq!(lab.launched, [1, 2, 3, 4, 5], "and not fewer afterwards");
}

#[test]
fn where_all_replicas_are_there_from_the_start_so_are_those_of_cores_that_are_added() {
    let mut lab = per_core(u32::MAX);
    lab.grown(3);
    lab.decide();
    assert_eq!(lab.launched, [1, 2, 3]);
}

#[test]
fn a_number_of_replicas_that_the_plan_has_does_not_grow() {
    let mut lab = Lab::ready(2);
    lab.grown(8);
    lab.issue(1..=8);
    assert_eq!(lab.launched, [1, 2]);
}

#[test]
fn a_call_that_kills_three_replicas_is_lost_and_takes_no_other_with_it() {
    let mut lab = Lab::ready(1);
    lab.issue(1..=4);
    let mut lost = Vec::new();
    let mut done = Vec::new();
    for _ in 0..20 {
        let replica = *lab.launched.last().unwrap();
        match lab.has(replica) {
            [] if lab.dispatcher.replicas[&replica].phase == Phase::Starting => {
                lab.make_ready(replica);
            }
            [] => break,
            [2, ..] => lab.die(replica),
            _ => done.push(lab.reply(replica, MILLI).0),
        }
        for action in lab.taken() {
            if let Action::Poison { call, replicas } = action {
                lost.push((call, replicas));
            }
        }
    }
    assert_eq!(lost, [(2, vec![1, 2, 3])]);
    assert_eq!(done, [1, 3, 4]);
}

#[test]
fn a_call_that_had_not_begun_is_not_given_up_for_another() {
    let care = Care {
        retries: Some(0),
        ..Care::default()
    };
    let mut lab = ready_with(
        1,
        Manner {
            care: Some(Arc::new(care)),
            ..Manner::default()
        },
    );
    lab.issue(1..=2);
    assert_eq!(lab.has(1), [1, 2]);
    lab.die(1);
    let poisoned = |call, replicas| Action::Poison { call, replicas };
    assert!(lab.taken().contains(&poisoned(1, vec![1])));
    lab.make_ready(2);
    assert_eq!(lab.has(2), [2]);
    lab.die(2);
    assert!(lab.taken().contains(&poisoned(2, vec![1, 2])));
}

#[test]
fn one_that_may_have_ended_a_replica_goes_to_the_youngest() {
    let mut lab = Lab::ready(3);
    lab.issue(1..=3);
    lab.reply(2, MILLI);
    lab.reply(3, MILLI);
    lab.die(1);
    assert_eq!((lab.has(2), lab.has(3)), (&[][..], &[1][..]));
}

#[test]
fn an_impure_call_is_never_sent_twice_but_one_never_sent_waits() {
    let mut lab = Lab::ready(1);
    for call in 1..=3 {
        lab.issued(Issue::plain(call, 0, false));
    }
    lab.decide();
    assert_eq!(lab.has(1), [1, 2]);
    lab.taken();
    lab.die(1);
    let loss = Loss {
        replica: 1,
        tries: 1,
        may_have_run: true,
        cause: Cause::Replica,
    };
    let actions = lab.taken();
    assert!(actions.contains(&Action::Lose { call: 1, loss }));
    assert!(actions.contains(&Action::Lose { call: 2, loss }));
    lab.make_ready(2);
    assert_eq!(lab.has(2), [3]);
}

#[test]
fn the_end_of_a_link_waits_shortly_for_the_exit_status() {
    let mut lab = Lab::ready(1);
    lab.issued(Issue::plain(1, 0, false));
    lab.decide();
    lab.taken();
    lab.link_closed(1);
    lab.decide();
    assert_eq!(lab.taken(), []);
    assert_eq!(lab.dispatcher.timer(), Some(lab.now + END_WAIT));
    lab.now += END_WAIT;
    lab.decide();
    assert_eq!(lab.kills(), [1], "it lives on without its link");
    let loss = Loss {
        replica: 1,
        tries: 1,
        may_have_run: true,
        cause: Cause::Replica,
    };
    assert!(lab.taken().contains(&Action::Lose { call: 1, loss }));
}

#[test]
fn replies_that_were_sent_before_the_end_count() {
    let mut lab = Lab::ready(1);
    lab.issue([1]);
    lab.exited(1);
    lab.decide();
    assert_eq!(lab.reply(1, MILLI), (1, Delivery::Deliver));
}

#[test]
fn a_module_that_cannot_be_loaded_refuses_what_waits_and_what_comes() {
    let mut lab = Lab::new(&[2]);
    lab.issue([1]);
    lab.taken();
    lab.fail(1);
    let ended = |replica| Action::End { replica };
    assert_eq!(
        lab.taken(),
        [ended(1), closed(1)],
        "another one may be able to"
    );
    lab.fail(2);
    assert_eq!(lab.taken(), [ended(2), closed(2), refused(1)]);
    lab.issue([2]);
    assert_eq!(lab.taken(), [refused(2)]);
    assert_eq!(lab.launched, [1, 2]);
}

#[test]
fn a_replacement_that_fails_leaves_the_others_serving_and_is_tried_again_later() {
    let mut lab = Lab::ready(2);
    lab.die(1);
    lab.fail(3);
    lab.taken();
    lab.issue(1..=4);
    assert_eq!(lab.has(2), [1, 2]);
    assert_eq!(lab.launched, [1, 2, 3]);
    assert_eq!(lab.dispatcher.timer(), Some(PAUSE), "some wait for it");
    lab.pass(PAUSE - 1);
    assert_eq!(lab.launched, [1, 2, 3]);
    lab.pass(1);
    assert_eq!(lab.launched, [1, 2, 3, 4]);
    lab.make_ready(4);
    assert_eq!(lab.has(4), [3, 4]);
}

#[test]
fn a_replacement_is_tried_again_only_while_calls_wait() {
    let mut lab = Lab::ready(2);
    lab.die(1);
    lab.fail(3);
    lab.pass(10 * PAUSE);
    assert_eq!(lab.launched, [1, 2, 3]);
    assert!(lab.dispatcher.is_at_rest());
    lab.issue([1]);
    assert_eq!(lab.launched, [1, 2, 3, 4]);
    assert_eq!(lab.has(2), [1]);
}

#[test]
fn what_is_assigned_to_a_replica_that_cannot_start_goes_to_the_rest() {
    let shares = Some(vec![1, 1]);
    let mut lab = ready_with(
        2,
        Manner {
            shares,
            ..Manner::default()
        },
    );
    lab.die(1);
    lab.fail(3);
    lab.issue([1, 2]);
    lab.issue([3]);
    assert_eq!(lab.has(2), [2, 1]);
    lab.reply(2, MILLI);
    assert_eq!(lab.has(2), [1, 3]);
}

#[test]
fn each_call_of_a_broken_module_tries_one_replica_after_a_pause_that_grows() {
    let mut lab = Lab::new(&[8]);
    for replica in 1..=8 {
        lab.fail(replica);
    }
    let mut failures = Vec::new();
    for call in 0..1000 {
        lab.pass(10 * MILLI);
        lab.issue([call]);
        if let [tried] = lab.launched.split_off(8.min(lab.launched.len()))[..] {
            failures.push(lab.now / MILLI);
            assert!(
                !lab.taken().contains(&refused(call)),
                "it waits for {tried}"
            );
            lab.fail(tried);
        }
        assert!(lab.taken().contains(&refused(call)));
    }
    assert_eq!(failures, [100, 300, 700, 1500, 3100, 6300]);
    assert!(lab.dispatcher.is_at_rest() && lab.dispatcher.replicas.is_empty());
}

#[test]
fn once_a_replica_of_a_broken_module_is_ready_the_others_follow() {
    let mut lab = Lab::new(&[3]);
    for replica in 1..=3 {
        lab.fail(replica);
    }
    lab.pass(PAUSE);
    lab.issue([1]);
    assert_eq!(lab.launched, [1, 2, 3, 4]);
    lab.make_ready(4);
    assert_eq!(lab.launched, [1, 2, 3, 4, 5, 6]);
    assert_eq!(lab.has(4), [1]);
}

#[test]
fn a_replica_that_cannot_load_its_module_is_ended() {
    let mut lab = Lab::new(&[1]);
    lab.fail(1);
    assert_eq!(lab.kills(), [1]);
    lab.exited(1);
    lab.decide();
    let mut late = Lab::new(&[1]);
    late.taken();
    late.exited(1);
    late.fail(1);
    assert_eq!(
        late.taken(),
        [closed(1)],
        "it has ended before that was heard"
    );
    late.issue([1]);
    assert_eq!(late.taken(), [refused(1)]);
}

#[test]
fn replicas_that_die_at_their_start_are_replaced_three_times() {
    let mut lab = Lab::new(&[1]);
    lab.issue([1]);
    lab.taken();
    for replica in 1..=4 {
        assert_eq!(lab.launched.last(), Some(&replica));
        lab.die(replica);
    }
    assert_eq!(lab.launched.len(), 4);
    let loss = Loss {
        replica: 4,
        tries: 0,
        may_have_run: false,
        cause: Cause::Replica,
    };
    assert!(lab.taken().contains(&Action::Lose { call: 1, loss }));
    lab.issue([2]);
    assert_eq!(lab.taken(), [Action::Lose { call: 2, loss }]);
    lab.pass(PAUSE);
    lab.issue([3]);
    assert_eq!(
        lab.launched.len(),
        5,
        "it may have been the machine's fault"
    );
    lab.make_ready(5);
    assert_eq!(lab.has(5), [3]);
}

#[test]
fn replicas_that_die_idle_are_replaced_only_when_needed() {
    let mut lab = Lab::new(&[1]);
    for replica in 1..=3 {
        lab.make_ready(replica);
        lab.die(replica);
    }
    assert_eq!(lab.launched, [1, 2, 3]);
    lab.issue([1]);
    assert_eq!(lab.launched, [1, 2, 3, 4]);
}

#[test]
fn without_an_engine_calls_go_on_until_the_last_replica_is_gone() {
    let mut lab = Lab::ready(2);
    lab.issue(1..=6);
    lab.launcher_gone();
    lab.die(1);
    assert_eq!(lab.launched, [1, 2]);
    lab.taken();
    lab.die(2);
    let lost: Vec<Cause> = lab
        .taken()
        .iter()
        .filter_map(|action| match action {
            Action::Lose { loss, .. } => Some(loss.cause),
            _ => None,
        })
        .collect();
    assert_eq!(lost, [Cause::Launcher; 6]);
    assert!(lab.dispatcher.calls.is_empty());
}

#[test]
fn a_module_that_is_loaded_once_more_gets_calls_when_it_is_ready_again() {
    let mut lab = Lab::ready(2);
    lab.pass(MILLI);
    lab.loading(0);
    lab.issue([1, 2]);
    assert!(lab.has(1).is_empty() && lab.has(2).is_empty());
    lab.make_ready(2);
    assert_eq!(lab.has(2), [1, 2]);
}

#[test]
fn a_module_that_could_not_be_loaded_may_be_at_the_next_attempt() {
    let mut lab = Lab::new(&[1]);
    lab.fail(1);
    lab.issue([1]);
    assert!(lab.taken().contains(&refused(1)));
    lab.loading(0);
    lab.issue([2]);
    assert_eq!(lab.launched, [1, 2], "at once");
    lab.make_ready(2);
    assert_eq!(lab.has(2), [2]);
}

#[test]
fn waiting_for_the_order_to_load_is_no_time_that_a_start_takes() {
    let mut lab = Lab::new(&[1]);
    lab.pass(10_000 * MILLI);
    lab.loading(0);
    lab.pass(3 * MILLI);
    lab.make_ready(1);
    assert_eq!(lab.dispatcher.replicas[&1].start_time, 3 * MILLI);
}

fn shortage() -> Shortage {
    Shortage {
        errno: libc::EMFILE,
        bytes: 0,
        of: Of::Replica,
    }
}

/// The calls that were given up for lack of room.
fn without_room(lab: &mut Lab) -> Vec<CallId> {
    let taken = lab.taken().into_iter();
    let given_up = taken.filter_map(|action| match action {
        Action::NoRoom {
            call,
            shortage: why,
        } => {
            assert_eq!(why, shortage());
            Some(call)
        }
        Action::Lose { .. } | Action::Send { .. } => panic!("{action:?}"),
        _ => None,
    });
    given_up.collect()
}

fn last_cannot_be_launched(lab: &mut Lab) {
    let last = *lab.launched.last().unwrap();
    lab.not_launched(last, shortage());
    lab.decide();
}

#[test]
fn calls_for_which_no_replica_can_be_launched_say_so_and_the_next_one_tries_again() {
    let mut lab = Lab::new(&[1]);
    lab.issue(1..=3);
    lab.taken();
    for (round, issued) in [(1, vec![]), (2, vec![4]), (3, vec![5, 6])] {
        lab.issue(issued.clone());
        assert_eq!(lab.launched.len(), round, "at once, where a call needs it");
        last_cannot_be_launched(&mut lab);
        let expected = if round == 1 { vec![1, 2, 3] } else { issued };
        assert_eq!(without_room(&mut lab), expected);
        assert_eq!(lab.launched.len(), round);
        assert!(lab.dispatcher.timer().is_some());
    }
    lab.issue([7]);
    lab.make_ready(4);
    assert_eq!(lab.has(4), [7]);
}

#[test]
fn where_one_replica_lives_it_serves_all_until_there_is_room_for_more() {
    let mut spec = ModuleSpec::plain("work", 2);
    let shares = Manner {
        shares: Some(vec![1, 1]),
        ..Manner::default()
    };
    for manner in [Manner::default(), shares] {
        spec.manners = vec![manner];
        let mut lab = Lab::of(&[spec.clone()]);
        lab.make_ready(1);
        last_cannot_be_launched(&mut lab);
        lab.issue(1..=4);
        let mut done = Vec::new();
        while !lab.has(1).is_empty() {
            done.push(lab.reply(1, MILLI).0);
        }
        done.sort_unstable();
        assert_eq!(done, [1, 2, 3, 4]);
        assert_eq!(lab.launched.len(), 2, "not again at each call");
        lab.pass(1000 * MILLI);
        assert_eq!(lab.launched.len(), 3);
        assert!(without_no_room(&lab.taken()));
    }
}

fn without_no_room(actions: &[Action]) -> bool {
    !actions
        .iter()
        .any(|action| matches!(action, Action::NoRoom { .. }))
}

/// A module of four replicas, of which so many are made at the start.
fn growing(at_start: u32) -> Lab {
    let mut spec = ModuleSpec::plain("work", 4);
    spec.at_start = at_start;
    Lab::of(&[spec])
}

#[test]
fn there_are_as_many_replicas_as_there_were_calls_at_once() {
    let mut lab = growing(1);
    assert_eq!(lab.launched, [1]);
    lab.make_ready(1);
    for call in [1, 2] {
        lab.issue([call]);
        lab.reply(1, MILLI);
    }
    assert_eq!(lab.launched, [1], "one call after the other");
    lab.issue([3]);
    lab.issue([4]);
    assert_eq!(lab.launched, [1, 2]);
    lab.make_ready(2);
    lab.issue(5..=100);
    assert_eq!(lab.launched, [1, 2, 3, 4], "and no more than the plan says");
}

#[test]
fn calls_that_wait_for_the_first_replica_ask_for_others() {
    let mut lab = growing(1);
    lab.issue(1..=3);
    assert_eq!(lab.launched, [1, 2, 3]);
}

#[test]
fn a_replica_that_nobody_needs_is_made_when_it_is() {
    let mut lab = growing(0);
    lab.pass(1000 * MILLI);
    assert!(lab.launched.is_empty());
    lab.issue([1]);
    lab.make_ready(1);
    assert_eq!(lab.has(1), [1]);
}

#[test]
fn what_only_gets_a_replica_ready_asks_for_no_other() {
    let mut lab = growing(1);
    for call in 1..=3 {
        lab.issued(Issue {
            beside: true,
            ..Issue::plain(call, 0, true)
        });
    }
    lab.issue([4]);
    assert_eq!(lab.launched, [1]);
    lab.make_ready(1);
    while !lab.has(1).is_empty() {
        lab.reply(1, MILLI);
    }
    lab.issue(5..=6);
    assert_eq!(lab.launched, [1, 2]);
}

#[test]
fn one_that_is_gone_is_replaced_as_long_as_it_was_needed() {
    let mut lab = growing(1);
    lab.issue(1..=2);
    lab.make_ready(1);
    lab.make_ready(2);
    while !lab.has(1).is_empty() {
        lab.reply(1, MILLI);
    }
    lab.die(2);
    assert_eq!(lab.launched, [1, 2, 3]);
}

#[test]
fn where_calls_are_dealt_out_by_shares_all_replicas_are_there() {
    let shares = Manner {
        shares: Some(vec![1; 4]),
        ..Manner::default()
    };
    let mut spec = ModuleSpec::plain("work", 4);
    (spec.manners, spec.at_start) = (vec![shares], 1);
    assert_eq!(Lab::of(&[spec]).launched, [1, 2, 3, 4]);
}

#[test]
fn one_of_whom_nothing_is_heard_is_given_up_at_once() {
    let mut lab = Lab::ready(2);
    lab.issue(1..=2);
    lab.taken();
    let death = Death::Silent;
    lab.hear(Event::Died { replica: 1, death }).unwrap();
    lab.decide();
    assert_eq!(lab.kills(), [1], "it may live");
    assert_eq!(lab.reply(2, MILLI).0, 2);
    assert_eq!(lab.has(2), [1]);
}
