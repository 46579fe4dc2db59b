//! Tables of objects by their addresses.

use std::hash::{BuildHasherDefault, Hasher};

pub type ByAddress = BuildHasherDefault<Address>;

/// The addresses of objects are spread well enough.
#[derive(Default)]
pub struct Address(u64);

impl Hasher for Address {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _bytes: &[u8]) {
        unreachable!("only addresses are looked up");
    }

    fn write_usize(&mut self, address: usize) {
        self.0 = (address as u64 >> 4).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}
