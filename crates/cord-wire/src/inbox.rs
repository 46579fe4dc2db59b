//! The reading half of a link: bytes and descriptors come in, messages come out.

use std::collections::VecDeque;

use rustix::io::Errno;

use crate::came::{receive, Came, Received};
use crate::message::{has_items, item_message, peer_message, plain_message, Item, Message};
use crate::outbox::BELL;
use crate::parts::{Cursor, Parts};
use crate::payload::Payload;
use crate::ring::Reader;
use crate::shortage::{Of, Shortage};
use crate::wire::{u32_at, u64_at, untagged, Header, Kind, Malformed, HEADER, ITEM};
use cord_os::descriptor::Descriptor;

/// At most this much is read at a time, so that every link has its turn.
const CHUNK: usize = 256 * 1024;
/// What the buffer shrinks to once a large frame is read.
const KEEP_BYTES: usize = 1024 * 1024;
/// So many heads of calls are kept to be used again, of at most so many bytes: about as many as a
/// frame has, for more than that the allocator would have to be asked at each call.
const SPARE_HEADS: usize = 128;
const SPARE_BYTES: usize = 256;

/// How a read ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filled {
    /// Bytes came; more may be there.
    Some,
    /// Nothing is there now.
    Nothing,
    /// The other side is gone.
    Gone,
}

/// Bytes read and not yet understood.
#[derive(Debug, Default)]
pub struct Inbox {
    /// Whether much comes by descriptor.
    shares: bool,
    bytes: Vec<u8>,
    /// What has been understood.
    start: usize,
    /// How much of `bytes` has been read.
    end: usize,
    came: VecDeque<Came>,
    /// Heads that nobody needs any more.
    spare: Vec<Vec<u8>>,
    /// The frame at hand: items that remain in it, and where it ends.
    frame: Option<(Header, usize, usize)>,
    /// A frame for which there is no memory.
    skipped: Option<Skipped>,
    /// A whole frame is there, but not its descriptors.
    pub lacks_descriptors: bool,
    #[cfg(any(test, feature = "testing"))]
    pub faults: Faults,
}

/// What is to go wrong with what comes.
#[cfg(any(test, feature = "testing"))]
#[derive(Debug, Default)]
pub struct Faults {
    /// There are no descriptors for it.
    pub loses: bool,
    /// There is memory for so many bytes of it.
    pub most: Option<usize>,
}

/// A frame of one item that is read over.
#[derive(Debug)]
struct Skipped {
    header: Header,
    item: Item,
    /// Bytes of it that have not come yet.
    left: usize,
}

impl Inbox {
    /// The inbox of a link on which shared memory travels, or not.
    pub fn new(shares: bool) -> Inbox {
        Inbox {
            shares,
            ..Inbox::default()
        }
    }

    /// Reads once, without blocking.
    ///
    /// # Errors
    /// When there is no memory for a frame that cannot be done without.
    pub fn fill(&mut self, socket: &Descriptor) -> Result<Filled, Malformed> {
        let Ok(socket) = socket.get() else {
            return Ok(Filled::Gone);
        };
        self.make_room()?;
        let into = &mut self.bytes[self.end..];
        Ok(match receive(socket, into, &mut self.came, self.shares) {
            Received::Bytes(count) => {
                self.has_read(count);
                Filled::Some
            }
            Received::Nothing => Filled::Nothing,
            Received::End => Filled::Gone,
        })
    }

    /// Reads what is in a ring.
    ///
    /// # Errors
    /// When the other side has spoilt the ring; and as for [`Inbox::fill`].
    pub fn fill_from(&mut self, ring: &mut Reader) -> Result<Filled, Malformed> {
        if !ring.has_some() {
            return Ok(Filled::Nothing);
        }
        self.make_room()?;
        let count = ring.read(&mut self.bytes[self.end..])?;
        self.has_read(count);
        Ok(Filled::Some)
    }

    /// Takes in what has come by another way.
    ///
    /// # Errors
    /// As for [`Inbox::fill`].
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), Malformed> {
        for chunk in bytes.chunks(CHUNK / 2) {
            self.make_room()?;
            self.bytes[self.end..self.end + chunk.len()].copy_from_slice(chunk);
            self.has_read(chunk.len());
        }
        Ok(())
    }

    fn has_read(&mut self, count: usize) {
        self.end += count;
        if let Some(skipped) = &mut self.skipped {
            let over = skipped.left.min(self.end - self.start);
            self.start += over;
            skipped.left -= over;
        }
    }

    /// What has come by descriptor and belongs to no frame.
    pub fn take_descriptor(&mut self) -> Option<Came> {
        self.came.pop_front()
    }

    /// Takes the bells off the socket of a link with rings, and the descriptors that came with them.
    ///
    /// # Errors
    /// When something else comes.
    pub fn hear(&mut self, socket: &Descriptor) -> Result<Filled, Malformed> {
        let Ok(socket) = socket.get() else {
            return Ok(Filled::Gone);
        };
        let mut bells = [0; 64];
        loop {
            let received = receive(socket, &mut bells, &mut self.came, self.shares);
            if matches!(received, Received::Bytes(count) if bells[..count].iter().any(|b| *b != BELL))
            {
                return Err(Malformed::new("what comes over its socket is no bell"));
            }
            match received {
                // a message with descriptors may have others behind it
                Received::Bytes(count) if count < bells.len() && self.came.is_empty() => {
                    return Ok(Filled::Some);
                }
                Received::Bytes(_) => {}
                Received::Nothing => return Ok(Filled::Nothing),
                Received::End => return Ok(Filled::Gone),
            }
        }
    }

    /// Takes back the head of a call that nobody needs any more.
    pub fn reuse(&mut self, head: Vec<u8>) {
        if head.capacity() <= SPARE_BYTES && self.spare.len() < SPARE_HEADS {
            self.spare.push(head);
        }
    }

    /// The next whole message, if there is one; see [`crate::link::Link::next`].
    ///
    /// # Errors
    /// When the bytes are no frame; the link is of no use then.
    pub fn next(&mut self) -> Result<Option<Message>, Malformed> {
        loop {
            if let Some(skipped) = &self.skipped {
                let fds = skipped.header.fds;
                self.lacks_descriptors = skipped.left == 0 && self.came.len() < fds;
                if skipped.left > 0 || self.lacks_descriptors {
                    return Ok(None);
                }
                self.came.drain(..fds);
                let skipped = self.skipped.take();
                return Ok(skipped.map(|one| item_message(one.header.kind, one.item)));
            }
            if let Some((header, remaining, end)) = self.frame {
                if remaining > 0 {
                    return self.next_item(header, remaining, end).map(Some);
                }
                if self.start != end {
                    return Err(Malformed::new("its items are shorter than its body"));
                }
                self.frame = None;
            }
            let Some(header) = self.whole_frame()? else {
                return Ok(None);
            };
            self.start += HEADER;
            let end = self.start + header.body;
            if has_items(header.kind) {
                self.frame = Some((header, header.count, end));
                continue;
            }
            let body = &self.bytes[self.start..end];
            let message = if header.kind == Kind::Peer {
                peer_message(body, self.came.pop_front())?
            } else {
                plain_message(header, body)?
            };
            self.start = end;
            return Ok(Some(message));
        }
    }

    /// The header of the next frame, once all of it is there.
    fn whole_frame(&mut self) -> Result<Option<Header>, Malformed> {
        let there = self.end - self.start;
        if there < HEADER {
            return Ok(None);
        }
        let header = Header::decode(&self.bytes[self.start..self.end])?;
        if there < HEADER + header.body {
            return Ok(None);
        }
        self.lacks_descriptors = self.came.len() < header.fds;
        Ok((!self.lacks_descriptors).then_some(header))
    }

    fn next_item(
        &mut self,
        header: Header,
        remaining: usize,
        end: usize,
    ) -> Result<Message, Malformed> {
        let mut body = Cursor {
            bytes: &self.bytes[self.start..end],
        };
        let fixed = body.take(ITEM as u64)?;
        let (call, parts) = (u64_at(fixed, 0), u64::from(u32_at(fixed, 8)));
        let ((tag, codec), link) = (untagged(u32_at(fixed, 12)), u64_at(fixed, 16));
        let table = body.take(parts * 8)?;
        let is_reply = header.kind == Kind::Replies;
        if parts < 1 + u64::from(is_reply) {
            return Err(Malformed::new("an item of it has too few parts"));
        }
        let lengths = table.chunks_exact(8).map(|length| u64_at(length, 0));
        #[cfg(any(test, feature = "testing"))]
        if self.faults.loses {
            self.came.iter_mut().for_each(Came::lose);
        }
        let (mut lengths, mut parts) = (lengths, Parts::new(body, &mut self.came));
        let length = lengths.next().unwrap_or_default();
        let head = match self.spare.pop() {
            Some(mut spare) if length <= SPARE_BYTES as u64 => {
                spare.clear();
                spare.extend_from_slice(parts.body.take(length)?);
                spare
            }
            _ => parts.bytes(length)?,
        };
        let last = if is_reply { lengths.next_back() } else { None };
        let buffers = lengths
            .map(|length| parts.buffer(length))
            .collect::<Result<_, _>>()?;
        let output = match last {
            Some(length) => parts.bytes(length)?,
            None => Vec::new(),
        };
        let shortage = parts.shortage();
        self.start = end - parts.body.bytes.len();
        self.frame = Some((header, remaining - 1, end));
        let item = match shortage {
            Some(shortage) => Item::lacking(call, tag, link, shortage, output),
            None => Item {
                call,
                tag,
                link,
                payload: Payload {
                    codec,
                    head,
                    buffers,
                },
                output,
                shortage: None,
            },
        };
        Ok(item_message(header.kind, item))
    }

    /// Moves what is not understood yet to the front, and makes room for the rest of a frame, or
    /// for a chunk; the room grows with what has come, not with what the other side promises.
    fn make_room(&mut self) -> Result<(), Malformed> {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
            if self.bytes.len() > KEEP_BYTES {
                self.bytes.truncate(CHUNK);
                self.bytes.shrink_to_fit();
            }
        } else if self.start > 0 && self.bytes.len() - self.end < CHUNK / 2 {
            self.bytes.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            if let Some((_, _, end)) = &mut self.frame {
                *end -= self.start;
            }
            self.start = 0;
        }
        if self.bytes.len() - self.end < CHUNK / 2 {
            let size = self.bytes.len().max(self.end * 2).max(CHUNK);
            let more = size - self.bytes.len();
            if !self.reserve(more) {
                return self.skip();
            }
            self.bytes.resize(size, 0);
        }
        Ok(())
    }

    fn reserve(&mut self, more: usize) -> bool {
        #[cfg(any(test, feature = "testing"))]
        if self
            .faults
            .most
            .is_some_and(|most| self.bytes.len() + more > most)
        {
            return false;
        }
        self.bytes.try_reserve_exact(more).is_ok()
    }

    /// There is no memory for the frame that is coming: it is read over, and whoever waits for its
    /// one item is told.
    fn skip(&mut self) -> Result<(), Malformed> {
        let bytes = &self.bytes[self.start..self.end];
        let header = Header::decode(bytes)?;
        if header.count != 1 || !has_items(header.kind) {
            return Err(Malformed::new("there is no memory for it"));
        }
        let fixed = &bytes[HEADER..];
        let (call, link) = (u64_at(fixed, 0), u64_at(fixed, 16));
        let (tag, _) = untagged(u32_at(fixed, 12));
        let shortage = Shortage::new(&Errno::NOMEM.into(), header.body, Of::Arguments);
        self.skipped = Some(Skipped {
            item: Item::lacking(call, tag, link, shortage, Vec::new()),
            left: HEADER + header.body - bytes.len(),
            header,
        });
        (self.start, self.end, self.bytes) = (0, 0, vec![0; CHUNK]);
        Ok(())
    }
}
