//! What the kernel tells of writes: pages are write-protected by userfaultfd, in the mode in which
//! the kernel lifts the protection by itself at the first write (`WP_ASYNC`, Linux 6.7), and the page
//! table shows afterwards which are protected still (`PAGEMAP_SCAN`).

use std::fs::File;
use std::io;
use std::mem::size_of;
use std::ops::Range;
use std::os::fd::{AsRawFd, OwnedFd};

use rustix::ioctl::opcode;
use rustix::mm::UserfaultfdFlags;

use crate::descriptor::out_of_the_way;

/// Unprivileged processes may use userfaultfd only so; nobody waits for faults here anyway.
const USER_MODE_ONLY: u32 = 1;

const UFFD: u8 = 0xAA;
const UFFD_API: u64 = 0xAA;
const FEATURE_PAGEFAULT_FLAG_WP: u64 = 1 << 0;
const FEATURE_WP_UNPOPULATED: u64 = 1 << 13;
const FEATURE_WP_ASYNC: u64 = 1 << 15;
const REGISTER_MODE_WP: u64 = 1 << 1;
const WRITEPROTECT_MODE_WP: u64 = 1 << 0;

const PAGE_IS_WRITTEN: u64 = 1 << 1;
const PAGE_IS_PRESENT: u64 = 1 << 3;
const PM_SCAN_WP_MATCHING: u64 = 1 << 0;
const PM_SCAN_CHECK_WPASYNC: u64 = 1 << 1;

/// So many stretches of pages are asked for at once.
const REGIONS: usize = 64;

#[repr(C)]
#[derive(Default)]
struct Api {
    api: u64,
    features: u64,
    ioctls: u64,
}

#[repr(C)]
#[derive(Default, Clone, Copy)]
struct Stretch {
    start: u64,
    len: u64,
}

#[repr(C)]
#[derive(Default)]
struct Register {
    range: Stretch,
    mode: u64,
    ioctls: u64,
}

#[repr(C)]
#[derive(Default)]
struct WriteProtect {
    range: Stretch,
    mode: u64,
}

#[repr(C)]
#[derive(Default, Clone, Copy)]
struct Region {
    start: u64,
    end: u64,
    categories: u64,
}

#[repr(C)]
#[derive(Default)]
struct Scan {
    size: u64,
    flags: u64,
    start: u64,
    end: u64,
    walk_end: u64,
    vec: u64,
    vec_len: u64,
    max_pages: u64,
    category_inverted: u64,
    category_mask: u64,
    category_anyof_mask: u64,
    return_mask: u64,
}

/// The two files through which the kernel is asked about the memory of the process that opened them.
/// Whatever other files have their numbers, where the program has closed them, refuse the questions.
#[derive(Debug)]
pub struct Kernel {
    faults: OwnedFd,
    pagemap: OwnedFd,
}

impl Kernel {
    /// Asks the kernel whether it can tell.
    ///
    /// # Errors
    /// What it says when it cannot, or may not: it is too old, there is no `/proc`, a container
    /// forbids it.
    pub fn open() -> io::Result<Kernel> {
        let flags = UserfaultfdFlags::CLOEXEC
            | UserfaultfdFlags::NONBLOCK
            | UserfaultfdFlags::from_bits_retain(USER_MODE_ONLY);
        // SAFETY: memory is only ever watched through it, which changes nothing that it holds.
        let faults = unsafe { rustix::mm::userfaultfd(flags)? };
        let mut api = Api {
            api: UFFD_API,
            features: FEATURE_PAGEFAULT_FLAG_WP | FEATURE_WP_UNPOPULATED | FEATURE_WP_ASYNC,
            ioctls: 0,
        };
        ask(&faults, opcode::read_write::<Api>(UFFD, 0x3F), &mut api)?;
        let pagemap = File::open("/proc/self/pagemap")?;
        let [faults, pagemap] = [faults, pagemap.into()].map(out_of_the_way);
        let kernel = Kernel { faults, pagemap };
        kernel.written(&(0..0))?; // it may know the one and not the other
        Ok(kernel)
    }

    /// Has writes to these pages noted from now on; none is noted so far.
    ///
    /// # Errors
    /// When the memory is of a kind that cannot be watched, or somebody else watches it.
    pub fn watch(&self, pages: &Range<usize>) -> io::Result<()> {
        let mut register = Register {
            range: stretch(pages),
            mode: REGISTER_MODE_WP,
            ioctls: 0,
        };
        let code = opcode::read_write::<Register>(UFFD, 0x00);
        ask(&self.faults, code, &mut register)?;
        self.begin_anew(pages)
    }

    /// Takes pages that are watched for unwritten.
    ///
    /// # Errors
    /// When they are not watched.
    pub fn begin_anew(&self, pages: &Range<usize>) -> io::Result<()> {
        let mut protect = WriteProtect {
            range: stretch(pages),
            mode: WRITEPROTECT_MODE_WP,
        };
        let code = opcode::read_write::<WriteProtect>(UFFD, 0x06);
        ask(&self.faults, code, &mut protect)?;
        Ok(())
    }

    /// Has writes to these pages go unnoted again.
    pub fn forget(&self, pages: &Range<usize>) {
        let code = opcode::read::<Stretch>(UFFD, 0x01);
        let _ = ask(&self.faults, code, &mut stretch(pages)); // it may be gone
    }

    /// The pages that may have been written since they were watched, or named here before: from now
    /// on the next writes to them are noted. What is not in memory is taken for written: it may have
    /// been given back to the system, and be zero when it is read next.
    ///
    /// # Errors
    /// When any of it is not watched: it was unmapped or moved, and other memory lies there.
    pub fn take_written(&self, pages: &Range<usize>) -> io::Result<Vec<Range<usize>>> {
        self.scan(
            pages,
            Scan {
                flags: PM_SCAN_WP_MATCHING | PM_SCAN_CHECK_WPASYNC,
                category_inverted: PAGE_IS_PRESENT,
                category_anyof_mask: PAGE_IS_WRITTEN | PAGE_IS_PRESENT,
                ..Scan::default()
            },
        )
    }

    /// The pages that were written since they were watched. Some that are not in memory may be among
    /// them.
    ///
    /// # Errors
    /// When any of it is not watched.
    pub fn written(&self, pages: &Range<usize>) -> io::Result<Vec<Range<usize>>> {
        self.scan(
            pages,
            Scan {
                flags: PM_SCAN_CHECK_WPASYNC,
                category_mask: PAGE_IS_WRITTEN,
                ..Scan::default()
            },
        )
    }

    fn scan(&self, pages: &Range<usize>, which: Scan) -> io::Result<Vec<Range<usize>>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        let mut regions = [Region::default(); REGIONS];
        let mut scan = Scan {
            size: size_of::<Scan>() as u64,
            start: pages.start as u64,
            end: pages.end as u64,
            vec: regions.as_mut_ptr() as u64,
            vec_len: REGIONS as u64,
            return_mask: PAGE_IS_WRITTEN,
            ..which
        };
        let code = opcode::read_write::<Scan>(b'f', 16);
        loop {
            let count = ask(&self.pagemap, code, &mut scan)?;
            for region in &regions[..count] {
                match found.last_mut() {
                    Some(last) if last.end == region.start as usize => {
                        last.end = region.end as usize;
                    }
                    _ => found.push(region.start as usize..region.end as usize),
                }
            }
            scan.start = scan.walk_end;
            if scan.start >= scan.end {
                return Ok(found);
            }
        }
    }
}

fn stretch(pages: &Range<usize>) -> Stretch {
    Stretch {
        start: pages.start as u64,
        len: pages.len() as u64,
    }
}

fn ask<T>(file: &impl AsRawFd, code: rustix::ioctl::Opcode, about: &mut T) -> io::Result<usize> {
    // SAFETY: each code is that of `T`, which is laid out as the kernel says; the kernel writes to
    // nothing else but what a scan points to, which lives longer than this.
    let answer = unsafe { libc::ioctl(file.as_raw_fd(), code as _, std::ptr::from_mut(about)) };
    usize::try_from(answer).map_err(|_| io::Error::last_os_error())
}

/// Whether all of this memory is this process's alone: neither shared nor of a file, which others
/// could write unseen.
pub fn is_own(pages: &Range<usize>) -> bool {
    std::fs::read_to_string("/proc/self/maps").is_ok_and(|maps| is_own_in(&maps, pages))
}

fn is_own_in(maps: &str, pages: &Range<usize>) -> bool {
    let mut reached = pages.start;
    for line in maps.lines() {
        let mut words = line.split_ascii_whitespace();
        let mut word = || words.next().unwrap_or("");
        let (place, rights, _offset, _device, inode) = (word(), word(), word(), word(), word());
        let Some((start, end)) = place.split_once('-') else {
            return false;
        };
        let address = |text| usize::from_str_radix(text, 16).unwrap_or(0);
        let (start, end) = (address(start), address(end));
        if end <= reached {
            continue;
        }
        if start > reached || !rights.ends_with('p') || inode != "0" {
            return false;
        }
        reached = end;
        if reached >= pages.end {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAPS: &str = "\
1000-3000 rw-p 00000000 00:00 0                          [heap]
3000-5000 rw-p 00000000 00:00 0 
6000-8000 rw-s 00000000 00:01 1057                       /dev/zero (deleted)
8000-9000 rw-p 00000000 08:02 77                         /some where/data
9000-a000 rw-p 00000000 00:00 0                          [anon: glibc: malloc]
";

    #[test]
    fn only_private_memory_without_a_file_is_own() {
        assert!(is_own_in(MAPS, &(0x1000..0x2000)));
        assert!(is_own_in(MAPS, &(0x2000..0x5000)));
        assert!(is_own_in(MAPS, &(0x9000..0xa000)));
        assert!(!is_own_in(MAPS, &(0x4000..0x6000)), "a hole");
        assert!(!is_own_in(MAPS, &(0x6000..0x7000)), "shared");
        assert!(!is_own_in(MAPS, &(0x8000..0x9000)), "a file's");
        assert!(!is_own_in(MAPS, &(0x9000..0xb000)), "beyond the end");
        assert!(!is_own_in("", &(0x1000..0x2000)));
    }
}
