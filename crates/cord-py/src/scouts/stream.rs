//! Streams: what a generator of the program yields, as its scout finds it.
//!
//! The generator's scout is a strand of its own, the producer, which is started by who reads first.

use std::sync::{Mutex, PoisonError};

use cord_core::scout::{self, Items, Place, Why};
use cord_core::Wake;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

use crate::guards::heap;
use crate::scouts::run::Run;
use crate::scouts::scout_end::{stop, stop_for};
use crate::scouts::scouting::{Calls, Scouting};
use crate::scouts::together::Together;
use crate::takes::activation::Activation;

/// What a stream gives next.
pub type Next = scout::Next<Py<PyAny>>;

/// What a generator of the program yields.
#[pyclass(module = "cord._core", frozen)]
pub struct Stream {
    /// The producer until it is started: its generator, and where its calls go.
    source: Mutex<Option<(Py<PyAny>, Calls)>>,
    items: Items<Py<PyAny>>,
}

impl Stream {
    pub fn new(generator: Py<PyAny>, calls: Calls) -> Self {
        Self {
            source: Mutex::new(Some((generator, calls))),
            items: Items::default(),
        }
    }

    fn next(&self, py: Python<'_>, run: &Run) -> PyResult<Next> {
        let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        let begun = source.take();
        drop(source);
        if let Some((generator, calls)) = begun {
            let place = Place {
                calls,
                items: Some(self.items.clone()),
            };
            run.strands.produce(&Scouting(py), generator, place)?;
        }
        run.strands.note_reading();
        let (next, producer) = self.items.read();
        if let Some(producer) = producer {
            run.strands.signal.wake(producer);
        }
        Ok(next)
    }
}

#[pymethods]
impl Stream {
    /// A producer that nobody has started may hold the scout that holds it.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self.source.try_lock().as_deref() {
            Ok(Some((generator, _))) => visit.call(generator),
            _ => Ok(()),
        }
    }

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
        let run = run.map_err(|_| stop(Why::Ended))?;
        match self.next(py, run.get())? {
            Next::Item(item) => Ok(Some(item)),
            Next::End => Ok(None),
            Next::Failed(Some(why)) => Err(stop_for(Some(why))),
            Next::Missing | Next::Failed(None) => Err(stop(Why::Walked)),
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
        let run = run.map_err(|_| stop(Why::Ended))?;
        let next = stream.next(py, run.get())?;
        if matches!(next, Next::Missing) {
            stream.items.await_item(run.get().strands.starve()?);
        }
        Ok(next)
    }
}

#[pymethods]
impl Reader {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match &self.0 {
            Walked::Stream(stream) => visit.call(stream),
            Walked::Together(together) => visit.call(together),
        }
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        match self.next(py)? {
            Next::Item(item) => Ok(Some(item)),
            Next::End => Ok(None),
            Next::Failed(Some(why)) => Err(stop_for(Some(why))),
            Next::Failed(None) => Err(stop(Why::Walked)),
            Next::Missing => Ok(Some(pause(py)?.clone_ref(py))),
        }
    }
}

/// The one `Pause`.
pub fn pause(py: Python<'_>) -> PyResult<&'static Py<PyAny>> {
    static PAUSE: pyo3::sync::PyOnceLock<Py<PyAny>> = pyo3::sync::PyOnceLock::new();
    PAUSE.get_or_try_init(py, || Ok(Bound::new(py, Pause)?.into_any().unbind()))
}
