//! The log of a run: what the dispatcher has heard and done, what the program has waited for, and when
//! each call ran where. It is written while the program runs, and read by whoever explains or repeats
//! the run afterwards.
//!
//! ```text
//! file    "cordtrc" u8 version   chunk …
//! chunk   u8 kind   u32 bytes   bytes
//! ```
//! A chunk is a text about the run (JSON, at its begin and at its end), or records. What has no text at
//! its end was cut off. Records are in the order in which they were written, which is nearly that of
//! their times: several threads write them. All numbers are little endian, those in records of variable
//! length.

mod encoding;
mod log;
mod read;
mod record;
#[cfg(any(test, feature = "testing"))]
pub mod samples;
mod tap;
#[cfg(test)]
mod tests;

pub use log::{Log, Times};
pub use read::{read, Chunk, Damaged, Reader};
pub use record::{Record, Stamped};
pub use tap::Logged;

/// First bytes of the file; the last is the version.
const MAGIC: [u8; 8] = *b"cordtrc\x01";
/// What a chunk holds.
const HEAD: u8 = 1;
const RECORDS: u8 = 2;
const END: u8 = 3;
/// Bytes before each chunk.
const CHUNK: usize = 5;
