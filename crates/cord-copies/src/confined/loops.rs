//! Pipes, pairs of sockets, counters and epolls of the copy's own: nobody else has an end of them, so the
//! kernel may do with them what it does. Where the kernel would wait, the copy's threads take turns.
//!
//! The handler of trapped calls runs this: no locks, no memory is allocated.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::system::descriptors::{kind, set_kind, Kind};
use crate::system::kernel::{Answer, Stop, Wait};
use crate::system::stub::ask;

type Args = [usize; 6];

/// So much can be written at once to what is ready for it.
const PIECE: usize = libc::PIPE_BUF;
const SET_NONBLOCKING: u64 = libc::FIONBIO;
const ASK_LENGTH: u64 = libc::FIONREAD;

/// An epoll of the copy's does not hear of all that the program's does.
static HEAR_LESS: AtomicBool = AtomicBool::new(false);

pub fn say_they_hear_less() {
    HEAR_LESS.store(true, Ordering::Relaxed);
}

/// Whether more may come than epolls tell.
pub fn hear_less() -> bool {
    HEAR_LESS.load(Ordering::Relaxed)
}

fn is_own(fd: usize) -> bool {
    kind(fd) == Some(Kind::Loop)
}

/// As the kernel answers it.
fn make(number: i64, args: Args) -> Answer {
    // SAFETY: the arguments are those of the code that asked, and what they change is the copy's alone.
    Ok(unsafe { ask(number, args) })
}

/// The answer to a call about such a thing, or that makes one; none if it is another one.
pub fn answer(number: i64, args: Args) -> Option<Answer> {
    let [a, b, c, d, e, _] = args;
    let making = make_new(number, args);
    if making.is_some() || !is_own(a) {
        return making;
    }
    Some(match number {
        libc::SYS_read => take(number, args, false),
        libc::SYS_recvfrom if is_plain(d, e) => take(number, args, is_impatient(d)),
        libc::SYS_write => give(number, args, false),
        libc::SYS_sendto if is_plain(d, e) => give(number, args, is_impatient(d)),
        libc::SYS_epoll_ctl if is_own(c) => make(number, args),
        libc::SYS_lseek
        | libc::SYS_shutdown
        | libc::SYS_getsockname
        | libc::SYS_getpeername
        | libc::SYS_getsockopt => make(number, args),
        libc::SYS_fcntl if [libc::F_GETFL, libc::F_SETFL].contains(&(b as i32)) => {
            make(number, args)
        }
        libc::SYS_ioctl if [SET_NONBLOCKING, ASK_LENGTH].contains(&(b as u64)) => {
            make(number, args)
        }
        _ => return None,
    })
}

/// Without an address, and with flags that say only how long to wait.
fn is_plain(flags: usize, address: usize) -> bool {
    let known = libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL | libc::MSG_PEEK;
    address == 0 && flags as i32 & !known == 0
}

fn is_impatient(flags: usize) -> bool {
    flags as i32 & libc::MSG_DONTWAIT != 0
}

fn make_new(number: i64, args: Args) -> Option<Answer> {
    let [a, b, c, d, ..] = args;
    let ways = (libc::O_CLOEXEC | libc::O_NONBLOCK) as usize;
    match number {
        libc::SYS_pipe2 if b & !ways == 0 => Some(two(number, args, a)),
        libc::SYS_socketpair if a as i32 == libc::AF_UNIX && b & !ways == 1 && c == 0 => {
            Some(two(number, args, d))
        }
        libc::SYS_eventfd2 | libc::SYS_epoll_create1 => Some(one(number, args)),
        _ => make_as_before(number, args),
    }
}

/// Calls that newer architectures do not have.
#[cfg(target_arch = "x86_64")]
fn make_as_before(number: i64, args: Args) -> Option<Answer> {
    match number {
        libc::SYS_pipe => Some(two(number, args, args[0])),
        libc::SYS_eventfd | libc::SYS_epoll_create => Some(one(number, args)),
        _ => None,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn make_as_before(_: i64, _: Args) -> Option<Answer> {
    None
}

fn one(number: i64, args: Args) -> Answer {
    let made = make(number, args)?;
    match usize::try_from(made) {
        Ok(fd) if !set_kind(fd, Kind::Loop) => Err(Stop::End),
        _ => Ok(made),
    }
}

fn two(number: i64, args: Args, at: usize) -> Answer {
    let made = make(number, args)?;
    if made == 0 {
        // SAFETY: the kernel has written both there.
        let both = unsafe { (at as *const [i32; 2]).read_unaligned() };
        if !both.iter().all(|fd| set_kind(*fd as usize, Kind::Loop)) {
            return Err(Stop::End);
        }
    }
    Ok(made)
}

/// What is ready of this now.
pub fn ready(fd: usize, events: i16) -> i16 {
    let mut asked = libc::pollfd {
        fd: fd as i32,
        events,
        revents: 0,
    };
    let no_time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    let (at, time) = (&raw mut asked as usize, &raw const no_time as usize);
    // SAFETY: a question; both live through the call.
    unsafe { ask(libc::SYS_ppoll, [at, 1, time, 0, 0, 0]) };
    asked.revents
}

/// Whether who asks for more than there is waits for it.
fn waits(fd: usize) -> bool {
    // SAFETY: a question.
    let flags = unsafe { ask(libc::SYS_fcntl, [fd, libc::F_GETFL as usize, 0, 0, 0, 0]) };
    flags as i32 & libc::O_NONBLOCK == 0
}

fn take(number: i64, args: Args, is_impatient: bool) -> Answer {
    let fd = args[0];
    if ready(fd, libc::POLLIN) == 0 && !is_impatient && waits(fd) {
        return Err(Stop::Wait(Wait::FOR_THREAD));
    }
    make(number, args)
}

/// Writes a piece at a time, as long as there is room.
fn give(number: i64, args: Args, is_impatient: bool) -> Answer {
    let [fd, from, length, ..] = args;
    let mut done = 0;
    loop {
        let is_ready = ready(fd, libc::POLLOUT) != 0;
        if !is_ready && done > 0 {
            return Ok(done as isize);
        }
        if !is_ready && !is_impatient && waits(fd) {
            return Err(Stop::Wait(Wait::FOR_THREAD));
        }
        let mut piece = args;
        (piece[1], piece[2]) = (from + done, PIECE.min(length - done));
        let written = make(number, piece)?;
        match usize::try_from(written) {
            Ok(more) => done += more,
            Err(_) if done == 0 => return Ok(written),
            Err(_) => return Ok(done as isize),
        }
        if done >= length {
            return Ok(done as isize);
        }
    }
}

/// What such an epoll finds now, without a wait; none if it is none, or finds nothing.
pub fn found(epoll: usize, to: usize, most: usize) -> Option<isize> {
    if !is_own(epoll) {
        return None;
    }
    // SAFETY: it writes where the code that asked has room; no time passes.
    let found = unsafe { ask(libc::SYS_epoll_pwait, [epoll, to, most, 0, 0, 8]) };
    (found != 0).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_of_a_pipe_are_ones_own() {
        let mut ends = [0i32; 2];
        let at = &raw mut ends as usize;
        let flags = libc::O_CLOEXEC as usize;
        assert_eq!(
            answer(libc::SYS_pipe2, [at, flags, 0, 0, 0, 0]),
            Some(Ok(0))
        );
        let [from, to] = ends.map(|end| end as usize);
        let (mut got, sent) = ([0u8; 8], [7u8; 3]);
        let room = got.as_mut_ptr() as usize;
        let read = [from, room, 8, 0, 0, 0];
        let waits = Some(Err(Stop::Wait(Wait::FOR_THREAD)));
        assert_eq!(answer(libc::SYS_read, read), waits);
        let text = sent.as_ptr() as usize;
        assert_eq!(answer(libc::SYS_write, [to, text, 3, 0, 0, 0]), Some(Ok(3)));
        assert_eq!(answer(libc::SYS_read, read), Some(Ok(3)));
        assert_eq!(got[..3], sent);
        let large = vec![1u8; 1 << 20];
        let much = [to, large.as_ptr() as usize, large.len(), 0, 0, 0];
        let Some(Ok(part)) = answer(libc::SYS_write, much) else {
            panic!("it has written nothing");
        };
        assert!(0 < part && part < 1 << 20);
        assert_eq!(answer(libc::SYS_write, much), waits);
        for fd in [from, to] {
            set_kind(fd, Kind::Closed);
            crate::system::kernel::close(fd);
        }
    }

    #[test]
    fn what_others_have_is_left_alone() {
        assert_eq!(answer(libc::SYS_read, [1, 0, 0, 0, 0, 0]), None);
        assert_eq!(found(1, 0, 0), None);
        let datagrams = libc::SOCK_DGRAM as usize;
        let pair = [libc::AF_UNIX as usize, datagrams, 0, 0, 0, 0];
        assert_eq!(answer(libc::SYS_socketpair, pair), None);
    }
}
