//! Descriptors that segments hold, and whether this process is the one that keeps their memory.

use std::io;
use std::ops::{Deref, DerefMut};
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::OnceLock;

use rustix::fs::{Mode, OFlags};
use rustix::process::Resource;

use crate::descriptor::Descriptor;

/// How many descriptors this process holds for segments.
static HELD: AtomicUsize = AtomicUsize::new(0);

/// A descriptor that counts against this process's share for segments.
#[derive(Debug)]
pub struct CountedFd(Descriptor);

impl CountedFd {
    /// A new descriptor, within this process's share.
    ///
    /// # Errors
    /// `EMFILE` when segments already hold their share, or what `make` says.
    pub fn new(make: impl FnOnce() -> io::Result<OwnedFd>) -> io::Result<CountedFd> {
        if !has_room() {
            return Err(rustix::io::Errno::MFILE.into());
        }
        make().map(Descriptor::new).map(CountedFd::received)
    }

    /// A descriptor that is there already.
    pub fn received(file: Descriptor) -> CountedFd {
        HELD.fetch_add(1, Ordering::Relaxed);
        CountedFd(file)
    }
}

impl Drop for CountedFd {
    fn drop(&mut self) {
        HELD.fetch_sub(1, Ordering::Relaxed);
    }
}

impl DerefMut for CountedFd {
    fn deref_mut(&mut self) -> &mut Descriptor {
        &mut self.0
    }
}

impl Deref for CountedFd {
    type Target = Descriptor;

    fn deref(&self) -> &Descriptor {
        &self.0
    }
}

/// Whether there are descriptors left for segments.
pub fn has_room() -> bool {
    HELD.load(Ordering::Relaxed) < share()
}

/// Whether so many are left that some may be held for what is only of use later.
pub fn has_plenty() -> bool {
    cfg!(test) || HELD.load(Ordering::Relaxed) < share() / 2 // many tests share one process
}

/// A quarter of the descriptors that this process may have: the rest belongs to the program.
fn share() -> usize {
    static SHARE: OnceLock<usize> = OnceLock::new();
    *SHARE.get_or_init(|| {
        let limit = rustix::process::getrlimit(Resource::Nofile).current;
        usize::try_from(limit.unwrap_or(4096) / 4).unwrap_or(1024)
    })
}

/// Opens the same memory once more, to be read: another open file, without the lock of the first.
///
/// # Errors
/// When there is no `/proc`, or no descriptor left.
pub fn opened_again(file: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    let path = format!("/proc/self/fd/{}", file.as_raw_fd());
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::empty())?)
}

/// Whether this is the process that first asked. A child that it forks has its memory and must not
/// use it: the parent will.
pub fn is_at_home() -> bool {
    static HOME: AtomicU32 = AtomicU32::new(0);
    let pid = std::process::id();
    match HOME.compare_exchange(0, pid, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => true,
        Err(home) => home == pid,
    }
}
