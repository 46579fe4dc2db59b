//! What a store holds, and where: read when a run begins, from what each log's last writer has left beside it, or
//! else from the log itself.

use std::collections::HashMap;
use std::fs;
use std::hash::{BuildHasherDefault, Hasher};
use std::io;
use std::path::Path;
use std::sync::Arc;

use super::{log, now, Key};

/// Ends of names.
pub const LOG: &str = "log";
pub const INDEX: &str = "index";
/// A row of an index: key, offset, length, when it was made, when it was last used.
const ROW: usize = 16 + 8 + 4 + 4 + 4;
/// That an outcome was used is written again after this many seconds.
const A_DAY: u32 = 24 * 60 * 60;

/// Where an outcome is.
#[derive(Debug, Clone)]
pub struct Entry {
    pub log: Arc<str>,
    pub offset: u64,
    pub length: u32,
    pub made: u32,
    pub used: u32,
}

/// The same in short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    log: u32,
    length: u32,
    offset: u64,
    made: u32,
    used: u32,
}

/// Keys are digests: they need no mixing.
#[derive(Debug, Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        if let Some(first) = bytes.first_chunk() {
            self.0 ^= u64::from_le_bytes(*first);
        }
    }

    fn write_usize(&mut self, _: usize) {}
}

/// The logs in a folder, the oldest first: of two outcomes the newer one holds.
fn names_in(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for one in fs::read_dir(folder)? {
        let name = one?.file_name().to_string_lossy().into_owned();
        if name.ends_with(&format!(".{LOG}")) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// What the logs hold.
#[derive(Debug, Default)]
pub struct Index {
    places: HashMap<Key, Place, BuildHasherDefault<Mixed>>,
    logs: Vec<Arc<str>>,
    /// Up to where each is read.
    ends: Vec<u64>,
    /// Used in this run, for the first time since long.
    used: Vec<Key>,
}

impl Index {
    /// Reads what a folder holds.
    pub fn read(folder: &Path) -> io::Result<Index> {
        let mut index = Index::default();
        for name in names_in(folder)? {
            index.add_log(folder, &name);
        }
        Ok(index)
    }

    /// Reads what others have added since.
    pub fn catch_up(&mut self, folder: &Path) -> io::Result<()> {
        for name in names_in(folder)? {
            let number = self.number(&name);
            let path = folder.join(&name);
            let end = self.ends[number as usize];
            if fs::metadata(&path)?.len() > end {
                self.read_log(&path, number, end)?;
            }
        }
        Ok(())
    }

    fn read_log(&mut self, path: &Path, number: u32, from: u64) -> io::Result<usize> {
        let mut more = 0;
        log::heads(path, from, |offset, head| {
            more += 1;
            self.insert(head.key, number, offset, head.length, head.made);
        })?;
        Ok(more)
    }

    fn add_log(&mut self, folder: &Path, name: &str) {
        let path = folder.join(name);
        let number = self.number(name);
        let (end, is_whole) = self.read_rows(&path.with_extension(INDEX), number);
        let more = self.read_log(&path, number, end).unwrap_or(0);
        if more > 0 && !is_whole {
            let _ = self.write_rows(folder, name); // the next one has it easier; if not, nothing is lost
        }
    }

    fn number(&mut self, name: &str) -> u32 {
        let known = self.logs.iter().position(|log| &**log == name);
        let number = known.unwrap_or_else(|| {
            self.logs.push(name.into());
            self.ends.push(0);
            self.logs.len() - 1
        });
        u32::try_from(number).unwrap_or(u32::MAX)
    }

    /// Rows that are beside a log: where the log ends that they tell of, and whether that is known.
    fn read_rows(&mut self, path: &Path, number: u32) -> (u64, bool) {
        let Ok(bytes) = log::open(path).and_then(|_| fs::read(path)) else {
            return (0, false);
        };
        let Some((body, digest)) = bytes.split_last_chunk::<32>() else {
            return (0, false);
        };
        if blake3::hash(body).as_bytes() != digest || body.len() % ROW != 0 {
            return (0, false);
        }
        let mut end = 0;
        self.places.reserve(body.len() / ROW);
        for row in body.chunks_exact(ROW) {
            let (Some(key), number_at) = (row.first_chunk(), |at: usize| {
                let four = row[at..].first_chunk();
                four.map_or(0, |four| u32::from_le_bytes(*four))
            }) else {
                continue;
            };
            let offset = row[16..]
                .first_chunk()
                .map_or(0, |eight| u64::from_le_bytes(*eight));
            let (length, made, used) = (number_at(24), number_at(28), number_at(32));
            if length == 0 {
                if let Some(place) = self.places.get_mut(key) {
                    place.used = place.used.max(used);
                }
                continue;
            }
            self.insert(*key, number, offset, length, made);
            if let Some(place) = self.places.get_mut(key) {
                place.used = used;
            }
            end = end.max(offset + log::HEAD as u64 + u64::from(length));
        }
        (end, true)
    }

    /// Writes beside a log what it holds, and what was used in this run.
    pub fn write_rows(&self, folder: &Path, name: &str) -> io::Result<()> {
        let number = self.logs.iter().position(|log| &**log == name);
        let mut rows = Vec::new();
        let mut row = |key: &Key, offset: u64, length: u32, made: u32, used: u32| {
            rows.extend(key);
            rows.extend(offset.to_le_bytes());
            for four in [length, made, used] {
                rows.extend(four.to_le_bytes());
            }
        };
        for (key, place) in &self.places {
            if Some(place.log as usize) == number {
                row(key, place.offset, place.length, place.made, place.used);
            }
        }
        let used = now();
        self.used.iter().for_each(|key| row(key, 0, 0, 0, used));
        let digest = blake3::hash(&rows);
        rows.extend(digest.as_bytes());
        log::replace(&folder.join(name).with_extension(INDEX), &rows)
    }

    /// Whether anything was used that has to be written.
    pub fn has_used(&self) -> bool {
        !self.used.is_empty()
    }

    fn insert(&mut self, key: Key, log: u32, offset: u64, length: u32, made: u32) {
        let used = made;
        let place = Place {
            log,
            length,
            offset,
            made,
            used,
        };
        self.places.insert(key, place);
        let end = offset + log::HEAD as u64 + u64::from(length);
        if let Some(own) = self.ends.get_mut(log as usize) {
            *own = end.max(*own);
        }
    }

    /// Where the outcome of a key is; it is only asked.
    pub fn place(&self, key: &Key) -> Option<Place> {
        self.places.get(key).copied()
    }

    /// One more is in a log.
    pub fn add(&mut self, name: &str, key: Key, offset: u64, length: u32) {
        let number = self.number(name);
        self.insert(key, number, offset, length, now());
    }

    /// The same of one that was somewhere else, made and used as it was there.
    pub fn add_used(&mut self, name: &str, key: Key, offset: u64, before: &Entry) {
        let number = self.number(name);
        self.insert(key, number, offset, before.length, before.made);
        if let Some(place) = self.places.get_mut(&key) {
            place.used = before.used;
        }
    }

    /// Where the outcome of a key is; it is used now.
    pub fn find(&mut self, key: &Key) -> Option<Entry> {
        let place = self.places.get_mut(key)?;
        let time = now();
        if time > place.used.saturating_add(A_DAY) {
            place.used = time;
            self.used.push(*key);
        }
        let place = *place;
        self.entry(place)
    }

    fn entry(&self, place: Place) -> Option<Entry> {
        let log = self.logs.get(place.log as usize)?;
        Some(Entry {
            log: Arc::clone(log),
            offset: place.offset,
            length: place.length,
            made: place.made,
            used: place.used,
        })
    }

    /// All there is, what was used last first.
    pub fn entries(&self) -> Vec<(Key, Entry)> {
        let all = self.places.iter();
        let mut all: Vec<_> = all
            .filter_map(|(key, place)| Some((*key, self.entry(*place)?)))
            .collect();
        all.sort_by_key(|(key, entry)| (std::cmp::Reverse(entry.used), *key));
        all
    }

    /// The time in the name of the newest log.
    pub fn newest(&self) -> u32 {
        let time = |name: &Arc<str>| name.split('-').next()?.parse().ok();
        self.logs.iter().filter_map(time).max().unwrap_or(0)
    }

    /// Its logs.
    pub fn logs(&self) -> &[Arc<str>] {
        &self.logs
    }
}
