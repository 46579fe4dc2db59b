//! The parts of an item, read from a frame and from what came with it by descriptor.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use rustix::io::Errno;

use crate::buffer::Buffer;
use crate::came::Came;
use crate::resident::{Content, Key, Resident};
use crate::segment::Segment;
use crate::shortage::{Of, Shortage};
use crate::wire::{u32_at, u64_at, Malformed, ABSENT, RESIDENT, SHARED, WITHIN};
use cord_os::memory::copy_of;

/// The rest of a frame's body.
pub struct Cursor<'a> {
    /// What is left of it.
    pub bytes: &'a [u8],
}

impl<'a> Cursor<'a> {
    /// The next so many bytes.
    ///
    /// # Errors
    /// When there are fewer.
    pub fn take(&mut self, length: u64) -> Result<&'a [u8], Malformed> {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        if length > self.bytes.len() {
            return Err(Malformed::new("an item of it goes past its end"));
        }
        let (taken, rest) = self.bytes.split_at(length);
        self.bytes = rest;
        Ok(taken)
    }
}

/// The parts of one item. Those for which there is no room are empty.
pub struct Parts<'a> {
    /// The rest of the frame.
    pub body: Cursor<'a>,
    came: &'a mut VecDeque<Came>,
    bytes: u64,
    lack: Option<io::Error>,
}

impl<'a> Parts<'a> {
    /// The parts that begin here.
    pub fn new(body: Cursor<'a>, came: &'a mut VecDeque<Came>) -> Parts<'a> {
        Parts {
            body,
            came,
            bytes: 0,
            lack: None,
        }
    }

    /// What there was no room for so far.
    pub fn shortage(&self) -> Option<Shortage> {
        let bytes = usize::try_from(self.bytes).unwrap_or(usize::MAX);
        let lack = self.lack.as_ref();
        lack.map(|error| Shortage::new(error, bytes, Of::Arguments))
    }

    /// The next part, by its length in the item's table, as bytes.
    ///
    /// # Errors
    /// When it is none.
    pub fn bytes(&mut self, length: u64) -> Result<Vec<u8>, Malformed> {
        Ok(match self.buffer(length)? {
            Buffer::Inline(bytes) => Arc::unwrap_or_clone(bytes),
            Buffer::Shared(segment) => self.room(segment.to_vec()),
            Buffer::Resident(_) | Buffer::Lent(_) => {
                return Err(Malformed::new("a part of it is where none may be kept"))
            }
        })
    }

    /// The next part, by its length in the item's table.
    ///
    /// # Errors
    /// When it is none.
    pub fn buffer(&mut self, length: u64) -> Result<Buffer, Malformed> {
        if length & RESIDENT != 0 {
            let resident = self.resident(length)?;
            return Ok(Buffer::Resident(Box::new(resident)));
        }
        self.bytes = self.bytes.saturating_add(length & !(SHARED | WITHIN));
        if length & SHARED == 0 {
            let bytes = self.body.take(length)?;
            return Ok(self.room(copy_of(bytes)).into());
        }
        self.shared(length)
    }

    fn shared(&mut self, length: u64) -> Result<Buffer, Malformed> {
        let start = match length & WITHIN {
            0 => 0,
            _ => u64_at(self.body.take(8)?, 0),
        };
        let end = start.saturating_add(length & !(SHARED | WITHIN));
        let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
        let within = place(start)..place(end);
        let came = self.came.pop_front();
        match came.ok_or_else(|| Malformed::new("it lacks a descriptor"))? {
            Came::File(file) => match Segment::receive(file, within) {
                Ok(segment) => Ok(Buffer::Shared(segment)),
                // the program has closed whatever is open, before this was used
                Err(error) if error.raw_os_error() == Some(Errno::BADF.raw_os_error()) => {
                    Err(Malformed::cut_off())
                }
                Err(error) => Err(Malformed(format!(
                    "its shared memory cannot be used: {error}"
                ))),
            },
            Came::Bytes(bytes) => match bytes.get(within) {
                Some(bytes) => Ok(self.room(copy_of(bytes)).into()),
                None => Err(Malformed::new("its shared memory is too short")),
            },
            Came::Lost(errno) => Ok(self.room::<Vec<u8>>(Err(errno.into())).into()),
        }
    }

    fn resident(&mut self, length: u64) -> Result<Resident, Malformed> {
        let form = u32_at(self.body.take(4)?, 0);
        let key = Key::from_bytes(self.body.take(Key::SIZE as u64)?);
        let content = if length & ABSENT != 0 {
            None
        } else {
            let bytes = self.buffer(length & !RESIDENT)?;
            Some(Content::new(bytes))
        };
        let len = length & !(RESIDENT | ABSENT | SHARED | WITHIN);
        Ok(Resident {
            key,
            form,
            len: usize::try_from(len).unwrap_or(usize::MAX),
            content,
        })
    }

    /// What there was room for; nothing, and a note of that, where there was none.
    fn room<T: Default>(&mut self, made: io::Result<T>) -> T {
        made.unwrap_or_else(|error| {
            self.lack.get_or_insert(error);
            T::default()
        })
    }
}
