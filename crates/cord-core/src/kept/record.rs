//! An outcome as it lies in a log.

use super::files::{shown, Seen};
use super::index::Entry;
use super::{log, packed, Key};
use cord_wire::buffer::Buffer;
use cord_wire::codec::Codec;
use cord_wire::outcome::Outcome;
use cord_wire::payload::Payload;
use cord_wire::reads::{self, Look, Read};
use cord_wire::segment::SHARED_FROM;

/// What came of a call, and what it has read.
#[derive(Debug)]
pub struct Record {
    pub function: String,
    pub service: u64,
    /// Where the code stood that it reaches; 0 where nothing tells of lines.
    pub lines: u64,
    pub kind: u8,
    pub codec: u8,
    pub reads: Vec<Seen>,
    pub output: Vec<u8>,
    pub head: Vec<u8>,
    pub buffers: Vec<Vec<u8>>,
}

/// What is told of an outcome.
#[derive(Debug, Clone)]
pub struct Told {
    pub key: Key,
    pub function: String,
    pub service: u64,
    pub made: u32,
    pub used: u32,
    pub bytes: u64,
    pub raised: bool,
    pub reads: Vec<String>,
    /// The encoded value.
    pub codec: u8,
    pub head: Vec<u8>,
    pub buffers: Vec<Vec<u8>>,
}

impl Record {
    /// As it lies in a log.
    pub fn encode(&self) -> Vec<u8> {
        let size = self.output.len() + self.head.len();
        let mut to = Vec::with_capacity(size + 128);
        to.extend(self.service.to_le_bytes());
        to.extend(self.lines.to_le_bytes());
        to.extend([self.kind, self.codec]);
        put(&mut to, self.function.as_bytes());
        number(&mut to, self.reads.len());
        for seen in &self.reads {
            seen.write(&mut to);
        }
        put(&mut to, &self.output);
        put(&mut to, &self.head);
        number(&mut to, self.buffers.len());
        for buffer in &self.buffers {
            put(&mut to, buffer);
        }
        to.extend([0; 16]);
        to
    }

    /// The same, with the key that it is of in its end, so that nothing is taken for another's.
    pub fn encode_for(&self, key: &Key) -> Vec<u8> {
        let mut bytes = self.encode();
        let end = bytes.len() - key.len();
        bytes[end..].copy_from_slice(key);
        packed::pack(&bytes)
    }

    /// As it was written, if it is of this key.
    pub fn decode(bytes: &[u8], key: &Key) -> Option<Record> {
        let bytes = packed::unpack(bytes)?;
        let (mut rest, end) = bytes.split_last_chunk::<16>()?;
        if end != key {
            return None;
        }
        let rest = &mut rest;
        let service = u64::from_le_bytes(*chunk(rest)?);
        let lines = u64::from_le_bytes(*chunk(rest)?);
        let [kind, codec] = *chunk(rest)?;
        let function = String::from_utf8(get(rest)?.to_vec()).ok()?;
        let count = length(rest)?;
        let reads = (0..count)
            .map(|_| Seen::read(rest))
            .collect::<Option<_>>()?;
        let output = get(rest)?.to_vec();
        let head = get(rest)?.to_vec();
        let count = length(rest)?;
        let buffers = (0..count).map(|_| Some(get(rest)?.to_vec()));
        Some(Record {
            function,
            service,
            lines,
            kind,
            codec,
            reads,
            output,
            head,
            buffers: buffers.collect::<Option<_>>()?,
        })
    }

    /// As it comes of a call, which has read this, and how long it took.
    pub fn into_outcome(self, read: &[Read]) -> (Outcome, u64) {
        let output = match read.is_empty() {
            true => self.output,
            false => [reads::encode(read), self.output].concat(),
        };
        let shared = |bytes: Vec<u8>| match bytes.len() >= SHARED_FROM {
            true => Buffer::copy_from(&bytes, SHARED_FROM).unwrap_or_else(|_| bytes.into()),
            false => bytes.into(),
        };
        let payload = Payload {
            codec: Codec(self.codec),
            head: self.head,
            buffers: self.buffers.into_iter().map(shared).collect(),
        };
        let outcome = Outcome::Reply {
            kind: self.kind,
            payload,
            output,
        };
        (outcome, self.service)
    }

    /// What is told of it.
    pub fn told(self, key: Key, entry: &Entry) -> Told {
        let own = |seen: &Seen| seen.look != Look::Never;
        let reads = self.reads.iter().filter(|seen| own(seen));
        Told {
            key,
            service: self.service,
            made: entry.made,
            used: entry.used,
            bytes: log::HEAD as u64 + u64::from(entry.length),
            raised: cord_wire::outcome::has_raised(self.kind),
            reads: reads.map(|seen| shown(&seen.path, seen.look)).collect(),
            function: self.function,
            codec: self.codec,
            head: self.head,
            buffers: self.buffers,
        }
    }
}

pub fn number(to: &mut Vec<u8>, number: usize) {
    to.extend(u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
}

pub fn put(to: &mut Vec<u8>, bytes: &[u8]) {
    number(to, bytes.len());
    to.extend(bytes);
}

pub fn chunk<'a, const N: usize>(rest: &mut &'a [u8]) -> Option<&'a [u8; N]> {
    let (first, after) = rest.split_first_chunk::<N>()?;
    *rest = after;
    Some(first)
}

pub fn length(rest: &mut &[u8]) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(*chunk(rest)?)).ok()
}

pub fn get<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = length(rest)?;
    let (taken, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(taken)
}
