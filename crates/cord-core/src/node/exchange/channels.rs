//! The channels of an exchange: links are read and written, and wires are given what is for them.

use std::io;
use std::os::fd::AsFd;

use super::{side, Exchange, Happened};
use crate::dispatcher::ReplicaId;
use crate::inbox::Filled;
use crate::link::Link;
use crate::node::channel::Channel;
use crate::node::packet::{Kind, CHUNK};
use crate::outbox::Flushed;
use crate::resident::{Ledger, Most};

impl Exchange {
    /// Adds a replica's channel.
    ///
    /// # Errors
    /// When its link cannot be waited for.
    pub(in crate::node) fn add_channel(
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
            .insert(replica, Channel::new(replica, link, ledger, wire));
        self.unread.push(replica);
        Ok(())
    }

    /// Takes a channel away: its replica sees the end of its link.
    pub(in crate::node) fn drop_channel(&mut self, replica: ReplicaId) {
        if let Some(channel) = self.channels.remove(&replica) {
            if let Ok(socket) = channel.link.socket().get() {
                self.epoll.delete(socket);
                let _ = rustix::net::shutdown(socket, rustix::net::Shutdown::Both);
            }
        }
    }

    /// The same with all of them.
    pub(in crate::node) fn drop_channels(&mut self) {
        let all: Vec<ReplicaId> = self.channels.keys().copied().collect();
        for replica in all {
            self.drop_channel(replica);
        }
    }

    /// A channel has got its wire.
    pub(in crate::node) fn place(&mut self, replica: ReplicaId, wire: usize) {
        if let Some(channel) = self.channels.get_mut(&replica) {
            channel.wire = Some(wire);
            self.unread.push(replica);
        }
    }

    pub(in crate::node) fn read_channel(&mut self, replica: ReplicaId) {
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

    pub(in crate::node) fn end_channel(&mut self, replica: ReplicaId) {
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

    pub(in crate::node) fn flush_channel(&mut self, replica: ReplicaId) {
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
    pub(in crate::node) fn pump(&mut self) {
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
    pub(in crate::node) fn give_turn(&mut self) -> bool {
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
