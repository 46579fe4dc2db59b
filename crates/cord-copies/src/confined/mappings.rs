//! Shared memory becomes a copy's own before the copy runs.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Some of it was a file's: what is written there does not come to the file any more.
static WERE_FILES: AtomicBool = AtomicBool::new(false);

/// Where the session's own memory begins that copies go on reading; 0 if there is none.
static READ_ON: AtomicUsize = AtomicUsize::new(0);

/// So much is copied at most.
const MOST: usize = 64 << 20;

/// A mapping that writes of one process are seen through in another.
#[derive(Debug, PartialEq, Eq)]
struct Shared<'a> {
    start: usize,
    end: usize,
    readable: bool,
    writable: bool,
    name: &'a str,
}

/// The shared mapping that a line of `/proc/self/maps` tells of.
fn shared(line: &str) -> Option<Shared<'_>> {
    let mut words = line.splitn(6, ' ');
    let (start, end) = words.next()?.split_once('-')?;
    let rights = words.next()?;
    if !rights.ends_with('s') {
        return None;
    }
    Some(Shared {
        start: usize::from_str_radix(start, 16).ok()?,
        end: usize::from_str_radix(end, 16).ok()?,
        readable: rights.starts_with('r'),
        writable: rights[1..].starts_with('w'),
        name: words.nth(3).unwrap_or("").trim_start(),
    })
}

impl Shared<'_> {
    /// Links and buffers of the session: a copy has no use for them.
    fn is_the_sessions(&self) -> bool {
        self.name.starts_with("/memfd:cord-link")
    }

    /// A file that is written through it.
    fn is_a_files(&self) -> bool {
        let others = ["/dev/zero", "/memfd:", "/SYSV"];
        self.writable
            && self.name.starts_with('/')
            && !others.iter().any(|known| self.name.starts_with(known))
    }

    /// Memory of a device, of the kernel's queues, of System V: nobody can make it private.
    fn is_of_a_device(&self) -> bool {
        let memory = ["/dev/zero", "/dev/shm/"];
        self.name.starts_with("anon_inode:")
            || self.name.starts_with("/SYSV")
            || self.name.starts_with("socket:")
            || (self.name.starts_with("/dev/")
                && !memory.iter().any(|known| self.name.starts_with(known)))
    }
}

/// Copies read what lies from `start` in memory of the session's own, which they never write: it
/// stays shared, however large.
pub fn read_on(start: usize) {
    READ_ON.store(start, Ordering::Relaxed);
}

/// Why shared memory cannot become private.
#[derive(Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is not the kind of memory that can be copied.
    Device,
    /// It is too much.
    Size,
}

/// Looks whether all shared memory can become private.
fn check(all: &[Shared<'_>]) -> Result<(), Refused> {
    if all.iter().any(Shared::is_of_a_device) {
        return Err(Refused::Device);
    }
    let copied = all.iter().filter(|one| !one.is_the_sessions());
    let size: usize = copied.map(|one| one.end - one.start).sum();
    if size > MOST {
        return Err(Refused::Size);
    }
    Ok(())
}

/// Makes all shared memory of this process private, but for what lies from `kept.0` to `kept.1`.
///
/// # Errors
/// The reason why that cannot be.
pub fn make_private(kept: (usize, usize)) -> Result<(), Refused> {
    let maps = std::fs::read_to_string("/proc/self/maps").map_err(|_| Refused::Device)?;
    let lines = maps.lines().filter_map(shared);
    let others = lines.filter(|one| one.start < kept.0 || one.end > kept.1);
    let read_on = READ_ON.load(Ordering::Relaxed);
    let (read, all): (Vec<_>, Vec<_>) = others.partition(|one| one.start == read_on);
    check(&all)?;
    for one in &read {
        write_no_more(one).map_err(|_| Refused::Device)?;
    }
    WERE_FILES.store(all.iter().any(Shared::is_a_files), Ordering::Relaxed);
    for one in &all {
        replace(one).map_err(|_| Refused::Size)?;
    }
    Ok(())
}

/// Whether files were mapped, so that others could see what is written there.
pub fn were_files() -> bool {
    WERE_FILES.load(Ordering::Relaxed)
}

fn write_no_more(one: &Shared<'_>) -> io::Result<()> {
    let start = one.start as *mut libc::c_void;
    // SAFETY: the mapping is the session's, and copies only read it.
    match unsafe { libc::mprotect(start, one.end - one.start, libc::PROT_READ) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

fn replace(one: &Shared<'_>) -> io::Result<()> {
    let length = one.end - one.start;
    let copied = one.readable && !one.is_the_sessions();
    let rights = if copied {
        libc::PROT_READ | libc::PROT_WRITE
    } else {
        libc::PROT_NONE
    };
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: fresh memory is filled and then takes the place of what was there. Nobody else runs in
    // this process, and the old content is in it, unless nobody may look at it any more.
    unsafe {
        let fresh = libc::mmap(std::ptr::null_mut(), length, rights, flags, -1, 0);
        if fresh == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        if copied {
            std::ptr::copy_nonoverlapping(one.start as *const u8, fresh.cast::<u8>(), length);
        }
        let how = libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED;
        let moved = libc::mremap(fresh, length, length, how, one.start as *mut libc::c_void);
        if moved == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_mappings_are_told_from_private_ones() {
        let own = "7f00-7f10 rw-p 00000000 00:00 0 ";
        assert_eq!(shared(own), None);
        let other =
            "7f0000001000-7f0000003000 rw-s 00000000 00:01 1052   /memfd:cord-link (deleted)";
        let found = shared(other).unwrap();
        assert_eq!(found.end - found.start, 0x2000);
        assert!(found.readable && found.is_the_sessions() && !found.is_of_a_device());
        assert!(!found.is_a_files());
        let file = "7f0000001000-7f0000003000 rw-s 00000000 00:01 1052   /tmp/data";
        assert!(shared(file).unwrap().is_a_files());
    }

    #[test]
    fn what_cannot_be_copied_is_refused() {
        let of = |name| Shared {
            start: 0,
            end: 4096,
            readable: true,
            writable: true,
            name,
        };
        for name in [
            "/dev/nvidia0",
            "anon_inode:[io_uring]",
            "/SYSV00000000 (deleted)",
        ] {
            assert_eq!(check(&[of(name)]), Err(Refused::Device), "{name}");
        }
        for name in ["/dev/shm/sem.x", "/dev/zero (deleted)", "/tmp/data"] {
            assert_eq!(check(&[of(name)]), Ok(()), "{name}");
        }
        let large = Shared {
            end: MOST + 1,
            ..of("/tmp/data")
        };
        assert_eq!(check(&[large]), Err(Refused::Size));
    }
}
