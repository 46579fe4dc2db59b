//! Why the program makes calls itself, counted for scouts of a fake language.

use super::fake::{Do, Scout};
use super::interpreter::Cause;
use super::{Answers, Why};
use cord_sync::wake::Wake;
use Do::{Fail, Issue, Pause, Start, Wait};

const WIDE: usize = 1_000;
const SITE: u32 = 7;

/// Why the program makes a call itself when the scout has gone as far as it can.
fn why(scout: &Scout) -> Why {
    scout.step().unwrap();
    scout.strands.why_not(SITE, &scout.calls).why
}

#[test]
fn what_a_guard_refused_is_why_the_calls_behind_are_the_programs() {
    let scout = Scout::new(WIDE, &[&[Issue(1), Fail(Cause::Refusal), Issue(2)]]);
    assert_eq!(why(&scout), Why::Method);
    assert!(!scout.strands.is_alive());
    scout.calls.discard();
    let next = super::Calls::default();
    let known = scout.strands.why_not(SITE, &next);
    assert_eq!(known.why, Why::Method, "also where what it issued is gone");
}

#[test]
fn of_several_strands_the_first_in_the_programs_order_tells() {
    let first = Start(vec![Wait, Fail(Cause::CallRaised)]);
    let code = [first, Start(vec![Fail(Cause::Refusal)]), Pause, Wait];
    let scout = Scout::new(WIDE, &[&code]);
    assert_eq!(why(&scout), Why::Method);
    scout.strands.signal.wake(1);
    assert_eq!(why(&scout), Why::CallRaised);
}

#[test]
fn a_scout_that_is_there_has_not_come_so_far() {
    let waits = Scout::new(WIDE, &[&[Wait, Issue(1)]]);
    assert_eq!(why(&waits), Why::Waits);
    let strand = || Start(vec![Wait]);
    let full = Scout::new(2, &[&[strand(), strand(), Pause, Issue(1)]]);
    assert_eq!(why(&full), Why::Full);
}

#[test]
fn a_scout_that_is_over_did_not_expect_more_or_was_ended_for_something() {
    let over = Scout::new(WIDE, &[&[Issue(1)]]);
    assert_eq!(why(&over), Why::Ended);
    over.strands.note(Why::Useless);
    assert_eq!(why(&over), Why::Ended, "it had ended before");
    let useless = Scout::new(WIDE, &[&[Issue(1), Wait]]);
    assert_eq!(why(&useless), Why::Waits);
    useless.strands.note(Why::Useless);
    useless.strands.end();
    assert_eq!(why(&useless), Why::Useless);
}

#[test]
fn a_scout_that_goes_on_for_another_one_has_no_reason_of_its() {
    let scout = Scout::new(WIDE, &[&[Fail(Cause::Refusal)]]);
    assert_eq!(why(&scout), Why::Method);
    scout.calls.set_open(true);
    assert!(scout.calls.why_failed().is_none());
}

#[test]
fn what_the_text_leaves_to_the_program_is_no_refusal() {
    let scout = Scout::new(WIDE, &[&[Issue(1), Fail(Cause::Refusal)]]);
    scout.strands.pass_by([SITE]);
    assert_eq!(why(&scout), Why::Passed);
}

#[test]
fn a_reason_that_is_met_again_and_again_is_one_row() {
    let answers = Answers::default();
    for _ in 0..19 {
        let scout = Scout::new(WIDE, &[&[Fail(Cause::Refusal), Issue(1)]]);
        scout.step().unwrap();
        answers.count_in_place();
        answers.count_reason(&scout.strands.why_not(SITE, &scout.calls));
    }
    let rows = answers.reasons();
    assert_eq!(rows.len(), 1);
    assert_eq!((rows[0].0.why, rows[0].1), (Why::Method, 19));
    assert_eq!(answers.read(), (0, 0, 19));
}
