//! The writing half of a link: frames are laid out here and leave as the socket takes them.

use std::cell::OnceCell;
use std::collections::VecDeque;
use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};

use rustix::io::Errno;
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags};

use crate::codec::Codec;
use crate::part::Part;
use crate::resident::Key;
use crate::ring::Writer;
use crate::segment::Segment;
use crate::transport::Transport;
use crate::wire::{tagged, Header, Kind, ABSENT, HEADER, ITEM, MAX_FDS, RESIDENT, SHARED, WITHIN};
use cord_os::descriptor::Descriptor;
use cord_os::memory::append;
use cord_os::spare;

/// A frame of several items is closed once it has this many bytes, so that the other side can
/// begin with the first while the rest is on its way.
pub const FRAME_BYTES: usize = 256 * 1024;
/// Over a network, where bytes take long: so much is on its way for some milliseconds at 10 Mb/s.
const FRAME_BYTES_OF_TCP: usize = 8 * 1024;
/// Larger spare capacity is given back once all is written.
const KEEP_BYTES: usize = 1024 * 1024;

/// What rings the bell of a link with rings.
pub const BELL: u8 = 0;

/// The fixed part of an item.
#[derive(Debug, Clone, Copy, Default)]
pub struct ItemHead {
    /// Which call.
    pub call: u64,
    /// What it is: see [`crate::wire`].
    pub tag: u32,
    /// How its head is to be read.
    pub codec: Codec,
    /// What it has to do with: see [`crate::wire`].
    pub link: u64,
}

/// How a flush ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flushed {
    /// Everything is written.
    All,
    /// The socket is full: wait until it is writable.
    Full,
    /// The ring is full: the other side rings the bell when there is room.
    Crowded,
    /// Too many descriptors are on their way in the system: try again in a moment.
    Congested,
    /// The other side is gone.
    Gone,
    /// Somebody has closed the socket here, or what was to be sent over it.
    CutOff,
}

impl Flushed {
    /// Whether nothing more can be written.
    pub fn is_end(self) -> bool {
        matches!(self, Flushed::Gone | Flushed::CutOff)
    }
}

/// Whose descriptor travels.
#[derive(Debug)]
enum Passed {
    Segment(Segment),
    Socket(Descriptor),
}

impl Passed {
    fn descriptor(&self) -> Result<BorrowedFd<'_>, Errno> {
        match self {
            Passed::Segment(segment) => segment.descriptor().ok_or(Errno::BADF)?.get(),
            Passed::Socket(socket) => socket.get(),
        }
    }
}

#[derive(Debug)]
struct OpenFrame {
    start: usize,
    kind: Kind,
    count: usize,
    segments: Vec<Passed>,
}

/// A descriptor that is to leave. Each does so in a message of its own: then the other side can take
/// them one by one, even if it has room for no more.
#[derive(Debug)]
struct Leaving {
    /// Where in the bytes its frame starts.
    frame: usize,
    /// With which of them it leaves, where there are no rings.
    byte: usize,
    passed: Passed,
}

/// Frames waiting to be written.
#[derive(Debug)]
pub struct Outbox {
    /// Whether shared memory travels; else its bytes do.
    shares: bool,
    /// From how many bytes on a frame is closed.
    frame_bytes: usize,
    bytes: Vec<u8>,
    written: usize,
    fds: VecDeque<Leaving>,
    open: Option<OpenFrame>,
}

impl Outbox {
    /// An empty one.
    pub fn new(transport: Transport) -> Outbox {
        Outbox {
            shares: transport.shares(),
            frame_bytes: match transport {
                Transport::Tcp => FRAME_BYTES_OF_TCP,
                _ => FRAME_BYTES,
            },
            bytes: Vec::new(),
            written: 0,
            fds: VecDeque::new(),
            open: None,
        }
    }

    /// Whether shared memory travels.
    pub fn shares(&self) -> bool {
        self.shares
    }

    /// Whether nothing waits to be written.
    pub fn is_empty(&self) -> bool {
        self.bytes.len() == self.written
    }

    /// Bytes that wait to be written.
    pub fn waiting(&self) -> usize {
        self.bytes.len() - self.written
    }

    /// Adds one item; items of one kind that follow one another share a frame.
    ///
    /// `parts` are the head, the buffers and, for a reply, the output.
    ///
    /// # Errors
    /// When there is no memory for it: then nothing of it is added.
    pub fn item(&mut self, kind: Kind, head: ItemHead, parts: &[Part<'_>]) -> io::Result<()> {
        let most = if self.shares { MAX_FDS } else { 0 };
        let (mut shared, mut inline) = (0, 0);
        for part in parts {
            match part.descriptor() {
                Some(_) if shared < most => shared += 1,
                _ => inline += part.len(),
            }
        }
        self.make_room(kind, shared, inline);
        let before = self.bytes.len();
        let mut segments = Vec::new();
        if let Err(error) = self.lay_out(head, parts, most, &mut segments) {
            self.bytes.truncate(before);
            return Err(error);
        }
        if let Some(open) = &mut self.open {
            open.count += 1;
            open.segments.append(&mut segments);
        }
        Ok(())
    }

    fn lay_out(
        &mut self,
        head: ItemHead,
        parts: &[Part<'_>],
        most: usize,
        segments: &mut Vec<Passed>,
    ) -> io::Result<()> {
        self.bytes.extend_from_slice(&head.call.to_le_bytes());
        self.bytes
            .extend_from_slice(&(parts.len() as u32).to_le_bytes());
        let tag = tagged(head.tag, head.codec);
        self.bytes.extend_from_slice(&tag.to_le_bytes());
        self.bytes.extend_from_slice(&head.link.to_le_bytes());
        let table = self.bytes.len();
        self.bytes.resize(table + parts.len() * 8, 0);
        for (index, part) in parts.iter().enumerate() {
            let mut length = part.len() as u64;
            if let Some(resident) = part.resident() {
                length |= RESIDENT;
                self.bytes.extend_from_slice(&resident.form.to_le_bytes());
                self.bytes.extend_from_slice(resident.key.as_bytes());
            }
            match part.descriptor() {
                _ if part.is_absent() => length |= ABSENT,
                Some(segment) if segments.len() < most => {
                    if segment.start() > 0 {
                        let start = segment.start() as u64;
                        self.bytes.extend_from_slice(&start.to_le_bytes());
                        length |= WITHIN;
                    }
                    segments.push(Passed::Segment(segment.clone()));
                    length |= SHARED;
                }
                _ => append(&mut self.bytes, part.bytes()?)?,
            }
            let at = table + index * 8;
            self.bytes[at..at + 8].copy_from_slice(&length.to_le_bytes());
        }
        Ok(())
    }

    /// Adds a frame that is not made of items.
    pub fn message(&mut self, kind: Kind, count: usize, body: &[u8]) {
        self.seal();
        let header = Header {
            kind,
            body: body.len(),
            count,
            fds: 0,
        };
        self.bytes.extend_from_slice(&header.encode());
        self.bytes.extend_from_slice(body);
    }

    /// Adds the exception that is to be raised in the midst of a call.
    pub fn interrupt(&mut self, call: u64, exception: &[u8]) {
        let mut body = Vec::with_capacity(8 + exception.len());
        body.extend_from_slice(&call.to_le_bytes());
        body.extend_from_slice(exception);
        self.message(Kind::Interrupt, 0, &body);
    }

    /// Adds a frame with a socket that leads to the replica with this number.
    pub fn socket(&mut self, number: u64, socket: OwnedFd) {
        self.seal();
        let header = Header {
            kind: Kind::Peer,
            body: 8,
            count: 0,
            fds: 1,
        };
        let start = self.bytes.len();
        self.leave(start, vec![Passed::Socket(Descriptor::new(socket))]);
        self.bytes.extend_from_slice(&header.encode());
        self.bytes.extend_from_slice(&number.to_le_bytes());
    }

    /// Takes out so many of the bytes that wait to be written, at most.
    pub fn take_some(&mut self, most: usize, give: impl FnOnce(&[u8])) {
        self.seal();
        let end = self.bytes.len().min(self.written.saturating_add(most));
        give(&self.bytes[self.written..end]);
        self.written = end;
        if self.is_empty() {
            self.bytes.clear();
            self.written = 0;
            self.bytes.shrink_to(KEEP_BYTES);
        }
    }

    /// Adds a frame of call ids.
    pub fn ids(&mut self, kind: Kind, ids: &[u64]) {
        self.seal();
        let header = Header {
            kind,
            body: ids.len() * 8,
            count: ids.len(),
            fds: 0,
        };
        self.bytes.extend_from_slice(&header.encode());
        for id in ids {
            self.bytes.extend_from_slice(&id.to_le_bytes());
        }
    }

    /// Writes as much as the socket takes, without ever blocking.
    pub fn flush(&mut self, socket: &Descriptor) -> Flushed {
        self.seal();
        while self.written < self.bytes.len() {
            match self.write_some(socket) {
                Ok(written) => self.advance(written),
                Err(Errno::INTR) => {}
                Err(error) => return self.stopped(refused(error)),
            }
        }
        self.bytes.clear();
        self.written = 0;
        self.bytes.shrink_to(KEEP_BYTES);
        Flushed::All
    }

    /// Writes as much as the ring takes; descriptors go over the socket, ahead of their frame.
    pub fn flush_into(&mut self, ring: &mut Writer, socket: &Descriptor) -> Flushed {
        self.seal();
        let before = self.written;
        let looked = OnceCell::new(); // mostly neither descriptors are sent nor a bell is rung
        let socket = || *looked.get_or_init(|| socket.get());
        let how = self.write_into(ring, &socket);
        if self.written != before && ring.wakes() {
            if let Ok(socket) = socket() {
                send_bell(socket);
            }
        }
        if how != Flushed::All {
            return self.stopped(how);
        }
        self.bytes.clear();
        self.written = 0;
        self.bytes.shrink_to(KEEP_BYTES);
        how
    }

    fn write_into<'a>(
        &mut self,
        ring: &mut Writer,
        socket: &impl Fn() -> Result<BorrowedFd<'a>, Errno>,
    ) -> Flushed {
        while self.written < self.bytes.len() {
            let next = self.fds.front();
            let end = next.map_or(self.bytes.len(), |next| next.frame);
            if let Some(leaving) = next.filter(|next| next.frame == self.written) {
                match socket().and_then(|socket| send_with(socket, &[BELL], &leaving.passed)) {
                    Ok(_) => self.has_left(),
                    Err(Errno::INTR) => {}
                    Err(error) => return refused(error),
                }
                continue;
            }
            match ring.write(&self.bytes[self.written..end]) {
                Ok(0) if ring.waits_for_room() => return Flushed::Crowded,
                Ok(written) => self.written += written,
                Err(_) => return Flushed::Gone,
            }
        }
        Flushed::All
    }

    /// One `sendmsg`, up to the next byte that has a descriptor.
    fn write_some(&self, socket: &Descriptor) -> Result<usize, Errno> {
        let flags = SendFlags::DONTWAIT | SendFlags::NOSIGNAL;
        let here = self.fds.front().filter(|next| next.byte == self.written);
        let next = self.fds.get(usize::from(here.is_some()));
        let end = next.map_or(self.bytes.len(), |next| next.byte);
        let bytes = &self.bytes[self.written..end];
        match here {
            Some(leaving) => send_with(socket.get()?, bytes, &leaving.passed),
            None => rustix::net::send(socket.get()?, bytes, flags),
        }
    }

    /// A descriptor has left with its byte.
    fn advance(&mut self, written: usize) {
        if self
            .fds
            .front()
            .is_some_and(|next| next.byte == self.written)
        {
            self.has_left();
        }
        self.written += written;
    }

    fn has_left(&mut self) {
        if let Some(Passed::Socket(socket)) = self.fds.pop_front().map(|next| next.passed) {
            drop(socket);
            spare::keep(); // it may have been made of one
        }
    }

    /// Gives the memory of what is written back when much of it has gathered.
    fn stopped(&mut self, how: Flushed) -> Flushed {
        if self.written > KEEP_BYTES && self.written > self.bytes.len() / 2 {
            self.bytes.drain(..self.written);
            for leaving in &mut self.fds {
                leaving.frame -= self.written;
                leaving.byte -= self.written;
            }
            self.written = 0;
        }
        how
    }

    /// Sees to it that a frame of `kind` is open that can hold `fds` more descriptors, and `inline`
    /// more bytes. A large item is alone in its frame: whoever has no memory for it is to have the
    /// others all the same.
    fn make_room(&mut self, kind: Kind, fds: usize, inline: usize) {
        let fits = self.open.as_ref().is_some_and(|open| {
            open.kind == kind
                && open.segments.len() + fds <= MAX_FDS
                && self.bytes.len() - open.start < self.frame_bytes
                && (open.count == 0 || inline < self.frame_bytes)
        });
        if !fits {
            self.seal();
            let start = self.bytes.len();
            self.bytes.resize(start + HEADER, 0);
            self.open = Some(OpenFrame {
                start,
                kind,
                count: 0,
                segments: Vec::new(),
            });
        }
    }

    /// Completes the open frame: what is added next stands in another one.
    pub fn seal(&mut self) {
        if let Some(open) = self.open.take() {
            let body = self.bytes.len() - open.start - HEADER;
            let header = Header {
                kind: open.kind,
                body,
                count: open.count,
                fds: open.segments.len(),
            };
            self.bytes[open.start..open.start + HEADER].copy_from_slice(&header.encode());
            self.leave(open.start, open.segments);
        }
    }

    /// These leave with the frame that starts there.
    fn leave(&mut self, frame: usize, passed: Vec<Passed>) {
        let leaving = passed.into_iter().enumerate().map(|(at, passed)| Leaving {
            frame,
            byte: frame + at,
            passed,
        });
        self.fds.extend(leaving);
    }
}

/// One `sendmsg` with a descriptor.
fn send_with(socket: BorrowedFd<'_>, bytes: &[u8], passed: &Passed) -> Result<usize, Errno> {
    let descriptor = passed.descriptor()?;
    send_descriptor(socket, bytes, descriptor)
}

/// One `sendmsg` with a descriptor.
pub fn send_descriptor(
    socket: BorrowedFd<'_>,
    bytes: &[u8],
    descriptor: BorrowedFd<'_>,
) -> Result<usize, Errno> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    let descriptors = [descriptor];
    if !control.push(SendAncillaryMessage::ScmRights(&descriptors)) {
        return Err(Errno::INVAL);
    }
    let flags = SendFlags::DONTWAIT | SendFlags::NOSIGNAL;
    rustix::net::sendmsg(socket, &[IoSlice::new(bytes)], &mut control, flags)
}

fn refused(error: Errno) -> Flushed {
    match error {
        Errno::AGAIN => Flushed::Full,
        Errno::TOOMANYREFS | Errno::NOBUFS | Errno::NOMEM => Flushed::Congested,
        Errno::BADF => Flushed::CutOff,
        _ => Flushed::Gone,
    }
}

/// Wakes the other side of a link with rings. If the socket is full of bells it is awake already.
pub fn ring_bell(socket: &Descriptor) {
    if let Ok(socket) = socket.get() {
        send_bell(socket);
    }
}

fn send_bell(socket: BorrowedFd<'_>) {
    let flags = SendFlags::DONTWAIT | SendFlags::NOSIGNAL;
    let _ = rustix::net::send(socket, &[BELL], flags);
}

const _: () = assert!(Key::SIZE == 32);
const _: () = assert!(ITEM == 8 + 4 + 4 + 8);
