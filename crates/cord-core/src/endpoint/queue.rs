//! The calls that a replica has and has not begun, in the order in which it will run them.

use std::collections::{BTreeMap, HashMap};

use super::shared::LOAD;
use super::Incoming;
use crate::manner::Priority;
use crate::payload::Buffer;
use crate::wire::Turn;

/// Where something stands: an order to load the module keeps its place, what came before it comes
/// before it; else what the program waits for goes first, the oldest first, then the rest by
/// priority, then the oldest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    after_loads: u64,
    not_demanded: bool,
    priority: Priority,
    call: u64,
}

/// What waits; every operation takes logarithmic time.
#[derive(Debug, Default)]
pub struct Queue {
    waiting: BTreeMap<Place, Incoming>,
    /// Calls that cannot be run before content has come which they need.
    incomplete: BTreeMap<Place, Incoming>,
    places: HashMap<u64, Place>,
    loads: u64,
}

impl Queue {
    /// Adds a call, or an order to load the module.
    pub fn push(&mut self, incoming: Incoming, turn: Turn) {
        let call = incoming.call;
        if call == LOAD {
            self.loads += 1;
        }
        let place = Place {
            after_loads: self.loads,
            not_demanded: turn != Turn::First,
            priority: match turn {
                Turn::ByPriority(priority) => priority,
                Turn::First | Turn::OnTopOf(_) => Priority::default(),
            },
            call,
        };
        if call == LOAD {
            self.loads += 1;
        } else {
            self.places.insert(call, place);
        }
        if incoming.payload.buffers.iter().any(Buffer::is_lacking) {
            self.incomplete.insert(place, incoming);
        } else {
            self.waiting.insert(place, incoming);
        }
    }

    /// A call that waits for content.
    pub fn waits_for_content(&mut self, call: u64) -> Option<&mut Incoming> {
        self.incomplete.get_mut(self.places.get(&call)?)
    }

    /// It has come: the call has the place that it had from the beginning.
    pub fn has_content(&mut self, call: u64) {
        if let Some(place) = self.places.get(&call) {
            if let Some(incoming) = self.incomplete.remove(place) {
                self.waiting.insert(*place, incoming);
            }
        }
    }

    /// Takes out what is next.
    pub fn pop(&mut self) -> Option<Incoming> {
        let (place, incoming) = self.waiting.pop_first()?;
        self.places.remove(&place.call);
        Some(incoming)
    }

    /// Takes a call out, if it is there.
    pub fn remove(&mut self, call: u64) -> Option<Incoming> {
        let place = self.places.remove(&call)?;
        let incoming = self.waiting.remove(&place);
        incoming.or_else(|| self.incomplete.remove(&place))
    }

    /// Takes a call out to be passed on, and when it would have had its turn.
    pub fn take(&mut self, call: u64) -> Option<(Incoming, Turn)> {
        let place = self.places.get(&call).copied()?;
        if self
            .waiting
            .get(&place)
            .is_some_and(|incoming| !incoming.values.is_empty())
        {
            return None; // what it needs is here
        }
        let turn = if place.not_demanded {
            Turn::ByPriority(place.priority)
        } else {
            Turn::First
        };
        Some((self.remove(call)?, turn))
    }

    /// The program waits for this call: it goes before the others.
    pub fn hasten(&mut self, call: u64) {
        let Some(place) = self.places.get_mut(&call) else {
            return; // begun or gone
        };
        for queue in [&mut self.waiting, &mut self.incomplete] {
            if let Some(incoming) = queue.remove(place) {
                place.not_demanded = false;
                place.priority = Priority::default();
                queue.insert(*place, incoming);
                return;
            }
        }
    }

    /// How many could be run.
    pub fn len(&self) -> usize {
        self.waiting.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::payload::{Payload, World};

    fn push(queue: &mut Queue, call: u64, turn: Turn) {
        let incoming = Incoming {
            call,
            payload: Payload::default(),
            world: World::default(),
            keeps: false,
            values: Vec::new(),
        };
        queue.push(incoming, turn);
    }

    fn with(priority: f64) -> Turn {
        Turn::ByPriority(Priority::new(priority))
    }

    fn order(mut queue: Queue) -> Vec<u64> {
        std::iter::from_fn(|| queue.pop())
            .map(|incoming| incoming.call)
            .collect()
    }

    #[test]
    fn larger_priorities_go_first_and_the_oldest_among_equals() {
        let mut queue = Queue::default();
        for (call, priority) in [(5, 1.0), (2, 3.0), (3, 1.0), (4, 9.0)] {
            push(&mut queue, call, with(priority));
        }
        assert_eq!(order(queue), [4, 2, 3, 5]);
    }

    #[test]
    fn what_the_program_waits_for_goes_before_any_priority() {
        let mut queue = Queue::default();
        push(&mut queue, 1, with(1.0));
        push(&mut queue, 2, with(9.0));
        push(&mut queue, 3, Turn::First);
        queue.hasten(1);
        queue.hasten(77);
        assert_eq!(queue.len(), 3);
        assert_eq!(order(queue), [1, 3, 2]);
    }

    #[test]
    fn an_order_to_load_keeps_its_place() {
        let mut queue = Queue::default();
        push(&mut queue, 1, with(1.0));
        push(&mut queue, LOAD, with(0.0));
        push(&mut queue, 2, with(9.0));
        push(&mut queue, LOAD, with(0.0));
        push(&mut queue, 3, Turn::First);
        assert_eq!(order(queue), [1, LOAD, 2, LOAD, 3]);
    }

    #[test]
    fn what_is_taken_out_is_gone() {
        let mut queue = Queue::default();
        push(&mut queue, 1, with(0.0));
        push(&mut queue, 2, with(0.0));
        assert_eq!(queue.remove(1).map(|incoming| incoming.call), Some(1));
        assert!(queue.remove(1).is_none());
        assert_eq!(order(queue), [2]);
    }
}
