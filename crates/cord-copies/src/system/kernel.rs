//! What the handler of trapped calls asks of the kernel by itself: places are found without an effect
//! on what is there, and memory is made that nobody else has.
//!
//! No locks, no memory is allocated.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::system::descriptors::{set_kind, Kind};
use crate::system::stub::ask;

/// Why a call is not answered with a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The program would see this error.
    Errno(i32),
    /// Nobody knows what the program would see, or it would have an effect.
    End,
    /// There is no room for more files, or for more in them.
    Full,
    /// Not yet: the copy may ask again.
    Wait(Wait),
}

/// How long a call waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// On the copy's clock, if ever.
    pub until: Option<i64>,
    /// What it gives then.
    pub late: isize,
    pub ends: Ends,
}

/// Who may end a wait before its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    Nobody,
    /// Another thread.
    Thread,
    /// Somebody whom the copy does not hear of.
    Outside,
    /// The program's process: the copy waits for it.
    Program,
}

impl Wait {
    /// Until a thread ends it.
    pub const FOR_THREAD: Wait = Wait {
        until: None,
        late: 0,
        ends: Ends::Thread,
    };
}

pub type Answer<T = isize> = Result<T, Stop>;

/// A file system that shows the process that looks at it.
pub const PROC: i64 = 0x9fa0;
const HERE: usize = libc::AT_FDCWD as usize;
/// How files of the copy's own are told in memory maps.
const NAME: &std::ffi::CStr = c"cord-copy-file";

/// Descriptors that the program is not to come across lie from here on.
static HIDDEN_FROM: AtomicUsize = AtomicUsize::new(usize::MAX);

/// The program would hear of files that are opened.
static IS_WATCHED: AtomicBool = AtomicBool::new(false);

/// Says whether the program hears of files that are opened.
pub fn watch(is_watched: bool) {
    IS_WATCHED.store(is_watched, Ordering::Relaxed);
}

/// Before the first file of the copy's own: where to hide descriptors.
pub fn hide_from(fd: usize) {
    HIDDEN_FROM.store(fd, Ordering::Relaxed);
}

fn checked(result: isize) -> Answer<usize> {
    usize::try_from(result).map_err(|_| Stop::Errno(result.wrapping_neg() as i32))
}

/// Asks, and tells errors from results.
///
/// # Safety
/// As the system call.
pub unsafe fn call(number: i64, args: [usize; 6]) -> Answer<usize> {
    // SAFETY: as the caller says.
    checked(unsafe { ask(number, args) })
}

/// A descriptor that is closed when nobody needs it any more.
#[derive(Debug)]
pub struct Held(usize);

impl Held {
    pub fn fd(&self) -> usize {
        self.0
    }

    fn keep(self) -> usize {
        let fd = self.0;
        std::mem::forget(self);
        fd
    }

    /// The number that the program would get, with what it leads to.
    pub fn land(self, closes: bool, kind: Kind) -> Answer {
        let low = duplicate_from(self.0, 0, closes)?;
        let landed = if low < self.0 {
            low
        } else {
            close(low);
            // SAFETY: a flag of a descriptor of this process.
            unsafe {
                let flag = usize::from(closes) * libc::FD_CLOEXEC as usize;
                call(
                    libc::SYS_fcntl,
                    [self.0, libc::F_SETFD as usize, flag, 0, 0, 0],
                )?;
            }
            self.keep()
        };
        if set_kind(landed, kind) {
            Ok(landed as isize)
        } else {
            Err(Stop::End)
        }
    }

    /// The same out of the program's sight.
    pub fn hide(self) -> Answer<usize> {
        let from = HIDDEN_FROM.load(Ordering::Relaxed);
        let hidden = duplicate_from(self.0, from, true).map_err(|_| Stop::Full)?;
        if set_kind(hidden, Kind::Hidden) {
            Ok(hidden)
        } else {
            Err(Stop::Full)
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        close(self.0);
    }
}

fn duplicate_from(fd: usize, least: usize, closes: bool) -> Answer<usize> {
    let how = if closes {
        libc::F_DUPFD_CLOEXEC
    } else {
        libc::F_DUPFD
    };
    // SAFETY: a further descriptor of this process.
    unsafe { call(libc::SYS_fcntl, [fd, how as usize, least, 0, 0, 0]) }
}

pub fn close(fd: usize) {
    // SAFETY: only for descriptors that the handler has opened.
    unsafe { ask(libc::SYS_close, [fd, 0, 0, 0, 0, 0]) };
}

/// Gives up a hidden descriptor.
pub fn forget(fd: usize) {
    set_kind(fd, Kind::Closed);
    close(fd);
}

/// The place that a name leads to from a folder, without opening what is there. `name` ends with a zero.
pub fn place(folder: Option<usize>, name: &[u8], flags: i32) -> Answer<Held> {
    debug_assert_eq!(name.last(), Some(&0));
    let how = (libc::O_PATH | libc::O_CLOEXEC | flags) as usize;
    let folder = folder.unwrap_or(HERE);
    // SAFETY: the name ends with a zero byte; a place has no effect on what is there.
    unsafe {
        call(
            libc::SYS_openat,
            [folder, name.as_ptr() as usize, how, 0, 0, 0],
        )
    }
    .map(Held)
}

/// A path that leads to what a descriptor leads to.
pub struct Link([u8; 24]);

impl Link {
    pub fn to(fd: usize) -> Link {
        let mut name = *b"/proc/self/fd/\0\0\0\0\0\0\0\0\0\0";
        let (mut digits, mut left, mut count) = ([0u8; 8], fd, 0);
        while count == 0 || left > 0 && count < digits.len() {
            digits[count] = b'0' + (left % 10) as u8;
            left /= 10;
            count += 1;
        }
        for (place, digit) in name[14..].iter_mut().zip(digits[..count].iter().rev()) {
            *place = *digit;
        }
        Link(name)
    }

    pub fn address(&self) -> usize {
        self.0.as_ptr() as usize
    }
}

/// Opens what a descriptor leads to once more, with an offset of its own.
///
/// # Safety
/// It must be a regular file or a folder, and if it is opened for writing, memory of this process alone.
pub unsafe fn open_again(fd: usize, flags: i32) -> Answer<Held> {
    let link = Link::to(fd);
    let flags = flags & !(libc::O_NOFOLLOW | libc::O_CREAT | libc::O_EXCL);
    let args = [HERE, link.address(), flags as usize, 0, 0, 0];
    // SAFETY: as the caller says; the path ends with a zero byte.
    unsafe { call(libc::SYS_openat, args) }.map(Held)
}

/// Opens a file or folder as everybody finds it, for reading, and leaves no time of that where the
/// program may ask for it.
///
/// # Safety
/// It must be a regular file or a folder.
pub unsafe fn open_real(fd: usize, flags: i32) -> Answer<Held> {
    if IS_WATCHED.load(Ordering::Relaxed) {
        return Err(Stop::End);
    }
    let flags = flags & !(libc::O_ACCMODE | libc::O_TRUNC);
    // SAFETY: as the caller says; it is only read.
    unsafe {
        match open_again(fd, flags | libc::O_NOATIME) {
            Err(Stop::Errno(libc::EPERM)) => open_again(fd, flags),
            opened => opened,
        }
    }
}

pub fn about(fd: usize) -> Answer<libc::stat> {
    // SAFETY: there is room for the answer.
    unsafe {
        let mut about: libc::stat = std::mem::zeroed();
        call(libc::SYS_fstat, [fd, &raw mut about as usize, 0, 0, 0, 0])?;
        Ok(about)
    }
}

pub fn file_system(fd: usize) -> Answer<i64> {
    // SAFETY: there is room for the answer.
    unsafe {
        let mut system: libc::statfs = std::mem::zeroed();
        call(
            libc::SYS_fstatfs,
            [fd, &raw mut system as usize, 0, 0, 0, 0],
        )?;
        Ok(system.f_type as i64)
    }
}

/// Where a symbolic link leads, at the front of `to`.
pub fn target(link: usize, to: &mut [u8]) -> Answer<usize> {
    let empty = c"".as_ptr() as usize;
    let (at, room) = (to.as_mut_ptr() as usize, to.len());
    // SAFETY: so much room is there.
    let length = unsafe { call(libc::SYS_readlinkat, [link, empty, at, room, 0, 0]) }?;
    if length == room {
        return Err(Stop::Errno(libc::ENAMETOOLONG));
    }
    Ok(length)
}

/// Whether the program might do this with what a descriptor leads to, as an error if not.
pub fn may(fd: usize, rights: i32) -> Answer<()> {
    let link = Link::to(fd);
    let args = [HERE, link.address(), rights as usize, 0, 0, 0];
    // SAFETY: a question; the path ends with a zero byte.
    unsafe { call(libc::SYS_faccessat, args) }.map(|_| ())
}

/// Fresh memory that is read and written as a file is.
pub fn memory() -> Answer<Held> {
    let name = NAME.as_ptr() as usize;
    let flags = libc::MFD_CLOEXEC as usize;
    // SAFETY: the name ends with a zero byte.
    unsafe { call(libc::SYS_memfd_create, [name, flags, 0, 0, 0, 0]) }
        .map(Held)
        .map_err(|_| Stop::Full)
}

pub fn set_rights(memory: usize, mode: u32) -> Answer<()> {
    let mode = (mode & 0o7777) as usize;
    // SAFETY: of memory that is this process's alone, as all that follow.
    unsafe { call(libc::SYS_fchmod, [memory, mode, 0, 0, 0, 0]) }.map(|_| ())
}

pub fn set_length(memory: usize, length: usize) -> Answer<()> {
    // SAFETY: as above.
    unsafe { call(libc::SYS_ftruncate, [memory, length, 0, 0, 0, 0]) }.map(|_| ())
}

/// `times` is none or points to two of them, as in `utimensat`.
pub fn set_times(memory: usize, times: usize) -> Answer<()> {
    // SAFETY: as above; wrong addresses give an error.
    unsafe { call(libc::SYS_utimensat, [memory, 0, times, 0, 0, 0]) }.map(|_| ())
}

/// Writes to the start of memory.
pub fn write(memory: usize, text: &[u8]) -> Answer<()> {
    let (at, length) = (text.as_ptr() as usize, text.len());
    // SAFETY: of memory that is this process's alone; so much is there.
    unsafe { call(libc::SYS_pwrite64, [memory, at, length, 0, 0, 0]) }.map(|_| ())
}

/// Reads the start of memory.
///
/// # Safety
/// There must be so much room.
pub unsafe fn read(memory: usize, to: usize, room: usize) -> Answer<usize> {
    // SAFETY: as the caller says.
    unsafe { call(libc::SYS_pread64, [memory, to, room, 0, 0, 0]) }
}

/// Copies all that a regular file holds, at most `most` bytes, into memory.
pub fn fill(memory: usize, from: usize, most: usize) -> Answer<usize> {
    let mut total = 0;
    while total <= most {
        let size = (most + 1 - total).min(1 << 24);
        // SAFETY: it reads one, and writes to the memory.
        let copied = unsafe { call(libc::SYS_sendfile, [memory, from, 0, size, 0, 0]) };
        match copied.map_err(|_| Stop::End)? {
            0 => return Ok(total),
            copied => total += copied,
        }
    }
    Err(Stop::Full)
}

pub fn offset(fd: usize) -> usize {
    // SAFETY: a question.
    let at = unsafe { call(libc::SYS_lseek, [fd, 0, libc::SEEK_CUR as usize, 0, 0, 0]) };
    at.unwrap_or(0)
}

/// Puts a file in place of an open descriptor, at this offset of it.
pub fn put_in_place(fd: usize, by: &Held, at: usize) -> Answer<()> {
    // SAFETY: both are descriptors of this process.
    unsafe {
        call(
            libc::SYS_lseek,
            [by.fd(), at, libc::SEEK_SET as usize, 0, 0, 0],
        )?;
        let flags = call(libc::SYS_fcntl, [fd, libc::F_GETFD as usize, 0, 0, 0, 0])?;
        let closes = flags & libc::FD_CLOEXEC as usize != 0;
        let how = usize::from(closes) * libc::O_CLOEXEC as usize;
        call(libc::SYS_dup3, [by.fd(), fd, how, 0, 0, 0])?;
    }
    Ok(())
}

pub fn now() -> libc::timespec {
    // SAFETY: there is room for the answer.
    unsafe {
        let mut now: libc::timespec = std::mem::zeroed();
        let clock = libc::CLOCK_REALTIME as usize;
        ask(
            libc::SYS_clock_gettime,
            [clock, &raw mut now as usize, 0, 0, 0, 0],
        );
        now
    }
}

/// The user and group that new files belong to.
pub fn owner() -> (u32, u32) {
    // SAFETY: questions.
    unsafe {
        let user = ask(libc::SYS_geteuid, [0; 6]);
        let group = ask(libc::SYS_getegid, [0; 6]);
        (user as u32, group as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_names_the_descriptor() {
        let ends = |fd: usize, name: &[u8]| Link::to(fd).0.starts_with(name);
        assert!(ends(0, b"/proc/self/fd/0\0"));
        assert!(ends(907, b"/proc/self/fd/907\0"));
        assert!(ends(16383, b"/proc/self/fd/16383\0"));
    }
}
