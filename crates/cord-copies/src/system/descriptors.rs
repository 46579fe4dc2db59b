//! What a copy may do with each descriptor, and files that are too large for a copy of their own.
//!
//! The tables are read by the handler of trapped calls: no locks, no memory that moves.

use std::os::fd::RawFd;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, AtomicU8, Ordering};

/// Descriptors from this one on are not known. Cord's own lie below 8192, where there are so many.
pub const MOST: usize = 16 * 1024;
/// So many files that the program writes are told apart.
const MOST_FILES: usize = 64;
pub const NULL_DEVICE: u64 = libc::makedev(1, 3);

/// What a descriptor leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Nothing, as far as is known.
    Closed = 0,
    /// A file or folder as everybody finds it, for reading, with an offset of the copy's own.
    Own,
    /// A file that only the copy has, in memory.
    Private,
    /// A folder that only the copy has.
    Folder,
    /// The null device.
    Null,
    /// Standard output or error, on a terminal: what is written is swallowed.
    Terminal,
    /// The same on a pipe or socket.
    Stream,
    /// A file that the program writes, and that is too large for memory. What is written is swallowed,
    /// and whoever looks at the file then ends.
    File,
    /// A pipe, a socket, a counter or an epoll: all that is at its other ends is the copy's own, too.
    Loop,
    /// Whatever is done with it ends the copy.
    Cut,
    /// It is not the program's: as far as that knows it is closed.
    Hidden,
}

const KINDS: [Kind; 11] = [
    Kind::Closed,
    Kind::Own,
    Kind::Private,
    Kind::Folder,
    Kind::Null,
    Kind::Terminal,
    Kind::Stream,
    Kind::File,
    Kind::Loop,
    Kind::Cut,
    Kind::Hidden,
];

static TABLE: [AtomicU8; MOST] = [const { AtomicU8::new(0) }; MOST];
/// Which own folder a descriptor leads to; of files for reading, whether the program writes, too.
static DETAILS: [AtomicU16; MOST] = [const { AtomicU16::new(0) }; MOST];
/// How far a folder is read, among what the copy has made there.
static CURSORS: [AtomicU16; MOST] = [const { AtomicU16::new(0) }; MOST];
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
    set_detail(fd, 0);
    set_cursor(fd, 0);
    let place = TABLE.get(fd);
    place
        .inspect(|place| place.store(kind as u8, Ordering::Relaxed))
        .is_some()
}

pub fn detail(fd: usize) -> u16 {
    DETAILS
        .get(fd)
        .map_or(0, |place| place.load(Ordering::Relaxed))
}

pub fn set_detail(fd: usize, detail: u16) {
    if let Some(place) = DETAILS.get(fd) {
        place.store(detail, Ordering::Relaxed);
    }
}

pub fn cursor(fd: usize) -> u16 {
    CURSORS
        .get(fd)
        .map_or(0, |place| place.load(Ordering::Relaxed))
}

pub fn set_cursor(fd: usize, cursor: u16) {
    if let Some(place) = CURSORS.get(fd) {
        place.store(cursor, Ordering::Relaxed);
    }
}

/// A descriptor leads where another does; false if nobody knows where.
pub fn follow(old: usize, new: usize) -> bool {
    let (Some(kind), detail, cursor) = (kind(old), detail(old), cursor(old)) else {
        return false;
    };
    let known = set_kind(new, kind);
    set_detail(new, detail);
    set_cursor(new, cursor);
    known
}

/// All descriptors of a kind.
pub fn all_of(kind: Kind) -> impl Iterator<Item = usize> {
    let all = TABLE.iter().enumerate();
    all.filter_map(move |(fd, place)| (place.load(Ordering::Relaxed) == kind as u8).then_some(fd))
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

/// Remembers a file that is too large; false if there are too many.
pub fn note_file(fd: RawFd, about: &libc::stat) -> bool {
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
