//! State that is lost with a replica is told; and nothing else is.

use super::lab::{module, Lab};
use super::staff::END_WAIT;
use super::*;
use crate::manner::Manner;

/// A module that keeps state, its replica ready.
fn keeping() -> Lab {
    let mut spec = module(1, vec![Manner::default()]);
    spec.keeps_state = true;
    let mut lab = Lab::of(&[spec]);
    lab.make_ready(1);
    lab.taken();
    lab
}

impl Lab {
    fn call(&mut self, call: CallId, effects: Effects) {
        let plain = Issue::plain(call, 0, false);
        self.issued(Issue { effects, ..plain });
        self.decide();
    }

    fn denied(&mut self) -> Vec<CallId> {
        let denied = |action: &Action| match action {
            Action::Deny { call, .. } => Some(*call),
            _ => None,
        };
        self.taken().iter().filter_map(denied).collect()
    }
}

#[test]
fn after_a_stateful_call_a_death_is_told_to_all_such_calls() {
    let mut lab = keeping();
    lab.call(1, Effects::Stateful);
    lab.reply(1, MILLI);
    lab.die(1);
    lab.taken();
    lab.call(2, Effects::Stateful);
    let loss = Loss {
        replica: 1,
        ..Loss::default()
    };
    assert_eq!(lab.taken(), [Action::Deny { call: 2, loss }]);
    lab.call(3, Effects::Stateful);
    assert_eq!(lab.denied(), [3]);
    assert!(lab.dispatcher.is_at_rest(), "no replica is made for that");
    assert_eq!(lab.launched, [1]);
}

#[test]
fn without_one_a_fresh_replica_is_as_good() {
    for effects in [Effects::Pure, Effects::Independent] {
        let mut lab = keeping();
        lab.call(1, effects);
        lab.reply(1, MILLI);
        lab.die(1);
        assert_eq!(lab.launched, [1, 2], "at once");
        lab.make_ready(2);
        lab.call(2, Effects::Stateful);
        assert_eq!(lab.has(2), [2]);
    }
}

#[test]
fn a_module_that_may_forget_goes_on_in_a_fresh_replica() {
    let mut lab = Lab::ready(1);
    lab.call(1, Effects::Stateful);
    lab.reply(1, MILLI);
    lab.die(1);
    lab.make_ready(2);
    lab.call(2, Effects::Stateful);
    assert_eq!(lab.has(2), [2]);
}

#[test]
fn calls_that_need_no_state_go_on_in_a_fresh_replica() {
    let mut lab = keeping();
    lab.call(1, Effects::Stateful);
    lab.reply(1, MILLI);
    lab.die(1);
    lab.call(2, Effects::Pure);
    lab.call(3, Effects::Independent);
    assert_eq!(lab.launched, [1, 2], "once it is needed");
    lab.make_ready(2);
    assert_eq!(lab.has(2), [2, 3]);
    lab.call(4, Effects::Stateful);
    assert_eq!(lab.denied(), [4]);
    lab.die(2);
    assert_eq!(lab.launched, [1, 2, 3], "a pure call waits");
}

#[test]
fn a_death_in_a_stateful_call_loses_that_call_and_then_the_state() {
    let mut lab = keeping();
    lab.call(1, Effects::Stateful);
    lab.call(2, Effects::Pure);
    lab.call(3, Effects::Stateful);
    assert_eq!(lab.has(1), [1, 2]);
    lab.die(1);
    let lost =
        |action: &Action| matches!(action, Action::Lose { call: 1, loss } if loss.may_have_run);
    assert_eq!(lab.seen.iter().filter(|action| lost(action)).count(), 1);
    assert_eq!(lab.denied(), [3], "it was not made");
    lab.make_ready(2);
    assert_eq!(lab.has(2), [2]);
    lab.call(4, Effects::Stateful);
    assert_eq!(lab.denied(), [4]);
}

#[test]
fn a_call_that_was_handed_back_has_left_nothing() {
    let mut lab = keeping();
    lab.call(1, Effects::Pure);
    lab.call(2, Effects::Stateful);
    assert_eq!(lab.has(1), [1, 2]);
    lab.returned(1, &[2]).unwrap();
    lab.die(1);
    lab.make_ready(2);
    assert_eq!(lab.denied(), []);
    lab.reply(2, MILLI);
    assert_eq!(lab.has(2), [2]);
}

#[test]
fn a_module_that_is_loaded_anew_begins_anew() {
    let mut lab = keeping();
    lab.call(1, Effects::Stateful);
    lab.reply(1, MILLI);
    lab.die(1);
    lab.loading(0);
    lab.call(2, Effects::Stateful);
    assert_eq!(lab.denied(), []);
    lab.make_ready(2);
    assert_eq!(lab.has(2), [2]);
}

#[test]
fn a_replica_with_state_is_not_ended_for_a_dropped_call() {
    let cases = [(Effects::Stateful, 0), (Effects::Independent, 1)];
    for ((effects, ends), may_forget) in cases
        .into_iter()
        .flat_map(|case| [(case, false), (case, true)])
    {
        let mut lab = if may_forget { Lab::ready(1) } else { keeping() };
        lab.call(1, effects);
        lab.reply(1, MILLI);
        lab.call(2, Effects::Pure);
        lab.dropped(2);
        lab.call(3, Effects::Stateful);
        lab.demanded(3);
        for _ in 0..100 {
            lab.pass(10 * MILLI);
            if let [.., 3] = lab.has(1) {
                lab.answer_recall(1, &[3]);
            }
        }
        assert_eq!(lab.kills().len(), ends);
    }
}

#[test]
fn a_nested_call_is_told_too_and_its_maker_goes_on() {
    let mut kept = module(1, vec![Manner::default()]);
    kept.keeps_state = true;
    let mut lab = Lab::of(&[kept, module(1, vec![Manner::default()])]);
    lab.make_ready(1);
    lab.make_ready(2);
    lab.call(1, Effects::Stateful);
    lab.reply(1, MILLI);
    lab.die(1);
    lab.issued(Issue::plain(2, 1, true));
    lab.decide();
    lab.taken();
    lab.nested(3, 0, Effects::Stateful, 2, 2);
    lab.decide();
    assert_eq!(lab.denied(), [3]);
    assert!(lab.dispatcher.replicas[&2].waits.is_empty());
    lab.reply(2, MILLI);
}

#[test]
fn the_loss_is_known_with_the_end_of_the_process() {
    let mut lab = keeping();
    lab.call(1, Effects::Stateful);
    lab.reply(1, MILLI);
    lab.link_closed(1);
    lab.call(2, Effects::Stateful);
    assert_eq!(lab.denied(), [], "how it ended is not known yet");
    lab.pass(END_WAIT);
    assert_eq!(lab.denied(), [2]);
}

#[test]
fn a_call_that_came_too_late_to_be_read_has_not_run() {
    let mut lab = keeping();
    lab.call(1, Effects::Stateful);
    lab.unread(1, &[1]);
    lab.at.clear();
    lab.die(1);
    lab.make_ready(2);
    assert_eq!(lab.has(2), [1], "nothing was left in the first");
    lab.reply(2, MILLI);
    lab.call(2, Effects::Stateful);
    lab.unread(2, &[2, 7]);
    lab.die(2);
    assert_eq!(lab.denied(), [2]);
}

#[test]
fn a_loss_that_no_call_was_told_of_is_known_at_the_end() {
    let untold = |lab: &Lab| lab.dispatcher.untold_losses().len();
    let mut lab = keeping();
    lab.call(1, Effects::Stateful);
    lab.reply(1, MILLI);
    assert_eq!(untold(&lab), 0);
    lab.link_closed(1);
    assert_eq!(untold(&lab), 1);
    lab.die(1);
    assert_eq!(untold(&lab), 1);
    lab.call(2, Effects::Stateful);
    assert_eq!(untold(&lab), 0);
    let mut busy = keeping();
    busy.call(1, Effects::Stateful);
    busy.die(1);
    assert_eq!(untold(&busy), 0, "the call is lost, and that is told");
    let mut may_forget = Lab::ready(1);
    may_forget.call(1, Effects::Stateful);
    may_forget.reply(1, MILLI);
    may_forget.die(1);
    assert_eq!(untold(&may_forget), 0);
}

#[test]
fn a_replica_that_keeps_a_value_which_cannot_be_made_again_is_not_ended_for_a_dropped_call() {
    for (effects, ends) in [(Effects::Independent, 0), (Effects::Pure, 1)] {
        let mut lab = Lab::ready(1);
        lab.issued(Issue {
            effects,
            keeps: true,
            ..Issue::plain(1, 0, true)
        });
        lab.decide();
        lab.at.clear();
        lab.kept(1, 1, MILLI, 1 << 20, true).unwrap();
        lab.call(2, Effects::Pure);
        lab.dropped(2);
        lab.call(3, Effects::Pure);
        lab.demanded(3);
        for _ in 0..100 {
            lab.pass(10 * MILLI);
            if let [.., 3] = lab.has(1) {
                lab.answer_recall(1, &[3]);
            }
        }
        assert_eq!(lab.kills().len(), ends);
    }
}
