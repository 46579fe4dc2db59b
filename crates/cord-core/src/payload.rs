//! What travels: payloads, and what comes of a call.

use std::any::Any;
use std::fmt::Debug;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use crate::audit::Auditor;
use crate::effects::Effects;
use crate::kept::Keep;
use crate::loss::{Cause, Fallen, Lost};
use crate::manner::{GateSpec, Manner, Priority, Rate};
use crate::memory;
use crate::migration::Migration;
use crate::outbox::Part;
use crate::resident::{Most, Resident};
use crate::segment::{Segment, SHARED_FROM};
use crate::shortage::{Of, Shortage};
use crate::transport::Transport;

/// A head of at least this many bytes travels through shared memory.
pub(crate) const LARGE_HEAD: usize = 1024 * 1024;

/// How the bytes of a payload are to be read, by a number. The core only carries it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Codec(pub u8);

impl Codec {
    /// Python's own, with its out-of-band buffers.
    pub const PICKLE: Codec = Codec(0);
    /// Requests and responses of HTTP, as the front end lays them out.
    pub const HTTP: Codec = Codec(1);
}

/// The reply's head is the encoded value.
pub const KIND_VALUE: u8 = 0;
/// The reply's head is the encoded exception that the function raised.
pub const KIND_ERROR: u8 = 1;
/// The reply's head is the encoded error that says why the result could not be encoded.
pub const KIND_UNENCODABLE: u8 = 2;

/// The value of a call that keeps it stays at its replica: the reply's head is its size in bytes, u64.
pub const KIND_KEPT: u8 = 3;
/// As [`KIND_VALUE`], of a call that keeps its value: it can be passed on as it is.
pub const KIND_PASSED: u8 = 4;

/// There was no room for arguments or a result: the reply's head is the encoded [`Shortage`].
pub const KIND_NO_ROOM: u8 = 5;

/// What came of the call must not be used: who calls is to make it by himself. The reply's head says why,
/// encoded.
pub const KIND_DISOWNED: u8 = 6;
/// The same, and the replica ends: the call has left something there, or was stopped in its midst.
pub const KIND_DISOWNED_LAST: u8 = 7;

/// Whether a reply of this kind says why there is no value.
pub fn has_raised(kind: u8) -> bool {
    matches!(kind, KIND_ERROR | KIND_UNENCODABLE | KIND_NO_ROOM)
}

/// Values smaller than this come with the reply and go on with the calls that need them: that is
/// cheaper than to fetch them.
pub const KEPT_FROM: usize = SHARED_FROM;

/// The size of a value that stays at its replica, by the head of the reply.
pub(crate) fn kept_bytes(head: &[u8]) -> usize {
    let size = head
        .first_chunk()
        .map_or(0, |size| u64::from_le_bytes(*size));
    usize::try_from(size).unwrap_or(usize::MAX)
}

/// One out-of-band buffer of a payload.
#[derive(Debug)]
pub enum Buffer {
    /// Bytes that travel inside the frame; somebody may keep them to compare with.
    Inline(Arc<Vec<u8>>),
    /// Bytes in shared memory, of which only the descriptor travels.
    Shared(Segment),
    /// Content that replicas keep, of which mostly only the name travels.
    Resident(Box<Resident>),
    /// Somebody else's memory, to be compared with; it is copied before it travels.
    Lent(Box<dyn Lent>),
}

impl From<Vec<u8>> for Buffer {
    fn from(bytes: Vec<u8>) -> Buffer {
        Buffer::Inline(Arc::new(bytes))
    }
}

/// Memory that is somebody else's.
pub trait Lent: Any + Debug + Send + Sync {
    /// What this is, for those who know more of it.
    fn as_any(&self) -> &dyn Any;

    /// What is in it now.
    fn bytes(&self) -> &[u8];
}

impl Buffer {
    /// Copies `bytes` to shared memory, if they are at least `shared_from` and descriptors are to be
    /// had; else they travel inline.
    ///
    /// # Errors
    /// When there is no memory for a copy.
    pub fn copy_from(bytes: &[u8], shared_from: usize) -> io::Result<Buffer> {
        if !bytes.is_empty() && bytes.len() >= shared_from {
            if let Ok(segment) = Segment::copy_from(bytes) {
                return Ok(Buffer::Shared(segment));
            }
        }
        memory::copy_of(bytes).map(Buffer::from)
    }

    /// A head, which travels inline unless it is very large.
    pub(crate) fn of_head(head: Vec<u8>) -> Buffer {
        if head.len() >= LARGE_HEAD {
            if let Ok(segment) = Segment::copy_from(&head) {
                return Buffer::Shared(segment);
            }
        }
        head.into()
    }

    /// The same bytes once more; they are shared, unless they are in shared memory that cannot be
    /// sent on.
    ///
    /// # Errors
    /// When there is no memory for a copy.
    pub(crate) fn copy(&self) -> io::Result<Buffer> {
        Ok(match self {
            Buffer::Inline(bytes) => Buffer::Inline(Arc::clone(bytes)),
            Buffer::Shared(segment) if segment.descriptor().is_some() => {
                Buffer::Shared(segment.clone())
            }
            other => memory::copy_of(other.bytes()?)?.into(),
        })
    }

    /// Opens received shared memory for its last owner.
    pub(crate) fn open(&mut self) -> io::Result<()> {
        if let Buffer::Shared(segment) = self {
            *segment = segment.open()?;
        }
        Ok(())
    }

    /// The same where it is to wait for its last owner: a large one can be had twice until then.
    pub(crate) fn open_to_wait(&mut self) -> io::Result<()> {
        match self {
            Buffer::Shared(segment) if segment.may_wait() => Ok(()),
            _ => self.open(),
        }
    }

    /// The bytes, wherever they are; none where content has not come yet. A segment is mapped at the
    /// first call.
    ///
    /// # Errors
    /// When there is no memory to see a received segment in.
    pub fn bytes(&self) -> io::Result<&[u8]> {
        match self {
            Buffer::Inline(bytes) => Ok(bytes),
            Buffer::Shared(segment) => segment.bytes(),
            Buffer::Resident(resident) => {
                let content = resident.content.as_deref();
                content.map_or(Ok(&[]), |content| content.bytes().bytes())
            }
            Buffer::Lent(memory) => Ok(memory.bytes()),
        }
    }

    /// The bytes, where there is memory.
    #[cfg(test)]
    pub fn as_slice(&self) -> &[u8] {
        self.bytes().unwrap()
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        match self {
            Buffer::Inline(bytes) => bytes.len(),
            Buffer::Shared(segment) => segment.len(),
            Buffer::Resident(resident) => resident.len,
            Buffer::Lent(memory) => memory.bytes().len(),
        }
    }

    /// Length in bytes of what is there for this payload alone.
    pub fn own_len(&self) -> usize {
        match self {
            Buffer::Resident(_) => 0,
            other => other.len(),
        }
    }

    /// Whether this is content of which only the name has come.
    pub(crate) fn is_lacking(&self) -> bool {
        matches!(self, Buffer::Resident(resident) if resident.content.is_none())
    }

    /// Whether there are no bytes at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The encoded arguments of a call, or its encoded result.
#[derive(Debug, Default)]
pub struct Payload {
    /// How they are encoded.
    pub codec: Codec,
    /// The encoding itself.
    pub head: Vec<u8>,
    /// Its out-of-band buffers, in the order in which the head names them.
    pub buffers: Vec<Buffer>,
}

impl Payload {
    /// A head without anything beside it, in the first codec or read by Cord itself.
    pub fn of_head(head: Vec<u8>) -> Payload {
        Payload {
            head,
            ..Payload::default()
        }
    }

    /// How many bytes it holds.
    pub fn len(&self) -> usize {
        self.head.len() + self.buffers.iter().map(Buffer::len).sum::<usize>()
    }

    /// Whether there are no bytes at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A copy that shares no memory that is written.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub(crate) fn copy(&self) -> io::Result<Payload> {
        Ok(Payload {
            codec: self.codec,
            head: memory::copy_of(&self.head)?,
            buffers: self
                .buffers
                .iter()
                .map(Buffer::copy)
                .collect::<io::Result<_>>()?,
        })
    }
}

/// A payload that waits to be sent: its head may be in shared memory, too.
#[derive(Debug)]
pub struct Parcel {
    /// How it is encoded.
    pub codec: Codec,
    /// The encoding itself.
    pub head: Buffer,
    /// Its out-of-band buffers.
    pub buffers: Vec<Buffer>,
}

impl From<Payload> for Parcel {
    fn from(payload: Payload) -> Parcel {
        Parcel {
            codec: payload.codec,
            head: Buffer::of_head(payload.head),
            buffers: payload.buffers,
        }
    }
}

impl Parcel {
    /// How many bytes it holds.
    pub fn len(&self) -> usize {
        self.head.len() + self.buffers.iter().map(Buffer::len).sum::<usize>()
    }

    /// The same, without what replicas keep.
    pub fn own_len(&self) -> usize {
        self.head.len() + self.buffers.iter().map(Buffer::own_len).sum::<usize>()
    }

    /// As it is laid out.
    pub fn parts(&self) -> Vec<Part<'_>> {
        let mut parts = Vec::with_capacity(1 + self.buffers.len());
        parts.push(Part::Buffer(&self.head));
        parts.extend(self.buffers.iter().map(Part::Buffer));
        parts
    }
}

/// What a replica must make of its surroundings (environment, working directory and the like)
/// before it runs a call, encoded; empty for those that it was started in.
pub type World = Arc<[u8]>;

/// Whether two worlds are the same. Equal bytes are mostly one object.
#[inline]
pub fn is_same_world(left: &World, right: &World) -> bool {
    Arc::ptr_eq(left, right) || left == right
}

/// A remote module and how it is served.
#[derive(Debug, Clone)]
pub struct ModuleSpec {
    /// Name as imported; used in messages only.
    pub name: String,
    /// Number of replicas, at least 1.
    pub replicas: u32,
    /// How many of them are threads of one process, at least 1: those of so many places in a row.
    pub threads: u32,
    /// The most that there may be when there are more cores than the plan has counted.
    pub most: u32,
    /// How many of them are made before any call waits for them; all where there are to be fewer.
    pub at_start: u32,
    /// How its calls are handled; at least one.
    pub manners: Vec<Manner>,
    /// The gates that manners speak of.
    pub gates: Vec<GateSpec>,
    /// The rates that gates speak of.
    pub rates: Vec<Rate>,
    /// How replicas pass calls to one another, if they do.
    pub migration: Option<Migration>,
    /// What carries its calls and their replies.
    pub transport: Transport,
    /// How much content of arguments each replica keeps.
    pub resident: Most,
    /// Whether what stateful calls leave in its replica, of which there is one, must not be lost in
    /// silence: none is made in a fresh one then.
    pub keeps_state: bool,
    /// The part of the time in which its replicas have nothing to do that calls made again may take.
    pub again: f64,
    /// After how many calls another replica takes the place of one.
    pub recycle: Option<u32>,
}

impl ModuleSpec {
    /// A module for whose calls nothing special is asked.
    pub fn plain(name: &str, replicas: u32) -> ModuleSpec {
        ModuleSpec {
            name: name.to_owned(),
            replicas,
            threads: 1,
            most: replicas,
            at_start: replicas,
            manners: vec![Manner::default()],
            gates: Vec::new(),
            rates: Vec::new(),
            migration: None,
            transport: Transport::default(),
            resident: Most::default(),
            keeps_state: false,
            again: 0.0,
            recycle: None,
        }
    }
}

/// A call to be issued.
#[derive(Debug)]
pub struct Call {
    /// Index into the modules that the session was started with.
    pub module: u32,
    /// What it does besides giving a value.
    pub effects: Effects,
    /// Index of its manner among those of the module.
    pub manner: u32,
    /// Which of the calls that wait goes first.
    pub priority: Priority,
    /// Whether it only gets a replica ready: none is made for it.
    pub beside: bool,
    /// Whether it is issued before the program asks for it: its reply counts in the manner's budget.
    pub ahead: bool,
    /// If its value is kept for other calls, for as long as there is a ticket of it: the length of the
    /// chain of such calls that ends with this one. Else 0.
    pub chain: u32,
    /// Calls, by their tickets' numbers, whose kept values it is given beside its arguments.
    pub needs: Vec<u64>,
    /// Its encoded arguments.
    pub payload: Payload,
    /// The world in which the program makes it.
    pub world: World,
    /// Who hears of it if the call is made again and gives something else; none where it is not to be.
    pub auditor: Option<Arc<dyn Auditor>>,
    /// What it is known by in later runs, if its outcome is kept for these.
    pub keep: Option<Box<Keep>>,
}

impl Call {
    /// A call of the first module in its first manner, made where the program stands.
    pub fn plain(effects: Effects, payload: Payload) -> Call {
        Call {
            module: 0,
            effects,
            manner: 0,
            priority: Priority::default(),
            beside: false,
            ahead: false,
            chain: 0,
            needs: Vec::new(),
            payload,
            world: World::default(),
            auditor: None,
            keep: None,
        }
    }
}

/// What came of a call.
#[derive(Debug)]
pub enum Outcome {
    /// The replica answered.
    Reply {
        /// [`KIND_VALUE`], [`KIND_ERROR`], [`KIND_UNENCODABLE`], [`KIND_DISOWNED`],
        /// [`KIND_DISOWNED_LAST`], and for calls that keep their value [`KIND_KEPT`] and
        /// [`KIND_PASSED`].
        kind: u8,
        /// The encoded value or exception.
        payload: Payload,
        /// What the call wrote to stdout and stderr, encoded; mostly empty.
        output: Vec<u8>,
    },
    /// The replica died, and the call cannot be repeated.
    Lost(Box<Lost>),
    /// The call was not made, as what others have left in a replica is lost with it.
    StateLost {
        /// The replica's process.
        fallen: Fallen,
    },
    /// The call took longer than it may; its replica is ended.
    Expired {
        /// How long it may take.
        deadline: Duration,
    },
    /// The module could not start in a replica.
    Unavailable {
        /// The reason, as the replica sent it.
        head: Vec<u8>,
    },
    /// The session was closed before the call was answered.
    Closed,
}

impl Outcome {
    /// There was no room for something.
    pub(crate) fn no_room(shortage: Shortage, output: Vec<u8>) -> Outcome {
        Outcome::Reply {
            kind: KIND_NO_ROOM,
            payload: Payload::of_head(shortage.encode()),
            output,
        }
    }

    /// Whether there is no replica for the call: no room for a process, or nobody who starts one.
    pub fn has_no_replica(&self) -> bool {
        let (kind, payload) = match self {
            Outcome::Reply { kind, payload, .. } => (kind, payload),
            Outcome::Lost(lost) => return lost.cause == Cause::Launcher,
            _ => return false,
        };
        let lacked = (*kind == KIND_NO_ROOM).then(|| Shortage::decode(&payload.head));
        lacked.flatten().is_some_and(|lack| lack.of == Of::Replica)
    }

    /// Whether the call has come to an end there, and what it came to cannot travel.
    pub fn is_unencodable(&self) -> bool {
        matches!(
            self,
            Outcome::Reply {
                kind: KIND_UNENCODABLE,
                ..
            }
        )
    }

    /// Why what came of the call must not be used, encoded; none where it may be.
    pub fn why_disowned(&self) -> Option<&[u8]> {
        match self {
            Outcome::Reply {
                kind: KIND_DISOWNED | KIND_DISOWNED_LAST,
                payload,
                ..
            } => Some(&payload.head),
            _ => None,
        }
    }

    /// What the call has written, encoded; empty for nothing.
    pub fn output(&self) -> &[u8] {
        match self {
            Outcome::Reply { output, .. } => output,
            _ => &[],
        }
    }

    /// Whether all of it can be had: nobody has closed a descriptor that its memory came by.
    pub fn is_there(&self) -> bool {
        let Outcome::Reply { payload, .. } = self else {
            return true;
        };
        let is_there = |buffer: &Buffer| match buffer {
            Buffer::Shared(segment) => segment.is_there(),
            _ => true,
        };
        payload.buffers.iter().all(is_there)
    }

    /// How many bytes it holds.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Outcome::Reply {
                kind: KIND_KEPT,
                payload,
                output,
            } => kept_bytes(&payload.head).saturating_add(output.len()),
            Outcome::Reply {
                payload, output, ..
            } => payload.len() + output.len(),
            Outcome::Unavailable { head } => head.len(),
            Outcome::Lost(_)
            | Outcome::StateLost { .. }
            | Outcome::Expired { .. }
            | Outcome::Closed => 0,
        }
    }

    /// A copy that shares no memory that is written, without what was printed; `None` if this is not a value.
    /// Nor is there one where there is no memory for it.
    pub(crate) fn copy_of_value(&self) -> Option<Outcome> {
        match self {
            Outcome::Reply {
                kind: KIND_VALUE,
                payload,
                ..
            } => Some(Outcome::Reply {
                kind: KIND_VALUE,
                payload: payload.copy().ok()?,
                output: Vec::new(),
            }),
            _ => None,
        }
    }
}
