//! The calls that a replica has and has not begun, in the order in which it will run them.

use std::collections::{BTreeMap, HashMap, VecDeque};

use super::shared::LOAD;
use super::Incoming;
use cord_wire::buffer::Buffer;
use cord_wire::payload::{is_same_world, World};
use cord_wire::priority::Priority;
use cord_wire::wire::Turn;

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

/// What waits; every operation takes logarithmic time, and constant time for a call that comes and
/// leaves in its turn.
#[derive(Debug, Default)]
pub struct Queue {
    /// What came in order, as most does: places and numbers grow from front to back. What has left
    /// out of turn is `None`; the front has not.
    line: VecDeque<(Place, Option<Incoming>)>,
    /// How many of them have not left.
    in_line: usize,
    /// What came out of order, or was hastened.
    others: BTreeMap<Place, Incoming>,
    /// Calls that cannot be run before content has come which they need.
    incomplete: BTreeMap<Place, Incoming>,
    /// Where the calls stand that are not in the line.
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
        }
        if incoming.payload.buffers.iter().any(Buffer::is_lacking) {
            self.places.insert(call, place);
            self.incomplete.insert(place, incoming);
        } else {
            self.insert(place, incoming);
        }
    }

    fn insert(&mut self, place: Place, incoming: Incoming) {
        let last = self.line.back();
        if is_in_order(last.map(|(last, _)| last), &place) {
            self.line.push_back((place, Some(incoming)));
            self.in_line += 1;
            return;
        }
        if place.call != LOAD {
            self.places.insert(place.call, place);
        }
        self.others.insert(place, incoming);
    }

    /// A call that waits for content.
    pub fn waits_for_content(&mut self, call: u64) -> Option<&mut Incoming> {
        self.incomplete.get_mut(self.places.get(&call)?)
    }

    /// It has come: the call has the place that it had from the beginning.
    pub fn has_content(&mut self, call: u64) {
        if let Some(place) = self.places.get(&call) {
            if let Some(incoming) = self.incomplete.remove(place) {
                self.others.insert(*place, incoming);
            }
        }
    }

    /// Takes out what is next.
    pub fn pop(&mut self) -> Option<Incoming> {
        let first = self.line.front().map(|(place, _)| place);
        let other = self.others.first_key_value().map(|(place, _)| place);
        if first.is_some_and(|first| other.is_none_or(|other| first < other)) {
            return self.leave_line(0).map(|(_, incoming)| incoming);
        }
        let (place, incoming) = self.others.pop_first()?;
        self.places.remove(&place.call);
        Some(incoming)
    }

    /// Takes a call out, if it is there.
    pub fn remove(&mut self, call: u64) -> Option<Incoming> {
        self.leave(call).map(|(_, incoming)| incoming)
    }

    /// Takes out all that could be run, are of this group and given no values, in order.
    pub fn take_group(&mut self, group: u32, world: &World) -> Vec<Incoming> {
        let in_line = self.line.iter();
        let in_line = in_line.filter_map(|(place, one)| Some((place, one.as_ref()?)));
        let fits = |one: &Incoming| {
            one.group == group && one.values.is_empty() && is_same_world(&one.world, world)
        };
        let all = in_line.chain(&self.others);
        let mut found: Vec<Place> = all
            .filter(|(_, one)| fits(one))
            .map(|(place, _)| *place)
            .collect();
        found.sort_unstable();
        let found = found.into_iter();
        found.filter_map(|place| self.remove(place.call)).collect()
    }

    /// Takes a call out to be passed on, and when it would have had its turn.
    pub fn take(&mut self, call: u64) -> Option<(Incoming, Turn)> {
        let (place, incoming) = self.leave(call)?;
        if !incoming.values.is_empty() {
            self.stay(place, incoming); // what it needs is here
            return None;
        }
        let turn = if place.not_demanded {
            Turn::ByPriority(place.priority)
        } else {
            Turn::First
        };
        Some((incoming, turn))
    }

    /// The program waits for this call: it goes before the others.
    pub fn hasten(&mut self, call: u64) {
        let Some((mut place, incoming)) = self.leave(call) else {
            return; // begun or gone
        };
        place.not_demanded = false;
        place.priority = Priority::default();
        self.stay(place, incoming);
    }

    /// How many could be run.
    pub fn len(&self) -> usize {
        self.in_line + self.others.len()
    }

    /// Takes a call out, and says where it stood.
    fn leave(&mut self, call: u64) -> Option<(Place, Incoming)> {
        let Some(place) = self.places.remove(&call) else {
            let at = self
                .line
                .binary_search_by_key(&call, |(place, _)| place.call);
            return self.leave_line(at.ok()?);
        };
        let incoming = self.others.remove(&place);
        let incoming = incoming.or_else(|| self.incomplete.remove(&place))?;
        Some((place, incoming))
    }

    fn leave_line(&mut self, at: usize) -> Option<(Place, Incoming)> {
        let (place, incoming) = self.line.get_mut(at)?;
        let left = (*place, incoming.take()?);
        self.in_line -= 1;
        while self.line.front().is_some_and(|(_, there)| there.is_none()) {
            self.line.pop_front();
        }
        Some(left)
    }

    /// What has left comes back, to another place perhaps.
    fn stay(&mut self, place: Place, incoming: Incoming) {
        self.places.insert(place.call, place);
        if incoming.payload.buffers.iter().any(Buffer::is_lacking) {
            self.incomplete.insert(place, incoming);
        } else {
            self.others.insert(place, incoming);
        }
    }
}

/// Whether what stands there can follow the last of the line.
fn is_in_order(last: Option<&Place>, place: &Place) -> bool {
    place.call != LOAD && last.is_none_or(|last| last < place && last.call < place.call)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cord_wire::payload::Payload;

    fn push(queue: &mut Queue, call: u64, turn: Turn) {
        let incoming = Incoming {
            call,
            payload: Payload::default(),
            world: World::default(),
            keeps: false,
            group: 0,
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

    #[test]
    fn calls_leave_the_line_and_come_back_to_it_in_any_order() {
        let mut queue = Queue::default();
        for call in 1..=6 {
            push(&mut queue, call, with(0.0));
        }
        assert_eq!(queue.pop().map(|incoming| incoming.call), Some(1));
        queue.hasten(4);
        assert!(queue.remove(2).is_some());
        assert!(queue.remove(2).is_none());
        assert_eq!(queue.take(6).map(|(incoming, _)| incoming.call), Some(6));
        push(&mut queue, 2, with(0.0)); // it was passed on, and is passed back
        assert_eq!(queue.len(), 4);
        assert_eq!(order(queue), [4, 2, 3, 5]);
    }

    #[test]
    fn it_is_the_same_as_a_sorted_list() {
        let mut random = 1_u32;
        let mut dice = move |sides: u32| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 16) % sides
        };
        let (mut queue, mut model) = (Queue::default(), Vec::<(bool, Priority, u64)>::new());
        for call in 1..=2_000 {
            let priority = Priority::new(f64::from(dice(10) / 8));
            let mut turn = Turn::ByPriority(priority);
            if dice(9) == 0 {
                turn = Turn::First;
            }
            push(&mut queue, call, turn);
            let is_first = turn == Turn::First;
            let priority = if is_first {
                Priority::default()
            } else {
                priority
            };
            model.push((!is_first, priority, call));
            let other = u64::from(dice(40)) + call.saturating_sub(30);
            let known = model.iter().position(|(_, _, call)| *call == other);
            match dice(5) {
                0 => {
                    queue.hasten(other);
                    if let Some(at) = known {
                        model[at] = (false, Priority::default(), other);
                    }
                }
                1 => {
                    assert_eq!(queue.remove(other).is_some(), known.is_some());
                    known.map(|at| model.remove(at));
                }
                2 | 3 => {
                    model.sort();
                    let first = (!model.is_empty()).then(|| model.remove(0).2);
                    assert_eq!(queue.pop().map(|incoming| incoming.call), first);
                }
                _ => {}
            }
            assert_eq!(queue.len(), model.len());
        }
        model.sort();
        let calls: Vec<u64> = model.into_iter().map(|(_, _, call)| call).collect();
        assert_eq!(order(queue), calls);
    }
}
