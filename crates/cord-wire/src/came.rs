//! What comes by descriptor, received so that nothing of it is lost when this process has no
//! descriptor left.

use std::collections::VecDeque;
use std::io::IoSliceMut;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::FileType;
use rustix::io::Errno;
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags};

use crate::wire::MAX_FDS;
use cord_os::descriptor::Descriptor;
use cord_os::memory::read_from;
use cord_os::spare;

/// What came in place of a descriptor.
#[derive(Debug)]
pub enum Came {
    /// The descriptor.
    File(Descriptor),
    /// What its file holds: there was no room for it to stay open.
    Bytes(Vec<u8>),
    /// Nothing.
    Lost(Errno),
}

impl Came {
    /// The descriptor.
    ///
    /// # Errors
    /// Why it is not there.
    pub fn file(self) -> Result<Descriptor, Errno> {
        match self {
            Came::File(file) => Ok(file),
            Came::Bytes(_) => Err(Errno::MFILE),
            Came::Lost(errno) => Err(errno),
        }
    }

    /// As if there had been no descriptor for it.
    #[cfg(any(test, feature = "testing"))]
    pub fn lose(&mut self) {
        *self = Came::Lost(Errno::MFILE);
    }

    /// The same without holding a descriptor, if that can be.
    fn closed(file: OwnedFd) -> Came {
        let stat = match rustix::fs::fstat(&file) {
            Ok(stat) => stat,
            Err(error) => return Came::Lost(error),
        };
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Came::File(Descriptor::new(file));
        }
        let len = usize::try_from(stat.st_size).unwrap_or(usize::MAX);
        match read_from(file.as_fd(), 0, len) {
            Ok(bytes) => Came::Bytes(bytes),
            Err(_) => Came::Lost(Errno::NOMEM),
        }
    }
}

/// How a read from a socket ended.
pub enum Received {
    /// So many bytes came.
    Bytes(usize),
    /// Nothing is there.
    Nothing,
    /// The other side is gone.
    End,
}

/// Reads once, without blocking, and what came with it by descriptor. Of a link where much comes so
/// (`looks_first`) it is looked at before it is taken off the socket: what could not be received is
/// there still.
pub fn receive(
    socket: BorrowedFd<'_>,
    into: &mut [u8],
    came: &mut VecDeque<Came>,
    looks_first: bool,
) -> Received {
    let mut flags = RecvFlags::DONTWAIT | RecvFlags::CMSG_CLOEXEC;
    flags.set(RecvFlags::PEEK, looks_first);
    let mut seen = look(socket, into, flags);
    if looks_first && seen.as_ref().is_ok_and(|seen| seen.is_cut) {
        seen = spare::lend(|| {
            drop(seen);
            let mut seen = look(socket, into, flags)?;
            came.extend(seen.files.drain(..).map(Came::closed));
            Ok(seen)
        });
    }
    let seen = match seen {
        Ok(seen) => seen,
        Err(ended) => return ended,
    };
    let files = seen.files.into_iter().map(Descriptor::new);
    came.extend(files.map(Came::File));
    if seen.is_cut {
        came.push_back(Came::Lost(Errno::MFILE));
    }
    match seen.bytes {
        0 => Received::End,
        bytes if looks_first => take(socket, &mut into[..bytes]),
        bytes => Received::Bytes(bytes),
    }
}

/// What is next on a socket.
struct Seen {
    bytes: usize,
    files: Vec<OwnedFd>,
    /// There were more of them.
    is_cut: bool,
}

fn look(socket: BorrowedFd<'_>, into: &mut [u8], flags: RecvFlags) -> Result<Seen, Received> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_FDS))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let received = loop {
        let mut into = [IoSliceMut::new(into)];
        match rustix::net::recvmsg(socket, &mut into, &mut control, flags) {
            Ok(received) => break received,
            Err(Errno::INTR) => {}
            Err(error) => return Err(ended(error)),
        }
    };
    let mut files = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(came) = message {
            files.extend(came);
        }
    }
    Ok(Seen {
        bytes: received.bytes,
        files,
        is_cut: received.flags.contains(ReturnFlags::CTRUNC),
    })
}

/// Takes what was looked at off the socket.
fn take(socket: BorrowedFd<'_>, into: &mut [u8]) -> Received {
    loop {
        match rustix::net::recv(socket, &mut *into, RecvFlags::DONTWAIT) {
            Ok((_, count)) => return Received::Bytes(count),
            Err(Errno::INTR) => {}
            Err(error) => return ended(error),
        }
    }
}

fn ended(error: Errno) -> Received {
    match error {
        Errno::AGAIN => Received::Nothing,
        _ => Received::End,
    }
}
