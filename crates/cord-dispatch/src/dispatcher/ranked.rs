//! Calls by priority, where the best of them go and others come anywhere.

use std::collections::BTreeMap;

use super::CallId;
use cord_wire::priority::Priority;

/// A heap of more than so many is parted.
const LARGE: usize = 512;

/// By priority, then by age.
type Key = (Priority, CallId);

/// Calls with their bytes, the one with the largest priority first, of those the oldest.
///
/// Only the first some hundred are in order. The others lie in heaps, each of which holds what
/// belongs between its key and the next one's; a call that comes is laid on its heap, and a heap is
/// put in order when its turn comes. So a call that comes among a million others touches the short
/// list of heaps and the end of one of them, not a path through memory that has long left the cache.
#[derive(Debug, Clone, Default)]
pub struct Ranked {
    /// What goes before all heaps; not empty if any are there.
    front: BTreeMap<Key, usize>,
    heaps: BTreeMap<Key, Vec<(Key, usize)>>,
    len: usize,
}

impl Ranked {
    /// Adds a call that is not there.
    pub fn insert(&mut self, priority: Priority, call: CallId, bytes: usize) {
        let key = (priority, call);
        self.len += 1;
        let Some((_, heap)) = self.heaps.range_mut(..=key).next_back() else {
            self.front.insert(key, bytes);
            return self.part_front();
        };
        heap.push((key, bytes));
        if heap.len() > LARGE {
            let half = heap.len() / 2;
            heap.select_nth_unstable(half);
            let upper = heap.split_off(half);
            self.heaps.insert(upper[0].0, upper);
        }
    }

    fn part_front(&mut self) {
        if self.front.len() > LARGE {
            let half = self.front.keys().nth(LARGE / 2).copied();
            let upper = half.map(|key| (key, self.front.split_off(&key)));
            let heap = upper.map(|(key, upper)| (key, upper.into_iter().collect()));
            self.heaps.extend(heap);
        }
    }

    /// Takes a call out, if it is there.
    pub fn remove(&mut self, priority: Priority, call: CallId) -> bool {
        let key = (priority, call);
        let Some((bound, heap)) = self.heaps.range_mut(..=key).next_back() else {
            let found = self.front.remove(&key).is_some();
            self.len -= usize::from(found);
            self.fill_front();
            return found;
        };
        let Some(at) = heap.iter().position(|(other, _)| *other == key) else {
            return false;
        };
        heap.swap_remove(at);
        self.len -= 1;
        if heap.is_empty() {
            let bound = *bound;
            self.heaps.remove(&bound);
        }
        true
    }

    /// The first call.
    pub fn first(&self) -> Option<(Priority, CallId, usize)> {
        let ((priority, call), bytes) = self.front.first_key_value()?;
        Some((*priority, *call, *bytes))
    }

    /// Takes the first call out.
    pub fn pop(&mut self) {
        self.len -= usize::from(self.front.pop_first().is_some());
        self.fill_front();
    }

    fn fill_front(&mut self) {
        if self.front.is_empty() {
            if let Some((_, heap)) = self.heaps.pop_first() {
                self.front = heap.into_iter().collect();
            }
        }
    }

    /// How many calls there are.
    pub fn len(&self) -> usize {
        self.len
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::dice::Dice;
    use super::*;

    fn any(dice: &mut Dice, model: &BTreeSet<Key>) -> Option<Key> {
        let from = (Priority::new(dice.below(1000) as f64), 0);
        let found = model.range(from..).next();
        found.or(model.first()).copied()
    }

    #[test]
    fn it_is_in_order_however_many_come_and_go() {
        for seed in 0..8 {
            let mut dice = Dice(seed);
            let (mut ranked, mut model) = (Ranked::default(), BTreeSet::new());
            for call in 0..30_000 {
                // It grows for a while, and shrinks for a while.
                let grows = call % 10_000 < 7_000;
                match dice.below(10) {
                    0..=5 if grows => {
                        let key = (Priority::new(dice.below(1000) as f64), call);
                        ranked.insert(key.0, key.1, call as usize);
                        model.insert(key);
                    }
                    6..=7 => {
                        if let Some(key) = any(&mut dice, &model) {
                            assert!(model.remove(&key) && ranked.remove(key.0, key.1));
                            assert!(!ranked.remove(key.0, key.1));
                        }
                    }
                    _ => {
                        ranked.pop();
                        model.pop_first();
                    }
                }
                let first = model.first().map(|key| (key.0, key.1, key.1 as usize));
                assert_eq!(ranked.first(), first, "seed {seed}");
                assert_eq!(ranked.len(), model.len());
            }
            while let Some(key) = model.pop_first() {
                assert_eq!(
                    ranked.first().map(|(rank, call, _)| (rank, call)),
                    Some(key)
                );
                ranked.pop();
            }
            assert!(ranked.first().is_none() && ranked.len() == 0 && ranked.heaps.is_empty());
        }
    }

    #[test]
    fn what_comes_touches_one_heap_of_a_bounded_size() {
        let mut ranked = Ranked::default();
        let mut dice = Dice(1);
        for call in 0..100_000 {
            ranked.insert(Priority::new(dice.below(50) as f64), call, 0);
        }
        let sizes = || ranked.heaps.values().map(Vec::len);
        assert!(ranked.front.len() <= LARGE && sizes().all(|size| size <= LARGE));
        assert!(sizes().count() <= 1 + 2 * 100_000 / LARGE);
    }
}
