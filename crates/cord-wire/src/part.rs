//! The parts of an item, as they are laid out.

use std::io;

use crate::buffer::Buffer;
use crate::resident::Resident;
use crate::segment::Segment;

/// One part of an item, borrowed.
#[derive(Debug, Clone, Copy)]
pub enum Part<'a> {
    /// Bytes that travel inside the frame.
    Bytes(&'a [u8]),
    /// A buffer, which may be in shared memory. Of what replicas keep, the content goes along.
    Buffer(&'a Buffer),
    /// What replicas keep, by its name alone.
    Name(&'a Resident),
}

impl Part<'_> {
    pub(super) fn bytes(&self) -> io::Result<&[u8]> {
        match self {
            Part::Bytes(bytes) => Ok(bytes),
            Part::Buffer(buffer) => buffer.bytes(),
            Part::Name(_) => Ok(&[]),
        }
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        match self {
            Part::Bytes(bytes) => bytes.len(),
            Part::Buffer(buffer) => buffer.len(),
            Part::Name(resident) => resident.len,
        }
    }

    pub(super) fn resident(&self) -> Option<&Resident> {
        match self {
            Part::Buffer(Buffer::Resident(resident)) => Some(resident),
            Part::Name(resident) => Some(resident),
            _ => None,
        }
    }

    /// Whether only its name goes, or nothing else is known of it.
    pub(super) fn is_absent(&self) -> bool {
        match self {
            Part::Name(_) => true,
            part => part.resident().is_some_and(|one| one.content.is_none()),
        }
    }

    pub(super) fn descriptor(&self) -> Option<&Segment> {
        match self {
            Part::Buffer(buffer) => segment_of(buffer),
            Part::Bytes(_) | Part::Name(_) => None,
        }
    }
}

/// The segment in which a buffer travels.
fn segment_of(buffer: &Buffer) -> Option<&Segment> {
    match buffer {
        Buffer::Shared(segment) => segment.descriptor().is_some().then_some(segment),
        Buffer::Resident(resident) => segment_of(resident.content.as_ref()?.bytes()),
        Buffer::Inline(_) | Buffer::Lent(_) => None,
    }
}
