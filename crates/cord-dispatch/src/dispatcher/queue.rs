//! The calls of one module that wait for a replica.

use std::collections::BTreeSet;

use super::fifo::Fifo;
use super::ranked::Ranked;
use super::{Call, CallId};
use cord_wire::priority::Priority;

const USUAL: u8 = 2;

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
            USUAL
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

    /// That of a call which goes by priority and age alone.
    fn usual(priority: Priority, call: CallId, bytes: usize) -> Place {
        Place {
            rank: USUAL,
            priority,
            call,
            suspect: false,
            nested: false,
            bytes,
        }
    }

    fn is_usual(self) -> bool {
        self == Place::usual(self.priority, self.call, self.bytes)
    }

    fn is_plain(self) -> bool {
        self.is_usual() && self.priority == Priority::default()
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

/// A queue. Calls that go by their age alone, as most do, come and go in the same time however
/// many there are; for others it takes logarithmic time.
#[derive(Debug, Clone, Default)]
pub struct Queue {
    /// What goes before all others.
    urgent: BTreeSet<Place>,
    /// Of the rest, calls without a priority.
    plain: Fifo,
    /// Those that have one; and those without that came back between others.
    ranked: Ranked,
    bytes: usize,
    suspects: usize,
    nested: BTreeSet<CallId>,
}

impl Queue {
    /// Adds a call that is not there.
    pub fn insert(&mut self, place: Place) {
        if !place.is_usual() {
            self.urgent.insert(place);
        } else if !place.is_plain() || !self.plain.insert(place.call, place.bytes) {
            self.ranked.insert(place.priority, place.call, place.bytes);
        }
        self.bytes += place.bytes;
        self.suspects += usize::from(place.suspect);
        if place.nested {
            self.nested.insert(place.call);
        }
    }

    /// Takes a call out, if it is there.
    pub fn remove(&mut self, place: Place) {
        let found = if place.is_usual() {
            place.is_plain() && self.plain.remove(place.call)
                || self.ranked.remove(place.priority, place.call)
        } else {
            self.urgent.remove(&place)
        };
        if found {
            self.count_out(place);
        }
    }

    /// The call that goes next.
    pub fn first(&self) -> Option<Place> {
        if let Some(urgent) = self.urgent.first() {
            return Some(*urgent);
        }
        let plain = self.plain.first();
        let plain = plain.map(|(call, bytes)| Place::usual(Priority::default(), call, bytes));
        let ranked = self.ranked.first();
        let ranked = ranked.map(|(priority, call, bytes)| Place::usual(priority, call, bytes));
        match (plain, ranked) {
            (Some(plain), Some(ranked)) => Some(plain.min(ranked)),
            (plain, ranked) => plain.or(ranked),
        }
    }

    /// Takes the next call out.
    pub fn pop(&mut self) -> Option<Place> {
        let place = self.first()?;
        if !place.is_usual() {
            self.urgent.pop_first();
        } else if self.plain.first().map(|(call, _)| call) == Some(place.call) {
            self.plain.pop();
        } else {
            self.ranked.pop();
        }
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
        self.urgent.len() + self.plain.len() + self.ranked.len()
    }

    /// Bytes of the arguments of all that wait.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
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
    use super::super::dice::Dice;
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

    /// What is done to the queue is done to a plain list, too, which is sorted each time.
    #[test]
    fn whatever_comes_and_goes_it_is_in_order() {
        for seed in 0..60 {
            let mut dice = Dice(seed);
            let (mut queue, mut model) = (Queue::default(), Vec::new());
            let mut out = Vec::new();
            let mut next = 0;
            for _ in 0..2000 {
                let any = |dice: &mut Dice, places: &[Place]| {
                    let index = dice.below(places.len().max(1) as u64) as usize;
                    places.get(index).copied()
                };
                let (mut came, mut went) = (None, None);
                match dice.below(12) {
                    0..=3 => {
                        next += 1 + dice.below(3);
                        came = Some(any_place(&mut dice, next, seed % 3));
                    }
                    4..=6 => {
                        assert_eq!(queue.first(), model.iter().min().copied());
                        let popped = queue.pop();
                        assert_eq!(popped, model.iter().min().copied());
                        model.retain(|place| Some(*place) != popped);
                        out.extend(popped);
                    }
                    7..=8 => went = any(&mut dice, &model),
                    9 => came = any(&mut dice, &out), // it was handed back
                    10 => went = any(&mut dice, &out), // it may not be there
                    _ => {
                        went = any(&mut dice, &model); // the program waits for it now
                        came = went.map(|place| Place {
                            rank: 0,
                            priority: Priority::default(),
                            ..place
                        });
                    }
                }
                if let Some(place) = went {
                    queue.remove(place);
                    model.retain(|other| *other != place);
                    out.extend(came.is_none().then_some(place));
                }
                if let Some(place) = came {
                    queue.insert(place);
                    out.retain(|other| other.call != place.call);
                    model.push(place);
                }
                check(&queue, &model);
            }
            model.sort_unstable();
            let left: Vec<Place> = std::iter::from_fn(|| queue.pop()).collect();
            assert_eq!(left, model, "seed {seed}");
        }
    }

    /// Few calls are not plain, or none, or two of three.
    fn any_place(dice: &mut Dice, call: CallId, kind: u64) -> Place {
        let plain = Place::usual(Priority::default(), call, dice.below(100) as usize);
        match (kind, dice.below(6)) {
            (1, 0) | (2, 0 | 1) => place(call, 2, dice.below(3) as f64),
            (2, 2) => place(call, 1, 0.0),
            (2, 3) => Place {
                nested: true,
                ..place(call, 0, 0.0)
            },
            _ => plain,
        }
    }

    fn check(queue: &Queue, model: &[Place]) {
        let (all, first) = (model.iter(), model.iter().min());
        assert_eq!(queue.len(), model.len());
        assert_eq!(queue.is_empty(), model.is_empty());
        assert_eq!(queue.first().as_ref(), first);
        assert_eq!(queue.bytes(), all.clone().map(|place| place.bytes).sum());
        assert_eq!(
            queue.needs_idle(),
            all.clone().any(|place| place.needs_idle())
        );
        let nested = all.filter(|place| place.nested).map(|place| place.call);
        let nested: BTreeSet<CallId> = nested.collect();
        assert!(queue.nested().eq(nested));
    }

    #[test]
    fn calls_without_priorities_leave_nothing_behind() {
        let mut queue = Queue::default();
        for call in 0..10_000 {
            queue.insert(place(call, 2, 0.0));
        }
        for call in (1..10_000).filter(|call| call % 100 != 0) {
            queue.remove(place(call, 2, 0.0));
        }
        assert!(queue.ranked.len() == 0 && queue.plain.len() == 100);
        assert_eq!(order(queue), (0..100).map(|n| 100 * n).collect::<Vec<_>>());
    }

    #[test]
    fn an_empty_queue_needs_nothing() {
        let mut queue = Queue::default();
        queue.insert(place(1, 1, 0.0));
        assert!(queue.pop().is_some());
        assert!(!queue.needs_idle() && queue.is_empty() && queue.bytes() == 0);
    }
}
