//! What the two ends of a link say to one another.

use std::io;

use crate::buffer::Buffer;
use crate::came::Came;
use crate::payload::Payload;
use crate::shortage::{Of, Shortage};
use crate::wire::FIGURES;
use crate::wire::{u32_at, u64_at, Header, Kind, Malformed};
use cord_os::descriptor::Descriptor;

/// One call or reply, decoded.
#[derive(Debug)]
pub struct Item {
    /// Which call.
    pub call: u64,
    /// What it is: see [`crate::wire`].
    pub tag: u32,
    /// What it has to do with: see [`crate::wire`].
    pub link: u64,
    /// The first part, and those between.
    pub payload: Payload,
    /// The last part of a reply; empty for calls.
    pub output: Vec<u8>,
    /// There was no room for it here, as if it were a call: the payload is empty.
    pub shortage: Option<Box<Shortage>>,
}

impl Item {
    /// How many bytes it holds.
    pub fn bytes(&self) -> usize {
        self.payload.len() + self.output.len()
    }

    /// Opens its shared memory for its last owner, who may come late.
    pub fn open_to_wait(&mut self) {
        self.open_by(Buffer::open_to_wait);
    }

    /// Opens its shared memory for its last owner.
    pub fn open(&mut self) {
        self.open_by(Buffer::open);
    }

    fn open_by(&mut self, open: impl FnMut(&mut Buffer) -> io::Result<()>) {
        if let Err(error) = self.payload.buffers.iter_mut().try_for_each(open) {
            self.lack(&error);
        }
    }

    /// One for which there was no room.
    pub fn lacking(call: u64, tag: u32, link: u64, shortage: Shortage, output: Vec<u8>) -> Item {
        Item {
            call,
            tag,
            link,
            payload: Payload::default(),
            output,
            shortage: Some(Box::new(shortage)),
        }
    }

    /// There is no room for it.
    pub fn lack(&mut self, error: &io::Error) {
        let shortage = Shortage::new(error, self.bytes(), Of::Arguments);
        self.shortage = Some(Box::new(shortage));
        self.payload = Payload::default();
    }
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
    /// The client asks for these back.
    Recall(Vec<u64>),
    /// The client waits for these now.
    First(Vec<u64>),
    /// This socket leads to the replica with this number; none if there was no room for it.
    Peer(u64, Option<Descriptor>),
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
    /// A call, and the exception that is to be raised in the midst of it.
    Interrupt(u64, Vec<u8>),
    /// These have been interrupted.
    Noticed(Vec<u64>),
    /// These were interrupted before they had begun.
    Withdrawn(Vec<u64>),
    /// The replica is to be given a link to another one: that one's number, and on its way to a node
    /// the number of the channel.
    Meet(Vec<u64>),
    /// When calls have run: call, begin and end of each; none: that is to be told.
    Ran(Vec<u64>),
    /// The replica is to be renewed.
    Worn,
    /// The world of what follows.
    World(Vec<u8>),
    /// The replica is to load its module.
    Load(Vec<u8>),
}

pub fn has_items(kind: Kind) -> bool {
    use Kind::{Calls, Contents, Replies, Values};
    matches!(kind, Calls | Replies | Contents | Values)
}

pub fn item_message(kind: Kind, item: Item) -> Message {
    match kind {
        Kind::Replies => Message::Reply(item),
        Kind::Contents => Message::Contents(item),
        Kind::Values => Message::Value(item),
        _ => Message::Call(item),
    }
}

pub fn plain_message(header: Header, body: &[u8]) -> Result<Message, Malformed> {
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
        Kind::Interrupt if body.len() >= 8 => {
            Ok(Message::Interrupt(u64_at(body, 0), body[8..].to_vec()))
        }
        Kind::Noticed => ids(body).map(Message::Noticed),
        Kind::Withdrawn => ids(body).map(Message::Withdrawn),
        Kind::First => ids(body).map(Message::First),
        Kind::Meet if body.len() >= 8 => ids(body).map(Message::Meet),
        Kind::Ran if body.len() % (8 * FIGURES) == 0 => ids(body).map(Message::Ran),
        Kind::Worn if body.is_empty() => Ok(Message::Worn),
        Kind::Returned => ids(body).map(Message::Returned),
        Kind::World => Ok(Message::World(body.to_vec())),
        Kind::Load => Ok(Message::Load(body.to_vec())),
        _ => Err(Malformed::new("its body has the wrong size")),
    }
}

pub fn peer_message(body: &[u8], socket: Option<Came>) -> Result<Message, Malformed> {
    match (body.len(), socket) {
        (8, Some(socket)) => Ok(Message::Peer(u64_at(body, 0), socket.file().ok())),
        _ => Err(Malformed::new("it lacks a number or a descriptor")),
    }
}

fn ids(body: &[u8]) -> Result<Vec<u64>, Malformed> {
    if body.len() % 8 != 0 {
        return Err(Malformed::new("its body has the wrong size"));
    }
    Ok(body.chunks_exact(8).map(|id| u64_at(id, 0)).collect())
}
