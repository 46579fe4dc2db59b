//! Migration: replicas pass calls that they have not begun to one another.
//!
//! - *Transfer*, when: a replica's load (the calls that it has, begun or not, without those that
//!   are leaving, with those that are coming) meets the condition of a link: too much at its sender,
//!   or too little at its receiver.
//! - *Location*, where to: the other end of the link; with all linked to all, the least loaded for
//!   a sender, the most loaded for a receiver.
//! - *Selection*, which: a share of what waits there, those that would be served last; never what
//!   the program waits for. They keep their order.
//!
//! No move makes the receiver more loaded than the sender is then. So each makes the loads more
//! even, and calls do not go round for ever. A replica passes one lot on at a time, and none while
//! calls are asked back from it: they might be the same.

use std::collections::BTreeSet;

use super::lanes::Slot;
use super::replica::Replica;
use super::{Action, CallId, Dispatcher, Loss, Nanos, ReplicaId, Violation};
use crate::life::State;
use crate::migration::{Load, Migration, Rule, Share, Trigger};

/// Which links there are, and which replicas have changed.
#[derive(Debug, Clone)]
pub struct Balance {
    links: Links,
    touched: BTreeSet<Slot>,
}

#[derive(Debug, Clone)]
enum Links {
    /// By slot: the rules that concern it.
    Drawn(Vec<Vec<Rule>>),
    Full(Full),
}

/// All to all. Replicas are kept by load, so that a decision does not look at all of them.
#[derive(Debug, Clone)]
struct Full {
    overload: Option<Load>,
    underload: Option<Load>,
    share: Share,
    by_load: BTreeSet<(usize, Slot)>,
    loads: Vec<Option<usize>>,
    /// Those that would receive, were there something to be had.
    under: BTreeSet<(usize, Slot)>,
}

impl Balance {
    /// For so many replicas.
    pub fn new(migration: &Migration, replicas: u32) -> Balance {
        let links = match migration {
            Migration::Links(rules) => {
                let mut drawn = vec![Vec::new(); replicas as usize];
                for rule in rules {
                    drawn[rule.from as usize].push(*rule);
                    drawn[rule.to as usize].push(*rule);
                }
                Links::Drawn(drawn)
            }
            Migration::Full {
                overload,
                underload,
                share,
            } => Links::Full(Full {
                overload: *overload,
                underload: *underload,
                share: *share,
                by_load: BTreeSet::new(),
                loads: vec![None; replicas as usize],
                under: BTreeSet::new(),
            }),
        };
        Balance {
            links,
            touched: BTreeSet::new(),
        }
    }

    /// The replica's load has changed, or it serves now, or (none) it does not any more.
    pub fn touch(&mut self, slot: Slot, load: Option<usize>) {
        if load.is_some() {
            self.touched.insert(slot);
        }
        if let Links::Full(full) = &mut self.links {
            full.file(slot, load);
        }
    }
}

impl Full {
    fn file(&mut self, slot: Slot, load: Option<usize>) {
        if let Some(before) = std::mem::replace(&mut self.loads[slot as usize], load) {
            self.by_load.remove(&(before, slot));
            self.under.remove(&(before, slot));
        }
        if let Some(load) = load {
            self.by_load.insert((load, slot));
            if self.underload.is_some_and(|under| under.holds(load)) {
                self.under.insert((load, slot));
            }
        }
    }

    /// What might move now that this replica has changed.
    fn rules_of(&self, slot: Slot) -> Vec<Rule> {
        let rule = |from: Slot, to: Slot, trigger| Rule {
            from,
            to,
            trigger,
            share: self.share,
        };
        let mut rules = Vec::new();
        if let Some(overload) = self.overload {
            let least = self.by_load.iter().map(|(_, other)| *other);
            if let Some(to) = least.into_iter().find(|other| *other != slot) {
                rules.push(rule(slot, to, Trigger::Overload(overload)));
            }
        }
        if let Some(underload) = self.underload {
            let most = self.by_load.iter().rev().map(|(_, other)| *other);
            if let Some(from) = most.into_iter().find(|other| *other != slot) {
                rules.push(rule(from, slot, Trigger::Underload(underload)));
            }
            let asks = self.under.iter().map(|(_, other)| *other);
            if let Some(to) = asks.into_iter().find(|other| *other != slot) {
                rules.push(rule(slot, to, Trigger::Underload(underload)));
            }
        }
        rules
    }
}

impl Dispatcher {
    /// Lets replicas pass calls on, as far as conditions hold.
    pub(super) fn balance(&mut self, index: usize) {
        loop {
            let Some(balance) = &mut self.modules[index].balance else {
                return;
            };
            let Some(slot) = balance.touched.pop_first() else {
                return;
            };
            let rules = match &balance.links {
                Links::Drawn(drawn) => drawn[slot as usize].clone(),
                Links::Full(full) => full.rules_of(slot),
            };
            for rule in rules {
                self.follow(index, rule);
            }
        }
    }

    fn follow(&mut self, index: usize, rule: Rule) {
        let find = |slot| {
            let id = self.replica_of(index, slot)?;
            Some((id, self.replicas.get(&id).filter(|one| one.migrates())?))
        };
        let (Some((from, sender)), Some((to, receiver))) = (find(rule.from), find(rule.to)) else {
            return;
        };
        let (ours, theirs) = (sender.balanced_load(), receiver.balanced_load());
        let begins = match rule.trigger {
            Trigger::Overload(load) => load.holds(ours),
            Trigger::Underload(load) => load.holds(theirs),
        };
        let is_asked = sender.recalling || !sender.departing.is_empty();
        if !begins || is_asked || from == to {
            return;
        }
        let even = ours.saturating_sub(theirs) / 2;
        let most = rule.share.of(sender.line.waiting()).min(even);
        let may_go = |id: &CallId| {
            let call = self.calls.get(id);
            call.is_some_and(|call| !call.demanded && call.life.state() == State::Sent)
        };
        let line = sender.line.backwards();
        let mut calls: Vec<CallId> = line.filter(may_go).take(most).collect();
        calls.reverse();
        if !calls.is_empty() {
            self.pass_on(from, to, calls);
        }
    }

    fn pass_on(&mut self, from: ReplicaId, to: ReplicaId, calls: Vec<CallId>) {
        for id in &calls {
            if let Some(call) = self.calls.get_mut(id) {
                if let Err(illegal) = call.life.pass_on() {
                    return self.fault(*id, illegal);
                }
            }
        }
        for id in &calls {
            if let Some(call) = self.calls.get_mut(id) {
                call.heading = Some(to);
            }
        }
        if let Some(receiver) = self.replicas.get_mut(&to) {
            receiver.arriving += calls.len();
        }
        if let Some(sender) = self.replicas.get_mut(&from) {
            for id in &calls {
                sender.line.send_off(*id);
            }
            sender.departing.clone_from(&calls);
        }
        self.actions.push(Action::Move { from, to, calls });
        self.file(from);
        self.file(to);
    }

    /// The replica has passed these calls on, of those that it was to; the others stay.
    pub(super) fn moved(
        &mut self,
        now: Nanos,
        id: ReplicaId,
        went: &[CallId],
    ) -> Result<(), Violation> {
        let replica = self.replicas.get_mut(&id).ok_or(Violation(0))?;
        let departing = std::mem::take(&mut replica.departing);
        if departing.is_empty() {
            return Err(Violation(went.first().copied().unwrap_or(0)));
        }
        let went: BTreeSet<CallId> = went.iter().copied().collect();
        for call in departing {
            if !self.is_at(id, call) {
                continue; // it is somewhere else by now, and may be on another way
            }
            if went.contains(&call) {
                self.arrive(now, call);
            } else {
                self.stay(now, call);
            }
        }
        self.soil(id);
        Ok(())
    }

    /// A replica speaks of a call: if that was on its way there, it has arrived.
    pub(super) fn note_arrival(&mut self, now: Nanos, at: ReplicaId, id: CallId) {
        if self
            .calls
            .get(&id)
            .is_some_and(|call| call.heading == Some(at))
        {
            self.arrive(now, id);
        }
    }

    fn is_at(&self, replica: ReplicaId, call: CallId) -> bool {
        self.replica_with(call) == Some(replica)
    }

    /// A replica answers a call, or hands it back: it is not on its way any more. It had begun, or
    /// was dropped and asked back.
    pub(super) fn note_presence(&mut self, now: Nanos, at: ReplicaId, id: CallId) {
        self.note_arrival(now, at, id);
        if self.is_at(at, id) {
            self.end_way(id);
        }
    }

    /// A call has left one replica for another.
    fn arrive(&mut self, now: Nanos, id: CallId) {
        let Some((from, to)) = self.end_way(id) else {
            return;
        };
        if let Some(sender) = self.replicas.get_mut(&from) {
            sender.line.remove(id);
        }
        self.begin_first(now, from);
        self.note_untouched(from, id);
        let (Some(receiver), Some(call)) = (self.replicas.get_mut(&to), self.calls.get_mut(&id))
        else {
            // It died meanwhile; what it has begun is not known.
            return self.leave(id, |life| life.replica_died(false, true), Loss::default());
        };
        call.at = Some(to);
        call.lane = call.lane.map(|_| receiver.slot);
        receiver.receive(id, call);
        if call.life.state() == State::Dropped && call.life.is_pure() {
            receiver.unwanted.push(id);
            self.unwanted.insert(to);
        } else if call.demanded {
            self.actions.push(Action::Hasten {
                replica: to,
                call: id,
            });
        }
        self.copy_elsewhere(id);
        self.begin_first(now, to);
    }

    /// A call was not passed on, as it had begun. It is not asked for again.
    fn stay(&mut self, now: Nanos, id: CallId) {
        if let Some((from, _)) = self.end_way(id) {
            if let Some(sender) = self.replicas.get_mut(&from) {
                sender.line.take_back(id);
            }
            self.begin_first(now, from);
        }
    }

    /// A call is not on its way any more: from where, and where to.
    pub(super) fn end_way(&mut self, id: CallId) -> Option<(ReplicaId, ReplicaId)> {
        let call = self.calls.get_mut(&id)?;
        let way = (call.at?, call.heading.take()?);
        let legal = call.life.settle_down();
        if let Some(receiver) = self.replicas.get_mut(&way.1) {
            receiver.arriving -= 1;
        }
        self.soil(way.0);
        self.soil(way.1);
        match legal {
            Ok(()) => Some(way),
            Err(illegal) => {
                self.fault(id, illegal);
                None
            }
        }
    }
}

impl Replica {
    /// Whether it may pass calls on and take them.
    fn migrates(&self) -> bool {
        self.is_up() && !self.killed && !self.is_away
    }

    /// The calls that it has, without those that are leaving and with those that are coming.
    pub(super) fn balanced_load(&self) -> usize {
        self.line.staying() + self.arriving
    }
}
