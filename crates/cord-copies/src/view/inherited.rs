//! What was open when a copy was made. Files that can be read are opened anew, so that they have offsets
//! of their own; those that are written become the copy's own, and so do pipes whose ends the program
//! has (`paired`); all else is replaced by the null device, and what is done with it is trapped.

use std::io;
use std::os::fd::RawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::system::descriptors::{kind, note_file, set_detail, set_kind, Kind, MOST, NULL_DEVICE};
use crate::system::kernel::{self, Held};
use crate::view::files::{Files, Key};
use crate::view::paired::Paired;
use crate::view::walk::{walk, Start, What};
use crate::view::{private, standard};

/// A larger file does not become the copy's own, nor do more of them: the program waits meanwhile.
const LARGEST: usize = 4 << 20;
const MOST_BYTES: usize = 16 << 20;
/// So many descriptors may be hidden from the program.
const HIDDEN: usize = 2048;

/// Cuts the descriptors of this process, which is a fresh copy, off from those of the program.
///
/// # Errors
/// When there are too many, or the system has no room.
pub fn cut_off() -> io::Result<()> {
    let null = open(c"/dev/null", libc::O_RDWR | libc::O_CLOEXEC)?;
    let mut left = Inheritance {
        files: private::begin(),
        null,
        room: MOST_BYTES,
    };
    kernel::hide_from(raise_limit());
    let all = all()?;
    kernel::watch(all.iter().any(|fd| hears_of_files(*fd)));
    let paired = Paired::renew(&all)?;
    for fd in all {
        if fd != null && is_open(fd) && !is_hidden(fd) {
            let (kind, detail) = match paired.has(fd) {
                true => (Kind::Loop, 0),
                false => left.cut_one(fd)?,
            };
            let number = usize::try_from(fd).unwrap_or(usize::MAX);
            if !set_kind(number, kind) {
                return Err(io::ErrorKind::OutOfMemory.into());
            }
            set_detail(number, detail);
        }
    }
    // SAFETY: opened above.
    unsafe { libc::close(null) };
    Ok(())
}

/// Makes room for descriptors that the program does not see; the first of them.
fn raise_limit() -> usize {
    // SAFETY: there is room for the answer, and what is set lives through the call.
    let limit = unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        if libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) != 0 {
            return usize::MAX;
        }
        let most = limit.rlim_max.min(MOST as u64);
        if limit.rlim_cur < most {
            limit.rlim_cur = most;
            libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit);
        }
        usize::try_from(limit.rlim_cur).unwrap_or(MOST).min(MOST)
    };
    (limit / 2).max(limit.saturating_sub(HIDDEN))
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

fn is_hidden(fd: RawFd) -> bool {
    kind(fd as usize) == Some(Kind::Hidden)
}

/// Whether it tells the program of files that anybody opens.
fn hears_of_files(fd: RawFd) -> bool {
    // SAFETY: a plain question, with room for the answer.
    let about = unsafe {
        let mut about: libc::stat = std::mem::zeroed();
        libc::fstat(fd, &raw mut about);
        about
    };
    // only what has no other kind has such a name
    about.st_mode & libc::S_IFMT == 0
        && path_of(fd).is_some_and(|path| {
            let name = path.as_os_str().as_bytes();
            name == b"anon_inode:inotify" || name == b"anon_inode:[fanotify]"
        })
}

fn open(path: &std::ffi::CStr, flags: i32) -> io::Result<RawFd> {
    // SAFETY: the path ends with a zero byte.
    let fd = unsafe { libc::open(path.as_ptr(), flags) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(fd)
}

/// What a fresh copy does with what it has of the program's.
struct Inheritance {
    files: &'static mut Files,
    null: RawFd,
    /// So many bytes may become its own.
    room: usize,
}

impl Inheritance {
    fn cut_one(&mut self, fd: RawFd) -> io::Result<(Kind, u16)> {
        // SAFETY: plain questions about a descriptor, with room for the answer.
        let (about, flags) = unsafe {
            let mut about: libc::stat = std::mem::zeroed();
            if libc::fstat(fd, &raw mut about) != 0 {
                return Err(io::Error::last_os_error());
            }
            (about, libc::fcntl(fd, libc::F_GETFL))
        };
        standard::note(fd, &about);
        let writes = flags & libc::O_ACCMODE != libc::O_RDONLY;
        let kind = match about.st_mode & libc::S_IFMT {
            libc::S_IFREG | libc::S_IFDIR if flags & libc::O_PATH == 0 => {
                let path = path_of(fd);
                if self.make_own(fd, flags, &about, path.as_deref()) {
                    return Ok((Kind::Private, 0));
                }
                match flags & libc::O_ACCMODE != libc::O_WRONLY
                    && reopen(fd, flags, path.as_deref())
                {
                    true => return Ok((Kind::Own, writes.into())),
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
        replace(fd, self.null)?;
        Ok((kind, 0))
    }

    /// Puts memory in place of a file that is written, or that is such a file of the copy's already;
    /// false where it stays what it is. Standard output is only swallowed.
    fn make_own(&mut self, fd: RawFd, flags: i32, about: &libc::stat, path: Option<&Path>) -> bool {
        let is_file = about.st_mode & libc::S_IFMT == libc::S_IFREG;
        let is_output = fd == 1 || fd == 2;
        let Some(path) = path.filter(|path| is_file && !is_output && !is_memory(path)) else {
            return false;
        };
        let number = fd as usize;
        let memory = match self.files.made_from(Key::of(about)) {
            Some(at) => self
                .files
                .memory(at)
                .and_then(|memory| opened(memory, flags)),
            None if flags & libc::O_ACCMODE == libc::O_RDONLY => None,
            None => self.adopt(number, flags, about, path),
        };
        memory.is_some_and(|memory| {
            kernel::put_in_place(number, &memory, kernel::offset(number)).is_ok()
        })
    }

    fn adopt(&mut self, fd: usize, flags: i32, about: &libc::stat, path: &Path) -> Option<Held> {
        let size = usize::try_from(about.st_size).ok()?;
        if size > LARGEST || size > self.room {
            return None;
        }
        // SAFETY: a regular file, for reading.
        let source = unsafe { kernel::open_real(fd, libc::O_CLOEXEC) }.ok()?;
        let memory = private::copy_of(self.files, &source, about, true).ok()?;
        drop(source);
        let opened = opened(memory.fd(), flags)?;
        self.room -= size;
        // one that has no name any more is known by its descriptors alone
        if let Ok(spot) = walk(
            self.files,
            Start::Real(None),
            path.as_os_str().as_bytes(),
            false,
        ) {
            let is_it = |found: &libc::stat| Key::of(found) == Key::of(about);
            if matches!(&spot.what, What::Real(_, found) if is_it(found)) {
                let place = (&spot.folder, &spot.name);
                private::keep(self.files, place, memory, about.st_mode, Some(about)).ok()?;
            }
        }
        Some(opened)
    }
}

/// Memory of the copy's own, opened as the program has opened the file.
fn opened(memory: usize, flags: i32) -> Option<Held> {
    let same = libc::O_ACCMODE | libc::O_APPEND | libc::O_NONBLOCK;
    // SAFETY: memory of this process alone.
    unsafe { kernel::open_again(memory, flags & same | libc::O_CLOEXEC) }.ok()
}

/// Puts the same file in place of an open one, for reading, with an offset of its own.
fn reopen(fd: RawFd, flags: i32, path: Option<&Path>) -> bool {
    if path.is_none_or(is_memory) {
        return false;
    }
    let kept = flags & (libc::O_NONBLOCK | libc::O_DIRECTORY | libc::O_DIRECT);
    let flags = libc::O_RDONLY | libc::O_CLOEXEC | libc::O_NOCTTY | kept;
    // SAFETY: a regular file or a folder, for reading.
    let Ok(fresh) = (unsafe { kernel::open_real(fd as usize, flags) }) else {
        return false;
    };
    // the old one is shared with the program, and only its offset is read
    kernel::put_in_place(fd as usize, &fresh, kernel::offset(fd as usize)).is_ok()
}

pub(super) fn path_of(fd: RawFd) -> Option<PathBuf> {
    std::fs::read_link(format!("/proc/self/fd/{fd}")).ok()
}

/// Whether it is memory of the session's or of others, which processes share.
fn is_memory(path: &Path) -> bool {
    path.as_os_str().as_bytes().starts_with(b"/memfd:")
}

pub(super) fn replace(fd: RawFd, by: RawFd) -> io::Result<()> {
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
