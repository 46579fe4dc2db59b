//! The replica's end of a link.
//!
//! The thread that runs calls reads the socket itself while it has none. While it runs a call, a
//! helper thread takes over: it reads what comes, so that the next call is there when one ends,
//! and writes what could not be written. The helper is made with the first call (a replica is
//! forked, and must be free of threads until it has imported its module), and only looks on, from
//! time to time, while calls are short.

mod contents;
#[cfg(test)]
mod contents_tests;
mod helper;
mod interrupts;
mod memory;
#[cfg(test)]
mod no_room_tests;
mod peers;
mod queue;
mod shared;
mod taken_in;
mod values;

use std::cell::RefCell;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use cord_os::spare;
use cord_os::threads::spawn_quiet;
use cord_wire::buffer::{Buffer, LARGE_HEAD};
use cord_wire::codec::Codec;
use cord_wire::effects::Effects;
use cord_wire::link::Link;
use cord_wire::outbox::{ItemHead, Outbox};
use cord_wire::outcome::{Outcome, KIND_DISOWNED, KIND_DISOWNED_LAST, KIND_NO_ROOM, KIND_VALUE};
use cord_wire::part::Part;
use cord_wire::payload::{Parcel, Payload, World};
use cord_wire::relay::{self, again, NestedCall, NestedLoad, Parent, MISCOUNTED};
use cord_wire::resident::Most;
use cord_wire::segment::Segment;
use cord_wire::shortage::{Of, Shortage};
use cord_wire::transport::Transport;
use cord_wire::wire::Kind;
use helper::help;
use interrupts::Wait;
use memory::Memory;
pub use shared::LOAD;
use shared::{Event, Helper, Shared, State, Together};
use values::Reply;
pub use values::Value;

/// Of calls as long as this is told what they took, without the time that the replica waited for a core:
/// that is a matter of how many there are, and would make shipping look worth it where nothing is gained.
const LONG: Duration = Duration::from_millis(1);
/// Replies of calls shorter than this gather while others wait …
const SHORT: Duration = Duration::from_micros(200);
/// … for this long, or until they are so many bytes.
const GATHER: Duration = Duration::from_micros(200);
const GATHER_BYTES: usize = 64 * 1024;
/// So many others must wait at least: the last one must not wait for its reply to bring new calls.
const GATHER_QUEUE: usize = 2;
/// Replies of longer calls gather, too, but only where the next one is there so soon …
const GATHER_LONG: Duration = Duration::from_millis(4);
/// … and in this part of the time that what waits will take: then the client has sent much more than
/// it needs soon.
const GATHER_PART: u32 = 2;

/// While calls wait here, the socket is looked at once in so much time between two of them: what
/// the client says may change which is next.
const LOOK: Duration = Duration::from_millis(1);

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
    /// Whether its value is kept here for other calls.
    pub keeps: bool,
    /// Which calls it may be served together with; 0: none.
    pub group: u32,
    /// Values of other calls that it is given beside its arguments.
    pub values: Vec<Value>,
}

/// What comes to a thread that waits for a nested call.
#[derive(Debug)]
pub enum Waited {
    /// A call to be run meanwhile.
    Serve(Incoming),
    /// The exception that was sent has been raised in the midst of the call waited for.
    Noticed,
    /// What came of the call waited for.
    Outcome(Outcome, Duration),
}

thread_local! {
    /// The calls that this thread runs while it waits for others, the innermost last, and when they
    /// began.
    static INNER: RefCell<Vec<(Instant, u64)>> = const { RefCell::new(Vec::new()) };
}

/// The replica's end of its link. One thread serves: it takes [`Endpoint::next`] and
/// [`Endpoint::reply`] in turn. While a call runs, it and the threads that it has started may call
/// other modules by [`Endpoint::call`] and [`Endpoint::wait`].
#[derive(Debug)]
pub struct Endpoint {
    shared: Arc<Shared>,
    helper: Mutex<Option<JoinHandle<()>>>,
    /// Whether shared memory travels.
    shares: bool,
    pid: u32,
}

impl Endpoint {
    /// The endpoint of a replica, over its end of the link. It keeps so much content of arguments.
    ///
    /// # Errors
    /// When the system has no descriptors left.
    pub fn new(socket: OwnedFd, resident: Most, transport: Transport) -> io::Result<Endpoint> {
        Endpoint::over(Link::join(socket, transport)?, resident, transport)
    }

    fn over(link: Link, resident: Most, transport: Transport) -> io::Result<Endpoint> {
        let pid = std::process::id();
        spare::keep();
        Ok(Endpoint {
            shared: Arc::new(Shared::new(link, resident, transport)?),
            helper: Mutex::new(None),
            shares: transport.shares(),
            pid,
        })
    }

    /// Says that other threads of this process serve links, too: nobody looks out for what comes.
    pub fn is_one_of_several(&self) {
        self.shared.lock().is_crowded = true;
    }

    /// Has the client renew this replica once it has come to so many bytes of memory.
    pub fn renew_at(&self, bytes: u64) {
        self.shared.lock().memory = Memory::renewed_at(bytes);
    }

    /// Tells the client that calls can come. Where `ends_with_link`, this process may be ended once
    /// the link is.
    pub fn ready(&self, ends_with_link: bool) {
        let pid = if ends_with_link { self.pid } else { 0 };
        self.announce(Kind::Ready, &pid.to_le_bytes());
    }

    /// Waits until all that was said is out of this process.
    pub fn flush(&self) {
        drop(self.shared.flush_all(self.shared.lock()));
    }

    /// Tells the client that the module cannot be loaded, and why; waits until it is said.
    pub fn init_failed(&self, head: &[u8]) {
        self.announce(Kind::InitFailed, head);
    }

    fn announce(&self, kind: Kind, body: &[u8]) {
        let mut state = self.shared.lock();
        state.link.outbox.message(kind, 0, body);
        drop(self.shared.flush_all(state));
    }

    /// Whether a function has closed the descriptor that leads to the client.
    pub fn is_cut_off(&self) -> bool {
        !self.shared.socket.is_ours()
    }

    /// In a forked child: closes its copy of the descriptor that leads to the client, who would not
    /// see the end of a replica that dies.
    pub fn leave(&self) {
        self.shared.socket.close_copy();
    }

    /// Waits for the next call; `None` once the client is gone.
    ///
    /// # Errors
    /// `Interrupted` when a signal came meanwhile: call again once it is handled.
    pub fn next(&self) -> io::Result<Option<Incoming>> {
        let mut state = self.shared.lock();
        loop {
            let now = Instant::now();
            if now - state.looked > LOOK {
                state.looked = now;
                if state.queue.len() > 1 {
                    self.shared.hear(&mut state);
                }
            }
            if let Some(incoming) = take_next(&mut state, now) {
                if incoming.call != LOAD {
                    self.begin(state);
                }
                return Ok(Some(incoming));
            }
            if state.gone {
                return Ok(None);
            }
            state = self.shared.listen(state)?;
        }
    }

    /// Calls a function of another remote module, in one of its manners; [`Endpoint::wait`] with the number it gives tells
    /// what comes of it. The call belongs to the one that this thread runs; in a thread that runs
    /// none, to the one that the replica runs, and is made in its world; or in this one, which it has made of that.
    pub fn call(
        &self,
        module: (u32, u32),
        effects: Effects,
        payload: Payload,
        world: Option<&[u8]>,
    ) -> u64 {
        let parcel = Parcel::from(payload);
        let mut state = self.shared.lock();
        let parent = say_world(&mut state, world);
        state.last_number += 1;
        let number = state.last_number;
        let wait = Wait {
            of: self.shared.interruptible(&state),
            ..Wait::default()
        };
        state.waits.insert(number, wait);
        let head = ItemHead {
            codec: parcel.codec,
            ..NestedCall::head(number, module, effects, parent)
        };
        let outbox = &mut state.link.outbox;
        if let Err(error) = outbox.item(Kind::Calls, head, &parcel.parts()) {
            let shortage = Shortage::new(&error, parcel.len(), Of::Arguments);
            let refused = Event::Outcome(Outcome::no_room(shortage, Vec::new()), Duration::ZERO);
            if let Some(wait) = state.waits.get_mut(&number) {
                wait.events.push_back(refused);
            }
        }
        drop(self.shared.flush_all(state));
        number
    }

    /// Lets the replicas of another remote module load it, unless they were told to before. What
    /// they have to do for it is up to whoever reads `order`; for `world` see [`Endpoint::call`].
    pub fn load(&self, module: u32, order: Vec<u8>, world: Option<&[u8]>) {
        let mut state = self.shared.lock();
        let load = NestedLoad {
            module,
            parent: say_world(&mut state, world),
            order,
        };
        state.link.outbox.message(Kind::Load, 0, &load.encode());
        drop(self.shared.flush_all(state));
    }

    /// Waits for what comes for the call with this number: other calls that this thread is to run
    /// and [`Endpoint::reply`] to meanwhile, and at last its own outcome.
    ///
    /// # Errors
    /// `Interrupted` when a signal may have come meanwhile: look, and call again.
    pub fn wait(&self, number: u64) -> io::Result<Waited> {
        let mut state = self.shared.lock();
        loop {
            let wait = state.waits.get_mut(&number);
            match wait.and_then(|wait| wait.events.pop_front()) {
                Some(Event::Call(incoming)) => {
                    INNER.with_borrow_mut(|inner| inner.push((Instant::now(), incoming.call)));
                    state.times.begin(incoming.call);
                    self.begin(state);
                    return Ok(Waited::Serve(incoming));
                }
                Some(Event::Outcome(outcome, service)) => {
                    state.waits.remove(&number);
                    if !state.interrupts.is_empty() {
                        self.shared.take_back_interrupts(&mut state, number);
                    }
                    self.begin(state);
                    return Ok(Waited::Outcome(outcome, service));
                }
                Some(Event::Noticed) => return Ok(Waited::Noticed),
                None if state.gone => {
                    return Ok(Waited::Outcome(Outcome::Closed, Duration::ZERO));
                }
                None => state = self.shared.listen(state)?,
            }
        }
    }

    /// Whether this thread runs this call, which came while it waited for another one.
    pub fn is_running(&self, call: u64) -> bool {
        INNER.with_borrow(|inner| inner.last().is_some_and(|(_, top)| *top == call))
    }

    /// Notes that a call begins or goes on, and sees to it that the helper looks on.
    fn begin(&self, mut state: MutexGuard<'_, State>) {
        self.note_begin(&mut state);
        if state.helper == Helper::Missing {
            state.helper = Helper::Watching;
            drop(state);
            self.make_helper();
        }
    }

    fn note_begin(&self, state: &mut State) {
        state.begun += 1;
        if state.helper == Helper::Asleep {
            self.shared.changed.notify_one();
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

    /// What was done so far for the call that runs does not count as part of it: it was done for the
    /// calls after it, too.
    pub fn begin_anew(&self) {
        let mut state = self.shared.lock();
        if let Some((begun, _)) = &mut state.running {
            *begun = Instant::now();
            state.core_waits.since();
        }
    }

    /// The calls that are there and may be served together with the one that was given last. They begin
    /// now, too.
    pub fn alike(&self) -> Vec<Incoming> {
        let mut state = self.shared.lock();
        let (group, world) = match &state.running_group {
            (0, _) => return Vec::new(),
            (group, world) => (*group, World::clone(world)),
        };
        let alike = state.queue.take_group(group, &world);
        for incoming in &alike {
            state.times.begin(incoming.call);
        }
        alike
    }

    /// So many calls that were served together are answered next: each has taken its part of the time.
    pub fn share_time(&self, calls: u32) {
        let mut state = self.shared.lock();
        let since = state.running.map_or_else(Instant::now, |(begun, _)| begun);
        state.together = Together {
            share: since.elapsed() / calls.max(1),
            left: calls,
        };
    }

    /// Calls that were to be served together have not got a result each: that is told with the next reply.
    pub fn note_miscount(&self) {
        self.shared.lock().note = MISCOUNTED;
    }

    /// One of several calls that were to be served together begins alone.
    pub fn begin_alone(&self, call: u64) {
        let mut state = self.shared.lock();
        state.running = Some((Instant::now(), call));
        state.core_waits.since();
    }

    /// Answers a call. Never waits for the client. A value that is to be kept for other calls stays
    /// here, if it `may_be_passed`: if they can be given it as it is. An exception may be one after which
    /// the call is to be tried again, after a pause.
    pub fn reply(
        &self,
        call: u64,
        (kind, pause): (u8, Option<Duration>),
        codec: Codec,
        (head, buffers): (&[u8], Vec<Buffer>),
        output: &[u8],
        may_be_passed: bool,
    ) {
        let reply = Reply {
            kind,
            codec,
            head: head.into(),
            buffers,
            again: again(pause),
        };
        let mut state = self.shared.lock();
        self.answer(
            &mut state,
            Instant::now(),
            call,
            reply,
            output,
            may_be_passed,
        );
    }

    /// Says that what comes of a call must not be used, and why. If that is the `last` that this process
    /// says, it is out when this returns.
    pub fn disown(&self, call: u64, why: &[u8], last: bool) {
        let reply = Reply {
            kind: if last {
                KIND_DISOWNED_LAST
            } else {
                KIND_DISOWNED
            },
            codec: Codec::default(),
            head: why.into(),
            buffers: Vec::new(),
            again: 0,
        };
        let mut state = self.shared.lock();
        self.answer(&mut state, Instant::now(), call, reply, b"", false);
        if last {
            drop(self.shared.flush_all(state));
        }
    }

    /// The same for the value of a call that [`Endpoint::next`] gave, in the call's codec; gives the next one, if it is
    /// there and nothing is to be done before it.
    pub fn reply_and_next(
        &self,
        Incoming { call, payload, .. }: Incoming,
        (head, buffers): (&[u8], Vec<Buffer>),
        output: &[u8],
        may_be_passed: bool,
    ) -> Option<Incoming> {
        let reply = Reply {
            kind: KIND_VALUE,
            codec: payload.codec,
            head: head.into(),
            buffers,
            again: 0,
        };
        let mut state = self.shared.lock();
        let now = Instant::now();
        self.answer(&mut state, now, call, reply, output, may_be_passed);
        state.link.reuse(payload.head);
        if state.helper == Helper::Missing || now - state.looked > LOOK {
            return None;
        }
        let incoming = take_next(&mut state, now)?;
        if incoming.call != LOAD {
            self.note_begin(&mut state);
        }
        Some(incoming)
    }

    /// A very large head, in shared memory where that travels.
    fn shares_head(&self, head: &[u8]) -> Option<Buffer> {
        let is_large = head.len() >= LARGE_HEAD && self.shares;
        let copied = is_large.then(|| Segment::copy_from(head).ok());
        copied.flatten().map(Buffer::Shared)
    }

    fn answer(
        &self,
        state: &mut State,
        now: Instant,
        call: u64,
        reply: Reply<'_>,
        output: &[u8],
        may_be_passed: bool,
    ) {
        let Reply {
            kind,
            codec,
            head,
            buffers,
            again,
        } = state.values.keep(call, reply, may_be_passed);
        let inner = INNER.with_borrow_mut(|inner| {
            let top = inner.last().is_some_and(|(_, inner)| *inner == call);
            top.then(|| inner.pop()).flatten()
        });
        let is_inner = inner.is_some();
        if !state.interrupts.is_empty() {
            self.shared.forget_interrupts(state, call, is_inner);
        }
        let begun = inner.or_else(|| state.running.take());
        let mut service = begun.map_or(Duration::ZERO, |(begun, _)| now - begun);
        if let Some(share) = state.together.take_share(is_inner) {
            service = share;
        }
        let waited = match service >= LONG && !is_inner {
            true => state.core_waits.since(),
            false => Duration::ZERO,
        };
        // more than that was waited before the call
        let own = service
            - Some(waited)
                .filter(|waited| *waited < service)
                .unwrap_or_default();
        state.times.add(call, service);
        let nanos = u64::try_from(own.as_nanos()).unwrap_or(u64::MAX);
        let item = ItemHead {
            call,
            tag: u32::from(kind) | again | std::mem::take(&mut state.note),
            codec,
            link: nanos,
        };
        let large = self.shares_head(&head);
        let head = large.as_ref().map_or(Part::Bytes(&head), Part::Buffer);
        let output = Part::Bytes(output);
        let outbox = &mut state.link.outbox;
        let answered = if buffers.is_empty() {
            outbox.item(Kind::Replies, item, &[head, output])
        } else {
            let between = buffers.iter().map(Part::Buffer);
            let parts: Vec<_> = [head].into_iter().chain(between).chain([output]).collect();
            outbox.item(Kind::Replies, item, &parts)
        };
        if let Err(error) = answered {
            let bytes = head.len() + buffers.iter().map(Buffer::len).sum::<usize>();
            refuse_reply(
                outbox,
                item,
                Shortage::new(&error, bytes, Of::Result),
                output,
            );
        }
        if !is_inner && state.memory.is_too_much() {
            state.link.outbox.ids(Kind::Worn, &[]);
        }
        let held_since = *state.held_since.get_or_insert(now);
        let gather = !is_inner
            && state.helper != Helper::Missing
            && state.link.outbox.waiting() < GATHER_BYTES
            && may_gather(state.queue.len(), service, now - held_since);
        if !gather {
            self.shared.flush(state);
        } else if state.helper == Helper::Serving {
            // It must look after what is held, should the next call be a long one.
            self.shared.call_away();
        }
    }
}

/// There is no memory for a reply: that is what is said, and what the call has written if there is room
/// for it.
fn refuse_reply(outbox: &mut Outbox, item: ItemHead, shortage: Shortage, output: Part<'_>) {
    let tag = u32::from(KIND_NO_ROOM);
    let codec = Codec::default();
    let (item, head) = (ItemHead { tag, codec, ..item }, shortage.encode());
    let said = outbox.item(Kind::Replies, item, &[Part::Bytes(&head), output]);
    if said.is_err() {
        relay::refuse(outbox, item.call, shortage);
    }
}

/// Whether replies may gather that have waited for so long, where a call takes `service` and so many
/// others wait.
pub fn may_gather(others: usize, service: Duration, held: Duration) -> bool {
    if others < GATHER_QUEUE {
        return false;
    }
    let ahead = u32::try_from(others - 1).unwrap_or(u32::MAX);
    let longest = GATHER_LONG.min(service.saturating_mul(ahead) / GATHER_PART);
    service < SHORT && held < GATHER || held + service <= longest
}

/// Takes the next call out of the queue, which begins now.
fn take_next(state: &mut State, now: Instant) -> Option<Incoming> {
    let incoming = state.queue.pop()?;
    if incoming.keeps {
        state.values.will_keep(incoming.call);
    }
    if incoming.group != 0 || state.running_group.0 != 0 {
        state.running_group = (incoming.group, World::clone(&incoming.world));
    }
    if incoming.call != LOAD {
        state.running = Some((now, incoming.call));
        state.times.begin(incoming.call);
    }
    Some(incoming)
}

/// The call that this thread runs; in a thread that runs none, the one that the replica runs; or 0.
fn running(state: &State) -> u64 {
    let inner = INNER.with_borrow(|inner| inner.last().map(|(_, call)| *call));
    inner.unwrap_or_else(|| state.running.map_or(0, |(_, call)| call))
}

/// The call for which something is asked; says the world that it is in, if that is not the one that it
/// began in.
fn say_world(state: &mut State, world: Option<&[u8]>) -> Parent {
    if let Some(world) = world {
        if state.said.as_deref() != Some(world) {
            state.link.outbox.message(Kind::World, 0, world);
            state.said = Some(world.into());
        }
    }
    Parent {
        call: running(state),
        has_said_world: world.is_some(),
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
