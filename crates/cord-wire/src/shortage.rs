//! What there was no room for: memory or descriptors that a call's arguments or its result need.

use std::io;

use rustix::io::Errno;

use crate::wire::{u32_at, u64_at};

/// Bytes of an encoded one.
const SIZE: usize = 13;

/// What there was no room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shortage {
    /// What the system said.
    pub errno: i32,
    /// How large the arguments or the result are, in bytes; 0 where that does not matter.
    pub bytes: u64,
    /// What they are of.
    pub of: Of,
}

/// What there can be no room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Of {
    /// The arguments of a call, which has not run.
    Arguments = 0,
    /// The result of a call.
    Result = 1,
    /// A process to run the call; it has not run.
    Replica = 2,
}

impl Shortage {
    /// The room that the system would not give for so many bytes.
    pub fn new(error: &io::Error, bytes: usize, of: Of) -> Shortage {
        Shortage {
            errno: error.raw_os_error().unwrap_or(Errno::NOMEM.raw_os_error()),
            bytes: bytes as u64,
            of,
        }
    }

    /// As the head of a reply.
    pub fn encode(&self) -> Vec<u8> {
        let mut head = Vec::with_capacity(SIZE);
        head.extend_from_slice(&self.errno.to_le_bytes());
        head.extend_from_slice(&self.bytes.to_le_bytes());
        head.push(self.of as u8);
        head
    }

    /// The reverse.
    pub fn decode(head: &[u8]) -> Option<Shortage> {
        (head.len() == SIZE).then(|| Shortage {
            errno: u32_at(head, 0) as i32,
            bytes: u64_at(head, 4),
            of: match head[12] {
                0 => Of::Arguments,
                1 => Of::Result,
                _ => Of::Replica,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_arrives_as_it_was() {
        for of in [Of::Arguments, Of::Result, Of::Replica] {
            let shortage = Shortage::new(&Errno::MFILE.into(), 70_000, of);
            assert_eq!(Shortage::decode(&shortage.encode()), Some(shortage));
        }
        assert_eq!(Shortage::decode(b"short"), None);
    }
}
