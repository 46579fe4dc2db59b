//! What an agent does about its link to the gateway: it connects again, or is connected to.

use std::io;
use std::net::{TcpStream, ToSocketAddrs};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::event::{poll, PollFd, PollFlags, Timespec};
use rustix::io::Errno;
use rustix::net::{send, SendFlags};
use rustix::process::{getppid, Pid};

use super::{Agent, Ended, WIRE};
use crate::contents::Contents;
use crate::exchange::Exchange;
use crate::handed::receive;
use crate::identity::{Identity, HELLO};
use crate::key::Key;
use crate::packet::Kind;
use crate::tunnel::Tunnel;
use crate::wire::{Packet, Wire};
use crate::{DESERTED, TRY};
use cord_wire::wire::u64_at;

const AGAIN: Duration = Duration::from_millis(200);
/// Connections at a time whose other side has not shown yet that it knows this agent.
const STRANGERS: usize = 8;

/// Where the gateway is.
#[derive(Debug)]
pub(super) enum Way {
    /// Behind what something else made.
    Pipes,
    /// At an address, where it listens.
    Address(String, Key),
    /// It connects: the door brings the sockets of those who have named this agent.
    Door(Door, Key),
}

/// What leads to the agent that stands, whose child this one is.
#[derive(Debug)]
pub(super) struct Door {
    pub(super) socket: OwnedFd,
    stands: Option<Pid>,
}

impl Door {
    /// It, told whose it is.
    ///
    /// # Errors
    /// When nobody is behind it.
    pub(super) fn opened(socket: OwnedFd, id: &Identity) -> io::Result<Door> {
        rustix::io::ioctl_fionbio(&socket, true)?;
        send(&socket, &id.name(), SendFlags::NOSIGNAL)?;
        let stands = getppid();
        Ok(Door { socket, stands })
    }
}

impl Agent {
    /// The wire is cut: connects again, if it can, or waits for that.
    pub(super) fn come_back(&mut self, why: String) {
        let until = Instant::now() + self.patience;
        let mut deserted_at = None;
        if let Way::Door(..) = self.way {
            self.cut = Some((until, why));
            return;
        }
        while let (Way::Address(address, key), true) = (&self.way, Instant::now() < until) {
            let tunnel = connect(address, key);
            match tunnel.and_then(|tunnel| self.resume(tunnel)) {
                Ok(true) => return,
                Ok(false) => break,
                Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
                    let at = *deserted_at.get_or_insert_with(Instant::now);
                    if at.elapsed() >= DESERTED {
                        break;
                    }
                }
                Err(_) => deserted_at = None,
            }
            if self.is_stopped_within(AGAIN) {
                self.ended = Some(Ended::Stopped);
                return;
            }
        }
        self.ended = Some(Ended::Lost(why));
    }

    /// Why the system has told it to stop: with the agent that stands, those of its clients end.
    pub(super) fn why_stopped(&self) -> &'static str {
        match &self.way {
            Way::Door(door, _) if door.stands != getppid() => {
                "the agent that stood there has ended"
            }
            _ => "its agent was told to stop",
        }
    }

    fn is_stopped_within(&self, longest: Duration) -> bool {
        let Some(stop) = &self.stop else {
            return false;
        };
        let longest = Timespec::try_from(longest).ok();
        let mut waits = [PollFd::new(stop, PollFlags::IN)];
        poll(&mut waits, longest.as_ref()).is_ok_and(|ready| ready > 0)
    }

    /// Whether the gateway goes on over this tunnel; it does not where it has given up this node.
    fn resume(&mut self, tunnel: Tunnel) -> io::Result<bool> {
        let mut over = Wire::new(tunnel, Instant::now());
        let read = read_of(&mut self.exchange);
        over.greet(Kind::Hello, &self.id.hello(read));
        let until = Instant::now() + TRY;
        while Instant::now() < until {
            over.flush()?;
            over.fill(Instant::now())?;
            let packet = over
                .next()
                .map_err(|malformed| io::Error::other(malformed.0))?;
            match packet {
                Some(packet) if packet.kind == Kind::Resumed && packet.body.len() == 8 => {
                    let read = u64_at(&packet.body, 0);
                    let resumed = self.exchange.resume(WIRE, over, read);
                    return Ok(resumed.is_ok());
                }
                Some(_) => return Ok(false),
                None => std::thread::sleep(Duration::from_millis(1)),
            }
        }
        Err(io::ErrorKind::TimedOut.into())
    }

    /// Somebody has come who has named this agent. Its link stays as it is until that one has shown
    /// the key, and that it knows the agent's id: anybody sees the name, and all clients have the key.
    pub(super) fn answer_door(&mut self) {
        let Way::Door(Door { socket: door, .. }, key) = &self.way else {
            return;
        };
        let socket = match receive(door, &mut [0]) {
            Ok((1.., Some(socket))) => socket,
            Err(Errno::AGAIN | Errno::INTR) => return,
            Ok((1.., None)) => return,
            Ok((0, _)) | Err(_) => return self.exchange.epoll.delete(door),
        };
        let strangers = self.exchange.wires.iter().skip(1).flatten();
        if strangers.count() < STRANGERS {
            if let Ok(tunnel) = Tunnel::accepted(socket, key) {
                let _ = self.exchange.add_wire(tunnel, Contents::new(0)); // no room: it comes again
            }
        }
    }

    /// What such a one says: that it is the gateway, or nothing that is heard.
    pub(super) fn hear_stranger(&mut self, stranger: usize, packet: &Packet) {
        let hello = (packet.kind, packet.body.len()) == (Kind::Hello, HELLO);
        let hello = hello.then(|| Identity::of_hello(&packet.body));
        let Some((_, read)) = hello.filter(|(id, _)| *id == self.id) else {
            return self.exchange.drop_wire(stranger);
        };
        self.exchange.cut(WIRE); // it may have noticed before this side
        let so_far = read_of(&mut self.exchange);
        if let Some(wire) = self.exchange.wire(stranger) {
            wire.greet(Kind::Resumed, &so_far.to_le_bytes());
        }
        self.cut = None;
        if let Err(malformed) = self.exchange.go_on(WIRE, stranger, read) {
            self.ended = Some(Ended::Lost(malformed.0));
        }
    }

    /// Nobody is waited for any more.
    pub(super) fn look_whether_it_is_late(&mut self) {
        if self
            .cut
            .as_ref()
            .is_some_and(|(until, _)| Instant::now() >= *until)
        {
            let why = self.cut.take().map(|(_, why)| why);
            self.ended = Some(Ended::Lost(why.unwrap_or_default()));
        }
    }
}

fn read_of(exchange: &mut Exchange) -> u64 {
    exchange.wire(WIRE).map_or(0, |wire| wire.read_so_far())
}

/// A connection to where the gateway listens.
///
/// # Errors
/// When nobody does.
pub(super) fn connect(address: &str, key: &Key) -> io::Result<Tunnel> {
    let mut last = io::Error::from(io::ErrorKind::NotFound);
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, TRY) {
            Ok(stream) => return Tunnel::connected(stream.into(), key),
            Err(error) => last = error,
        }
    }
    Err(last)
}
