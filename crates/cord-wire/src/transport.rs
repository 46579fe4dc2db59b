//! What carries the frames of a module's links.

use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;

use rustix::net::{socketpair, AddressFamily, SocketFlags, SocketType};

use crate::segment::SHARED_FROM;

/// What carries the frames of a module's links.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Transport {
    /// Shared memory; small buffers are copied into the frames.
    #[default]
    Auto,
    /// The same; no buffers in the frames.
    Shm,
    /// Unix sockets alone.
    Unix,
    /// TCP over the loopback interface.
    Tcp,
}

impl Transport {
    /// Buffers of at least so many bytes travel through shared memory.
    pub fn shared_from(self) -> usize {
        match self {
            Transport::Auto => SHARED_FROM,
            Transport::Shm => 1,
            Transport::Unix | Transport::Tcp => usize::MAX,
        }
    }

    /// Whether descriptors of shared memory travel.
    pub fn shares(self) -> bool {
        matches!(self, Transport::Auto | Transport::Shm)
    }

    /// Whether frames travel through shared memory too, between the client and its replicas.
    pub fn has_rings(self) -> bool {
        self.shares()
    }

    /// Whether sockets can be handed over, so that replicas can be linked to one another.
    pub fn hands_over(self) -> bool {
        self != Transport::Tcp
    }

    /// Two ends of a new link.
    ///
    /// # Errors
    /// When the system has no descriptors or ports left.
    pub fn pair(self) -> io::Result<(OwnedFd, OwnedFd)> {
        if self == Transport::Tcp {
            return tcp_pair();
        }
        let (kind, flags) = (SocketType::STREAM, SocketFlags::CLOEXEC);
        Ok(socketpair(AddressFamily::UNIX, kind, flags, None)?)
    }
}

/// Both ends are made here, and one is handed to the process that is to have it. Nobody else can come
/// between: whoever connects from another address than ours is turned away.
fn tcp_pair() -> io::Result<(OwnedFd, OwnedFd)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let ours = TcpStream::connect(listener.local_addr()?)?;
    let address = ours.local_addr()?;
    let theirs = loop {
        let (stream, from) = listener.accept()?;
        if from == address {
            break stream;
        }
    };
    ours.set_nodelay(true)?;
    theirs.set_nodelay(true)?;
    Ok((ours.into(), theirs.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buffer::Buffer;
    use crate::link::Link;
    use crate::message::Message;
    use crate::outbox::{Flushed, ItemHead};
    use crate::part::Part;
    use crate::segment::Segment;
    use crate::wire::Kind;
    use cord_os::descriptor::copy_of;

    const ALL: [Transport; 4] = [
        Transport::Auto,
        Transport::Shm,
        Transport::Unix,
        Transport::Tcp,
    ];

    /// Sends a call with buffers of these sizes; tells which of them came through shared memory.
    fn carried(transport: Transport, sizes: &[usize]) -> Vec<bool> {
        let (from, to) = transport.pair().unwrap();
        let (mut from, mut to) = (Link::new(from, transport), Link::new(to, transport));
        let buffers: Vec<Buffer> = sizes
            .iter()
            .map(|size| Buffer::copy_from(&vec![7; *size], transport.shared_from()).unwrap())
            .collect();
        let mut parts = vec![Part::Bytes(b"head")];
        parts.extend(buffers.iter().map(Part::Buffer));
        from.outbox
            .item(Kind::Calls, ItemHead::default(), &parts)
            .unwrap();
        loop {
            let flushed = from.flush();
            to.fill().unwrap();
            if let Some(message) = to.next().unwrap() {
                assert_eq!(flushed, Flushed::All);
                let Message::Call(item) = message else {
                    panic!("{message:?}");
                };
                assert_eq!(item.payload.head, b"head");
                for (buffer, size) in item.payload.buffers.iter().zip(sizes) {
                    assert_eq!(buffer.as_slice(), vec![7; *size]);
                }
                let is_shared = |buffer: &Buffer| matches!(buffer, Buffer::Shared(_));
                return item.payload.buffers.iter().map(is_shared).collect();
            }
        }
    }

    #[test]
    fn buffers_travel_as_the_transport_says() {
        let sizes = [0, 1, SHARED_FROM - 1, SHARED_FROM, 3_000_000];
        let shared = ALL.map(|transport| carried(transport, &sizes));
        assert_eq!(shared[0], [false, false, false, true, true]);
        assert_eq!(shared[1], [false, true, true, true, true]);
        assert_eq!(shared[2], [false; 5]);
        assert_eq!(shared[3], [false; 5]);
    }

    #[test]
    fn shared_memory_that_was_made_elsewhere_is_copied_where_none_travels() {
        let (from, to) = Transport::Unix.pair().unwrap();
        let mut from = Link::new(from, Transport::Unix);
        let mut to = Link::new(to, Transport::Unix);
        let buffer = Buffer::copy_from(&vec![5; SHARED_FROM], SHARED_FROM).unwrap();
        let parts = [Part::Bytes(b""), Part::Buffer(&buffer)];
        from.outbox
            .item(Kind::Calls, ItemHead::default(), &parts)
            .unwrap();
        from.flush();
        to.fill().unwrap();
        let Some(Message::Call(item)) = to.next().unwrap() else {
            panic!()
        };
        assert!(
            matches!(&item.payload.buffers[..], [Buffer::Inline(bytes)] if bytes.len() == SHARED_FROM)
        );
    }

    /// Sends a part of what has come; gives what comes of it at the other end.
    fn sent_on(transport: Transport, bytes: &[u8]) -> Buffer {
        let made = Segment::copy_from(bytes).unwrap();
        let file = copy_of(made.descriptor().unwrap());
        let came = Segment::receive(file, 0..bytes.len()).unwrap();
        let came = came.open().unwrap();
        let part = Buffer::Shared(Segment::unwritten(&came.as_slice()[24..]).unwrap());
        let (from, to) = transport.pair().unwrap();
        let (mut from, mut to) = (Link::new(from, transport), Link::new(to, transport));
        let parts = [Part::Bytes(b"head"), Part::Buffer(&part), Part::Bytes(b"")];
        from.outbox
            .item(Kind::Replies, ItemHead::default(), &parts)
            .unwrap();
        loop {
            from.flush();
            to.fill().unwrap();
            if let Some(Message::Reply(mut item)) = to.next().unwrap() {
                assert_eq!(
                    (&item.payload.head[..], item.payload.buffers.len()),
                    (&b"head"[..], 1)
                );
                item.open();
                return item.payload.buffers.remove(0);
            }
        }
    }

    #[test]
    fn a_part_of_what_has_come_is_sent_on_wherever_memory_travels() {
        let bytes: Vec<u8> = (0..3_000_000).map(|at| (at % 253) as u8).collect();
        for transport in ALL {
            let part = sent_on(transport, &bytes);
            assert!(part.as_slice() == &bytes[24..], "{transport:?}");
            assert_eq!(matches!(part, Buffer::Shared(_)), transport.shares());
        }
    }

    #[test]
    fn the_ends_of_a_tcp_link_know_each_other() {
        let (ours, theirs) = tcp_pair().unwrap();
        let (ours, theirs) = (TcpStream::from(ours), TcpStream::from(theirs));
        assert_eq!(ours.local_addr().unwrap(), theirs.peer_addr().unwrap());
        assert!(ours.local_addr().unwrap().ip().is_loopback());
        assert!(ours.nodelay().unwrap() && theirs.nodelay().unwrap());
    }
}
