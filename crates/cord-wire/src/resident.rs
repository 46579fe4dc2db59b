//! Content that replicas keep: named by its digest, sent once, let go when it was not used for long.
//!
//! Where a call has such content among its buffers, only the name travels with it, unless the other
//! side is thought not to have the content. Whether it has is told by a [`Ledger`] that follows the
//! same rule as the replica's own [`Store`]; where it is wrong, for calls can come by other ways, the
//! replica asks.

use std::any::Any;
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::{Arc, OnceLock};

use crate::buffer::Buffer;
use crate::segment::{Segment, SHARED_FROM};
use cord_os::memory::copy_of;

/// The name of content: a digest, the same for the same bytes wherever they are. Nobody finds two
/// contents with one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key([u8; Key::SIZE]);

impl Key {
    /// Bytes of a name.
    pub const SIZE: usize = 32;

    /// The name of these bytes.
    pub fn of(bytes: &[u8]) -> Key {
        Key(*blake3::hash(bytes).as_bytes())
    }

    /// Copies bytes that others may change meanwhile, to shared memory if they are many: the copy,
    /// and its name. They are read once.
    ///
    /// # Errors
    /// When there is no memory for a copy.
    pub fn of_copy(bytes: &[u8]) -> io::Result<(Key, Buffer)> {
        if bytes.len() >= SHARED_FROM {
            let mut hasher = blake3::Hasher::new();
            let copied = Segment::copy_from_and_show(bytes, |step| {
                hasher.update(step);
            });
            if let Ok(segment) = copied {
                let key = Key(*hasher.finalize().as_bytes());
                return Ok((key, Buffer::Shared(segment)));
            }
        }
        let copy = copy_of(bytes)?;
        Ok((Key::of(&copy), copy.into()))
    }

    pub fn from_bytes(bytes: &[u8]) -> Key {
        let mut key = [0; Key::SIZE];
        key.copy_from_slice(bytes);
        Key(key)
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// The bytes behind a name, wherever they are. They never change.
#[derive(Debug)]
pub struct Content {
    bytes: Buffer,
    /// What somebody has made of it, for as long as it is kept.
    made: OnceLock<Box<dyn Any + Send + Sync>>,
}

impl Content {
    /// Content of these bytes.
    pub fn new(bytes: Buffer) -> Arc<Content> {
        Arc::new(Content {
            bytes,
            made: OnceLock::new(),
        })
    }

    /// The bytes.
    pub fn bytes(&self) -> &Buffer {
        &self.bytes
    }

    /// What was made of it before.
    pub fn made<T: 'static>(&self) -> Option<&T> {
        self.made.get().and_then(|made| made.downcast_ref())
    }

    /// Keeps what was made of it; the first that is given stays.
    pub fn keep_made<T: Any + Send + Sync>(&self, made: T) {
        let _ = self.made.set(Box::new(made));
    }
}

/// A buffer of a payload that replicas keep.
#[derive(Debug, Clone)]
pub struct Resident {
    /// Its name.
    pub key: Key,
    /// What it is to whoever reads the payload.
    pub form: u32,
    /// Length in bytes.
    pub len: usize,
    /// The content; none while only the name has come.
    pub content: Option<Arc<Content>>,
}

impl Resident {
    /// The same without its content.
    pub fn name(&self) -> Resident {
        Resident {
            content: None,
            ..*self
        }
    }
}

/// How much is kept at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Most {
    /// So many bytes of content.
    pub bytes: usize,
    /// So many contents: each may hold a descriptor.
    pub count: usize,
}

impl Most {
    /// So many bytes, and as many contents as a process has descriptors to spare for.
    pub fn of_bytes(bytes: usize) -> Most {
        Most { bytes, count: 128 }
    }
}

/// How many bytes of content are kept where nobody asked for another bound.
pub const RESIDENT_BYTES: usize = 512 << 20;

impl Default for Most {
    fn default() -> Most {
        Most::of_bytes(RESIDENT_BYTES)
    }
}

/// Something by name, within a bound; what was not used for longest makes room.
#[derive(Debug)]
pub struct Store<T> {
    most: Most,
    bytes: usize,
    known: HashMap<Key, Known<T>>,
    /// When what was last used; the first is the next to go.
    used: BTreeMap<u64, Key>,
    uses: u64,
}

#[derive(Debug)]
struct Known<T> {
    value: T,
    len: usize,
    used: u64,
}

/// The names of what a replica is thought to have.
pub type Ledger = Store<()>;

impl<T: Clone> Store<T> {
    /// An empty one.
    pub fn new(most: Most) -> Store<T> {
        Store {
            most,
            bytes: 0,
            known: HashMap::new(),
            used: BTreeMap::new(),
            uses: 0,
        }
    }

    /// What has this name, which is used now.
    pub fn get(&mut self, key: &Key) -> Option<T> {
        let known = self.known.get_mut(key)?;
        self.uses += 1;
        self.used.remove(&known.used);
        known.used = self.uses;
        self.used.insert(self.uses, *key);
        Some(known.value.clone())
    }

    /// Keeps this under its name, which is used now. What is larger than the bound is not kept.
    pub fn insert(&mut self, key: Key, len: usize, value: T) {
        if self.get(&key).is_some() || len > self.most.bytes || self.most.count == 0 {
            return;
        }
        while self.bytes + len > self.most.bytes || self.known.len() >= self.most.count {
            self.evict();
        }
        self.uses += 1;
        self.bytes += len;
        self.used.insert(self.uses, key);
        let used = self.uses;
        self.known.insert(key, Known { value, len, used });
    }

    fn evict(&mut self) {
        if let Some((_, key)) = self.used.pop_first() {
            if let Some(known) = self.known.remove(&key) {
                self.bytes -= known.len;
            }
        }
    }

    /// Bytes of all that is kept.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u8) -> Key {
        Key::of(&[number])
    }

    fn store(bytes: usize, count: usize) -> Store<u8> {
        Store::new(Most { bytes, count })
    }

    #[test]
    fn equal_bytes_have_one_name_and_others_another() {
        assert_eq!(Key::of(b"abc"), Key::of(&b"abc"[..]));
        assert_ne!(Key::of(b"abc"), Key::of(b"abd"));
        for len in [3, SHARED_FROM, 5 * SHARED_FROM + 17] {
            let bytes = vec![7; len];
            let (key, copy) = Key::of_copy(&bytes).unwrap();
            assert!(key == Key::of(&bytes) && copy.as_slice() == bytes);
        }
        assert_eq!(Key::from_bytes(key(1).as_bytes()), key(1));
    }

    #[test]
    fn what_was_not_used_for_longest_makes_room() {
        let mut store = store(100, 10);
        for number in [1, 2, 3] {
            store.insert(key(number), 30, number);
        }
        assert_eq!(store.get(&key(1)), Some(1));
        store.insert(key(4), 50, 4);
        assert_eq!(store.get(&key(2)), None);
        assert_eq!(store.get(&key(3)), None);
        assert_eq!((store.get(&key(1)), store.get(&key(4))), (Some(1), Some(4)));
        assert_eq!(store.bytes(), 80);
    }

    #[test]
    fn it_stays_within_bytes_and_count() {
        let mut store = store(100, 3);
        for number in 0..50 {
            store.insert(key(number), usize::from(number), number);
            assert!(store.bytes() <= 100 && store.known.len() <= 3);
            assert_eq!(store.used.len(), store.known.len());
        }
        let kept: Vec<u8> = (0..50).filter(|n| store.get(&key(*n)).is_some()).collect();
        assert_eq!(kept, [48, 49]);
    }

    #[test]
    fn what_is_larger_than_the_bound_drives_nothing_out() {
        let mut store = store(100, 3);
        store.insert(key(1), 60, 1);
        store.insert(key(2), 101, 2);
        assert_eq!((store.get(&key(1)), store.get(&key(2))), (Some(1), None));
    }

    #[test]
    fn the_same_again_counts_once() {
        let mut store = store(100, 3);
        store.insert(key(1), 60, 1);
        store.insert(key(1), 60, 1);
        assert_eq!(store.bytes(), 60);
    }

    #[test]
    fn a_ledger_knows_what_a_store_that_hears_the_same_has() {
        let bound = Most {
            bytes: 200,
            count: 5,
        };
        let (mut ledger, mut store) = (Ledger::new(bound), Store::new(bound));
        let mut dice = 7_u64;
        for _ in 0..10_000 {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let number = (dice >> 40) as u8 % 12;
            let there = ledger.get(&key(number)).is_some();
            assert_eq!(store.get(&key(number)).is_some(), there);
            if !there {
                let len = usize::from(number) * 10;
                ledger.insert(key(number), len, ());
                store.insert(key(number), len, ());
            }
        }
    }

    #[test]
    fn what_was_made_of_content_stays_with_it() {
        let content = Content::new(vec![1].into());
        assert!(content.made::<String>().is_none());
        content.keep_made(String::from("one"));
        content.keep_made(String::from("two"));
        assert_eq!(content.made::<String>().map(String::as_str), Some("one"));
        assert!(content.made::<u8>().is_none());
    }
}
