//! Maps by call or replica.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Ids are numbered in a row, and those in use lie close together. So an id stays what it is, and
/// neighbours find themselves beside one another in the table; only the bits by which the table tells
/// entries of one place apart, its highest seven, are mixed.
#[derive(Default)]
pub struct IdHasher(u64);

impl Hasher for IdHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(self.0 ^ u64::from(*byte));
        }
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        const MIXED: u64 = 0x7F << 57;
        self.0 = (value & !MIXED) | (value.wrapping_mul(0x9E37_79B9_7F4A_7C15) & MIXED);
    }
}

/// A map by call or replica.
pub type IdMap<K, V> = HashMap<K, V, BuildHasherDefault<IdHasher>>;
