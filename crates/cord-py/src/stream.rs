//! Streams: what a generator of the program yields, as its scout finds it.
//!
//! The generator's scout is a strand of its own, the producer. It runs ahead of who reads the stream,
//! by a bounded number of items, so that calls it makes are issued early. Items stand in the order of
//! the program, like calls: a strand that the producer starts puts what it yields into a group.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;

use crate::activation::Activation;
use crate::calls::SharedCalls;
use crate::heap;
use crate::run::Run;
use crate::scout_end::stop;
use crate::together::Together;

/// So many items wait to be read before the producer does.
const MOST_AHEAD: usize = 1_000;

enum Entry {
    Item(Py<PyAny>),
    Group(Items),
}

impl Entry {
    fn count(&self) -> usize {
        match self {
            Entry::Item(_) => 1,
            Entry::Group(inner) => locked(&inner.group).entries.iter().map(Entry::count).sum(),
        }
    }
}

#[derive(Default)]
struct Group {
    entries: VecDeque<Entry>,
    /// The strand that puts items here has ended.
    closed: bool,
    /// It ended before its end.
    failed: bool,
}

/// Who waits at the ends of a stream, by the numbers of their strands.
#[derive(Default)]
struct Ends {
    count: AtomicUsize,
    reader: Mutex<Option<u64>>,
    producer: Mutex<Option<u64>>,
}

/// What one strand of a producer yields.
#[derive(Clone, Default)]
pub struct Items {
    group: Arc<Mutex<Group>>,
    ends: Arc<Ends>,
}

/// What a stream gives next.
pub enum Next {
    Item(Py<PyAny>),
    Missing,
    Failed,
    End,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Items {
    /// Where a strand puts its items that is started now.
    pub fn inner(&self) -> Self {
        let group = Self {
            group: Arc::default(),
            ends: Arc::clone(&self.ends),
        };
        locked(&self.group)
            .entries
            .push_back(Entry::Group(group.clone()));
        group
    }

    /// One more item; whether the producer is to wait until some are read.
    pub fn push(&self, item: Py<PyAny>, producer: u64) -> bool {
        locked(&self.group).entries.push_back(Entry::Item(item));
        let full = self.ends.count.fetch_add(1, Ordering::Relaxed) >= MOST_AHEAD;
        if full {
            *locked(&self.ends.producer) = Some(producer);
        }
        full
    }

    /// Drops what stands behind a strand's items, and before those of `end`.
    pub fn discard_behind(&self, strand: &Items, end: Option<&Items>) {
        let is = |entry: &Entry, items: &Items| match entry {
            Entry::Group(inner) => Arc::ptr_eq(&inner.group, &items.group),
            Entry::Item(_) => false,
        };
        let dropped: Vec<Entry> = {
            let mut group = locked(&self.group);
            let Some(at) = group.entries.iter().position(|entry| is(entry, strand)) else {
                return;
            };
            let mut behind = group.entries.iter().skip(at + 1);
            let count = end.and_then(|end| behind.position(|entry| is(entry, end)));
            let to = count.map_or(group.entries.len(), |count| at + 1 + count);
            group.entries.drain(at + 1..to).collect()
        };
        let count = dropped.iter().map(Entry::count).sum();
        self.ends.count.fetch_sub(count, Ordering::Relaxed);
    }

    /// The strand that puts items here has ended.
    pub fn close(&self, failed: bool) {
        let mut group = locked(&self.group);
        group.closed = true;
        group.failed = failed;
    }

    /// The strand that waits for an item, if one does.
    pub fn waiting_reader(&self) -> Option<u64> {
        locked(&self.ends.reader).take()
    }

    fn next(&self) -> Next {
        let mut group = locked(&self.group);
        loop {
            let next = match group.entries.front() {
                None if !group.closed => return Next::Missing,
                None if group.failed => return Next::Failed,
                None => return Next::End,
                Some(Entry::Group(inner)) => inner.next(),
                Some(Entry::Item(_)) => match group.entries.pop_front() {
                    Some(Entry::Item(item)) => return Next::Item(item),
                    _ => return Next::Failed,
                },
            };
            match next {
                Next::End => drop(group.entries.pop_front()),
                other => return other,
            }
        }
    }
}

/// What a generator of the program yields.
#[pyclass(module = "cord._core", frozen)]
pub struct Stream {
    /// The producer until it is started: its generator, and where its calls go.
    source: Mutex<Option<(Py<PyAny>, SharedCalls)>>,
    items: Items,
}

impl Stream {
    pub fn new(generator: Py<PyAny>, calls: SharedCalls) -> Self {
        Self {
            source: Mutex::new(Some((generator, calls))),
            items: Items::default(),
        }
    }

    fn next(&self, py: Python<'_>, run: &Run) -> PyResult<Next> {
        let source = locked(&self.source).take();
        if let Some((generator, calls)) = source {
            run.produce(py, generator, calls, self.items.clone())?;
        }
        run.note_reading();
        let next = self.items.next();
        if matches!(next, Next::Item(_)) {
            self.items.ends.count.fetch_sub(1, Ordering::Relaxed);
            let producer = locked(&self.items.ends.producer).take();
            if let Some(producer) = producer {
                run.signal.wake_strand(producer);
            }
        }
        Ok(next)
    }
}

#[pymethods]
impl Stream {
    /// The stream of a generator of the program's that is under way: its scout goes on with it.
    #[staticmethod]
    fn of(
        run: &Bound<'_, Run>,
        activation: Option<&Bound<'_, Activation>>,
        generator: Py<PyAny>,
    ) -> Self {
        let calls = activation.map(|activation| {
            let _ = activation.get().adopt(run);
            activation.get().calls()
        });
        Self::new(generator, calls.unwrap_or_default())
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    /// For builtins, which cannot pause.
    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let run = heap::running(py)?.cast_into_exact::<Run>();
        let run = run.map_err(|_| stop())?;
        match self.next(py, run.get())? {
            Next::Item(item) => Ok(Some(item)),
            Next::End => Ok(None),
            Next::Missing | Next::Failed => Err(stop()),
        }
    }
}

/// Stands where the next item of a stream is not there yet.
#[pyclass(module = "cord._core", frozen)]
pub struct Pause;

/// Reads a stream, or several together, in a loop of a scout's, which pauses where an item is missing.
#[pyclass(module = "cord._core", frozen)]
pub struct Reader(Walked);

enum Walked {
    Stream(Py<Stream>),
    Together(Py<Together>),
}

impl Reader {
    /// None where this is no stream.
    pub fn of(value: &Bound<'_, PyAny>) -> Option<Self> {
        if let Ok(stream) = value.cast_exact::<Stream>() {
            return Some(Self(Walked::Stream(stream.clone().unbind())));
        }
        let together = value.cast_exact::<Together>().ok()?;
        Some(Self(Walked::Together(together.clone().unbind())))
    }

    /// The next item; where that is missing, the strand that runs is noted as waiting for it.
    fn next(&self, py: Python<'_>) -> PyResult<Next> {
        let stream = match &self.0 {
            Walked::Stream(stream) => stream.bind(py).get(),
            Walked::Together(together) => return together.bind(py).get().next(py),
        };
        let run = heap::running(py)?.cast_into_exact::<Run>();
        let run = run.map_err(|_| stop())?;
        let next = stream.next(py, run.get())?;
        if matches!(next, Next::Missing) {
            *locked(&stream.items.ends.reader) = Some(run.get().starve()?);
        }
        Ok(next)
    }
}

#[pymethods]
impl Reader {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        match self.next(py)? {
            Next::Item(item) => Ok(Some(item)),
            Next::End => Ok(None),
            Next::Failed => Err(stop()),
            Next::Missing => Ok(Some(pause(py)?.clone_ref(py))),
        }
    }
}

/// The one `Pause`.
pub fn pause(py: Python<'_>) -> PyResult<&'static Py<PyAny>> {
    static PAUSE: pyo3::sync::PyOnceLock<Py<PyAny>> = pyo3::sync::PyOnceLock::new();
    PAUSE.get_or_try_init(py, || Ok(Bound::new(py, Pause)?.into_any().unbind()))
}
