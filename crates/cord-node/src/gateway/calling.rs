//! Agents that stand do not connect to the gateway: where a link to one is cut, it connects again.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::net::{sockopt, AddressFamily, SocketFlags, SocketType};

use super::agents::Stands;
use super::{Gateway, CALLS};
use crate::epoll::Epoll;
use crate::identity::HELLO;
use crate::packet::Kind;
use crate::tunnel::Tunnel;
use crate::wire::Packet;
use crate::{DESERTED, TRY};
use cord_wire::wire::u64_at;

const AGAIN: Duration = Duration::from_millis(200);

/// How the gateway connects again to where an agent stands.
#[derive(Debug)]
pub(super) struct Calling {
    address: SocketAddr,
    stage: Stage,
    /// Since when nobody has listened there.
    deserted_at: Option<Instant>,
}

#[derive(Debug)]
enum Stage {
    /// Not before this.
    Waits(Instant),
    /// Since then a connection is about to be made.
    Connects(OwnedFd, Instant),
    /// By this wire it is heard whether the agent is still there.
    Asks(usize),
}

impl Calling {
    /// One to where this socket leads; none where that is no place to connect to.
    pub(super) fn to_peer(socket: impl AsFd) -> Option<Calling> {
        let peer = rustix::net::getpeername(socket).ok().flatten()?;
        Some(Calling {
            address: SocketAddr::try_from(peer).ok()?,
            stage: Stage::Waits(Instant::now()),
            deserted_at: None,
        })
    }

    /// One to an address, at once.
    pub(super) fn to(address: SocketAddr) -> Calling {
        Calling {
            address,
            stage: Stage::Waits(Instant::now()),
            deserted_at: None,
        }
    }

    /// It is to be tried after so long, as if it had never been.
    pub(super) fn rest(&mut self, now: Instant, time: Duration) {
        self.stage = Stage::Waits(now + time);
        self.deserted_at = None;
    }

    /// Goes on with what is to be done now. What leads there, once there is a connection.
    pub(super) fn step(&mut self, now: Instant, epoll: &Epoll) -> io::Result<Option<OwnedFd>> {
        match &self.stage {
            Stage::Waits(until) if now >= *until => {
                let socket = begin(&self.address)?;
                let _ = epoll.add_out(&socket, CALLS);
                let _ = epoll.watch(&socket, CALLS, false, true);
                self.stage = Stage::Connects(socket, now);
                Ok(None)
            }
            Stage::Connects(socket, _) if is_connected(socket)? => {
                let before = std::mem::replace(&mut self.stage, Stage::Waits(now));
                let Stage::Connects(socket, _) = before else {
                    return Ok(None);
                };
                epoll.delete(&socket);
                Ok(Some(socket))
            }
            Stage::Connects(_, since) if now.duration_since(*since) >= TRY => {
                Err(ErrorKind::TimedOut.into())
            }
            Stage::Waits(_) | Stage::Connects(..) | Stage::Asks(_) => Ok(None),
        }
    }

    /// It was in vain; whether nobody is there any more.
    fn has_failed(&mut self, error: &io::Error, now: Instant) -> bool {
        self.stage = Stage::Waits(now + AGAIN);
        if error.kind() != ErrorKind::ConnectionRefused {
            self.deserted_at = None;
            return false;
        }
        let since = *self.deserted_at.get_or_insert(now);
        now.duration_since(since) >= DESERTED
    }
}

impl Gateway {
    /// Connects again to those agents whose links are cut, as far as that is to be done from here.
    pub(super) fn call_again(&mut self, now: Instant) {
        for wire in 0..self.nodes.len() {
            let node = &mut self.nodes[wire];
            let Some(calling) = node.calling.as_mut().filter(|_| node.cut.is_some()) else {
                continue;
            };
            let step = calling.step(now, &self.exchange.epoll);
            let step = step.and_then(|socket| match socket {
                Some(socket) => self.ask(wire, socket),
                None => Ok(()),
            });
            let calling = self.nodes[wire].calling.as_mut();
            let gone = |error: &io::Error| calling.is_some_and(|it| it.has_failed(error, now));
            if step.as_ref().err().is_some_and(gone) {
                self.lose(wire, "nobody listens there any more");
            }
        }
    }

    /// There is a connection: asks by it for the agent of a node.
    fn ask(&mut self, known: usize, socket: OwnedFd) -> io::Result<()> {
        let asks = self.nodes.len();
        let (Some(calling), Some(key)) = (&mut self.nodes[known].calling, &self.settings.key)
        else {
            return Ok(());
        };
        calling.stage = Stage::Asks(asks);
        let id = self.nodes[known].id;
        let tunnel = Tunnel::knocking(socket, key, &id.name())?;
        let so_far = self
            .exchange
            .wire(known)
            .map_or(0, |wire| wire.read_so_far());
        self.add(tunnel)?;
        self.nodes[asks].asks_for = Some(known);
        if let Some(wire) = self.exchange.wire(asks) {
            wire.greet(Kind::Hello, &id.hello(so_far));
        }
        Ok(())
    }

    /// What is said to one who asks for the agent of a node.
    pub(super) fn hear_answer(&mut self, asks: usize, known: usize, packet: &Packet) {
        let body = &packet.body;
        self.nodes[asks].stands = Stands::Gone;
        if let Some(calling) = &mut self.nodes[known].calling {
            calling.stage = Stage::Waits(Instant::now());
        }
        match (packet.kind, body.len()) {
            (Kind::Resumed, 8) if self.nodes[known].cut.is_some() => {
                self.is_back(known);
                match self.exchange.go_on(known, asks, u64_at(body, 0)) {
                    Ok(()) => self.place_all(),
                    Err(malformed) => self.lose(known, &malformed.0),
                }
            }
            // a new agent has answered
            (Kind::Hello, HELLO) => {
                self.exchange.drop_wire(asks);
                self.lose(known, "its agent has ended");
            }
            _ => {
                self.exchange.drop_wire(asks);
                self.lose(known, "it said what agents do not say");
            }
        }
    }

    /// One who asks for the agent of a node is not answered any more.
    pub(super) fn hears_nothing(&mut self, asks: usize, known: usize) {
        self.nodes[asks].stands = Stands::Gone;
        self.exchange.drop_wire(asks);
        if let Some(calling) = &mut self.nodes[known].calling {
            calling.stage = Stage::Waits(Instant::now() + AGAIN);
        }
    }

    /// Nothing is asked any more for a node that is lost. What leads to where it may be found again.
    pub(super) fn call_no_more(&mut self, known: usize) -> Option<Calling> {
        let calling = self.nodes[known].calling.take()?;
        if let Stage::Asks(asks) = calling.stage {
            self.nodes[asks].stands = Stands::Gone;
            self.exchange.drop_wire(asks);
        }
        Some(calling)
    }
}

/// A socket that is about to be connected.
fn begin(address: &SocketAddr) -> io::Result<OwnedFd> {
    let family = match address {
        SocketAddr::V4(_) => AddressFamily::INET,
        SocketAddr::V6(_) => AddressFamily::INET6,
    };
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket = rustix::net::socket_with(family, SocketType::STREAM, flags, None)?;
    match rustix::net::connect(&socket, address) {
        Ok(()) | Err(Errno::INPROGRESS) => Ok(socket),
        Err(error) => Err(error.into()),
    }
}

/// Whether it is.
fn is_connected(socket: &OwnedFd) -> io::Result<bool> {
    sockopt::socket_error(socket)??;
    Ok(rustix::net::getpeername(socket).is_ok_and(|peer| peer.is_some()))
}
