//! What a server tells its owner.

use std::io::Write;
use std::os::unix::net::UnixStream;

/// What there is to hear of.
#[derive(Debug)]
pub enum Event {
    /// What a call has printed, encoded as replicas do.
    Output(Vec<u8>),
    /// Nobody needs this site's session any more.
    Retired(u64),
}

/// Tells that there are events.
#[derive(Debug)]
pub(crate) struct Notify(pub UnixStream);

impl Notify {
    /// Makes the other end readable.
    pub fn ring(&self) {
        let _ = (&self.0).write(&[1]); // a full one is readable already
    }
}
