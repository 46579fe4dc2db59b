//! Calls that wait: in the module's queue, for whoever has room, or in the lane of one replica, to
//! which they were assigned when they were issued.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::queue::{Place, Queue};
use super::{Dispatcher, ReplicaId};

/// The place of a replica in its module. One that dies leaves it to the next.
pub type Slot = u32;

/// What waits for the replicas of a module.
#[derive(Debug, Clone, Default)]
pub struct Waiting {
    /// For any of them.
    pub shared: Queue,
    lanes: Vec<Queue>,
    /// How many calls are in lanes.
    in_lanes: usize,
    /// Lanes of which calls, or the replica, have changed.
    stirred: BTreeSet<Slot>,
}

impl Waiting {
    /// For so many replicas.
    pub fn new(replicas: u32) -> Waiting {
        Waiting {
            lanes: (0..replicas).map(|_| Queue::default()).collect(),
            ..Waiting::default()
        }
    }

    /// The queue that a call of this lane waits in.
    pub fn queue(&self, lane: Option<Slot>) -> &Queue {
        lane.map_or(&self.shared, |slot| &self.lanes[slot as usize])
    }

    /// Adds a call.
    pub fn insert(&mut self, lane: Option<Slot>, place: Place) {
        match lane {
            None => self.shared.insert(place),
            Some(slot) => {
                self.lanes[slot as usize].insert(place);
                self.in_lanes += 1;
                self.stirred.insert(slot);
            }
        }
    }

    /// Takes a call out.
    pub fn remove(&mut self, lane: Option<Slot>, place: Place) {
        match lane {
            None => self.shared.remove(place),
            Some(slot) => {
                let lane = &mut self.lanes[slot as usize];
                let before = lane.len();
                lane.remove(place);
                self.in_lanes -= before - lane.len();
            }
        }
    }

    /// Takes the next call of one queue out.
    pub fn pop(&mut self, lane: Option<Slot>) -> Option<Place> {
        match lane {
            None => self.shared.pop(),
            Some(slot) => {
                let place = self.lanes[slot as usize].pop()?;
                self.in_lanes -= 1;
                Some(place)
            }
        }
    }

    /// Takes any call out.
    pub fn pop_any(&mut self) -> Option<Place> {
        if self.in_lanes > 0 {
            let full = self.lanes.iter().position(|lane| !lane.is_empty());
            if let Some(slot) = full {
                return self.pop(Slot::try_from(slot).ok());
            }
        }
        self.shared.pop()
    }

    /// How many calls wait.
    pub fn len(&self) -> usize {
        self.shared.len() + self.in_lanes
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether any call waits for one replica alone.
    pub fn has_lanes(&self) -> bool {
        self.in_lanes > 0
    }

    /// The lane is to be looked at again.
    pub fn stir(&mut self, slot: Slot) {
        if !self.lanes[slot as usize].is_empty() {
            self.stirred.insert(slot);
        }
    }

    /// The next lane to be looked at.
    pub fn next_stirred(&mut self) -> Option<Slot> {
        self.stirred.pop_first()
    }
}

/// Deals calls out by fixed shares: after any number of them each replica has had its part, give or
/// take one (Webster's method: who has the least of what is due, counted to the half, is next).
#[derive(Debug, Clone)]
pub struct Shares(BTreeSet<Due>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Due {
    /// Twice the calls had, and one.
    had: u64,
    share: u32,
    slot: Slot,
}

impl Ord for Due {
    fn cmp(&self, other: &Due) -> Ordering {
        let (left, right) = (u128::from(self.had), u128::from(other.had));
        let had = (left * u128::from(other.share)).cmp(&(right * u128::from(self.share)));
        had.then(self.slot.cmp(&other.slot))
    }
}

impl PartialOrd for Due {
    fn partial_cmp(&self, other: &Due) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Shares {
    /// A share for each slot; one of 0 gets nothing.
    pub fn new(shares: &[u32]) -> Shares {
        let due = |(slot, share): (Slot, &u32)| Due {
            had: 1,
            share: *share,
            slot,
        };
        let all = (0..).zip(shares).map(due);
        Shares(all.filter(|due| due.share > 0).collect())
    }

    /// Whose turn it is.
    pub fn next(&mut self) -> Option<Slot> {
        let mut due = self.0.pop_first()?;
        due.had += 2;
        self.0.insert(due);
        Some(due.slot)
    }
}

impl Dispatcher {
    /// The replica that a lane leads to now.
    pub(super) fn replica_of(&self, index: usize, slot: Slot) -> Option<ReplicaId> {
        self.modules[index].slots[slot as usize]
    }

    /// No replica will be started any more, or for now: what waits for one that is not there goes to the
    /// rest.
    pub(super) fn close_lanes(&mut self, index: usize) {
        let module = &mut self.modules[index];
        if !module.queue.has_lanes() {
            return;
        }
        for (slot, _) in (0..).zip(&module.slots).filter(|(_, id)| id.is_none()) {
            while let Some(place) = module.queue.pop(Some(slot)) {
                if let Some(call) = self.calls.get_mut(&place.call) {
                    call.lane = None;
                }
                module.queue.insert(None, place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dealt(shares: &[u32], calls: usize) -> Vec<usize> {
        let mut turns = Shares::new(shares);
        let mut had = vec![0; shares.len()];
        for _ in 0..calls {
            had[turns.next().unwrap() as usize] += 1;
        }
        had
    }

    #[test]
    fn everybody_gets_just_the_share_and_in_turns() {
        assert_eq!(dealt(&[1, 1, 2], 4), [1, 1, 2]);
        assert_eq!(dealt(&[1, 1, 2], 4000), [1000, 1000, 2000]);
        assert_eq!(dealt(&[3, 7, 1000], 1010), [3, 7, 1000]);
        assert_eq!(dealt(&[0, 1], 5), [0, 5]);
        let mut even = Shares::new(&[1, 1, 1]);
        let turns: Vec<Slot> = (0..6).filter_map(|_| even.next()).collect();
        assert_eq!(turns, [0, 1, 2, 0, 1, 2]);
    }
}
