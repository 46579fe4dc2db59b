//! How a scout passes conditions that depend on results, in a fake language.

use super::fake::{Do, Scout, BREAKS};
use super::interpreter::{Cause, Exit};
use cord_sync::wake::Wake;
use Do::{Condition, Fail, Hold, Issue, Leave, Loop, Return, Wait};

/// The number of the strand that decides the first condition.
const FIRST: u64 = 1;

fn waits_then(code: Do) -> Do {
    Condition(vec![Wait, code])
}

/// A loop of two turns with a call in each, and a call behind it.
fn two_turns(first: Do) -> Vec<Do> {
    let second = waits_then(Return(0));
    vec![
        Loop,
        first,
        Hold,
        Issue(1),
        second,
        Hold,
        Issue(2),
        Leave,
        Issue(3),
    ]
}

fn scout(code: &[Do], exits: &[usize]) -> Scout {
    let scout = Scout::new(1_000, &[code]);
    exits
        .iter()
        .for_each(|passed| scout.history.add(*passed, true));
    scout
}

fn wake(scout: &Scout, strand: u64) {
    scout.strands.signal.wake(strand);
    scout.step().unwrap();
}

#[test]
fn without_a_history_no_exit_is_expected() {
    let scout = scout(&two_turns(waits_then(Return(0))), &[]);
    scout.step().unwrap();
    assert_eq!(scout.issued(), [1, 2, 3]);
}

#[test]
fn a_scout_holds_where_the_program_is_likely_to_leave() {
    let scout = scout(&two_turns(waits_then(Return(0))), &[0, 0, 0, 0, 0, 0, 0, 0]);
    scout.step().unwrap();
    assert_eq!(scout.issued(), [], "it waits for the first condition");
    wake(&scout, FIRST);
    assert_eq!(scout.issued(), [1, 2, 3], "the second is passed as a rule");
}

#[test]
fn a_scout_with_nothing_else_to_do_dares_what_is_less_likely() {
    let scout = scout(&two_turns(waits_then(Return(0))), &[0, 0]);
    let chance = scout.history.chance(0, 1);
    assert!(chance > 0.25 && chance <= 0.5, "{chance}");
    scout.step().unwrap();
    assert_eq!(scout.issued(), [1, 2, 3]);
}

#[test]
fn an_exit_that_shows_itself_drops_what_was_issued_behind_it() {
    let scout = scout(&two_turns(waits_then(Return(BREAKS))), &[]);
    scout.step().unwrap();
    wake(&scout, FIRST);
    assert_eq!(scout.issued(), [3], "behind a break the program goes on");
    let breaks = scout
        .exits()
        .left(|exit| matches!(exit, Exit::Left { breaks: true, .. }));
    assert_eq!(breaks, Some(true));
}

#[test]
fn behind_a_return_nothing_is_left() {
    let scout = scout(&two_turns(waits_then(Return(BREAKS - 1))), &[]);
    scout.step().unwrap();
    wake(&scout, FIRST);
    assert_eq!(scout.issued(), []);
}

#[test]
fn an_exception_is_an_exit() {
    let scout = scout(&two_turns(waits_then(Fail(Cause::Unwinding))), &[]);
    scout.step().unwrap();
    wake(&scout, FIRST);
    let raised = scout.exits().left(|exit| matches!(exit, Exit::Raised));
    assert_eq!(raised, Some(true));
    assert_eq!(scout.issued(), []);
}

#[test]
fn what_a_condition_refuses_tells_nothing() {
    let scout = scout(&two_turns(waits_then(Fail(Cause::Refusal))), &[]);
    scout.step().unwrap();
    wake(&scout, FIRST);
    assert!(scout.exits().left(|_| ()).is_none());
    assert_eq!(scout.issued(), [1, 2, 3]);
}

#[test]
fn the_loop_teaches_the_next_one() {
    let scout = scout(&two_turns(waits_then(Return(BREAKS))), &[0]);
    let before = scout.history.chance(0, 1);
    scout.step().unwrap();
    wake(&scout, FIRST);
    assert!(scout.history.chance(0, 1) < before);
}
