//! Channels on one side, wires on the other: what comes in by one goes out by the other. The same for
//! gateway and agent, which decide what all else means that is said.

use std::collections::VecDeque;
use std::io;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rustix::io::Errno;

use super::channel::{Channel, Side};
use super::contents::{Contents, NodeStore};
use super::epoll::{Can, Epoll};
use super::packet::{Kind, CHUNK};
use super::tunnel::Tunnel;
use super::wire::{Packet, Wire};
use crate::dispatcher::{IdMap, ReplicaId};
use crate::inbox::Filled;
use crate::link::Link;
use crate::outbox::Flushed;
use crate::resident::{Ledger, Most};
use crate::spin::Spin;
use crate::wire::Malformed;

/// Numbers of wires, as what is waited for; channels have those of their replicas, which fit 32 bits.
const WIRES: u64 = 1 << 32;
/// Of the ends that wires write to, where those are not what they read from.
const WRITERS: u64 = 2 << 32;
/// Numbers from here on are the owner's.
pub(super) const OWN: u64 = 3 << 32;
/// What cannot be sent for lack of room in the system is tried again after so long.
const CONGESTED: Duration = Duration::from_millis(1);
/// Wires are looked after so often.
const TICK: Duration = Duration::from_millis(250);

/// What an exchange does not know what to do with.
#[derive(Debug)]
pub(super) enum Happened {
    /// Something was said over a wire that is no frame's.
    Said(usize, Packet),
    /// A replica's link has ended here, and all that came over it is on its way.
    Ended(ReplicaId),
    /// A wire is cut: why.
    Cut(usize, String),
    /// What the owner waits for can be read.
    Own(u64),
}

/// All of it.
#[derive(Debug)]
pub(super) struct Exchange {
    pub(super) epoll: Epoll,
    pub(super) channels: IdMap<ReplicaId, Channel>,
    pub(super) wires: Vec<Option<Wire>>,
    /// What each wire's other side has, or what this side has.
    pub(super) contents: Vec<Contents>,
    pub(super) store: Option<NodeStore>,
    /// Channels with something for their wire.
    ready: VecDeque<ReplicaId>,
    /// Channels of which more is to be read.
    unread: Vec<ReplicaId>,
    /// Channels that are not read on until their wire has taken what it was given.
    stalled: Vec<ReplicaId>,
    /// Channels whose link could not take all for lack of descriptors.
    congested: Vec<ReplicaId>,
    /// Wires of which more has come than was looked at.
    unheard: Vec<usize>,
    /// By wire: whether it waits to be writable.
    wants_out: Vec<bool>,
    ticked_at: Instant,
    spin: Spin,
    cans: Vec<Can>,
    happened: Vec<Happened>,
}

impl Exchange {
    /// One without channels and wires. An agent's has a store.
    ///
    /// # Errors
    /// When the system has no descriptors left.
    pub(super) fn new(store: Option<NodeStore>) -> io::Result<Exchange> {
        Ok(Exchange {
            epoll: Epoll::new()?,
            channels: IdMap::default(),
            wires: Vec::new(),
            contents: Vec::new(),
            store,
            ready: VecDeque::new(),
            unread: Vec::new(),
            stalled: Vec::new(),
            congested: Vec::new(),
            unheard: Vec::new(),
            wants_out: Vec::new(),
            ticked_at: Instant::now(),
            spin: Spin::default(),
            cans: Vec::new(),
            happened: Vec::new(),
        })
    }

    /// Adds a wire over a tunnel; gives its index.
    ///
    /// # Errors
    /// When it cannot be waited for.
    pub(super) fn add_wire(&mut self, tunnel: Tunnel, contents: Contents) -> io::Result<usize> {
        let index = self.wires.len();
        self.listen_to(&tunnel, index)?;
        self.wires.push(Some(Wire::new(tunnel, Instant::now())));
        self.contents.push(contents);
        self.wants_out.push(false);
        Ok(index)
    }

    fn listen_to(&self, tunnel: &Tunnel, index: usize) -> Result<(), Errno> {
        self.epoll.add(tunnel.reader(), WIRES + index as u64)?;
        match self.epoll.add_out(tunnel.writer(), WRITERS + index as u64) {
            // regular files and the like can always be written
            Ok(()) | Err(Errno::PERM) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// A wire that was cut goes on over the tunnel of another one, whose other side has read so much.
    ///
    /// # Errors
    /// When that cannot be.
    pub(super) fn go_on(&mut self, index: usize, by: usize, read: u64) -> Result<(), Malformed> {
        match self.wires[by].take() {
            Some(over) => {
                if let Some(tunnel) = over.tunnel() {
                    self.epoll.delete(tunnel.reader());
                    self.epoll.delete(tunnel.writer());
                }
                self.resume(index, over, read)
            }
            None => Ok(()),
        }
    }

    /// The same over a new connection.
    ///
    /// # Errors
    /// As above.
    pub(super) fn resume(&mut self, index: usize, over: Wire, read: u64) -> Result<(), Malformed> {
        if let Some(tunnel) = over.tunnel() {
            let listened = self.listen_to(tunnel, index);
            listened.map_err(|error| Malformed(error.to_string()))?;
        }
        self.wants_out[index] = false;
        let wire = self.wires[index].as_mut();
        wire.map_or(Ok(()), |wire| wire.go_on(over, read))?;
        self.read_packets(index);
        Ok(())
    }

    /// A wire.
    pub(super) fn wire(&mut self, index: usize) -> Option<&mut Wire> {
        self.wires.get_mut(index)?.as_mut()
    }

    /// Says something over a wire, if it is there.
    pub(super) fn say(&mut self, index: usize, kind: Kind, replica: ReplicaId, body: &[u8]) {
        if let Some(wire) = self.wire(index) {
            wire.put(kind, replica, body);
        }
    }

    /// The tunnel of a wire is given up; what is on its way is kept.
    pub(super) fn cut(&mut self, index: usize) {
        let Some(wire) = self.wires[index].as_mut() else {
            return;
        };
        if let Some(tunnel) = wire.tunnel() {
            self.epoll.delete(tunnel.reader());
            self.epoll.delete(tunnel.writer());
        }
        wire.cut(Instant::now());
    }

    /// A wire is given up.
    pub(super) fn drop_wire(&mut self, index: usize) {
        self.cut(index);
        self.wires[index] = None;
    }

    /// Adds a replica's channel.
    ///
    /// # Errors
    /// When its link cannot be waited for.
    pub(super) fn add_channel(
        &mut self,
        replica: ReplicaId,
        link: Link,
        wire: Option<usize>,
    ) -> io::Result<()> {
        self.epoll.add(link.socket().get()?, u64::from(replica))?;
        let ledger = match &self.store {
            Some(store) => store.ledger(),
            None => Ledger::new(Most::default()),
        };
        self.channels
            .insert(replica, Channel::new(link, ledger, wire));
        self.unread.push(replica);
        Ok(())
    }

    /// Takes a channel away: its replica sees the end of its link.
    pub(super) fn drop_channel(&mut self, replica: ReplicaId) {
        if let Some(channel) = self.channels.remove(&replica) {
            if let Ok(socket) = channel.link.socket().get() {
                self.epoll.delete(socket);
                let _ = rustix::net::shutdown(socket, rustix::net::Shutdown::Both);
            }
        }
    }

    /// A channel has got its wire.
    pub(super) fn place(&mut self, replica: ReplicaId, wire: usize) {
        if let Some(channel) = self.channels.get_mut(&replica) {
            channel.wire = Some(wire);
            self.unread.push(replica);
        }
    }

    /// Does what there is to do, after waiting for it; tells what has happened besides.
    ///
    /// # Errors
    /// When it cannot be waited.
    pub(super) fn turn(&mut self) -> io::Result<Vec<Happened>> {
        self.pump();
        self.wait()?;
        for wire in std::mem::take(&mut self.unheard) {
            self.read_wire(wire);
        }
        let cans = std::mem::take(&mut self.cans);
        for can in &cans {
            self.heed(*can);
        }
        self.cans = cans;
        self.cans.clear();
        for replica in std::mem::take(&mut self.unread) {
            self.read_channel(replica);
        }
        for replica in std::mem::take(&mut self.congested) {
            self.flush_channel(replica);
        }
        self.look_after_wires();
        self.pump();
        Ok(std::mem::take(&mut self.happened))
    }

    fn wait(&mut self) -> io::Result<()> {
        let is_busy = [
            self.unread.is_empty(),
            self.unheard.is_empty(),
            self.happened.is_empty(),
        ];
        let longest = if is_busy.contains(&false) {
            Duration::ZERO
        } else if !self.congested.is_empty() {
            CONGESTED
        } else {
            TICK
        };
        let (epoll, cans) = (&self.epoll, &mut self.cans);
        if longest == TICK {
            let mut failed = None;
            let came = self.spin.until(|| {
                failed = epoll.wait(Duration::ZERO, cans).err();
                !cans.is_empty() || failed.is_some()
            });
            if came {
                return failed.map_or(Ok(()), |error| Err(error.into()));
            }
        }
        Ok(epoll.wait(longest, cans)?)
    }

    fn heed(&mut self, can: Can) {
        let index = (can.number & u64::from(u32::MAX)) as usize;
        match can.number {
            own if own >= OWN => self.happened.push(Happened::Own(own)),
            writer if writer >= WRITERS => self.flush_wire(index),
            wire if wire >= WIRES => {
                if can.be_written {
                    self.flush_wire(index);
                }
                if can.be_read {
                    self.read_wire(index);
                }
            }
            _ => {
                let replica = index as ReplicaId;
                if can.be_written {
                    self.flush_channel(replica);
                }
                if can.be_read {
                    let channel = self.channels.get_mut(&replica);
                    let heard = channel.map_or(Ok(()), |channel| channel.link.hear());
                    match heard {
                        Ok(()) => self.read_channel(replica),
                        Err(_) => self.end_channel(replica),
                    }
                    self.flush_channel(replica); // the bell may say that there is room
                }
            }
        }
    }

    fn read_channel(&mut self, replica: ReplicaId) {
        let Some(channel) = self.channels.get_mut(&replica) else {
            return;
        };
        if channel.has_ended {
            return;
        }
        let Some(wire) = channel.wire else {
            return; // it is read when it has one
        };
        if !channel.has_room() {
            self.stalled.push(replica);
            return;
        }
        let mut side = side(&mut self.store, &mut self.contents, wire);
        let read = channel.read(&mut side);
        if channel.waiting() > 0 && !channel.is_ready {
            channel.is_ready = true;
            self.ready.push_back(replica);
        }
        match read {
            Ok(Filled::Gone) | Err(_) => self.end_channel(replica),
            Ok(filled) => {
                let more =
                    !channel.link.sleeps() || filled == Filled::Some && !channel.link.has_rings();
                if more {
                    self.unread.push(replica);
                }
                if !channel.link.outbox.is_empty() {
                    self.flush_channel(replica);
                }
            }
        }
    }

    fn end_channel(&mut self, replica: ReplicaId) {
        if let Some(channel) = self.channels.get_mut(&replica) {
            if !channel.has_ended {
                channel.has_ended = true;
                if let Ok(socket) = channel.link.socket().get() {
                    self.epoll.delete(socket);
                }
                if channel.waiting() == 0 {
                    self.happened.push(Happened::Ended(replica));
                }
            }
        }
    }

    fn flush_channel(&mut self, replica: ReplicaId) {
        let Some(channel) = self.channels.get_mut(&replica) else {
            return;
        };
        if channel.has_ended {
            return;
        }
        let flushed = channel.link.flush();
        let wants_out = flushed == Flushed::Full;
        if wants_out != channel.wants_out {
            channel.wants_out = wants_out;
            if let Ok(socket) = channel.link.socket().get() {
                let number = u64::from(replica);
                let _ = self.epoll.watch(socket.as_fd(), number, true, wants_out);
            }
        }
        if flushed == Flushed::Congested {
            self.congested.push(replica);
        }
        // that it is gone is seen by reading, after what it still said
    }

    fn read_wire(&mut self, index: usize) {
        if self.unheard.contains(&index) {
            return; // the owner is to look at something first
        }
        let Some(wire) = self.wires[index].as_mut() else {
            return;
        };
        let filled = wire.fill(Instant::now());
        self.read_packets(index);
        match filled {
            _ if self.unheard.contains(&index) => {}
            // no event tells of what TLS has taken off the socket already
            Ok(true) => self.unheard.push(index),
            Ok(false) => {}
            Err(error) => self.has_been_cut(index, error.to_string()),
        }
        self.flush_wire(index); // TLS may have something to say
    }

    /// Up to the first packet that the owner must look at: what follows may be about what comes of it.
    fn read_packets(&mut self, index: usize) {
        loop {
            let Some(wire) = self.wires[index].as_mut() else {
                return;
            };
            match wire.next() {
                Ok(Some(packet)) if packet.kind == Kind::Data => {
                    self.deliver(index, packet.replica, &packet.body);
                }
                Ok(Some(packet)) => {
                    self.happened.push(Happened::Said(index, packet));
                    return self.unheard.push(index);
                }
                Ok(None) => return,
                Err(malformed) => return self.has_been_cut(index, malformed.0),
            }
        }
    }

    fn deliver(&mut self, wire: usize, replica: ReplicaId, bytes: &[u8]) {
        let Some(channel) = self.channels.get_mut(&replica) else {
            return; // it has ended meanwhile
        };
        if channel.wire != Some(wire) || channel.has_ended {
            return;
        }
        let mut side = side(&mut self.store, &mut self.contents, wire);
        let taken = channel.take_in(bytes, &mut side);
        if channel.waiting() > 0 && !channel.is_ready {
            channel.is_ready = true;
            self.ready.push_back(replica);
        }
        match taken {
            Ok(()) => self.flush_channel(replica),
            Err(_) => self.end_channel(replica),
        }
    }

    fn has_been_cut(&mut self, index: usize, why: String) {
        if self.wires[index]
            .as_ref()
            .is_some_and(|wire| wire.tunnel().is_some())
        {
            self.cut(index);
            self.happened.push(Happened::Cut(index, why));
        }
    }

    /// Gives wires what channels have for them, in turns.
    fn pump(&mut self) {
        for _ in 0..self.ready.len() {
            self.give_turn();
        }
        while !self.ready.is_empty() {
            let before = self.ready.len();
            let gave = (0..before).filter(|_| self.give_turn()).count();
            if gave == 0 {
                break;
            }
        }
        for index in 0..self.wires.len() {
            self.flush_wire(index);
        }
        for replica in std::mem::take(&mut self.stalled) {
            match self.channels.get(&replica) {
                Some(channel) if !channel.has_room() => self.stalled.push(replica),
                _ => self.unread.push(replica),
            }
        }
    }

    /// The next channel gives a chunk; whether it did.
    fn give_turn(&mut self) -> bool {
        let Some(replica) = self.ready.pop_front() else {
            return false;
        };
        let Some(channel) = self.channels.get_mut(&replica) else {
            return false;
        };
        let wire = channel.wire.and_then(|wire| self.wires[wire].as_mut());
        let Some(wire) = wire else {
            channel.is_ready = false;
            return false; // the wire is gone, and so is the channel soon
        };
        if !wire.has_room() {
            self.ready.push_back(replica);
            return false;
        }
        channel.take(CHUNK, |bytes| wire.put(Kind::Data, replica, bytes));
        if channel.waiting() > 0 {
            self.ready.push_back(replica);
        } else {
            channel.is_ready = false;
            if channel.has_ended {
                self.happened.push(Happened::Ended(replica));
            }
        }
        true
    }

    pub(super) fn flush_wire(&mut self, index: usize) {
        let Some(wire) = self.wires.get_mut(index).and_then(Option::as_mut) else {
            return;
        };
        match wire.flush() {
            Ok(wants_out) => {
                if let Some(tunnel) = wire.tunnel() {
                    if wants_out != self.wants_out[index] {
                        self.wants_out[index] = wants_out;
                        let number = WRITERS + index as u64;
                        let writer = tunnel.writer();
                        let _ = self.epoll.watch(writer, number, false, wants_out);
                    }
                }
            }
            Err(error) => self.has_been_cut(index, error.to_string()),
        }
    }

    fn look_after_wires(&mut self) {
        let now = Instant::now();
        if now.duration_since(self.ticked_at) < TICK {
            return;
        }
        self.ticked_at = now;
        for index in 0..self.wires.len() {
            let Some(wire) = self.wires[index].as_mut() else {
                continue;
            };
            if !wire.beat(now) && wire.tunnel().is_some() {
                self.has_been_cut(index, "nothing was heard of it for ten seconds".to_owned());
            }
        }
    }
}

fn side<'a>(
    store: &'a mut Option<NodeStore>,
    contents: &'a mut [Contents],
    wire: usize,
) -> Side<'a> {
    match store {
        Some(store) => Side::Agent(store),
        None => Side::Gateway(&mut contents[wire]),
    }
}
