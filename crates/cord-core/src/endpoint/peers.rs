//! The links of a replica to others of its module, over which calls that have not begun move.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use rustix::event::PollFlags;

use super::shared::State;
use cord_os::descriptor::Descriptor;
use cord_wire::buffer::Buffer;
use cord_wire::inbox::Filled;
use cord_wire::link::Link;
use cord_wire::message::Message;
use cord_wire::outbox::{Flushed, ItemHead};
use cord_wire::part::Part;
use cord_wire::payload::{is_same_world, World};
use cord_wire::transport::Transport;
use cord_wire::wire::{grouped, Kind, Malformed, Turn, KEEPS};

use super::Incoming;

/// A link to another replica.
#[derive(Debug)]
pub struct Peer {
    link: Link,
    transport: Transport,
    /// The world of what is read next, and of what was written last.
    theirs: World,
    ours: World,
    /// What has been written to the outbox, and is reported once it has left.
    reports: Option<Vec<u64>>,
}

/// All of them, by the number of the other replica.
pub type Peers = BTreeMap<u64, Peer>;

impl Peer {
    fn new(socket: Descriptor, transport: Transport) -> Peer {
        Peer {
            link: Link::new(socket, transport),
            transport,
            theirs: World::default(),
            ours: World::default(),
            reports: None,
        }
    }

    /// Asks for a value.
    pub fn ask(&mut self, call: u64) {
        self.link.outbox.ids(Kind::Fetch, &[call]);
    }

    /// Passes a call on.
    ///
    /// # Errors
    /// When there is no memory for it.
    fn send(&mut self, incoming: &Incoming, turn: Turn) -> io::Result<()> {
        if !is_same_world(&self.ours, &incoming.world) {
            self.link.outbox.message(Kind::World, 0, &incoming.world);
            self.ours = World::clone(&incoming.world);
        }
        let (tag, link) = turn.encode();
        let tag = if incoming.keeps { tag | KEEPS } else { tag } | grouped(incoming.group);
        let head = ItemHead {
            call: incoming.call,
            tag,
            codec: incoming.payload.codec,
            link,
        };
        // Shared memory that was opened here has no descriptor any more. Content goes by its name:
        // who lacks it asks the client.
        let payload = &incoming.payload;
        let buffers = payload.buffers.iter();
        let copy = |buffer: &Buffer| match buffer {
            Buffer::Resident(resident) => Ok(Buffer::Resident(Box::new(resident.name()))),
            other => Buffer::copy_from(other.bytes()?, self.transport.shared_from()),
        };
        let buffers: Vec<Buffer> = buffers.map(copy).collect::<io::Result<_>>()?;
        let mut parts = vec![Part::Bytes(&payload.head)];
        parts.extend(buffers.iter().map(Part::Buffer));
        self.link.outbox.item(Kind::Calls, head, &parts)
    }
}

impl State {
    /// Another replica can be reached over this socket; or cannot, for there was no room for one.
    pub fn meet(&mut self, number: u64, socket: Option<Descriptor>) {
        if let Some(socket) = socket {
            self.peers.insert(number, Peer::new(socket, self.transport));
        } else {
            self.values.cannot_ask(number);
        }
    }

    /// Passes calls on that have not begun. The order is the number of a replica, then the calls.
    pub fn pass_on(&mut self, order: &[u64]) {
        let mut went = Vec::new();
        let Some(peer) = self.peers.get_mut(&order[0]) else {
            return self.link.outbox.ids(Kind::Moved, &went);
        };
        for call in &order[1..] {
            if let Some((incoming, turn)) = self.queue.take(*call) {
                match peer.send(&incoming, turn) {
                    Ok(()) => went.push(*call),
                    Err(_) => self.queue.push(incoming, turn),
                }
            }
        }
        peer.reports.get_or_insert_default().extend(went);
    }

    /// Reads what other replicas pass on, and writes what goes to them.
    pub fn pump_peers(&mut self) -> Result<(), Malformed> {
        let mut peers = std::mem::take(&mut self.peers);
        let mut gone = Vec::new();
        for (number, peer) in &mut peers {
            if !self.exchange(peer)? {
                gone.push(*number);
            }
        }
        for number in &gone {
            peers.remove(number);
        }
        self.peers = peers;
        for number in gone {
            let asked = self.values.asked_of(number);
            self.do_without(&asked);
        }
        Ok(())
    }

    /// Reads and writes what can be; false once the other replica is gone.
    fn exchange(&mut self, peer: &mut Peer) -> Result<bool, Malformed> {
        let mut flushed = peer.link.flush();
        if flushed == Flushed::All || flushed.is_end() {
            // If it is gone, it may have begun what it got: that is lost with it.
            if let Some(went) = peer.reports.take() {
                self.link.outbox.ids(Kind::Moved, &went);
            }
        }
        loop {
            let filled = peer.link.fill()?;
            while let Some(message) = peer.link.next()? {
                self.arrivals += 1;
                match message {
                    Message::World(world) => peer.theirs = world.into(),
                    Message::Call(item) => self.take_in(item, World::clone(&peer.theirs))?,
                    Message::Value(item) => self.take_value(item, false)?,
                    Message::Fetch(calls) => self.values.answer(&mut peer.link.outbox, &calls),
                    Message::Release(calls) => self.do_without(&calls),
                    _ => {
                        return Err(Malformed::new(
                            "another replica says what only the client says",
                        ))
                    }
                }
            }
            match filled {
                Filled::Some => {}
                Filled::Nothing if peer.link.outbox.is_empty() => return Ok(!flushed.is_end()),
                Filled::Nothing => {
                    flushed = peer.link.flush();
                    return Ok(!flushed.is_end());
                }
                Filled::Gone => return Ok(false),
            }
        }
    }

    /// The sockets to other replicas, and what to wait for on them.
    pub fn peer_sockets(&self) -> Vec<(Arc<Descriptor>, PollFlags)> {
        let wanted = |peer: &Peer| {
            let mut flags = PollFlags::IN;
            flags.set(PollFlags::OUT, !peer.link.outbox.is_empty());
            (Arc::clone(peer.link.socket()), flags)
        };
        self.peers.values().map(wanted).collect()
    }
}
