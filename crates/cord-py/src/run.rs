//! A scout under way: its generators, its window, and stepping it.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cord_core::Ticket;
use pyo3::exceptions::{PyException, PyRecursionError, PyStopIteration};
use pyo3::prelude::*;

use crate::calls::{Outstanding, SharedCalls};
use crate::guard::{stop, ScoutEnd};

/// Bounds on what a scout may have out: calls issued and not yet taken, bytes of their arguments.
pub const MAX_CALLS: usize = 10_000;
const MAX_BYTES: usize = 256 << 20;
/// How deep in helpers a scout may be.
const MAX_DEPTH: usize = 100;

/// One level of a scout: the generator that covers a frame of the program, and that frame's calls.
struct Level {
    generator: Py<PyAny>,
    calls: SharedCalls,
}

#[derive(Default)]
struct Inner {
    /// What is still to be run, innermost frame last.
    levels: Vec<Level>,
    /// Where calls go now: the innermost of the frames and helpers the scout is in.
    places: Vec<SharedCalls>,
    /// Sites that the scout leaves to the program.
    passed: HashSet<u32>,
    awaited: Option<Ticket>,
    until: Option<Instant>,
}

/// How a scout does; outlives it.
pub struct Score {
    /// How many calls it may have out.
    pub window: AtomicUsize,
    /// Calls of its that the program asked for.
    pub hits: AtomicUsize,
}

/// A scout under way.
///
/// Its generators hold it and it holds them: whoever lets go of it ends it first.
#[pyclass(module = "cord._core", frozen)]
pub struct Run {
    inner: Mutex<Inner>,
    pub outstanding: Arc<Outstanding>,
    pub score: Arc<Score>,
    alive: AtomicBool,
    stepping: AtomicBool,
    ticks: AtomicUsize,
    depth: AtomicUsize,
}

#[pymethods]
impl Run {
    /// Called by scouts where they loop: whether to pause.
    fn tick(&self) -> bool {
        // looking at the clock costs more than a loop's step: do it now and then
        self.ticks.fetch_add(1, Ordering::Relaxed) % 16 == 15 && self.should_pause()
    }

    /// Tells which sites the scout leaves to the program.
    fn pass_by(&self, sites: Vec<u32>) {
        self.lock().passed.extend(sites);
    }
}

impl Run {
    pub fn new(window: usize) -> Self {
        Self {
            inner: Mutex::default(),
            outstanding: Arc::default(),
            score: Arc::new(Score {
                window: AtomicUsize::new(window),
                hits: AtomicUsize::new(0),
            }),
            alive: AtomicBool::new(true),
            stepping: AtomicBool::new(false),
            ticks: AtomicUsize::new(0),
            depth: AtomicUsize::new(0),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives the scout its generators, innermost frame first.
    pub fn begin(&self, levels: Vec<(Py<PyAny>, SharedCalls)>) {
        let mut inner = self.lock();
        inner.levels = levels
            .into_iter()
            .rev()
            .map(|(generator, calls)| Level { generator, calls })
            .collect();
        inner.enter_level();
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
        for place in inner.places.drain(..) {
            place.lock().open = false;
        }
        drop(inner);
        for level in &levels {
            level.calls.lock().open = false;
        }
        drop(levels);
    }

    pub fn place(&self) -> SharedCalls {
        self.lock().places.last().cloned().unwrap_or_default()
    }

    /// Goes one helper deeper, unless that is too deep.
    pub fn descend(&self) -> PyResult<()> {
        if self.depth.fetch_add(1, Ordering::Relaxed) >= MAX_DEPTH {
            return Err(stop());
        }
        Ok(())
    }

    pub fn ascend(&self) {
        self.depth.fetch_sub(1, Ordering::Relaxed);
    }

    pub fn enter_helper(&self, calls: SharedCalls) {
        calls.lock().open = true;
        self.lock().places.push(calls);
    }

    pub fn leave_helper(&self) {
        if let Some(calls) = self.lock().places.pop() {
            calls.lock().open = false;
        }
    }

    pub fn hit(&self) {
        self.score.hits.fetch_add(1, Ordering::Relaxed);
        if self.score.window.load(Ordering::Relaxed) < MAX_CALLS {
            self.score.window.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub fn is_full(&self) -> bool {
        let calls = self.outstanding.calls.load(Ordering::Relaxed);
        calls >= self.score.window.load(Ordering::Relaxed)
            || self.outstanding.bytes.load(Ordering::Relaxed) >= MAX_BYTES
    }

    /// Whether so little is out that it is worth a moment even when a reply is there.
    pub fn is_low(&self) -> bool {
        self.outstanding.calls.load(Ordering::Relaxed) * 2
            < self.score.window.load(Ordering::Relaxed)
    }

    pub fn should_pause(&self) -> bool {
        if self.is_full() {
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
        let run = slf.get();
        if !run.is_alive() || run.stepping.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        {
            let mut inner = run.lock();
            inner.awaited = awaited.cloned();
            inner.until = budget.map(|budget| Instant::now() + budget);
        }
        let result = run.resume_until_pause(slf.py());
        run.lock().awaited = None;
        run.stepping.store(false, Ordering::Relaxed);
        result
    }

    fn resume_until_pause(&self, py: Python<'_>) -> PyResult<()> {
        while self.is_alive() && !self.should_pause() {
            let Some(generator) = self.lock().generator(py) else {
                self.end();
                break;
            };
            match generator.call_method0(pyo3::intern!(py, "__next__")) {
                Ok(_) => {}
                Err(error) if error.is_instance_of::<PyStopIteration>(py) => self.finish_level(),
                Err(error) => {
                    if error.is_instance_of::<PyRecursionError>(py) {
                        // the stack has no room even to close the generators
                        std::mem::forget(std::mem::take(&mut self.lock().levels));
                    }
                    self.end();
                    if !error.is_instance_of::<PyException>(py)
                        && !error.is_instance_of::<ScoutEnd>(py)
                    {
                        return Err(error);
                    }
                }
            }
        }
        Ok(())
    }

    /// The innermost frame's code is done: go on in the frame around it.
    fn finish_level(&self) {
        let mut inner = self.lock();
        let done = inner.levels.pop();
        self.depth.store(0, Ordering::Relaxed);
        for place in inner.places.drain(..) {
            place.lock().open = false;
        }
        inner.enter_level();
        drop(inner);
        drop(done);
    }
}

impl Inner {
    fn generator<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.levels
            .last()
            .map(|level| level.generator.bind(py).clone())
    }

    fn enter_level(&mut self) {
        if let Some(level) = self.levels.last() {
            level.calls.lock().open = true;
            self.places.push(level.calls.clone());
        }
    }
}
