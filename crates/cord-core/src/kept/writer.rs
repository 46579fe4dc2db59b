//! The thread that writes what came of calls.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::flights::{Flight, Wait, Waits, LOOK};
use super::index::{Index, INDEX, LOG};
use super::record::Record;
use super::{has_no_lines, locked, log, now, trim, Kept};
use cord_wire::outcome::KIND_VALUE;
use cord_wire::payload::Payload;
use cord_wire::reads;

/// At most so long something is written that a machine which fails would lose.
const SYNC: Duration = Duration::from_millis(500);
/// So much is written at once.
const BATCH: usize = 1 << 20;

/// An outcome to be written.
#[derive(Debug)]
pub struct Put {
    pub flight: Flight,
    pub kind: u8,
    pub payload: Payload,
    pub output: Vec<u8>,
    pub service: u64,
}

/// What the thread is told of.
#[derive(Debug)]
pub enum Note {
    Put(Put),
    Wait(Wait),
}

impl Put {
    pub fn bytes(&self) -> usize {
        self.payload.len() + self.output.len()
    }
}

/// The name of a log that is newer than those in the index, whatever the clock says.
pub fn new_name(index: &Index) -> String {
    let mut random = [0; 8];
    let _ = rustix::rand::getrandom(&mut random, rustix::rand::GetRandomFlags::empty());
    let random = u64::from_le_bytes(random);
    let time = now().max(index.newest().saturating_add(1));
    format!("{time:010}-{random:016x}.{LOG}")
}

pub struct Writer {
    name: String,
    path: PathBuf,
    has_written: bool,
    synced: Instant,
    is_dirty: bool,
}

impl Writer {
    pub fn new(folder: &Path, index: &Index) -> Writer {
        let name = new_name(index);
        Writer {
            path: folder.join(&name),
            name,
            has_written: false,
            synced: Instant::now(),
            is_dirty: false,
        }
    }

    /// Writes what comes, until nothing will.
    pub fn run(mut self, kept: &Kept, receiver: &Receiver<Note>) {
        let mut waits = Waits::default();
        loop {
            let sync = SYNC.saturating_sub(self.synced.elapsed());
            let first = match (self.is_dirty, waits.is_empty()) {
                (_, false) => receiver.recv_timeout(LOOK),
                (true, true) => receiver.recv_timeout(sync),
                (false, true) => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            let written = match first {
                Ok(first) => self.write(kept, first, receiver, &mut waits),
                Err(RecvTimeoutError::Timeout) => Ok(()),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if !waits.is_empty() {
                waits.look(kept);
            }
            let done = written.and_then(|()| self.sync());
            if let Err(error) = done {
                kept.fail("be written", &error);
                let waiting = receiver.try_iter().filter_map(|note| match note {
                    Note::Wait(wait) => Some(wait),
                    Note::Put(_) => None,
                });
                waiting.for_each(|wait| waits.add(wait));
                return waits.give_up();
            }
        }
        waits.give_up();
        let ended = self.end(kept);
        if let Err(error) = ended {
            kept.fail("be written", &error);
        }
    }

    fn write(
        &mut self,
        kept: &Kept,
        first: Note,
        more: &Receiver<Note>,
        waits: &mut Waits,
    ) -> io::Result<()> {
        let mut bytes = Vec::new();
        let mut keys = Vec::new();
        let mut next = Some(first);
        let mut flights = Vec::new(); // they end when what came of them can be found
        while let Some(note) = next {
            let put = match note {
                Note::Put(put) => put,
                Note::Wait(wait) => {
                    waits.add(wait);
                    next = more.try_recv().ok();
                    continue;
                }
            };
            *locked(&kept.waiting) -= put.bytes();
            let (key, function) = (put.flight.keep.key, put.flight.keep.function.clone());
            match record_of(kept, put) {
                Ok((flight, record)) => {
                    flights.push(flight);
                    let body = record.encode_for(&key);
                    if let Some(head) = log::Head::of(&body, now(), key) {
                        keys.push((key, bytes.len() as u64, head.length, function));
                        head.write(&mut bytes);
                        bytes.extend(body);
                    }
                }
                Err(why) => kept.pass_by(&function, &why),
            }
            next = (bytes.len() < BATCH)
                .then(|| more.try_recv().ok())
                .flatten();
        }
        if keys.is_empty() {
            return Ok(());
        }
        let at = log::append(&self.path, &bytes, false)?;
        (self.has_written, self.is_dirty) = (true, true);
        let mut index = kept.indexed();
        for (key, offset, length, function) in keys {
            if let Some(index) = &mut *index {
                index.add(&self.name, key, at + offset, length);
            }
            kept.tally(&function, |tally| tally.kept += 1);
        }
        drop(index);
        if let Some(claims) = &*locked(&kept.claims) {
            claims.tell();
        }
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        if self.is_dirty && self.synced.elapsed() >= SYNC {
            log::sync(&self.path)?;
            (self.synced, self.is_dirty) = (Instant::now(), false);
        }
        Ok(())
    }

    fn end(&mut self, kept: &Kept) -> io::Result<()> {
        if self.is_dirty {
            log::sync(&self.path)?;
        }
        let index = kept.indexed();
        let Some(index) = &*index else {
            return Ok(());
        };
        if self.has_written || index.has_used() {
            if !self.has_written {
                log::append(&self.path, &[], false)?;
            }
            index.write_rows(&kept.folder, &self.name)?;
        }
        debug_assert!(self.path.with_extension(INDEX) != self.path);
        trim::trim(&kept.folder, kept.most)
    }
}

/// As it is written, or why it is not.
fn record_of(kept: &Kept, put: Put) -> Result<(Flight, Record), String> {
    let Put {
        flight,
        kind,
        payload,
        output,
        service,
    } = put;
    let seen = kept.contents.of_output(&output)?;
    let buffers = payload
        .buffers
        .iter()
        .map(|buffer| Ok(buffer.bytes()?.to_vec()));
    let buffers: io::Result<_> = buffers.collect();
    let tells_lines = kind != KIND_VALUE || !has_no_lines(&output);
    let record = Record {
        function: flight.keep.function.to_string(),
        service,
        lines: if tells_lines { flight.keep.lines } else { 0 },
        kind,
        codec: payload.codec.0,
        reads: seen,
        output: reads::split(&output).1.to_vec(),
        head: payload.head,
        buffers: buffers.map_err(|_| "there was no memory for a copy".to_owned())?,
    };
    Ok((flight, record))
}
