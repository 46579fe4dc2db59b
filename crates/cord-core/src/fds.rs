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
            if number == NONE {
                continue;
            }
            let which = Which {
                device: place.device.load(Ordering::SeqCst),
                inode: place.inode.load(Ordering::SeqCst),
            };
            // SAFETY: it is asked about; and if it is closed, its owner runs in the parent only.
            unsafe {
                if Which::of(BorrowedFd::borrow_raw(number)) == Some(which) {
                    libc::close(number);
                }
            }
        }
    }
}
