//! The wires of an exchange: packets are written and read, and wires are cut and go on.

use std::io;
use std::time::Instant;

use rustix::io::Errno;

use super::{Exchange, Happened, TICK, WIRES, WRITERS};
use crate::contents::Contents;
use crate::packet::Kind;
use crate::tunnel::Tunnel;
use crate::wire::Wire;
use cord_dispatch::dispatcher::ReplicaId;
use cord_wire::wire::Malformed;

impl Exchange {
    /// Adds a wire over a tunnel; gives its index.
    ///
    /// # Errors
    /// When it cannot be waited for.
    pub(crate) fn add_wire(&mut self, tunnel: Tunnel, contents: Contents) -> io::Result<usize> {
        let index = self.wires.len();
        self.listen_to(&tunnel, index)?;
        self.wires.push(Some(Wire::new(tunnel, Instant::now())));
        self.known.contents.push(contents);
        self.wants_out.push(false);
        Ok(index)
    }

    pub(crate) fn listen_to(&self, tunnel: &Tunnel, index: usize) -> Result<(), Errno> {
        self.epoll.add(tunnel.reader(), WIRES + index as u64)?;
        match self.epoll.add_out(tunnel.writer(), WRITERS + index as u64) {
            // regular files and the like can always be written
            Ok(()) | Err(Errno::PERM) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// A wire that was cut goes on over the tunnel of another one, whose other side has read so much. Where
    /// that was cut meanwhile, too, it is cut once more.
    ///
    /// # Errors
    /// When that cannot be.
    pub(crate) fn go_on(&mut self, index: usize, by: usize, read: u64) -> Result<(), Malformed> {
        if let Some(over) = self.wires[by].take() {
            if let Some(tunnel) = over.tunnel() {
                self.epoll.delete(tunnel.reader());
                self.epoll.delete(tunnel.writer());
            }
            self.resume(index, over, read)?;
        }
        if self.is_cut(index) {
            let why = "its new link was cut at once".to_owned();
            self.happened.push(Happened::Cut(index, why));
        }
        Ok(())
    }

    /// Whether nothing comes or goes over a wire for now. One of which that was told may go on since.
    pub(crate) fn is_cut(&self, index: usize) -> bool {
        let wire = self.wires.get(index).and_then(Option::as_ref);
        wire.is_none_or(|wire| wire.tunnel().is_none())
    }

    /// The same over a new connection.
    ///
    /// # Errors
    /// As above.
    pub(crate) fn resume(&mut self, index: usize, over: Wire, read: u64) -> Result<(), Malformed> {
        if let Some(tunnel) = over.tunnel() {
            let listened = self.listen_to(tunnel, index);
            listened.map_err(|error| Malformed(error.to_string()))?;
        }
        self.wants_out[index] = false;
        let wire = self.wires[index].as_mut();
        wire.map_or(Ok(()), |wire| wire.go_on(over, read))?;
        self.read_packets(index);
        if !self.unheard.contains(&index) {
            self.unheard.push(index); // no event tells of what TLS has taken off the socket already
        }
        Ok(())
    }

    /// A wire.
    pub(crate) fn wire(&mut self, index: usize) -> Option<&mut Wire> {
        self.wires.get_mut(index)?.as_mut()
    }

    /// Says something over a wire, if it is there.
    pub(crate) fn say(&mut self, index: usize, kind: Kind, replica: ReplicaId, body: &[u8]) {
        if let Some(wire) = self.wire(index) {
            wire.put(kind, replica, body);
        }
    }

    /// The tunnel of a wire is given up; what is on its way is kept.
    pub(crate) fn cut(&mut self, index: usize) {
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
    pub(crate) fn drop_wire(&mut self, index: usize) {
        self.cut(index);
        self.wires[index] = None;
    }

    pub(crate) fn read_wire(&mut self, index: usize) {
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
            Err(error) => self.has_been_cut(index, told(&error)),
        }
        self.flush_wire(index); // TLS may have something to say
    }

    /// Up to the first packet that the owner must look at: what follows may be about what comes of it.
    pub(crate) fn read_packets(&mut self, index: usize) {
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

    pub(crate) fn deliver(&mut self, wire: usize, replica: ReplicaId, bytes: &[u8]) {
        if self.known.routes.has(replica) {
            if let Some(onward) = self.known.routes.pass(replica, wire, bytes) {
                self.say(onward, Kind::Data, replica, bytes);
            }
            return;
        }
        let Some(channel) = self.channels.get_mut(&replica) else {
            return; // it has ended meanwhile
        };
        if channel.wire != Some(wire) || channel.has_ended {
            return;
        }
        let mut side = self.known.side(wire);
        let taken = channel.take_in(bytes, &mut side);
        if channel.waiting() > 0 && !channel.is_ready {
            channel.is_ready = true;
            self.ready.push_back(replica);
        }
        match taken {
            Ok(()) => self.flush_channel(replica),
            Err(_) => self.end_channel(replica),
        }
        for begun in self.known.meetings.begun() {
            self.begin(begun, wire);
        }
    }

    pub(crate) fn has_been_cut(&mut self, index: usize, why: String) {
        if !self.is_cut(index) {
            self.cut(index);
            self.happened.push(Happened::Cut(index, why));
        }
    }

    pub(crate) fn flush_wire(&mut self, index: usize) {
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
            Err(error) => self.has_been_cut(index, told(&error)),
        }
    }

    pub(crate) fn look_after_wires(&mut self) {
        let now = Instant::now();
        if now.duration_since(self.ticked_at) < TICK {
            return;
        }
        self.ticked_at = now;
        for index in 0..self.wires.len() {
            let Some(wire) = self.wires[index].as_mut() else {
                continue;
            };
            if let Some(silence) = wire.beat(now) {
                let seconds = silence.as_secs();
                let why = format!("nothing was heard of it for {seconds} seconds");
                self.has_been_cut(index, why);
            }
        }
    }
}

fn told(error: &io::Error) -> String {
    use io::ErrorKind::{BrokenPipe, ConnectionReset, UnexpectedEof};
    match error.kind() {
        UnexpectedEof | BrokenPipe | ConnectionReset => "the other side has closed it".to_owned(),
        _ => error.to_string(),
    }
}
