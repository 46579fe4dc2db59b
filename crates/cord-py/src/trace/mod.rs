//! A run is written down: what the dispatcher does by itself ([`cord_core::trace`]), and here what the
//! program has waited for, where.

pub mod frames;
mod predict;
mod sampler;
mod traced;

use std::cell::Cell;
use std::os::fd::RawFd;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use cord_core::ticket::Ticket;
use cord_core::trace::{Log, Record};
use cord_os::copied::is_copy;
use cord_scout::Answers;
use pyo3::prelude::*;

use crate::replica::endpoint::owned;
use sampler::Sampler;

/// Whether this process writes a run down: not a copy of it, nor a child.
static IS_ON: AtomicBool = AtomicBool::new(false);
static LOG: OnceLock<Arc<Log>> = OnceLock::new();
/// Numbers the program's threads in the order in which they make calls.
static THREADS: AtomicU32 = AtomicU32::new(0);

thread_local! {
    static THREAD: u32 = THREADS.fetch_add(1, Ordering::Relaxed);
    /// The call that has answered the take which this thread is in.
    static ANSWER: Cell<u64> = const { Cell::new(0) };
}

/// Where this process writes its run down, if it does.
fn log() -> Option<&'static Arc<Log>> {
    match IS_ON.load(Ordering::Relaxed) {
        true if !is_copy() => LOG.get(),
        _ => None,
    }
}

/// This process is a child of the program's: it writes nothing.
pub fn leave() {
    IS_ON.store(false, Ordering::Relaxed);
}

/// The call was made at a place.
pub fn placed(answers: &Answers, ticket: &Ticket) {
    if let Some(log) = log() {
        log.note(Record::Placed {
            call: ticket.id(),
            place: answers.place(),
        });
    }
}

/// This call answers the take that the thread is in.
pub fn answered(ticket: &Ticket) {
    if IS_ON.load(Ordering::Relaxed) {
        ANSWER.set(ticket.id());
    }
}

/// The take that a thread was in when another one began; the innermost counts.
pub struct Outer(u64);

/// A thread begins a take; none where nothing is written down.
pub fn begin() -> Option<Outer> {
    log()?;
    sampler::pause();
    Some(Outer(ANSWER.replace(0)))
}

/// It has ended, after so long.
pub fn end(outer: Option<Outer>, answers: &Answers, spent: Duration) {
    let Some(outer) = outer else { return };
    let call = ANSWER.replace(outer.0);
    sampler::go_on();
    if let Some(log) = log() {
        log.note(Record::Took {
            thread: THREAD.with(|thread| *thread),
            place: answers.place(),
            call,
            spent: u64::try_from(spent.as_nanos()).unwrap_or(u64::MAX),
        });
    }
}

/// A scout was born at a place.
pub fn scouted(answers: &Answers) {
    if let Some(log) = log() {
        let place = answers.place();
        log.note(Record::Scouted { place });
    }
}

/// A copy of the program was made, which took so long.
pub fn copied(cost: Duration) {
    if let Some(log) = log() {
        let cost = u64::try_from(cost.as_nanos()).unwrap_or(u64::MAX);
        log.note(Record::Copied { cost });
    }
}

/// A run that is written down, to an open file, which is taken over.
#[pyclass(frozen, module = "cord._core")]
pub struct Trace {
    log: Arc<Log>,
    sampler: Mutex<Option<Sampler>>,
    process: u32,
}

impl Drop for Trace {
    fn drop(&mut self) {
        if self.process != std::process::id() {
            // its thread does not exist in a child
            std::mem::forget(self.sampler.get_mut().map(Option::take));
        }
    }
}

/// How often the program was seen at a line: file, line, times.
type Seen = Vec<(String, u32, u64)>;

#[pymethods]
impl Trace {
    #[new]
    fn new(file: RawFd, head: &str) -> PyResult<Trace> {
        Ok(Trace {
            log: Arc::new(Log::begin(owned(file)?, head)?),
            sampler: Mutex::new(None),
            process: std::process::id(),
        })
    }

    /// The program's first thread begins: it is looked at every so many seconds, at the lines of files
    /// in these folders.
    fn watch(&self, every: f64, folders: Vec<String>) -> PyResult<()> {
        let sampler = Sampler::begin(Duration::from_secs_f64(every), folders)?;
        *self.sampler.lock().unwrap_or_else(PoisonError::into_inner) = Some(sampler);
        Ok(())
    }

    /// The program has ended: how often it was seen where, calls apart, and where at calls.
    fn seen(&self, py: Python<'_>) -> (Seen, Seen) {
        let sampler = self
            .sampler
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        sampler.map_or_else(Default::default, |sampler| py.detach(|| sampler.end()))
    }

    /// Nanoseconds since the session began.
    #[getter]
    fn now(&self) -> u64 {
        self.log.now()
    }

    /// Ends it, with what is known of the run now.
    fn end(&self, text: &str) -> PyResult<()> {
        leave();
        Ok(self.log.end(text)?)
    }
}

impl Trace {
    /// The session that is written down begins.
    pub fn begin(&self) -> Arc<Log> {
        if LOG.set(Arc::clone(&self.log)).is_ok() {
            IS_ON.store(true, Ordering::Relaxed);
        }
        Arc::clone(&self.log)
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    predict::register(module)?;
    module.add_class::<Trace>()?;
    module.add_class::<traced::TracedCalls>()?;
    module.add_class::<traced::Traced>()
}
