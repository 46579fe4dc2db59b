//! The descriptors of a session, so that a forked child can close its copies of them.

use std::os::fd::RawFd;
use std::sync::atomic::{AtomicI32, Ordering};

const NONE: RawFd = -1;

/// A fixed table of descriptors, without locks: a child forked at any moment may read it.
#[derive(Debug)]
pub struct OpenFds(Box<[AtomicI32]>);

impl OpenFds {
    /// An empty table of `size` places.
    pub fn new(size: usize) -> OpenFds {
        OpenFds((0..size).map(|_| AtomicI32::new(NONE)).collect())
    }

    /// Notes that place `index` now holds `fd`; to be called once the descriptor is open.
    pub fn note(&self, index: usize, fd: RawFd) {
        self.0[index].store(fd, Ordering::SeqCst);
    }

    /// Empties place `index`; to be called before the descriptor is closed.
    pub fn forget(&self, index: usize) {
        self.0[index].store(NONE, Ordering::SeqCst);
    }

    /// Closes every noted descriptor. Only for a forked child, where nobody else uses them.
    pub fn close_all(&self) {
        for place in &self.0 {
            let fd = place.swap(NONE, Ordering::SeqCst);
            if fd != NONE {
                // SAFETY: the owner of this descriptor runs in the parent process only.
                unsafe { libc::close(fd) };
            }
        }
    }
}
