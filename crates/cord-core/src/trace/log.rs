//! Writing a run down while it goes on.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::time::{clock_gettime, ClockId};

use super::{Record, Stamped, CHUNK, END, HEAD, MAGIC, RECORDS};
use cord_dispatch::dispatcher::{original, Nanos};
use cord_os::descriptor::Descriptor;
use cord_os::memory::write_to;
use cord_os::threads::thread_time;

/// Records are written to the file once they are so many bytes.
const FULL: usize = 256 * 1024;
/// Bytes before the records of a chunk: the time that the first one's is counted from.
const BASE: usize = 8;

/// The clock that all of this is counted by: nanoseconds, the same for all processes of a machine.
fn monotonic() -> Nanos {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

/// Where a run is written down. Threads may write at once; in a forked child nothing is written.
#[derive(Debug)]
pub struct Log {
    file: Descriptor,
    process: u32,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// When the session began, by the machine's clock.
    began: Nanos,
    chunk: Vec<u8>,
    last: Nanos,
    /// What went wrong; nothing is written after that.
    failed: Option<io::Error>,
    is_open: bool,
}

impl Log {
    /// Begins a log.
    ///
    /// # Args
    /// `file`: open for writing, and empty. `head`: what is known of the run before, in JSON.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn begin(file: OwnedFd, head: &str) -> io::Result<Log> {
        let file = Descriptor::new(file);
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&framed(HEAD, head.as_bytes()));
        write_to(file.get()?, &bytes)?;
        Ok(Log {
            file,
            process: std::process::id(),
            state: Mutex::new(State {
                began: monotonic(),
                chunk: Vec::new(),
                last: 0,
                failed: None,
                is_open: true,
            }),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The session's clock shows `now` at this moment.
    pub fn set_clock(&self, now: Nanos) {
        self.state().began = monotonic().saturating_sub(now);
    }

    /// What the session's clock shows.
    pub fn now(&self) -> Nanos {
        monotonic().saturating_sub(self.state().began)
    }

    /// Something has happened.
    pub fn write(&self, at: Nanos, what: Record) {
        let mut state = self.state();
        self.add(&mut state, at, what);
    }

    /// Something has happened just now.
    pub fn note(&self, what: Record) {
        let mut state = self.state();
        let at = monotonic().saturating_sub(state.began);
        self.add(&mut state, at, what);
    }

    /// Calls have run, by the clock of the replica's machine: [`cord_wire::wire::FIGURES`] of each.
    pub fn ran(&self, at: Nanos, replica: u32, times: &[u64]) {
        let mut state = self.state();
        let session = state.began;
        let since = |time: u64| time.wrapping_sub(session) as i64;
        for one in times.chunks_exact(4) {
            let ran = Record::Ran {
                replica,
                call: original(one[0]),
                began: since(one[1]),
                ended: since(one[2]),
                used: one[3],
            };
            self.add(&mut state, at, ran);
        }
    }

    fn add(&self, state: &mut State, at: Nanos, what: Record) {
        if !state.is_open || state.failed.is_some() {
            return;
        }
        if state.chunk.is_empty() {
            state.chunk.reserve(FULL + FULL / 8);
            state.chunk.extend_from_slice(&[0; CHUNK]);
            state.chunk.extend_from_slice(&at.to_le_bytes());
            state.last = at;
        }
        Stamped { at, what }.write(state.last, &mut state.chunk);
        state.last = at;
        if state.chunk.len() >= FULL {
            self.flush(state);
        }
    }

    fn flush(&self, state: &mut State) {
        if state.chunk.len() <= CHUNK + BASE {
            return;
        }
        let header = header(RECORDS, state.chunk.len() - CHUNK);
        state.chunk[..CHUNK].copy_from_slice(&header);
        self.put(state);
        state.chunk.clear();
    }

    fn put(&self, state: &mut State) {
        if self.process != std::process::id() {
            state.is_open = false; // a child has its own memory, but the file is the parent's
        } else {
            let file = self.file.get().map_err(io::Error::from);
            let written = file.and_then(|file| write_to(file, &state.chunk));
            state.failed = written.err();
        }
    }

    /// Ends it; whatever comes after that is not written.
    ///
    /// # Args
    /// `end`: what is known of the run now, in JSON.
    ///
    /// # Errors
    /// When something could not be written, now or before.
    pub fn end(&self, end: &str) -> io::Result<()> {
        let mut state = self.state();
        if !state.is_open {
            return Ok(());
        }
        if state.failed.is_none() {
            self.flush(&mut state);
        }
        if state.failed.is_none() {
            state.chunk = framed(END, end.as_bytes());
            self.put(&mut state);
        }
        state.is_open = false;
        state.failed.take().map_or(Ok(()), Err)
    }
}

fn header(kind: u8, bytes: usize) -> [u8; CHUNK] {
    let mut header = [kind; CHUNK];
    let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
    header[1..].copy_from_slice(&bytes.to_le_bytes());
    header
}

fn framed(kind: u8, body: &[u8]) -> Vec<u8> {
    let mut bytes = header(kind, body.len()).to_vec();
    bytes.extend_from_slice(body);
    bytes
}

/// In a replica: when its calls have run, until the client is told; nothing where it does not ask.
#[derive(Debug, Default)]
pub struct Times {
    wanted: bool,
    ran: Vec<u64>,
    /// Calls that run, and for how long their threads had used a core when they began.
    running: Vec<(u64, Duration)>,
}

impl Times {
    /// The client wants to be told.
    pub fn want(&mut self) {
        self.wanted = true;
    }

    /// A call begins just now, in this thread.
    pub fn begin(&mut self, call: u64) {
        if self.wanted {
            self.running.push((call, thread_time()));
        }
    }

    /// A call of this thread has ended just now, which took so long.
    pub fn add(&mut self, call: u64, took: Duration) {
        if self.wanted {
            let ended = monotonic();
            let nanos = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
            let begun = self.running.iter().rposition(|(other, _)| *other == call);
            let before = begun.map(|begun| self.running.swap_remove(begun).1);
            let used = before.map_or(took, |before| thread_time().saturating_sub(before));
            let took = nanos(took);
            self.ran
                .extend_from_slice(&[call, ended.saturating_sub(took), ended, nanos(used)]);
        }
    }

    /// What the client is to be told now: [`cord_wire::wire::FIGURES`] of each call.
    pub fn told(&mut self) -> Option<Vec<u64>> {
        (!self.ran.is_empty()).then(|| std::mem::take(&mut self.ran))
    }
}
