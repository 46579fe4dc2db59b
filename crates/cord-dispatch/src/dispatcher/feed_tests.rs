//! What the plan says of how calls are sent: watermark, batch, shares, priority, lookahead.

use std::sync::Arc;

use super::lab::{module, ready_with, Lab};
use super::*;
use crate::manner::{Batch, Manner};
use cord_sync::budget::Budget;
use cord_wire::priority::Priority;

impl Lab {
    fn issue_with(&mut self, priorities: impl IntoIterator<Item = (CallId, f64)>) {
        for (call, priority) in priorities {
            self.issued(Issue {
                priority: Priority::new(priority),
                ..Issue::plain(call, 0, true)
            });
        }
        self.decide();
    }

    fn issue_sized(&mut self, calls: impl IntoIterator<Item = CallId>, bytes: usize) {
        for call in calls {
            let plain = Issue::plain(call, 0, true);
            self.issued(Issue { bytes, ..plain });
        }
        self.decide();
    }

    fn demand(&mut self, call: CallId) {
        self.demanded(call);
        self.decide();
    }

    /// The calls of every frame since the last time.
    fn frames(&mut self) -> Vec<Vec<CallId>> {
        let frame = |action| match action {
            Action::Send { calls, .. } => Some(calls),
            _ => None,
        };
        self.taken().into_iter().filter_map(frame).collect()
    }

    /// Lets one replica answer all that it gets; the order in which it does so.
    fn serve_all(&mut self, replica: ReplicaId) -> Vec<CallId> {
        let mut order = Vec::new();
        while !self.has(replica).is_empty() {
            order.push(self.reply(replica, MILLI).0);
        }
        order
    }
}

fn demand(watermark: usize) -> Manner {
    Manner {
        watermark: Some(watermark),
        ..Manner::default()
    }
}

fn batch(batch: Batch) -> Manner {
    Manner {
        batch,
        ..Manner::default()
    }
}

fn shares(shares: &[u32]) -> Manner {
    Manner {
        shares: Some(shares.to_vec()),
        ..Manner::default()
    }
}

#[test]
fn on_demand_a_replica_has_n_calls_while_there_are_so_many_and_never_more() {
    for (n, service) in [(1, MILLI), (5, MILLI), (5, MICRO), (40, MICRO)] {
        let mut lab = ready_with(3, demand(n));
        lab.issue(1..=500);
        for _ in 0..400 {
            for replica in 1..=3 {
                let load = lab.has(replica).len();
                let waiting = lab.dispatcher.modules[0].queue.len();
                assert!(load == n || (load < n && waiting == 0), "{load} of {n}");
            }
            let busiest = (1..=3).max_by_key(|id| lab.has(*id).len()).unwrap();
            lab.reply(busiest, service);
        }
    }
}

#[test]
fn only_a_call_that_would_be_moved_is_heard_of_at_once() {
    let mut lab = ready_with(1, demand(8));
    let from = |lab: &Lab| lab.dispatcher.heeds().next().map(|heed| heed.demanded);
    lab.issue(1..=20);
    lab.reply(1, MILLI);
    assert_eq!(lab.has(1), [2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(from(&lab), Some(4), "2 has begun, 3 is next");
    lab.demand(6);
    assert_eq!(lab.has(1)[..4], [2, 6, 3, 4]);
    assert_eq!(from(&lab), Some(3));
    for _ in 0..100 {
        lab.dispatcher.replicas.get_mut(&1).unwrap().measure(MICRO);
    }
    lab.decide();
    assert_eq!(from(&lab), Some(CallId::MAX), "all will be done soon");
}

#[test]
fn where_priorities_count_all_that_is_waited_for_is_heard_of() {
    let mut lab = ready_with(1, demand(4));
    lab.issue_with([(1, 0.0), (2, 1.0), (3, 5.0), (4, 9.0), (5, 1.0)]);
    lab.reply(1, MILLI);
    let heed = lab.dispatcher.heeds().next().unwrap();
    assert_eq!(heed.demanded, 0);
}

#[test]
fn a_call_of_a_stricter_client_waits_until_a_replica_has_few_enough() {
    let mut lab = Lab::of(&[module(1, vec![demand(4), demand(1)])]);
    lab.make_ready(1);
    lab.issue(1..=3);
    lab.issued(Issue {
        manner: 1,
        ..Issue::plain(4, 0, true)
    });
    lab.issue(5..=6);
    assert_eq!(lab.has(1), [1, 2, 3]);
    for _ in 0..3 {
        lab.reply(1, MILLI);
    }
    assert_eq!(lab.has(1), [4, 5, 6]);
}

#[test]
fn an_idle_replica_gets_a_call_at_once_and_a_busy_one_full_frames() {
    let mut lab = ready_with(1, batch(Batch::Calls(4)));
    lab.issue([1]);
    assert_eq!(lab.frames(), [[1]]);
    lab.issue(2..=4);
    assert!(lab.frames().is_empty(), "it gathers");
    lab.issue(5..=20);
    assert_eq!(lab.frames(), [[2, 3, 4, 5]]);
    lab.reply(1, MICRO);
    assert_eq!(lab.frames(), [[6, 7, 8, 9]], "two are under way");
    lab.reply(1, MICRO);
    assert!(lab.frames().is_empty());
}

#[test]
fn what_is_left_goes_in_a_smaller_frame_when_the_replica_is_idle() {
    let mut lab = ready_with(1, batch(Batch::Calls(4)));
    lab.issue(1..=7);
    lab.taken();
    assert_eq!(lab.serve_all(1), [1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(lab.frames(), [[5, 6, 7]]);
}

#[test]
fn what_the_program_waits_for_does_not_wait_for_a_full_frame() {
    let mut lab = ready_with(1, batch(Batch::Calls(10)));
    lab.issue([1]);
    lab.issue(2..=3);
    assert_eq!(lab.frames(), [[1]]);
    lab.demand(3);
    assert_eq!(lab.frames(), [[3, 2]]);
}

#[test]
fn a_batch_never_exceeds_the_watermark() {
    for n in 1..=9 {
        let manner = Manner {
            watermark: Some(n),
            ..batch(Batch::Calls(6))
        };
        let mut lab = ready_with(1, manner);
        lab.issue(1..=100);
        assert_eq!(lab.serve_all(1).len(), 100);
        let frames = lab.frames();
        assert!(frames.iter().all(|calls| calls.len() <= n.min(6)), "{n}");
    }
}

#[test]
fn a_batch_of_bytes_is_as_many_calls_as_fit_and_one_at_least() {
    let mut lab = ready_with(1, batch(Batch::Bytes(100)));
    lab.issue_sized([1], 10);
    lab.issue_sized(2..=8, 40);
    assert_eq!(lab.frames(), [vec![1], vec![2, 3], vec![4, 5]]);
    lab.serve_all(1);
    lab.taken();
    lab.issue_sized([9], 500);
    assert_eq!(lab.frames(), [[9]]);
}

#[test]
fn idle_replicas_share_what_waits() {
    let mut lab = Lab::of(&[module(3, vec![batch(Batch::Calls(100))])]);
    lab.issue(1..=9);
    for replica in 1..=3 {
        lab.is_ready(replica);
    }
    lab.decide();
    assert_eq!(lab.frames(), [[1, 2, 3], [4, 5, 6], [7, 8, 9]]);
}

#[test]
fn with_shares_each_replica_gets_its_part_however_fast_it_is() {
    let mut lab = ready_with(3, shares(&[1, 1, 2]));
    lab.issue(1..=400);
    let first = lab.serve_all(1);
    assert!(first.len() == 100 && first.is_sorted(), "{first:?}");
    assert_eq!(lab.serve_all(3).len(), 200);
    assert_eq!(lab.serve_all(2).len(), 100);
    assert!(lab.dispatcher.calls.is_empty());
    lab.pass(10_000 * MILLI);
    let recalls = |action: &Action| matches!(action, Action::Recall { .. });
    assert!(!lab.taken().iter().any(recalls), "nothing is moved");
}

#[test]
fn what_was_assigned_to_a_replica_that_dies_goes_to_the_one_in_its_place() {
    let mut lab = ready_with(2, shares(&[1, 1]));
    lab.issue(1..=20);
    lab.die(1);
    lab.make_ready(3);
    let done: Vec<CallId> = lab.serve_all(3);
    assert!(done.len() >= 9, "its own, and what it may repeat: {done:?}");
    lab.serve_all(2);
    assert!(lab.dispatcher.calls.is_empty());
}

#[test]
fn without_replicas_to_come_others_take_over_what_was_assigned() {
    let mut lab = ready_with(2, shares(&[1, 1]));
    lab.issue(1..=20);
    lab.launcher_gone();
    lab.die(1);
    lab.serve_all(2);
    lab.issue(21..=30);
    lab.serve_all(2);
    assert!(lab.dispatcher.calls.is_empty());
}

#[test]
fn a_dropped_call_is_ended_for_what_is_assigned_behind_it() {
    let mut lab = ready_with(2, shares(&[1, 1]));
    lab.issue(1..=4);
    lab.dropped(1);
    lab.serve_all(2);
    lab.taken();
    lab.pass(60 * MILLI);
    for action in lab.taken() {
        if let Action::Recall { replica, calls } = action {
            lab.answer_recall(replica, &calls);
        }
    }
    assert_eq!(lab.kills(), [1]);
    lab.die(1);
    lab.make_ready(3);
    assert_eq!(lab.serve_all(3), [3]);
}

#[test]
fn larger_priorities_are_served_first_and_the_oldest_among_equals() {
    let mut lab = ready_with(1, demand(1));
    lab.issue_with([(1, 0.0)]);
    lab.issue_with([(2, 1.0), (3, 5.0), (4, 5.0), (5, -2.0)]);
    assert_eq!(lab.serve_all(1), [1, 3, 4, 2, 5], "the first had begun");
}

#[test]
fn priorities_are_kept_among_those_that_a_replica_has() {
    let mut lab = ready_with(1, demand(3));
    lab.issue_with([(1, 0.0)]);
    lab.issue_with([(2, 1.0), (3, 2.0)]);
    let line = &lab.dispatcher.replicas[&1].line;
    assert_eq!(line.first(), Some(1));
    assert!(line.behind().eq([3, 2]));
}

#[test]
fn what_the_program_waits_for_goes_before_any_priority() {
    let mut lab = ready_with(1, demand(1));
    lab.issue_with([(1, 0.0)]);
    lab.issue_with([(2, 9.0), (3, -1.0)]);
    lab.demand(3);
    assert_eq!(lab.serve_all(1), [1, 3, 2]);
}

#[test]
fn a_replica_is_told_which_of_its_calls_the_program_waits_for() {
    let mut lab = ready_with(1, demand(4));
    lab.issue_with([(1, 0.0)]);
    lab.issue_with([(2, 3.0), (3, 2.0), (4, 1.0)]);
    lab.taken();
    lab.demand(4);
    let hasten = |call| Action::Hasten { replica: 1, call };
    assert_eq!(lab.taken(), [hasten(4)]);
    lab.demand(1);
    lab.demand(2);
    assert_eq!(lab.taken(), [hasten(2)], "call 1 has begun");
}

fn bounded(bytes: usize) -> (Arc<Budget>, Manner) {
    let budget = Arc::new(Budget::new(1000, bytes));
    let manner = Manner {
        budget: Arc::clone(&budget),
        ..demand(2)
    };
    (budget, manner)
}

#[test]
fn calls_are_held_back_while_too_many_replies_wait() {
    let (budget, manner) = bounded(1000);
    let mut lab = ready_with(2, manner);
    lab.replays = false; // the budget is looked at
    lab.issue(1..=20);
    let mut answered = 0;
    while let Some(replica) = (1..=2).find(|id| !lab.has(*id).is_empty()) {
        let call = lab.at.get_mut(&replica).unwrap().remove(0);
        budget.keep(100);
        answered += 1;
        lab.replied(replica, call, MILLI, 100).unwrap();
        lab.decide();
    }
    assert!((5..=8).contains(&answered), "{answered} of 500 bytes");
    assert!(budget.release(200), "the dispatcher wants to know");
    lab.decide();
    assert!(!lab.has(1).is_empty() || !lab.has(2).is_empty());
}

#[test]
fn what_the_program_waits_for_is_never_held_back() {
    let (budget, manner) = bounded(1000);
    let mut lab = ready_with(1, manner);
    budget.keep(5000);
    lab.issue(1..=3);
    assert!(lab.has(1).is_empty());
    lab.demand(2);
    assert_eq!(lab.has(1), [2]);
}

#[test]
fn lanes_are_held_back_too_and_go_on() {
    let (budget, manner) = bounded(1000);
    let shares = Some(vec![1, 1]);
    let mut lab = ready_with(2, Manner { shares, ..manner });
    lab.replays = false; // the budget is looked at
    budget.keep(5000);
    lab.issue(1..=4);
    assert!(lab.has(1).is_empty() && lab.has(2).is_empty());
    lab.demand(2);
    assert_eq!(lab.has(2), [2]);
    budget.release(5000);
    lab.decide();
    assert_eq!((lab.has(1), lab.has(2)), (&[1, 3][..], &[2, 4][..]));
}

/// A decision looks at the calls that it moves, not at those that wait or at all replicas.
#[test]
fn nothing_is_kept_of_calls_that_were_assigned() {
    let mut lab = ready_with(4, shares(&[1, 2, 3, 4]));
    for call in 1..=1000 {
        lab.issue([call]);
        let replica = (1..=4).find(|id| !lab.has(*id).is_empty()).unwrap();
        lab.reply(replica, MICRO);
        lab.taken();
    }
    let module = &lab.dispatcher.modules[0];
    assert!(lab.dispatcher.calls.is_empty() && module.queue.is_empty());
    assert!(module.held.is_empty() && module.styles[0].sent == 0);
}
