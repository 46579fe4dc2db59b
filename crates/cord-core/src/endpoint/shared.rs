//! What the threads of a replica share: the socket, and what has come over it.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::io::Errno;

use super::contents::Contents;
use super::interrupts::{Interrupts, Knock, Wait};
use super::memory::Memory;
use super::peers::Peers;
use super::queue::Queue;
use super::values::Values;
use super::Incoming;
use crate::trace::Times;
use cord_os::complaint::complain;
use cord_os::descriptor::Descriptor;
use cord_os::self_pipe::SelfPipe;
use cord_os::spin::Spin;
use cord_os::threads::CoreWaits;
use cord_wire::inbox::Filled;
use cord_wire::link::Link;
use cord_wire::message::Message;
use cord_wire::outbox::Flushed;
use cord_wire::outcome::Outcome;
use cord_wire::payload::{Payload, World};
use cord_wire::relay;
use cord_wire::resident::Most;
use cord_wire::transport::Transport;
use cord_wire::wire::{Kind, Malformed, Turn};

/// A thread that waits while another one listens looks up this often: signals must reach it. One that
/// listens looks up once after so long: a signal may have come before it slept.
const SIGNALS: Duration = Duration::from_millis(20);
/// What cannot be sent for lack of room in the system is tried again after so long.
const CONGESTED: Duration = Duration::from_millis(1);
/// The number of no call: an order to load the module.
pub const LOAD: u64 = 0;

#[derive(Debug)]
pub struct Shared {
    pub socket: Arc<Descriptor>,
    /// Calls the helper away from the socket.
    wake: SelfPipe,
    state: Mutex<State>,
    /// Wakes the helper from its sleep.
    pub changed: Condvar,
    /// Wakes the threads that wait while another one listens.
    arrived: Condvar,
    /// Whether there are interrupts.
    pub interrupted: AtomicBool,
    pub knock: OnceLock<Knock>,
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
    Outcome(Outcome, Duration),
    /// The exception that it sent has been raised.
    Noticed,
}

/// Calls that were served together and are answered one after the other.
#[derive(Debug, Default)]
pub struct Together {
    /// What each has taken.
    pub share: Duration,
    /// How many are not answered yet.
    pub left: u32,
}

impl Together {
    /// What the next of them has taken; none if there is none.
    pub fn take_share(&mut self, is_inner: bool) -> Option<Duration> {
        if is_inner {
            return None;
        }
        self.left = self.left.checked_sub(1)?;
        Some(self.share)
    }
}
#[derive(Debug)]
pub struct State {
    pub link: Link,
    /// What carries its frames.
    pub transport: Transport,
    spin: Spin,
    /// Other threads of the process serve, too: they want the core that looking out would take.
    pub is_crowded: bool,
    /// How many threads wait on the socket: the one that listens, and the helper.
    sleepers: usize,
    /// Calls for the thread that serves.
    pub queue: Queue,
    /// The world of what is read next.
    world: World,
    /// The one that was said last to the client, to which a call has changed its own.
    pub said: Option<Vec<u8>>,
    /// Links to other replicas.
    pub peers: Peers,
    /// The content that is kept here.
    pub contents: Contents,
    /// Calls that have come and lack content, of which the client is still to be told.
    pub lacking: Vec<u64>,
    /// Values of calls, for other calls.
    pub values: Values,
    /// By number: who waits for nested calls.
    pub waits: HashMap<u64, Wait>,
    /// Number of the latest nested call.
    pub last_number: u64,
    /// What is to be raised in the midst of calls that have begun.
    pub interrupts: Interrupts,
    /// A thread that has nothing else to do waits on the socket.
    pub listening: bool,
    /// Who listens has looked up since something came.
    looked_up: bool,
    /// How many threads wait while another one listens.
    followers: usize,
    /// How many messages have come.
    pub arrivals: u64,
    /// When the running call began, and which it is.
    pub running: Option<(Instant, u64)>,
    /// Which calls may be served together with that, in which world.
    pub running_group: (u32, World),
    /// Calls that were served together.
    pub together: Together,
    /// What the tag of the next reply says besides.
    pub note: u32,
    /// How much memory is too much.
    pub memory: Memory,
    /// How many calls have begun, or gone on after a wait.
    pub begun: u64,
    /// How long the thread that runs the calls waits for a core.
    pub core_waits: CoreWaits,
    /// When the socket was last looked at while calls waited.
    pub looked: Instant,
    /// When calls have run.
    pub times: Times,
    /// Since when a reply waits to be written together with others.
    pub held_since: Option<Instant>,
    pub helper: Helper,
    /// The client is gone, or does not make sense.
    pub gone: bool,
    /// The endpoint is being dropped.
    pub closed: bool,
}

impl Shared {
    pub fn new(link: Link, resident: Most, transport: Transport) -> io::Result<Shared> {
        let socket = Arc::clone(link.socket());
        let mut core_waits = CoreWaits::default();
        core_waits.since(); // that was the start
        let state = State {
            link,
            transport,
            spin: Spin::default(),
            is_crowded: false,
            sleepers: 0,
            queue: Queue::default(),
            world: World::default(),
            said: None,
            peers: Peers::new(),
            contents: Contents::new(resident),
            lacking: Vec::new(),
            values: Values::default(),
            waits: HashMap::new(),
            last_number: 0,
            interrupts: Interrupts::default(),
            listening: false,
            looked_up: false,
            followers: 0,
            arrivals: 0,
            running: None,
            running_group: (0, World::default()),
            together: Together::default(),
            note: 0,
            memory: Memory::default(),
            begun: 0,
            core_waits,
            looked: Instant::now(),
            times: Times::default(),
            held_since: None,
            helper: Helper::Missing,
            gone: false,
            closed: false,
        };
        Ok(Shared {
            socket,
            wake: SelfPipe::new()?,
            state: Mutex::new(state),
            changed: Condvar::new(),
            arrived: Condvar::new(),
            interrupted: AtomicBool::new(false),
            knock: OnceLock::new(),
        })
    }

    pub fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn call_away(&self) {
        self.wake.wake();
    }

    /// The helper waits on the socket and on its call.
    pub fn wake(&self) -> &SelfPipe {
        &self.wake
    }

    pub fn flush(&self, state: &mut State) -> Flushed {
        state.held_since = None;
        if let Some(times) = state.times.told() {
            state.link.outbox.ids(Kind::Ran, &times);
        }
        let flushed = state.link.flush();
        state.gone |= flushed.is_end();
        flushed
    }

    /// Writes all there is, however long the client takes to read it.
    pub fn flush_all<'a>(&'a self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        loop {
            match self.flush(&mut state) {
                Flushed::All | Flushed::Gone | Flushed::CutOff => return state,
                Flushed::Full => {
                    drop(state);
                    if let Ok(socket) = self.socket.get() {
                        let socket = PollFd::from_borrowed_fd(socket, PollFlags::OUT);
                        let _ = wait_for(&mut [socket], None);
                    }
                }
                Flushed::Congested | Flushed::Crowded => {
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
            let patience = (!state.looked_up).then_some(SIGNALS);
            if patience.is_some() && !state.is_crowded {
                state = self.look_out(state);
            }
            if state.arrivals == before {
                (state, heard) = self.sleep(state, None, patience);
                self.pump(&mut state);
            }
        }
        state.looked_up = state.arrivals == before;
        state.listening = false;
        if state.followers > 0 {
            self.arrived.notify_all(); // one of them listens next
        }
        heard.map(|()| state)
    }

    /// Looks for a moment whether something comes.
    fn look_out<'a>(&'a self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        let Some(glance) = state.link.glance() else {
            return state;
        };
        let mut spin = std::mem::take(&mut state.spin);
        drop(state);
        spin.until(|| glance.has_some());
        let mut state = self.lock();
        state.spin = spin;
        state
    }

    /// Waits until something comes, unless it is there, or the helper is called away, or the time
    /// is over: that counts as a signal.
    pub fn sleep<'a>(
        &'a self,
        mut state: MutexGuard<'a, State>,
        helpers: Option<&SelfPipe>,
        longest: Option<Duration>,
    ) -> (MutexGuard<'a, State>, io::Result<()>) {
        if !state.link.sleeps() {
            return (state, Ok(()));
        }
        let called = helpers.map(SelfPipe::reader).transpose();
        let (Ok(socket), Ok(called)) = (self.socket.get(), called) else {
            state.gone = true;
            return (state, Ok(()));
        };
        state.sleepers += 1;
        let peers = state.peer_sockets();
        let mut flags = PollFlags::IN;
        flags.set(PollFlags::OUT, state.wants_out());
        drop(state);
        let mut sources = vec![PollFd::from_borrowed_fd(socket, flags)];
        sources.extend(called.map(|call| PollFd::from_borrowed_fd(call, PollFlags::IN)));
        sources.extend(peers.iter().filter_map(|(socket, flags)| {
            let socket = socket.get().ok()?;
            Some(PollFd::from_borrowed_fd(socket, *flags))
        }));
        let heard = wait_for(&mut sources, longest);
        let rang = !sources[0].revents().is_empty();
        let called = helpers.is_some() && !sources[1].revents().is_empty();
        if let Some(call) = helpers.filter(|_| called) {
            call.clear();
        }
        let mut state = self.lock();
        state.sleepers -= 1;
        if state.sleepers == 0 {
            state.link.is_awake();
        }
        // Whoever listens is to see the bell; to the helper it is meant only while nobody does.
        if rang && (helpers.is_none() || !state.listening) {
            if let Err(malformed) = state.link.hear() {
                complain_of(&malformed);
                state.gone = true;
            }
        }
        (state, heard)
    }

    fn follow<'a>(&'a self, mut state: MutexGuard<'a, State>) -> io::Result<MutexGuard<'a, State>> {
        if !state.link.outbox.is_empty() {
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
        self.take_all(state);
        if !state.link.outbox.is_empty() {
            self.flush(state);
        }
    }

    /// Reads what is there, and answers it; replies that gather go on doing so.
    pub fn hear(&self, state: &mut State) {
        let before = state.link.outbox.waiting();
        self.take_all(state);
        if state.link.outbox.waiting() > before {
            self.flush(state);
        }
    }

    fn take_all(&self, state: &mut State) {
        let before = state.arrivals;
        while !state.gone {
            match self.read(state) {
                Ok(Filled::Some) => {}
                Ok(Filled::Nothing) => break,
                Ok(Filled::Gone) => state.gone = true,
                Err(malformed) => {
                    complain_of(&malformed);
                    state.gone = true;
                }
            }
        }
        if !state.peers.is_empty() && !state.gone {
            if let Err(malformed) = state.pump_peers() {
                complain_of(&malformed);
                state.gone = true;
            }
        }
        if !state.lacking.is_empty() {
            let lacking = std::mem::take(&mut state.lacking);
            state.link.outbox.ids(Kind::Want, &lacking);
        }
        if state.followers > 0 && (state.arrivals != before || state.gone) {
            self.arrived.notify_all();
        }
    }

    fn read(&self, state: &mut State) -> Result<Filled, Malformed> {
        let filled = state.link.fill()?;
        while let Some(message) = state.link.next()? {
            state.arrivals += 1;
            match message {
                Message::Call(item) => {
                    let world = World::clone(&state.world);
                    state.take_in(item, world)?;
                }
                Message::Peer(number, socket) => state.meet(number, socket),
                Message::Move(order) => state.pass_on(&order),
                Message::Load(order) => {
                    let incoming = Incoming {
                        call: LOAD,
                        payload: Payload::of_head(order),
                        world: World::clone(&state.world),
                        keeps: false,
                        group: 0,
                        values: Vec::new(),
                    };
                    state.queue.push(incoming, Turn::First);
                }
                Message::World(world) => state.world = world.into(),
                Message::First(calls) => {
                    for call in calls {
                        state.queue.hasten(call);
                        state.values.hasten(call);
                    }
                }
                Message::Reply(mut item) => {
                    item.open();
                    if let Some(wait) = state.waits.get_mut(&item.call) {
                        let service = Duration::from_nanos(item.link);
                        let outcome = relay::receive(item)?;
                        wait.events.push_back(Event::Outcome(outcome, service));
                    }
                }
                Message::Recall(calls) => state.give_back(&calls),
                Message::Interrupt(call, exception) => self.interrupt(state, call, exception),
                Message::Noticed(numbers) => {
                    for number in numbers {
                        Shared::noticed(state, number);
                    }
                }
                Message::Contents(item) => state.take_content(item),
                Message::Needs(needs) => state.values.announce(&needs),
                Message::Value(item) => state.take_value(item, true)?,
                Message::Release(calls) => state.values.release(&calls),
                Message::Ran(_) => state.times.want(),
                _ => return Err(Malformed::new("it says what only a replica says")),
            }
        }
        Ok(filled)
    }
}

impl State {
    /// Whether something is to be written once the socket can be.
    fn wants_out(&self) -> bool {
        match self.link.has_rings() {
            true => self.link.wants_out(),
            false => !self.link.outbox.is_empty(),
        }
    }
}

/// Waits for one of them, for `longest` at most.
///
/// # Errors
/// `Interrupted` when a signal came meanwhile, or the time is over.
fn wait_for(sources: &mut [PollFd<'_>], longest: Option<Duration>) -> io::Result<()> {
    let longest = longest.and_then(|time| Timespec::try_from(time).ok());
    match rustix::event::poll(sources, longest.as_ref()) {
        Ok(count) if count > 0 => Ok(()),
        Ok(_) | Err(Errno::INTR) => Err(io::ErrorKind::Interrupted.into()),
        Err(error) => Err(error.into()),
    }
}

fn complain_of(malformed: &Malformed) {
    let pid = std::process::id();
    let text = &malformed.0;
    complain(&format!(
        "a frame to the replica with process id {pid} is malformed, its link is closed: {text}"
    ));
}
