//! What a replica has, in the order in which it will run it. The replica keeps its own queue in the
//! same order; but what it has begun when a call with more priority comes is known there only.

use std::collections::BTreeSet;

use super::{Call, CallId, IdMap};
use cord_wire::priority::Priority;

/// The calls at one replica: one is first, the others stand behind it; but for those that are
/// leaving, and those that have begun before their turn.
#[derive(Debug, Clone, Default)]
pub struct Line {
    first: Option<CallId>,
    /// What the replica has begun when it was thought to run another one.
    begun: Vec<CallId>,
    behind: BTreeSet<Turn>,
    known: IdMap<CallId, Known>,
    /// Bytes of the arguments of all.
    bytes: usize,
    /// How many stand behind the first and were assigned to this replica for good.
    fixed: usize,
    /// How many are being passed on to another replica.
    leaving: usize,
}

/// What the program waits for goes first, the oldest first; then by priority, then the oldest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    not_demanded: bool,
    priority: Priority,
    call: CallId,
}

#[derive(Debug, Clone, Copy)]
struct Known {
    turn: Turn,
    bytes: usize,
    fixed: bool,
    leaving: bool,
}

impl Line {
    /// A call is sent.
    pub fn push(&mut self, id: CallId, call: &Call) {
        let turn = Turn {
            not_demanded: !call.demanded,
            priority: call.rank(),
            call: id,
        };
        let known = Known {
            turn,
            bytes: call.bytes,
            fixed: call.lane.is_some(),
            leaving: false,
        };
        self.known.insert(id, known);
        self.bytes += call.bytes;
        if self.first.is_none() {
            self.first = Some(id);
        } else {
            self.add_behind(known);
        }
    }

    fn add_behind(&mut self, known: Known) {
        self.behind.insert(known.turn);
        self.fixed += usize::from(known.fixed);
    }

    fn take_behind(&mut self, known: Known) -> bool {
        let found = self.behind.remove(&known.turn);
        self.fixed -= usize::from(found && known.fixed);
        found
    }

    /// A call has left; false if there is no such.
    pub fn remove(&mut self, id: CallId) -> bool {
        let Some(known) = self.known.remove(&id) else {
            return false;
        };
        self.bytes -= known.bytes;
        if known.leaving {
            self.leaving -= 1;
        } else if self.first == Some(id) {
            self.first = self.next();
        } else if !self.take_behind(known) {
            self.begun.retain(|begun| *begun != id);
        }
        true
    }

    /// What is first when the first has left.
    fn next(&mut self) -> Option<CallId> {
        if let Some(begun) = self.begun.pop() {
            return Some(begun);
        }
        let next = self.behind.first()?.call;
        if let Some(known) = self.known.get(&next).copied() {
            self.take_behind(known);
        }
        Some(next)
    }

    /// A call behind the first is to be passed on.
    pub fn send_off(&mut self, id: CallId) {
        let Some(known) = self.known.get_mut(&id).filter(|known| !known.leaving) else {
            return;
        };
        known.leaving = true;
        let known = *known;
        self.leaving += 1;
        self.take_behind(known);
    }

    /// It has stayed: the replica had begun it, whatever was thought here.
    pub fn take_back(&mut self, id: CallId) {
        if let Some(known) = self.known.get_mut(&id).filter(|known| known.leaving) {
            known.leaving = false;
            self.leaving -= 1;
            self.begin(id);
        }
    }

    /// The replica has begun this call, whatever was thought here: it does not wait any more.
    pub fn has_begun(&mut self, id: CallId) {
        if let Some(known) = self.known.get(&id).copied() {
            if self.take_behind(known) {
                self.begin(id);
            }
        }
    }

    fn begin(&mut self, id: CallId) {
        match self.first {
            None => self.first = Some(id),
            Some(_) => self.begun.push(id),
        }
    }

    /// The program waits for this call: it goes before the others. False if it need not be moved.
    pub fn hasten(&mut self, id: CallId) -> bool {
        let Some(known) = self.known.get(&id).copied() else {
            return false;
        };
        let moves = known.turn.not_demanded && self.behind.contains(&known.turn);
        if !moves {
            return false;
        }
        let is_next = self.behind.first() == Some(&known.turn);
        self.take_behind(known);
        let turn = Turn {
            not_demanded: false,
            priority: Priority::default(),
            call: id,
        };
        let known = Known { turn, ..known };
        self.known.insert(id, known);
        self.add_behind(known);
        !is_next
    }

    /// That the program waits for an older call than this changes nothing: those are first, next or
    /// hastened already. 0 where that cannot be told at a glance.
    pub fn hastens_from(&self) -> CallId {
        let Some(at) = self.behind.iter().position(|turn| turn.not_demanded) else {
            return CallId::MAX;
        };
        let ends = [self.behind.iter().nth(at), self.behind.last()];
        let mut ends = ends.into_iter().flatten();
        if !ends.all(|turn| turn.priority == Priority::default()) {
            return 0;
        }
        // in between, all is ordered by age
        let moved = self.behind.iter().nth(at.max(1));
        moved.map_or(CallId::MAX, |turn| turn.call)
    }

    /// The one that is first.
    pub fn first(&self) -> Option<CallId> {
        self.first
    }

    /// What has begun besides the first.
    pub fn begun_besides(&self) -> impl Iterator<Item = CallId> + '_ {
        self.begun.iter().copied()
    }

    /// Those that stand behind the first, the last of them first.
    pub fn backwards(&self) -> impl Iterator<Item = CallId> + '_ {
        self.behind.iter().rev().map(|turn| turn.call)
    }

    /// As [`Line::backwards`], without those that were assigned to this replica.
    pub fn free_backwards(&self) -> impl Iterator<Item = CallId> + '_ {
        self.backwards()
            .filter(|id| !self.known.get(id).is_some_and(|known| known.fixed))
    }

    /// Those that stand behind the first, in order.
    pub fn behind(&self) -> impl Iterator<Item = CallId> + '_ {
        self.behind.iter().map(|turn| turn.call)
    }

    /// How many stand behind the first and may go elsewhere.
    pub fn free(&self) -> usize {
        self.behind.len() - self.fixed
    }

    /// How many were assigned to this replica and stand behind the first.
    pub fn fixed(&self) -> usize {
        self.fixed
    }

    /// How many calls there are.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// How many calls will be there when those that are being passed on have left.
    pub fn staying(&self) -> usize {
        self.known.len() - self.leaving
    }

    /// How many stand behind the first.
    pub fn waiting(&self) -> usize {
        self.behind.len()
    }

    /// Bytes of the arguments of all.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes all out, in order.
    pub fn drain(&mut self) -> Vec<CallId> {
        let mut line = std::mem::take(self);
        let mut calls: Vec<CallId> = line.first.into_iter().chain(line.behind()).collect();
        for id in &calls {
            line.known.remove(id);
        }
        let mut others: Vec<CallId> = line.known.into_keys().collect();
        others.sort_unstable();
        calls.extend(others);
        calls
    }
}
