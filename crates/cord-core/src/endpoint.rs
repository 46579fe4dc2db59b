//! The replica's end of a link.
//!
//! The thread that runs calls reads the socket itself while it has none. While it runs a call, a
//! helper thread takes over: it reads what comes, so that the next call is there when one ends,
//! and writes what could not be written. The helper is made with the first call (a replica is
//! forked, and must be free of threads until it has imported its module), and only looks on, from
//! time to time, while calls are short.

use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::event::{EventfdFlags, PollFd, PollFlags};
use rustix::io::Errno;

use crate::inbox::{Filled, Inbox, Message};
use crate::outbox::{Flushed, ItemHead, Outbox, Part};
use crate::payload::{Buffer, Payload, World};
use crate::threads::spawn_quiet;
use crate::wire::{Kind, Malformed};

/// How often the helper looks whether a call has become a long one. Only then it waits on the
/// socket: being woken by every frame would cost a shorter call more than it gains.
const WATCH: Duration = Duration::from_millis(1);
/// After so many looks at an idle replica the helper sleeps until the next call.
const QUIET_LOOKS: u32 = 4;
/// Replies of calls shorter than this gather while at least so many others wait (the last one must
/// not wait for its reply to bring new calls) …
const SHORT: Duration = Duration::from_micros(200);
const SHORT_QUEUE: usize = 2;
/// … for this long, or until they are so many bytes.
const GATHER: Duration = Duration::from_micros(200);
const GATHER_BYTES: usize = 64 * 1024;
/// The number of no call: an order to load the module.
const LOAD: u64 = 0;

/// A call for this replica.
#[derive(Debug)]
pub struct Incoming {
    /// Its number, for the reply; 0 for the order to load the module, which [`Endpoint::ready`] or
    /// [`Endpoint::init_failed`] answers.
    pub call: u64,
    /// Its encoded arguments, or the order.
    pub payload: Payload,
    /// The world that it is to be run in.
    pub world: World,
}

/// The replica's end of its link. One thread runs calls: it takes [`Endpoint::next`] and
/// [`Endpoint::reply`] in turn.
#[derive(Debug)]
pub struct Endpoint {
    shared: Arc<Shared>,
    helper: Mutex<Option<JoinHandle<()>>>,
    pid: u32,
}

#[derive(Debug)]
struct Shared {
    socket: OwnedFd,
    /// Calls the helper away from the socket.
    wake: OwnedFd,
    state: Mutex<State>,
    /// Wakes the helper from its sleep.
    changed: Condvar,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Helper {
    /// Not made, or could not be.
    Missing,
    /// Sleeps until a call begins.
    Asleep,
    /// Looks on from time to time.
    Watching,
    /// Waits on the socket.
    Serving,
}

#[derive(Debug)]
struct State {
    inbox: Inbox,
    outbox: Outbox,
    queue: VecDeque<Incoming>,
    /// The world of what is read next.
    world: World,
    /// When the running call began.
    running: Option<Instant>,
    /// How many calls have begun.
    begun: u64,
    /// Since when a reply waits to be written together with others.
    held_since: Option<Instant>,
    helper: Helper,
    /// The client is gone, or does not make sense.
    gone: bool,
    /// The endpoint is being dropped.
    closed: bool,
}

impl Endpoint {
    /// The endpoint of a replica, over its end of the link.
    ///
    /// # Errors
    /// When the system has no descriptors left.
    pub fn new(socket: OwnedFd) -> io::Result<Endpoint> {
        let flags = EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK;
        let state = State {
            inbox: Inbox::default(),
            outbox: Outbox::default(),
            queue: VecDeque::new(),
            world: World::default(),
            running: None,
            begun: 0,
            held_since: None,
            helper: Helper::Missing,
            gone: false,
            closed: false,
        };
        let shared = Shared {
            socket,
            wake: rustix::event::eventfd(0, flags)?,
            state: Mutex::new(state),
            changed: Condvar::new(),
        };
        let pid = std::process::id();
        Ok(Endpoint {
            shared: Arc::new(shared),
            helper: Mutex::new(None),
            pid,
        })
    }

    /// Tells the client that calls can come.
    pub fn ready(&self) {
        self.announce(Kind::Ready, &std::process::id().to_le_bytes());
    }

    /// Tells the client that the module cannot be loaded, and why; waits until it is said.
    pub fn init_failed(&self, head: &[u8]) {
        self.announce(Kind::InitFailed, head);
    }

    fn announce(&self, kind: Kind, body: &[u8]) {
        let mut state = self.shared.lock();
        state.outbox.message(kind, 0, body);
        while self.shared.flush(&mut state) == Flushed::Full {
            let _ = wait_for(&mut [PollFd::new(&self.shared.socket, PollFlags::OUT)]);
        }
    }

    /// Waits for the next call; `None` once the client is gone.
    ///
    /// # Errors
    /// `Interrupted` when a signal came meanwhile: call again once it is handled.
    pub fn next(&self) -> io::Result<Option<Incoming>> {
        let mut state = self.shared.lock();
        loop {
            if let Some(incoming) = state.queue.pop_front() {
                if incoming.call != LOAD {
                    self.begin(state);
                }
                return Ok(Some(incoming));
            }
            self.shared.pump(&mut state);
            if !state.queue.is_empty() {
                continue;
            }
            if state.gone {
                return Ok(None);
            }
            if state.helper == Helper::Serving {
                self.shared.call_away();
            }
            let mut flags = PollFlags::IN;
            flags.set(PollFlags::OUT, !state.outbox.is_empty());
            drop(state);
            wait_for(&mut [PollFd::new(&self.shared.socket, flags)])?;
            state = self.shared.lock();
        }
    }

    /// Notes that a call begins, and sees to it that the helper looks on.
    fn begin(&self, mut state: MutexGuard<'_, State>) {
        state.running = Some(Instant::now());
        state.begun += 1;
        match state.helper {
            Helper::Asleep => self.shared.changed.notify_one(),
            Helper::Missing => {
                state.helper = Helper::Watching;
                drop(state);
                self.make_helper();
            }
            Helper::Watching | Helper::Serving => {}
        }
    }

    fn make_helper(&self) {
        let shared = Arc::clone(&self.shared);
        match spawn_quiet("cord-link", move || help(&shared)) {
            Ok(thread) => {
                *self.helper.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread);
            }
            // Without one, replies do not gather, and the rest waits for the end of the call.
            Err(_) => self.shared.lock().helper = Helper::Missing,
        }
    }

    /// Answers a call. Never waits for the client.
    pub fn reply(&self, call: u64, kind: u8, head: &[u8], buffers: &[Buffer], output: &[u8]) {
        let mut state = self.shared.lock();
        let now = Instant::now();
        let service = state
            .running
            .take()
            .map_or(Duration::ZERO, |began| now - began);
        let mut parts = Vec::with_capacity(2 + buffers.len());
        parts.push(Part::Bytes(head));
        parts.extend(buffers.iter().map(Part::Buffer));
        parts.push(Part::Bytes(output));
        let nanos = u64::try_from(service.as_nanos()).unwrap_or(u64::MAX);
        let item = ItemHead {
            call,
            tag: u32::from(kind),
            service: nanos,
        };
        state.outbox.item(Kind::Replies, item, &parts);
        let held_since = *state.held_since.get_or_insert(now);
        let gather = state.queue.len() >= SHORT_QUEUE
            && state.helper != Helper::Missing
            && service < SHORT
            && now - held_since < GATHER
            && state.outbox.waiting() < GATHER_BYTES;
        if !gather {
            self.shared.flush(&mut state);
        } else if state.helper == Helper::Serving {
            // It must look after what is held, should the next call be a long one.
            self.shared.call_away();
        }
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        let helper = self
            .helper
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if self.pid != std::process::id() {
            // A child forked by a call: the helper does not exist here, and may hold the lock.
            return std::mem::forget(helper);
        }
        self.shared.lock().closed = true;
        self.shared.changed.notify_one();
        self.shared.call_away();
        if let Some(helper) = helper {
            let _ = helper.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn call_away(&self) {
        let _ = rustix::io::write(&self.wake, &1_u64.to_ne_bytes());
    }

    fn flush(&self, state: &mut State) -> Flushed {
        state.held_since = None;
        let flushed = state.outbox.flush(self.socket.as_fd());
        state.gone |= flushed == Flushed::Gone;
        flushed
    }

    /// Reads what is there and writes what can be written.
    fn pump(&self, state: &mut State) {
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
    }

    fn read(&self, state: &mut State) -> Result<Filled, Malformed> {
        let filled = state.inbox.fill(self.socket.as_fd())?;
        while let Some(message) = state.inbox.next()? {
            match message {
                Message::Call(item) => state.receive(item.call, item.head, item.buffers),
                Message::Load(order) => state.receive(LOAD, order, Vec::new()),
                Message::World(world) => state.world = world.into(),
                Message::Recall(calls) => give_back(state, &calls),
                _ => return Err(Malformed::new("it says what only a replica says")),
            }
        }
        Ok(filled)
    }
}

impl State {
    fn receive(&mut self, call: u64, head: Vec<u8>, buffers: Vec<Buffer>) {
        self.queue.push_back(Incoming {
            call,
            payload: Payload { head, buffers },
            world: World::clone(&self.world),
        });
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

/// What the helper thread does.
fn help(shared: &Shared) {
    let mut state = shared.lock();
    let (mut seen, mut quiet) = (0, 0);
    while !state.closed {
        let same = state.begun == seen;
        seen = state.begun;
        quiet = if same { quiet + 1 } else { 0 };
        if state.running.is_some() && same && !state.gone {
            state = serve(shared, state);
        } else if quiet > QUIET_LOOKS {
            state.helper = Helper::Asleep;
            state = shared
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
            state.helper = Helper::Watching;
        } else {
            let waited = shared.changed.wait_timeout(state, WATCH);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// A call has become a long one: reads and writes in its place, until called away.
fn serve<'a>(shared: &'a Shared, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
    shared.pump(&mut state);
    if state.gone {
        return state;
    }
    let mut flags = PollFlags::IN;
    flags.set(PollFlags::OUT, !state.outbox.is_empty());
    state.helper = Helper::Serving;
    drop(state);
    let mut sources = [
        PollFd::new(&shared.socket, flags),
        PollFd::new(&shared.wake, PollFlags::IN),
    ];
    let _ = wait_for(&mut sources);
    if !sources[1].revents().is_empty() {
        let _ = rustix::io::read(&shared.wake, &mut [0; 8]);
    }
    let mut state = shared.lock();
    state.helper = Helper::Watching;
    state
}

fn wait_for(sources: &mut [PollFd<'_>]) -> io::Result<()> {
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
