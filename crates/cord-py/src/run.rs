//! A scout under way: its strands, its window, and stepping it.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cord_core::{Ticket, Wake};
use pyo3::exceptions::{PyException, PyRecursionError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict, PyList, PySet, PyTuple};

use crate::activation::TOP_UP;
use crate::calls::{Entry, SharedCalls};
use crate::future::{resolved, waits_for, Future};
use crate::guard::{is_unwinding, stop, ScoutEnd};
use crate::heap::{view, Heap, Stepped};
use crate::pace::{Pace, Turn};
use crate::plain::is_deque;
use crate::readahead::Reading;
use crate::strand::{advance, promise, Counted, Ended, Results, Signal, Strand};
use crate::stream::Items;

/// How deep in helpers a scout may be.
const MAX_DEPTH: usize = 100;

/// One level of a scout: the generator that covers a frame of the program, and that frame's calls.
struct Level {
    generator: Py<PyAny>,
    calls: SharedCalls,
    result: Option<Py<Future>>,
}

/// The strand that runs.
struct Current {
    id: u64,
    place: SharedCalls,
    depth: usize,
    waits: bool,
    /// It waits for an item of a stream, not for its own result.
    starved: bool,
    items: Option<Items>,
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
    until: Option<Instant>,
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
    stepping: AtomicBool,
    strands: AtomicU64,
    /// Tells it from all others.
    pub number: usize,
}

static RUNS: AtomicUsize = AtomicUsize::new(0);

#[pymethods]
impl Run {
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

    /// Starts a strand that runs `function(run, *args)`, which gives `count` values.
    #[pyo3(signature = (count, function, *args))]
    fn defer<'py>(
        slf: &Bound<'py, Self>,
        count: usize,
        function: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut all = Vec::with_capacity(args.len() + 1);
        all.push(slf.clone().into_any());
        all.extend(args.iter());
        let generator = function.call1(PyTuple::new(slf.py(), all)?)?;
        let calls = SharedCalls::default();
        let run = slf.get();
        run.place()?.push(Entry::Group(calls.clone()));
        let counted = Some(Counted::new(&run.pace.outstanding));
        let items = run.items();
        let items = items.as_ref().map(Items::inner);
        run.start(
            slf.py(),
            generator.unbind(),
            calls,
            counted,
            Some(count),
            items,
        )
    }
}

impl Run {
    pub fn new(window: usize, heap: Py<Heap>) -> Self {
        Self {
            inner: Mutex::default(),
            heap,
            pace: Pace::new(window),
            signal: Arc::default(),
            alive: AtomicBool::new(true),
            stepping: AtomicBool::new(false),
            strands: AtomicU64::new(0),
            number: RUNS.fetch_add(1, Ordering::Relaxed) + 1,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the strand that runs has asked to wait; it will not.
    pub fn waits_now(&self) -> bool {
        let mut inner = self.lock();
        let current = inner.current.as_mut();
        current.is_some_and(|current| std::mem::take(&mut current.waits))
    }

    /// Gives the scout its generators, innermost frame first.
    pub fn begin(&self, levels: Vec<(Py<PyAny>, SharedCalls, Option<Py<Future>>)>) {
        let mut inner = self.lock();
        inner.levels = levels
            .into_iter()
            .rev()
            .map(|(generator, calls, result)| Level {
                generator,
                calls,
                result,
            })
            .collect();
        self.enter_level(&mut inner);
    }

    pub fn is_alive(&self) -> bool {
        self.alive.load(Ordering::Relaxed)
    }

    pub fn passes(&self, site: u32) -> bool {
        self.lock().passed.contains(&site)
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

    /// Where calls go now.
    pub fn place(&self) -> PyResult<SharedCalls> {
        let inner = self.lock();
        let current = inner.current.as_ref().ok_or_else(stop)?;
        Ok(current.place.clone())
    }

    fn items(&self) -> Option<Items> {
        let inner = self.lock();
        inner.current.as_ref()?.items.clone()
    }

    /// The strand that runs waits for the other end of a stream; its number.
    pub fn starve(&self) -> PyResult<u64> {
        let mut inner = self.lock();
        let current = inner.current.as_mut().ok_or_else(stop)?;
        current.waits = true;
        current.starved = true;
        Ok(current.id)
    }

    /// Starts the producer of a stream.
    pub fn produce(
        &self,
        py: Python<'_>,
        generator: Py<PyAny>,
        calls: SharedCalls,
        items: Items,
    ) -> PyResult<()> {
        let counted = Some(Counted::new(&self.pace.outstanding));
        self.start(py, generator, calls, counted, None, Some(items))?;
        Ok(())
    }

    /// Goes one helper deeper, unless that is too deep.
    pub fn descend(&self) -> PyResult<()> {
        match &mut self.lock().current {
            Some(current) if current.depth < MAX_DEPTH => {
                current.depth += 1;
                Ok(())
            }
            _ => Err(stop()),
        }
    }

    pub fn ascend(&self) {
        if let Some(current) = &mut self.lock().current {
            current.depth = current.depth.saturating_sub(1);
        }
    }

    /// Whether so little is out that it is worth a moment even when a reply is there.
    pub fn is_low(&self) -> bool {
        self.signal.is_set() || self.pace.is_low()
    }

    /// Whether strands wait for calls that are under way.
    pub fn is_waiting(&self) -> bool {
        !self.lock().waiting.is_empty()
    }

    pub fn should_pause(&self) -> bool {
        if self.pace.is_full() {
            return true;
        }
        let inner = self.lock();
        if inner.awaited.as_ref().is_some_and(Ticket::is_settled) {
            return true;
        }
        inner.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Runs the scout until the awaited reply is there, the time is over, its window is full or it
    /// ends. Its own exceptions end it silently; interrupts go to the program.
    pub fn step(
        slf: &Bound<'_, Self>,
        awaited: Option<&Ticket>,
        budget: Option<Duration>,
    ) -> PyResult<()> {
        let until = budget.map(|budget| Instant::now() + budget);
        Self::stepping(slf, awaited, until, Self::resume_until_pause)
    }

    /// Runs the strands whose values have come, and no others.
    pub fn step_woken(slf: &Bound<'_, Self>) -> PyResult<()> {
        let until = Some(Instant::now() + TOP_UP);
        Self::stepping(slf, None, until, Self::resume_woken)
    }

    fn stepping(
        slf: &Bound<'_, Self>,
        awaited: Option<&Ticket>,
        until: Option<Instant>,
        resume: fn(&Self, Python<'_>) -> PyResult<()>,
    ) -> PyResult<()> {
        let run = slf.get();
        if !run.is_alive() || run.stepping.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        {
            let mut inner = run.lock();
            inner.awaited = awaited.cloned();
            inner.until = until;
        }
        let reading = Reading::by(run.number);
        let stepped = Stepped::new(run.heap.bind(slf.py()), slf.clone().unbind().into_any());
        let result = resume(run, slf.py());
        drop(stepped);
        drop(reading);
        run.lock().awaited = None;
        run.stepping.store(false, Ordering::Relaxed);
        result
    }

    fn resume_woken(&self, py: Python<'_>) -> PyResult<()> {
        while let Some(id) = self.signal.next() {
            let strand = self.lock().waiting.remove(&id);
            if let Some(strand) = strand {
                if strand.starved {
                    self.lock().paused.push_front(strand);
                    continue;
                }
                self.pace.exempt(true);
                let result = self.resume(py, strand);
                self.pace.exempt(false);
                result?;
            }
        }
        Ok(())
    }

    fn resume_until_pause(&self, py: Python<'_>) -> PyResult<()> {
        while self.is_alive() {
            self.resume_woken(py)?;
            if self.should_pause() {
                break;
            }
            let next = self.lock().paused.pop_front();
            match next {
                Some(strand) => self.resume(py, strand)?,
                None => {
                    if self.lock().waiting.is_empty() {
                        self.end();
                    }
                    break;
                }
            }
        }
        Ok(())
    }

    /// Lets a strand go on, and puts it where it belongs then.
    fn resume(&self, py: Python<'_>, strand: Strand) -> PyResult<()> {
        let mut strands = Vec::new();
        if let Step::Pauses(strand) = self.advance(py, strand)? {
            strands.push(strand);
        }
        let mut inner = self.lock();
        strands.extend(inner.within.drain(..).rev());
        for strand in strands {
            inner.paused.push_front(strand);
        }
        Ok(())
    }

    /// Runs a strand as far as it can go. Fails with what is the program's: interrupts.
    fn advance(&self, py: Python<'_>, mut strand: Strand) -> PyResult<Step> {
        if !strand.place.is_wanted() {
            self.finish(strand, None);
            return Ok(Step::Ended(stop()));
        }
        let current = Current {
            id: strand.id,
            place: strand.place.clone(),
            depth: strand.depth,
            waits: false,
            starved: false,
            items: strand.items.clone(),
        };
        let outer = self.lock().current.replace(current);
        let ended = advance(py, &strand.generator);
        let current = std::mem::replace(&mut self.lock().current, outer);
        let (waits, starved) = current.map_or((false, false), |current| {
            strand.depth = current.depth;
            (current.waits, current.starved)
        });
        strand.starved = starved;
        match ended {
            Ended::Yielded if waits => {
                let mut inner = self.lock();
                if !starved && std::mem::take(&mut strand.main) {
                    // it has only its result to wait for: the frame around can be covered now
                    self.enter_level(&mut inner);
                }
                inner.waiting.insert(strand.id, strand);
                Ok(Step::Waits)
            }
            Ended::Yielded => Ok(Step::Pauses(strand)),
            Ended::Returned(value) => {
                self.finish(strand, Some(value.bind(py)));
                Ok(Step::Returned(value))
            }
            Ended::Raised(error) => {
                if error.is_instance_of::<PyRecursionError>(py) {
                    // the stack has no room even to close the generator
                    std::mem::forget(strand.generator.clone_ref(py));
                }
                self.finish(strand, None);
                if error.is_instance_of::<PyException>(py) || error.is_instance_of::<ScoutEnd>(py) {
                    return Ok(Step::Ended(error));
                }
                Err(error)
            }
        }
    }

    /// A strand has ended: with what it returned, or before that.
    fn finish(&self, strand: Strand, value: Option<&Bound<'_, PyAny>>) {
        {
            let mut place = strand.place.lock();
            place.open = false;
            place.failed = value.is_none();
        }
        if let Some(items) = &strand.items {
            items.close(value.is_none());
            if let Some(reader) = items.waiting_reader() {
                self.signal.wake_strand(reader);
            }
        }
        for id in strand.results.settle(value) {
            self.signal.wake(id);
        }
        if strand.main {
            let mut inner = self.lock();
            let left = match value {
                Some(_) => {
                    self.enter_level(&mut inner);
                    Vec::new()
                }
                None => std::mem::take(&mut inner.levels),
            };
            drop(inner);
            drop(left);
        }
        drop(strand);
    }

    fn enter_level(&self, inner: &mut Inner) {
        if let Some(level) = inner.levels.pop() {
            level.calls.lock().open = true;
            inner.paused.push_back(Strand {
                id: self.strands.fetch_add(1, Ordering::Relaxed),
                generator: level.generator,
                place: level.calls,
                results: level.result.map_or(Results::Nobody, Results::Whole),
                depth: 0,
                starved: false,
                items: None,
                main: true,
                _counted: None,
            });
        }
    }

    /// Starts a strand inside the one that runs and lets it go as far as it can: what it returns,
    /// or futures for that. With a `count`, it returns a tuple of so many values.
    pub fn start<'py>(
        &self,
        py: Python<'py>,
        generator: Py<PyAny>,
        place: SharedCalls,
        counted: Option<Counted>,
        count: Option<usize>,
        items: Option<Items>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let depth = self.lock().current.as_ref().map_or(0, |c| c.depth) + 1;
        if depth > MAX_DEPTH {
            return Err(stop());
        }
        place.lock().open = true;
        let strand = Strand {
            id: self.strands.fetch_add(1, Ordering::Relaxed),
            generator,
            place,
            results: Results::Nobody,
            depth,
            starved: false,
            items,
            main: false,
            _counted: counted,
        };
        let id = strand.id;
        let paused = match self.advance(py, strand)? {
            Step::Returned(value) if fits(value.bind(py), count) => {
                return Ok(value.into_bound(py));
            }
            // an exception there is one here too
            Step::Ended(error) if !is_refusal(py, &error) => return Err(error),
            Step::Pauses(strand) => Some(strand),
            Step::Returned(_) | Step::Ended(_) | Step::Waits => None,
        };
        let (results, futures) = promise(py, count)?;
        let mut inner = self.lock();
        if let Some(mut strand) = paused {
            strand.results = results;
            inner.within.push(strand);
        } else if let Some(strand) = inner.waiting.get_mut(&id) {
            strand.results = results;
        } else {
            drop(inner);
            results.settle(None);
        }
        Ok(futures)
    }
}

/// How far a strand went.
enum Step {
    Returned(Py<PyAny>),
    Waits,
    Pauses(Strand),
    Ended(PyErr),
}

/// Whether a strand returned the values that were asked for, and did not end early.
fn fits(value: &Bound<'_, PyAny>, count: Option<usize>) -> bool {
    count.is_none_or(|count| {
        value
            .cast_exact::<PyTuple>()
            .is_ok_and(|values| values.len() == count)
    })
}

/// Whether a strand ended because a guard refused something, which the program may well do.
fn is_refusal(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<ScoutEnd>(py) && !is_unwinding(py, error)
}
