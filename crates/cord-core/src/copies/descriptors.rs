//! What a copy may do with each descriptor. Files that can be read are opened anew, so that they have
//! offsets of their own; all else is replaced by the null device, and what is done with it is trapped.
//!
//! The tables are read by the handler of trapped calls: no locks, no memory that moves.

use std::io;
use std::os::fd::RawFd;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicU8, Ordering};

/// Descriptors from this one on are not known. Cord's own lie below 8192, where there are so many.
const MOST: usize = 16 * 1024;
/// So many files that the program writes are told apart.
const MOST_FILES: usize = 64;
const NULL_DEVICE: u64 = libc::makedev(1, 3);

/// What a descriptor leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Nothing, as far as is known.
    Closed = 0,
    /// A file or folder of the copy's own, for reading.
    Own,
    /// The null device.
    Null,
    /// Standard output or error, on a terminal: what is written is swallowed.
    Terminal,
    /// The same on a pipe or socket.
    Stream,
    /// A file that the program writes. What is written is swallowed, and whoever looks at the file
    /// then ends.
    File,
    /// Whatever is done with it ends the copy.
    Cut,
}

const KINDS: [Kind; 7] = [
    Kind::Closed,
    Kind::Own,
    Kind::Null,
    Kind::Terminal,
    Kind::Stream,
    Kind::File,
    Kind::Cut,
];

static TABLE: [AtomicU8; MOST] = [const { AtomicU8::new(0) }; MOST];
/// A file is written through a descriptor.
static FILES: [File; MOST_FILES] = [const { File::none() }; MOST_FILES];

struct File {
    fd: AtomicU64,
    device: AtomicU64,
    number: AtomicU64,
    written: AtomicBool,
}

impl File {
    const fn none() -> File {
        File {
            fd: AtomicU64::new(u64::MAX),
            device: AtomicU64::new(0),
            number: AtomicU64::new(0),
            written: AtomicBool::new(false),
        }
    }
}

/// What is known of a descriptor; none if there are too many.
pub fn kind(fd: usize) -> Option<Kind> {
    let kind = TABLE.get(fd)?.load(Ordering::Relaxed);
    KINDS.get(usize::from(kind)).copied()
}

/// Says what a descriptor leads to; false if it is too large a number.
pub fn set_kind(fd: usize, kind: Kind) -> bool {
    let place = TABLE.get(fd);
    place
        .inspect(|place| place.store(kind as u8, Ordering::Relaxed))
        .is_some()
}

/// Something was written, and swallowed; false if nobody knows to which file.
pub fn was_written(fd: usize) -> bool {
    let mut files = FILES.iter();
    let file = files.find(|file| file.fd.load(Ordering::Relaxed) == fd as u64);
    file.inspect(|file| file.written.store(true, Ordering::Relaxed))
        .is_some()
}

/// Whether a file is other than the program would find it.
pub fn is_stale(about: &libc::stat) -> bool {
    FILES.iter().any(|file| {
        file.written.load(Ordering::Relaxed)
            && file.device.load(Ordering::Relaxed) == about.st_dev
            && file.number.load(Ordering::Relaxed) == about.st_ino
    })
}

/// Whether any is.
pub fn is_any_stale() -> bool {
    FILES
        .iter()
        .any(|file| file.written.load(Ordering::Relaxed))
}

/// Cuts the descriptors of this process, which is a fresh copy, off from those of the program.
///
/// # Errors
/// When there are too many, or the system has no room.
pub fn cut_off() -> io::Result<()> {
    for place in &TABLE {
        place.store(0, Ordering::Relaxed);
    }
    for file in &FILES {
        file.fd.store(u64::MAX, Ordering::Relaxed);
        file.written.store(false, Ordering::Relaxed);
    }
    let null = open(c"/dev/null", libc::O_RDWR | libc::O_CLOEXEC)?;
    for fd in all()? {
        if fd != null && is_open(fd) {
            let kind = cut_one(fd, null)?;
            let number = usize::try_from(fd).unwrap_or(usize::MAX);
            if !set_kind(number, kind) {
                return Err(io::ErrorKind::OutOfMemory.into());
            }
        }
    }
    // SAFETY: opened above.
    unsafe { libc::close(null) };
    Ok(())
}

/// The numbers of all that is open, and of what was when this was asked.
fn all() -> io::Result<Vec<RawFd>> {
    let entries = std::fs::read_dir("/proc/self/fd")?;
    let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    Ok(numbers.collect())
}

fn is_open(fd: RawFd) -> bool {
    // SAFETY: a plain question.
    unsafe { libc::fcntl(fd, libc::F_GETFD) >= 0 }
}

fn open(path: &std::ffi::CStr, flags: i32) -> io::Result<RawFd> {
    // SAFETY: the path ends with a zero byte.
    let fd = unsafe { libc::open(path.as_ptr(), flags) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(fd)
}

fn cut_one(fd: RawFd, null: RawFd) -> io::Result<Kind> {
    // SAFETY: plain questions about a descriptor, with room for the answer.
    let (about, flags) = unsafe {
        let mut about: libc::stat = std::mem::zeroed();
        if libc::fstat(fd, &raw mut about) != 0 {
            return Err(io::Error::last_os_error());
        }
        (about, libc::fcntl(fd, libc::F_GETFL))
    };
    let writes = flags & libc::O_ACCMODE != libc::O_RDONLY;
    let kind = match about.st_mode & libc::S_IFMT {
        libc::S_IFREG | libc::S_IFDIR if flags & libc::O_PATH == 0 => {
            match flags & libc::O_ACCMODE != libc::O_WRONLY && reopen(fd, flags) {
                true => return Ok(Kind::Own),
                false if writes && note_file(fd, &about) => Kind::File,
                false => Kind::Cut,
            }
        }
        libc::S_IFCHR if about.st_rdev == NULL_DEVICE => Kind::Null,
        // SAFETY: a plain question.
        libc::S_IFCHR if writes && unsafe { libc::isatty(fd) } == 1 => Kind::Terminal,
        libc::S_IFIFO | libc::S_IFSOCK if fd == 1 || fd == 2 => Kind::Stream,
        _ => Kind::Cut,
    };
    replace(fd, null)?;
    Ok(kind)
}

/// Puts the same file in place of an open one, for reading, with an offset of its own.
fn reopen(fd: RawFd, flags: i32) -> bool {
    let path = format!("/proc/self/fd/{fd}\0");
    let Ok(path) = std::ffi::CStr::from_bytes_with_nul(path.as_bytes()) else {
        return false;
    };
    if is_memory(path) {
        return false;
    }
    let kept = flags & (libc::O_NONBLOCK | libc::O_DIRECTORY | libc::O_DIRECT);
    let Ok(fresh) = open(
        path,
        libc::O_RDONLY | libc::O_CLOEXEC | libc::O_NOCTTY | kept,
    ) else {
        return false;
    };
    // SAFETY: both are open; the old one is shared with the program, and only its offset is read.
    unsafe {
        let at = libc::lseek(fd, 0, libc::SEEK_CUR);
        if at > 0 {
            libc::lseek(fresh, at, libc::SEEK_SET);
        }
    }
    let replaced = replace(fd, fresh);
    // SAFETY: opened above.
    unsafe { libc::close(fresh) };
    replaced.is_ok()
}

/// Whether it is memory of the session's or of others, which processes share.
fn is_memory(path: &std::ffi::CStr) -> bool {
    let target = path
        .to_str()
        .ok()
        .and_then(|path| std::fs::read_link(path).ok());
    target.is_none_or(|target| target.to_string_lossy().starts_with("/memfd:"))
}

fn note_file(fd: RawFd, about: &libc::stat) -> bool {
    let free = FILES
        .iter()
        .find(|file| file.fd.load(Ordering::Relaxed) == u64::MAX);
    let Some(file) = free else {
        return false;
    };
    file.fd.store(fd as u64, Ordering::Relaxed);
    file.device.store(about.st_dev, Ordering::Relaxed);
    file.number.store(about.st_ino, Ordering::Relaxed);
    true
}

fn replace(fd: RawFd, by: RawFd) -> io::Result<()> {
    // SAFETY: both are open descriptors of this process.
    unsafe {
        let flags = libc::fcntl(fd, libc::F_GETFD);
        let kept = if flags & libc::FD_CLOEXEC != 0 {
            libc::O_CLOEXEC
        } else {
            0
        };
        if libc::dup3(by, fd, kept) < 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}
