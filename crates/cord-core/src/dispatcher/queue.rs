//! The calls of one module that wait for a replica.

use std::collections::BTreeSet;

use super::{Call, CallId};
use crate::manner::Priority;

/// Which call goes first: those that the program waits for, then those that were at a replica
/// when it died, then the rest; in each by priority, then the oldest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// 0 demanded, 1 suspect, 2 the rest.
    rank: u8,
    priority: Priority,
    /// Ids are given in the order of issue.
    pub call: CallId,
    /// Was at a replica when it died: goes to an idle replica, alone, so that it is certain which
    /// call kills one.
    pub suspect: bool,
    /// A replica waits for it: goes to an idle replica, never behind a call that might come to wait
    /// for this one.
    pub nested: bool,
    /// Bytes of its arguments.
    pub bytes: usize,
}

impl Place {
    /// Where a call stands in line.
    pub fn new(id: CallId, call: &Call) -> Place {
        let rank = if call.demanded {
            0
        } else if call.suspect {
            1
        } else {
            2
        };
        Place {
            rank,
            priority: call.rank(),
            call: id,
            suspect: call.suspect,
            nested: call.origin.is_some(),
            bytes: call.bytes,
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
    bytes: usize,
    suspects: usize,
    nested: BTreeSet<CallId>,
}

impl Queue {
    /// Adds a call.
    pub fn insert(&mut self, place: Place) {
        if self.places.insert(place) {
            self.bytes += place.bytes;
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
        self.bytes -= place.bytes;
        self.suspects -= usize::from(place.suspect);
        if place.nested {
            self.nested.remove(&place.call);
        }
    }

    /// How many calls wait.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Bytes of the arguments of all that wait.
    pub fn bytes(&self) -> usize {
        self.bytes
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

    fn place(call: CallId, rank: u8, priority: f64) -> Place {
        Place {
            rank,
            priority: Priority::new(priority),
            call,
            suspect: rank == 1,
            nested: false,
            bytes: 10,
        }
    }

    fn order(mut queue: Queue) -> Vec<CallId> {
        std::iter::from_fn(|| queue.pop())
            .map(|place| place.call)
            .collect()
    }

    #[test]
    fn demanded_then_suspects_then_oldest() {
        let mut queue = Queue::default();
        queue.insert(place(1, 2, 0.0));
        queue.insert(place(2, 2, 0.0));
        queue.insert(place(3, 1, 0.0));
        let nested = Place {
            nested: true,
            ..place(4, 0, 0.0)
        };
        queue.insert(nested);
        queue.remove(place(2, 2, 0.0));
        assert!(queue.needs_idle());
        assert!(queue.nested().eq([4]));
        assert_eq!(queue.bytes(), 30);
        assert_eq!(order(queue), [4, 3, 1]);
    }

    #[test]
    fn larger_priorities_go_first_but_not_before_what_is_demanded() {
        let mut queue = Queue::default();
        for (call, rank, priority) in [(1, 2, 1.0), (2, 2, 5.0), (3, 2, 5.0), (4, 0, -1.0)] {
            queue.insert(place(call, rank, priority));
        }
        assert_eq!(order(queue), [4, 2, 3, 1]);
    }

    #[test]
    fn an_empty_queue_needs_nothing() {
        let mut queue = Queue::default();
        queue.insert(place(1, 1, 0.0));
        assert!(queue.pop().is_some());
        assert!(!queue.needs_idle() && queue.is_empty() && queue.bytes() == 0);
    }
}
