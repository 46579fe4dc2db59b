//! The descriptors of a session, so that a forked child can close its copies of them.

use std::os::fd::{BorrowedFd, RawFd};
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};

use crate::descriptor::{Descriptor, Which};

const NONE: RawFd = -1;

/// A fixed table of descriptors, without locks: a child forked at any moment may read it.
#[derive(Debug)]
pub struct OpenFds(Box<[Place]>);

#[derive(Debug)]
struct Place {
    number: AtomicI32,
    device: AtomicU64,
    inode: AtomicU64,
}

impl OpenFds {
    /// An empty table of `size` places.
    pub fn new(size: usize) -> OpenFds {
        let place = |_| Place {
            number: AtomicI32::new(NONE),
            device: AtomicU64::new(0),
            inode: AtomicU64::new(0),
        };
        OpenFds((0..size).map(place).collect())
    }

    /// Notes that place `index` now holds a descriptor; to be called once it is open.
    pub fn note(&self, index: usize, descriptor: &Descriptor) {
        let (place, which) = (&self.0[index], descriptor.which());
        place.device.store(which.device, Ordering::SeqCst);
        place.inode.store(which.inode, Ordering::SeqCst);
        place.number.store(descriptor.number(), Ordering::SeqCst);
    }

    /// Empties place `index`; to be called before the descriptor is closed.
    pub fn forget(&self, index: usize) {
        self.0[index].number.store(NONE, Ordering::SeqCst);
    }

    /// Closes every noted descriptor that is still what it was. Only for a forked child, where nobody
    /// else uses them.
    pub fn close_all(&self) {
        for place in &self.0 {
            let number = place.number.swap(NONE, Ordering::SeqCst);
            if number != NONE && place.has_behind(number) {
                // SAFETY: the owner of this descriptor runs in the parent process only.
                unsafe { libc::close(number) };
            }
        }
    }

    /// Whether all that are noted are still what they were. One that is closed meanwhile by its owner,
    /// as that of a replica which has ended, is not noted any more.
    pub fn are_ours(&self) -> bool {
        self.0.iter().all(|place| {
            let number = place.number.load(Ordering::SeqCst);
            let is_noted = || place.number.load(Ordering::SeqCst) == number;
            number == NONE || place.has_behind(number) || !is_noted()
        })
    }
}

impl Place {
    /// Whether what is noted is behind this number.
    fn has_behind(&self, number: RawFd) -> bool {
        let which = Which {
            device: self.device.load(Ordering::SeqCst),
            inode: self.inode.load(Ordering::SeqCst),
        };
        // SAFETY: the number is asked about, nothing else.
        Which::of(unsafe { BorrowedFd::borrow_raw(number) }) == Some(which)
    }
}
