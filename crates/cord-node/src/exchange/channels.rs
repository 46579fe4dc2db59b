//! The channels of an exchange: links are read and written, and wires are given what is for them.

use std::io;
use std::os::fd::AsFd;

use super::{Exchange, Happened};
use crate::channel::{Channel, Whose};
use crate::meeting::Begun;
use crate::packet::{Kind, CHUNK};
use crate::wire::Wire;
use cord_dispatch::dispatcher::ReplicaId;
use cord_wire::inbox::Filled;
use cord_wire::link::Link;
use cord_wire::outbox::Flushed;
use cord_wire::resident::{Ledger, Most};

impl Exchange {
    /// Adds a replica's channel.
    ///
    /// # Errors
    /// When its link cannot be waited for.
    pub(crate) fn add_channel(
        &mut self,
        replica: ReplicaId,
        link: Link,
        wire: Option<usize>,
    ) -> io::Result<()> {
        let ledger = match &self.known.store {
            Some(store) => store.ledger(),
            None => Ledger::new(Most::default()),
        };
        self.open(Channel::new(replica, Whose::Replica, link, ledger, wire))
    }

    fn open(&mut self, channel: Channel) -> io::Result<()> {
        let number = channel.number();
        let socket = channel.link.socket().get()?;
        self.epoll.add(socket, u64::from(number))?;
        self.channels.insert(number, channel);
        self.unread.push(number);
        Ok(())
    }

    /// Adds the channel of a link between two replicas, and says that it is there. If there is no room
    /// for it, its replica sees the end of it at once, and so does the other.
    pub(crate) fn begin(&mut self, begun: Begun, wire: usize) {
        let Begun {
            replica,
            number,
            socket,
        } = begun;
        self.say(wire, Kind::Met, number, &[]);
        let link = self.channels.get(&replica).map(|own| own.link.like(socket));
        let opened = link.is_some_and(|link| {
            let ledger = Ledger::new(Most::default());
            let channel = Channel::new(number, Whose::Peer(replica), link, ledger, Some(wire));
            self.open(channel).is_ok()
        });
        if !opened {
            self.say(wire, Kind::Closed, number, &[]);
        }
    }

    /// Takes a channel away: its replica sees the end of its link.
    pub(crate) fn drop_channel(&mut self, replica: ReplicaId) {
        self.known.meetings.forget(replica);
        if let Some(channel) = self.channels.remove(&replica) {
            if let Ok(socket) = channel.link.socket().get() {
                self.epoll.delete(socket);
                let _ = rustix::net::shutdown(socket, rustix::net::Shutdown::Both);
            }
        }
    }

    /// The same with all of them.
    pub(crate) fn drop_channels(&mut self) {
        let all: Vec<ReplicaId> = self.channels.keys().copied().collect();
        for replica in all {
            self.drop_channel(replica);
        }
    }

    /// A channel has got its wire.
    pub(crate) fn place(&mut self, replica: ReplicaId, wire: usize) {
        if let Some(channel) = self.channels.get_mut(&replica) {
            channel.wire = Some(wire);
            self.known.routes.place(replica, wire);
            self.unread.push(replica);
        }
    }

    pub(crate) fn read_channel(&mut self, replica: ReplicaId) {
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
        let filled = self.read_once(replica, wire);
        let Some(channel) = self.channels.get_mut(&replica) else {
            return;
        };
        let more = match filled {
            None => return,
            Some(Filled::Some) if !channel.link.has_rings() => true,
            Some(_) => !channel.link.sleeps(),
        };
        if more {
            self.unread.push(replica);
        }
        if !channel.link.outbox.is_empty() {
            self.flush_channel(replica);
        }
    }

    /// Reads a link once; none when it is at its end.
    fn read_once(&mut self, number: ReplicaId, wire: usize) -> Option<Filled> {
        let channel = self.channels.get_mut(&number)?;
        let read = channel.read(&mut self.known.side(wire));
        let moved = channel.moved();
        if channel.waiting() > 0 && !channel.is_ready {
            channel.is_ready = true;
            self.ready.push_back(number);
        }
        for from in moved {
            self.hear_peers(number, from);
        }
        match read {
            Ok(Filled::Gone) | Err(_) => {
                self.end_channel(number);
                None
            }
            Ok(filled) => Some(filled),
        }
    }

    /// A replica says that calls have left it for others. What its channel has from there on goes behind
    /// all that came over its links to those, so that no call is thought to be where it never came.
    fn hear_peers(&mut self, replica: ReplicaId, from: u64) {
        let is_its = |(_, channel): &(&ReplicaId, &Channel)| channel.whose == Whose::Peer(replica);
        let peers = self.channels.iter().filter(is_its);
        let peers: Vec<(ReplicaId, Option<usize>)> =
            peers.map(|(number, peer)| (*number, peer.wire)).collect();
        for (number, wire) in peers {
            while wire.is_some_and(|wire| self.read_once(number, wire) == Some(Filled::Some)) {}
            let given = self.channels.get_mut(&number).map(Channel::all);
            if let (Some(given), Some(own)) = (given, self.channels.get_mut(&replica)) {
                own.wait_for(from, given);
            }
        }
    }

    pub(crate) fn end_channel(&mut self, replica: ReplicaId) {
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

    pub(crate) fn flush_channel(&mut self, replica: ReplicaId) {
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

    /// Gives wires what channels have for them, in turns.
    pub(crate) fn pump(&mut self) {
        loop {
            let before = self.ready.len();
            let gave = (0..before).filter(|_| self.give_turn()).count();
            if gave > 0 {
                continue;
            }
            for index in 0..self.wires.len() {
                self.flush_wire(index);
            }
            // of a wire that is full still the system tells when it has room
            let ready: Vec<ReplicaId> = self.ready.iter().copied().collect();
            if !ready.into_iter().any(|replica| self.can_give(replica)) {
                break;
            }
        }
        for replica in std::mem::take(&mut self.stalled) {
            match self.channels.get(&replica) {
                Some(channel) if !channel.has_room() => self.stalled.push(replica),
                _ => self.unread.push(replica),
            }
        }
    }

    fn can_give(&mut self, replica: ReplicaId) -> bool {
        if self.waits(replica) {
            return false;
        }
        let channel = self.channels.get(&replica);
        let wire = channel.and_then(|channel| self.wires[channel.wire?].as_ref());
        wire.is_some_and(Wire::has_room)
    }

    /// The next channel gives a chunk; whether it did.
    pub(crate) fn give_turn(&mut self) -> bool {
        let Some(replica) = self.ready.pop_front() else {
            return false;
        };
        if self.waits(replica) {
            self.ready.push_back(replica);
            return false;
        }
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

    /// Whether a channel waits for content that another one has still to bring.
    fn waits(&mut self, replica: ReplicaId) -> bool {
        while let Some(given) = self.channels.get(&replica).and_then(Channel::waits_for) {
            let other = self.channels.get(&given.replica);
            if other.is_some_and(|other| !other.has_given(given.until)) {
                return true;
            }
            if let Some(channel) = self.channels.get_mut(&replica) {
                channel.wait_no_more();
            }
        }
        false
    }
}
