//! What lies between a replica's link on this machine and the wire: messages are taken from one and put
//! into the other.

use std::io;

use super::contents::{Contents, NodeStore};
use crate::inbox::{Filled, Inbox};
use crate::link::Link;
use crate::message::{Item, Message};
use crate::outbox::{ItemHead, Outbox, Part};
use crate::payload::{Buffer, KIND_NO_ROOM};
use crate::resident::{Content, Ledger};
use crate::segment::{Segment, SHARED_FROM};
use crate::shortage::{Of, Shortage};
use crate::transport::Transport;
use crate::wire::{Kind, Malformed, Turn};

/// Nothing more is read from a link while so much of it waits for the wire.
const CROWDED: usize = 1 << 20;

/// Which side of the wire this is.
#[derive(Debug)]
pub(super) enum Side<'a> {
    /// The client's: what its messages name.
    Gateway(&'a mut Contents),
    /// A node's: what is kept there.
    Agent(&'a mut NodeStore),
}

/// One replica's.
#[derive(Debug)]
pub(super) struct Channel {
    pub(super) link: Link,
    from_wire: Inbox,
    to_wire: Outbox,
    /// What the replica is thought to keep.
    ledger: Ledger,
    /// The wire that it belongs to, once that is known.
    pub(super) wire: Option<usize>,
    /// The link has ended here.
    pub(super) has_ended: bool,
    /// Is on the list of those with something for their wire.
    pub(super) is_ready: bool,
    /// Waits for its socket to be writable.
    pub(super) wants_out: bool,
}

impl Channel {
    /// One over this link.
    pub(super) fn new(link: Link, ledger: Ledger, wire: Option<usize>) -> Channel {
        Channel {
            link,
            from_wire: Inbox::new(false),
            to_wire: Outbox::new(Transport::Tcp),
            ledger,
            wire,
            has_ended: false,
            is_ready: false,
            wants_out: false,
        }
    }

    /// Bytes that wait for the wire.
    pub(super) fn waiting(&mut self) -> usize {
        self.to_wire.seal();
        self.to_wire.waiting()
    }

    /// Whether it is to be read on.
    pub(super) fn has_room(&self) -> bool {
        self.to_wire.waiting() < CROWDED
    }

    /// Takes so many of them at most.
    pub(super) fn take(&mut self, most: usize, give: impl FnOnce(&[u8])) {
        self.to_wire.take_some(most, give);
    }

    /// Reads the link once.
    ///
    /// # Errors
    /// When what comes is no frame.
    pub(super) fn read(&mut self, side: &mut Side<'_>) -> Result<Filled, Malformed> {
        let filled = self.link.fill()?;
        while let Some(message) = self.link.next()? {
            match side {
                Side::Gateway(contents) => {
                    let named = |resident: &Buffer, turn| match resident {
                        Buffer::Resident(resident) => contents.is_there(resident, turn),
                        _ => false,
                    };
                    pass(message, &mut self.to_wire, &mut self.link.outbox, named)?;
                }
                Side::Agent(_) => {
                    pass(message, &mut self.to_wire, &mut self.link.outbox, |_, _| {
                        false
                    })?;
                }
            }
        }
        Ok(filled)
    }

    /// Takes in what the wire has brought; what comes of it is in the link's outbox then.
    ///
    /// # Errors
    /// When it is no frame.
    pub(super) fn take_in(&mut self, bytes: &[u8], side: &mut Side<'_>) -> Result<(), Malformed> {
        self.from_wire.feed(bytes)?;
        let shares = self.link.has_rings();
        while let Some(mut message) = self.from_wire.next()? {
            if shares {
                share(&mut message);
            }
            let (back, there) = (&mut self.to_wire, &mut self.link.outbox);
            match side {
                Side::Gateway(_) => pass(message, there, back, |_, _| false)?,
                Side::Agent(store) => {
                    let turn = turn_of(&message);
                    let mut names = Vec::new();
                    if let Message::Call(item) | Message::Contents(item) = &mut message {
                        for buffer in &mut item.payload.buffers {
                            names.push(store.complete(buffer, &mut self.ledger, turn));
                        }
                    }
                    let all = !matches!(message, Message::Call(_));
                    let mut names = names.into_iter();
                    let named = |_: &Buffer, _| names.next().unwrap_or(false) && !all;
                    pass(message, there, back, named)?;
                }
            }
        }
        Ok(())
    }
}

fn turn_of(message: &Message) -> Turn {
    match message {
        Message::Call(item) => Turn::decode(item.tag, item.link).unwrap_or(Turn::First),
        _ => Turn::First,
    }
}

/// Puts a message into an outbox. Of buffers of calls that are `named`, only the name goes. What there
/// is no room for is answered by way of `back`.
fn pass(
    message: Message,
    there: &mut Outbox,
    back: &mut Outbox,
    named: impl FnMut(&Buffer, Turn) -> bool,
) -> Result<(), Malformed> {
    match message {
        Message::Call(item) => pass_call(&item, there, back, named),
        Message::Reply(item) => pass_answer(Kind::Replies, item, there),
        Message::Value(item) => pass_answer(Kind::Values, item, there),
        Message::Contents(item) => {
            let head = head_of(&item);
            let parts = parts_of(&item);
            if there.item(Kind::Contents, head, &parts).is_err() {
                no_room(there.item(Kind::Contents, head, &parts[..1]))?;
            }
        }
        Message::Ready(pid) => there.message(Kind::Ready, 0, &pid.to_le_bytes()),
        Message::InitFailed(why) => there.message(Kind::InitFailed, 0, &why),
        Message::World(world) => there.message(Kind::World, 0, &world),
        Message::Load(order) => there.message(Kind::Load, 0, &order),
        Message::Interrupt(call, exception) => there.interrupt(call, &exception),
        Message::Recall(ids) => there.ids(Kind::Recall, &ids),
        Message::Returned(ids) => there.ids(Kind::Returned, &ids),
        Message::First(ids) => there.ids(Kind::First, &ids),
        Message::Want(ids) => there.ids(Kind::Want, &ids),
        Message::Needs(ids) => there.ids(Kind::Needs, &ids),
        Message::Release(ids) => there.ids(Kind::Release, &ids),
        Message::Unmet(ids) => there.ids(Kind::Unmet, &ids),
        Message::Noticed(ids) => there.ids(Kind::Noticed, &ids),
        Message::Withdrawn(ids) => there.ids(Kind::Withdrawn, &ids),
        Message::Move(_) | Message::Moved(_) | Message::Peer(..) | Message::Fetch(_) => {
            return Err(Malformed::new("no link leads from node to node"));
        }
    }
    Ok(())
}

fn pass_call(
    item: &Item,
    there: &mut Outbox,
    back: &mut Outbox,
    mut named: impl FnMut(&Buffer, Turn) -> bool,
) {
    let head = head_of(item);
    let turn = Turn::decode(item.tag, item.link).unwrap_or(Turn::First);
    let mut parts = Vec::with_capacity(1 + item.payload.buffers.len());
    parts.push(Part::Bytes(&item.payload.head));
    for buffer in &item.payload.buffers {
        let name = named(buffer, turn);
        parts.push(match buffer {
            Buffer::Resident(resident) if name => Part::Name(resident),
            other => Part::Buffer(other),
        });
    }
    let shortage = item.shortage.as_deref().copied();
    let passed = match shortage {
        Some(_) => Err(io::ErrorKind::OutOfMemory.into()),
        None => there.item(Kind::Calls, head, &parts),
    };
    if let Err(error) = passed {
        let of = Of::Arguments;
        let shortage = shortage.unwrap_or_else(|| Shortage::new(&error, item.payload.len(), of));
        lack(back, Kind::Replies, item.call, shortage);
    }
}

/// A reply or a value; where there is no room for it, that is what goes on.
fn pass_answer(kind: Kind, item: Item, there: &mut Outbox) {
    let shortage = item.shortage.as_deref().copied();
    let mut parts = parts_of(&item);
    if kind == Kind::Replies {
        parts.push(Part::Bytes(&item.output));
    }
    let passed = match shortage {
        Some(_) => Err(io::ErrorKind::OutOfMemory.into()),
        None => there.item(kind, head_of(&item), &parts),
    };
    if let Err(error) = passed {
        let new = || Shortage::new(&error, item.payload.len(), Of::Result);
        lack(there, kind, item.call, shortage.unwrap_or_else(new));
    }
}

fn lack(outbox: &mut Outbox, kind: Kind, call: u64, shortage: Shortage) {
    let encoded = shortage.encode();
    let head = ItemHead {
        call,
        tag: u32::from(KIND_NO_ROOM),
        ..ItemHead::default()
    };
    let parts = [Part::Bytes(&encoded), Part::Bytes(&[])];
    let count = if kind == Kind::Replies { 2 } else { 1 };
    // there is always room for so little, or the process could not go on
    let _ = outbox.item(kind, head, &parts[..count]);
}

fn no_room(put: io::Result<()>) -> Result<(), Malformed> {
    put.map_err(|error| Malformed(format!("there is no memory to pass it on: {error}")))
}

fn head_of(item: &Item) -> ItemHead {
    ItemHead {
        call: item.call,
        tag: item.tag,
        codec: item.payload.codec,
        link: item.link,
    }
}

fn parts_of(item: &Item) -> Vec<Part<'_>> {
    let mut parts = Vec::with_capacity(2 + item.payload.buffers.len());
    parts.push(Part::Bytes(&item.payload.head));
    parts.extend(item.payload.buffers.iter().map(Part::Buffer));
    parts
}

/// Moves what has come by wire to shared memory, where it is large.
fn share(message: &mut Message) {
    let (Message::Call(item)
    | Message::Reply(item)
    | Message::Value(item)
    | Message::Contents(item)) = message
    else {
        return;
    };
    for buffer in &mut item.payload.buffers {
        match buffer {
            Buffer::Inline(bytes) => {
                if let Some(shared) = shared(bytes) {
                    *buffer = shared;
                }
            }
            Buffer::Resident(resident) => {
                let content = resident.content.as_ref();
                let bytes = content.and_then(|content| content.bytes().bytes().ok());
                if let Some(shared) = bytes.and_then(shared) {
                    resident.content = Some(Content::new(shared));
                }
            }
            Buffer::Shared(_) | Buffer::Lent(_) => {}
        }
    }
}

fn shared(bytes: &[u8]) -> Option<Buffer> {
    let is_large = bytes.len() >= SHARED_FROM;
    is_large.then(|| Segment::copy_from(bytes).ok().map(Buffer::Shared))?
}
