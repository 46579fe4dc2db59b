//! Pipes and pairs of sockets both ends of which the program has, such as those by which event loops wake
//! themselves: a fresh copy gets others in their place, which nobody else has, and epolls that hear of
//! these. What has something in it already is not touched.

use std::collections::HashSet;
use std::io;
use std::mem::size_of;
use std::os::fd::RawFd;

use crate::confined::loops;
use crate::view::inherited::{path_of, replace};
use cord_os::descriptor;

/// The kernel is asked about so many sockets at most: the program waits meanwhile.
const MOST_SOCKETS: usize = 16;

/// An open descriptor of the program's that may be an end.
struct End {
    fd: RawFd,
    number: u64,
    flags: i32,
}

/// The descriptors of a fresh copy that have been replaced by ones of its own.
#[derive(Default)]
pub struct Paired(Vec<(RawFd, u64)>);

impl Paired {
    /// Replaces what can be, of all that is open. Standard input, output and error are left, and what
    /// is Cord's.
    pub fn renew(all: &[RawFd]) -> io::Result<Paired> {
        let (mut pipes, mut sockets, mut epolls) = (Vec::new(), Vec::new(), Vec::new());
        let cords = descriptor::lowest();
        for fd in all.iter().copied().filter(|fd| (3..cords).contains(fd)) {
            let Some((format, end)) = look(fd) else {
                continue;
            };
            match format {
                libc::S_IFIFO if has_name(fd, "pipe:") => pipes.push(end),
                libc::S_IFSOCK if is_own_stream(fd) => sockets.push(end),
                0 if has_name(fd, "anon_inode:[eventpoll]") => epolls.push(fd),
                _ => {}
            }
        }
        let mut found = Paired::default();
        found.renew_pipes(&pipes)?;
        // the kernel numbers them in turn: it is asked only about those that have a neighbour
        let numbers: HashSet<_> = sockets.iter().map(|end| end.number).collect();
        sockets.retain(|end| {
            [end.number - 1, end.number + 1]
                .iter()
                .any(|n| numbers.contains(n))
        });
        if !sockets.is_empty() && sockets.len() <= MOST_SOCKETS {
            found.renew_sockets(&sockets)?;
        }
        if !found.0.is_empty() {
            for epoll in epolls {
                found.renew_epoll(epoll)?;
            }
        }
        Ok(found)
    }

    pub fn has(&self, fd: RawFd) -> bool {
        self.0.iter().any(|(own, _)| *own == fd)
    }

    fn renew_pipes(&mut self, pipes: &[End]) -> io::Result<()> {
        let reads = |end: &End| end.flags & libc::O_ACCMODE == libc::O_RDONLY;
        for reader in pipes.iter().filter(|end| reads(end)) {
            if self.has(reader.fd) {
                continue;
            }
            let same = || pipes.iter().filter(|end| end.number == reader.number);
            let is_plain = |end: &End| end.flags & libc::O_DIRECT == 0;
            if same().all(reads) || !same().all(is_plain) || !is_empty(reader.fd) {
                continue;
            }
            let mut ends = [0; 2];
            // SAFETY: there is room for the answer.
            made(unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) })?;
            for end in same() {
                self.put(end, ends[usize::from(!reads(end))])?;
            }
            close(ends);
        }
        Ok(())
    }

    fn renew_sockets(&mut self, sockets: &[End]) -> io::Result<()> {
        let Some(asker) = Asker::new() else {
            return Ok(());
        };
        for one in sockets {
            if self.has(one.fd) || !is_empty(one.fd) {
                continue;
            }
            let peer = asker.peer(one.number);
            let Some(other) = sockets.iter().find(|end| Some(end.number) == peer) else {
                continue;
            };
            if !is_empty(other.fd) || one.number == other.number {
                continue;
            }
            let mut ends = [0; 2];
            let kind = libc::SOCK_STREAM | libc::SOCK_CLOEXEC;
            // SAFETY: there is room for the answer.
            made(unsafe { libc::socketpair(libc::AF_UNIX, kind, 0, ends.as_mut_ptr()) })?;
            for end in sockets {
                if end.number == one.number {
                    self.put(end, ends[0])?;
                } else if end.number == other.number {
                    self.put(end, ends[1])?;
                }
            }
            close(ends);
        }
        Ok(())
    }

    /// Puts an own end in place of one of the program's.
    fn put(&mut self, end: &End, own: RawFd) -> io::Result<()> {
        // SAFETY: a flag of what this process alone has.
        made(unsafe { libc::fcntl(own, libc::F_SETFL, end.flags & libc::O_NONBLOCK) })?;
        replace(end.fd, own)?;
        self.0.push((end.fd, end.number));
        Ok(())
    }

    /// An epoll that hears of what is the copy's own, as that of the program does.
    fn renew_epoll(&mut self, epoll: RawFd) -> io::Result<()> {
        let told = std::fs::read_to_string(format!("/proc/self/fdinfo/{epoll}"))?;
        // SAFETY: no memory is touched.
        let own = unsafe { libc::epoll_create1(libc::EPOLL_CLOEXEC) };
        made(own)?;
        for (fd, number, mut event) in told.lines().filter_map(watched) {
            if self.0.contains(&(fd, number)) {
                // SAFETY: the event lives through the call.
                made(unsafe { libc::epoll_ctl(own, libc::EPOLL_CTL_ADD, fd, &raw mut event) })?;
            } else {
                loops::say_they_hear_less();
            }
        }
        replace(epoll, own)?;
        self.0.push((epoll, 0));
        // SAFETY: made above.
        unsafe { libc::close(own) };
        Ok(())
    }
}

/// What an epoll tells of one that it listens to: its descriptor, its number, and how.
fn watched(line: &str) -> Option<(RawFd, u64, libc::epoll_event)> {
    let words: Vec<_> = line.split_whitespace().collect();
    let after = |name: &str| {
        let at = words.iter().position(|word| *word == name)?;
        words.get(at + 1).copied()
    };
    let inode = words.iter().find_map(|word| word.strip_prefix("ino:"))?;
    let event = libc::epoll_event {
        events: u32::from_str_radix(after("events:")?, 16).ok()?,
        u64: u64::from_str_radix(after("data:")?, 16).ok()?,
    };
    let fd = after("tfd:")?.parse().ok()?;
    Some((fd, u64::from_str_radix(inode, 16).ok()?, event))
}

fn made(result: i32) -> io::Result<()> {
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

fn close(ends: [RawFd; 2]) {
    for end in ends {
        // SAFETY: made here, and put in place of others since.
        unsafe { libc::close(end) };
    }
}

fn look(fd: RawFd) -> Option<(libc::mode_t, End)> {
    // SAFETY: plain questions about a descriptor, with room for the answer.
    unsafe {
        let mut about: libc::stat = std::mem::zeroed();
        let flags = libc::fcntl(fd, libc::F_GETFL);
        if flags < 0 || libc::fstat(fd, &raw mut about) != 0 {
            return None;
        }
        let number = about.st_ino;
        Some((about.st_mode & libc::S_IFMT, End { fd, number, flags }))
    }
}

fn has_name(fd: RawFd, name: &str) -> bool {
    path_of(fd).is_some_and(|path| path.to_string_lossy().starts_with(name))
}

/// Whether nothing lies in it that has not been read.
fn is_empty(fd: RawFd) -> bool {
    let mut length = 0;
    // SAFETY: there is room for the answer.
    let asked = unsafe { libc::ioctl(fd, libc::FIONREAD, &raw mut length) };
    asked == 0 && length == 0
}

/// Whether it is a socket for a stream within this machine, whose other end this process has made.
fn is_own_stream(fd: RawFd) -> bool {
    let option = |name, to: *mut libc::c_void, size: usize| {
        let mut length = size as libc::socklen_t;
        // SAFETY: there is so much room.
        let asked = unsafe { libc::getsockopt(fd, libc::SOL_SOCKET, name, to, &raw mut length) };
        asked == 0 && length as usize == size
    };
    let (mut kind, mut peer) = (
        0i32,
        libc::ucred {
            pid: 0,
            uid: 0,
            gid: 0,
        },
    );
    let parent = std::os::unix::process::parent_id();
    option(libc::SO_TYPE, (&raw mut kind).cast(), size_of::<i32>())
        && kind == libc::SOCK_STREAM
        && option(
            libc::SO_PEERCRED,
            (&raw mut peer).cast(),
            size_of::<libc::ucred>(),
        )
        && u32::try_from(peer.pid) == Ok(parent)
}

/// Asks the kernel which sockets belong together.
struct Asker(RawFd);

/// A question as `sock_diag` wants it: the head of a message, and what is asked for.
#[repr(C)]
struct Question {
    length: u32,
    kind: u16,
    flags: u16,
    order: u32,
    from: u32,
    family: u8,
    protocol: u8,
    padding: u16,
    states: u32,
    number: u32,
    shows: u32,
    cookie: [u32; 2],
}

const SOCK_DIAG_BY_FAMILY: u16 = 20;
const SHOW_PEER: u32 = 4;
const PEER: u16 = 2;
/// Before what an answer says of the peer: the message's head, and that of the socket.
const HEAD: usize = 32;

impl Asker {
    fn new() -> Option<Asker> {
        let (kind, about) = (libc::SOCK_RAW | libc::SOCK_CLOEXEC, 4);
        // SAFETY: no memory is touched.
        let fd = unsafe { libc::socket(libc::AF_NETLINK, kind, about) };
        (fd >= 0).then_some(Asker(fd))
    }

    /// The number of the socket at the other end.
    fn peer(&self, number: u64) -> Option<u64> {
        let question = Question {
            length: size_of::<Question>() as u32,
            kind: SOCK_DIAG_BY_FAMILY,
            flags: 1, // a question
            order: 0,
            from: 0,
            family: libc::AF_UNIX as u8,
            protocol: 0,
            padding: 0,
            states: u32::MAX,
            number: u32::try_from(number).ok()?,
            shows: SHOW_PEER,
            cookie: [u32::MAX; 2],
        };
        let mut answer = [0u8; 512];
        let (at, size) = ((&raw const question).cast(), size_of::<Question>());
        // SAFETY: so much is there, and so much room; the kernel answers at once.
        let length = unsafe {
            if libc::send(self.0, at, size, 0) < 0 {
                return None;
            }
            let wait = libc::MSG_DONTWAIT;
            libc::recv(self.0, answer.as_mut_ptr().cast(), answer.len(), wait)
        };
        peer_in(
            answer.get(..usize::try_from(length).ok()?)?,
            question.number,
        )
    }
}

impl Drop for Asker {
    fn drop(&mut self) {
        // SAFETY: opened by `new`.
        unsafe { libc::close(self.0) };
    }
}

/// The peer that an answer about a socket names.
fn peer_in(answer: &[u8], number: u32) -> Option<u64> {
    let short = |at: usize| Some(u16::from_ne_bytes(answer.get(at..at + 2)?.try_into().ok()?));
    let long = |at: usize| Some(u32::from_ne_bytes(answer.get(at..at + 4)?.try_into().ok()?));
    let is_answer = short(4)? == SOCK_DIAG_BY_FAMILY && long(20)? == number;
    let names_peer = short(HEAD)? == 8 && short(HEAD + 2)? == PEER;
    (is_answer && names_peer).then(|| long(HEAD + 4).map(u64::from))?
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsRawFd;
    use std::os::unix::net::UnixStream;

    #[test]
    fn both_ends_of_a_pair_know_each_other() {
        let (one, other) = UnixStream::pair().unwrap();
        let number = |stream: &UnixStream| look(stream.as_raw_fd()).unwrap().1.number;
        if let Some(asker) = Asker::new() {
            let peer = asker.peer(number(&one));
            assert!(peer.is_none() || peer == Some(number(&other)));
        }
    }

    #[test]
    fn an_epoll_tells_what_it_listens_to() {
        let line = "tfd:        5 events:       19 data:                6  pos:0 ino:1f sdev:8";
        let (fd, number, event) = watched(line).unwrap();
        let (events, data) = (event.events, event.u64);
        assert_eq!((fd, number, events, data), (5, 0x1f, 0x19, 6));
        assert!(watched("pos:\t0").is_none());
    }
}
