//! What lies between a replica's link on this machine and the wire: messages are taken from one and put
//! into the other.

use std::collections::VecDeque;
use std::io;

use super::contents::{Contents, Given, NodeStore};
use super::meeting::{unmet, Meetings};
use super::routes::Routes;
use cord_dispatch::dispatcher::ReplicaId;
use cord_wire::buffer::Buffer;
use cord_wire::inbox::{Filled, Inbox};
use cord_wire::link::Link;
use cord_wire::message::{Item, Message};
use cord_wire::outbox::{ItemHead, Outbox};
use cord_wire::outcome::KIND_NO_ROOM;
use cord_wire::part::Part;
use cord_wire::resident::{Content, Ledger};
use cord_wire::segment::{Segment, SHARED_FROM};
use cord_wire::shortage::{Of, Shortage};
use cord_wire::transport::Transport;
use cord_wire::wire::{Kind, Malformed, Turn};

/// Nothing more is read from a link while so much of it waits for the wire.
const CROWDED: usize = 1 << 20;

/// Which side of the wire this is.
#[derive(Debug)]
pub(super) enum Side<'a> {
    /// The client's: what its messages name, and where replicas are.
    Gateway(&'a mut Contents, &'a mut Routes),
    /// A node's: what is kept there, and which replicas are to be linked.
    Agent(&'a mut NodeStore, &'a mut Meetings),
}

/// Whose a channel is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    /// A replica's, to the client.
    Replica,
    /// That of a replica's link to another one, on another node.
    Peer(ReplicaId),
}

/// One of them.
#[derive(Debug)]
pub(super) struct Channel {
    /// Its number: that of its replica, if it is one's own.
    number: ReplicaId,
    pub(super) whose: Whose,
    pub(super) link: Link,
    from_wire: Inbox,
    to_wire: Outbox,
    /// So many bytes the wire has been given.
    given: u64,
    /// From which byte on it waits for content that another channel brings, in order.
    waits: VecDeque<(u64, Given)>,
    /// The bytes before which its replica's peers must have given all they have.
    moved: Vec<u64>,
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
    pub(super) fn new(
        number: ReplicaId,
        whose: Whose,
        link: Link,
        ledger: Ledger,
        wire: Option<usize>,
    ) -> Channel {
        Channel {
            number,
            whose,
            link,
            given: 0,
            waits: VecDeque::new(),
            moved: Vec::new(),
            from_wire: Inbox::new(false),
            to_wire: Outbox::new(Transport::Tcp),
            ledger,
            wire,
            has_ended: false,
            is_ready: false,
            wants_out: false,
        }
    }

    /// Its number.
    pub(super) fn number(&self) -> ReplicaId {
        self.number
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

    /// The content that it waits for before anything more goes to the wire.
    pub(super) fn waits_for(&self) -> Option<Given> {
        let next = self.waits.front().filter(|(from, _)| *from <= self.given);
        next.map(|(_, given)| *given)
    }

    /// What it waited for is there.
    pub(super) fn wait_no_more(&mut self) {
        self.waits.pop_front();
    }

    /// Whether the wire has been given this.
    pub(super) fn has_given(&self, until: u64) -> bool {
        self.given >= until
    }

    /// Takes so many of them at most, up to where it waits for something.
    pub(super) fn take(&mut self, most: usize, give: impl FnOnce(&[u8])) {
        let free = self
            .waits
            .front()
            .map_or(u64::MAX, |(from, _)| from - self.given);
        let most = most.min(usize::try_from(free).unwrap_or(usize::MAX));
        let given = &mut self.given;
        self.to_wire.take_some(most, |bytes| {
            *given += bytes.len() as u64;
            give(bytes);
        });
    }

    /// From which bytes on it waits until its replica's links to others have given what they have, for
    /// it says that calls went there. Each is told once.
    pub(super) fn moved(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.moved)
    }

    /// What is put from there on waits until another channel has given so much.
    pub(super) fn wait_for(&mut self, from: u64, given: Given) {
        self.waits.push_back((from, given));
    }

    /// All that it has so far, given or not.
    pub(super) fn all(&mut self) -> Given {
        Given {
            replica: self.number,
            until: self.put(),
        }
    }

    fn put(&mut self) -> u64 {
        self.given + self.waiting() as u64
    }

    /// Reads the link once.
    ///
    /// # Errors
    /// When what comes is no frame.
    pub(super) fn read(&mut self, side: &mut Side<'_>) -> Result<Filled, Malformed> {
        let filled = self.link.fill()?;
        while let Some(message) = self.link.next()? {
            match (&mut *side, message) {
                (Side::Gateway(contents, _), message) if names_content(&message) => {
                    self.send(message, contents)?;
                }
                (Side::Gateway(_, routes), Message::Meet(order)) => {
                    let other = ReplicaId::try_from(order[0]).unwrap_or(0);
                    let number = routes.introduce(self.number, other);
                    let order = [order[0], u64::from(number)];
                    self.to_wire.ids(Kind::Meet, &order);
                }
                (_, message) => {
                    if matches!(message, Message::Moved(_)) {
                        let begins = self.put();
                        self.moved.push(begins);
                    }
                    let (there, back) = (&mut self.to_wire, &mut self.link.outbox);
                    pass(message, there, back, |_, _| false)?;
                }
            }
        }
        Ok(filled)
    }

    /// A call goes to the node, with the content that is not there yet. It stands in a frame of its own
    /// then, and those that come with names alone go behind that.
    fn send(&mut self, message: Message, contents: &mut Contents) -> Result<(), Malformed> {
        let begins = self.put();
        let (mut fresh, mut known) = (Vec::new(), Vec::new());
        let named = |buffer: &Buffer, turn| {
            let Buffer::Resident(resident) = buffer else {
                return false;
            };
            match contents.given(resident) {
                Some(_) if matches!(turn, Turn::OnTopOf(_)) => false,
                Some(given) => {
                    known.push(given);
                    true
                }
                None if resident.content.is_some() => {
                    fresh.push((resident.key, resident.len));
                    false
                }
                None => false,
            }
        };
        pass(message, &mut self.to_wire, &mut self.link.outbox, named)?;
        let given = self.all();
        for (key, len) in fresh {
            contents.give(key, len, given);
        }
        let others = known
            .into_iter()
            .filter(|given| given.replica != self.number);
        self.waits.extend(others.map(|given| (begins, given)));
        Ok(())
    }

    /// Takes in what the wire has brought; what comes of it is in the link's outbox then.
    ///
    /// # Errors
    /// When it is no frame.
    pub(super) fn take_in(&mut self, bytes: &[u8], side: &mut Side<'_>) -> Result<(), Malformed> {
        self.from_wire.feed(bytes)?;
        let shares = self.link.outbox.shares();
        while let Some(mut message) = self.from_wire.next()? {
            if shares {
                share(&mut message);
            }
            let (back, there) = (&mut self.to_wire, &mut self.link.outbox);
            match (&mut *side, message) {
                (Side::Agent(_, meetings), Message::Meet(order)) => {
                    let met = meetings.meet(self.number, &order);
                    there.socket(order[0], met.map_err(|error| unmet(&error))?);
                }
                // what comes from a replica is no part of what the gateway follows
                (Side::Agent(store, _), mut message) if self.whose == Whose::Replica => {
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
                (_, message) => pass(message, there, back, |_, _| false)?,
            }
        }
        Ok(())
    }
}

/// Whether this is a call with content that replicas keep.
fn names_content(message: &Message) -> bool {
    let is_resident = |buffer: &Buffer| matches!(buffer, Buffer::Resident(_));
    matches!(message, Message::Call(item) if item.payload.buffers.iter().any(is_resident))
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
        Message::Move(order) => there.ids(Kind::Move, &order),
        Message::Moved(ids) => there.ids(Kind::Moved, &ids),
        Message::Fetch(ids) => there.ids(Kind::Fetch, &ids),
        Message::Ran(times) => there.ids(Kind::Ran, &times),
        Message::Worn => there.ids(Kind::Worn, &[]),
        Message::Meet(_) | Message::Peer(..) => {
            return Err(Malformed::new(
                "no socket can be handed over to another machine",
            ));
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
