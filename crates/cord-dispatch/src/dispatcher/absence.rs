//! Replicas of which nothing is heard for now, though they may well go on: the link to their node is cut. They
//! get no calls, and what they have of pure calls is made elsewhere at once: whoever answers first has the
//! call. What else they have waits until they are back, or lost.

use std::sync::Arc;

use super::hedging::{is_alone, is_copy};
use super::tended::Tended;
use super::{CallId, Dispatcher, Nanos, ReplicaId};

/// Long ago.
const AT_ONCE: Nanos = 0;

impl Dispatcher {
    pub(super) fn away(&mut self, id: ReplicaId, is_away: bool) {
        let Some(replica) = self.replicas.get_mut(&id) else {
            return;
        };
        replica.is_away = is_away;
        let line = replica
            .line
            .first()
            .into_iter()
            .chain(replica.line.behind());
        let besides = replica.inner.iter().chain(&replica.departing);
        let calls: Vec<CallId> = line.chain(besides.copied()).collect();
        self.soil(id);
        if !is_away {
            return;
        }
        self.tends = true;
        for call in calls {
            match is_copy(call) {
                true => self.give_up_copy(id, call),
                false => self.copy_elsewhere(call),
            }
        }
    }

    /// A copy is where nothing is heard of either: there may be another one.
    fn give_up_copy(&mut self, id: ReplicaId, copy: CallId) {
        if let Some(replica) = self.replicas.get_mut(&id) {
            replica.line.remove(copy);
            replica.strays.insert(copy); // it may answer when it is back
        }
        self.lose_copy(copy);
    }

    /// A call has a copy as soon as there is a place for one, if it is at a replica that is away.
    pub(super) fn copy_elsewhere(&mut self, id: CallId) {
        let there = self.calls.get_mut(&id).filter(|call| is_alone(call));
        let Some((call, at)) = there.and_then(|call| call.at.map(|at| (call, at))) else {
            return;
        };
        if self.replicas.get(&at).is_some_and(|one| one.is_away) {
            call.tended
                .get_or_insert_with(|| Tended::new(&Arc::default()));
            self.watch_until(id, Some(AT_ONCE));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::hedging::original;
    use super::super::lab::{sent, Lab};
    use super::super::{Action, Delivery, Issue, MILLI};
    use super::*;

    fn goes(lab: &mut Lab, replica: ReplicaId, is_away: bool) {
        lab.goes(replica, is_away);
        lab.decide();
    }

    /// Two replicas with a call each, of which the first is away: the other has a copy of its call.
    fn copied() -> (Lab, CallId) {
        let mut lab = Lab::ready(2);
        lab.issue([1, 2]);
        assert_eq!(sent(&lab.taken()), [(1, vec![1]), (2, vec![2])]);
        goes(&mut lab, 1, true);
        let copies = sent(&lab.taken());
        let copy = copies[0].1[0];
        assert!(is_copy(copy) && original(copy) == 1);
        assert_eq!(copies, [(2, vec![copy])]);
        (lab, copy)
    }

    #[test]
    fn pure_calls_of_a_replica_that_is_away_are_made_elsewhere() {
        let (mut lab, copy) = copied();
        lab.issue([3]);
        assert_eq!(lab.has(1), [1], "it gets no call");
        assert_eq!(lab.reply(2, MILLI), (2, Delivery::Deliver));
        assert_eq!(lab.reply(2, MILLI), (copy, Delivery::Deliver));
        assert_eq!(lab.reply(2, MILLI), (3, Delivery::Deliver));
        goes(&mut lab, 1, false);
        assert_eq!(lab.reply(1, MILLI), (1, Delivery::Discard));
        assert!(lab.dispatcher.is_at_rest());
    }

    #[test]
    fn a_copy_that_comes_to_nothing_is_made_once_more() {
        for how in [Lab::die, hands_back] {
            let mut lab = Lab::ready(3);
            lab.issue([1]);
            goes(&mut lab, 1, true);
            let (first, copies) = sent(&lab.taken())[1].clone();
            how(&mut lab, first);
            lab.decide();
            let again = sent(&lab.taken());
            assert!(matches!(&again[..], [(1..=3, again)] if *again == copies));
        }
    }

    fn hands_back(lab: &mut Lab, replica: ReplicaId) {
        let calls = lab.has(replica).to_vec();
        lab.unread(replica, &calls);
    }

    #[test]
    fn one_that_is_back_before_has_the_call() {
        let (mut lab, copy) = copied();
        goes(&mut lab, 1, false);
        assert_eq!(lab.reply(1, MILLI), (1, Delivery::Deliver));
        assert_eq!(lab.reply(2, MILLI), (2, Delivery::Deliver));
        assert_eq!(lab.reply(2, MILLI), (copy, Delivery::Discard));
        assert!(lab.dispatcher.is_at_rest());
    }

    #[test]
    fn one_that_is_lost_in_the_end_changes_nothing() {
        let (mut lab, copy) = copied();
        lab.die(1);
        assert_eq!(lab.reply(2, MILLI), (2, Delivery::Deliver));
        assert_eq!(lab.reply(2, MILLI), (copy, Delivery::Deliver));
        assert!(lab.taken().contains(&Action::Forget { call: 1 }));
    }

    #[test]
    fn a_copy_whose_replica_is_away_too_is_made_once_more() {
        let mut lab = Lab::ready(3);
        lab.issue([1]);
        goes(&mut lab, 1, true);
        let copy = lab.has(2)[0];
        goes(&mut lab, 2, true);
        assert_eq!(lab.has(3), [copy]);
        goes(&mut lab, 2, false);
        assert_eq!(lab.reply(2, MILLI), (copy, Delivery::Discard));
        assert_eq!(lab.reply(3, MILLI), (copy, Delivery::Deliver));
        goes(&mut lab, 1, false);
        assert_eq!(lab.reply(1, MILLI), (1, Delivery::Discard));
        assert!(lab.dispatcher.is_at_rest());
    }

    #[test]
    fn calls_with_effects_wait_for_it() {
        let mut lab = Lab::ready(2);
        lab.issued(Issue::plain(1, 0, false));
        lab.decide();
        let there = sent(&lab.taken())[0].0;
        goes(&mut lab, there, true);
        assert_eq!(sent(&lab.taken()), []);
        goes(&mut lab, there, false);
        assert_eq!(lab.reply(there, MILLI), (1, Delivery::Deliver));
    }

    #[test]
    fn where_all_are_away_calls_wait_for_the_first_that_is_back() {
        let mut lab = Lab::ready(2);
        lab.issue([1]);
        goes(&mut lab, 1, true);
        let copy = lab.has(2)[0];
        assert_eq!(lab.reply(2, MILLI), (copy, Delivery::Deliver));
        goes(&mut lab, 2, true);
        lab.issue([2]);
        assert_eq!(lab.has(2), [] as [CallId; 0]);
        goes(&mut lab, 2, false);
        assert_eq!(lab.has(2), [2]);
    }
}
