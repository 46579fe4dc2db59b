//! Why no copy is made: what speaks against it before the process is touched.

use std::fs;
use std::sync::OnceLock;

use crate::confined::filter;

/// Larger programs are not copied.
const LARGEST: u64 = 4 << 30;
/// A program may take this part of the memory that is free, for its copy may come to need as much.
const PART_OF_FREE: u64 = 2;
/// More descriptors would have to be cut off than the program would wait for.
const MOST_DESCRIPTORS: usize = 4096;

/// Why no copy is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Refusal {
    /// One core is no use.
    Cores,
    /// The program is too large.
    Memory,
    /// There is not enough memory for another one like it.
    Free,
    /// The kernel does not make a copy.
    Clone,
    /// The kernel has no filters, or does not allow one.
    Filter,
    /// A device may write the program's memory, or read it: while a copy lives that may be the copy's.
    Device,
    /// The kernel does work of the program's beside it.
    Queues,
    /// A debugger would take the copy for a thread of the program's.
    Traced,
    /// Shared memory that cannot be made private.
    Mappings,
    /// Descriptors that cannot be cut off.
    Descriptors,
    /// The copy could not be cut off in time.
    Late,
}

impl Refusal {
    /// Whether it is no use to try again.
    pub fn is_final(self) -> bool {
        !matches!(self, Refusal::Late | Refusal::Clone | Refusal::Free)
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Refusal::Cores => "there is one core only",
            Refusal::Memory => "the program is too large",
            Refusal::Free => "there is not enough memory for a second one of the program's size",
            Refusal::Clone => "the system makes no copy",
            Refusal::Filter => "the system allows no filter of system calls",
            Refusal::Device => "the program uses a device",
            Refusal::Queues => "the program uses io_uring",
            Refusal::Traced => "a debugger or tracer watches the program",
            Refusal::Mappings => "shared memory that cannot be copied",
            Refusal::Descriptors => "descriptors that cannot be cut off",
            Refusal::Late => "the copy was not ready in time",
        }
    }
}

/// Memory of this process, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Addresses that it has taken.
    pub addresses: u64,
    /// What is in memory.
    pub resident: u64,
    /// Of that: what is in no file.
    pub own: u64,
}

impl Size {
    /// That of this process, now.
    pub fn now() -> Option<Size> {
        let about = fs::read_to_string("/proc/self/statm").ok()?;
        Size::read(&about, rustix::param::page_size() as u64)
    }

    fn read(about: &str, page: u64) -> Option<Size> {
        let mut fields = about.split(' ').map(|field| field.parse::<u64>().ok());
        let mut next = || Some(fields.next()?? * page);
        let (addresses, resident, shared) = (next()?, next()?, next()?);
        Some(Size {
            addresses,
            resident,
            own: resident.saturating_sub(shared),
        })
    }
}

/// Looks whether this process may be copied now. `watched`: also where a tracer watches it.
///
/// # Errors
/// The reason why not.
pub fn check(watched: bool) -> Result<(), Refusal> {
    if cores() < 2 {
        return Err(Refusal::Cores);
    }
    if !filter::is_there() {
        return Err(Refusal::Filter);
    }
    check_memory()?;
    check_descriptors()?;
    if !watched && is_traced() {
        return Err(Refusal::Traced);
    }
    Ok(())
}

/// How many cores this process may use at one time, by affinity and by limits of its control group.
pub fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

fn check_memory() -> Result<(), Refusal> {
    let Some(size) = Size::now() else {
        return Err(Refusal::Memory);
    };
    if size.resident > LARGEST {
        return Err(Refusal::Memory);
    }
    match free() {
        Some(free) if size.own > free / PART_OF_FREE => Err(Refusal::Free),
        _ => Ok(()),
    }
}

/// Memory that this process may still get: of the machine's, and within its control group.
pub fn free() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok();
    let machine = machine.as_deref().and_then(available);
    [machine, left_in_group()].into_iter().flatten().min()
}

fn available(about: &str) -> Option<u64> {
    let line = about
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes << 10)
}

/// The folder of this process's control group, where it is of the second version.
fn group() -> Option<&'static str> {
    static GROUP: OnceLock<Option<String>> = OnceLock::new();
    let found = GROUP.get_or_init(|| {
        let about = fs::read_to_string("/proc/self/cgroup").ok()?;
        let path = about.lines().find_map(|line| line.strip_prefix("0::"))?;
        Some(format!("/sys/fs/cgroup{path}"))
    });
    found.as_deref()
}

/// The most memory that the control group of this process may have, and what it has.
pub fn memory_of_group() -> Option<(u64, u64)> {
    let folder = group()?;
    let number = |name: &str| -> Option<u64> {
        let text = fs::read_to_string(format!("{folder}/{name}")).ok()?;
        text.trim().parse().ok()
    };
    Some((number("memory.max")?, number("memory.current")?))
}

fn left_in_group() -> Option<u64> {
    let (most, now) = memory_of_group()?;
    Some(most.saturating_sub(now))
}

fn check_descriptors() -> Result<(), Refusal> {
    let Ok(all) = fs::read_dir("/proc/self/fd") else {
        return Err(Refusal::Descriptors);
    };
    let mut count = 0;
    for entry in all.flatten() {
        let Some(fd) = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok())
        else {
            continue;
        };
        count += 1;
        if count > MOST_DESCRIPTORS {
            return Err(Refusal::Descriptors);
        }
        check_one(fd, &entry.path())?;
    }
    Ok(())
}

fn check_one(fd: i32, path: &std::path::Path) -> Result<(), Refusal> {
    // SAFETY: there is room for the answer; a descriptor that is closed by now gives an error.
    let about = unsafe {
        let mut about: libc::stat = std::mem::zeroed();
        if libc::fstat(fd, &raw mut about) != 0 {
            return Ok(());
        }
        about
    };
    match about.st_mode & libc::S_IFMT {
        libc::S_IFCHR if !is_harmless(about.st_rdev) => Err(Refusal::Device),
        0 if is_queue(path) => Err(Refusal::Queues), // of the kernel's own kinds
        _ => Ok(()),
    }
}

/// Whether a device neither sees nor changes the memory of who uses it: those that are no hardware, and
/// terminals.
fn is_harmless(device: libc::dev_t) -> bool {
    const NO_HARDWARE: u32 = 1;
    const TERMINALS: [u32; 3] = [4, 5, 3];
    const PSEUDO_TERMINALS: std::ops::RangeInclusive<u32> = 136..=143;
    const MIXED: u32 = 10;
    const USERFAULTFD: u32 = 126;
    const FUSE: u32 = 229;
    const TUN: u32 = 200;
    let (major, minor) = (libc::major(device), libc::minor(device));
    major == NO_HARDWARE
        || TERMINALS.contains(&major)
        || PSEUDO_TERMINALS.contains(&major)
        || (major == MIXED && [USERFAULTFD, FUSE, TUN].contains(&minor))
}

fn is_queue(path: &std::path::Path) -> bool {
    let target = fs::read_link(path).ok();
    target.is_some_and(|target| target.to_string_lossy() == "anon_inode:[io_uring]")
}

fn is_traced() -> bool {
    let about = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let tracer = about
        .lines()
        .find_map(|line| line.strip_prefix("TracerPid:"));
    tracer.is_some_and(|tracer| tracer.trim() != "0")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsRawFd;

    #[test]
    fn sizes_are_read_from_what_the_kernel_says() {
        let size = Size::read("100 50 20 1 0 40 0\n", 4096).unwrap();
        assert_eq!((size.addresses, size.resident), (100 << 12, 50 << 12));
        assert_eq!(size.own, 30 << 12);
        assert_eq!(Size::read("", 4096), None);
        assert!(Size::now().unwrap().own > 0);
    }

    #[test]
    fn free_memory_is_read_from_what_the_kernel_says() {
        let about = "MemTotal:  24000 kB\nMemFree: 10 kB\nMemAvailable:   2048 kB\nBuffers: 1 kB\n";
        assert_eq!(available(about), Some(2 << 20));
        assert_eq!(available("MemTotal: 5 kB\n"), None);
        assert!(free().is_some());
    }

    #[test]
    fn terminals_are_no_devices_and_graphics_are() {
        let harmless = [(1, 3), (1, 9), (5, 0), (136, 7), (10, 126)];
        let others = [
            (195, 0),
            (226, 128),
            (234, 0),
            (10, 196),
            (10, 232),
            (231, 192),
        ];
        let is = |(major, minor): (u32, u32)| is_harmless(libc::makedev(major, minor));
        assert!(harmless.into_iter().all(is));
        assert!(!others.into_iter().any(is));
    }

    #[test]
    fn an_open_device_speaks_against_it() {
        let path = |fd: i32| std::path::PathBuf::from(format!("/proc/self/fd/{fd}"));
        let null = std::fs::File::open("/dev/null").unwrap();
        assert_eq!(check_one(null.as_raw_fd(), &path(null.as_raw_fd())), Ok(()));
        // SAFETY: a call without memory but the zeroed parameters, which are there through it.
        let ring = unsafe {
            let mut how = [0u8; 120];
            libc::syscall(libc::SYS_io_uring_setup, 1, how.as_mut_ptr())
        };
        if let Ok(ring @ 0..) = i32::try_from(ring) {
            assert_eq!(check_one(ring, &path(ring)), Err(Refusal::Queues));
            // SAFETY: opened above.
            unsafe { libc::close(ring) };
        }
    }

    #[test]
    fn nobody_watches_a_test() {
        assert!(!is_traced());
        assert!(check_descriptors().is_ok());
    }
}
