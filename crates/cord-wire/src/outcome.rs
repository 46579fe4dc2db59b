//! What came of a call.

use std::time::Duration;

use crate::buffer::Buffer;
use crate::loss::{Cause, Fallen, Lost};
use crate::payload::Payload;
use crate::segment::SHARED_FROM;
use crate::shortage::{Of, Shortage};

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
pub fn kept_bytes(head: &[u8]) -> usize {
    let size = head
        .first_chunk()
        .map_or(0, |size| u64::from_le_bytes(*size));
    usize::try_from(size).unwrap_or(usize::MAX)
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
    pub fn no_room(shortage: Shortage, output: Vec<u8>) -> Outcome {
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
    pub fn bytes(&self) -> usize {
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
    pub fn copy_of_value(&self) -> Option<Outcome> {
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
