//! Calls as they were sent, beside what came of them: each can be made again, by `cord replay`.
//!
//! A run has a file of its own for them, laid out as a log; what many calls share, such as what the main script
//! defines, is in it once. Whoever looks for outcomes reads none of it.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::files::Contents;
use super::index::Index;
use super::record::{chunk, get, length, number, put, Record};
use super::{log, Key};
use cord_wire::outcome::KIND_VALUE;

/// The end of names.
pub const CALLS: &str = "calls";
/// What a record's body begins with: it is a call's, or other bytes that calls name.
const CALL: u8 = 1;
const BYTES: u8 = 2;
/// The call was lost with the process that made it: the number in the place of a reply's kind.
pub const LOST: u8 = 255;

/// Encoded: codec, head, buffers.
pub type Encoded = (u8, Vec<u8>, Vec<Vec<u8>>);

/// A part of a call's arguments: as it is, or the key of a record that has it.
#[derive(Debug)]
pub enum Part {
    Here(Vec<u8>),
    Elsewhere(Key),
}

/// A call as it lies in a file.
#[derive(Debug)]
pub struct Sent {
    pub function: String,
    pub module: String,
    /// The key of the record that has the world in which it was made.
    pub world: Key,
    pub service: u64,
    pub codec: u8,
    /// The head, then the buffers.
    pub parts: Vec<Part>,
    /// What came of it where that is not kept elsewhere, by the reply's kind; `LOST` with nothing.
    pub came: Option<(u8, Encoded)>,
}

/// What is told of a call.
#[derive(Debug)]
pub struct Told {
    pub key: Key,
    pub function: String,
    pub module: String,
    pub made: u32,
    pub service: u64,
    pub raised: bool,
    pub bytes: u64,
}

/// A call with all that it takes to make it again.
#[derive(Debug)]
pub struct Call {
    pub arguments: Encoded,
    /// None where nobody has written it down.
    pub world: Option<Vec<u8>>,
    /// What came of it, by the reply's kind; none where that is not kept any more.
    pub came: Option<(u8, Encoded)>,
    /// Something that it has read is another thing now: what.
    pub changed: Option<String>,
}

impl Sent {
    pub fn encode(&self) -> Vec<u8> {
        let mut to = vec![CALL, self.codec];
        to.extend(self.service.to_le_bytes());
        to.extend(self.world);
        put(&mut to, self.function.as_bytes());
        put(&mut to, self.module.as_bytes());
        number(&mut to, self.parts.len());
        for part in &self.parts {
            match part {
                Part::Here(bytes) => {
                    to.push(0);
                    put(&mut to, bytes);
                }
                Part::Elsewhere(key) => {
                    to.push(1);
                    to.extend(key);
                }
            }
        }
        if let Some((kind, (codec, head, buffers))) = &self.came {
            to.extend([1, *kind, *codec]);
            put(&mut to, head);
            number(&mut to, buffers.len());
            buffers.iter().for_each(|buffer| put(&mut to, buffer));
        } else {
            to.push(0);
        }
        to
    }

    pub fn decode(bytes: &[u8]) -> Option<Sent> {
        let rest = &mut &*bytes;
        let [CALL, codec] = *chunk(rest)? else {
            return None;
        };
        let service = u64::from_le_bytes(*chunk(rest)?);
        let world = *chunk(rest)?;
        let mut text = || String::from_utf8(get(rest)?.to_vec()).ok();
        let (function, module) = (text()?, text()?);
        let count = length(rest)?;
        let part = |_| match chunk(rest)? {
            [0] => Some(Part::Here(get(rest)?.to_vec())),
            [_] => Some(Part::Elsewhere(*chunk(rest)?)),
        };
        let parts = (0..count).map(part).collect::<Option<_>>()?;
        let came = match chunk(rest)? {
            [0] => None,
            [_] => {
                let [kind, codec] = *chunk(rest)?;
                let head = get(rest)?.to_vec();
                let count = length(rest)?;
                let buffers = (0..count).map(|_| Some(get(rest)?.to_vec()));
                Some((kind, (codec, head, buffers.collect::<Option<_>>()?)))
            }
        };
        Some(Sent {
            function,
            module,
            world,
            service,
            codec,
            parts,
            came,
        })
    }

    pub fn has_raised(&self) -> bool {
        self.came.as_ref().is_some_and(|came| came.0 != KIND_VALUE)
    }

    /// The records that it names.
    fn names(&self) -> impl Iterator<Item = Key> + '_ {
        let parts = self.parts.iter().filter_map(|part| match part {
            Part::Elsewhere(key) => Some(*key),
            Part::Here(_) => None,
        });
        parts.chain([self.world])
    }
}

/// Bytes that calls name, as they lie in a file.
pub fn bytes_record(bytes: &[u8]) -> Vec<u8> {
    [&[BYTES], bytes].concat()
}

/// A record as it is written.
pub fn framed(key: Key, made: u32, body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(log::HEAD + body.len());
    if let Some(head) = log::Head::of(body, made, key) {
        head.write(&mut bytes);
        bytes.extend(body);
    }
    bytes
}

#[derive(Debug, Clone, Copy)]
struct Place {
    file: usize,
    offset: u64,
    length: u32,
    made: u32,
}

/// All calls that are written down in a folder.
#[derive(Debug)]
pub struct Calls {
    folder: PathBuf,
    files: Vec<PathBuf>,
    places: HashMap<Key, Place>,
    outcomes: Index,
    contents: Contents,
}

impl Calls {
    /// Reads where they are.
    ///
    /// # Errors
    /// The folder cannot be read, or is somebody else's.
    pub fn open(folder: &Path) -> io::Result<Calls> {
        super::look_at(folder)?;
        let files = files_of(folder)?;
        let mut places = HashMap::new();
        for (file, path) in files.iter().enumerate() {
            let _ = log::heads(path, 0, |offset, head| {
                let (length, made) = (head.length, head.made);
                let place = Place {
                    file,
                    offset,
                    length,
                    made,
                };
                places.insert(head.key, place); // of two that are alike the newer one
            });
        }
        Ok(Calls {
            outcomes: Index::read(folder)?,
            folder: folder.to_owned(),
            files,
            places,
            contents: Contents::default(),
        })
    }

    fn body(&self, place: Place) -> Option<Vec<u8>> {
        log::read(&self.files[place.file], place.offset, place.length)
    }

    fn sent(&self, key: &Key) -> Option<(Place, Sent)> {
        let place = *self.places.get(key)?;
        Some((place, Sent::decode(&self.body(place)?)?))
    }

    fn bytes(&self, key: &Key) -> Option<Vec<u8>> {
        let mut body = self.body(*self.places.get(key)?)?;
        (!body.is_empty() && body.remove(0) == BYTES).then_some(body)
    }

    /// The keys, the newest first.
    fn keys(&self) -> Vec<Key> {
        let mut keys: Vec<_> = self.places.iter().collect();
        keys.sort_by_key(|(_, place)| std::cmp::Reverse((place.made, place.file, place.offset)));
        keys.into_iter().map(|(key, _)| *key).collect()
    }

    /// What is told of each call, the newest first.
    pub fn told(&self) -> Vec<Told> {
        let told = self.keys().into_iter().filter_map(|key| {
            let (place, sent) = self.sent(&key)?;
            Some(Told {
                raised: sent.has_raised(),
                key,
                function: sent.function,
                module: sent.module,
                made: place.made,
                service: sent.service,

                bytes: log::HEAD as u64 + u64::from(place.length),
            })
        });
        told.collect()
    }

    /// One of them, with all that it takes; none where something of that is gone.
    pub fn get(&mut self, key: &Key) -> Option<Call> {
        let (_, sent) = self.sent(key)?;
        let mut parts = Vec::with_capacity(sent.parts.len());
        for part in sent.parts {
            parts.push(match part {
                Part::Here(bytes) => bytes,
                Part::Elsewhere(key) => self.bytes(&key)?,
            });
        }
        let head = (!parts.is_empty()).then(|| parts.remove(0))?;
        let (came, changed) = match sent.came {
            Some(came) => (Some(came), None),
            None => self.outcome(key),
        };
        Some(Call {
            arguments: (sent.codec, head, parts),
            world: self.bytes(&sent.world),
            came,
            changed,
        })
    }

    fn outcome(&mut self, key: &Key) -> (Option<(u8, Encoded)>, Option<String>) {
        let found = self.outcomes.find(key).and_then(|entry| {
            let log = self.folder.join(&*entry.log);
            Record::decode(&log::read(&log, entry.offset, entry.length)?, key)
        });
        let Some(record) = found else {
            return (None, None);
        };
        let changed = self.contents.still(&record.reads).err();
        let encoded = (record.codec, record.head, record.buffers);
        (Some((record.kind, encoded)), changed)
    }
}

fn files_of(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for one in fs::read_dir(folder)? {
        let path = one?.path();
        if path.extension().is_some_and(|end| end == CALLS) {
            files.push(path);
        }
    }
    files.sort(); // the oldest first
    Ok(files)
}

/// Writes the calls that stay to a new file, the newest as far as there is room, and removes the files that they
/// were in.
pub fn rewrite(
    folder: &Path,
    room: u64,
    is_own: impl Fn(&Path) -> bool,
    mut stays: impl FnMut(&Key, &Sent) -> bool,
) -> io::Result<()> {
    let calls = Calls::open(folder)?;
    let own: HashSet<_> = (0..calls.files.len())
        .filter(|file| is_own(&calls.files[*file]))
        .collect();
    let mut left = room;
    let (mut shared, mut kept) = (HashSet::new(), Vec::new());
    for key in calls.keys() {
        let Some((place, sent)) = calls.sent(&key) else {
            continue;
        };
        if !own.contains(&place.file) || !stays(&key, &sent) {
            continue;
        }
        let named: Vec<Key> = sent.names().filter(|key| !shared.contains(key)).collect();
        let sizes = named.iter().filter_map(|key| calls.places.get(key));
        let size = sizes.map(|place| u64::from(place.length)).sum::<u64>();
        let size = size + u64::from(place.length);
        if size > left {
            break;
        }
        left -= size;
        shared.extend(named);
        kept.push(key);
    }
    // named before all that are there: of two records of one key the one that is not written anew is newer
    let path = folder.join(format!("{:010}{}.{CALLS}", 0, &log::stem()[10..]));
    for key in shared.iter().chain(kept.iter().rev()) {
        let Some((place, body)) = calls
            .places
            .get(key)
            .and_then(|place| Some((place, calls.body(*place)?)))
        else {
            continue;
        };
        log::append(&path, &framed(*key, place.made, &body), false)?;
    }
    for file in own {
        fs::remove_file(&calls.files[file])?;
    }
    Ok(())
}
