//! A map by call, for calls that are numbered in a row.

use std::ops::Index;

use super::{CallId, IdMap};

/// So many numbers in a row stand on one page. A call that outlives its neighbours keeps their
/// places, too: a page is not to be large.
const PAGE: u64 = 32;
/// So many empty pages are kept for the next calls.
const SPARE: usize = 16;

/// What is known of each call. Neighbours stand side by side, so that calls which are issued, sent
/// and answered in a row are found in memory that was just read, however many there are. A page
/// that is done with is used for the next calls, while it is still in the cache.
#[derive(Debug, Clone)]
pub struct Table<V> {
    pages: IdMap<u64, Page<V>>,
    /// The page of the last call that was added. It stays, though it be empty: where calls end
    /// before the next is issued, no page is looked for.
    newest: u64,
    spare: Vec<Page<V>>,
    len: usize,
}

#[derive(Debug, Clone)]
struct Page<V> {
    values: Box<[Option<V>; PAGE as usize]>,
    used: usize,
}

impl<V> Default for Table<V> {
    fn default() -> Table<V> {
        Table {
            pages: IdMap::default(),
            newest: 0,
            spare: Vec::new(),
            len: 0,
        }
    }
}

impl<V> Default for Page<V> {
    fn default() -> Page<V> {
        Page {
            values: Box::new(std::array::from_fn(|_| None)),
            used: 0,
        }
    }
}

/// The page of a call, and its place there.
fn place(call: CallId) -> (u64, usize) {
    (call / PAGE, (call % PAGE) as usize)
}

impl<V> Table<V> {
    /// What is known of this call.
    pub fn get(&self, call: &CallId) -> Option<&V> {
        let (page, at) = place(*call);
        self.pages.get(&page)?.values[at].as_ref()
    }

    /// As [`Table::get`], to be changed.
    pub fn get_mut(&mut self, call: &CallId) -> Option<&mut V> {
        let (page, at) = place(*call);
        self.pages.get_mut(&page)?.values[at].as_mut()
    }

    /// Adds a call. Gives what was known of it before.
    pub fn insert(&mut self, call: CallId, value: V) -> Option<V> {
        let (page, at) = place(call);
        if page != self.newest {
            self.free_if_empty(self.newest);
            self.newest = page;
        }
        let spare = &mut self.spare;
        let entry = self.pages.entry(page);
        let page = entry.or_insert_with(|| spare.pop().unwrap_or_default());
        let before = page.values[at].replace(value);
        let new = usize::from(before.is_none());
        page.used += new;
        self.len += new;
        before
    }

    /// Takes a call out.
    pub fn remove(&mut self, call: &CallId) -> Option<V> {
        let (number, at) = place(*call);
        let page = self.pages.get_mut(&number)?;
        let value = page.values[at].take()?;
        page.used -= 1;
        self.len -= 1;
        if page.used == 0 && number != self.newest {
            self.free_if_empty(number);
        }
        Some(value)
    }

    fn free_if_empty(&mut self, number: u64) {
        if self.pages.get(&number).is_none_or(|page| page.used > 0) {
            return;
        }
        let page = self.pages.remove(&number);
        if self.spare.len() < SPARE {
            self.spare.extend(page);
        }
        if self.pages.capacity() > 1024 && self.pages.len() < self.pages.capacity() / 8 {
            self.pages.shrink_to(2 * self.pages.len());
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl<V> Index<&CallId> for Table<V> {
    type Output = V;

    fn index(&self, call: &CallId) -> &V {
        self.get(call).expect("the call is known")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::dice::Dice;
    use super::*;

    #[test]
    fn it_holds_what_a_plain_map_does() {
        for seed in 0..20 {
            let mut dice = Dice(seed);
            let (mut table, mut model) = (Table::default(), BTreeMap::new());
            for turn in 0..3000 {
                let call = turn / 2 + dice.below(1 + 40 * seed);
                match dice.below(4) {
                    0 | 1 => assert_eq!(table.insert(call, turn), model.insert(call, turn)),
                    2 => assert_eq!(table.remove(&call), model.remove(&call)),
                    _ => {
                        let (mine, plain) = (table.get_mut(&call), model.get_mut(&call));
                        assert_eq!(mine, plain);
                        *mine.into_iter().next().unwrap_or(&mut 0) += 1;
                        *plain.into_iter().next().unwrap_or(&mut 0) += 1;
                    }
                }
                assert_eq!(table.get(&call), model.get(&call));
                assert_eq!(table.is_empty(), model.is_empty());
            }
            for (call, value) in model {
                assert_eq!(table[&call], value);
                assert_eq!(table.remove(&call), Some(value));
            }
            assert!(table.is_empty() && table.pages.len() <= 1);
        }
    }

    #[test]
    fn pages_of_calls_that_have_ended_are_used_again() {
        let mut table = Table::default();
        for call in 0..100_000 {
            table.insert(call, call);
            if let Some(oldest) = u64::checked_sub(call, 99) {
                assert_eq!(table.remove(&oldest), Some(oldest));
            }
            assert!(table.pages.len() <= 5 && table.spare.len() <= 2);
        }
        for call in 100_000..200_000 {
            table.insert(call, call);
        }
        for call in 99_000..200_000 {
            table.remove(&call);
        }
        assert!(table.is_empty() && table.pages.len() == 1 && table.spare.len() == SPARE);
        assert!(table.pages.capacity() < 2048);
    }
}
