//! Mistakes of the dispatcher's own, made here on purpose: they are told, and no call vanishes.

use super::lab::Lab;
use super::*;
use crate::life::Illegal;
use cord_wire::loss::Cause;

/// A replica with two calls, the first of which is thought to have been answered.
fn confused() -> Lab {
    let mut lab = Lab::ready(1);
    lab.replays = false;
    lab.issue(1..=3);
    assert_eq!(lab.has(1), [1, 2]);
    lab.taken();
    let call = lab.dispatcher.calls.get_mut(&1).unwrap();
    call.life.reply().unwrap();
    lab
}

fn lost_to_fault(lab: &Lab) -> Vec<CallId> {
    let lost = |action: &Action| match action {
        Action::Lose { call, loss } if loss.cause == Cause::Fault => Some(*call),
        _ => None,
    };
    lab.seen.iter().filter_map(lost).collect()
}

#[test]
fn what_cannot_happen_ends_the_replica_and_loses_its_calls() {
    let mut lab = confused();
    lab.returned(1, &[1]).unwrap();
    lab.decide();
    let fault = Action::Fault {
        call: 1,
        illegal: Illegal {
            state: State::Done,
            change: "hand back",
        },
    };
    assert!(lab.seen.contains(&fault), "{:?}", lab.seen);
    assert_eq!(lost_to_fault(&lab), [1, 2]);
    assert_eq!(lab.kills(), [1]);
}

#[test]
fn others_go_on_with_what_waits() {
    let mut lab = confused();
    lab.returned(1, &[1]).unwrap();
    lab.decide();
    lab.die(1);
    lab.make_ready(2);
    assert_eq!(lab.has(2), [3]);
    assert_eq!(lab.reply(2, MILLI), (3, Delivery::Deliver));
    assert!(lab.dispatcher.calls.is_empty());
}

#[test]
fn a_death_that_a_call_cannot_suffer_loses_it_too() {
    let mut lab = confused();
    lab.die(1);
    assert_eq!(lost_to_fault(&lab), [1]);
    lab.make_ready(2);
    assert_eq!(lab.has(2), [2], "it was not to blame");
}
