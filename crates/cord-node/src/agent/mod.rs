//! The agent: has a node's zygote make replicas, and passes on what they and the client say.

mod links;

use std::io;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::process::{kill_process, Pid, Signal};

use self::links::{connect, Door, Way};
use super::contents::{Contents, NodeStore};
use super::exchange::{Exchange, Happened, OWN};
use super::identity::Identity;
use super::key::Key;
use super::packet::Kind;
use super::tunnel::Tunnel;
use super::wire::Packet;
use super::TRY;
use cord_core::engine::local::zygote::{Said, Zygote};
use cord_core::engine::Wanted;
use cord_dispatch::dispatcher::{IdMap, ReplicaId};
use cord_os::descriptor::Descriptor;
use cord_wire::link::Link;
use cord_wire::loss::Beyond;
use cord_wire::resident::RESIDENT_BYTES;
use cord_wire::transport::Transport;
use cord_wire::wire::u32_at;

const ZYGOTE: u64 = OWN;
const STOP: u64 = OWN + 1;
const LASTING: u64 = OWN + 2;
const DOOR: u64 = OWN + 3;
/// The one wire.
const WIRE: usize = 0;

/// Why an agent has nothing to serve any more.
#[derive(Debug, PartialEq, Eq)]
pub enum Ended {
    /// The run is over.
    Finished,
    /// The gateway is gone: why.
    Lost(String),
    /// It was told to stop.
    Stopped,
}

/// How an agent serves.
#[derive(Debug)]
pub struct Serving {
    /// What carries the frames of each module's links.
    pub transports: Vec<Transport>,
    /// How many bytes of content the node keeps.
    pub resident: usize,
    /// For how long it tries to come back when its link is cut.
    pub patience: Duration,
    /// Leads to who has the replicas that outlast this agent, in the words of a zygote.
    pub lasting: Option<OwnedFd>,
    /// By module: its number there, if its replicas are among those.
    pub there: Vec<Option<u32>>,
}

/// A node's.
#[derive(Debug)]
pub struct Agent {
    way: Way,
    id: Identity,
    exchange: Exchange,
    zygote: Option<Zygote>,
    lasting: Option<Zygote>,
    there: Vec<Option<u32>>,
    /// The replicas that outlast it, as long as they have a link here.
    visited: Vec<ReplicaId>,
    stop: Option<OwnedFd>,
    transports: Vec<Transport>,
    pids: IdMap<ReplicaId, u32>,
    ended: Option<Ended>,
    patience: Duration,
    /// Until when a gateway that connects is waited for, and why its link was cut.
    cut: Option<(Instant, String)>,
}

impl Agent {
    /// One that connects to an address.
    ///
    /// # Errors
    /// When nobody listens there.
    pub fn connect(address: &str, key: Key) -> io::Result<Agent> {
        let tunnel = connect(address, &key)?;
        Agent::over(
            tunnel,
            Way::Address(address.to_owned(), key),
            Identity::new()?,
        )
    }

    /// One whose gateway has connected to it. It says its name at the door, which brings the sockets
    /// of those who come by that name later.
    ///
    /// # Errors
    /// When the connection cannot be used.
    pub fn accepted(socket: OwnedFd, key: Key, door: OwnedFd) -> io::Result<Agent> {
        let id = Identity::new()?;
        let tunnel = Tunnel::accepted(socket, &key)?;
        Agent::over(tunnel, Way::Door(Door::opened(door, &id)?, key), id)
    }

    /// One whose gateway is at the other ends of these.
    ///
    /// # Errors
    /// When they cannot be used.
    pub fn behind(reader: OwnedFd, writer: OwnedFd) -> io::Result<Agent> {
        let tunnel = Tunnel::plain(reader, writer)?;
        Agent::over(tunnel, Way::Pipes, Identity::new()?)
    }

    fn over(tunnel: Tunnel, way: Way, id: Identity) -> io::Result<Agent> {
        let mut exchange = Exchange::new(Some(NodeStore::new(RESIDENT_BYTES)))?;
        exchange.add_wire(tunnel, Contents::new(0))?;
        let mut agent = Agent {
            way,
            id,
            exchange,
            zygote: None,
            lasting: None,
            there: Vec::new(),
            visited: Vec::new(),
            stop: None,
            transports: Vec::new(),
            pids: IdMap::default(),
            ended: None,
            patience: Duration::ZERO,
            cut: None,
        };
        if let Some(wire) = agent.exchange.wire(WIRE) {
            wire.greet(Kind::Hello, &id.hello(0));
        }
        Ok(agent)
    }

    /// Waits until the gateway says what is to be served.
    ///
    /// # Errors
    /// When it does not, or is not the one that holds the key.
    pub fn welcome(&mut self, longest: Duration) -> io::Result<Vec<u8>> {
        self.hear_only(Kind::Welcome, longest)
    }

    /// Has the gateway send the program's code.
    ///
    /// # Errors
    /// When it does not, or no piece of it comes for so long.
    pub fn fetch_code(&mut self, size: usize, longest: Duration) -> io::Result<Vec<u8>> {
        let mut code = Vec::new();
        while code.len() < size {
            let from = code.len() as u64;
            self.exchange.say(WIRE, Kind::Lacks, 0, &from.to_le_bytes());
            let piece = self.hear_only(Kind::Code, longest)?;
            if piece.is_empty() {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            code.extend_from_slice(&piece);
        }
        Ok(code)
    }

    /// Waits for a packet of this kind, where no other is to come.
    fn hear_only(&mut self, kind: Kind, longest: Duration) -> io::Result<Vec<u8>> {
        let until = Instant::now() + longest;
        let mut asks_for_another = false;
        while Instant::now() < until {
            for happened in self.exchange.turn()? {
                match happened {
                    Happened::Said(WIRE, packet) if packet.kind == kind => {
                        return Ok(packet.body);
                    }
                    Happened::Said(WIRE, packet) if packet.kind == Kind::Hello => {
                        asks_for_another = true; // by this agent's own greeting it hears that
                    }
                    Happened::Cut(..) if asks_for_another => {
                        let why = "it asks for an agent that has ended";
                        return Err(io::Error::other(why));
                    }
                    Happened::Cut(_, why) => return Err(io::Error::other(why)),
                    _ => {}
                }
            }
        }
        Err(io::ErrorKind::TimedOut.into())
    }

    /// Tells the gateway that this node cannot serve, or not any longer, and why.
    ///
    /// # Errors
    /// When it cannot be told.
    pub fn refuse(&mut self, why: &str) -> io::Result<()> {
        if self.exchange.is_cut(WIRE) {
            return Ok(()); // there is nobody
        }
        self.exchange.say(WIRE, Kind::Refused, 0, why.as_bytes());
        let until = Instant::now() + TRY;
        while Instant::now() < until {
            let happened = self.exchange.turn()?;
            if happened.iter().any(|one| matches!(one, Happened::Cut(..))) {
                break; // it has heard it
            }
        }
        Ok(())
    }

    /// Serves, with the zygote behind this socket, until the run is over or the gateway gone.
    ///
    /// # Errors
    /// When the system fails it.
    pub fn serve(
        &mut self,
        zygote: OwnedFd,
        stop: OwnedFd,
        facts: &str,
        serving: Serving,
    ) -> io::Result<Ended> {
        let zygote = Zygote::new(Descriptor::new(zygote));
        self.exchange.epoll.add(zygote.socket().get()?, ZYGOTE)?;
        self.exchange.epoll.add(&stop, STOP)?;
        if let Some(lasting) = serving.lasting {
            let lasting = Zygote::new(Descriptor::new(lasting));
            self.exchange.epoll.add(lasting.socket().get()?, LASTING)?;
            self.lasting = Some(lasting);
        }
        if let Way::Door(door, _) = &self.way {
            self.exchange.epoll.add(&door.socket, DOOR)?;
        }
        self.there = serving.there;
        (self.zygote, self.stop) = (Some(zygote), Some(stop));
        self.transports = serving.transports;
        self.patience = serving.patience;
        self.exchange.known.store = Some(NodeStore::new(serving.resident));
        self.exchange.say(WIRE, Kind::Joined, 0, facts.as_bytes());
        loop {
            for happened in self.exchange.turn()? {
                match happened {
                    Happened::Said(WIRE, packet) => self.hear(&packet),
                    Happened::Said(stranger, packet) => self.hear_stranger(stranger, &packet),
                    Happened::Ended(replica) => {
                        self.exchange.say(WIRE, Kind::Closed, replica, &[]);
                        self.exchange.drop_channel(replica);
                    }
                    Happened::Cut(WIRE, why) if self.exchange.is_cut(WIRE) => self.come_back(why),
                    Happened::Cut(WIRE, _) => {} // the gateway has come before this was heard
                    Happened::Cut(stranger, _) => self.exchange.drop_wire(stranger),
                    Happened::Own(ZYGOTE) => self.hear_zygote(),
                    Happened::Own(LASTING) => self.hear_of_lasting(),
                    Happened::Own(DOOR) => self.answer_door(),
                    Happened::Own(_) => self.ended = Some(Ended::Stopped),
                }
            }
            for zygote in [&mut self.zygote, &mut self.lasting].into_iter().flatten() {
                zygote.flush();
            }
            self.look_whether_it_is_late();
            if let Some(ended) = self.ended.take() {
                if ended == Ended::Stopped {
                    self.refuse(self.why_stopped())?;
                }
                self.exchange.drop_channels(); // replicas that keep state come to their end
                return Ok(ended);
            }
        }
    }

    /// What the gateway says.
    fn hear(&mut self, packet: &Packet) {
        let Packet {
            kind,
            replica,
            body,
        } = packet;
        match (kind, body.len()) {
            (Kind::Launch, 8) => self.launch(*replica, u32_at(body, 0), u32_at(body, 4)),
            (Kind::End | Kind::Closed, 0) if self.visited.contains(replica) => {
                self.leave(*replica, 0);
            }
            (Kind::End, 0) => {
                let pid = self
                    .pids
                    .get(replica)
                    .and_then(|pid| i32::try_from(*pid).ok());
                if let Some(pid) = pid.filter(|pid| *pid > 1).and_then(Pid::from_raw) {
                    let _ = kill_process(pid, Signal::KILL);
                }
            }
            (Kind::Closed, 0) => self.exchange.drop_channel(*replica),
            (Kind::Finish, 0) => self.ended = Some(Ended::Finished),
            _ => {
                let why = "the gateway said what gateways do not say";
                self.ended = Some(Ended::Lost(why.to_owned()));
            }
        }
    }

    fn launch(&mut self, replica: ReplicaId, module: u32, slot: u32) {
        let transport = self.transports.get(module as usize).copied();
        let transport = transport.unwrap_or_default();
        let made = transport.pair().and_then(|(ours, theirs)| {
            let link = Link::offer(ours, transport)?;
            self.exchange.add_channel(replica, link, Some(WIRE))?;
            Ok(theirs)
        });
        let there = self.there.get(module as usize).copied().flatten();
        let zygote = match there {
            Some(_) => &mut self.lasting,
            None => &mut self.zygote,
        };
        match (made, zygote) {
            (Ok(theirs), Some(zygote)) => {
                if there.is_some() {
                    self.visited.push(replica);
                }
                let wanted = Wanted {
                    module: there.unwrap_or(module),
                    replica,
                    slot,
                    transport,
                };
                zygote.launch(wanted, Descriptor::new(theirs));
            }
            (made, _) => {
                let errno = made.err().and_then(|error| error.raw_os_error());
                let errno = errno.unwrap_or(libc::EAGAIN).to_le_bytes();
                self.exchange.say(WIRE, Kind::Failed, replica, &errno);
            }
        }
    }

    fn hear_zygote(&mut self) {
        while let Some(said) = self.zygote.as_mut().and_then(Zygote::receive) {
            match said {
                Said::Started(replica, pid) => {
                    self.pids.insert(replica, pid);
                    let pid = pid.to_le_bytes();
                    self.exchange.say(WIRE, Kind::Started, replica, &pid);
                }
                Said::Exited(replica, status) => {
                    self.pids.remove(&replica);
                    let status = status.to_le_bytes();
                    self.exchange.say(WIRE, Kind::Exited, replica, &status);
                }
                Said::Beyond(replica, beyond) => self.say_beyond(replica, beyond),
                Said::Failed(replica, errno) => {
                    let errno = errno.to_le_bytes();
                    self.exchange.say(WIRE, Kind::Failed, replica, &errno);
                }
                Said::Lost(_) | Said::Placed(..) | Said::Away(..) | Said::Grown(_) => {}
                Said::Gone => {
                    self.ended = Some(Ended::Lost("its zygote is gone".to_owned()));
                    return;
                }
            }
        }
    }

    fn hear_of_lasting(&mut self) {
        while let Some(said) = self.lasting.as_mut().and_then(Zygote::receive) {
            match said {
                Said::Started(replica, pid) => {
                    let pid = pid.to_le_bytes();
                    self.exchange.say(WIRE, Kind::Started, replica, &pid);
                }
                Said::Exited(replica, status) if self.visited.contains(&replica) => {
                    self.leave(replica, status);
                }
                Said::Beyond(replica, beyond) if self.visited.contains(&replica) => {
                    self.say_beyond(replica, beyond);
                }
                Said::Failed(replica, errno) => {
                    self.visited.retain(|visited| *visited != replica);
                    let errno = errno.to_le_bytes();
                    self.exchange.say(WIRE, Kind::Failed, replica, &errno);
                }
                Said::Exited(..)
                | Said::Beyond(..)
                | Said::Lost(_)
                | Said::Placed(..)
                | Said::Away(..)
                | Said::Grown(_) => {}
                Said::Gone => {
                    self.ended = Some(Ended::Stopped);
                    return;
                }
            }
        }
    }

    /// A replica is ended for its memory.
    fn say_beyond(&mut self, replica: ReplicaId, Beyond { peak, limit }: Beyond) {
        let body = [peak.to_le_bytes(), limit.to_le_bytes()].concat();
        self.exchange.say(WIRE, Kind::Beyond, replica, &body);
    }

    /// A replica that outlasts this agent has no link here any more: to the client it has ended.
    fn leave(&mut self, replica: ReplicaId, status: i32) {
        self.visited.retain(|visited| *visited != replica);
        self.exchange.drop_channel(replica);
        self.exchange.say(WIRE, Kind::Closed, replica, &[]);
        self.exchange
            .say(WIRE, Kind::Exited, replica, &status.to_le_bytes());
    }
}
