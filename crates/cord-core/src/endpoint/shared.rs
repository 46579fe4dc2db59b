//! What the threads of a replica share: the socket, and what has come over it.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{EventfdFlags, PollFd, PollFlags};
use rustix::io::Errno;

use super::Incoming;
use crate::inbox::{Filled, Inbox, Message};
use crate::outbox::{Flushed, Outbox};
use crate::payload::{Buffer, Outcome, Payload, World};
use crate::relay;
use crate::wire::{Kind, Malformed};

/// A thread that waits while another one listens looks up this often: signals must reach it.
const SIGNALS: Duration = Duration::from_millis(20);
/// What cannot be sent for lack of room in the system is tried again after so long.
const CONGESTED: Duration = Duration::from_millis(1);
/// The number of no call: an order to load the module.
pub const LOAD: u64 = 0;

#[derive(Debug)]
pub struct Shared {
    pub socket: OwnedFd,
    /// Calls the helper away from the socket.
    wake: OwnedFd,
    state: Mutex<State>,
    /// Wakes the helper from its sleep.
    pub changed: Condvar,
    /// Wakes the threads that wait while another one listens.
    arrived: Condvar,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Helper {
    /// Not made, or could not be.
    Missing,
    /// Sleeps until a call begins.
    Asleep,
    /// Looks on from time to time.
    Watching,
    /// Waits on the socket.
    Serving,
}

/// What comes for a thread that waits for a nested call.
#[derive(Debug)]
pub enum Event {
    /// A call that it is to run meanwhile.
    Call(Incoming),
    /// What came of its own.
    Outcome(Outcome),
}

#[derive(Debug)]
pub struct State {
    inbox: Inbox,
    pub outbox: Outbox,
    /// Calls for the thread that serves.
    pub queue: VecDeque<Incoming>,
    /// The world of what is read next.
    world: World,
    /// By number: what has come for the thread that waits for this nested call.
    pub waits: HashMap<u64, VecDeque<Event>>,
    /// Number of the latest nested call.
    pub last_number: u64,
    /// A thread that has nothing else to do waits on the socket.
    pub listening: bool,
    /// How many threads wait while another one listens.
    followers: usize,
    /// How many messages have come.
    arrivals: u64,
    /// When the running call began, and which it is.
    pub running: Option<(Instant, u64)>,
    /// How many calls have begun, or gone on after a wait.
    pub begun: u64,
    /// Since when a reply waits to be written together with others.
    pub held_since: Option<Instant>,
    pub helper: Helper,
    /// The client is gone, or does not make sense.
    pub gone: bool,
    /// The endpoint is being dropped.
    pub closed: bool,
}

impl Shared {
    pub fn new(socket: OwnedFd) -> io::Result<Shared> {
        let flags = EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK;
        let state = State {
            inbox: Inbox::default(),
            outbox: Outbox::default(),
            queue: VecDeque::new(),
            world: World::default(),
            waits: HashMap::new(),
            last_number: 0,
            listening: false,
            followers: 0,
            arrivals: 0,
            running: None,
            begun: 0,
            held_since: None,
            helper: Helper::Missing,
            gone: false,
            closed: false,
        };
        Ok(Shared {
            socket,
            wake: rustix::event::eventfd(0, flags)?,
            state: Mutex::new(state),
            changed: Condvar::new(),
            arrived: Condvar::new(),
        })
    }

    pub fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn call_away(&self) {
        let _ = rustix::io::write(&self.wake, &1_u64.to_ne_bytes());
    }

    /// The helper waits on the socket and on its call.
    pub fn wake(&self) -> &OwnedFd {
        &self.wake
    }

    pub fn flush(&self, state: &mut State) -> Flushed {
        state.held_since = None;
        let flushed = state.outbox.flush(self.socket.as_fd());
        state.gone |= flushed == Flushed::Gone;
        flushed
    }

    /// Writes all there is, however long the client takes to read it.
    pub fn flush_all<'a>(&'a self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        loop {
            match self.flush(&mut state) {
                Flushed::All | Flushed::Gone => return state,
                Flushed::Full => {
                    drop(state);
                    let _ = wait_for(&mut [PollFd::new(&self.socket, PollFlags::OUT)]);
                }
                Flushed::Congested => {
                    drop(state);
                    std::thread::sleep(CONGESTED);
                }
            }
            state = self.lock();
        }
    }

    /// Waits until something has come, for whichever thread. One thread at a time listens on the
    /// socket; the others wait for it.
    ///
    /// # Errors
    /// `Interrupted` when a signal came meanwhile.
    pub fn listen<'a>(
        &'a self,
        mut state: MutexGuard<'a, State>,
    ) -> io::Result<MutexGuard<'a, State>> {
        if state.listening {
            return self.follow(state);
        }
        state.listening = true;
        let before = state.arrivals;
        self.pump(&mut state);
        let mut heard = Ok(());
        if state.arrivals == before && !state.gone {
            if state.helper == Helper::Serving {
                self.call_away();
            }
            let mut flags = PollFlags::IN;
            flags.set(PollFlags::OUT, !state.outbox.is_empty());
            drop(state);
            heard = wait_for(&mut [PollFd::new(&self.socket, flags)]);
            state = self.lock();
            self.pump(&mut state);
        }
        state.listening = false;
        if state.followers > 0 {
            self.arrived.notify_all(); // one of them listens next
        }
        heard.map(|()| state)
    }

    fn follow<'a>(&'a self, mut state: MutexGuard<'a, State>) -> io::Result<MutexGuard<'a, State>> {
        if !state.outbox.is_empty() {
            return Ok(self.flush_all(state)); // who listens may not look whether it can write
        }
        let before = state.arrivals;
        state.followers += 1;
        let waited = self.arrived.wait_timeout(state, SIGNALS);
        let (mut state, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        state.followers -= 1;
        if timeout.timed_out() && state.arrivals == before {
            return Err(io::ErrorKind::Interrupted.into());
        }
        Ok(state)
    }

    /// Reads what is there and writes what can be written.
    pub fn pump(&self, state: &mut State) {
        let before = state.arrivals;
        while !state.gone {
            match self.read(state) {
                Ok(Filled::Some) => {}
                Ok(Filled::Nothing) => break,
                Ok(Filled::Gone) => state.gone = true,
                Err(malformed) => {
                    complain(&malformed);
                    state.gone = true;
                }
            }
        }
        if !state.outbox.is_empty() {
            self.flush(state);
        }
        if state.followers > 0 && (state.arrivals != before || state.gone) {
            self.arrived.notify_all();
        }
    }

    fn read(&self, state: &mut State) -> Result<Filled, Malformed> {
        let filled = state.inbox.fill(self.socket.as_fd())?;
        while let Some(message) = state.inbox.next()? {
            state.arrivals += 1;
            match message {
                Message::Call(mut item) if item.link == 0 => {
                    item.open()?;
                    let incoming = state.incoming(item.call, item.head, item.buffers);
                    state.queue.push_back(incoming);
                }
                Message::Load(order) => {
                    let incoming = state.incoming(LOAD, order, Vec::new());
                    state.queue.push_back(incoming);
                }
                Message::World(world) => state.world = world.into(),
                Message::Call(mut item) if state.waits.contains_key(&item.link) => {
                    item.open()?;
                    let incoming = state.incoming(item.call, item.head, item.buffers);
                    if let Some(events) = state.waits.get_mut(&item.link) {
                        events.push_back(Event::Call(incoming));
                    }
                }
                Message::Call(item) => state.outbox.ids(Kind::Returned, &[item.call]),
                Message::Reply(mut item) => {
                    item.open()?;
                    if let Some(events) = state.waits.get_mut(&item.call) {
                        events.push_back(Event::Outcome(relay::receive(item)?));
                    }
                }
                Message::Recall(calls) => give_back(state, &calls),
                _ => return Err(Malformed::new("it says what only a replica says")),
            }
        }
        Ok(filled)
    }
}

impl State {
    /// What was just read, in the world that was told last.
    fn incoming(&self, call: u64, head: Vec<u8>, buffers: Vec<Buffer>) -> Incoming {
        Incoming {
            call,
            payload: Payload { head, buffers },
            world: World::clone(&self.world),
        }
    }
}

/// Answers a recall with those of `calls` that have not begun.
fn give_back(state: &mut State, calls: &[u64]) {
    let mut returned = Vec::new();
    for call in calls {
        if let Some(index) = state.queue.iter().rposition(|item| item.call == *call) {
            state.queue.remove(index);
            returned.push(*call);
        }
    }
    state.outbox.ids(Kind::Returned, &returned);
}

pub fn wait_for(sources: &mut [PollFd<'_>]) -> io::Result<()> {
    match rustix::event::poll(sources, None) {
        Ok(_) => Ok(()),
        Err(Errno::INTR) => Err(io::ErrorKind::Interrupted.into()),
        Err(error) => Err(error.into()),
    }
}

/// One line to the user, who may have closed standard error.
fn complain(malformed: &Malformed) {
    use io::Write;
    let pid = std::process::id();
    let text = &malformed.0;
    let _ = writeln!(
        io::stderr(),
        "cord: a frame to the replica with process id {pid} is malformed, its link is closed: {text}"
    );
}
