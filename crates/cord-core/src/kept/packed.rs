//! Records as they lie in a log: large ones are compressed, if that makes them smaller.

use std::borrow::Cow;

use super::log::LONGEST;

/// How a record lies there.
const PLAIN: u8 = 0;
const PACKED: u8 = 1;
/// Smaller ones are left as they are.
const SMALLEST: usize = 4 << 10;
/// By so many first bytes it is seen whether compressing is worth while.
const SAMPLE: usize = 64 << 10;

/// A record as it is to lie there.
pub fn pack(record: &[u8]) -> Vec<u8> {
    let size = u32::try_from(record.len()).ok();
    let size = size.filter(|_| record.len() >= SMALLEST);
    let sample = &record[..record.len().min(SAMPLE)];
    let packed = size.filter(|_| is_worth(sample)).map(|size| {
        let mut to = vec![PACKED];
        to.extend(size.to_le_bytes());
        to.extend(lz4_flex::block::compress(record));
        to
    });
    let is_smaller = |packed: &Vec<u8>| packed.len() <= record.len();
    packed
        .filter(is_smaller)
        .unwrap_or_else(|| [&[PLAIN], record].concat())
}

fn is_worth(sample: &[u8]) -> bool {
    lz4_flex::block::compress(sample).len() < sample.len() / 8 * 7
}

/// The record; none if it is not what was packed.
pub fn unpack(bytes: &[u8]) -> Option<Cow<'_, [u8]>> {
    let (how, rest) = bytes.split_first()?;
    match *how {
        PLAIN => Some(rest.into()),
        PACKED => {
            let (size, rest) = rest.split_first_chunk()?;
            let size = usize::try_from(u32::from_le_bytes(*size)).ok()?;
            let record = (size <= LONGEST).then(|| lz4_flex::block::decompress(rest, size));
            record?.ok().map(Cow::from)
        }
        _ => None,
    }
}
