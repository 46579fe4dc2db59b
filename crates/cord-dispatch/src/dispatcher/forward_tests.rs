//! Chains of calls: values stay at replicas, and go from one to another.

use super::dice::Dice;
use super::lab::Lab;
use super::*;
use crate::life::State;
use cord_wire::loss::Cause;

/// A call whose value is kept, given the values of others.
fn keeping(call: CallId, needs: &[CallId]) -> Issue {
    Issue {
        keeps: true,
        ..needing(call, needs)
    }
}

/// A call that is given the values of others.
fn needing(call: CallId, needs: &[CallId]) -> Issue {
    Issue {
        needs: needs.to_vec(),
        ..Issue::plain(call, 0, true)
    }
}

fn impure(issue: Issue) -> Issue {
    Issue {
        effects: Effects::Independent,
        ..issue
    }
}

impl Lab {
    fn chain(&mut self, issues: impl IntoIterator<Item = Issue>) {
        for issue in issues {
            self.issued(issue);
        }
        self.decide();
    }

    /// The replica answers its first call, whose value stays there.
    fn keep(&mut self, replica: ReplicaId) -> CallId {
        self.keep_at(replica, true).0
    }

    fn keep_at(&mut self, replica: ReplicaId, at_home: bool) -> (CallId, Delivery) {
        let call = self.at.get_mut(&replica).unwrap().remove(0);
        let kept = self.kept(replica, call, MILLI, 8, at_home);
        self.decide();
        (call, kept.unwrap())
    }

    /// The replica cannot run these: a value does not come.
    fn give_up(&mut self, replica: ReplicaId, call: CallId) {
        let at = self.at.get_mut(&replica).unwrap();
        at.retain(|other| *other != call);
        self.unmet(replica, &[call]).unwrap();
        self.decide();
    }

    fn where_is(&self, call: CallId) -> Option<ReplicaId> {
        let holds = |(_, calls): &(&ReplicaId, &Vec<CallId>)| calls.contains(&call);
        self.at.iter().find(holds).map(|(replica, _)| *replica)
    }

    fn state(&self, call: CallId) -> Option<State> {
        let call = self.dispatcher.calls.get(&call)?;
        Some(call.life.state())
    }

    fn released(&mut self) -> Vec<(CallId, Vec<ReplicaId>)> {
        let mut found = Vec::new();
        for action in self.taken() {
            if let Action::Release { call, mut replicas } = action {
                replicas.sort_unstable();
                found.push((call, replicas));
            }
        }
        found
    }
}

#[test]
fn a_call_waits_for_what_it_needs_and_hears_where_it_is() {
    let mut lab = Lab::ready(2);
    lab.chain([keeping(1, &[]), needing(2, &[1])]);
    assert_eq!((lab.where_is(1), lab.where_is(2)), (Some(1), None));
    assert_eq!(lab.state(2), Some(State::Awaiting));
    lab.issue([3]); // takes the other replica
    assert_eq!(lab.keep(1), 1);
    assert_eq!(lab.state(1), Some(State::Kept));
    assert!(lab.where_is(2).is_some());
    assert_eq!(lab.dispatcher.needs_of(2), [(1, Some(1))]);
}

#[test]
fn a_value_is_released_once_it_was_let_go_and_nobody_needs_it() {
    let mut lab = Lab::ready(2);
    lab.chain([keeping(1, &[]), needing(2, &[1])]);
    lab.keep(1);
    lab.taken();
    let at = lab.where_is(2).unwrap();
    lab.let_go(1);
    assert_eq!(lab.state(1), Some(State::Kept), "2 needs it");
    lab.reply(at, MILLI);
    let mut told = vec![1, at];
    told.dedup();
    assert_eq!(lab.released(), [(1, told)]);
    assert!(lab.dispatcher.calls.is_empty());
}

#[test]
fn a_value_that_may_still_be_passed_on_stays() {
    let mut lab = Lab::ready(1);
    lab.chain([keeping(1, &[]), needing(2, &[1])]);
    lab.keep(1);
    lab.reply(1, MILLI);
    assert!(lab.released().is_empty());
    lab.chain([needing(3, &[1])]);
    lab.reply(1, MILLI);
    lab.let_go(1);
    lab.decide();
    assert_eq!(lab.released(), [(1, vec![1])]);
}

#[test]
fn several_calls_get_one_value_each_where_it_is() {
    let mut lab = Lab::ready(4);
    lab.chain([
        keeping(1, &[]),
        needing(2, &[1]),
        needing(3, &[1]),
        needing(4, &[1]),
    ]);
    lab.keep(1);
    lab.taken();
    let mut places: Vec<ReplicaId> = (2..5).map(|call| lab.where_is(call).unwrap()).collect();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 3, "they run at once");
    for place in &places {
        lab.reply(*place, MILLI);
    }
    lab.let_go(1);
    lab.decide();
    if !places.contains(&1) {
        places.insert(0, 1);
    }
    assert_eq!(lab.released(), [(1, places)]);
}

#[test]
fn a_value_that_came_to_the_client_has_no_home() {
    let mut lab = Lab::ready(1);
    lab.chain([keeping(1, &[]), needing(2, &[1])]);
    lab.keep_at(1, false);
    assert_eq!(lab.dispatcher.needs_of(2), [(1, None)]);
    lab.die(1); // the value is not lost with it
    assert_eq!(lab.state(1), Some(State::Kept));
}

#[test]
fn a_call_whose_argument_raised_is_never_made() {
    let mut lab = Lab::ready(2);
    lab.chain([keeping(1, &[]), keeping(2, &[1]), needing(3, &[2])]);
    lab.taken();
    lab.reply(1, MILLI); // an exception, or a value that cannot be passed on
    let lost: Vec<CallId> = lab.taken().iter().filter_map(lost_for_value).collect();
    assert_eq!(lost, [3, 2]);
    assert!(lab.dispatcher.calls.is_empty());
    lab.chain([needing(4, &[1])]);
    assert_eq!(lab.taken().iter().find_map(lost_for_value), Some(4));
}

fn lost_for_value(action: &Action) -> Option<CallId> {
    match action {
        Action::Lose { call, loss } if loss.cause == Cause::Value && !loss.may_have_run => {
            Some(*call)
        }
        _ => None,
    }
}

#[test]
fn a_chain_is_made_again_from_its_start() {
    let mut lab = Lab::ready(2);
    lab.chain([keeping(1, &[]), keeping(2, &[1]), needing(3, &[2])]);
    lab.keep(1);
    let second = lab.where_is(2).unwrap();
    lab.keep(second);
    let third = lab.where_is(3).unwrap();
    lab.issue([4, 5, 6]);
    for replica in [1, 2] {
        if lab.dispatcher.replicas.contains_key(&replica) {
            lab.die(replica);
        }
    }
    assert_eq!(lab.state(1), Some(State::Retried));
    assert_eq!(
        (lab.state(2), lab.state(3)),
        (Some(State::Awaiting), Some(State::Awaiting))
    );
    let fresh: Vec<ReplicaId> = lab.launched.iter().copied().filter(|id| *id > 2).collect();
    assert!(third <= 2 && fresh.len() == 2);
    for replica in &fresh {
        lab.make_ready(*replica);
    }
    let mut order = Vec::new();
    while !lab.at.values().all(Vec::is_empty) {
        let busy = lab.at.iter().filter(|(_, at)| !at.is_empty());
        let replica = busy.map(|(id, _)| *id).min().unwrap();
        order.push(if lab.has(replica)[0] < 3 {
            lab.keep(replica)
        } else {
            lab.reply(replica, MILLI).0
        });
    }
    order.retain(|call| *call <= 3);
    assert_eq!(order, [1, 2, 3]);
}

#[test]
fn a_call_that_waits_at_a_replica_for_a_lost_value_comes_back() {
    let mut lab = Lab::ready(2);
    lab.chain([keeping(1, &[])]);
    lab.keep(1);
    lab.issue([7]); // keeps the first busy
    lab.chain([needing(2, &[1])]);
    let at = lab.where_is(2).unwrap();
    assert_eq!(at, 2);
    lab.die(1);
    assert_eq!(lab.state(2), Some(State::Running), "as far as is known");
    lab.give_up(2, 2);
    assert_eq!(lab.state(2), Some(State::Awaiting));
    assert_eq!(lab.reply(2, MILLI).0, 7); // alone, as its replica died
    assert_eq!(lab.where_is(1), Some(2), "it is made again");
    lab.keep(2);
    assert_eq!(lab.dispatcher.needs_of(2), [(1, Some(2))]);
    assert_eq!(lab.where_is(2), Some(2));
}

#[test]
fn the_value_of_an_impure_call_is_lost_with_its_replica() {
    let mut lab = Lab::ready(1);
    lab.chain([impure(keeping(1, &[]))]);
    lab.keep(1);
    lab.taken();
    lab.die(1);
    assert_eq!(lab.state(1), Some(State::Lost));
    lab.chain([needing(2, &[1])]);
    let lost = lab.taken().into_iter().find_map(|action| match action {
        Action::Lose { call: 2, loss } => Some(loss),
        _ => None,
    });
    let lost = lost.unwrap();
    assert!(lost.cause == Cause::Value && !lost.may_have_run);
    assert_eq!(lost.replica, 1);
    lab.let_go(1);
    assert!(lab.dispatcher.calls.is_empty());
}

#[test]
fn what_is_dropped_while_it_waits_needs_nothing() {
    let mut lab = Lab::ready(1);
    lab.chain([keeping(1, &[]), needing(2, &[1])]);
    lab.dropped(2);
    lab.dropped(1);
    lab.let_go(1);
    lab.decide();
    lab.taken();
    let (_, delivery) = lab.keep_at(1, true);
    assert_eq!(delivery, Delivery::Discard);
    assert_eq!(lab.released(), [(1, vec![1])]);
    assert!(lab.dispatcher.calls.is_empty());
}

/// Random chains at replicas that die.
struct Chains {
    lab: Lab,
    dice: Dice,
    pure: Vec<bool>,
    /// What the program holds and may pass on.
    held: Vec<CallId>,
    ends: Vec<u32>,
    sent: Vec<u32>,
}

impl Chains {
    fn issue(&mut self) {
        let call = self.pure.len() as CallId;
        let pure_call = self.dice.below(5) > 0;
        let mut needs = Vec::new();
        for _ in 0..self.dice.below(3) {
            if !self.held.is_empty() {
                let at = self.dice.below(self.held.len() as u64) as usize;
                needs.push(self.held[at]);
            }
        }
        needs.dedup();
        let keeps = self.dice.below(3) > 0;
        self.pure.push(pure_call);
        self.ends.push(0);
        self.sent.push(0);
        if keeps {
            self.held.push(call);
        }
        self.lab.issued(Issue {
            keeps,
            needs,
            ..Issue::plain(call, 0, pure_call)
        });
    }

    fn let_go(&mut self) {
        if !self.held.is_empty() {
            let at = self.dice.below(self.held.len() as u64) as usize;
            let call = self.held.swap_remove(at);
            self.lab.let_go(call);
        }
    }

    fn reply(&mut self) {
        let busy = self.lab.at.iter().filter(|(_, at)| !at.is_empty());
        let Some(replica) = busy.map(|(id, _)| *id).min() else {
            return;
        };
        let call = self.lab.has(replica)[0];
        let needs = self.lab.dispatcher.needs_of(call);
        let dead = |home: &Option<ReplicaId>| home.is_some_and(|id| !self.lives(id));
        if needs
            .iter()
            .any(|(need, home)| self.is_missing(*need) || dead(home))
        {
            self.sent[call as usize] -= 1;
            return self.lab.give_up(replica, call);
        }
        let part = self.lab.dispatcher.calls[&call].part.as_ref();
        let keeps = part.is_some_and(|_| self.held.contains(&call)) && self.dice.below(8) > 0;
        self.ends[call as usize] += 1;
        if keeps {
            let at_home = self.dice.below(3) > 0;
            self.lab.keep_at(replica, at_home);
        } else {
            self.lab.reply(replica, MILLI);
        }
    }

    fn lives(&self, id: ReplicaId) -> bool {
        self.lab.dispatcher.replicas.contains_key(&id)
    }

    fn is_missing(&self, call: CallId) -> bool {
        self.lab.state(call) != Some(State::Kept)
    }

    fn die(&mut self) {
        let ready = self.lab.dispatcher.replicas.iter();
        let ready = ready.filter(|(_, replica)| replica.phase == replica::Phase::Ready);
        if let Some(replica) = ready.map(|(id, _)| *id).max() {
            self.lab.die(replica);
        }
    }

    fn look(&mut self) {
        for replica in self.lab.launched.clone() {
            let known = self.lab.dispatcher.replicas.get(&replica);
            if known.is_some_and(|replica| replica.phase == replica::Phase::Starting) {
                self.lab.make_ready(replica);
            }
        }
        for action in self.lab.taken() {
            match action {
                Action::Send { calls, .. } => {
                    for call in calls {
                        self.sent[call as usize] += 1;
                    }
                }
                Action::Lose { call, loss } => {
                    assert!(loss.cause == Cause::Value || loss.may_have_run);
                    self.ends[call as usize] += 1;
                }
                Action::Poison { call, .. } => self.ends[call as usize] += 1,
                Action::Recall { replica, calls } if !self.lab.has(replica).is_empty() => {
                    for call in self.lab.has(replica)[1..].iter().copied() {
                        if calls.contains(&call) {
                            self.sent[call as usize] -= 1;
                        }
                    }
                    self.lab.answer_recall(replica, &calls);
                }
                Action::Recall { replica, .. } if self.lives(replica) => {
                    self.lab.returned(replica, &[]).unwrap();
                }
                _ => {}
            }
        }
    }
}

#[test]
fn whatever_happens_every_value_is_let_go_and_nothing_impure_runs_twice() {
    for seed in 0..60 {
        let mut chains = Chains {
            lab: Lab::ready(1 + (seed % 4) as u32),
            dice: Dice(seed),
            pure: Vec::new(),
            held: Vec::new(),
            ends: Vec::new(),
            sent: Vec::new(),
        };
        for _ in 0..2000 {
            chains.lab.now += chains.dice.below(3 * MILLI);
            match chains.dice.below(100) {
                0..=34 => chains.issue(),
                35..=49 => chains.let_go(),
                50..=97 => chains.reply(),
                _ => chains.die(),
            }
            chains.lab.decide();
            chains.look();
        }
        while !chains.held.is_empty() {
            chains.let_go();
        }
        for _ in 0..100_000 {
            if chains.lab.dispatcher.calls.is_empty() {
                break;
            }
            chains.lab.now += MILLI;
            chains.reply();
            chains.lab.decide();
            chains.look();
        }
        assert!(chains.lab.dispatcher.calls.is_empty(), "seed {seed}");
        for (call, ends) in chains.ends.iter().enumerate() {
            assert!(*ends > 0, "call {call} of seed {seed}");
            assert!(
                chains.pure[call] || chains.sent[call] <= 1,
                "call {call} of seed {seed} ran twice"
            );
        }
        let mut replicas = chains.lab.dispatcher.replicas.values();
        assert!(
            replicas.all(|replica| replica.values.is_empty()),
            "seed {seed}"
        );
        let module = &chains.lab.dispatcher.modules[0];
        assert!(module.queue.is_empty());
    }
}
