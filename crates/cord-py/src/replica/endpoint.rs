//! The replica's end of its link.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::io::ErrorKind;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use cord_core::endpoint::{Incoming, Waited};
use cord_wire::buffer::Buffer;
use cord_wire::codec::Codec;
use cord_wire::effects::Effects;
use cord_wire::outcome::{Outcome, KIND_NO_ROOM};
use cord_wire::payload::{Payload, World};
use cord_wire::resident::Most;
use cord_wire::shortage::{Of, Shortage};
use cord_wire::transport::Transport;
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use crate::client::service::transport_of;
use crate::client::settings::reading;
use crate::replica::driven::driven;
use crate::replica::leftovers::Leftovers;
use crate::thread_state::ThreadState;
use crate::travel::buffers::{buffers_from_py, buffers_to_py, Outside};
use crate::travel::codec::Encoded;
use crate::travel::disowned::Reason;
use crate::travel::forms::whole_head;
use crate::travel::interrupts_sent::Sent;
use crate::travel::large::{bytes, no_room};
use crate::travel::mentions::mentions_main;
use cord_wire::reads::{encode, Read};

/// A call as Python sees it: its number, its arguments, its world, and the values of other calls that
/// it is given. The number is [`LOAD`] for the order to load the module; equal worlds are mostly the
/// same object.
pub type Request<'py> = (u64, Encoded<'py>, Bound<'py, PyBytes>, Vec<Encoded<'py>>);

/// The replica's end of its link, over a stream socket that it takes over.
#[pyclass(frozen, module = "cord._core")]
pub struct Endpoint {
    core: cord_core::endpoint::Endpoint,
    transport: Transport,
    /// Who answers calls that come while a thread waits: one function takes a request, the other
    /// the number of a call that it failed to answer, and why.
    answer: PyOnceLock<(Py<PyAny>, Py<PyAny>)>,
    /// The world of the last call, as it came and as Python sees it.
    world: Mutex<Option<(World, Py<PyBytes>)>>,
    /// Set in a forked child, where calls are not carried.
    local: AtomicBool,
    /// The signal whose handler raises what comes for calls.
    knock: OnceLock<i32>,
    /// Where other threads of the process make calls, too: what is called when a call begins to wait
    /// for one that it made, and when it goes on.
    aside: PyOnceLock<(Py<PyAny>, Py<PyAny>)>,
    /// What tells whether the call at hand has changed its world, and gives that.
    world_now: PyOnceLock<(Py<Leftovers>, Py<PyAny>)>,
    /// What the call that has just been made has read of files, encoded, if that is anything: it goes with
    /// the reply.
    read: Mutex<Vec<u8>>,
    reads: AtomicBool,
}

/// What came of a nested call.
pub struct Answered<'py> {
    pub outcome: Outcome,
    /// How long it took in its replica.
    pub service: Duration,
    /// What was raised here while the call was waited for, and not there.
    pub raised: Option<PyErr>,
    _sent: Option<Sent<'py>>,
}

thread_local! {
    /// The endpoint whose calls this thread makes, or what they have started; none where there is one
    /// in the process.
    static HERE: RefCell<Option<Py<Endpoint>>> = const { RefCell::new(None) };
    /// Whether this thread runs code of a call's, not Cord's own.
    static OPEN: Cell<bool> = const { Cell::new(false) };
}

#[pymethods]
impl Endpoint {
    #[new]
    #[pyo3(signature = (fd, resident_bytes=None, transport="auto"))]
    fn new(fd: RawFd, resident_bytes: Option<usize>, transport: &str) -> PyResult<Endpoint> {
        let resident = resident_bytes.map_or_else(Most::default, Most::of_bytes);
        let transport = transport_of(transport)?;
        Ok(Endpoint {
            core: cord_core::endpoint::Endpoint::new(owned(fd)?, resident, transport)?,
            transport,
            answer: PyOnceLock::new(),
            world: Mutex::default(),
            local: AtomicBool::new(false),
            knock: OnceLock::new(),
            aside: PyOnceLock::new(),
            world_now: PyOnceLock::new(),
            read: Mutex::default(),
            reads: AtomicBool::new(false),
        })
    }

    /// Says who answers calls that come while a thread waits for one that it made.
    fn answer_by(&self, py: Python<'_>, answer: Py<PyAny>, fail: Py<PyAny>) -> PyResult<()> {
        self.answer
            .set(py, (answer, fail))
            .map_err(|_| PyValueError::new_err("somebody answers already"))
    }

    /// Says that other threads of this process serve links, too, and what is called when a call begins to
    /// wait for one that it made, and when it goes on.
    fn share_process(&self, py: Python<'_>, wait: Py<PyAny>, go_on: Py<PyAny>) -> PyResult<()> {
        self.core.is_one_of_several();
        self.aside
            .set(py, (wait, go_on))
            .map_err(|_| PyValueError::new_err("it is shared already"))
    }

    /// Says what tells whether a call has changed settings, and what gives the world that it has made so:
    /// that is the one of calls which it makes.
    fn tell_world_by(
        &self,
        py: Python<'_>,
        leftovers: Py<Leftovers>,
        now: Py<PyAny>,
    ) -> PyResult<()> {
        self.world_now
            .set(py, (leftovers, now))
            .map_err(|_| PyValueError::new_err("somebody tells already"))
    }

    /// Says that this thread runs calls of this link's, or what those have started: what it calls of
    /// other modules goes over this link.
    fn adopt_thread(slf: Bound<'_, Self>) {
        HERE.set(Some(slf.unbind()));
    }

    /// The endpoint of the calls that this thread belongs to: this one where there is no other.
    #[pyo3(name = "of_thread")]
    pub fn of_thread<'py>(slf: &Bound<'py, Self>) -> Bound<'py, Self> {
        let here = HERE.with_borrow(|here| here.as_ref().map(|one| one.bind(slf.py()).clone()));
        here.unwrap_or_else(|| slf.clone())
    }

    /// Says that this thread, the main one, runs calls, and which signal's handler raises there what
    /// `take_interrupt` gives it.
    fn interrupt_by(&self, signal: i32) {
        // SAFETY: tells who calls.
        let thread = unsafe { libc::pthread_self() };
        // SAFETY: the main thread lives as long as the process.
        let knock = move || unsafe {
            libc::pthread_kill(thread, signal);
        };
        self.core.interrupt_by(Box::new(knock));
        let _ = self.knock.set(signal);
    }

    /// The exception that is to be raised now, in the midst of a call; none while Cord's own code
    /// runs.
    fn take_interrupt<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        let taken = OPEN.get().then(|| self.core.take_interrupt()).flatten();
        taken.map(|exception| PyBytes::new(py, &exception))
    }

    /// Calls a function of the module's, in the midst of which it may be interrupted.
    fn make<'py>(
        &self,
        function: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: &Bound<'py, PyDict>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.interruptible(|| driven(function, function.call(args, Some(kwargs))))
    }

    /// Has the client renew this replica, between two calls, once it has come to so many bytes of memory.
    fn renew_at(&self, bytes: u64) {
        self.core.renew_at(bytes);
    }

    /// Tells the client that calls can come.
    /// Where `ends_with_link`, this process may be ended once the link is.
    #[pyo3(signature = (ends_with_link=true))]
    fn ready(&self, py: Python<'_>, ends_with_link: bool) {
        py.detach(|| self.core.ready(ends_with_link));
    }

    /// Waits until all that was said is out of this process.
    fn flush(&self, py: Python<'_>) {
        py.detach(|| self.core.flush());
    }

    /// Tells the client that the module cannot be loaded, and why.
    fn init_failed(&self, py: Python<'_>, head: &[u8]) {
        py.detach(|| self.core.init_failed(head));
    }

    /// Python: what was done so far for the call that runs was done for others, too.
    fn begin_anew(&self) {
        self.core.begin_anew();
    }

    /// Lets the replicas of another module load it anew, unless they were told to before.
    fn load(&self, py: Python<'_>, module: u32) -> PyResult<()> {
        let world = self.world_now(py)?;
        py.detach(|| self.core.load(module, vec![0], world.as_deref()));
        Ok(())
    }

    /// In a forked child: lets calls of other modules run locally, and touches nobody.
    fn abandon(&self) {
        self.local.store(true, Ordering::Relaxed);
        self.core.leave();
    }

    /// Whether a function has closed the descriptor that leads to the client.
    fn is_cut_off(&self) -> bool {
        self.core.is_cut_off()
    }

    /// Waits for the next call; `None` once the client is gone.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<Request<'py>>> {
        loop {
            let Some(incoming) = self.wait_for_next(py)? else {
                return Ok(None);
            };
            if let Some(request) = self.request_if_room(py, incoming)? {
                return Ok(Some(request));
            }
        }
    }

    /// Answers a call; never waits for the client. A value that `may_be_passed` can be given to other
    /// calls as it is. After an exception with a pause, of so many seconds, the call is tried again.
    #[pyo3(signature = (call, kind, value, output, may_be_passed=false, pause=None))]
    #[expect(clippy::too_many_arguments, reason = "what there is to say of a call")]
    fn reply(
        &self,
        py: Python<'_>,
        call: u64,
        kind: u8,
        value: Encoded<'_>,
        output: &[u8],
        may_be_passed: bool,
        pause: Option<f64>,
    ) -> PyResult<()> {
        let (codec, head, buffers) = (Codec(value.0), value.1.as_bytes(), &value.2);
        let outside = Outside::Copied(self.shared_from());
        let lent = buffers_from_py(py, buffers, Outside::Lent)?;
        let size = head.len() + lent.iter().map(Buffer::len).sum::<usize>();
        drop(lent);
        let buffers = match buffers_from_py(py, buffers, outside) {
            Err(error) if error.is_instance_of::<PyMemoryError>(py) => {
                self.lack(call, size, Of::Result, output);
                return Ok(());
            }
            buffers => buffers?,
        };
        let pause = pause.map(|time| Duration::try_from_secs_f64(time).unwrap_or_default());
        // what the main script defines goes with the arguments only
        let may_be_passed = may_be_passed && !mentions_main(head);
        let (kind, output) = ((kind, pause), self.behind_what_was_read(output));
        self.core
            .reply(call, kind, codec, (head, buffers), &output, may_be_passed);
        Ok(())
    }

    /// Says that what came of a call must not be used, and why: who calls makes it by himself. `last`:
    /// what the call has left here is not for others, so that this process ends, and never returns.
    #[pyo3(signature = (call, kind, text, last=true))]
    fn disown(&self, py: Python<'_>, call: u64, kind: &str, text: &str, last: bool) {
        let why = Reason::new(kind, text).encode();
        self.has_read(&[]);
        py.detach(|| self.core.disown(call, &why, last));
        if last {
            // SAFETY: ends the process.
            unsafe { libc::_exit(0) };
        }
    }

    /// The calls that are there and may be served together with the one that came last.
    fn alike<'py>(&self, py: Python<'py>) -> PyResult<Vec<Request<'py>>> {
        let mut requests = Vec::new();
        for incoming in self.core.alike() {
            requests.extend(self.request_if_room(py, incoming)?);
        }
        Ok(requests)
    }

    /// So many calls that were served together are answered next.
    fn share_time(&self, calls: u32) {
        self.core.share_time(calls);
    }

    /// Calls that were to be served together have not got a result each.
    fn note_miscount(&self) {
        self.core.note_miscount();
    }

    /// One of several calls that were to be served together begins alone.
    fn begin_alone(&self, call: u64) {
        self.core.begin_alone(call);
    }
}

impl Endpoint {
    /// A call has come to its end, and has read this.
    pub fn has_read(&self, reads: &[Read]) {
        if reads.is_empty() && !self.reads.load(Ordering::Relaxed) {
            return;
        }
        self.reads.store(!reads.is_empty(), Ordering::Relaxed);
        *self.read.lock().unwrap_or_else(PoisonError::into_inner) = encode(reads);
    }

    /// What a call has written, with what it has read in front.
    pub fn behind_what_was_read<'a>(&self, output: &'a [u8]) -> Cow<'a, [u8]> {
        if !self.reads.load(Ordering::Relaxed) {
            return Cow::Borrowed(output);
        }
        self.reads.store(false, Ordering::Relaxed);
        let read = std::mem::take(&mut *self.read.lock().unwrap_or_else(PoisonError::into_inner));
        Cow::Owned([&read, output].concat())
    }

    /// Whether calls run here: in a forked child.
    pub fn is_local(&self) -> bool {
        self.local.load(Ordering::Relaxed)
    }

    /// From which size on buffers of replies are in shared memory of their own.
    pub fn shared_from(&self) -> usize {
        self.transport.shared_from()
    }

    pub fn core(&self) -> &cord_core::endpoint::Endpoint {
        &self.core
    }

    /// Waits for the next call; `None` once the client is gone.
    pub fn wait_for_next(&self, py: Python<'_>) -> PyResult<Option<Incoming>> {
        loop {
            match py.detach(|| self.core.next()) {
                Ok(incoming) => return Ok(incoming),
                Err(error) => interrupted(py, error)?,
            }
        }
    }

    /// A call as Python sees it. If there is no room for it, that is its answer, and there is none.
    pub fn request_if_room<'py>(
        &self,
        py: Python<'py>,
        incoming: Incoming,
    ) -> PyResult<Option<Request<'py>>> {
        let call = incoming.call;
        let buffers = incoming.payload.buffers.iter();
        let size = incoming.payload.head.len() + buffers.map(Buffer::len).sum::<usize>();
        match self.request(py, incoming) {
            Err(error) if error.is_instance_of::<PyMemoryError>(py) => {
                self.lack(call, size, Of::Arguments, b"");
                Ok(None)
            }
            request => request.map(Some),
        }
    }

    /// There is no room for so many bytes of a call.
    fn lack(&self, call: u64, bytes: usize, of: Of, output: &[u8]) {
        let head = Shortage::new(&std::io::ErrorKind::OutOfMemory.into(), bytes, of).encode();
        let head = (&head[..], Vec::new());
        self.core.reply(
            call,
            (KIND_NO_ROOM, None),
            Codec::default(),
            head,
            output,
            false,
        );
    }

    /// A call as Python sees it.
    pub fn request<'py>(&self, py: Python<'py>, incoming: Incoming) -> PyResult<Request<'py>> {
        let head = whole_head(py, &incoming.payload)?;
        let Payload { codec, buffers, .. } = incoming.payload;
        let arguments = (codec.0, head, buffers_to_py(py, buffers)?);
        let world = self.world(py, &incoming.world);
        let passed = incoming.values.iter().map(|value| {
            let head = bytes(py, value.head().map_err(no_room)?)?;
            let buffers = value.buffers().map_err(no_room)?;
            Ok((value.codec().0, head, buffers_to_py(py, buffers)?))
        });
        let passed = passed.collect::<PyResult<_>>()?;
        Ok((incoming.call, arguments, world, passed))
    }

    /// A world as Python sees it: mostly the same object for equal ones.
    pub fn world<'py>(&self, py: Python<'py>, world: &World) -> Bound<'py, PyBytes> {
        let mut last = self.world.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((known, bytes)) if Arc::ptr_eq(known, world) => bytes.bind(py).clone(),
            _ => {
                let bytes = PyBytes::new(py, world);
                *last = Some((World::clone(world), bytes.clone().unbind()));
                bytes
            }
        }
    }

    /// Calls a function of another remote module, in what `world_now` gives, and waits for what comes of
    /// it; runs meanwhile what is sent to this thread.
    pub fn call<'py>(
        &self,
        py: Python<'py>,
        module: (u32, u32),
        effects: Effects,
        payload: Payload,
        world: Option<Vec<u8>>,
    ) -> PyResult<Answered<'py>> {
        if let Some((wait, go_on)) = self.aside.get(py) {
            let held = wait.bind(py).call1((world.as_deref(),))?;
            let answered = self.call_alone(py, module, effects, payload, world);
            go_on.bind(py).call1((held,))?;
            return answered;
        }
        self.call_alone(py, module, effects, payload, world)
    }

    /// Whether the call at hand has changed nothing of modules that it reaches.
    pub fn has_same_state(&self, py: Python<'_>) -> bool {
        let told = self.world_now.get(py);
        told.is_none_or(|(leftovers, _)| leftovers.get().has_same_state(py))
    }

    /// The world as the call at hand has made it; none if it has changed nothing of it.
    ///
    /// # Errors
    /// `EncodeError` if it cannot travel.
    pub fn world_now(&self, py: Python<'_>) -> PyResult<Option<Vec<u8>>> {
        match self.world_now.get(py) {
            Some((leftovers, now)) if !leftovers.get().is_settled(py) => {
                reading(|| now.bind(py).call0())?.extract()
            }
            _ => Ok(None),
        }
    }

    fn call_alone<'py>(
        &self,
        py: Python<'py>,
        module: (u32, u32),
        effects: Effects,
        payload: Payload,
        world: Option<Vec<u8>>,
    ) -> PyResult<Answered<'py>> {
        let number = py.detach(|| {
            let world = world.as_deref();
            self.core.call(module, effects, payload, world)
        });
        let (mut sent, mut raised, mut unnoticed) = (None, None, 0);
        loop {
            let step = match py.detach(|| self.core.wait(number)) {
                Ok(Waited::Outcome(outcome, service)) => {
                    let late = self.look_for_interrupts(py).err();
                    let raised = late.or(raised);
                    return Ok(Answered {
                        outcome,
                        service,
                        raised,
                        _sent: sent,
                    });
                }
                Ok(Waited::Noticed) => {
                    unnoticed -= 1;
                    if unnoticed == 0 {
                        raised = None;
                    }
                    Ok(())
                }
                Ok(Waited::Serve(incoming)) => self
                    .serve(py, incoming)
                    .and_then(|()| self.look_for_interrupts(py)),
                Err(error) if error.kind() != ErrorKind::Interrupted => return Err(error.into()),
                Err(_) => py.check_signals(),
            };
            if let Err(error) = step {
                sent = sent.or_else(|| Sent::new(py).ok());
                let encoded = sent.as_ref().and_then(|sent| sent.encode(&error).ok());
                if let Some(exception) = encoded {
                    py.detach(|| self.core.interrupt(number, &exception));
                    unnoticed += 1;
                }
                raised = Some(error);
            }
        }
    }

    /// Runs code of a call's, in the midst of which may be raised what comes for the call.
    pub fn interruptible<T>(&self, code: impl FnOnce() -> T) -> T {
        let before = OPEN.replace(true);
        if self.core.is_interrupted() {
            self.knock();
        }
        let made = code();
        OPEN.set(before);
        made
    }

    /// Something may have come for a call while it waited, or others ran on top of it.
    fn look_for_interrupts(&self, py: Python<'_>) -> PyResult<()> {
        if self.core.is_interrupted() {
            self.knock();
            py.check_signals()?;
        }
        Ok(())
    }

    /// Lets this thread look for what is to be raised.
    fn knock(&self) {
        if let Some(signal) = self.knock.get() {
            // SAFETY: any thread can send itself a signal; `interrupt_by` was told of a handler.
            unsafe { libc::raise(*signal) };
        }
    }

    fn serve(&self, py: Python<'_>, incoming: Incoming) -> PyResult<()> {
        let answer = self.answer.get(py);
        let (answer, fail) = answer.ok_or_else(|| PyValueError::new_err("nobody answers"))?;
        let call = incoming.call;
        let room = Room::between(py);
        let request = self.request(py, incoming);
        let open = OPEN.replace(false);
        let answered = request.and_then(|request| answer.bind(py).call1(request));
        OPEN.set(open);
        drop(room);
        let Err(error) = answered else {
            return Ok(());
        };
        if !self.core.is_running(call) {
            return Err(error);
        }
        // Somebody waits for this call: whatever went wrong must be said, or the process must end.
        let _room = Room::new(py, TO_FAIL);
        if fail.bind(py).call1((call, error.value(py))).is_err() {
            // SAFETY: ends the process.
            unsafe { libc::_exit(EXIT_SOFTWARE) };
        }
        Ok(())
    }
}

/// Of Cord's own, between a function that waits and the one that runs meanwhile.
const OWN: Calls = Calls { frames: 4, in_c: 8 };
/// What telling of a failure may take.
const TO_FAIL: Calls = Calls {
    frames: 200,
    in_c: 200,
};
/// As sysexits.h has it.
const EXIT_SOFTWARE: i32 = 70;
/// The status of a replica whose function has closed what leads to the client; as sysexits.h has it.
pub const EXIT_CUT_OFF: i32 = 74;
/// So many calls on top of one another get room for those; each takes some kilobytes of the stack.
const DEEPEST: i32 = 400;

/// What counts as recursion: frames of Python's, and calls by C code where those have a limit of their
/// own. It does not move with the one that programs set.
#[derive(Clone, Copy)]
struct Calls {
    frames: i32,
    in_c: i32,
}

/// Room for what is called by Cord, so that the program's functions may recurse as deep as they may
/// without Cord.
///
/// The limit itself stays as it is, where that can be: functions may ask for it.
struct Room<'py> {
    _attached: Python<'py>,
    calls: Calls,
    state: Option<ThreadState>,
}

thread_local! {
    static DEPTH: Cell<i32> = const { Cell::new(0) };
}

impl<'py> Room<'py> {
    /// Room for a call that another one waits for.
    fn between(py: Python<'py>) -> Room<'py> {
        let none = Calls { frames: 0, in_c: 0 };
        let calls = if DEPTH.get() < DEEPEST { OWN } else { none };
        Room::new(py, calls)
    }

    fn new(py: Python<'py>, calls: Calls) -> Room<'py> {
        DEPTH.set(DEPTH.get() + 1);
        let state = ThreadState::of(py);
        let room = Room {
            _attached: py,
            calls,
            state,
        };
        room.add(calls.frames, calls.in_c);
        room
    }

    fn add(&self, frames: i32, in_c: i32) {
        let Some(state) = &self.state else {
            // SAFETY: this thread is attached to the interpreter.
            unsafe { ffi::Py_SetRecursionLimit(ffi::Py_GetRecursionLimit() + frames) };
            return;
        };
        // SAFETY: it lies in the state of this thread, which is attached.
        unsafe { *state.remaining() += frames };
        if let Some(remaining) = state.remaining_in_c() {
            // SAFETY: as above.
            unsafe { *remaining += in_c };
        }
    }
}

impl Drop for Room<'_> {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
        self.add(-self.calls.frames, -self.calls.in_c);
    }
}

/// Lets a signal have its way, if that is what interrupted.
fn interrupted(py: Python<'_>, error: std::io::Error) -> PyResult<()> {
    if error.kind() == ErrorKind::Interrupted {
        py.check_signals()
    } else {
        Err(error.into())
    }
}

/// Takes over a descriptor number.
///
/// # Errors
/// `ValueError` if it is not open.
pub fn owned(fd: RawFd) -> PyResult<OwnedFd> {
    // SAFETY: asking for the flags of any number is harmless.
    if fd < 0 || unsafe { libc::fcntl(fd, libc::F_GETFD) } < 0 {
        return Err(PyValueError::new_err(format!(
            "{fd} is no open file descriptor"
        )));
    }
    // SAFETY: it is open, and the caller hands it over.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Endpoint>()
}
