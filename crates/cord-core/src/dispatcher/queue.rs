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
}

impl Place {
    /// Where a call stands in line.
    pub fn new(call: CallId, demanded: bool, suspect: bool) -> Place {
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
        }
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
}

impl Queue {
    /// Adds a call.
    pub fn insert(&mut self, place: Place) {
        if self.places.insert(place) {
            self.suspects += usize::from(place.suspect);
        }
    }

    /// Takes a call out.
    pub fn remove(&mut self, place: Place) {
        if self.places.remove(&place) {
            self.suspects -= usize::from(place.suspect);
        }
    }

    /// The call that goes next.
    pub fn first(&self) -> Option<Place> {
        self.places.first().copied()
    }

    /// Takes the next call out.
    pub fn pop(&mut self) -> Option<Place> {
        let place = self.places.pop_first()?;
        self.suspects -= usize::from(place.suspect);
        Some(place)
    }

    /// How many calls wait.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Whether suspects wait: then only idle replicas are fed, or none would ever be idle.
    pub fn has_suspects(&self) -> bool {
        self.suspects > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn demanded_then_suspects_then_oldest() {
        let mut queue = Queue::default();
        queue.insert(Place::new(1, false, false));
        queue.insert(Place::new(2, false, false));
        queue.insert(Place::new(3, false, true));
        queue.insert(Place::new(4, true, false));
        queue.remove(Place::new(2, false, false));
        assert!(queue.has_suspects());
        let order: Vec<CallId> = std::iter::from_fn(|| queue.pop()).map(|p| p.call).collect();
        assert_eq!(order, [4, 3, 1]);
        assert!(!queue.has_suspects() && queue.is_empty());
    }
}
