//! The calls of one module that wait for a replica.

use std::collections::BTreeSet;

use super::CallId;

/// Which call goes first: those that the program waits for, then those that were at a replica
/// when it died, then the rest; the oldest first in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// 0 demanded, 1 suspect, 2 the rest.
    rank: u8,
    /// Ids are given in the order of issue.
    pub call: CallId,
    /// Was at a replica when it died: goes to an idle replica, alone, so that it is certain which
    /// call kills one.
    pub suspect: bool,
    /// A replica waits for it: goes to an idle replica, never behind a call that might come to wait
    /// for this one.
    pub nested: bool,
}

impl Place {
    /// Where a call stands in line.
    pub fn new(call: CallId, demanded: bool, suspect: bool, nested: bool) -> Place {
        let rank = if demanded {
            0
        } else if suspect {
            1
        } else {
            2
        };
        Place {
            rank,
            call,
            suspect,
            nested,
        }
    }

    /// Whether only an idle replica may have it.
    pub fn needs_idle(self) -> bool {
        self.suspect || self.nested
    }

    /// Whether the program waits for it.
    pub fn is_demanded(self) -> bool {
        self.rank == 0
    }
}

/// A queue; every operation takes logarithmic time.
#[derive(Debug, Default)]
pub struct Queue {
    places: BTreeSet<Place>,
    suspects: usize,
    nested: BTreeSet<CallId>,
}

impl Queue {
    /// Adds a call.
    pub fn insert(&mut self, place: Place) {
        if self.places.insert(place) {
            self.suspects += usize::from(place.suspect);
            if place.nested {
                self.nested.insert(place.call);
            }
        }
    }

    /// Takes a call out.
    pub fn remove(&mut self, place: Place) {
        if self.places.remove(&place) {
            self.count_out(place);
        }
    }

    /// The call that goes next.
    pub fn first(&self) -> Option<Place> {
        self.places.first().copied()
    }

    /// Takes the next call out.
    pub fn pop(&mut self) -> Option<Place> {
        let place = self.places.pop_first()?;
        self.count_out(place);
        Some(place)
    }

    fn count_out(&mut self, place: Place) {
        self.suspects -= usize::from(place.suspect);
        if place.nested {
            self.nested.remove(&place.call);
        }
    }

    /// How many calls wait.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Whether calls wait that need an idle replica: then only idle ones are fed, or none would ever
    /// be idle.
    pub fn needs_idle(&self) -> bool {
        self.suspects > 0 || !self.nested.is_empty()
    }

    /// The calls that replicas wait for, the oldest first.
    pub fn nested(&self) -> impl Iterator<Item = CallId> + '_ {
        self.nested.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn demanded_then_suspects_then_oldest() {
        let mut queue = Queue::default();
        queue.insert(Place::new(1, false, false, false));
        queue.insert(Place::new(2, false, false, false));
        queue.insert(Place::new(3, false, true, false));
        queue.insert(Place::new(4, true, false, true));
        queue.remove(Place::new(2, false, false, false));
        assert!(queue.needs_idle());
        assert!(queue.nested().eq([4]));
        let order: Vec<CallId> = std::iter::from_fn(|| queue.pop()).map(|p| p.call).collect();
        assert_eq!(order, [4, 3, 1]);
        assert!(!queue.needs_idle() && queue.is_empty());
    }
}
