//! A scout under way: its strands, its window, and what its generators ask of it.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cord_core::scout::{Pace, Turn};
use cord_core::{thread_time, Ticket, Wake};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict, PyList, PySet, PyTuple};

use crate::calls::SharedCalls;
use crate::copies::is_copy;
use crate::future::{is_future, resolved, waits_for, Future};
use crate::heap::{running, view, writable, Heap};
use crate::inlining::Inlining;
use crate::plain::is_deque;
use crate::scout_end::stop;
use crate::strand::{Signal, Strand};

mod current;
mod stepping;

use current::Current;

/// One level of a scout: the generator that covers a frame of the program, and that frame's calls.
pub struct Level {
    pub generator: Py<PyAny>,
    pub calls: SharedCalls,
    pub result: Option<Py<Future>>,
    /// No scout has covered that frame before.
    pub first: bool,
}

#[derive(Default)]
struct Inner {
    /// Frames of the program still to be covered, innermost last.
    levels: Vec<Level>,
    current: Option<Current>,
    /// Strands that can go on, in the order of the program.
    paused: VecDeque<Strand>,
    /// Those that paused inside the one that runs, innermost first.
    within: Vec<Strand>,
    waiting: HashMap<u64, Strand>,
    /// Sites that the scout leaves to the program.
    passed: HashSet<u32>,
    awaited: Option<Ticket>,
    until: Option<Until>,
    /// Where the calls are that it has issued.
    met: Vec<Arc<Inlining>>,
}

/// The end of the time that a scout is given while the program could go on. What the kernel gives to
/// others meanwhile does not count: a scout that is held up so would be no earlier than the program.
pub struct Until {
    end: Instant,
    used: Duration,
    budget: Duration,
}

impl Until {
    pub fn after(budget: Duration) -> Self {
        Self {
            end: Instant::now() + budget,
            used: thread_time(),
            budget,
        }
    }

    pub fn is_over(&self) -> bool {
        Instant::now() >= self.end && thread_time().saturating_sub(self.used) >= self.budget
    }
}

/// A scout under way.
///
/// Its generators hold it and it holds them: whoever lets go of it ends it first.
#[pyclass(module = "cord._core", frozen)]
pub struct Run {
    inner: Mutex<Inner>,
    heap: Py<Heap>,
    pub pace: Pace,
    pub signal: Arc<Signal>,
    alive: AtomicBool,
    /// The program will do all that the scout has done, whatever comes of the calls on the way.
    certain: AtomicBool,
    stepping: AtomicBool,
    /// There are conditions to be learned from.
    learning: AtomicBool,
    strands: AtomicU64,
    /// Tells it from all others.
    pub number: usize,
}

static RUNS: AtomicUsize = AtomicUsize::new(0);

#[pymethods]
impl Run {
    /// What its generators hold may hold it in turn, through the frames of the program.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.heap)?;
        let Ok(inner) = self.inner.try_lock() else {
            return Ok(()); // it is in use, so nobody lets go of it now
        };
        for level in &inner.levels {
            visit.call(&level.generator)?;
            visit.call(&level.result)?;
        }
        let strands = inner.paused.iter().chain(&inner.within);
        for strand in strands.chain(inner.waiting.values()) {
            visit.call(&strand.generator)?;
        }
        Ok(())
    }

    /// Called by scouts where they loop: whether to pause.
    ///
    /// # Errors
    /// Ends a strand that has gone round for very long without a call.
    fn tick(&self) -> PyResult<bool> {
        match self.pace.tick() {
            Turn::GoOn => Ok(false),
            Turn::Look => Ok(self.should_pause()),
            Turn::TooMany => Err(stop()),
        }
    }

    /// What the scout has written.
    #[getter]
    fn heap<'py>(&self, py: Python<'py>) -> Bound<'py, Heap> {
        self.heap.bind(py).clone()
    }

    /// A generator's scout yields a value: whether to pause.
    fn item(&self, value: Py<PyAny>) -> PyResult<bool> {
        let (items, id) = {
            let inner = self.lock();
            let current = inner.current.as_ref().ok_or_else(stop)?;
            (current.items.clone().ok_or_else(stop)?, current.id)
        };
        let full = items.push(value, id);
        if full {
            self.starve()?;
        }
        if let Some(reader) = items.waiting_reader() {
            self.signal.wake_strand(reader);
        }
        Ok(full || self.should_pause())
    }

    /// Called by scouts after they started a strand: whether to pause.
    fn pauses(&self) -> bool {
        self.should_pause()
    }

    /// Whether the program will do all that the scout has done.
    #[getter]
    pub fn certain(&self) -> bool {
        self.certain.load(Ordering::Relaxed)
    }

    /// From here on the program may do something else.
    pub fn doubt(&self) {
        self.certain.store(false, Ordering::Relaxed);
    }

    /// Tells which sites the scout leaves to the program.
    fn pass_by(&self, sites: Vec<u32>) {
        self.lock().passed.extend(sites);
    }

    /// Whether the strand must wait for one of these values; it is woken when that is there.
    #[pyo3(signature = (*values))]
    fn waits(&self, values: &Bound<'_, PyTuple>) -> PyResult<bool> {
        let Some(id) = self.lock().current.as_ref().map(|current| current.id) else {
            return Err(stop());
        };
        let who: Arc<dyn Wake> = Arc::clone(&self.signal) as Arc<dyn Wake>;
        for value in values.iter() {
            let value = view(&value);
            if waits_for(&value, &who, id)? {
                if let Some(current) = &mut self.lock().current {
                    current.waits = true;
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A value without futures in it.
    fn value<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        resolved(&view(value))
    }

    /// A container as it is now, for a strand that reads it later.
    fn copy<'py>(&self, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let shown = value;
        let value = view(&shown);
        if is_future(&value) && !is_future(&shown) {
            return Err(stop()); // it is lost
        }
        let copied = value.is_exact_instance_of::<PyList>()
            || value.is_exact_instance_of::<PyDict>()
            || value.is_exact_instance_of::<PySet>()
            || value.is_exact_instance_of::<PyByteArray>()
            || is_deque(&value)?;
        if copied {
            return value.call_method0("copy");
        }
        Ok(shown)
    }

    /// How many items a container has.
    fn size(&self, container: &Bound<'_, PyAny>) -> PyResult<usize> {
        view(container).len()
    }

    /// What a strand has added to a container, which had so many items before.
    fn added<'py>(
        &self,
        container: &Bound<'py, PyAny>,
        size: usize,
    ) -> PyResult<Bound<'py, PyList>> {
        let added = PyList::empty(container.py());
        for item in view(container).try_iter()?.skip(size) {
            added.append(item?)?;
        }
        Ok(added)
    }

    /// Puts into a container that is used up what strands add to it, in the program's order. Whether
    /// the strand that runs must wait for that.
    fn refill(
        &self,
        container: &Bound<'_, PyAny>,
        additions: &Bound<'_, PyList>,
    ) -> PyResult<bool> {
        let py = container.py();
        while view(container).len()? == 0 && !additions.is_empty() {
            let first = additions.get_item(0)?;
            if self.waits(&PyTuple::new(py, [&first])?)? {
                return Ok(true);
            }
            additions.del_item(0)?;
            let added = resolved(&first)?;
            writable(container, true)?.call_method1(intern!(py, "extend"), (added,))?;
        }
        Ok(false)
    }

    /// Starts a strand that runs `function(run, *args)`, which gives `count` values.
    #[pyo3(signature = (count, function, *args))]
    fn defer<'py>(
        slf: &Bound<'py, Self>,
        count: usize,
        function: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let begun = Self::group(slf, function, args)?;
        slf.get().start(slf.py(), begun, Some(count))
    }
}

/// The scout that is stepped, if one is, has come to something that the program need not find alike.
#[pyfunction]
pub fn doubt(py: Python<'_>) {
    if let Ok(run) = running(py) {
        if let Ok(run) = run.cast_exact::<Run>() {
            run.get().doubt();
        }
    }
}

impl Run {
    /// A scout that is born behind a call: `certain`, if only that may keep the program from going on.
    pub fn new(window: usize, heap: Py<Heap>, certain: bool) -> Self {
        Self {
            inner: Mutex::default(),
            heap,
            pace: Pace::new(window),
            signal: Arc::default(),
            alive: AtomicBool::new(true),
            certain: AtomicBool::new(certain),
            stepping: AtomicBool::new(false),
            learning: AtomicBool::new(false),
            strands: AtomicU64::new(0),
            number: RUNS.fetch_add(1, Ordering::Relaxed) + 1,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives the scout its generators, innermost frame first.
    pub fn begin(&self, mut levels: Vec<Level>) {
        levels.reverse();
        let mut inner = self.lock();
        inner.levels = levels;
        self.enter_level(&mut inner);
    }

    pub fn is_alive(&self) -> bool {
        self.alive.load(Ordering::Relaxed) && !is_copy()
    }

    /// The scout leaves a call to the program.
    pub fn pass(&self, site: u32) {
        self.lock().passed.insert(site);
    }

    pub fn passes(&self, site: u32) -> bool {
        self.lock().passed.contains(&site)
    }

    /// It has issued a call at a place of which this is known.
    pub fn meet(&self, inlining: &Arc<Inlining>) {
        let met = &mut self.lock().met;
        if !met.iter().any(|known| Arc::ptr_eq(known, inlining)) {
            met.push(Arc::clone(inlining));
        }
    }

    /// What is known of the places at which it has issued calls.
    pub fn met(&self) -> Vec<Arc<Inlining>> {
        self.lock().met.clone()
    }

    /// Ends the scout; calls already issued stay.
    pub fn end(&self) {
        self.alive.store(false, Ordering::Relaxed);
        let mut inner = self.lock();
        let levels = std::mem::take(&mut inner.levels);
        let paused = std::mem::take(&mut inner.paused);
        let within = std::mem::take(&mut inner.within);
        let waiting = std::mem::take(&mut inner.waiting);
        drop(inner);
        for strand in paused.iter().chain(&within).chain(waiting.values()) {
            strand.place.lock().open = false;
        }
        drop((levels, paused, within, waiting));
        if !self.stepping.load(Ordering::Relaxed) {
            self.heap.get().clear();
        }
    }

    /// The frame whose calls these are has no use for the scout any more.
    pub fn leave(&self, calls: &SharedCalls) {
        let inner = self.lock();
        let mut mains = inner.paused.iter().chain(inner.waiting.values());
        let covers = mains.any(|strand| strand.main && strand.place.is(calls));
        drop(inner);
        if covers {
            self.end();
        }
    }

    pub fn learns(&self) {
        self.learning.store(true, Ordering::Relaxed);
    }

    /// Whether strands are to be woken that may find out how a loop ends.
    pub fn has_learned(&self) -> bool {
        self.signal.is_set() && self.learning.load(Ordering::Relaxed)
    }

    /// Whether so little is out that it is worth a moment even when a reply is there.
    pub fn is_low(&self) -> bool {
        self.signal.is_set() || self.pace.is_low()
    }

    /// Whether strands wait for calls that are under way.
    pub fn is_waiting(&self) -> bool {
        !self.lock().waiting.is_empty()
    }

    /// Whether strands could go on, but had no time to, or enough calls out.
    pub fn is_held_up(&self) -> bool {
        !self.lock().paused.is_empty()
    }

    /// Whether some of them only follow what others do, and may go on.
    pub fn holds_up_followers(&self) -> bool {
        !self.pace.is_crowded() && self.lock().paused.iter().any(|strand| !strand.leads())
    }

    /// Whether strands would go on if replicas had nothing to do.
    pub fn can_stretch(&self) -> bool {
        self.is_held_up() && self.pace.can_stretch()
    }

    pub fn should_pause(&self) -> bool {
        self.pace.is_full() || self.is_over()
    }

    /// Whether the program could go on, and the scout's time is over.
    fn is_over(&self) -> bool {
        let inner = self.lock();
        if inner.awaited.as_ref().is_some_and(Ticket::is_settled) {
            return true;
        }
        inner.until.as_ref().is_some_and(Until::is_over)
    }
}
