//! How strands of a scout take turns, in a fake language.

use super::fake::{Do, Scout};
use super::interpreter::Cause;
use cord_sync::wake::Wake;
use Do::{Fail, Issue, Pause, Return, Start, Wait};

const WIDE: usize = 1_000;

#[test]
fn a_strand_runs_at_once_inside_the_one_that_starts_it() {
    let scout = Scout::new(WIDE, &[&[Issue(1), Start(vec![Issue(2)]), Issue(3)]]);
    scout.step().unwrap();
    assert_eq!(scout.issued(), [1, 2, 3]);
    assert!(!scout.strands.is_alive(), "it has come to its end");
}

#[test]
fn calls_of_a_strand_that_waits_stand_where_it_was_started() {
    let strand = vec![Wait, Issue(2), Return(7)];
    let scout = Scout::new(WIDE, &[&[Issue(1), Start(strand), Issue(3)]]);
    scout.step().unwrap();
    assert!(scout.strands.is_alive() && scout.strands.is_waiting());
    assert!(scout.delivered.borrow().is_empty());
    scout.strands.signal.wake(1);
    scout.step().unwrap();
    assert_eq!(scout.issued(), [1, 2, 3]);
    assert_eq!(*scout.delivered.borrow(), [Some(7)]);
}

#[test]
fn strands_that_paused_go_on_in_the_programs_order() {
    let inner = vec![Start(vec![Pause, Issue(1)]), Pause, Issue(2)];
    let scout = Scout::new(WIDE, &[&[Start(inner), Pause, Issue(3)]]);
    scout.step().unwrap();
    assert_eq!(scout.issued(), [1, 2, 3]);
}

#[test]
fn while_a_frame_waits_for_its_result_the_one_around_is_covered() {
    let scout = Scout::new(WIDE, &[&[Issue(1), Wait, Issue(3)], &[Issue(2)]]);
    scout.step().unwrap();
    assert_eq!(scout.issued(), [1, 2]);
    scout.strands.signal.wake(0);
    scout.step().unwrap();
    assert_eq!(scout.issued(), [3]);
}

#[test]
fn what_a_strand_refuses_is_left_to_the_program() {
    let scout = Scout::new(WIDE, &[&[Start(vec![Fail(Cause::Refusal)]), Issue(1)]]);
    scout.step().unwrap();
    assert_eq!(*scout.delivered.borrow(), [None]);
    assert!(scout.calls.has_failed());
    assert_eq!(scout.issued(), [1]);
}

#[test]
fn an_exception_in_a_strand_is_one_of_who_starts_it() {
    for cause in [Cause::Exception, Cause::Unwinding] {
        let scout = Scout::new(WIDE, &[&[Start(vec![Fail(cause)]), Issue(1)], &[Issue(2)]]);
        scout.step().unwrap();
        assert_eq!(scout.issued(), [], "nor are frames around covered");
    }
}

#[test]
fn an_interrupt_goes_to_the_program() {
    let scout = Scout::new(WIDE, &[&[Start(vec![Fail(Cause::Interrupt)])]]);
    assert_eq!(scout.step(), Err(Cause::Interrupt));
}

#[test]
fn a_strand_nobody_wants_the_calls_of_ends() {
    let scout = Scout::new(WIDE, &[&[Wait, Issue(1)]]);
    scout.step().unwrap();
    scout.calls.discard();
    scout.strands.signal.wake(0);
    scout.step().unwrap();
    assert_eq!(scout.issued(), []);
    assert!(!scout.strands.is_alive());
}

#[test]
fn helpers_may_not_be_too_deep() {
    let mut code = vec![Issue(1)];
    for _ in 0..100 {
        code = vec![Start(code)];
    }
    let scout = Scout::new(WIDE, &[&code]);
    scout.step().unwrap();
    assert_eq!(scout.issued(), [1]);
    let scout = Scout::new(WIDE, &[&[Start(code)]]);
    scout.step().unwrap();
    assert_eq!(scout.issued(), []);
}

#[test]
fn a_full_window_holds_up_all_but_those_that_follow() {
    // strands count as out while they wait, so four of them fill the window
    let strand = |call| Start(vec![Wait, Issue(call)]);
    let code = [strand(1), strand(2), strand(3), strand(4), Pause, Issue(5)];
    let scout = Scout::new(4, &[&code]);
    scout.step().unwrap();
    assert!(scout.strands.should_pause() && scout.strands.is_held_up());
    assert!(!scout.strands.holds_up_followers(), "this one leads");
    scout.strands.signal.wake(2);
    scout.step().unwrap();
    assert_eq!(
        scout.issued(),
        [2, 5],
        "what is woken is exempt, and makes room"
    );
}

#[test]
fn an_ended_scout_leaves_what_it_has_issued() {
    let scout = Scout::new(WIDE, &[&[Issue(1), Wait, Issue(2)]]);
    scout.step().unwrap();
    assert!(scout.calls.is_open());
    scout.strands.end();
    assert!(!scout.calls.is_open());
    scout.strands.signal.wake(0);
    scout.step().unwrap();
    assert_eq!(scout.issued(), [1]);
}

#[test]
fn only_one_steps_a_scout() {
    let scout = Scout::new(WIDE, &[&[]]);
    assert!(scout.strands.enter(None, None));
    assert!(!scout.strands.enter(None, None));
    scout.strands.leave();
    assert!(scout.strands.enter(None, None));
}
