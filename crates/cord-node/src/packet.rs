//! What travels over a wire.
//!
//! ```text
//! packet   u8 kind   3 bytes 0   u32 replica   u32 body bytes   body
//! ```
//!
//! The first packet of either side on a new connection is its greeting; what follows is numbered by its
//! bytes, so that a link that is cut and comes back goes on where it was.

use cord_wire::wire::{u32_at, Malformed};

/// Bytes before the body.
pub const HEADER: usize = 12;
/// Of a replica's frames so many bytes at most stand in one packet: others have their turn then.
pub const CHUNK: usize = 16 * 1024;
/// No packet has more.
const MAX_BODY: usize = 1 << 30;

/// What a packet is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// From the agent, first: 16 bytes that name it, and u64, how much it has read of the gateway.
    Hello = 1,
    /// From the gateway, to an agent it did not know: what it is to serve.
    Welcome = 2,
    /// From the gateway, to one that comes back: u64, how much it has read of the agent.
    Resumed = 3,
    /// From the agent: it serves. Its facts follow.
    Joined = 4,
    /// From the agent: it cannot serve, for this reason.
    Refused = 5,
    /// Bytes of frames.
    Data = 6,
    /// To the agent: a replica is wanted. u32 module, u32 slot.
    Launch = 7,
    /// From it: a replica's process exists. u32 process id.
    Started = 8,
    /// From it: a replica's process has ended. i32 wait status.
    Exited = 9,
    /// From it: a replica could not be started. i32 errno.
    Failed = 10,
    /// To it: end this replica's process.
    End = 11,
    /// The link of a replica has ended there.
    Closed = 12,
    /// u64: how much has been read. Sent now and then in any case: it tells that this side lives.
    Read = 13,
    /// To the agent: the run is over.
    Finish = 14,
    /// From it: its end of a channel between two replicas exists.
    Met = 15,
    /// From it, before it serves: u64, from which byte on it lacks the program's code.
    Lacks = 16,
    /// To it: a piece of that, from there on.
    Code = 17,
    /// From it: a replica is ended for its memory. u32 how much it has, u32 how much it may have, in KiB.
    Beyond = 18,
}

impl Kind {
    fn decode(byte: u8) -> Result<Kind, Malformed> {
        use Kind::*;
        Ok(match byte {
            1 => Hello,
            2 => Welcome,
            3 => Resumed,
            4 => Joined,
            5 => Refused,
            6 => Data,
            7 => Launch,
            8 => Started,
            9 => Exited,
            10 => Failed,
            11 => End,
            12 => Closed,
            13 => Read,
            14 => Finish,
            15 => Met,
            16 => Lacks,
            17 => Code,
            18 => Beyond,
            other => {
                return Err(Malformed(format!(
                    "a packet is of the unknown kind {other}"
                )))
            }
        })
    }
}

/// The fixed part of a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// What it is.
    pub kind: Kind,
    /// Which replica it is about, or which channel between two of them; 0 for none.
    pub replica: u32,
    /// Bytes that follow.
    pub length: usize,
}

impl Head {
    /// Lays it out.
    pub fn encode(self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[0] = self.kind as u8;
        bytes[4..8].copy_from_slice(&self.replica.to_le_bytes());
        let length = u32::try_from(self.length).expect("no packet is as long");
        bytes[8..12].copy_from_slice(&length.to_le_bytes());
        bytes
    }

    /// The reverse.
    ///
    /// # Errors
    /// When it is none.
    pub fn decode(bytes: &[u8]) -> Result<Head, Malformed> {
        let (kind, length) = (Kind::decode(bytes[0])?, u32_at(bytes, 8) as usize);
        if bytes[1..4] != [0; 3] || length > MAX_BODY {
            return Err(Malformed::new("what comes over the wire is no packet"));
        }
        Ok(Head {
            kind,
            replica: u32_at(bytes, 4),
            length,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_arrives_as_it_was_and_nothing_else_does() {
        let head = Head {
            kind: Kind::Finish,
            replica: 70_000,
            length: 12,
        };
        let bytes = head.encode();
        assert_eq!(Head::decode(&bytes), Ok(head));
        for (at, spoilt) in [(0, 0), (0, 19), (2, 1), (11, 0xff)] {
            let mut bytes = bytes;
            bytes[at] = spoilt;
            assert!(Head::decode(&bytes).is_err(), "{at}");
        }
    }
}
