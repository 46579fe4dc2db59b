//! Which agent it is: what its gateway and it know, and what others may see of that.

use std::io;

use ring::digest::{digest, SHA256};

use cord_wire::wire::u64_at;

/// Bytes of an agent's id, and of its name.
const LENGTH: usize = 16;
/// Bytes of a hello.
pub(super) const HELLO: usize = LENGTH + 8;

/// The name of none: who comes by it wants a new agent.
pub(super) const NOBODY: [u8; LENGTH] = [0; LENGTH];

/// Nobody guesses it, and it is told inside of TLS only.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Identity([u8; LENGTH]);

impl Identity {
    /// A new one.
    ///
    /// # Errors
    /// When the system gives no randomness.
    pub(super) fn new() -> io::Result<Identity> {
        let mut id = [0; LENGTH];
        rustix::rand::getrandom(&mut id, rustix::rand::GetRandomFlags::empty())?;
        Ok(Identity(id))
    }

    /// By which a connection is brought to this agent, before TLS begins. Who knows it does not know
    /// the id.
    pub(super) fn name(&self) -> [u8; LENGTH] {
        let mut name = [0; LENGTH];
        name.copy_from_slice(&digest(&SHA256, &self.0).as_ref()[..LENGTH]);
        name
    }

    /// What whoever connects says of it: which it is, and how much it has read of the other side.
    pub(super) fn hello(&self, read: u64) -> Vec<u8> {
        [&self.0[..], &read.to_le_bytes()].concat()
    }

    /// The reverse, for `HELLO` bytes.
    pub(super) fn of_hello(hello: &[u8]) -> (Identity, u64) {
        let mut id = [0; LENGTH];
        id.copy_from_slice(&hello[..LENGTH]);
        (Identity(id), u64_at(hello, LENGTH))
    }
}
