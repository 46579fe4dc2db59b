//! What becomes of the system calls that a copy does not make by itself: some are answered as the
//! program would be, some are made after a look at what they touch, and all others end the copy.
//!
//! All this runs in a signal handler: no locks, no memory is allocated.

use std::sync::atomic::{AtomicIsize, Ordering};

use crate::confined::{limits, looks, loops, mappings, signals, trap, turns, waits};
use crate::system::descriptors::{follow, kind, set_kind, was_written, Kind};
use crate::system::kernel::{self, Answer, Stop};
use crate::system::stub::ask;
use crate::view::private::{set_umask, spend, with};
use crate::view::{listing, overlay, standard};

pub type Args = [usize; 6];

/// The program's process and its parent, as the copy sees itself.
static PROGRAM: AtomicIsize = AtomicIsize::new(0);
static PARENT: AtomicIsize = AtomicIsize::new(0);

/// Asks the file system to share what a file holds: all who ask copy it where that is refused.
const FICLONE: u64 = 0x4004_9409;
/// `PR_SET_VMA`, which not all versions of the binding have.
const SET_NAME_OF_MEMORY: i32 = 0x5356_4d41;

/// Says which process the copy takes itself for.
pub fn call_itself(program: i32, parent: i32) {
    PROGRAM.store(program as isize, Ordering::Relaxed);
    PARENT.store(parent as isize, Ordering::Relaxed);
}

/// Whether the program still runs.
pub fn is_child_of_program() -> bool {
    // SAFETY: it takes no arguments.
    let parent = unsafe { ask(libc::SYS_getppid, [0; 6]) };
    parent == PROGRAM.load(Ordering::Relaxed)
}

/// What a call gives, if it has no effect.
pub fn answer(number: i64, args: Args) -> Answer {
    let (number, args) = renewed(number, args);
    // SAFETY: the arguments are those of the code that asked.
    let known = unsafe { overlay::answer(number, args).or_else(|| signals::answer(number, args)) };
    if let Some(answer) = known {
        return answer;
    }
    if let Some(answer) = of_itself(number, args).or_else(|| looks::look(number, args)) {
        return answer;
    }
    loops::answer(number, args).unwrap_or_else(|| of_a_descriptor(number, args))
}

/// As the kernel answers it. Only for what reads, or changes this process alone.
fn make(number: i64, args: Args) -> Answer {
    // SAFETY: as above; the arguments are those of the code that asked, and wrong ones give an error.
    Ok(unsafe { ask(number, args) })
}

/// The answer if this holds; else the copy ends.
fn only(holds: bool, answer: impl FnOnce() -> Answer) -> Answer {
    if holds {
        answer()
    } else {
        Err(Stop::End)
    }
}

/// Calls that newer architectures do not have, as those that took their place.
#[cfg(target_arch = "x86_64")]
fn renewed(number: i64, args: Args) -> (i64, Args) {
    let [a, b, c, ..] = args;
    let here = libc::AT_FDCWD as usize;
    let link = libc::AT_SYMLINK_NOFOLLOW as usize;
    let makes = (libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC) as usize;
    match number {
        libc::SYS_open => (libc::SYS_openat, [here, a, b, c, 0, 0]),
        libc::SYS_creat => (libc::SYS_openat, [here, a, makes, b, 0, 0]),
        libc::SYS_stat => (libc::SYS_newfstatat, [here, a, b, 0, 0, 0]),
        libc::SYS_lstat => (libc::SYS_newfstatat, [here, a, b, link, 0, 0]),
        libc::SYS_access => (libc::SYS_faccessat, [here, a, b, 0, 0, 0]),
        libc::SYS_readlink => (libc::SYS_readlinkat, [here, a, b, c, 0, 0]),
        libc::SYS_mkdir => (libc::SYS_mkdirat, [here, a, b, 0, 0, 0]),
        libc::SYS_rmdir => {
            let folder = libc::AT_REMOVEDIR as usize;
            (libc::SYS_unlinkat, [here, a, folder, 0, 0, 0])
        }
        libc::SYS_symlink => (libc::SYS_symlinkat, [a, here, b, 0, 0, 0]),
        libc::SYS_unlink => (libc::SYS_unlinkat, [here, a, 0, 0, 0, 0]),
        libc::SYS_rename => (libc::SYS_renameat2, [here, a, here, b, 0, 0]),
        libc::SYS_chmod => (libc::SYS_fchmodat, [here, a, b, 0, 0, 0]),
        _ => (number, args),
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn renewed(number: i64, args: Args) -> (i64, Args) {
    (number, args)
}

/// Calls about the process.
fn of_itself(number: i64, args: Args) -> Option<Answer> {
    let [a, b, c, ..] = args;
    Some(match number {
        libc::SYS_getpid => Ok(PROGRAM.load(Ordering::Relaxed)),
        libc::SYS_gettid => {
            Ok(turns::number_here().unwrap_or_else(|| PROGRAM.load(Ordering::Relaxed)))
        }
        // of a thread that has been started: it tells the kernel of itself
        libc::SYS_set_robust_list | libc::SYS_rseq => Ok(0),
        libc::SYS_getppid => Ok(PARENT.load(Ordering::Relaxed)),
        libc::SYS_prctl => name(number, args),
        libc::SYS_umask => {
            set_umask(a);
            make(number, args)
        }
        // SAFETY: what is there is said by the code that asked.
        libc::SYS_prlimit64 => unsafe { limits::answer(a, b, c, args[3]) },
        // other bytes than the program will get: what depends on them is a guess
        libc::SYS_getrandom => only(trap::may_guess(), || make(number, args)),
        // where memory should lie
        libc::SYS_mbind | libc::SYS_set_mempolicy => Ok(0),
        libc::SYS_get_mempolicy => make(number, args),
        libc::SYS_getrusage | libc::SYS_times | libc::SYS_sysinfo => make(number, args),
        libc::SYS_getpgid | libc::SYS_getsid => only(a == 0, || make(number, args)),
        libc::SYS_futex => waits::futex(args),
        libc::SYS_nanosleep | libc::SYS_clock_nanosleep => waits::sleep(number, args),
        libc::SYS_sched_yield => waits::give_way(),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_getpgrp => make(number, args),
        _ => return None,
    })
}

/// Names: those of threads are the copy's own, and nobody asks for those of memory, which allocators give.
fn name(number: i64, args: Args) -> Answer {
    match i32::try_from(args[0]) {
        Ok(SET_NAME_OF_MEMORY) => Ok(0),
        Ok(libc::PR_SET_NAME | libc::PR_GET_NAME) => make(number, args),
        _ => Err(Stop::End),
    }
}

/// Calls about what is open.
fn of_a_descriptor(number: i64, args: Args) -> Answer {
    let [a, b, c, ..] = args;
    let it = || make(number, args);
    let is_private = kind(a) == Some(Kind::Private);
    match number {
        libc::SYS_write | libc::SYS_pwrite64 if is_private => write(c, it),
        libc::SYS_writev | libc::SYS_pwritev | libc::SYS_pwritev2 if is_private => {
            write(total(b, c), it)
        }
        libc::SYS_write => swallow(a, c),
        libc::SYS_writev => swallow(a, total(b, c)),
        libc::SYS_read
        | libc::SYS_readv
        | libc::SYS_pread64
        | libc::SYS_preadv
        | libc::SYS_preadv2 => only(is_readable(a) || kind(a) == Some(Kind::Null), it),
        libc::SYS_lseek => seek(args),
        // SAFETY: as the caller's.
        libc::SYS_getdents64 => unsafe { listing::list(a, b, c) },
        libc::SYS_fstatfs => only(kind(a) == Some(Kind::Own), it),
        libc::SYS_fstat => {
            let about = overlay::about_open(a)?;
            // SAFETY: the kernel would write there.
            unsafe { (b as *mut libc::stat).write_unaligned(about) };
            Ok(0)
        }
        libc::SYS_close => close(a, it),
        libc::SYS_dup | libc::SYS_dup3 => duplicate(args, number == libc::SYS_dup3, it),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_dup2 => duplicate(args, true, it),
        libc::SYS_fcntl => control(args, it),
        libc::SYS_ioctl => request(args, it),
        libc::SYS_fsync | libc::SYS_fdatasync | libc::SYS_sync_file_range => only(
            matches!(
                kind(a),
                Some(Kind::Own | Kind::Private | Kind::Folder | Kind::File)
            ),
            || Ok(0),
        ),
        libc::SYS_fadvise64 | libc::SYS_readahead => only(is_readable(a), || Ok(0)),
        libc::SYS_flistxattr if is_private => Ok(0),
        libc::SYS_fgetxattr if is_private => Err(Stop::Errno(libc::ENODATA)),
        libc::SYS_flistxattr | libc::SYS_fgetxattr => only(kind(a) == Some(Kind::Own), it),
        libc::SYS_ftruncate | libc::SYS_fchmod | libc::SYS_fchown | libc::SYS_flock => {
            only(is_private, it)
        }
        libc::SYS_fallocate => only(is_private, || write(args[3], it)),
        libc::SYS_sendfile => only(is_private && is_readable(b), || send(args)),
        libc::SYS_copy_file_range => copy(args),
        libc::SYS_mmap => map(args),
        // what is mapped is memory of its own, but what was mapped before is no longer a file's
        libc::SYS_msync => only(!mappings::were_files(), || Ok(0)),
        _ => Err(Stop::End),
    }
}

/// A file of one's own, or for reading.
fn is_readable(fd: usize) -> bool {
    matches!(kind(fd), Some(Kind::Own | Kind::Private))
}

/// Writes so many bytes to memory of the copy's own.
fn write(bytes: usize, it: impl FnOnce() -> Answer) -> Answer {
    with(|files| spend(files, bytes))?;
    it()
}

/// Says that it was written.
fn swallow(fd: usize, length: usize) -> Answer {
    let length = isize::try_from(length).map_err(|_| Stop::End)?;
    match kind(fd) {
        Some(Kind::Null | Kind::Terminal | Kind::Stream) => Ok(length),
        Some(Kind::File) => only(was_written(fd), || Ok(length)),
        _ => Err(Stop::End),
    }
}

fn total(vectors: usize, count: usize) -> usize {
    // SAFETY: the kernel would read so many of them.
    let vectors = unsafe { std::slice::from_raw_parts(vectors as *const libc::iovec, count) };
    let lengths = vectors.iter().map(|vector| vector.iov_len);
    lengths.fold(0, usize::saturating_add)
}

fn seek(args: Args) -> Answer {
    let [fd, to, whence, ..] = args;
    match kind(fd) {
        Some(Kind::Private | Kind::Null) => {}
        Some(Kind::Own) => listing::rewind(fd, to, whence)?,
        Some(Kind::Folder) => {
            listing::rewind(fd, to, whence)?;
            return Ok(0);
        }
        _ => return Err(Stop::End),
    }
    make(libc::SYS_lseek, args)
}

fn close(fd: usize, it: impl FnOnce() -> Answer) -> Answer {
    if kind(fd) == Some(Kind::Hidden) {
        return Err(Stop::Errno(libc::EBADF));
    }
    set_kind(fd, Kind::Closed);
    it()
}

/// A new descriptor leads where the old one does.
fn duplicate(args: Args, has_number: bool, it: impl FnOnce() -> Answer) -> Answer {
    let [old, new, ..] = args;
    let is_hidden =
        kind(old) == Some(Kind::Hidden) || has_number && kind(new) == Some(Kind::Hidden);
    if is_hidden || kind(old) == Some(Kind::File) {
        return Err(Stop::End); // a file that is written is known by its number
    }
    let made = it()?;
    match usize::try_from(made) {
        Ok(new) => only(follow(old, new), || Ok(made)),
        Err(_) => Ok(made),
    }
}

fn control(args: Args, it: impl FnOnce() -> Answer) -> Answer {
    let [fd, command, ..] = args;
    let is_private = kind(fd) == Some(Kind::Private);
    if kind(fd) == Some(Kind::Hidden) {
        return Err(Stop::End);
    }
    match command as i32 {
        libc::F_GETFD | libc::F_SETFD => it(),
        libc::F_GETFL if kind(fd) == Some(Kind::Folder) => Ok(libc::O_DIRECTORY as isize),
        // as the program has opened it
        libc::F_GETFL => only(is_readable(fd), || Ok(it()? & !(libc::O_NOATIME as isize))),
        libc::F_DUPFD | libc::F_DUPFD_CLOEXEC => duplicate(args, false, it),
        libc::F_SETFL
        | libc::F_GETLK
        | libc::F_SETLK
        | libc::F_SETLKW
        | libc::F_OFD_GETLK
        | libc::F_OFD_SETLK
        | libc::F_OFD_SETLKW => only(is_private, it),
        _ => Err(Stop::End),
    }
}

fn request(args: Args, it: impl FnOnce() -> Answer) -> Answer {
    let [fd, what, to, ..] = args;
    let what = what as u64;
    match (kind(fd), what) {
        // SAFETY: as the caller's.
        (Some(Kind::Terminal | Kind::Stream | Kind::File), _)
        | (Some(Kind::Cut), libc::TCGETS | libc::TIOCGWINSZ)
            if fd < 3 =>
        unsafe { standard::request(fd, what, to) },
        (Some(Kind::Own | Kind::Null | Kind::Loop), libc::TCGETS | libc::TIOCGWINSZ) => it(),
        (Some(Kind::File | Kind::Private), libc::TCGETS | libc::TIOCGWINSZ) => {
            Err(Stop::Errno(libc::ENOTTY))
        }
        (Some(Kind::Private), FICLONE) => Err(Stop::Errno(libc::EOPNOTSUPP)),
        (Some(Kind::Own | Kind::Private | Kind::Loop), libc::FIOCLEX | libc::FIONCLEX) => it(),
        _ => Err(Stop::End),
    }
}

/// Copies from file to file, as `sendfile`.
fn send(args: Args) -> Answer {
    let [_, from, from_at, length, ..] = args;
    write(length.min(left(from, from_at)?), || {
        make(libc::SYS_sendfile, args)
    })
}

/// Copies from file to file: the kernel does that between two systems in another way only.
fn copy(args: Args) -> Answer {
    let [from, from_at, to, to_at, length, flags] = args;
    let is_plain = to_at == 0 && flags == 0 && kind(to) == Some(Kind::Private);
    only(is_plain && is_readable(from), || {
        send([to, from, from_at, length, 0, 0])
    })
}

/// So many bytes can be read from here on, at most.
fn left(fd: usize, at: usize) -> Answer<usize> {
    let size = usize::try_from(kernel::about(fd)?.st_size).unwrap_or(0);
    // SAFETY: the kernel would read it.
    let begins = match at {
        0 => kernel::offset(fd),
        at => unsafe { *(at as *const usize) },
    };
    Ok(size.saturating_sub(begins))
}

/// Files are mapped for this process alone.
fn map(args: Args) -> Answer {
    let [_, length, rights, flags, fd, _] = args;
    let (rights, flags) = (rights as i32, flags as i32);
    let is_private = flags & libc::MAP_TYPE == libc::MAP_PRIVATE;
    if flags & libc::MAP_ANONYMOUS != 0 {
        return make(libc::SYS_mmap, args);
    }
    match kind(fd) {
        Some(Kind::Own) if is_private || rights & libc::PROT_WRITE == 0 => {
            make(libc::SYS_mmap, args)
        }
        Some(Kind::Private) => write(length, || make(libc::SYS_mmap, args)),
        _ => Err(Stop::End),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn old_calls_are_the_new_ones() {
        let here = libc::AT_FDCWD as usize;
        let args = [1, 2, 3, 0, 0, 0];
        let opened = renewed(libc::SYS_open, args);
        assert_eq!(opened, (libc::SYS_openat, [here, 1, 2, 3, 0, 0]));
        let (number, args_now) = renewed(libc::SYS_rename, args);
        assert_eq!(number, libc::SYS_renameat2);
        assert_eq!(args_now[..4], [here, 1, here, 2]);
        let (number, args_now) = renewed(libc::SYS_symlink, args);
        assert_eq!(
            (number, args_now[..3].to_vec()),
            (libc::SYS_symlinkat, vec![1, here, 2])
        );
        assert_eq!(renewed(libc::SYS_openat, args), (libc::SYS_openat, args));
    }

    #[test]
    fn what_is_not_known_ends_the_copy() {
        let nothing = [usize::MAX; 6];
        for number in [libc::SYS_linkat, libc::SYS_mknodat, libc::SYS_connect, -1] {
            assert_eq!(answer(number, nothing), Err(Stop::End), "{number}");
        }
        for number in [
            libc::SYS_write,
            libc::SYS_ftruncate,
            libc::SYS_fchmod,
            libc::SYS_flock,
        ] {
            assert_eq!(answer(number, nothing), Err(Stop::End), "{number}");
        }
    }
}
