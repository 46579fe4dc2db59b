//! The reading half of a link: bytes and descriptors come in, messages come out.

use std::collections::VecDeque;
use std::io::{self, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::BorrowedFd;
use std::sync::Arc;

use rustix::io::Errno;
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags};

use crate::descriptor::Descriptor;
use crate::outbox::BELL;
use crate::payload::Buffer;
use crate::resident::{Content, Key, Resident};
use crate::ring::Reader;
use crate::segment::Segment;
use crate::wire::{
    u32_at, u64_at, Header, Kind, Malformed, ABSENT, HEADER, ITEM, MAX_FDS, RESIDENT, SHARED,
    WITHIN,
};

/// At most this much is read at a time, so that every link has its turn.
const CHUNK: usize = 256 * 1024;
/// What the buffer shrinks to once a large frame is read.
const KEEP_BYTES: usize = 1024 * 1024;
/// So many heads of calls are kept to be used again, of at most so many bytes: about as many as a
/// frame has, for more than that the allocator would have to be asked at each call.
const SPARE_HEADS: usize = 128;
const SPARE_BYTES: usize = 256;

/// One call or reply, decoded.
#[derive(Debug)]
pub struct Item {
    /// Which call.
    pub call: u64,
    /// What it is: see [`crate::wire`].
    pub tag: u32,
    /// What it has to do with: see [`crate::wire`].
    pub link: u64,
    /// The first part.
    pub head: Vec<u8>,
    /// The parts between.
    pub buffers: Vec<Buffer>,
    /// The last part of a reply; empty for calls.
    pub output: Vec<u8>,
}

impl Item {
    /// How many bytes it holds.
    pub fn bytes(&self) -> usize {
        let buffers = self.buffers.iter().map(Buffer::len).sum::<usize>();
        self.head.len() + buffers + self.output.len()
    }

    /// Opens its shared memory for its last owner, who may come late.
    pub fn open_to_wait(&mut self) -> Result<(), Malformed> {
        for buffer in &mut self.buffers {
            buffer.open_to_wait().map_err(|error| unusable(&error))?;
        }
        Ok(())
    }

    /// Opens its shared memory for its last owner.
    pub fn open(&mut self) -> Result<(), Malformed> {
        for buffer in &mut self.buffers {
            buffer.open().map_err(|error| unusable(&error))?;
        }
        Ok(())
    }
}

fn unusable(error: &io::Error) -> Malformed {
    Malformed(format!("its shared memory cannot be used: {error}"))
}

/// What a peer says.
#[derive(Debug)]
pub enum Message {
    /// A call for the replica, or one that the replica makes.
    Call(Item),
    /// A reply of the replica, or one to a call that it made.
    Reply(Item),
    /// The replica with this process id can take calls.
    Ready(u32),
    /// The replica cannot start, for this reason.
    InitFailed(Vec<u8>),
    /// The client asks for these back; or the replica does not wait for these any more.
    Recall(Vec<u64>),
    /// The client waits for these now.
    First(Vec<u64>),
    /// This socket leads to the replica with this number.
    Peer(u64, Descriptor),
    /// The number of a replica, and calls to be passed on to it.
    Move(Vec<u64>),
    /// These have been passed on.
    Moved(Vec<u64>),
    /// These lack content.
    Want(Vec<u64>),
    /// Content for a call that lacks it.
    Contents(Item),
    /// These had not begun.
    Returned(Vec<u64>),
    /// A call, and which values it needs from whom.
    Needs(Vec<u64>),
    /// A value of a call.
    Value(Item),
    /// The values of these are needed.
    Fetch(Vec<u64>),
    /// The values of these are not needed any more, or not there.
    Release(Vec<u64>),
    /// These cannot be run.
    Unmet(Vec<u64>),
    /// The world of what follows.
    World(Vec<u8>),
    /// The replica is to load its module.
    Load(Vec<u8>),
}

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
    bytes: Vec<u8>,
    /// What has been understood.
    start: usize,
    /// How much of `bytes` has been read.
    end: usize,
    fds: VecDeque<Descriptor>,
    /// Heads that nobody needs any more.
    spare: Vec<Vec<u8>>,
    /// The frame at hand: items that remain in it, and where it ends.
    frame: Option<(Header, usize, usize)>,
    /// A whole frame is there, but not its descriptors.
    pub lacks_descriptors: bool,
}

impl Inbox {
    /// Reads once, without blocking.
    ///
    /// # Errors
    /// When descriptors were lost on the way, because this process has no more to spare.
    pub fn fill(&mut self, socket: &Descriptor) -> Result<Filled, Malformed> {
        let Ok(socket) = socket.get() else {
            return Ok(Filled::Gone);
        };
        self.make_room();
        let into = &mut self.bytes[self.end..];
        Ok(match receive(socket, into, &mut self.fds)? {
            Received::Bytes(count) => {
                self.end += count;
                Filled::Some
            }
            Received::Nothing => Filled::Nothing,
            Received::End => Filled::Gone,
        })
    }

    /// Reads what is in a ring.
    ///
    /// # Errors
    /// When the other side has spoilt the ring.
    pub fn fill_from(&mut self, ring: &mut Reader) -> Result<Filled, Malformed> {
        if !ring.has_some() {
            return Ok(Filled::Nothing);
        }
        self.make_room();
        self.end += ring.read(&mut self.bytes[self.end..])?;
        Ok(Filled::Some)
    }

    /// A descriptor that has come and belongs to no frame.
    pub fn take_descriptor(&mut self) -> Option<Descriptor> {
        self.fds.pop_front()
    }

    /// Takes the bells off the socket of a link with rings, and the descriptors that came with them.
    ///
    /// # Errors
    /// As for [`Inbox::fill`].
    pub fn hear(&mut self, socket: &Descriptor) -> Result<Filled, Malformed> {
        let Ok(socket) = socket.get() else {
            return Ok(Filled::Gone);
        };
        let mut bells = [0; 64];
        loop {
            let received = receive(socket, &mut bells, &mut self.fds)?;
            if matches!(received, Received::Bytes(count) if bells[..count].iter().any(|b| *b != BELL))
            {
                return Err(Malformed::new("what comes over its socket is no bell"));
            }
            match received {
                // a message with descriptors may have others behind it
                Received::Bytes(count) if count < bells.len() && self.fds.is_empty() => {
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
            if matches!(
                header.kind,
                Kind::Calls | Kind::Replies | Kind::Contents | Kind::Values
            ) {
                self.frame = Some((header, header.count, end));
                continue;
            }
            let body = &self.bytes[self.start..end];
            let message = if header.kind == Kind::Peer {
                peer_message(body, self.fds.pop_front())?
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
        self.lacks_descriptors = self.fds.len() < header.fds;
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
        let (tag, link) = (u32_at(fixed, 12), u64_at(fixed, 16));
        let table = body.take(parts * 8)?;
        let is_reply = header.kind == Kind::Replies;
        if parts < 1 + u64::from(is_reply) {
            return Err(Malformed::new("an item of it has too few parts"));
        }
        let mut lengths = table.chunks_exact(8).map(|length| u64_at(length, 0));
        let length = lengths.next().unwrap_or_default();
        let head = match self.spare.pop() {
            Some(mut spare) if length <= SPARE_BYTES as u64 => {
                spare.clear();
                spare.extend_from_slice(body.take(length)?);
                spare
            }
            _ => to_vec(decode_part(length, &mut body, &mut self.fds)?),
        };
        let mut part = |length| decode_part(length, &mut body, &mut self.fds);
        let last = if is_reply { lengths.next_back() } else { None };
        let buffers = lengths.map(&mut part).collect::<Result<_, _>>()?;
        let output = last.map(part).transpose()?.map_or_else(Vec::new, to_vec);
        self.start = end - body.bytes.len();
        self.frame = Some((header, remaining - 1, end));
        let item = Item {
            call,
            tag,
            link,
            head,
            buffers,
            output,
        };
        Ok(match header.kind {
            Kind::Replies => Message::Reply(item),
            Kind::Contents => Message::Contents(item),
            Kind::Values => Message::Value(item),
            _ => Message::Call(item),
        })
    }

    /// Moves what is not understood yet to the front, and makes room for the rest of a frame, or
    /// for a chunk; the room grows with what has come, not with what the other side promises.
    fn make_room(&mut self) {
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
            self.bytes.resize(size, 0);
        }
    }
}

enum Received {
    Bytes(usize),
    Nothing,
    End,
}

/// One `recvmsg`.
fn receive(
    socket: BorrowedFd<'_>,
    into: &mut [u8],
    fds: &mut VecDeque<Descriptor>,
) -> Result<Received, Malformed> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_FDS))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let flags = RecvFlags::DONTWAIT | RecvFlags::CMSG_CLOEXEC;
    let received = loop {
        let mut into = [IoSliceMut::new(into)];
        match rustix::net::recvmsg(socket, &mut into, &mut control, flags) {
            Ok(received) => break received,
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => return Ok(Received::Nothing),
            Err(_) => return Ok(Received::End),
        }
    };
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(came) = message {
            fds.extend(came.map(Descriptor::new));
        }
    }
    if received.flags.contains(ReturnFlags::CTRUNC) {
        return Err(Malformed::new(
            "its shared memory did not arrive: this process has too many files open",
        ));
    }
    Ok(match received.bytes {
        0 => Received::End,
        count => Received::Bytes(count),
    })
}

/// The rest of a frame's body.
struct Cursor<'a> {
    bytes: &'a [u8],
}

impl<'a> Cursor<'a> {
    fn take(&mut self, length: u64) -> Result<&'a [u8], Malformed> {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        if length > self.bytes.len() {
            return Err(Malformed::new("an item of it goes past its end"));
        }
        let (taken, rest) = self.bytes.split_at(length);
        self.bytes = rest;
        Ok(taken)
    }
}

fn decode_part(
    length: u64,
    body: &mut Cursor<'_>,
    fds: &mut VecDeque<Descriptor>,
) -> Result<Buffer, Malformed> {
    if length & RESIDENT != 0 {
        return decode_resident(length, body, fds)
            .map(|resident| Buffer::Resident(Box::new(resident)));
    }
    if length & SHARED == 0 {
        return Ok(body.take(length)?.to_vec().into());
    }
    let start = match length & WITHIN {
        0 => 0,
        _ => u64_at(body.take(8)?, 0),
    };
    let end = start.saturating_add(length & !(SHARED | WITHIN));
    let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
    let file = fds
        .pop_front()
        .ok_or_else(|| Malformed::new("it lacks a descriptor"))?;
    Segment::receive(file, place(start)..place(end))
        .map(Buffer::Shared)
        .map_err(|error| unusable(&error))
}

fn decode_resident(
    length: u64,
    body: &mut Cursor<'_>,
    fds: &mut VecDeque<Descriptor>,
) -> Result<Resident, Malformed> {
    let form = u32_at(body.take(4)?, 0);
    let key = Key::from_bytes(body.take(Key::SIZE as u64)?);
    let content = if length & ABSENT != 0 {
        None
    } else {
        let bytes = decode_part(length & !RESIDENT, body, fds)?;
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

fn to_vec(part: Buffer) -> Vec<u8> {
    match part {
        Buffer::Inline(bytes) => Arc::unwrap_or_clone(bytes),
        other => other.as_slice().to_vec(),
    }
}

fn plain_message(header: Header, body: &[u8]) -> Result<Message, Malformed> {
    match header.kind {
        Kind::Ready if body.len() == 4 => Ok(Message::Ready(u32_at(body, 0))),
        Kind::InitFailed => Ok(Message::InitFailed(body.to_vec())),
        Kind::Recall => ids(body).map(Message::Recall),
        Kind::Move if body.len() >= 8 => ids(body).map(Message::Move),
        Kind::Moved => ids(body).map(Message::Moved),
        Kind::Want => ids(body).map(Message::Want),
        Kind::Needs if body.len() % 16 == 8 => ids(body).map(Message::Needs),
        Kind::Fetch => ids(body).map(Message::Fetch),
        Kind::Release => ids(body).map(Message::Release),
        Kind::Unmet => ids(body).map(Message::Unmet),
        Kind::First => ids(body).map(Message::First),
        Kind::Returned => ids(body).map(Message::Returned),
        Kind::World => Ok(Message::World(body.to_vec())),
        Kind::Load => Ok(Message::Load(body.to_vec())),
        _ => Err(Malformed::new("its body has the wrong size")),
    }
}

fn peer_message(body: &[u8], socket: Option<Descriptor>) -> Result<Message, Malformed> {
    match (body.len(), socket) {
        (8, Some(socket)) => Ok(Message::Peer(u64_at(body, 0), socket)),
        _ => Err(Malformed::new("it lacks a number or a descriptor")),
    }
}

fn ids(body: &[u8]) -> Result<Vec<u64>, Malformed> {
    if body.len() % 8 != 0 {
        return Err(Malformed::new("its body has the wrong size"));
    }
    Ok(body.chunks_exact(8).map(|id| u64_at(id, 0)).collect())
}
