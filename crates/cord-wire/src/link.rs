//! A link: frames in both directions, over a stream socket, or through rings of shared memory with
//! the socket as bell.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;

use crate::inbox::{Filled, Inbox};
use crate::message::Message;
use crate::outbox::{ring_bell, send_descriptor, Flushed, Outbox, BELL};
use crate::ring::{Glance, Rings};
use crate::transport::Transport;
use crate::wire::Malformed;
use cord_os::descriptor::Descriptor;

/// One end of a link.
#[derive(Debug)]
pub struct Link {
    socket: Arc<Descriptor>,
    rings: Option<Rings>,
    /// The other side has closed the socket of a link with rings.
    ended: bool,
    /// The socket has refused what was to be written.
    wants_out: bool,
    /// Frames to be written.
    pub outbox: Outbox,
    inbox: Inbox,
}

impl Link {
    /// A link over `socket` alone, a stream socket.
    pub fn new(socket: impl Into<Descriptor>, transport: Transport) -> Link {
        Link::over(socket.into(), None, transport)
    }

    /// Another link, over `socket` alone, which carries what this one does.
    pub fn like(&self, socket: impl Into<Descriptor>) -> Link {
        let transport = match self.outbox.shares() {
            true => Transport::Auto,
            false => Transport::Unix,
        };
        Link::new(socket, transport)
    }

    /// The client's end of a link: offers rings to the other side, if its transport has them.
    ///
    /// # Errors
    /// When the system has no memory or descriptors left.
    pub fn offer(socket: OwnedFd, transport: Transport) -> io::Result<Link> {
        if !transport.has_rings() {
            return Ok(Link::new(socket, transport));
        }
        let socket = Descriptor::new(socket);
        let (rings, file) = Rings::new()?;
        send_descriptor(socket.get()?, &[BELL], file.as_fd())?;
        let link = Link::over(socket, Some(rings), transport);
        link.sleeps();
        Ok(link)
    }

    /// The replica's end of a link: takes the rings that it is offered.
    ///
    /// # Errors
    /// When there are none, or they cannot be mapped.
    pub fn join(socket: OwnedFd, transport: Transport) -> io::Result<Link> {
        let mut link = Link::new(socket, transport);
        if !transport.has_rings() {
            return Ok(link);
        }
        let file = loop {
            let heard = link.inbox.hear(&link.socket);
            let heard = heard.map_err(|malformed| io::Error::other(malformed.0))?;
            if let Some(came) = link.inbox.take_descriptor() {
                break came.file()?;
            }
            if heard == Filled::Gone {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let socket = PollFd::from_borrowed_fd(link.socket.get()?, PollFlags::IN);
            match rustix::event::poll(&mut [socket], None) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        };
        link.rings = Some(Rings::join(file.get()?)?);
        Ok(link)
    }

    fn over(socket: Descriptor, rings: Option<Rings>, transport: Transport) -> Link {
        Link {
            socket: Arc::new(socket),
            rings,
            ended: false,
            wants_out: false,
            outbox: Outbox::new(transport),
            inbox: Inbox::new(transport.shares()),
        }
    }

    /// The socket, to wait on.
    pub fn socket(&self) -> &Arc<Descriptor> {
        &self.socket
    }

    /// Writes what the ring or the socket takes.
    pub fn flush(&mut self) -> Flushed {
        let socket = &*self.socket;
        let flushed = match &mut self.rings {
            Some(rings) => self.outbox.flush_into(&mut rings.writer, socket),
            None => self.outbox.flush(socket),
        };
        self.wants_out = flushed == Flushed::Full;
        flushed
    }

    /// Whether more can be written once the socket can be.
    pub fn wants_out(&self) -> bool {
        self.wants_out
    }

    /// Reads once.
    ///
    /// # Errors
    /// When what comes is no frame; the link is of no use then.
    pub fn fill(&mut self) -> Result<Filled, Malformed> {
        let Some(rings) = &mut self.rings else {
            return self.inbox.fill(&self.socket);
        };
        let filled = self.inbox.fill_from(&mut rings.reader)?;
        if filled == Filled::Some {
            if rings.reader.wakes() {
                ring_bell(&self.socket);
            }
        } else if self.ended {
            return Ok(Filled::Gone);
        }
        Ok(filled)
    }

    /// The next message that is whole, if there is one.
    ///
    /// # Errors
    /// When the bytes are no frame; the link is of no use then.
    pub fn next(&mut self) -> Result<Option<Message>, Malformed> {
        let message = self.inbox.next()?;
        if message.is_some() || !self.inbox.lacks_descriptors {
            return Ok(message);
        }
        if self.rings.is_some() {
            self.hear()?; // they were sent ahead of the frame
        }
        let message = self.inbox.next()?;
        if self.inbox.lacks_descriptors {
            return Err(Malformed::new("its descriptors did not come with it"));
        }
        Ok(message)
    }

    /// What is to go wrong with what comes.
    #[cfg(any(test, feature = "testing"))]
    pub fn faults(&mut self) -> &mut crate::inbox::Faults {
        &mut self.inbox.faults
    }

    /// Takes back the head of a call that nobody needs any more.
    pub fn reuse(&mut self, head: Vec<u8>) {
        self.inbox.reuse(head);
    }

    /// To be called when the socket can be read: takes the bells off it, if the link has rings.
    ///
    /// # Errors
    /// When descriptors were lost on the way.
    pub fn hear(&mut self) -> Result<(), Malformed> {
        if self.rings.is_some() {
            self.ended |= self.inbox.hear(&self.socket)? == Filled::Gone;
        }
        Ok(())
    }

    /// Whether frames travel through rings.
    pub fn has_rings(&self) -> bool {
        self.rings.is_some()
    }

    /// How much has been written into the ring; none if the link has none.
    pub fn written(&self) -> Option<u64> {
        self.rings.as_ref().map(|rings| rings.writer.written())
    }

    /// Whether the other side is known to have read nothing of what was written from there on.
    pub fn is_unread_from(&self, position: u64) -> bool {
        let rings = self.rings.as_ref();
        rings.is_some_and(|rings| rings.writer.is_unread_from(position))
    }

    /// Whether something is in the ring to be read.
    pub fn has_some(&self) -> bool {
        self.rings
            .as_ref()
            .is_some_and(|rings| rings.reader.has_some())
    }

    /// Looks for what comes over the ring from now on.
    pub fn glance(&self) -> Option<Glance> {
        self.rings.as_ref().map(|rings| rings.reader.glance())
    }

    /// This side is about to wait for the socket; false if there is something to be read already.
    pub fn sleeps(&self) -> bool {
        self.rings
            .as_ref()
            .is_none_or(|rings| rings.reader.sleeps())
    }

    /// This side looks by itself whether something is in the ring.
    pub fn is_awake(&self) {
        if let Some(rings) = &self.rings {
            rings.reader.is_awake();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buffer::Buffer;
    use crate::codec::Codec;
    use crate::inbox::Filled;
    use crate::message::Message;
    use crate::outbox::{Flushed, ItemHead};
    use crate::part::Part;
    use crate::segment::SHARED_FROM;
    use crate::wire::Kind;

    fn pair() -> (Link, Link) {
        let (a, b) = Transport::Auto.pair().unwrap();
        (Link::new(a, Transport::Auto), Link::new(b, Transport::Auto))
    }

    /// Moves everything from one end to the other, through however full a socket.
    fn exchange(from: &mut Link, to: &mut Link) -> Vec<Message> {
        let mut messages = Vec::new();
        loop {
            let flushed = from.flush();
            let filled = to.fill().unwrap();
            while let Some(message) = to.next().unwrap() {
                messages.push(message);
            }
            if flushed == Flushed::All && filled == Filled::Nothing {
                return messages;
            }
        }
    }

    #[test]
    fn many_calls_share_a_frame_and_arrive_in_order() {
        let (mut client, mut replica) = pair();
        for call in 0..1000_u64 {
            let head = ItemHead {
                call,
                ..ItemHead::default()
            };
            client
                .outbox
                .item(Kind::Calls, head, &[Part::Bytes(&call.to_le_bytes())])
                .unwrap();
        }
        let messages = exchange(&mut client, &mut replica);
        assert_eq!(messages.len(), 1000);
        for (index, message) in messages.iter().enumerate() {
            let Message::Call(item) = message else {
                panic!("{message:?}")
            };
            assert_eq!(item.call, index as u64);
            assert_eq!(item.payload.head, item.call.to_le_bytes());
        }
    }

    #[test]
    fn heads_that_are_used_again_hold_what_came_last() {
        let (mut client, mut replica) = pair();
        for length in [3_usize, 200, 0, 5000, 7, 1] {
            let sent = vec![length as u8; length];
            let parts = [Part::Bytes(&sent)];
            client
                .outbox
                .item(Kind::Calls, ItemHead::default(), &parts)
                .unwrap();
            let mut messages = exchange(&mut client, &mut replica);
            let Some(Message::Call(item)) = messages.pop() else {
                panic!()
            };
            assert_eq!(item.payload.head, sent);
            replica.reuse(item.payload.head);
        }
    }

    #[test]
    fn large_inline_bytes_pass_a_full_socket() {
        let (mut client, mut replica) = pair();
        let large: Vec<u8> = (0..5_000_000_u32).map(|n| n as u8).collect();
        client
            .outbox
            .item(Kind::Calls, ItemHead::default(), &[Part::Bytes(&large)])
            .unwrap();
        client.outbox.ids(Kind::Recall, &[5, 6]);
        let messages = exchange(&mut client, &mut replica);
        let [Message::Call(item), Message::Recall(ids)] = &messages[..] else {
            panic!()
        };
        assert_eq!(item.payload.head, large);
        assert_eq!(ids, &[5, 6]);
    }

    #[test]
    fn shared_buffers_travel_as_descriptors_however_many() {
        let (mut client, mut replica) = pair();
        let buffers: Vec<Buffer> = (0..300_usize)
            .map(|n| Buffer::copy_from(&vec![n as u8; SHARED_FROM + n], SHARED_FROM).unwrap())
            .collect();
        let mut parts = vec![Part::Bytes(b"head")];
        parts.extend(buffers.iter().map(Part::Buffer));
        for call in 0..3 {
            let head = ItemHead {
                call,
                tag: 1,
                codec: Codec(200),
                link: 9,
            };
            client.outbox.item(Kind::Replies, head, &parts).unwrap();
        }
        let messages = exchange(&mut client, &mut replica);
        assert_eq!(messages.len(), 3);
        for message in messages {
            let Message::Reply(item) = message else {
                panic!()
            };
            assert_eq!((item.tag, item.link), (1, 9));
            assert_eq!(item.payload.codec, Codec(200));
            assert_eq!(item.payload.head, b"head");
            // The last part of a reply is its output.
            assert_eq!(item.payload.buffers.len(), 299);
            assert_eq!(item.output, vec![43_u8; SHARED_FROM + 299]);
            for (n, buffer) in item.payload.buffers.iter().enumerate() {
                assert_eq!(buffer.as_slice(), vec![n as u8; SHARED_FROM + n]);
            }
        }
    }

    #[test]
    fn what_there_is_no_memory_for_is_read_over_and_the_rest_arrives() {
        let (mut client, mut replica) = pair();
        replica.faults().most = Some(1 << 20);
        let shared = Buffer::copy_from(&vec![8; SHARED_FROM], SHARED_FROM).unwrap();
        let large = vec![7; 5 << 20];
        let call = |call| ItemHead {
            call,
            ..ItemHead::default()
        };
        let small = [Part::Bytes(b"small"), Part::Buffer(&shared)];
        for number in [1, 4] {
            client
                .outbox
                .item(Kind::Calls, call(number), &small)
                .unwrap();
            let parts = [Part::Bytes(&large), Part::Buffer(&shared)];
            client
                .outbox
                .item(Kind::Calls, call(number + 1), &parts)
                .unwrap();
            client
                .outbox
                .item(Kind::Calls, call(number + 2), &small)
                .unwrap();
        }
        let messages = exchange(&mut client, &mut replica);
        let seen = messages.iter().map(|message| {
            let Message::Call(item) = message else {
                panic!("{message:?}")
            };
            let lacks = item
                .shortage
                .as_ref()
                .map(|lack| (lack.errno, lack.bytes >> 20));
            assert!(lacks.is_some() || item.payload.buffers[0].as_slice() == [8; SHARED_FROM]);
            (item.call, lacks)
        });
        let lacks = Some((libc::ENOMEM, 5));
        let expected = [
            (1, None),
            (2, lacks),
            (3, None),
            (4, None),
            (5, lacks),
            (6, None),
        ];
        assert_eq!(seen.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn small_messages_and_the_end_are_seen() {
        let (mut client, mut replica) = pair();
        replica
            .outbox
            .message(Kind::Ready, 0, &77_u32.to_le_bytes());
        replica.outbox.message(Kind::InitFailed, 0, b"why");
        let messages = exchange(&mut replica, &mut client);
        assert!(matches!(&messages[0], Message::Ready(77)));
        assert!(matches!(&messages[1], Message::InitFailed(head) if head == b"why"));
        drop(replica);
        assert_eq!(client.fill(), Ok(Filled::Gone));
        client.outbox.ids(Kind::Recall, &[1]);
        assert_eq!(client.flush(), Flushed::Gone);
    }

    #[test]
    fn worlds_and_orders_keep_their_place_among_calls() {
        let (mut client, mut replica) = pair();
        let call = |number| ItemHead {
            call: number,
            ..ItemHead::default()
        };
        let outbox = &mut client.outbox;
        outbox
            .item(Kind::Calls, call(1), &[Part::Bytes(b"a")])
            .unwrap();
        outbox.message(Kind::World, 0, b"elsewhere");
        outbox.message(Kind::Load, 0, b"once more");
        outbox
            .item(Kind::Calls, call(2), &[Part::Bytes(b"b")])
            .unwrap();
        outbox.message(Kind::World, 0, b"");
        let messages = exchange(&mut client, &mut replica);
        let [Message::Call(first), Message::World(there), Message::Load(order), Message::Call(second), Message::World(back)] =
            &messages[..]
        else {
            panic!("{messages:?}")
        };
        assert_eq!((first.call, second.call), (1, 2));
        assert_eq!(
            (&there[..], &order[..]),
            (&b"elsewhere"[..], &b"once more"[..])
        );
        assert!(back.is_empty());
    }

    #[test]
    fn a_socket_travels_too() {
        let (mut client, mut replica) = pair();
        let (ours, theirs) = Transport::Auto.pair().unwrap();
        client.outbox.socket(7, theirs);
        client.outbox.ids(Kind::Move, &[7, 1, 2]);
        let messages = exchange(&mut client, &mut replica);
        let [Message::Peer(7, Some(end)), Message::Move(order)] = &messages[..] else {
            panic!("{messages:?}")
        };
        assert_eq!(order, &[7, 1, 2]);
        rustix::io::write(&ours, b"hello").unwrap();
        let mut read = [0; 5];
        rustix::io::read(end.get().unwrap(), &mut read).unwrap();
        assert_eq!(&read, b"hello");
    }

    #[test]
    fn garbage_is_malformed() {
        let (client, mut replica) = pair();
        rustix::io::write(client.socket().get().unwrap(), b"GET / HTTP/1.1\r\n\r\n").unwrap();
        replica.fill().unwrap();
        assert!(replica.next().is_err());
    }

    #[test]
    fn items_that_do_not_fit_their_frame_are_malformed() {
        for (parts, length) in [(0_u32, 0_u64), (1, 1000), (u32::MAX, 0), (1, u64::MAX)] {
            let (client, mut replica) = pair();
            let header = crate::wire::Header {
                kind: Kind::Calls,
                body: 32,
                count: 1,
                fds: 0,
            };
            let mut bytes = header.encode().to_vec();
            bytes.extend_from_slice(&1_u64.to_le_bytes());
            bytes.extend_from_slice(&parts.to_le_bytes());
            bytes.extend_from_slice(&[0; 12]);
            bytes.extend_from_slice(&length.to_le_bytes());
            rustix::io::write(client.socket().get().unwrap(), &bytes).unwrap();
            replica.fill().unwrap();
            assert!(
                replica.next().is_err(),
                "{parts} parts, first {length} bytes"
            );
        }
    }
}
