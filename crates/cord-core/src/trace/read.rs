//! Reading what was written down of a run.

use std::fmt;

use super::encoding::Bytes;
use super::{Stamped, CHUNK, END, HEAD, MAGIC, RECORDS};

/// A part of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chunk<'a> {
    /// What was known of the run before, in JSON.
    Head(&'a str),
    /// What has happened.
    Records(&'a [u8]),
    /// What was known of the run when it had ended, in JSON.
    End(&'a str),
}

/// This is no log, or it cannot be read from somewhere on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damaged(pub String);

impl fmt::Display for Damaged {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// The parts of a log one after the other. One that is cut off, as the last may be where the program was
/// killed, is left out.
#[derive(Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

/// Begins to read a log.
///
/// # Errors
/// When this is none.
pub fn read(bytes: &[u8]) -> Result<Reader<'_>, Damaged> {
    let (magic, version) = (&MAGIC[..7], MAGIC[7]);
    let Some(head) = bytes.get(..8).filter(|head| head[..7] == *magic) else {
        return Err(Damaged("it is no trace of Cord's".to_owned()));
    };
    match head[7] {
        found if found == version => Ok(Reader { rest: &bytes[8..] }),
        found => Err(Damaged(format!(
            "its version is {found}, and this Cord reads version {version}"
        ))),
    }
}

impl<'a> Iterator for Reader<'a> {
    type Item = Result<Chunk<'a>, Damaged>;

    fn next(&mut self) -> Option<Self::Item> {
        let header = self.rest.get(..CHUNK)?;
        let mut size = [0; 4];
        size.copy_from_slice(&header[1..]);
        let end = CHUNK + u32::from_le_bytes(size) as usize;
        let body = self.rest.get(CHUNK..end)?;
        self.rest = &self.rest[end..];
        let text = || std::str::from_utf8(body).map_err(|_| Damaged("a text in it is none".into()));
        Some(match header[0] {
            HEAD => text().map(Chunk::Head),
            RECORDS => Ok(Chunk::Records(body)),
            END => text().map(Chunk::End),
            other => Err(Damaged(format!(
                "it has a part of the unknown kind {other}"
            ))),
        })
    }
}

impl<'a> Chunk<'a> {
    /// The records of such a part.
    ///
    /// # Errors
    /// At the first that makes no sense.
    pub fn records(self) -> impl Iterator<Item = Result<Stamped, Damaged>> + 'a {
        let body = match self {
            Chunk::Records(body) => body,
            Chunk::Head(_) | Chunk::End(_) => &[],
        };
        let (base, rest) = body.split_at(body.len().min(8));
        let mut last = base.try_into().map_or(0, u64::from_le_bytes);
        let mut bytes = Bytes(rest);
        std::iter::from_fn(move || {
            if bytes.0.is_empty() {
                return None;
            }
            let Some(record) = Stamped::read(last, &mut bytes) else {
                bytes = Bytes(&[]);
                return Some(Err(Damaged("a record in it makes no sense".to_owned())));
            };
            last = record.at;
            Some(Ok(record))
        })
    }
}
