//! The layout of frames. All numbers are little endian.
//!
//! ```text
//! frame   u16 magic  u8 version  u8 kind  u32 count  u56 body bytes  u8 descriptors   body
//! item    u64 call   u32 parts   u24 tag   u8 codec   u64 link   parts x u64   bytes
//! ```
//! Tag and link of an item are
//!
//! | item | call | tag | link |
//! |---|---|---|---|
//! | call for a replica | its id | 0 | its priority |
//! | call for a replica, which the program waits for | its id | 1 | 0 |
//! | call for a replica, to be run on top of one that waits | its id | 2 | the replica's number of the call waited for |
//! | reply of a replica | its id | kind of reply | service time in nanoseconds |
//! | call that a replica makes | the replica's number | module * 4, + its effects | id of the call it was running, or 0 |
//! | reply to that | the replica's number | kind of reply | 0 |
//!
//! Of a call whose value is kept the tag is 4 more. Calls, replies and values are items; their codec
//! is the number by which their head is to be read, 0 where Cord itself reads it (an exception, say).
//!
//! A part is the head, then each buffer, then (replies only) the output; the top bit of its length
//! says that its bytes are in shared memory, whose descriptor is the frame's next one. Descriptors
//! travel ahead of the frame, each with a bell of its own; over a link without rings, one with each
//! of the frame's first bytes.
//!
//! The next bit says that a part is content which replicas keep: before its bytes stand a u32, what
//! it is to whoever reads it, and its name of 32 bytes. The third bit says that there is no more of
//! it: the replica has the content, or asks for it with `Want`. The fourth bit says of a part in shared
//! memory that it does not begin where that does: in place of its bytes stands a u64, how far on.

use crate::codec::Codec;
use crate::priority::Priority;

/// So many figures are told of each call that has run: its number, its begin and end, and for how long it
/// has used a core.
pub const FIGURES: usize = 4;

/// First two bytes of every frame.
const MAGIC: u16 = 0xC07D;
/// Version of this layout.
const VERSION: u8 = 3;
/// Bytes of the frame's header.
pub const HEADER: usize = 16;
/// Bytes of an item's header.
pub const ITEM: usize = 24;
/// Marks a part that is in shared memory.
pub const SHARED: u64 = 1 << 63;
/// Marks a part that replicas keep.
pub const RESIDENT: u64 = 1 << 62;
/// Marks such a part of which only the name comes.
pub const ABSENT: u64 = 1 << 61;
/// Marks a part that begins somewhere within its shared memory.
pub const WITHIN: u64 = 1 << 60;
/// A frame with a larger body is refused: no machine has so much memory, it must be garbage.
pub const MAX_BODY: usize = 1 << 46;
/// So many bits say how large that is.
const BODY_BITS: u32 = 56;
/// A frame has no more descriptors than this; nor does Linux pass more with one message.
pub const MAX_FDS: usize = 253;

/// What a frame holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Items: calls for the replica, or such as it makes.
    Calls = 1,
    /// Items: replies of the replica, or to it.
    Replies = 2,
    /// u32 process id: the replica can take calls.
    Ready = 3,
    /// The reason why the replica cannot start.
    InitFailed = 4,
    /// u64 call ids: the client asks for these back if they have not begun.
    Recall = 5,
    /// u64 call ids: those that had not begun, and now never will here. Answers every recall; also
    /// sent for calls that came for a thread which does not wait.
    Returned = 6,
    /// The world of what follows on this link, until the next frame of this kind.
    World = 7,
    /// The order to load the module; `Ready` or `InitFailed` answers it. From a replica, the order
    /// that another module's replicas load it.
    Load = 8,
    /// u64 call ids: the program waits for these; they go before the others.
    First = 9,
    /// u64 number of a replica; with the frame comes a socket that leads to it.
    Peer = 10,
    /// u64 number of a replica, u64 call ids: to be passed on to it as far as they have not begun.
    Move = 11,
    /// u64 call ids: what has been passed on. Answers every `Move`, once the other replica has it.
    Moved = 12,
    /// u64 call ids: they have come, but content that they need is not here. Each is answered by an
    /// item of `Contents`.
    Want = 13,
    /// Items without heads: content, for the call with that id. None if nobody waits for the call.
    Contents = 14,
    /// u64 call id, then the values that it needs, each u64 the call whose it is, u64 the replica that
    /// has it (0: it was sent). Stands before the call.
    Needs = 15,
    /// Items without link: values of calls, for a replica that needs them. Their tag is 0, or the kind
    /// of a reply that says that there was no room for one.
    Values = 16,
    /// Between replicas, u64 call ids: the other one needs their values.
    Fetch = 17,
    /// u64 call ids: nobody needs their values any more. Between replicas: they are not here.
    Release = 18,
    /// u64 call ids: they have not begun and never will here, as values that they need do not come.
    Unmet = 19,
    /// u64 call id, then an encoded exception: it is to be raised in the midst of this call. From a
    /// replica, its own number of a call that it waits for.
    Interrupt = 20,
    /// u64 call ids: the exception that came for each has been raised there. From the client, the
    /// replica's own numbers.
    Noticed = 21,
    /// u64 call ids: interrupts came for these, which had not begun and now never will.
    Withdrawn = 22,
    /// u64 number of a replica: whoever stands between is to give this one a `Peer` that leads to it. On
    /// its way to a node u64 follows, the number of the channel to where that is; 0 for the same node.
    Meet = 23,
    /// Of a replica, u64 call, u64 begin, u64 end of each that has run, in nanoseconds by the clock of its
    /// machine. From the client, empty: it is to say so.
    Ran = 24,
    /// From a replica, empty: it has come to so much memory that it is to be renewed.
    Worn = 25,
}

/// Added to the tag of a call whose value is kept.
pub const KEEPS: u32 = 4;

/// Whether the tag of a call says that its value is kept.
pub fn keeps(tag: u32) -> bool {
    tag & KEEPS != 0
}

/// From this bit on the tag of a call says which calls it may be served together with; 0 is none.
const GROUP_SHIFT: u32 = 3;

/// What the tag of a call says of its group.
pub fn grouped(group: u32) -> u32 {
    group << GROUP_SHIFT
}

/// The reverse.
pub fn group_of(tag: u32) -> u32 {
    tag >> GROUP_SHIFT
}

/// So many bits of an item's tag say what it is; the rest is the number of its codec.
const TAG_BITS: u32 = 24;

/// A tag and a codec, as they travel.
pub fn tagged(tag: u32, codec: Codec) -> u32 {
    debug_assert!(tag < 1 << TAG_BITS, "no session has so many modules");
    tag | u32::from(codec.0) << TAG_BITS
}

/// The reverse.
pub fn untagged(word: u32) -> (u32, Codec) {
    let [.., codec] = word.to_le_bytes();
    (word & ((1 << TAG_BITS) - 1), Codec(codec))
}

/// When a replica is to run a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// Among those that it has: the larger priority first, then the oldest.
    ByPriority(Priority),
    /// Before those.
    First,
    /// At once, in the thread that waits for the call with this number.
    OnTopOf(u64),
}

impl Turn {
    /// Tag and link of the item.
    pub fn encode(self) -> (u32, u64) {
        match self {
            Turn::ByPriority(priority) => (0, priority.to_bits()),
            Turn::First => (1, 0),
            Turn::OnTopOf(number) => (2, number),
        }
    }

    /// The reverse.
    pub fn decode(tag: u32, link: u64) -> Result<Turn, Malformed> {
        match tag & !KEEPS & (grouped(1) - 1) {
            0 => Ok(Turn::ByPriority(Priority::from_bits(link))),
            1 => Ok(Turn::First),
            2 => Ok(Turn::OnTopOf(link)),
            _ => Err(Malformed::new("an item of it has an unknown tag")),
        }
    }
}

/// The frame's header, decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// What the frame holds.
    pub kind: Kind,
    /// Bytes that follow the header.
    pub body: usize,
    /// Number of items or ids.
    pub count: usize,
    /// Number of descriptors that came with the frame.
    pub fds: usize,
}

/// What is wrong with a frame; closes the link.
#[derive(Debug, PartialEq, Eq)]
pub struct Malformed(pub String);

impl Malformed {
    /// A malformation described by `text`.
    pub fn new(text: impl Into<String>) -> Malformed {
        Malformed(text.into())
    }

    /// It is of no use, and nobody is to blame.
    pub fn cut_off() -> Malformed {
        Malformed(String::new())
    }
}

impl Header {
    /// Lays the header out.
    pub fn encode(&self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[0..2].copy_from_slice(&MAGIC.to_le_bytes());
        bytes[2] = VERSION;
        bytes[3] = self.kind as u8;
        bytes[4..8].copy_from_slice(&to_u32(self.count).to_le_bytes());
        let body = self.body as u64 | (self.fds as u64) << BODY_BITS;
        bytes[8..16].copy_from_slice(&body.to_le_bytes());
        bytes
    }

    /// Reads a header from the first [`HEADER`] bytes of `bytes`.
    pub fn decode(bytes: &[u8]) -> Result<Header, Malformed> {
        if bytes[0..2] != MAGIC.to_le_bytes() {
            return Err(Malformed::new("it does not start as a frame does"));
        }
        if bytes[2] != VERSION {
            let found = bytes[2];
            return Err(Malformed(format!("its version is {found}, not {VERSION}")));
        }
        let kind = decode_kind(bytes[3])?;
        let (count, body) = (u32_at(bytes, 4) as usize, u64_at(bytes, 8));
        let fds = (body >> BODY_BITS) as usize;
        let body = (body & ((1 << BODY_BITS) - 1)) as usize;
        if body > MAX_BODY {
            return Err(Malformed(format!(
                "its {body} bytes are more than {MAX_BODY}"
            )));
        }
        if fds > MAX_FDS {
            return Err(Malformed(format!(
                "its {fds} descriptors are more than {MAX_FDS}"
            )));
        }
        Ok(Header {
            kind,
            body,
            count,
            fds,
        })
    }
}

fn decode_kind(byte: u8) -> Result<Kind, Malformed> {
    Ok(match byte {
        1 => Kind::Calls,
        2 => Kind::Replies,
        3 => Kind::Ready,
        4 => Kind::InitFailed,
        5 => Kind::Recall,
        6 => Kind::Returned,
        7 => Kind::World,
        8 => Kind::Load,
        9 => Kind::First,
        10 => Kind::Peer,
        11 => Kind::Move,
        12 => Kind::Moved,
        13 => Kind::Want,
        14 => Kind::Contents,
        15 => Kind::Needs,
        16 => Kind::Values,
        17 => Kind::Fetch,
        18 => Kind::Release,
        19 => Kind::Unmet,
        20 => Kind::Interrupt,
        21 => Kind::Noticed,
        22 => Kind::Withdrawn,
        23 => Kind::Meet,
        24 => Kind::Ran,
        25 => Kind::Worn,
        other => return Err(Malformed(format!("its kind {other} is unknown"))),
    })
}

/// No frame has so many items.
fn to_u32(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// The u32 at `at`.
pub fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let mut raw = [0; 4];
    raw.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(raw)
}

/// The u64 at `at`.
pub fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let mut raw = [0; 8];
    raw.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(raw)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_survives_the_way() {
        let header = Header {
            kind: Kind::Recall,
            body: 5 << 30,
            count: 3,
            fds: 253,
        };
        assert_eq!(Header::decode(&header.encode()), Ok(header));
    }

    #[test]
    fn a_tag_and_a_codec_do_not_touch_one_another() {
        for (tag, codec) in [(0, 0), (5, 255), ((1 << 24) - 1, 0), (0x103, 7)] {
            assert_eq!(untagged(tagged(tag, Codec(codec))), (tag, Codec(codec)));
        }
        assert_eq!(tagged(5, Codec::PICKLE), 5);
    }

    #[test]
    fn foreign_and_oversized_frames_are_refused() {
        let good = Header {
            kind: Kind::Calls,
            body: MAX_BODY,
            count: 0,
            fds: 0,
        }
        .encode();
        assert!(Header::decode(&good).is_ok());
        for (at, value) in [(0, 0), (2, 9), (3, 0), (3, 99), (14, 0xFF), (15, 0xFF)] {
            let mut bad = good;
            bad[at] = value;
            assert!(Header::decode(&bad).is_err(), "byte {at} = {value}");
        }
    }
}
