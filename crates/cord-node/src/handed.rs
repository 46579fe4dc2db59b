//! Messages of Unix sockets that hand descriptors over.

use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};

use rustix::io::{Errno, IoSliceMut};
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags};

/// A message, and the descriptor that came with it.
///
/// # Errors
/// When none has come yet, or the other side is gone.
pub(super) fn receive(
    socket: impl AsFd,
    into: &mut [u8],
) -> Result<(usize, Option<OwnedFd>), Errno> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let flags = RecvFlags::DONTWAIT | RecvFlags::CMSG_CLOEXEC;
    let mut into = [IoSliceMut::new(into)];
    let got = rustix::net::recvmsg(socket, &mut into, &mut ancillary, flags)?;
    let mut handed = None;
    for message in ancillary.drain() {
        if let RecvAncillaryMessage::ScmRights(files) = message {
            handed = files.last().or(handed);
        }
    }
    Ok((got.bytes, handed))
}
