//! The gateway's side of agents: they come, say who they are, serve, are cut off, come back or are lost.

use std::io;
use std::time::Instant;

use super::calling::Calling;
use super::{Gateway, PIECE};
use crate::channel::Channel;
use crate::identity::{Identity, HELLO};
use crate::packet::Kind;
use crate::placing::Room;
use crate::tunnel::Tunnel;
use crate::wire::{Packet, Wire};
use cord_core::engine::local::control::{AWAY, BEYOND, EXITED, FAILED, LOST, STARTED};
use cord_dispatch::dispatcher::ReplicaId;
use cord_os::complaint::complain;
use cord_wire::wire::u64_at;

/// What is known of the agent at the other end of a wire.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) id: Identity,
    pub(super) name: String,
    /// What its launcher calls it; empty where that does not know which agents connect.
    pub(super) called: String,
    /// What its launcher calls where it is; empty where none has told it.
    pub(super) place: String,
    pub(super) cores: u32,
    pub(super) replicas: u32,
    pub(super) stands: Stands,
    /// When its link was cut, and why.
    pub(super) cut: Option<(Instant, String)>,
    /// Nothing is heard of it at the moment.
    pub(super) is_silent: bool,
    /// How it is connected to again, where it does not come by itself.
    pub(super) calling: Option<Calling>,
    /// It has ended since somebody told it to.
    pub(super) was_told: bool,
    /// It was not there before; where it was, it was lost.
    pub(super) was_absent: bool,
    /// Nothing is known but that by this wire it is asked for the agent of another one.
    pub(super) asks_for: Option<usize>,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) enum Stands {
    #[default]
    New,
    Welcomed,
    Serves,
    Gone,
}

impl Gateway {
    pub(super) fn accept(&mut self) {
        let (Some(listener), Some(key)) = (&self.settings.listener, &self.settings.key) else {
            return;
        };
        let accepted = rustix::net::accept_with(listener, rustix::net::SocketFlags::CLOEXEC);
        let tunnel = accepted.map_err(io::Error::from);
        let tunnel = tunnel.and_then(|socket| Tunnel::accepted(socket, key));
        if let Ok(tunnel) = tunnel {
            let _ = self.add(tunnel); // no room: it comes again
        }
    }

    /// What an agent says.
    pub(super) fn hear(&mut self, wire: usize, packet: Packet) {
        if let Some(known) = self.nodes[wire].asks_for {
            return self.hear_answer(wire, known, &packet);
        }
        let Packet {
            kind,
            replica,
            body,
        } = packet;
        match (kind, body.len()) {
            (Kind::Hello, HELLO) => self.greet(wire, &body),
            (Kind::Joined, _) if self.nodes[wire].stands == Stands::Welcomed => {
                self.join(wire, &body);
            }
            (Kind::Refused, _) if self.nodes[wire].stands == Stands::Serves => {
                self.nodes[wire].was_told = true;
                self.lose(wire, &String::from_utf8_lossy(&body));
            }
            (Kind::Lacks, 8) if self.nodes[wire].stands == Stands::Welcomed => {
                let code = &self.settings.code;
                let from =
                    usize::try_from(u64_at(&body, 0)).map_or(code.len(), |at| at.min(code.len()));
                let piece = &code[from..code.len().min(from + PIECE)];
                self.exchange.say(wire, Kind::Code, 0, piece);
            }
            (Kind::Refused, _) => {
                self.tell("refused", &String::from_utf8_lossy(&body));
                self.nodes[wire].stands = Stands::Gone;
                self.exchange.drop_wire(wire);
            }
            (Kind::Started, 4) => self.report(STARTED, replica, &body),
            (Kind::Exited, 4) => {
                self.has_left(wire, replica);
                self.report(EXITED, replica, &body);
            }
            (Kind::Beyond, 8) => self.report(BEYOND, replica, &body),
            (Kind::Failed, 4) => {
                self.has_left(wire, replica);
                self.report(FAILED, replica, &body);
            }
            (Kind::Closed, 0) if self.exchange.known.routes.has(replica) => {
                let onward = self.exchange.known.routes.closed(replica, wire);
                self.say_on(onward);
            }
            (Kind::Closed, 0) => self.drop_channel(replica),
            (Kind::Met, 0) if self.exchange.known.routes.has(replica) => {
                let onward = self.exchange.known.routes.met(replica, wire);
                self.say_on(onward);
            }
            _ => {
                self.exchange.cut(wire);
                self.lose(wire, "it said what agents do not say");
            }
        }
    }

    fn has_left(&mut self, wire: usize, replica: ReplicaId) {
        let gone = u32::from(self.processes.leave(replica));
        let node = &mut self.nodes[wire];
        node.replicas = node.replicas.saturating_sub(gone);
    }

    fn greet(&mut self, wire: usize, hello: &[u8]) {
        let (id, read) = Identity::of_hello(hello);
        let known = self
            .nodes
            .iter()
            .position(|node| node.id == id && node.stands == Stands::Serves);
        let Some(known) = known else {
            self.nodes[wire].id = id;
            self.nodes[wire].stands = Stands::Welcomed;
            let welcome = &self.settings.welcome;
            if let Some(wire) = self.exchange.wire(wire) {
                wire.greet(Kind::Welcome, welcome);
            }
            return;
        };
        self.exchange.cut(known); // it may have noticed before this side
        let so_far = self
            .exchange
            .wire(known)
            .map_or(0, |wire| wire.read_so_far());
        if let Some(wire) = self.exchange.wire(wire) {
            wire.greet(Kind::Resumed, &so_far.to_le_bytes());
        }
        self.nodes[wire].stands = Stands::Gone;
        self.is_back(known);
        match self.exchange.go_on(known, wire, read) {
            Ok(()) => self.place_all(),
            Err(malformed) => self.lose(known, &malformed.0),
        }
    }

    /// Facts are lines: how many cores, a name, and what the launcher calls the place, if it has told.
    fn join(&mut self, wire: usize, facts: &[u8]) {
        let facts = String::from_utf8_lossy(facts).into_owned();
        let mut lines = facts.lines();
        let cores = lines.next().and_then(|cores| cores.parse().ok());
        let name = lines.next().unwrap_or("a node");
        let node = &mut self.nodes[wire];
        node.cores = cores.unwrap_or(1);
        node.name = name.to_owned();
        node.place = lines.next().unwrap_or_default().to_owned();
        node.stands = Stands::Serves;
        if std::mem::take(&mut node.was_absent) {
            complain(&format!("the node {name} is there now"));
        }
        let told = format!("{} {name}", node.cores);
        self.tell("joined", &told);
        if self.is_counted {
            self.tell_cores();
        }
        self.place_all();
    }

    pub(super) fn has_been_cut(&mut self, wire: usize, why: &str) {
        let node = &mut self.nodes[wire];
        let comes_back = self.settings.listener.is_some() || node.calling.is_some();
        if let (Stands::New, Some(known)) = (&node.stands, node.asks_for) {
            return self.hears_nothing(wire, known);
        }
        match node.stands {
            Stands::Serves if comes_back && !self.is_over => {
                node.cut = Some((Instant::now(), why.to_owned()));
                self.tell_of_absence(wire, true);
            }
            Stands::Serves => self.lose(wire, why),
            Stands::Gone => {}
            // who has no name has shown no key either: it is nobody's agent
            Stands::New if node.name.is_empty() => {
                node_is_gone(node);
                self.exchange.drop_wire(wire);
            }
            Stands::New | Stands::Welcomed => {
                if node.was_absent {
                    self.is_absent(wire);
                } else {
                    let told = format!("{}: its link ended before it served: {why}", node.name);
                    self.tell("failed", &told);
                }
                node_is_gone(&mut self.nodes[wire]);
                self.exchange.drop_wire(wire);
            }
        }
    }

    /// Replicas at nodes of which nothing is heard get no calls meanwhile.
    pub(super) fn note_silence(&mut self, now: Instant) {
        for wire in 0..self.nodes.len() {
            let node = &self.nodes[wire];
            let serves = node.stands == Stands::Serves && node.cut.is_none();
            let silent = |wire: &mut Wire| wire.is_silent(now);
            let is_silent = serves && self.exchange.wire(wire).is_some_and(silent);
            let was = std::mem::replace(&mut self.nodes[wire].is_silent, is_silent);
            if serves && was != is_silent {
                self.tell_of_absence(wire, is_silent);
            }
        }
    }

    /// A node that was cut off is there again.
    pub(super) fn is_back(&mut self, wire: usize) {
        self.nodes[wire].cut = None;
        self.tell_of_absence(wire, false);
    }

    fn tell_of_absence(&mut self, wire: usize, is_away: bool) {
        for replica in self.replicas_of(wire) {
            self.report(AWAY, replica, &u32::from(is_away).to_le_bytes());
        }
    }

    fn replicas_of(&self, wire: usize) -> Vec<ReplicaId> {
        let there =
            |(id, channel): (&ReplicaId, &Channel)| (channel.wire == Some(wire)).then_some(*id);
        self.exchange.channels.iter().filter_map(there).collect()
    }

    /// A node is gone, and all replicas that were there.
    pub(super) fn lose(&mut self, wire: usize, why: &str) {
        let node = &mut self.nodes[wire];
        if node.stands == Stands::Gone {
            return;
        }
        node_is_gone(node);
        if !self.is_over {
            let name = &self.nodes[wire].name;
            complain(&format!("the node {name} is lost: {why}"));
        }
        self.exchange.drop_wire(wire);
        self.is_absent(wire);
        self.ask_for_another(wire);
        self.processes.lose(wire);
        let onward = self.exchange.known.routes.lose(wire);
        self.say_on(onward);
        for replica in self.replicas_of(wire) {
            self.drop_channel(replica);
            self.report(LOST, replica, &[0; 4]);
        }
        self.place_all();
    }
}

impl Node {
    pub(super) fn room(&self) -> Room {
        Room {
            cores: self.cores,
            replicas: self.replicas,
        }
    }
}

fn node_is_gone(node: &mut Node) {
    node.stands = Stands::Gone;
    node.cut = None;
}
