//! What the scout of a generator yields, for who reads it.
//!
//! The generator's scout is a strand of its own, the producer. It runs ahead of who reads, by a bounded
//! number of items, so that calls it makes are issued early. Items stand in the order of the program,
//! like calls: a strand that the producer starts puts what it yields into a group.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::place::cut_behind;
use super::refusal::Told;

/// So many items wait to be read before the producer does.
const MOST_AHEAD: usize = 1_000;

enum Entry<V> {
    Item(V),
    Group(Items<V>),
}

impl<V> Entry<V> {
    fn count(&self) -> usize {
        match self {
            Entry::Item(_) => 1,
            Entry::Group(inner) => locked(&inner.group).entries.iter().map(Entry::count).sum(),
        }
    }

    fn is_of(&self, items: &Items<V>) -> bool {
        matches!(self, Entry::Group(inner) if Arc::ptr_eq(&inner.group, &items.group))
    }
}

struct Group<V> {
    entries: VecDeque<Entry<V>>,
    /// The strand that puts items here has ended.
    closed: bool,
    /// It ended before its end, for this.
    failed: Option<Told>,
}

/// Who waits at the ends of a stream, by the numbers of their strands.
#[derive(Default)]
struct Ends {
    count: AtomicUsize,
    reader: Mutex<Option<u64>>,
    producer: Mutex<Option<u64>>,
}

/// What one strand of a producer yields.
pub struct Items<V> {
    group: Arc<Mutex<Group<V>>>,
    ends: Arc<Ends>,
}

/// What comes next.
#[derive(Debug, PartialEq, Eq)]
pub enum Next<V> {
    /// This.
    Item(V),
    /// It is not there yet.
    Missing,
    /// Nobody knows, for this.
    Failed(Told),
    /// Nothing.
    End,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<V> Clone for Items<V> {
    fn clone(&self) -> Self {
        Self {
            group: Arc::clone(&self.group),
            ends: Arc::clone(&self.ends),
        }
    }
}

impl<V> Default for Items<V> {
    fn default() -> Self {
        Self::at(Arc::default())
    }
}

impl<V> Items<V> {
    fn at(ends: Arc<Ends>) -> Self {
        let group = Group {
            entries: VecDeque::new(),
            closed: false,
            failed: None,
        };
        Self {
            group: Arc::new(Mutex::new(group)),
            ends,
        }
    }

    /// Where a strand puts its items that is started now.
    pub(super) fn inner(&self) -> Self {
        let inner = Self::at(Arc::clone(&self.ends));
        let entry = Entry::Group(inner.clone());
        locked(&self.group).entries.push_back(entry);
        inner
    }

    /// One more item; whether the producer is to wait until some are read.
    pub(super) fn push(&self, item: V, producer: u64) -> bool {
        locked(&self.group).entries.push_back(Entry::Item(item));
        let full = self.ends.count.fetch_add(1, Ordering::Relaxed) >= MOST_AHEAD;
        if full {
            *locked(&self.ends.producer) = Some(producer);
        }
        full
    }

    /// Drops what stands behind a strand's items, and before those of `end`.
    pub(super) fn discard_behind(&self, strand: &Items<V>, end: Option<&Items<V>>) {
        let dropped = cut_behind(&mut locked(&self.group).entries, Entry::is_of, strand, end);
        let count = dropped.iter().map(Entry::count).sum();
        self.ends.count.fetch_sub(count, Ordering::Relaxed);
    }

    /// The strand that puts items here has ended, or has failed for this.
    pub(super) fn close(&self, failed: Option<Told>) {
        let mut group = locked(&self.group);
        group.closed = true;
        group.failed = failed;
    }

    /// The strand that waits for an item, if one does.
    pub(super) fn waiting_reader(&self) -> Option<u64> {
        locked(&self.ends.reader).take()
    }

    /// A strand waits for an item.
    pub fn await_item(&self, reader: u64) {
        *locked(&self.ends.reader) = Some(reader);
    }

    /// The next item, and the producer if that has waited until some are read.
    pub fn read(&self) -> (Next<V>, Option<u64>) {
        let next = self.next();
        if !matches!(next, Next::Item(_)) {
            return (next, None);
        }
        self.ends.count.fetch_sub(1, Ordering::Relaxed);
        let producer = locked(&self.ends.producer).take();
        (next, producer)
    }

    fn next(&self) -> Next<V> {
        let mut group = locked(&self.group);
        loop {
            let next = match group.entries.front() {
                None if !group.closed => return Next::Missing,
                None => {
                    let failed = group.failed.clone();
                    return failed.map_or(Next::End, Next::Failed);
                }
                Some(Entry::Group(inner)) => inner.next(),
                Some(Entry::Item(_)) => match group.entries.pop_front() {
                    Some(Entry::Item(item)) => return Next::Item(item),
                    _ => return Next::Failed(None),
                },
            };
            match next {
                Next::End => drop(group.entries.pop_front()),
                other => return other,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRODUCER: u64 = 3;

    fn read(items: &Items<u32>) -> Next<u32> {
        items.read().0
    }

    #[test]
    fn items_come_in_the_order_of_the_program() {
        let items = Items::default();
        items.push(1, PRODUCER);
        let strand = items.inner();
        items.push(4, PRODUCER);
        assert_eq!(read(&items), Next::Item(1));
        assert_eq!(read(&items), Next::Missing, "the strand comes first");
        strand.push(2, PRODUCER);
        strand.close(None);
        assert_eq!(read(&items), Next::Item(2));
        assert_eq!(read(&items), Next::Item(4));
        assert_eq!(read(&items), Next::Missing);
        items.close(None);
        assert_eq!(read(&items), Next::End);
    }

    #[test]
    fn nothing_is_known_behind_a_strand_that_failed() {
        let items = Items::default();
        items.inner().close(Some(None));
        items.push(1, PRODUCER);
        assert_eq!(read(&items), Next::Failed(None));
        assert_eq!(read(&items), Next::Failed(None));
    }

    #[test]
    fn a_producer_that_is_far_ahead_waits() {
        let items = Items::default();
        let full = (0..2000).position(|one| items.push(one, PRODUCER));
        assert_eq!(full, Some(MOST_AHEAD));
        assert_eq!(items.read(), (Next::Item(0), Some(PRODUCER)));
        assert_eq!(items.read(), (Next::Item(1), None), "it is woken once");
    }

    #[test]
    fn items_behind_a_strand_are_dropped_and_count_no_more() {
        let items = Items::default();
        let strand = items.inner();
        assert!(!(0..MOST_AHEAD as u32).any(|one| items.push(one, PRODUCER)));
        items.inner().push(7, PRODUCER);
        items.discard_behind(&strand, None);
        assert!(!items.push(8, PRODUCER), "there is room");
        strand.close(None);
        assert_eq!(read(&items), Next::Item(8));
    }

    #[test]
    fn who_waits_is_told_once() {
        let items = Items::<u32>::default();
        items.await_item(9);
        assert_eq!(items.inner().waiting_reader(), Some(9));
        assert_eq!(items.waiting_reader(), None);
    }
}
