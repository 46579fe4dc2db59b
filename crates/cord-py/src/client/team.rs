//! The workers of a pool of the program's, fed by a dispatcher of their own.
//!
//! The program, or the library that its pool is from, makes the processes; each of them takes one end of
//! a link from the socket by which replicas are asked for, and serves it.

use std::collections::{HashMap, VecDeque};
use std::os::fd::{AsRawFd, RawFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use cord_copies::{end, why};
use cord_core::call::Call;
use cord_core::ticket::Ticket;
use cord_dispatch::manner::Manner;
use cord_dispatch::module_spec::ModuleSpec;
use cord_os::self_pipe::SelfPipe;
use cord_os::threads::is_main_thread;
use cord_sync::wake::Wake;
use cord_wire::effects::Effects;
use cord_wire::outcome::{Outcome, KIND_VALUE};
use cord_wire::payload::{Payload, World};
use cord_wire::segment::SHARED_FROM;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::client::ticket::SIGNALS;
use crate::copies;
use crate::replica::endpoint::owned;
use crate::travel::buffers::{buffers_from_py, buffers_to_py, Outside};
use crate::travel::large::bytes;

/// What stands among the numbers of tasks for the end that somebody has put there.
const END: u64 = 0;
/// Who gives tasks waits while those that are not done have so many bytes, as a pipe holds …
const BYTES: usize = 64 << 10;
/// … and there are so many for each worker.
const EACH: usize = 2;

/// What came of a task: a head, and what is beside it.
type Came<'py> = (Bound<'py, PyBytes>, Bound<'py, PyList>);

/// The workers of one pool.
#[pyclass(frozen, module = "cord._core")]
struct Team {
    core: cord_core::session::Session,
    arrivals: Arc<Arrivals>,
    workers: usize,
    given: Mutex<Given>,
    /// A task is done, or nobody is to wait any more.
    room: Condvar,
    world: World,
}

/// Tasks that have been given and not had back.
#[derive(Debug, Default)]
struct Given {
    tickets: HashMap<u64, (Ticket, usize)>,
    bytes: usize,
    /// Nobody waits for room.
    is_open: bool,
    /// Workers are to end once all is done.
    is_last: bool,
}

/// Tasks that are done, in the order in which they came to be.
#[derive(Debug)]
struct Arrivals {
    done: Mutex<Done>,
    changed: Condvar,
    /// Can be read while there are some, if anybody asks.
    bell: SelfPipe,
    is_rung: AtomicBool,
}

#[derive(Debug, Default)]
struct Done {
    ids: VecDeque<u64>,
    waiting: u32,
}

impl Arrivals {
    fn done(&self) -> MutexGuard<'_, Done> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives the next one, waiting for it at most so often as signals are looked after, if somebody does.
    fn next(&self) -> Option<u64> {
        let mut done = self.done();
        if done.ids.is_empty() {
            done.waiting += 1;
            done = match is_main_thread() {
                true => self
                    .changed
                    .wait_timeout(done, SIGNALS)
                    .map_or_else(|poisoned| poisoned.into_inner().0, |(done, _)| done),
                false => self
                    .changed
                    .wait(done)
                    .unwrap_or_else(PoisonError::into_inner),
            };
            done.waiting -= 1;
        }
        self.pop(&mut done)
    }

    /// The next one, if there is any.
    fn take(&self) -> Option<u64> {
        self.pop(&mut self.done())
    }

    fn pop(&self, done: &mut Done) -> Option<u64> {
        let id = done.ids.pop_front()?;
        if done.ids.is_empty() && self.is_rung.load(Ordering::Relaxed) {
            self.bell.clear();
        }
        Some(id)
    }
}

impl Wake for Arrivals {
    fn wake(&self, id: u64) {
        let mut done = self.done();
        done.ids.push_back(id);
        if done.ids.len() == 1 && self.is_rung.load(Ordering::Relaxed) {
            self.bell.wake();
        }
        if done.waiting > 0 {
            self.changed.notify_one();
        }
    }
}

#[pymethods]
impl Team {
    #[new]
    #[pyo3(signature = (control_fd, workers, recycle=None))]
    fn new(control_fd: RawFd, workers: u32, recycle: Option<u32>) -> PyResult<Team> {
        let mut spec = ModuleSpec::plain("pool", workers);
        spec.recycle = recycle;
        spec.manners = vec![Manner {
            // as in plain Python, tasks begin in their order: one may wait for what another does
            watermark: Some(1),
            ..Manner::default()
        }];
        Ok(Team {
            core: cord_core::session::Session::start(vec![spec], owned(control_fd)?, false, None)?,
            arrivals: Arc::new(Arrivals {
                done: Mutex::default(),
                changed: Condvar::new(),
                bell: SelfPipe::new()?,
                is_rung: AtomicBool::new(false),
            }),
            workers: workers as usize,
            given: Mutex::default(),
            room: Condvar::new(),
            world: Vec::new().into(),
        })
    }

    /// Gives a task to one of the workers; may wait until there is room for it.
    fn issue(&self, py: Python<'_>, head: &[u8], buffers: &Bound<'_, PyList>) -> PyResult<()> {
        if copies::is_copy() {
            end(why::SESSION);
        }
        let payload = Payload {
            head: head.to_vec(),
            buffers: buffers_from_py(py, buffers, Outside::Copied(SHARED_FROM))?,
            ..Payload::default()
        };
        if self.is_full(&self.given()) {
            py.detach(|| self.wait_for_room());
        }
        let bytes = payload.len();
        let ticket = self.core.issue(Call {
            world: World::clone(&self.world),
            ..Call::plain(Effects::Independent, payload)
        });
        let id = ticket.id() + 1;
        let mut given = self.given();
        given.bytes += bytes;
        let arrivals = Arc::clone(&self.arrivals) as Arc<dyn Wake>;
        if !ticket.wake(&arrivals, id) {
            self.arrivals.wake(id);
        }
        given.tickets.insert(id, (ticket, bytes));
        Ok(())
    }

    /// How many tasks have been given and not had back.
    #[getter]
    fn tasks(&self) -> usize {
        self.given().tickets.len()
    }

    /// The next task that is done: what it has given; `None` if that is the end that somebody has put
    /// there, or if none is done and nobody `waits`. What was lost with its worker never comes.
    #[pyo3(signature = (waits=true))]
    fn next<'py>(&self, py: Python<'py>, waits: bool) -> PyResult<Option<Came<'py>>> {
        loop {
            if copies::is_copy() {
                end(why::SESSION);
            }
            let here = self.arrivals.take();
            let Some(id) = here.or_else(|| waits.then(|| py.detach(|| self.arrivals.next()))?)
            else {
                if !waits {
                    return Ok(None);
                }
                py.check_signals()?;
                continue;
            };
            if id == END {
                return Ok(None);
            }
            let outcome = self.had_back(id);
            self.end_if_last(py);
            if let Some(Outcome::Reply {
                kind: KIND_VALUE,
                payload,
                ..
            }) = outcome
            {
                let head = bytes(py, &payload.head)?;
                return Ok(Some((head, buffers_to_py(py, payload.buffers)?)));
            }
        }
    }

    /// Whether something has come, if only that a task is lost.
    fn has_next(&self) -> bool {
        !self.arrivals.done().ids.is_empty()
    }

    /// A descriptor that can be read when something has come.
    fn fileno(&self) -> RawFd {
        let done = self.arrivals.done();
        if !self.arrivals.is_rung.swap(true, Ordering::Relaxed) && !done.ids.is_empty() {
            self.arrivals.bell.wake();
        }
        self.arrivals.bell.reader_unseen().as_raw_fd()
    }

    /// Puts an end behind what is done.
    fn put_end(&self) {
        self.arrivals.wake(END);
    }

    /// Lets workers end when all that they were given is done.
    fn finish(&self, py: Python<'_>) {
        self.given().is_last = true;
        self.end_if_last(py);
    }

    /// Whoever gives tasks does not wait any more.
    fn make_room(&self) {
        self.given().is_open = true;
        self.room.notify_all();
    }

    /// No worker is given anything more.
    fn close(&self, py: Python<'_>) {
        self.make_room();
        py.detach(|| self.core.close());
    }

    /// In a forked child: forgets the workers, touching nobody.
    fn abandon(&self) {
        self.core.abandon();
        for end in self.arrivals.bell.ends() {
            end.close_copy();
        }
    }
}

impl Team {
    fn given(&self) -> MutexGuard<'_, Given> {
        self.given.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_full(&self, given: &Given) -> bool {
        let most = EACH * self.workers;
        !given.is_open && given.bytes > BYTES && given.tickets.len() >= most
    }

    fn wait_for_room(&self) {
        drop(
            self.room
                .wait_while(self.given(), |given| self.is_full(given)),
        );
    }

    /// What came of a task.
    fn had_back(&self, id: u64) -> Option<Outcome> {
        let mut given = self.given();
        let (ticket, bytes) = given.tickets.remove(&id)?;
        given.bytes -= bytes;
        self.room.notify_one();
        ticket.take()
    }

    fn end_if_last(&self, py: Python<'_>) {
        let given = self.given();
        if given.is_last && given.tickets.is_empty() {
            drop(given);
            self.close(py);
        }
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Team>()
}
