//! Random bytes for what reads packets: see [`crate::fuzzed`].

use std::time::Instant;

use super::key::Key;
use super::tunnel::Tunnel;
use super::wire::Wire;
use crate::random_bytes::piped;
use cord_dispatch::dispatcher::dice::Dice;

pub(crate) fn packets(bytes: &[u8], _: &mut Dice) {
    let _ = Key::read(bytes);
    let [reader, writer] = piped(&bytes[..bytes.len().min(60_000)]);
    let mut wire = Wire::new(Tunnel::plain(reader, writer).unwrap(), Instant::now());
    while let Ok(true) = wire.fill(Instant::now()) {
        let mut most = bytes.len();
        while let Ok(Some(packet)) = wire.next() {
            assert!(
                packet.body.len() <= bytes.len() && most > 0,
                "none comes of nothing"
            );
            most -= 1;
        }
    }
}
