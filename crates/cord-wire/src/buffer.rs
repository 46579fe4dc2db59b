//! The out-of-band buffers of a payload.

use std::any::Any;
use std::fmt::Debug;
use std::io;
use std::sync::Arc;

use crate::resident::Resident;
use crate::segment::Segment;
use cord_os::memory;

/// A head of at least this many bytes travels through shared memory.
pub const LARGE_HEAD: usize = 1024 * 1024;

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
    pub fn of_head(head: Vec<u8>) -> Buffer {
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
    pub fn copy(&self) -> io::Result<Buffer> {
        Ok(match self {
            Buffer::Inline(bytes) => Buffer::Inline(Arc::clone(bytes)),
            Buffer::Shared(segment) if segment.descriptor().is_some() => {
                Buffer::Shared(segment.clone())
            }
            other => memory::copy_of(other.bytes()?)?.into(),
        })
    }

    /// Opens received shared memory for its last owner.
    pub fn open(&mut self) -> io::Result<()> {
        if let Buffer::Shared(segment) = self {
            *segment = segment.open()?;
        }
        Ok(())
    }

    /// The same where it is to wait for its last owner: a large one can be had twice until then.
    pub fn open_to_wait(&mut self) -> io::Result<()> {
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
    #[cfg(any(test, feature = "testing"))]
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
    pub fn is_lacking(&self) -> bool {
        matches!(self, Buffer::Resident(resident) if resident.content.is_none())
    }

    /// Whether there are no bytes at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
