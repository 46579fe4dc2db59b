//! Encodings of payloads, by number.

/// How the bytes of a payload are to be read, by a number. The core only carries it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Codec(pub u8);

impl Codec {
    /// Python's own, with its out-of-band buffers.
    pub const PICKLE: Codec = Codec(0);
    /// Requests and responses of HTTP, as the front end lays them out.
    pub const HTTP: Codec = Codec(1);
}
