//! The thread that feeds the replicas: a thin loop around the dispatcher. It never takes Python's
//! lock, and never blocks but in waiting for something to do.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use rustix::event::Timespec;
use rustix::io::Errno;
use rustix::net::{socketpair, AddressFamily, SocketFlags, SocketType};
use rustix::process::{kill_process, Pid, Signal};

use crate::control::{Control, Report};
use crate::dispatcher::{Action, CallId, Dispatcher, IdMap, Loss, Nanos, ReplicaId};
use crate::fds::OpenFds;
use crate::inbox::{Filled, Item, Message};
use crate::life::Delivery;
use crate::link::Link;
use crate::mailbox::{Command, Load, Mailbox};
use crate::outbox::Flushed;
use crate::payload::{ModuleSpec, Outcome};
use crate::peer::Peer;
use crate::ticket::Held;
use crate::wire::{Kind, Malformed};

/// Events of the mailbox; replicas have their own number, which fits 32 bits.
const MAILBOX: u64 = 1 << 32;
/// Events of the control socket.
const CONTROL: u64 = 2 << 32;
/// What cannot be sent for lack of room in the system is tried again after so long.
const CONGESTED: Duration = Duration::from_millis(1);

/// Everything that the dispatcher's thread owns.
#[derive(Debug)]
pub struct Engine {
    mailbox: Arc<Mailbox>,
    fds: Arc<OpenFds>,
    free_places: Vec<usize>,
    epoll: OwnedFd,
    control: Control,
    control_wants_out: bool,
    modules: Vec<ModuleSpec>,
    unavailable: Vec<Option<Vec<u8>>>,
    /// By module: how replicas load it, once they may.
    loads: Vec<Option<Load>>,
    dispatcher: Dispatcher,
    held: IdMap<CallId, Held>,
    peers: IdMap<ReplicaId, Peer>,
    dirty: Vec<ReplicaId>,
    congested: bool,
    started: Instant,
}

impl Engine {
    /// Descriptors besides one for each replica: epoll, mailbox, control socket.
    pub const OWN_FDS: usize = 3;

    /// An engine that is ready to run.
    pub fn new(
        modules: Vec<ModuleSpec>,
        control: OwnedFd,
        mailbox: Arc<Mailbox>,
        fds: Arc<OpenFds>,
    ) -> io::Result<Engine> {
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        let control = Control::new(control);
        add(&epoll, mailbox.descriptor(), MAILBOX)?;
        add(&epoll, control.socket(), CONTROL)?;
        fds.note(0, epoll.as_raw_fd());
        fds.note(1, mailbox.descriptor().as_raw_fd());
        fds.note(2, control.socket().as_raw_fd());
        let replicas: usize = modules.iter().map(|module| module.replicas as usize).sum();
        Ok(Engine {
            mailbox,
            fds,
            free_places: (Engine::OWN_FDS..Engine::OWN_FDS + replicas).collect(),
            epoll,
            control,
            control_wants_out: false,
            unavailable: vec![None; modules.len()],
            loads: modules.iter().map(|_| None).collect(),
            dispatcher: Dispatcher::new(modules.iter().map(|module| module.replicas)),
            modules,
            held: IdMap::default(),
            peers: IdMap::default(),
            dirty: Vec::new(),
            congested: false,
            started: Instant::now(),
        })
    }

    /// Runs until the mailbox is closed.
    pub fn run(mut self) {
        let mut commands = Vec::new();
        let mut actions = Vec::new();
        let mut events = Vec::with_capacity(64);
        while self.mailbox.collect(&mut commands) {
            for command in commands.drain(..) {
                self.obey(command);
            }
            let now = self.now();
            self.dispatcher.decide(now, &mut actions);
            for action in actions.drain(..) {
                self.perform(action);
            }
            self.flush();
            self.sleep(&mut events);
            for event in events.drain(..) {
                self.handle(event);
            }
        }
        self.shut_down();
    }

    fn now(&self) -> Nanos {
        u64::try_from(self.started.elapsed().as_nanos()).unwrap_or(Nanos::MAX)
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Issue(held) => {
                self.dispatcher
                    .issued(held.id(), held.module(), held.is_pure());
                self.held.insert(held.id(), held);
            }
            Command::Demand { call, .. } => self.dispatcher.demanded(call),
            Command::Drop(call) => self.dispatcher.dropped(call),
            Command::Load { module, load } => self.load(module, load),
        }
    }

    /// Tells all replicas of a module, and those to come, to load it.
    fn load(&mut self, module: u32, load: Load) {
        self.dispatcher.loading(self.now(), module);
        self.unavailable[module as usize] = None;
        for (replica, peer) in &mut self.peers {
            if peer.module == module {
                peer.load(&load);
                if !std::mem::replace(&mut peer.dirty, true) {
                    self.dirty.push(*replica);
                }
            }
        }
        self.loads[module as usize] = Some(load);
    }

    fn perform(&mut self, action: Action) {
        match action {
            Action::Launch { module, replica } => self.launch(module, replica),
            Action::Send { replica, calls } => self.send(replica, &calls),
            Action::Recall { replica, calls } => {
                if let Some(peer) = self.peers.get_mut(&replica) {
                    peer.link.outbox.ids(Kind::Recall, &calls);
                    self.soil(replica);
                }
            }
            Action::Kill { pid } => kill(pid),
            Action::Close { replica } => self.close(replica),
            Action::Lose { call, loss } => self.settle(call, lost(loss)),
            Action::Refuse { call, module } => {
                let head = self.unavailable[module as usize]
                    .clone()
                    .unwrap_or_default();
                self.settle(call, Outcome::Unavailable { head });
            }
            Action::Forget { call } => drop(self.held.remove(&call)),
        }
    }

    fn settle(&mut self, call: CallId, outcome: Outcome) {
        if let Some(held) = self.held.remove(&call) {
            held.settle(outcome);
        }
    }

    /// Makes a link and asks for a replica at its other end. A failure counts as one that died.
    fn launch(&mut self, module: u32, replica: ReplicaId) {
        let made = socketpair(
            AddressFamily::UNIX,
            SocketType::STREAM,
            SocketFlags::CLOEXEC,
            None,
        );
        let (Ok((ours, theirs)), Some(place)) = (made, self.free_places.pop()) else {
            let now = self.now();
            self.dispatcher.link_closed(now, replica);
            self.dispatcher.exited(now, replica, None);
            return;
        };
        self.fds.note(place, ours.as_raw_fd());
        let link = Link::new(ours);
        // Without room for it in epoll the replica would never be heard: it ends by its link.
        let ended = add(&self.epoll, link.socket(), u64::from(replica)).is_err();
        let mut peer = Peer::new(link, module, place, ended);
        if let Some(load) = &self.loads[module as usize] {
            peer.load(load);
        }
        self.peers.insert(replica, peer);
        self.soil(replica);
        if ended {
            let now = self.now();
            self.dispatcher.link_closed(now, replica);
            self.dispatcher.exited(now, replica, None);
        } else {
            self.control.launch(module, replica, theirs);
        }
    }

    fn send(&mut self, replica: ReplicaId, calls: &[CallId]) {
        let Some(peer) = self.peers.get_mut(&replica) else {
            return;
        };
        for held in calls.iter().filter_map(|call| self.held.get(call)) {
            peer.send(held);
        }
        self.soil(replica);
    }

    fn close(&mut self, replica: ReplicaId) {
        if let Some(peer) = self.peers.remove(&replica) {
            self.fds.forget(peer.place);
            self.free_places.push(peer.place);
        }
    }

    fn soil(&mut self, replica: ReplicaId) {
        if let Some(peer) = self.peers.get_mut(&replica) {
            if !peer.dirty {
                peer.dirty = true;
                self.dirty.push(replica);
            }
        }
    }

    /// Writes whatever was added since the last time.
    fn flush(&mut self) {
        self.congested = false;
        for replica in std::mem::take(&mut self.dirty) {
            self.flush_one(replica);
        }
        let wants_out = self.control.flush();
        if wants_out != self.control_wants_out {
            self.control_wants_out = wants_out;
            watch(&self.epoll, self.control.socket(), CONTROL, wants_out);
        }
    }

    fn flush_one(&mut self, replica: ReplicaId) {
        let Some(peer) = self.peers.get_mut(&replica) else {
            return;
        };
        peer.dirty = false;
        if peer.ended {
            return;
        }
        let flushed = peer.link.flush();
        let wants_out = flushed == Flushed::Full;
        if wants_out != peer.wants_out {
            peer.wants_out = wants_out;
            watch(
                &self.epoll,
                peer.link.socket(),
                u64::from(replica),
                wants_out,
            );
        }
        if flushed == Flushed::Congested {
            self.congested = true;
            self.soil(replica);
        }
        // `Gone` needs nothing: what the replica still said is read first, then its end.
    }

    /// Waits for events, or until the dispatcher's timer.
    fn sleep(&mut self, events: &mut Vec<epoll::Event>) {
        for (module, heed) in self.dispatcher.heeds().enumerate() {
            self.mailbox.set_heed(module, heed);
        }
        let timeout = if self.mailbox.may_sleep() {
            self.timeout()
        } else {
            Some(Duration::ZERO)
        };
        let timeout = timeout.map(|time| Timespec {
            tv_sec: i64::try_from(time.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: i64::from(time.subsec_nanos()),
        });
        let spare = rustix::buffer::spare_capacity(events);
        match epoll::wait(&self.epoll, spare, timeout.as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => panic!("cannot wait for replicas: {error}"),
        }
        self.mailbox.awake();
    }

    fn timeout(&self) -> Option<Duration> {
        let timer = self
            .dispatcher
            .timer()
            .map(|time| Duration::from_nanos(time.saturating_sub(self.now())));
        if self.congested {
            return Some(timer.map_or(CONGESTED, |time| time.min(CONGESTED)));
        }
        timer
    }

    fn handle(&mut self, event: epoll::Event) {
        let (data, flags) = (event.data, event.flags);
        match data.u64() {
            MAILBOX => self.mailbox.clear_wake(),
            CONTROL => self.read_control(),
            replica => {
                let Ok(replica) = u32::try_from(replica) else {
                    return;
                };
                if flags.contains(EventFlags::OUT) {
                    self.soil(replica);
                }
                if flags.intersects(EventFlags::IN | EventFlags::HUP | EventFlags::ERR) {
                    self.read(replica);
                }
            }
        }
    }

    fn read_control(&mut self) {
        while let Some(report) = self.control.receive() {
            let now = self.now();
            match report {
                Report::Started(replica, pid) => self.dispatcher.started(replica, pid),
                Report::Exited(replica, status) => {
                    self.dispatcher.exited(now, replica, Some(status));
                }
                Report::Gone => {
                    let _ = epoll::delete(&self.epoll, self.control.socket());
                    return self.dispatcher.engine_gone();
                }
            }
        }
    }

    fn read(&mut self, replica: ReplicaId) {
        let Some(mut peer) = self.peers.remove(&replica) else {
            return;
        };
        if !peer.ended {
            match self.read_peer(replica, &mut peer) {
                Ok(Filled::Gone) => self.end_link(replica, &mut peer),
                Ok(_) => {}
                Err(malformed) => {
                    let name = &self.modules[peer.module as usize].name;
                    complain(&format!(
                        "a frame from replica {replica} of module {name} is malformed, its link \
                         is closed: {}",
                        malformed.0
                    ));
                    self.end_link(replica, &mut peer);
                }
            }
        }
        self.peers.insert(replica, peer);
    }

    fn read_peer(&mut self, replica: ReplicaId, peer: &mut Peer) -> Result<Filled, Malformed> {
        let filled = peer.link.fill()?;
        while let Some(message) = peer.link.inbox.next()? {
            self.hear(replica, peer, message)?;
        }
        Ok(filled)
    }

    fn end_link(&mut self, replica: ReplicaId, peer: &mut Peer) {
        peer.ended = true;
        let _ = epoll::delete(&self.epoll, peer.link.socket());
        let now = self.now();
        self.dispatcher.link_closed(now, replica);
    }

    fn hear(
        &mut self,
        replica: ReplicaId,
        peer: &mut Peer,
        message: Message,
    ) -> Result<(), Malformed> {
        match message {
            Message::Ready(pid) => {
                if peer.has_loaded() {
                    self.dispatcher.ready(self.now(), replica, pid);
                }
            }
            Message::InitFailed(head) => {
                if !peer.has_loaded() {
                    return Ok(());
                }
                if let Some(module) = self.dispatcher.init_failed(replica) {
                    self.unavailable[module as usize].get_or_insert(head);
                }
            }
            Message::Reply(item) => self.deliver(replica, item)?,
            Message::Returned(calls) => {
                self.dispatcher
                    .returned(replica, &calls)
                    .map_err(|call| foreign(call.0))?;
            }
            Message::Call(_) | Message::Recall(_) | Message::World(_) | Message::Load(_) => {
                return Err(Malformed::new("it says what only the client says"));
            }
        }
        Ok(())
    }

    fn deliver(&mut self, replica: ReplicaId, item: Item) -> Result<(), Malformed> {
        let delivery = self
            .dispatcher
            .replied(replica, item.call, item.service)
            .map_err(|call| foreign(call.0))?;
        let Some(held) = self.held.remove(&item.call) else {
            return Ok(());
        };
        if delivery == Delivery::Deliver {
            let kind = u8::try_from(item.tag).unwrap_or(u8::MAX);
            let Item {
                head,
                buffers,
                output,
                ..
            } = item;
            held.settle(Outcome::Reply {
                kind,
                head,
                buffers,
                output,
            });
        }
        Ok(())
    }

    /// Ends everything at once. Whoever holds the other ends sees their end.
    fn shut_down(&mut self) {
        self.control.shut_down();
        for peer in self.peers.values() {
            let _ = rustix::net::shutdown(peer.link.socket(), rustix::net::Shutdown::Both);
        }
    }
}

impl Drop for Engine {
    /// However the thread ends, nobody waits for it: calls held and posted are settled as closed.
    fn drop(&mut self) {
        self.mailbox.close();
        let mut posted = Vec::new();
        self.mailbox.collect(&mut posted);
        for place in 0..Engine::OWN_FDS + self.peers.len() + self.free_places.len() {
            self.fds.forget(place);
        }
    }
}

fn add(epoll: &OwnedFd, source: BorrowedFd<'_>, data: u64) -> Result<(), Errno> {
    epoll::add(epoll, source, EventData::new_u64(data), EventFlags::IN)
}

fn watch(epoll: &OwnedFd, source: BorrowedFd<'_>, data: u64, wants_out: bool) {
    let mut flags = EventFlags::IN;
    flags.set(EventFlags::OUT, wants_out);
    let _ = epoll::modify(epoll, source, EventData::new_u64(data), flags);
}

fn kill(pid: u32) {
    let pid = i32::try_from(pid)
        .ok()
        .filter(|pid| *pid > 1)
        .and_then(Pid::from_raw);
    if let Some(pid) = pid {
        let _ = kill_process(pid, Signal::KILL);
    }
}

fn lost(loss: Loss) -> Outcome {
    let Loss {
        pid,
        status,
        tries,
        may_have_run,
    } = loss;
    Outcome::Lost {
        replica_pid: pid,
        status,
        tries,
        may_have_run,
    }
}

fn foreign(call: CallId) -> Malformed {
    Malformed(format!("it speaks of call {call}, which is not there"))
}

/// One line to the user. Standard error may be closed; then nobody can be told.
fn complain(line: &str) {
    use io::Write;
    let _ = writeln!(io::stderr(), "cord: {line}");
}
