//! The policy tried out with simulated replicas and a clock that is moved by hand.

use super::replica::Phase;
use super::staff::END_WAIT;
use super::*;

/// A dispatcher with replicas that do what the test says.
pub(super) struct Lab {
    pub(super) dispatcher: Dispatcher,
    pub(super) now: Nanos,
    /// Every action since the last [`Lab::taken`].
    seen: Vec<Action>,
    /// What each replica has, in order.
    pub(super) at: IdMap<ReplicaId, Vec<CallId>>,
    launched: Vec<ReplicaId>,
}

impl Lab {
    /// Modules with so many replicas each; all launched, none ready.
    pub(super) fn new(replicas: &[u32]) -> Lab {
        let mut lab = Lab {
            dispatcher: Dispatcher::new(replicas.iter().copied()),
            now: 0,
            seen: Vec::new(),
            at: IdMap::default(),
            launched: Vec::new(),
        };
        lab.decide();
        lab
    }

    /// One module whose replicas are ready.
    pub(super) fn ready(replicas: u32) -> Lab {
        let mut lab = Lab::new(&[replicas]);
        for replica in lab.launched.clone() {
            lab.make_ready(replica);
        }
        lab.taken();
        lab
    }

    pub(super) fn make_ready(&mut self, replica: ReplicaId) {
        self.dispatcher.started(replica, 1000 + replica);
        self.dispatcher.ready(self.now, replica, 1000 + replica);
        self.decide();
    }

    pub(super) fn issue(&mut self, calls: impl IntoIterator<Item = CallId>) {
        for call in calls {
            self.dispatcher.issued(call, 0, true);
        }
        self.decide();
    }

    pub(super) fn decide(&mut self) {
        let mut actions = Vec::new();
        self.dispatcher.decide(self.now, &mut actions);
        for action in actions {
            match &action {
                Action::Launch { replica, .. } => self.launched.push(*replica),
                Action::Send { replica, calls } => {
                    let at = self.at.entry(*replica).or_default();
                    at.extend(calls);
                    let most = self.dispatcher.replicas[replica].watermark();
                    assert!(
                        at.len() <= most,
                        "{} calls at a watermark of {most}",
                        at.len()
                    );
                }
                _ => {}
            }
            self.seen.push(action);
        }
    }

    pub(super) fn pass(&mut self, time: Nanos) {
        self.now += time;
        self.decide();
    }

    /// The replica answers its first call.
    pub(super) fn reply(&mut self, replica: ReplicaId, service: Nanos) -> (CallId, Delivery) {
        let call = self.at.get_mut(&replica).unwrap().remove(0);
        let delivery = self.dispatcher.replied(replica, call, service).unwrap();
        self.decide();
        (call, delivery)
    }

    /// The replica answers a recall of `calls`, of which it has begun only its first.
    pub(super) fn answer_recall(&mut self, replica: ReplicaId, calls: &[CallId]) {
        let at = self.at.get_mut(&replica).unwrap();
        let returned: Vec<CallId> = at[1..]
            .iter()
            .copied()
            .filter(|call| calls.contains(call))
            .collect();
        at.retain(|call| !returned.contains(call));
        self.dispatcher.returned(replica, &returned).unwrap();
        self.decide();
    }

    pub(super) fn die(&mut self, replica: ReplicaId) {
        self.at.remove(&replica);
        self.dispatcher.link_closed(self.now, replica);
        self.dispatcher.exited(self.now, replica, Some(9));
        self.decide();
    }

    pub(super) fn has(&self, replica: ReplicaId) -> &[CallId] {
        self.at.get(&replica).map_or(&[], |calls| calls)
    }

    pub(super) fn taken(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.seen)
    }

    fn kills(&self) -> Vec<u32> {
        let pid = |action: &Action| match action {
            Action::Kill { pid } => Some(*pid),
            _ => None,
        };
        self.seen.iter().filter_map(pid).collect()
    }
}

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
    lab.dispatcher.demanded(5);
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
    lab.dispatcher.demanded(4);
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
    lab.issue(1..=1000);
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
    lab.dispatcher.dropped(3);
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
    lab.dispatcher.dropped(2);
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
    lab.dispatcher.dropped(1);
    lab.decide();
    assert_eq!(lab.reply(1, MILLI), (1, Delivery::Discard));
    assert!(lab.dispatcher.calls.is_empty());
}

#[test]
fn a_dropped_running_call_is_let_be_while_its_replica_is_not_needed() {
    let mut lab = Lab::ready(2);
    lab.issue([1]);
    lab.dispatcher.dropped(1);
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
        lab.dispatcher.dropped(1);
        lab.issue([3]);
        if demanded {
            lab.dispatcher.demanded(3);
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
        assert_eq!(lab.kills(), [1001]);
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
    lab.dispatcher.dropped(1);
    lab.issue([2]);
    lab.dispatcher.demanded(2);
    lab.pass(2999 * MILLI);
    assert!(lab.kills().is_empty());
    lab.pass(MILLI);
    assert_eq!(lab.kills(), [1001]);
}

#[test]
fn an_impure_call_is_never_ended() {
    let mut lab = Lab::ready(1);
    lab.dispatcher.issued(1, 0, false);
    lab.decide();
    lab.dispatcher.dropped(1);
    lab.issue([2]);
    lab.dispatcher.demanded(2);
    lab.pass(60_000 * MILLI);
    assert!(lab.kills().is_empty());
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
        replica: 3
    }));
    lab.make_ready(3);
    assert_eq!(lab.has(3), [1], "suspects go alone, the oldest first");
    lab.reply(3, MILLI);
    assert_eq!(lab.has(3), [3]);
    lab.reply(3, MILLI);
    assert_eq!(lab.has(3), [5, 6]);
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
            if let Action::Lose { call, loss } = action {
                lost.push((call, loss.tries, loss.may_have_run));
            }
        }
    }
    assert_eq!(lost, [(2, 3, true)]);
    assert_eq!(done, [1, 3, 4]);
}

#[test]
fn an_impure_call_is_never_sent_twice_but_one_never_sent_waits() {
    let mut lab = Lab::ready(1);
    for call in 1..=3 {
        lab.dispatcher.issued(call, 0, false);
    }
    lab.decide();
    assert_eq!(lab.has(1), [1, 2]);
    lab.taken();
    lab.die(1);
    let loss = Loss {
        pid: 1001,
        status: Some(9),
        tries: 1,
        may_have_run: true,
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
    lab.dispatcher.issued(1, 0, false);
    lab.decide();
    lab.taken();
    lab.dispatcher.link_closed(lab.now, 1);
    lab.decide();
    assert_eq!(lab.taken(), []);
    assert_eq!(lab.dispatcher.timer(), Some(lab.now + END_WAIT));
    lab.now += END_WAIT;
    lab.decide();
    assert_eq!(lab.kills(), [1001], "it lives on without its link");
    let loss = Loss {
        pid: 1001,
        status: None,
        tries: 1,
        may_have_run: true,
    };
    assert!(lab.taken().contains(&Action::Lose { call: 1, loss }));
}

#[test]
fn replies_that_were_sent_before_the_end_count() {
    let mut lab = Lab::ready(1);
    lab.issue([1]);
    lab.dispatcher.exited(lab.now, 1, Some(0));
    lab.decide();
    assert_eq!(lab.reply(1, MILLI), (1, Delivery::Deliver));
}

#[test]
fn a_module_that_cannot_be_loaded_refuses_what_waits_and_what_comes() {
    let mut lab = Lab::new(&[2]);
    lab.issue([1]);
    lab.taken();
    assert_eq!(lab.dispatcher.init_failed(1), Some(0));
    lab.issue([2]);
    let refused = |call| Action::Refuse { call, module: 0 };
    assert_eq!(lab.taken(), [refused(1), refused(2)]);
    lab.die(1);
    assert_eq!(lab.launched, [1, 2], "it is not tried again");
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
        pid: 0,
        status: Some(9),
        tries: 0,
        may_have_run: false,
    };
    assert!(lab.taken().contains(&Action::Lose { call: 1, loss }));
    lab.issue([2]);
    assert_eq!(lab.taken(), [Action::Lose { call: 2, loss }]);
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
    lab.dispatcher.engine_gone();
    lab.die(1);
    assert_eq!(lab.launched, [1, 2]);
    lab.taken();
    lab.die(2);
    let lost = lab
        .taken()
        .iter()
        .filter(|action| matches!(action, Action::Lose { .. }))
        .count();
    assert_eq!(lost, 6);
    assert!(lab.dispatcher.calls.is_empty());
}

#[test]
fn an_answer_to_a_call_that_the_replica_does_not_have_is_a_violation() {
    let mut lab = Lab::ready(2);
    lab.issue([1]);
    assert_eq!(lab.dispatcher.replied(2, 1, 0), Err(Violation(1)));
    assert_eq!(lab.dispatcher.returned(1, &[7]), Err(Violation(7)));
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
fn a_module_that_is_loaded_once_more_gets_calls_when_it_is_ready_again() {
    let mut lab = Lab::ready(2);
    lab.pass(MILLI);
    lab.dispatcher.loading(lab.now, 0);
    lab.issue([1, 2]);
    assert!(lab.has(1).is_empty() && lab.has(2).is_empty());
    lab.make_ready(2);
    assert_eq!(lab.has(2), [1, 2]);
}

#[test]
fn a_module_that_could_not_be_loaded_may_be_at_the_next_attempt() {
    let mut lab = Lab::new(&[1]);
    lab.dispatcher.init_failed(1);
    lab.issue([1]);
    assert!(lab.taken().contains(&Action::Refuse { call: 1, module: 0 }));
    lab.dispatcher.loading(lab.now, 0);
    lab.issue([2]);
    assert!(lab.taken().is_empty());
    lab.make_ready(1);
    assert_eq!(lab.has(1), [2]);
}

#[test]
fn waiting_for_the_order_to_load_is_no_time_that_a_start_takes() {
    let mut lab = Lab::new(&[1]);
    lab.pass(10_000 * MILLI);
    lab.dispatcher.loading(lab.now, 0);
    lab.pass(3 * MILLI);
    lab.make_ready(1);
    assert_eq!(lab.dispatcher.replicas[&1].start_time, 3 * MILLI);
}
