//! Outcomes that are kept from run to run: what comes of a call whose key is known is not asked of a replica.
//!
//! A folder has a log for each run that has kept anything: whoever keeps writes to one that nobody else writes to,
//! so that none waits for another. What all logs hold is read into memory when a run begins; an outcome itself when
//! a call asks for it. No log stays open, for the program may close any descriptor.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{channel, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{SystemTime, UNIX_EPOCH};

use cord_os::memory;
use cord_os::threads::spawn_quiet;
use cord_wire::buffer::Buffer;
use cord_wire::outcome::{Outcome, KIND_ERROR, KIND_VALUE};
use cord_wire::payload::Payload;
use cord_wire::reads;

use claims::Claims;
use files::Contents;
use flights::Led;
use index::Index;
use record::Record;
pub(crate) use recorder::Ended;
use recorder::Recorder;
use writer::{Note, Put, Writer};

pub mod calls;
mod carried;
mod claims;
mod files;
mod flights;
mod index;
mod log;
mod packed;
mod rates;
mod record;
mod recorder;
mod trim;
mod writer;

pub use carried::{export, import};
pub use flights::Flight;
pub use index::Entry;
pub use log::count_unread;
pub use rates::Rates;
pub use record::Told;

/// What tells a call from all others, in this run and in later ones.
pub type Key = [u8; 16];
/// Outcomes that wait to be written have this many bytes together at most; more are not kept.
const MOST_WAITING: usize = 256 << 20;

/// A call of which the outcome is kept, or may be there.
#[derive(Debug, Clone)]
pub struct Keep {
    pub key: Key,
    /// Where the code stands that it reaches: it counts where an outcome tells of lines.
    pub lines: u64,
    /// Exceptions are kept, too.
    pub errors: bool,
    /// It is of use for so many seconds; 0 for ever.
    pub ttl: u32,
    /// The key has the encoded arguments as they are: a result may tell of them by number.
    pub is_by_bytes: bool,
    pub function: Arc<str>,
}

/// A digest of these parts, and of what a call sends; none where there is no memory to read it in.
pub fn key_of(parts: &[&[u8]], payload: Option<&Payload>) -> Option<Key> {
    let mut hasher = blake3::Hasher::new();
    let mut add = |part: &[u8]| {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    };
    parts.iter().for_each(|part| add(part));
    if let Some(payload) = payload {
        add(&[payload.codec.0]);
        add(&payload.head);
        for buffer in &payload.buffers {
            add(buffer.bytes().ok()?);
        }
    }
    hasher.finalize().as_bytes().first_chunk().copied()
}

/// A key and lines, and what else is said of a call, in so many bytes.
pub const KEEP: usize = 16 + 8 + 4 + 1;
const IS_KEPT: u8 = 1;
const WITH_ERRORS: u8 = 2;
const BY_BYTES: u8 = 4;

impl Keep {
    /// As a copy of the program says it, but for the function.
    pub fn flat(&self) -> [u8; KEEP] {
        let mut flat = [0; KEEP];
        flat[..16].copy_from_slice(&self.key);
        flat[16..24].copy_from_slice(&self.lines.to_le_bytes());
        let said = |is: bool, what: u8| if is { what } else { 0 };
        flat[24..28].copy_from_slice(&self.ttl.to_le_bytes());
        flat[28] = IS_KEPT | said(self.errors, WITH_ERRORS) | said(self.is_by_bytes, BY_BYTES);
        flat
    }

    /// The same of a function's call, if it is one that is kept.
    pub fn of_flat(flat: &[u8; KEEP], function: Arc<str>) -> Option<Keep> {
        let (key, rest) = flat.split_first_chunk()?;
        let (lines, rest) = rest.split_first_chunk()?;
        let said = |what: u8| flat[28] & what != 0;
        said(IS_KEPT).then_some(Keep {
            key: *key,
            lines: u64::from_le_bytes(*lines),
            ttl: u32::from_le_bytes(*rest.first_chunk()?),
            errors: said(WITH_ERRORS),
            is_by_bytes: said(BY_BYTES),
            function,
        })
    }
}

/// What has become of the calls of a function.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    pub hits: u64,
    /// What they took when they were made, in nanoseconds.
    pub saved: u64,
    pub misses: u64,
    /// What the slowest one took that this run has made or found, in nanoseconds.
    pub slowest: u64,
    pub kept: u64,
    /// What was not kept, by the reason.
    pub unkept: HashMap<String, u64>,
    /// What was there and held no more, by the reason.
    pub stale: HashMap<String, u64>,
}

/// A store, as a run has it.
#[derive(Debug)]
pub struct Kept {
    folder: PathBuf,
    /// Nothing until it was read.
    index: Mutex<Option<Index>>,
    is_read: Condvar,
    sender: Mutex<Option<Sender<Note>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    waiting: Mutex<usize>,
    tallies: Mutex<HashMap<Arc<str>, Tally>>,
    /// Calls under way.
    flights: Mutex<HashMap<Key, Led>>,
    /// What this run and others are at; nothing where that cannot be told.
    claims: Mutex<Option<Arc<Claims>>>,
    /// What functions are called, by their numbers.
    functions: Mutex<HashMap<u32, Arc<str>>>,
    contents: Contents,
    trouble: Mutex<Option<String>>,
    recorder: Recorder,
    most: u64,
    pid: u32,
}

impl Kept {
    /// Opens the store in a folder, which is made. It has `most` bytes at most when a run has ended.
    pub fn open(folder: &Path, most: u64) -> Arc<Kept> {
        let (sender, receiver) = channel();
        let kept = Arc::new(Kept {
            folder: folder.to_owned(),
            index: Mutex::default(),
            is_read: Condvar::new(),
            sender: Mutex::new(Some(sender)),
            thread: Mutex::default(),
            waiting: Mutex::default(),
            tallies: Mutex::default(),
            flights: Mutex::default(),
            claims: Mutex::default(),
            functions: Mutex::default(),
            contents: Contents::default(),
            trouble: Mutex::default(),
            recorder: Recorder::new(folder),
            most,
            pid: std::process::id(),
        });
        let own = Arc::clone(&kept);
        let began = spawn_quiet("cord-kept", move || {
            own.read();
            let writer = own
                .indexed()
                .as_ref()
                .map(|index| Writer::new(&own.folder, index));
            if let Some(writer) = writer {
                writer.run(&own, &receiver);
            }
        });
        match began {
            Ok(thread) => *locked(&kept.thread) = Some(thread),
            Err(error) => kept.fail("be read", &error),
        }
        kept
    }

    fn read(&self) {
        let index = usable(&self.folder).and_then(|()| Index::read(&self.folder));
        let index = index.unwrap_or_else(|error| {
            self.fail("be used", &error);
            Index::default()
        });
        if locked(&self.trouble).is_none() {
            *locked(&self.claims) = Claims::open(&self.folder).ok().map(Arc::new);
        }
        *locked(&self.index) = Some(index);
        self.is_read.notify_all();
    }

    /// Something is wrong with the store: the run goes on without it. The first says enough.
    fn fail(&self, what: &str, error: &io::Error) {
        let text = format!("{} cannot {what}: {error}", self.folder.display());
        locked(&self.trouble).get_or_insert(text);
        locked(&self.claims).take(); // nobody waits for other runs
        locked(&self.sender).take();
        locked(&self.index).get_or_insert_with(Index::default);
    }

    /// The rates that all runs keep which share the store.
    pub(crate) fn rates(&self) -> Option<Arc<Rates>> {
        usable(&self.folder).ok()?;
        Rates::open(&self.folder).ok()
    }

    /// A function has this number, and this name.
    pub fn name(&self, number: u32, function: &Arc<str>) {
        locked(&self.functions).insert(number, Arc::clone(function));
    }

    /// What the function with this number is called.
    pub fn function(&self, number: u32) -> Option<Arc<str>> {
        locked(&self.functions).get(&number).cloned()
    }

    /// What is wrong with it, in words.
    pub fn trouble(&self) -> Option<String> {
        locked(&self.trouble).clone()
    }

    /// What has become of calls, by their functions.
    pub fn tallies(&self) -> Vec<(Arc<str>, Tally)> {
        let all = locked(&self.tallies);
        all.iter()
            .map(|(name, one)| (Arc::clone(name), one.clone()))
            .collect()
    }

    fn tally(&self, function: &Arc<str>, change: impl FnOnce(&mut Tally)) {
        let mut all = locked(&self.tallies);
        match all.get_mut(function) {
            Some(one) => change(one),
            None => change(all.entry(Arc::clone(function)).or_default()),
        }
    }

    /// A call's outcome is not kept, and why.
    pub fn pass_by(&self, function: &Arc<str>, why: &str) {
        self.tally(function, |tally| {
            *tally.unkept.entry(why.to_owned()).or_default() += 1;
        });
    }

    /// What came of a call in an earlier run, and how long it took; none if that is not known, or holds no more.
    pub(crate) fn find(&self, keep: &Keep) -> Option<(Outcome, u64)> {
        let found = self.look_up(keep).transpose();
        self.tally(&keep.function, |tally| match &found {
            Some(Ok((_, service))) => {
                tally.hits += 1;
                tally.saved += service;
                tally.slowest = tally.slowest.max(*service);
            }
            Some(Err(why)) => {
                tally.misses += 1;
                *tally.stale.entry(why.clone()).or_default() += 1;
            }
            None => tally.misses += 1,
        });
        found?.ok()
    }

    /// The same; or why what is there holds no more.
    fn look_up(&self, keep: &Keep) -> Result<Option<(Outcome, u64)>, String> {
        if self.pid != std::process::id() {
            return Ok(None);
        }
        let found = self
            .indexed()
            .as_mut()
            .and_then(|index| index.find(&keep.key));
        let Some(found) = found else {
            return Ok(None);
        };
        // one from the future was made when the clock was wrong
        if keep.ttl > 0 && now().abs_diff(found.made) > keep.ttl {
            return Err("it is older than ttl says".into());
        }
        let bytes = log::read(&self.folder.join(&*found.log), found.offset, found.length);
        let record = bytes.and_then(|bytes| Record::decode(&bytes, &keep.key));
        let record = record.ok_or("what is in the store is damaged")?;
        if record.lines != 0 && record.lines != keep.lines {
            return Err("its code has moved, and what came of the call tells of lines".into());
        }
        if record.kind == KIND_ERROR && !keep.errors {
            return Ok(None);
        }
        let reads = self.contents.still(&record.reads)?;
        Ok(Some(record.into_outcome(&reads)))
    }

    /// The index, once it is read.
    fn indexed(&self) -> MutexGuard<'_, Option<Index>> {
        let index = locked(&self.index);
        let waited = self.is_read.wait_while(index, |index| index.is_none());
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    /// A call has come to its end: what came of it is kept, if it may be; whether it is.
    pub(crate) fn put(&self, flight: Flight, outcome: &Outcome, service: u64) -> bool {
        let keep = &flight.keep;
        self.tally(&keep.function, |tally| {
            tally.slowest = tally.slowest.max(service);
        });
        match self.to_be_kept(keep, outcome) {
            Ok((payload, output, kind)) => self.send(Put {
                flight,
                kind,
                payload,
                output,
                service,
            }),
            Err("") => return false,
            Err(why) => {
                self.pass_by(&keep.function, why);
                return false;
            }
        }
        true
    }

    /// Writes down a call that has come to its end, so that it can be made again.
    fn record(&self, keep: &Keep, ended: &Ended<'_>, is_kept: bool) {
        if self.pid == std::process::id() && locked(&self.trouble).is_none() {
            self.recorder.record(keep, ended, is_kept);
        }
    }

    /// What writes down calls.
    pub fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    fn to_be_kept(
        &self,
        keep: &Keep,
        outcome: &Outcome,
    ) -> Result<(Payload, Vec<u8>, u8), &'static str> {
        let Outcome::Reply {
            kind,
            payload,
            output,
        } = outcome
        else {
            return Err("");
        };
        match *kind {
            KIND_VALUE => {}
            KIND_ERROR if keep.errors => {}
            KIND_ERROR => return Err("it raised an exception, and keep is not \"all\""),
            _ => return Err("its reply could not be used, so the program made the call"),
        }
        let waiting = *locked(&self.waiting);
        if waiting > MOST_WAITING {
            return Err("the store is slower than the calls");
        }
        // what a result has of its arguments goes by their numbers
        let is_of_arguments = names_ours(&payload.head);
        if !keep.is_by_bytes && is_of_arguments {
            return Err(
                "what it gave has parts of its arguments, which are objects of the project's",
            );
        }
        let copy = copy_of(payload).map_err(|_| "there was no memory for a copy")?;
        Ok((copy, output.clone(), *kind))
    }

    fn send(&self, put: Put) {
        let bytes = put.bytes();
        let sender = locked(&self.sender).clone(); // what follows the call may ask for it once more
        if let Some(sender) = sender {
            *locked(&self.waiting) += bytes;
            let _ = sender.send(Note::Put(put));
        }
    }

    /// All that was given to it is written. The store is as small as it may be.
    pub fn close(&self) {
        self.recorder.close(self.pid == std::process::id());
        locked(&self.sender).take();
        let thread = locked(&self.thread).take();
        if self.pid != std::process::id() {
            std::mem::forget(thread); // it does not exist here
            return;
        }
        if let Some(thread) = thread {
            let _ = thread.join();
        }
    }
}

/// All that a store has, for who looks at it: what can be read of it.
///
/// # Errors
/// It cannot be looked at, or is somebody else's.
pub fn all(folder: &Path) -> io::Result<Vec<Told>> {
    look_at(folder)?;
    let index = Index::read(folder)?;
    let told = index.entries().into_iter().filter_map(|(key, entry)| {
        let bytes = log::read(&folder.join(&*entry.log), entry.offset, entry.length)?;
        Some(Record::decode(&bytes, &key)?.told(key, &entry))
    });
    Ok(told.collect())
}

/// Forgets what has come of the calls of one function, or of all. How many outcomes that were.
///
/// # Errors
/// It cannot be changed, or is somebody else's.
pub fn clear(folder: &Path, function: Option<&str>) -> io::Result<usize> {
    look_at(folder)?;
    let _lock = trim::lock(folder)?;
    let stays = |sent: &calls::Sent| function.is_some_and(|function| sent.function != function);
    calls::rewrite(folder, u64::MAX, |_| true, |_, sent| stays(sent))?;
    trim::clear(folder, function)
}

fn usable(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true).mode(0o700).create(folder)?;
    look_at(folder)
}

/// To read an outcome is to run what its writer wants: nobody else is to write there.
fn look_at(folder: &Path) -> io::Result<()> {
    let about = fs::metadata(folder)?;
    if !is_ours(&about) {
        let text = "it is not yours alone to write; chmod go-w, or name another folder";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, text));
    }
    Ok(())
}

/// Whether only this user may write there.
fn is_ours(about: &fs::Metadata) -> bool {
    // SAFETY: asks for a number.
    about.uid() == unsafe { libc::geteuid() } && about.mode() & 0o022 == 0
}

/// A copy that nobody else writes to: the program may change its arrays as soon as it has them.
fn copy_of(payload: &Payload) -> io::Result<Payload> {
    let own = |buffer: &Buffer| Ok(Buffer::from(memory::copy_of(buffer.bytes()?)?));
    let buffers: io::Result<_> = payload.buffers.iter().map(own).collect();
    Ok(Payload {
        codec: payload.codec,
        head: memory::copy_of(&payload.head)?,
        buffers: buffers?,
    })
}

/// Whether a pickle names something of Cord's: a short text that begins so.
fn names_ours(pickle: &[u8]) -> bool {
    let mut texts = pickle.windows(7);
    texts.any(|some| some[0] == 0x8c && some.ends_with(b"cord."))
}

/// Seconds since 1970.
fn now() -> u32 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        u32::try_from(since.as_secs()).unwrap_or(u32::MAX)
    })
}

/// Whether an output tells of nothing but what was written to the standard streams: no lines are in it.
fn has_no_lines(output: &[u8]) -> bool {
    reads::split(output).1.is_empty()
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
