//! The gateway: the client asks it for replicas, and it has agents make them.

mod absent;
mod agents;
mod calling;

use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::net::SendFlags;

use self::absent::Absent;
use self::agents::{Node, Stands};
use self::calling::Calling;
use super::contents::Contents;
use super::exchange::{Exchange, Happened, OWN};
use super::handed::receive;
use super::identity::NOBODY;
use super::key::Key;
use super::notices::Notices;
use super::packet::Kind;
use super::placing::place;
use super::processes::Processes;
use super::routes::Onward;
use super::tunnel::Tunnel;
use cord_core::engine::local::control::{BESIDE, END, FAILED, GROWN, LAUNCH, PLACED};
use cord_dispatch::dispatcher::ReplicaId;
use cord_wire::link::Link;
use cord_wire::transport::Transport;
use cord_wire::wire::u32_at;

const CONTROL: u64 = OWN;
const STOP: u64 = OWN + 1;
const LISTENER: u64 = OWN + 2;
const NOTICES: u64 = OWN + 3;
const CALLS: u64 = OWN + 4;
const ANEW: u64 = OWN + 5;
/// How long agents may take to end what keeps state.
const LAST: Duration = Duration::from_secs(12);
/// An agent gets so much of the code at once: no more of it is in memory for each.
const PIECE: usize = 4 << 20;

/// What a gateway is given.
#[derive(Debug)]
pub struct Settings {
    /// The `SOCK_SEQPACKET` socket to the client.
    pub control: OwnedFd,
    /// One of these can be read when the run is over.
    pub stops: Vec<OwnedFd>,
    /// Where what the client asks for besides replicas is sent.
    pub beside: Option<OwnedFd>,
    /// Where it is told, in lines, which agents have joined or cannot.
    pub status: OwnedFd,
    /// Brings what their launcher hears of agents that have ended.
    pub notices: Option<OwnedFd>,
    /// Where it is told, by name, whose agents are to be started again, and brings what leads to these.
    pub anew: Option<OwnedFd>,
    /// Listens for agents.
    pub listener: Option<OwnedFd>,
    /// Secures what leads to agents, unless that is secure already.
    pub key: Option<Key>,
    /// Leads to agents: where to, to read from, and to write to.
    pub pipes: Vec<(String, OwnedFd, OwnedFd)>,
    /// Agents that stand but are not there yet: their names, and where they are to listen.
    pub absent: Vec<(String, SocketAddr)>,
    /// What agents are told to serve.
    pub welcome: Vec<u8>,
    /// The program's code, for agents that lack it.
    pub code: Vec<u8>,
    /// What carries the frames of each module's links.
    pub transports: Vec<Transport>,
    /// By module: how many of its replicas share a process.
    pub threads: Vec<u32>,
    /// How many bytes of content a node keeps.
    pub resident: usize,
    /// How long an agent whose link is cut may take to come back.
    pub patience: Duration,
}

/// One run's.
#[derive(Debug)]
pub struct Gateway {
    settings: Settings,
    exchange: Exchange,
    /// By wire.
    nodes: Vec<Node>,
    notices: Option<Notices>,
    /// Whether the client has counted the nodes that are there.
    is_counted: bool,
    /// Wanted while there is no node: replica, module, slot.
    waiting: VecDeque<(ReplicaId, u32, u32)>,
    processes: Processes,
    absent: Vec<Absent>,
    is_over: bool,
}

impl Gateway {
    /// One that is ready to run.
    ///
    /// # Errors
    /// When the system has no descriptors left.
    pub fn new(mut settings: Settings) -> io::Result<Gateway> {
        let exchange = Exchange::new(None)?;
        exchange.epoll.add(&settings.control, CONTROL)?;
        for stop in &settings.stops {
            exchange.epoll.add(stop, STOP)?;
        }
        if let Some(listener) = &settings.listener {
            rustix::io::ioctl_fionbio(listener, true)?;
            exchange.epoll.add(listener, LISTENER)?;
        }
        let notices = settings.notices.take().map(Notices::new);
        if let Some(notices) = &notices {
            notices.watch(&exchange.epoll, NOTICES)?;
        }
        if let Some(anew) = &settings.anew {
            exchange.epoll.add(anew, ANEW)?;
        }
        let pipes = std::mem::take(&mut settings.pipes);
        let absent = std::mem::take(&mut settings.absent).into_iter();
        let absent = absent
            .map(|(name, address)| Absent::new(name, Calling::to(address)))
            .collect();
        let processes = Processes::new(std::mem::take(&mut settings.threads));
        let mut gateway = Gateway {
            settings,
            exchange,
            nodes: Vec::new(),
            notices,
            is_counted: false,
            waiting: VecDeque::new(),
            processes,
            absent,
            is_over: false,
        };
        for (name, reader, writer) in pipes {
            let calling = Calling::to_peer(&reader);
            let tunnel = match &gateway.settings.key {
                Some(key) => Tunnel::knocking(reader, key, &NOBODY)?,
                None => Tunnel::plain(reader, writer)?,
            };
            gateway.add(tunnel)?;
            if let Some(node) = gateway.nodes.last_mut() {
                node.called.clone_from(&name);
                node.name = name;
                node.calling = calling;
            }
        }
        Ok(gateway)
    }

    fn add(&mut self, tunnel: Tunnel) -> io::Result<()> {
        let contents = Contents::new(self.settings.resident);
        self.exchange.add_wire(tunnel, contents)?;
        self.nodes.push(Node::default());
        Ok(())
    }

    /// Serves until the client is gone, or says that the run is over.
    ///
    /// # Errors
    /// When the system fails it.
    pub fn run(&mut self) -> io::Result<()> {
        while !self.is_over {
            self.turn()?;
        }
        for wire in 0..self.nodes.len() {
            self.exchange.say(wire, Kind::Finish, 0, &[]);
        }
        let until = Instant::now() + LAST;
        let serves = |node: &Node| node.stands == Stands::Serves && node.cut.is_none();
        while self.nodes.iter().any(serves) && Instant::now() < until {
            self.turn()?;
        }
        Ok(())
    }

    /// Says what links between replicas of different nodes bring.
    fn say_on(&mut self, onward: impl IntoIterator<Item = Onward>) {
        for one in onward {
            self.exchange.say(one.wire, one.kind, one.number, &one.body);
        }
    }

    /// A replica is gone.
    fn drop_channel(&mut self, replica: ReplicaId) {
        self.exchange.drop_channel(replica);
        let onward = self.exchange.known.routes.forget(replica);
        self.say_on(onward);
    }

    fn turn(&mut self) -> io::Result<()> {
        let mut has_notices = false;
        for happened in self.exchange.turn()? {
            match happened {
                Happened::Said(wire, packet) => self.hear(wire, packet),
                Happened::Ended(replica) => self.has_closed(replica),
                Happened::Cut(wire, why) if self.exchange.is_cut(wire) => {
                    self.has_been_cut(wire, &why);
                }
                Happened::Cut(..) => {} // its agent has connected again before this was heard
                Happened::Own(CONTROL) => self.obey(),
                Happened::Own(LISTENER) => self.accept(),
                Happened::Own(NOTICES) => has_notices = true,
                Happened::Own(ANEW) => self.take_another(),
                Happened::Own(CALLS) => {} // they are looked after below
                Happened::Own(_) => {
                    self.is_over = true;
                    for stop in self.settings.stops.drain(..) {
                        self.exchange.epoll.delete(&stop);
                    }
                }
            }
        }
        if has_notices {
            self.heed_notices(); // when all is heard that the agents have said before
        }
        let now = Instant::now();
        for wire in 0..self.nodes.len() {
            let cut = self.nodes[wire].cut.as_ref();
            let is_over =
                |(at, _): &&(Instant, String)| now.duration_since(*at) >= self.settings.patience;
            if let Some((_, why)) = cut.filter(is_over) {
                let why = format!("its link was cut and did not come back: {why}");
                self.lose(wire, &why);
            }
        }
        self.note_silence(now);
        self.call_again(now);
        self.look_for_absent(now);
        Ok(())
    }

    /// Loses the nodes whose agents have ended, as their launcher says.
    fn heed_notices(&mut self) {
        let notices = self.notices.as_mut();
        let notices = notices.map(|notices| notices.read(&self.exchange.epoll));
        for (place, why) in notices.unwrap_or_default() {
            let there = |node: &Node| node.stands == Stands::Serves && node.place == place;
            // in the end agents say by themselves that they are done
            if let Some(wire) = self.nodes.iter().position(there).filter(|_| !self.is_over) {
                self.lose(wire, &why);
            }
        }
    }

    /// What the client says.
    fn obey(&mut self) {
        let mut message = [0_u8; 4096];
        loop {
            match receive(&self.settings.control, &mut message) {
                Ok((13, Some(link))) if message[0] == LAUNCH => {
                    let [module, replica, slot] = [1, 5, 9].map(|at| u32_at(&message, at));
                    self.launch(replica, module, slot, link);
                }
                Ok((5, _)) if message[0] == END => {
                    let replica = u32_at(&message, 1);
                    if let Some(wire) = self.wire_of(replica) {
                        self.exchange.say(wire, Kind::End, replica, &[]);
                    }
                }
                Ok((0, _)) => {
                    self.is_over = true;
                    self.exchange.epoll.delete(&self.settings.control);
                    return;
                }
                Ok((length, _)) if message[0] == BESIDE => {
                    if let Some(beside) = &self.settings.beside {
                        let flags = SendFlags::DONTWAIT | SendFlags::NOSIGNAL;
                        let _ = rustix::net::send(beside, &message[1..length], flags);
                    }
                }
                Ok(_) | Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                Err(_) => {
                    self.is_over = true;
                    return;
                }
            }
        }
    }

    fn launch(&mut self, replica: ReplicaId, module: u32, slot: u32, link: OwnedFd) {
        if !std::mem::replace(&mut self.is_counted, true) {
            self.tell_cores(); // some may have joined since
        }
        let transport = self.settings.transports.get(module as usize);
        let link = Link::join(link, transport.copied().unwrap_or_default());
        let added = link.and_then(|link| self.exchange.add_channel(replica, link, None));
        match added {
            Ok(()) => {
                self.waiting.push_back((replica, module, slot));
                self.place_all();
            }
            Err(error) => {
                let errno = error.raw_os_error().unwrap_or(libc::EAGAIN);
                self.report(FAILED, replica, &errno.to_le_bytes());
            }
        }
    }

    fn place_all(&mut self) {
        while let Some(&(replica, module, slot)) = self.waiting.front() {
            let serve =
                |(_, node): &(usize, &Node)| node.stands == Stands::Serves && node.cut.is_none();
            let nodes = self.nodes.iter().enumerate().filter(serve);
            let home = self.processes.home(module, slot);
            let wire = home.or_else(|| place(nodes.map(|(wire, node)| (wire, node.room()))));
            let Some(wire) = wire else {
                return self.give_up_waiting();
            };
            self.waiting.pop_front();
            let is_new = self.processes.come(replica, module, slot, wire);
            self.nodes[wire].replicas += u32::from(is_new);
            let mut body = module.to_le_bytes().to_vec();
            body.extend_from_slice(&slot.to_le_bytes());
            self.exchange.say(wire, Kind::Launch, replica, &body);
            self.exchange.place(replica, wire);
            self.tell_place(replica, wire);
        }
    }

    /// There is no node: if none is on its way either, replicas cannot be had.
    fn give_up_waiting(&mut self) {
        if self.nodes.iter().any(|node| node.stands != Stands::Gone) {
            return;
        }
        while let Some((replica, ..)) = self.waiting.pop_front() {
            self.drop_channel(replica);
            self.report(FAILED, replica, &libc::ENETUNREACH.to_le_bytes());
        }
    }

    fn wire_of(&self, replica: ReplicaId) -> Option<usize> {
        self.exchange.channels.get(&replica)?.wire
    }

    /// A replica's link has ended at the client.
    fn has_closed(&mut self, replica: ReplicaId) {
        if let Some(wire) = self.wire_of(replica) {
            self.exchange.say(wire, Kind::Closed, replica, &[]);
        }
        self.waiting.retain(|(waiting, ..)| *waiting != replica);
        self.drop_channel(replica);
    }

    /// Tells the client.
    fn report(&mut self, kind: u8, replica: ReplicaId, value: &[u8]) {
        let mut message = vec![kind];
        message.extend_from_slice(&replica.to_le_bytes());
        message.extend_from_slice(value);
        let _ = rustix::net::send(&self.settings.control, &message, SendFlags::NOSIGNAL);
    }

    /// Tells the client where a replica is.
    fn tell_place(&self, replica: ReplicaId, wire: usize) {
        let mut message = vec![PLACED];
        message.extend_from_slice(&replica.to_le_bytes());
        message.extend_from_slice(&(wire as u32).to_le_bytes());
        message.extend_from_slice(self.nodes[wire].name.as_bytes());
        let _ = rustix::net::send(&self.settings.control, &message, SendFlags::NOSIGNAL);
    }

    /// Tells the client how many cores there are.
    fn tell_cores(&mut self) {
        let serve = |node: &&Node| node.stands == Stands::Serves;
        let cores = self.nodes.iter().filter(serve).map(|node| node.cores);
        let cores = cores.fold(0, u32::saturating_add);
        self.report(GROWN, 0, &cores.to_le_bytes());
    }

    /// Tells whoever waits for agents.
    fn tell(&self, what: &str, more: &str) {
        let line = format!("{what} {}\n", more.replace('\n', "\\n"));
        let _ = rustix::io::write(&self.settings.status, line.as_bytes());
    }
}
