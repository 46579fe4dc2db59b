//! Encoded arguments and results.

use std::io;
use std::sync::Arc;

use crate::buffer::Buffer;
use crate::codec::Codec;
use crate::part::Part;
use cord_os::memory;

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
    pub fn copy(&self) -> io::Result<Payload> {
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
