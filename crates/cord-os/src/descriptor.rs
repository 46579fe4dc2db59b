//! Descriptors of Cord's own, in a table that the program has too.
//!
//! A program may close descriptors that it has not opened: daemons close all there are. What it opens
//! next gets their numbers. So a number is used only while what is behind it is what was put there:
//! nothing is ever written to, read from or closed that is the program's. And numbers are taken from
//! where the program's own are not, which come from below: then they are the ones that it has without
//! Cord, and nothing gets between looking and using.

use std::io;
use std::mem::ManuallyDrop;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::sync::OnceLock;

use rustix::fs::Stat;
use rustix::io::{DupFlags, Errno};
use rustix::process::Resource;

/// The kernel keeps a table of all descriptors up to the highest, and each fork copies it: of so many
/// at most the upper part is used.
const MOST: u64 = 8192;

/// A descriptor of a socket, a pipe or a file: what the kernel can tell from all others by its inode.
#[derive(Debug)]
pub struct Descriptor {
    file: ManuallyDrop<OwnedFd>,
    which: Which,
}

/// Device and inode, which nothing else has while it is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Which {
    pub device: u64,
    pub inode: u64,
}

impl Which {
    /// What is behind a descriptor; `None` behind one that is not open.
    pub fn of(file: BorrowedFd<'_>) -> Option<Which> {
        let stat = rustix::fs::fstat(file).ok()?;
        Some(Which::in_stat(&stat))
    }

    fn in_stat(stat: &Stat) -> Which {
        Which {
            device: stat.st_dev,
            inode: stat.st_ino,
        }
    }
}

impl Descriptor {
    /// Takes over one that was just opened, under a number that is out of the program's way.
    pub fn new(file: OwnedFd) -> Descriptor {
        Descriptor::of(out_of_the_way(file))
    }

    /// The same under a number below `most`, if there is one: it is of use also where the program
    /// lowers its limit.
    pub fn below(most: RawFd, file: OwnedFd) -> Descriptor {
        let from = lowest().min(most / 4 * 3);
        Descriptor::of(rustix::io::fcntl_dupfd_cloexec(&file, from).unwrap_or(file))
    }

    fn of(file: OwnedFd) -> Descriptor {
        let which = Which::of(file.as_fd());
        Descriptor {
            file: ManuallyDrop::new(file),
            which: which.unwrap_or(Which {
                device: 0,
                inode: 0,
            }),
        }
    }

    /// Whether it is still what it was: nobody has closed it.
    pub fn is_ours(&self) -> bool {
        Which::of(self.file.as_fd()) == Some(self.which)
    }

    /// The descriptor, to be used at once.
    ///
    /// # Errors
    /// `EBADF` when the program has closed it, whatever has its number now.
    pub fn get(&self) -> Result<BorrowedFd<'_>, Errno> {
        match self.is_ours() {
            true => Ok(self.file.as_fd()),
            false => Err(Errno::BADF),
        }
    }

    /// The number, whatever is behind it.
    pub fn unseen(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }

    /// The descriptor, to be used at once, and what the system says of its file.
    ///
    /// # Errors
    /// As [`Descriptor::get`].
    pub fn stat(&self) -> Result<(BorrowedFd<'_>, Stat), Errno> {
        let stat = rustix::fs::fstat(&*self.file)?;
        match Which::in_stat(&stat) == self.which {
            true => Ok((self.file.as_fd(), stat)),
            false => Err(Errno::BADF),
        }
    }

    /// Opens what is behind it once more, and puts that in its place.
    ///
    /// # Errors
    /// As [`Descriptor::get`], or what the system says.
    pub fn renew(
        &mut self,
        open: impl FnOnce(BorrowedFd<'_>) -> io::Result<OwnedFd>,
    ) -> io::Result<()> {
        let file = open(self.get()?)?;
        Ok(rustix::io::dup3(&file, &mut self.file, DupFlags::CLOEXEC)?)
    }

    /// In a forked child: closes its copy. The descriptor is the parent's.
    pub fn close_copy(&self) {
        if self.is_ours() {
            // SAFETY: who owns it runs in the parent only, and looks whether it is still there.
            unsafe { libc::close(self.number()) };
        }
    }

    /// Writes, once.
    ///
    /// # Errors
    /// `EBADF` when the program has closed it, or what the system says.
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        rustix::io::write(self.get()?, bytes)?;
        Ok(())
    }

    /// What is behind it.
    pub fn which(&self) -> Which {
        self.which
    }

    /// Its number.
    pub fn number(&self) -> RawFd {
        self.file.as_raw_fd()
    }
}

impl From<OwnedFd> for Descriptor {
    fn from(file: OwnedFd) -> Descriptor {
        Descriptor::new(file)
    }
}

impl Drop for Descriptor {
    fn drop(&mut self) {
        if self.is_ours() {
            // SAFETY: it is not used after this.
            unsafe { ManuallyDrop::drop(&mut self.file) };
        }
    }
}

/// The same file by a number that the program's own do not come to, unless it has very many; or as it
/// is, where there is none.
pub fn out_of_the_way(file: OwnedFd) -> OwnedFd {
    let from = lowest();
    if file.as_raw_fd() >= from {
        return file;
    }
    let moved = match rustix::io::fcntl_dupfd_cloexec(&file, from) {
        // the program has lowered its limit since
        Err(Errno::INVAL) => rustix::io::fcntl_dupfd_cloexec(&file, upper_part()),
        moved => moved,
    };
    moved.unwrap_or(file)
}

/// From which number on descriptors are Cord's.
pub fn lowest() -> RawFd {
    static FROM: OnceLock<RawFd> = OnceLock::new();
    *FROM.get_or_init(upper_part)
}

/// Where the upper part begins of the numbers that there may be now.
fn upper_part() -> RawFd {
    RawFd::try_from(numbers() / 4 * 3).unwrap_or(0)
}

/// How many one in so many of the descriptors are that there may be now.
pub fn share_of(share: usize) -> usize {
    usize::try_from(numbers()).map_or(0, |numbers| numbers / share)
}

/// So many numbers there may be now, of which Cord's come from the end.
fn numbers() -> u64 {
    let limit = rustix::process::getrlimit(Resource::Nofile).current;
    limit.unwrap_or(MOST).min(MOST)
}

/// Another one of the same, as somebody who receives it has.
#[cfg(any(test, feature = "testing"))]
pub fn copy_of(descriptor: &Descriptor) -> Descriptor {
    let file = descriptor.get().unwrap();
    Descriptor::new(file.try_clone_to_owned().unwrap())
}

#[cfg(test)]
mod tests {
    use std::os::fd::FromRawFd;

    use rustix::fs::MemfdFlags;

    use super::*;

    fn file() -> OwnedFd {
        rustix::fs::memfd_create(c"test", MemfdFlags::CLOEXEC).unwrap()
    }

    /// Puts another file in the place of one that was closed.
    fn replace(number: RawFd) -> OwnedFd {
        // SAFETY: the number is only used through what this gives, and by what must not use it.
        let mut place = unsafe { OwnedFd::from_raw_fd(number) };
        rustix::io::dup2(file(), &mut place).unwrap();
        place
    }

    #[test]
    fn it_is_closed_when_it_is_dropped() {
        let descriptor = Descriptor::new(file());
        let (number, which) = (descriptor.number(), descriptor.which());
        assert!(descriptor.is_ours() && descriptor.get().is_ok());
        drop(descriptor);
        // SAFETY: the number is asked about, nothing else.
        let place = unsafe { BorrowedFd::borrow_raw(number) };
        assert_ne!(Which::of(place), Some(which));
    }

    #[test]
    fn what_has_its_number_now_is_neither_given_nor_closed() {
        let descriptor = Descriptor::new(file());
        let other = replace(descriptor.number());
        assert!(!descriptor.is_ours());
        assert_eq!(descriptor.get().unwrap_err(), Errno::BADF);
        drop(descriptor);
        assert!(rustix::fs::fstat(&other).is_ok());
    }

    #[test]
    fn the_programs_own_get_the_numbers_from_below() {
        let low = file();
        let descriptor = Descriptor::new(file());
        assert!(descriptor.number() > low.as_raw_fd() && descriptor.number() > 100);
    }
}
