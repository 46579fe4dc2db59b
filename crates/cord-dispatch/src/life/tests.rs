use super::*;

fn sent(pure_call: bool) -> Life {
    let mut life = Life::new(pure_call);
    life.send().unwrap();
    life
}

#[test]
fn the_usual_way() {
    let mut life = sent(true);
    life.start().unwrap();
    assert_eq!(life.state(), State::Running);
    assert_eq!(life.reply(), Ok(Delivery::Deliver));
    assert_eq!(life.state(), State::Done);
}

#[test]
fn a_call_handed_back_waits_again() {
    let mut life = sent(false);
    assert_eq!(life.hand_back(), Ok(Fate::Requeue));
    assert_eq!(life.state(), State::Queued);
}

#[test]
fn a_pure_call_is_given_up_at_the_third_death() {
    let mut life = Life::new(true);
    for _ in 0..2 {
        life.send().unwrap();
        assert_eq!(life.replica_died(true, true), Ok(Fate::Requeue));
        assert_eq!(life.state(), State::Retried);
    }
    life.send().unwrap();
    assert_eq!(life.replica_died(true, true), Ok(Fate::Lost));
    assert_eq!((life.state(), life.tries()), (State::Lost, 3));
}

#[test]
fn a_death_that_is_not_its_fault_does_not_count() {
    let mut life = sent(true);
    for _ in 0..5 {
        assert_eq!(life.replica_died(false, true), Ok(Fate::Requeue));
        life.send().unwrap();
    }
    assert_eq!(life.tries(), 0);
}

#[test]
fn an_impure_call_never_goes_twice() {
    for blame in [true, false] {
        let mut life = sent(false);
        assert_eq!(life.replica_died(blame, true), Ok(Fate::Lost));
        assert_eq!(life.tries(), 1);
    }
}

#[test]
fn a_call_that_is_passed_on_is_lost_with_either_replica() {
    for (pure_call, fate) in [(true, Fate::Requeue), (false, Fate::Lost)] {
        let mut life = sent(pure_call);
        life.pass_on().unwrap();
        assert_eq!(life.state(), State::Moved);
        assert_eq!(life.clone().replica_died(true, true), Ok(fate));
        life.settle_down().unwrap();
        assert_eq!(life.state(), State::Sent);
        assert_eq!(life.replica_died(true, true), Ok(fate));
    }
}

#[test]
fn a_dropped_call_leaves_in_silence() {
    assert_eq!(Life::new(true).drop_call(), Ok(true));
    let mut life = sent(true);
    assert_eq!(life.drop_call(), Ok(false));
    assert_eq!(life.clone().reply(), Ok(Delivery::Discard));
    assert_eq!(life.clone().hand_back(), Ok(Fate::Silent));
    assert_eq!(life.replica_died(true, true), Ok(Fate::Silent));
}

#[test]
fn a_kept_value_is_let_go_or_made_again() {
    let mut kept = sent(true);
    assert_eq!(kept.keep(), Ok(Delivery::Deliver));
    assert_eq!(kept.clone().let_go(), Ok(()));
    assert_eq!(kept.lose_value(), Ok(Fate::Requeue));
    assert_eq!((kept.state(), kept.tries()), (State::Retried, 0));
    let mut impure = sent(false);
    impure.keep().unwrap();
    assert_eq!(impure.lose_value(), Ok(Fate::Lost));
    assert_eq!(impure.state(), State::Lost);
}

#[test]
fn a_call_that_awaits_values_is_queued_as_it_was() {
    let mut life = Life::new(true);
    life.await_value().unwrap();
    assert!(!life.is_waiting());
    life.become_ready().unwrap();
    assert_eq!(life.state(), State::Queued);
    life.send().unwrap();
    life.replica_died(true, true).unwrap();
    life.await_value().unwrap();
    life.become_ready().unwrap();
    assert_eq!(life.state(), State::Retried);
}

#[test]
fn a_call_whose_caller_was_interrupted_is_not_begun_any_more() {
    let mut waiting = Life::new(false);
    assert_eq!(waiting.interrupt(), Ok(true));
    for (pure_call, fate) in [(true, Fate::Silent), (false, Fate::Lost)] {
        let mut life = sent(pure_call);
        assert_eq!(life.interrupt(), Ok(false));
        assert_eq!(life.clone().reply(), Ok(Delivery::Deliver));
        assert_eq!(life.clone().hand_back(), Ok(Fate::Silent));
        assert_eq!(life.replica_died(true, true), Ok(fate));
    }
}

/// Every change that is not in the picture above is refused and changes nothing.
#[test]
fn illegal_changes_are_refused() {
    let queued = Life::new(true);
    let mut running = sent(true);
    running.start().unwrap();
    let mut moved = sent(true);
    moved.pass_on().unwrap();
    let mut dropped = sent(true);
    dropped.drop_call().unwrap();
    let mut done = sent(true);
    done.reply().unwrap();
    let mut lost = queued.clone();
    lost.give_up().unwrap();
    let mut awaiting = queued.clone();
    awaiting.await_value().unwrap();
    let mut kept = sent(true);
    kept.keep().unwrap();
    type Change = fn(&mut Life) -> bool;
    let changes: [(&str, Change); 15] = [
        ("send", |life| life.send().is_ok()),
        ("start", |life| life.start().is_ok()),
        ("pass_on", |life| life.pass_on().is_ok()),
        ("settle_down", |life| life.settle_down().is_ok()),
        ("reply", |life| life.reply().is_ok()),
        ("hand_back", |life| life.hand_back().is_ok()),
        ("replica_died", |life| life.replica_died(true, true).is_ok()),
        ("give_up", |life| life.give_up().is_ok()),
        ("drop_call", |life| life.drop_call().is_ok()),
        ("interrupt", |life| life.interrupt().is_ok()),
        ("await_value", |life| life.await_value().is_ok()),
        ("become_ready", |life| life.become_ready().is_ok()),
        ("keep", |life| life.keep().is_ok()),
        ("let_go", |life| life.let_go().is_ok()),
        ("lose_value", |life| life.lose_value().is_ok()),
    ];
    let at_replica = ["settle_down", "reply", "hand_back", "replica_died", "keep"];
    for (life, legal) in [
        (
            queued,
            &["send", "give_up", "drop_call", "interrupt", "await_value"][..],
        ),
        (
            awaiting,
            &["become_ready", "give_up", "drop_call", "interrupt"],
        ),
        (kept, &["let_go", "lose_value"]),
        (
            sent(true),
            &[
                "start",
                "pass_on",
                "reply",
                "hand_back",
                "replica_died",
                "drop_call",
                "interrupt",
                "keep",
            ],
        ),
        (
            moved,
            &["settle_down", "replica_died", "drop_call", "interrupt"],
        ),
        (
            running,
            &[
                "reply",
                "hand_back",
                "replica_died",
                "drop_call",
                "interrupt",
                "keep",
            ],
        ),
        (dropped, &at_replica),
        (done, &[]),
        (lost, &[]),
    ] {
        for (name, change) in changes {
            let mut tried = life.clone();
            assert_eq!(
                change(&mut tried),
                legal.contains(&name),
                "{name} from {life:?}"
            );
            if !legal.contains(&name) {
                assert_eq!(tried.state(), life.state());
            }
        }
    }
}
