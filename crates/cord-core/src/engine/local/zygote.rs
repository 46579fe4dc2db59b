//! The socket to the zygote: replicas are asked for here, and their starts and ends reported.
//!
//! ```text
//! client -> zygote   "L" u32 module  u32 replica  u32 slot   and the replica's end of its link
//! zygote -> client   "S" u32 replica u32 pid       it has started
//!                    "X" u32 replica i32 status    it has ended, status as from waitpid
//!                    "M" u32 replica u32 peak u32 limit  it is ended for its memory, in KiB
//!                    "F" u32 replica i32 errno     it could not be started
//!                    "R"                           it has taken the place of another, which was ended
//! ```
//!
//! A gateway (`cord-node`) speaks the same, and four words more:
//!
//! ```text
//! client -> gateway  "E" u32 replica               end it: its process is on another machine
//! gateway -> client  "D" u32 replica u32 0         its node is lost
//!                    "G" u32 0       u32 cores     so many are there, now that a node has joined
//!                    "P" u32 replica u32 node      it is on this node, whose name follows
//! ```

use std::collections::{BTreeSet, VecDeque};
use std::io::IoSlice;
use std::mem::MaybeUninit;

use rustix::io::Errno;
use rustix::net::{RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, Shutdown};

use super::control::{
    ANEW, AWAY, BEYOND, END, EXITED, FAILED, GROWN, LAUNCH, LOST, PLACED, STARTED,
};
use crate::engine::Wanted;
use cord_dispatch::dispatcher::ReplicaId;
use cord_os::descriptor::Descriptor;
use cord_os::spare;
use cord_wire::loss::Beyond;
use cord_wire::wire::u32_at;

/// Longer messages are cut off, in a node's name.
const LONGEST: usize = 9 + 255;

/// What the zygote says.
#[derive(Debug, PartialEq, Eq)]
pub enum Said {
    /// The replica's process exists.
    Started(ReplicaId, u32),
    /// The replica's process has ended with this wait status.
    Exited(ReplicaId, i32),
    /// The replica is ended for its memory.
    Beyond(ReplicaId, Beyond),
    /// There is no room for the replica's process: what the system said.
    Failed(ReplicaId, i32),
    /// The replica's node is lost.
    Lost(ReplicaId),
    /// The replica is on this node: its number and its name.
    Placed(ReplicaId, u32, String),
    /// Nothing is heard of the replica's node for now; or it is again.
    Away(ReplicaId, bool),
    /// A node has joined, and there are so many cores.
    Grown(u32),
    /// The zygote is gone.
    Gone,
}

/// The client's end of it.
#[derive(Debug)]
pub struct Zygote {
    socket: Descriptor,
    waiting: VecDeque<([u8; 13], Descriptor)>,
    /// The replicas that have started and not ended.
    living: BTreeSet<ReplicaId>,
    /// Those that have ended with the zygote that had started them.
    orphans: BTreeSet<ReplicaId>,
}

impl Zygote {
    /// Takes over a `SOCK_SEQPACKET` socket.
    pub fn new(socket: Descriptor) -> Zygote {
        Zygote {
            socket,
            waiting: VecDeque::new(),
            living: BTreeSet::new(),
            orphans: BTreeSet::new(),
        }
    }

    /// The socket, to wait on.
    pub fn socket(&self) -> &Descriptor {
        &self.socket
    }

    /// Asks for a replica that serves `link`.
    pub fn launch(&mut self, wanted: Wanted, link: Descriptor) {
        let mut message = [LAUNCH; 13];
        message[1..5].copy_from_slice(&wanted.module.to_le_bytes());
        message[5..9].copy_from_slice(&wanted.replica.to_le_bytes());
        message[9..13].copy_from_slice(&wanted.slot.to_le_bytes());
        self.waiting.push_back((message, link));
    }

    /// Has a gateway end a replica. One that is gone need not be told.
    pub fn end(&self, replica: ReplicaId) {
        let mut message = [END; 5];
        message[1..].copy_from_slice(&replica.to_le_bytes());
        if let Ok(socket) = self.socket.get() {
            let flags = SendFlags::DONTWAIT | SendFlags::NOSIGNAL;
            let _ = rustix::net::send(socket, &message, flags);
        }
    }

    /// Sends what the socket takes; true if something is left to send.
    pub fn flush(&mut self) -> bool {
        while let Some((message, link)) = self.waiting.front() {
            match self.send(message, link) {
                Ok(_) => {
                    self.waiting.pop_front();
                    spare::keep(); // it may have been made of one
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN | Errno::NOBUFS | Errno::NOMEM | Errno::TOOMANYREFS) => {
                    return true
                }
                // The zygote is gone: reading says so.
                Err(_) => self.waiting.clear(),
            }
        }
        false
    }

    fn send(&self, message: &[u8], link: &Descriptor) -> Result<usize, Errno> {
        let fds = [link.get()?];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut ancillary = SendAncillaryBuffer::new(&mut space);
        ancillary.push(SendAncillaryMessage::ScmRights(&fds));
        let flags = SendFlags::DONTWAIT | SendFlags::NOSIGNAL;
        rustix::net::sendmsg(
            self.socket.get()?,
            &[IoSlice::new(message)],
            &mut ancillary,
            flags,
        )
    }

    /// The next report, if there is one. Messages of unknown kinds are passed over.
    pub fn receive(&mut self) -> Option<Said> {
        if let Some(replica) = self.orphans.pop_first() {
            return Some(Said::Exited(replica, libc::SIGKILL));
        }
        let mut message = [0_u8; LONGEST];
        let Ok(socket) = self.socket.get() else {
            return Some(Said::Gone);
        };
        loop {
            let length = match rustix::net::recv(socket, &mut message, RecvFlags::DONTWAIT) {
                Ok((length, _)) => length,
                Err(Errno::INTR) => continue,
                Err(Errno::AGAIN) => return None,
                Err(_) => return Some(Said::Gone),
            };
            let (replica, value) = (u32_at(&message, 1), u32_at(&message, 5));
            match (length, message[0]) {
                (0, _) => return Some(Said::Gone),
                (9, STARTED) => {
                    self.living.insert(replica);
                    return Some(Said::Started(replica, value));
                }
                (9, EXITED) => {
                    self.living.remove(&replica);
                    return Some(Said::Exited(replica, value as i32));
                }
                (1, ANEW) => {
                    self.orphans = std::mem::take(&mut self.living);
                    return self.receive();
                }
                (13, BEYOND) => {
                    let limit = u32_at(&message, 9);
                    return Some(Said::Beyond(replica, Beyond { peak: value, limit }));
                }
                (9, FAILED) => return Some(Said::Failed(replica, value as i32)),
                (9, LOST) => return Some(Said::Lost(replica)),
                (9, AWAY) => return Some(Said::Away(replica, value != 0)),
                (9, GROWN) => return Some(Said::Grown(value)),
                (9.., PLACED) => {
                    let name = String::from_utf8_lossy(&message[9..length]).into_owned();
                    return Some(Said::Placed(replica, value, name));
                }
                _ => {}
            }
        }
    }

    /// Tells the zygote to end itself and every replica.
    pub fn shut_down(&self) {
        if let Ok(socket) = self.socket.get() {
            let _ = rustix::net::shutdown(socket, Shutdown::Both);
        }
    }
}

#[cfg(test)]
mod tests {
    use rustix::net::{socketpair, AddressFamily, SocketFlags, SocketType};

    use super::*;
    use cord_wire::transport::Transport;

    #[test]
    fn launches_go_out_and_reports_come_in() {
        let (ours, theirs) = socketpair(
            AddressFamily::UNIX,
            SocketType::SEQPACKET,
            SocketFlags::CLOEXEC,
            None,
        )
        .unwrap();
        let (link, _) = socketpair(
            AddressFamily::UNIX,
            SocketType::STREAM,
            SocketFlags::CLOEXEC,
            None,
        )
        .unwrap();
        let mut zygote = Zygote::new(Descriptor::new(ours));
        let wanted = Wanted {
            module: 1,
            replica: 2,
            slot: 3,
            transport: Transport::Auto,
        };
        zygote.launch(wanted, Descriptor::new(link));
        assert!(!zygote.flush());
        let mut message = [0; 16];
        let (length, _) = rustix::net::recv(&theirs, &mut message, RecvFlags::empty()).unwrap();
        assert_eq!(&message[..length], b"L\x01\0\0\0\x02\0\0\0\x03\0\0\0");
        assert_eq!(zygote.receive(), None);
        for report in [
            &b"S\x02\0\0\0\x09\0\0\0"[..],
            b"?",
            b"X\x02\0\0\0\xff\xff\xff\xff",
            b"F\x03\0\0\0\x0b\0\0\0",
            b"M\x02\0\0\0\x09\0\0\0\x08\0\0\0",
            b"A\x02\0\0\0\x01\0\0\0",
            b"G\0\0\0\0\x04\0\0\0",
            b"P\x02\0\0\0\x01\0\0\0harvey",
            b"S\x04\0\0\0\x09\0\0\0",
            b"R",
            b"S\x05\0\0\0\x09\0\0\0",
        ] {
            rustix::net::send(&theirs, report, SendFlags::empty()).unwrap();
        }
        drop(theirs);
        assert_eq!(zygote.receive(), Some(Said::Started(2, 9)));
        assert_eq!(zygote.receive(), Some(Said::Exited(2, -1)));
        assert_eq!(zygote.receive(), Some(Said::Failed(3, 11)));
        let beyond = Beyond { peak: 9, limit: 8 };
        assert_eq!(zygote.receive(), Some(Said::Beyond(2, beyond)));
        assert_eq!(zygote.receive(), Some(Said::Away(2, true)));
        assert_eq!(zygote.receive(), Some(Said::Grown(4)));
        let placed = Said::Placed(2, 1, "harvey".to_owned());
        assert_eq!(zygote.receive(), Some(placed));
        assert_eq!(zygote.receive(), Some(Said::Started(4, 9)));
        // its zygote was ended
        assert_eq!(zygote.receive(), Some(Said::Exited(4, libc::SIGKILL)));
        assert_eq!(zygote.receive(), Some(Said::Started(5, 9)));
        assert_eq!(zygote.receive(), Some(Said::Gone));
    }
}
