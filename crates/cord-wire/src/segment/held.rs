//! Descriptors that segments hold, and whether this process is the one that keeps their memory.

use std::io;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::sync::OnceLock;

use memmap2::{MmapOptions, MmapRaw};
use rustix::fs::{Mode, OFlags};
use rustix::mm::{madvise, Advice};
use rustix::process::Resource;

use super::views;
use cord_os::descriptor::Descriptor;

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
        views::let_go();
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

/// Not 0 in the process that first asked: the kernel wipes it in whatever child that forks.
static HOME: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());

/// Whether this is the process that first asked. A child that it forks has its memory and must not
/// use it: the parent will.
pub fn is_at_home() -> bool {
    let mut home = HOME.load(Ordering::Acquire);
    if home.is_null() {
        let Ok(made) = wiped_by_forks() else {
            return false; // then nothing is kept
        };
        let made = ManuallyDrop::new(made);
        let (first, last) = (Ordering::AcqRel, Ordering::Acquire);
        home = match HOME.compare_exchange(home, made.as_mut_ptr(), first, last) {
            Ok(_) => made.as_mut_ptr(),
            Err(theirs) => theirs, // another thread was first
        };
    }
    // SAFETY: it is never unmapped, and nobody but the kernel writes it.
    unsafe { home.read_volatile() != 0 }
}

fn wiped_by_forks() -> io::Result<MmapRaw> {
    let mut page = MmapOptions::new().len(1).map_anon()?;
    // SAFETY: the page is this one's, and nothing is lost where it is wiped.
    unsafe {
        madvise(
            page.as_mut_ptr().cast(),
            page.len(),
            Advice::LinuxWipeOnFork,
        )?
    };
    page[0] = 1;
    Ok(page.into())
}
