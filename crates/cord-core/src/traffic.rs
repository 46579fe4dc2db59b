//! What has come to the client, and what has not.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts bytes of results, without what the calls have printed.
#[derive(Debug, Default)]
pub struct Traffic {
    came: AtomicU64,
    stayed: AtomicU64,
}

impl Traffic {
    /// A result of so many bytes has come.
    pub(crate) fn count_came(&self, bytes: usize) {
        self.came.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// A result of so many bytes has stayed where it was made.
    pub(crate) fn count_stayed(&self, bytes: usize) {
        self.stayed.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Bytes of results that have come to the client.
    pub fn came(&self) -> u64 {
        self.came.load(Ordering::Relaxed)
    }

    /// Bytes of results that have stayed at replicas, to be passed on from there.
    pub fn stayed(&self) -> u64 {
        self.stayed.load(Ordering::Relaxed)
    }
}
