//! Iterators that cannot be walked twice, read ahead through a buffer.
//!
//! The program reads through a `Replay`, scouts through `Cursor`s. What a scout has read first stays
//! in the buffer until the program has had it, in order, the end or the exception included. A file
//! has a second reader instead: the program reads its own handle, and the buffer holds only what
//! scouts still have to see.

use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cord_core::scout::Why;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::scouts::scout_end::{stop, ScoutEnd};

/// No scout reads farther ahead of the program than this.
pub const MOST_ITEMS: usize = 10_000;
const MOST_BYTES: usize = 64 << 20;
/// A second reader that falls behind by so many items is moved on, so that it does not lose touch.
const LAG: usize = 1_000;

thread_local! {
    /// The scout that runs on this thread, by number; 0 if none does.
    static READER: Cell<usize> = const { Cell::new(0) };
    /// By how many items cursors that are made now begin before the program's place.
    static BACK: Cell<usize> = const { Cell::new(0) };
}

/// The cursors that are made while this is there begin so many items before the program's place.
/// What the program has had already they give as None, for somebody to pass by.
pub struct Rewound;

impl Rewound {
    pub fn by(items: usize) -> Self {
        BACK.set(items);
        Self
    }
}

impl Drop for Rewound {
    fn drop(&mut self) {
        BACK.set(0);
    }
}

/// The cursors that are made while this is there belong to the scout of that number.
pub struct Reading(usize);

impl Reading {
    pub fn by(scout: usize) -> Self {
        Self(READER.replace(scout))
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        READER.set(self.0);
    }
}

/// What reading an iterator once gave.
pub enum Item {
    Value(Py<PyAny>),
    End,
    Raised(PyErr),
}

impl Item {
    /// How much memory a string or bytes takes; 0 for what is not looked into.
    fn size(&self, py: Python<'_>) -> usize {
        let Item::Value(value) = self else {
            return 0;
        };
        let value = value.bind(py);
        let text =
            value.is_exact_instance_of::<PyString>() || value.is_exact_instance_of::<PyBytes>();
        if text {
            value.len().unwrap_or(0)
        } else {
            0
        }
    }

    fn copy(&self, py: Python<'_>) -> Self {
        match self {
            Item::Value(value) => Item::Value(value.clone_ref(py)),
            Item::End => Item::End,
            Item::Raised(error) => Item::Raised(error.clone_ref(py)),
        }
    }
}

/// `next(iterator)`.
fn read(iterator: &Bound<'_, PyAny>) -> Item {
    let py = iterator.py();
    // SAFETY: a live iterator; a new reference, or null at the end or with an exception set
    let item = unsafe {
        let next = ffi::PyIter_Next(iterator.as_ptr());
        Bound::from_owned_ptr_or_opt(py, next)
    };
    match (item, PyErr::take(py)) {
        (Some(item), _) => Item::Value(item.unbind()),
        (None, Some(error)) => Item::Raised(error),
        (None, None) => Item::End,
    }
}

/// Where what is read ahead comes from.
pub enum Source {
    /// The program's own iterator.
    Shared(Py<PyAny>),
    /// Python: makes a second reader, which begins where the program's did.
    ToOpen(Py<PyAny>),
    /// A second reader, and how many items it has given.
    Second(Py<PyAny>, usize),
    /// Nothing comes any more.
    Gone,
}

struct State {
    source: Source,
    items: VecDeque<Item>,
    bytes: usize,
    /// How many items the program has had.
    taken: usize,
    /// The scout that read last, and where it is: its cursors move together, as the program's would.
    last: Option<(usize, Arc<AtomicUsize>)>,
}

/// What scouts have read of an iterator and the program has not.
pub struct Buffer {
    state: Mutex<State>,
    /// Somebody is inside the iterator.
    busy: AtomicBool,
}

impl Buffer {
    pub fn new(source: Source) -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::new(State {
                source,
                items: VecDeque::new(),
                bytes: 0,
                taken: 0,
                last: None,
            }),
            busy: AtomicBool::new(false),
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read_alone(&self, iterator: &Bound<'_, PyAny>) -> Item {
        let before = self.busy.swap(true, Ordering::Relaxed);
        let item = read(iterator);
        self.busy.store(before, Ordering::Relaxed);
        item
    }

    /// The first item that the program has not had, if a scout has read it.
    fn pop(&self, py: Python<'_>) -> Option<Item> {
        let mut state = self.lock();
        state.taken += 1;
        let item = state.items.pop_front()?;
        state.bytes -= item.size(py);
        Some(item)
    }

    /// Where a new cursor begins, and where the program is. The cursors of one scout move together.
    pub fn place(&self) -> (Arc<AtomicUsize>, usize) {
        let (reader, back) = (READER.get(), BACK.get());
        let mut state = self.lock();
        let begin = state.taken;
        let place = match &state.last {
            Some((last, place)) if *last == reader && reader != 0 && back == 0 => Arc::clone(place),
            _ => Arc::new(AtomicUsize::new(begin.saturating_sub(back))),
        };
        if reader != 0 {
            state.last = Some((reader, Arc::clone(&place)));
        }
        (place, begin)
    }

    /// The program's next item.
    pub fn next(&self, iterator: &Bound<'_, PyAny>) -> Item {
        let py = iterator.py();
        if matches!(self.lock().source, Source::Shared(_)) {
            return self.pop(py).unwrap_or_else(|| self.read_alone(iterator));
        }
        let item = self.read_alone(iterator);
        drop(self.pop(py));
        let (lags, reads) = {
            let state = self.lock();
            match &state.source {
                Source::Second(second, given) => (
                    state.taken.saturating_sub(*given),
                    Some(second.clone_ref(py)),
                ),
                _ => (0, None),
            }
        };
        if let Some(second) = reads.filter(|_| lags >= LAG) {
            drop(self.catch_up(second.bind(py)));
        }
        item
    }

    /// Moves a second reader on to where the program's is.
    fn catch_up(&self, second: &Bound<'_, PyAny>) -> PyResult<()> {
        let missing = {
            let state = self.lock();
            match &state.source {
                Source::Second(_, given) => {
                    (state.taken + state.items.len()).saturating_sub(*given)
                }
                _ => 0,
            }
        };
        if missing > 1 {
            if let Some(skip) = second.getattr_opt(intern!(second.py(), "skip"))? {
                skip.call1((missing,))?;
                if let Source::Second(_, given) = &mut self.lock().source {
                    *given += missing;
                }
                return Ok(());
            }
        }
        loop {
            {
                let state = self.lock();
                match &state.source {
                    Source::Second(_, given) if *given < state.taken + state.items.len() => {}
                    Source::Second(..) => return Ok(()),
                    _ => return Err(stop(Why::Walked)),
                }
            }
            let item = self.read_alone(second);
            let mut state = self.lock();
            match (&mut state.source, item) {
                (Source::Second(_, given), Item::Value(_)) => *given += 1,
                (_, Item::Raised(error)) => return Err(error),
                _ => return Err(stop(Why::Walked)),
            }
        }
    }

    /// What a scout sees at a place; it is read if nobody has come so far.
    pub fn at(&self, py: Python<'_>, place: usize) -> PyResult<Item> {
        {
            let state = self.lock();
            let Some(offset) = place.checked_sub(state.taken) else {
                return Err(stop(Why::Walked)); // the program is past it
            };
            if let Some(item) = state.items.get(offset) {
                return Ok(item.copy(py));
            }
            if offset > MOST_ITEMS || state.bytes > MOST_BYTES {
                return Err(stop(Why::Walked));
            }
        }
        if self.busy.load(Ordering::Relaxed) || handles_exception(py) {
            return Err(stop(Why::Walked));
        }
        let item = self.read_ahead(py)?;
        let copy = item.copy(py);
        let mut state = self.lock();
        if matches!((&item, &state.source), (Item::End, Source::Second(..))) {
            return Ok(copy); // the program will see for itself
        }
        state.bytes += item.size(py);
        state.items.push_back(item);
        Ok(copy)
    }

    fn read_ahead(&self, py: Python<'_>) -> PyResult<Item> {
        let (iterator, shared) = match &self.lock().source {
            Source::Shared(iterator) => (iterator.clone_ref(py), true),
            Source::Second(second, _) => (second.clone_ref(py), false),
            Source::ToOpen(open) => (open.clone_ref(py), false),
            Source::Gone => return Err(stop(Why::Walked)),
        };
        let mut iterator = iterator.into_bound(py);
        if shared {
            let item = self.read_alone(&iterator);
            return match item {
                Item::Raised(error) if is_not_its_own(py, &error) => Err(error),
                item => Ok(item),
            };
        }
        if matches!(self.lock().source, Source::ToOpen(_)) {
            iterator = iterator.call0()?;
            self.lock().source = Source::Second(iterator.clone().unbind(), 0);
        }
        self.catch_up(&iterator)?;
        let item = self.read_alone(&iterator);
        match (&mut self.lock().source, item) {
            (Source::Second(_, given), Item::Value(value)) => {
                *given += 1;
                Ok(Item::Value(value))
            }
            (_, Item::End) => Ok(Item::End),
            (_, Item::Raised(error)) => Err(error),
            _ => Err(stop(Why::Walked)),
        }
    }

    /// The program's iterator is gone, and all that was read of it.
    pub fn leave(&self) {
        let mut state = self.lock();
        let source = std::mem::replace(&mut state.source, Source::Gone);
        let items = std::mem::take(&mut state.items);
        state.bytes = 0;
        drop(state);
        drop((source, items));
    }
}

/// Whether an exception met while reading ahead is no answer of the iterator's.
fn is_not_its_own(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<PyKeyboardInterrupt>(py) || error.is_instance_of::<ScoutEnd>(py)
}

pub fn handled<'py>(py: Python<'py>) -> Option<Bound<'py, PyAny>> {
    // SAFETY: a new reference to the exception that is being handled, or null
    let error = unsafe { Bound::from_owned_ptr_or_opt(py, ffi::PyErr_GetHandledException()) };
    error.filter(|error| !error.is_none())
}

/// What is raised while another exception is handled names that one: not to be foreseen.
fn handles_exception(py: Python<'_>) -> bool {
    handled(py).is_some()
}
