//! Values that a scout does not have yet: results of calls under way, and what comes of strands.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cord_core::ticket::{Ticket, Watch};
use cord_scout::{Told, Why};
use cord_sync::wake::Wake;
use cord_wire::codec::Codec;
use cord_wire::outcome::Outcome;
use cord_wire::payload::Payload;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::python;
use crate::scouts::scout_end::{raised, stop, stop_for};
use crate::travel::buffers::buffers_to_py;
use crate::travel::large;
use crate::travel::passed::Passed;

const DEEPEST: usize = 32;

enum State {
    /// The result of a call.
    Call(Watch),
    /// What a strand will give; who waits for it.
    Strand(Vec<u64>),
    Value(Py<PyAny>),
    /// There will be no value: an exception, or the scout could not go on, for this.
    Failed(Told),
}

/// What there is of a call's result.
enum Found {
    /// It is only passed on, by this ticket if somebody still has one.
    Passed(Option<Ticket>),
    Copy(Option<Outcome>),
}

/// A value that a scout waits for.
#[pyclass(module = "cord._core", frozen)]
pub struct Future(Mutex<State>);

#[pymethods]
impl Future {
    /// What a strand will return.
    #[new]
    pub fn of_strand() -> Self {
        Self(Mutex::new(State::Strand(Vec::new())))
    }
}

impl Future {
    /// What there will never be, for this.
    pub fn failed(why: Told) -> Self {
        Self(Mutex::new(State::Failed(why)))
    }

    pub fn of_call(watch: Watch) -> Self {
        Self(Mutex::new(State::Call(watch)))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the strand gave, or why nothing. Returns who waits for it.
    pub fn settle(&self, value: Result<Py<PyAny>, Told>) -> Vec<u64> {
        let new = value.map_or_else(State::Failed, State::Value);
        match std::mem::replace(&mut *self.lock(), new) {
            State::Strand(waiting) => waiting,
            _ => Vec::new(),
        }
    }

    /// Why there will never be a value.
    pub fn why_failed(&self) -> Told {
        match &*self.lock() {
            State::Failed(why) => why.clone(),
            _ => None,
        }
    }

    /// Has the strand woken when the value is there; false if there is nothing to wait for.
    fn wake(&self, who: &Arc<dyn Wake>, strand: u64) -> bool {
        match &mut *self.lock() {
            State::Call(watch) => watch.wake(who, strand),
            State::Strand(waiting) => {
                waiting.push(strand);
                true
            }
            State::Value(_) | State::Failed(_) => false,
        }
    }

    fn is_waited_for(&self) -> bool {
        match &*self.lock() {
            State::Call(watch) if watch.keeps() => false, // it is passed on as it is
            State::Call(watch) => !watch.is_settled(),
            State::Strand(_) => true,
            State::Value(_) | State::Failed(_) => false,
        }
    }

    /// The value.
    ///
    /// # Errors
    /// Ends the strand if there is none: it shows whether the call has raised.
    fn get<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let found = match &*self.lock() {
            State::Value(value) => return Ok(value.bind(py).clone()),
            State::Call(watch) if watch.has_raised() => return Err(raised()),
            State::Call(watch) if watch.keeps() => Found::Passed(watch.ticket()),
            State::Call(watch) if watch.is_settled() => Found::Copy(watch.value()),
            State::Failed(Some(why)) => return Err(stop_for(Some(why.clone()))),
            _ => return Err(stop(Why::Missing)),
        };
        let value = match found {
            Found::Passed(Some(ticket)) => Some(Bound::new(py, Passed::of(ticket))?.into_any()),
            // what other codecs do to decode a value, no guard looks at
            Found::Copy(Some(Outcome::Reply { payload, .. })) if payload.codec == Codec::PICKLE => {
                let Payload { head, buffers, .. } = payload;
                let head = large::bytes(py, &head);
                let held = head.and_then(|head| Ok((head, buffers_to_py(py, buffers)?)));
                held.and_then(|held| python::DECODE.call(py, held)).ok()
            }
            _ => None,
        };
        let new = match &value {
            Some(value) => State::Value(value.clone().unbind()),
            None => State::Failed(None),
        };
        let old = std::mem::replace(&mut *self.lock(), new);
        drop(old);
        value.ok_or_else(|| stop(Why::Missing))
    }
}

/// Whether this is a value that a scout does not have yet.
pub fn is_future(value: &Bound<'_, PyAny>) -> bool {
    value.is_exact_instance_of::<Future>()
}

/// Arguments with what is passed on in place of its future.
pub fn known_values<'py>(args: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyTuple>> {
    let passes = |value: &Bound<'py, PyAny>| {
        let future = value.cast_exact::<Future>().ok()?;
        matches!(&*future.get().lock(), State::Call(watch) if watch.keeps())
            .then(|| future.get().get(value.py()))
    };
    if !args.iter().any(|value| passes(&value).is_some()) {
        return Ok(args.clone());
    }
    let values = args.iter().map(|value| passes(&value).unwrap_or(Ok(value)));
    PyTuple::new(args.py(), values.collect::<PyResult<Vec<_>>>()?)
}

/// Has the strand woken when the first value that is missing in `value` is there; false if none is.
pub fn waits_for(value: &Bound<'_, PyAny>, who: &Arc<dyn Wake>, strand: u64) -> PyResult<bool> {
    Ok(match missing(value, 0)? {
        Some(future) => future.get().wake(who, strand),
        None => false,
    })
}

fn missing<'py>(value: &Bound<'py, PyAny>, depth: usize) -> PyResult<Option<Bound<'py, Future>>> {
    if let Ok(future) = value.cast_exact::<Future>() {
        if future.get().is_waited_for() {
            return Ok(Some(future.clone()));
        }
        let inner = future.get().get(value.py())?;
        return missing(&inner, depth);
    }
    if depth > DEEPEST {
        return Err(stop(Why::Deep));
    }
    if let Ok(items) = value.cast_exact::<PyList>() {
        return first(items.iter(), depth);
    }
    if let Ok(items) = value.cast_exact::<PyTuple>() {
        return first(items.iter(), depth);
    }
    if let Ok(items) = value.cast_exact::<PyDict>() {
        return first(items.iter().map(|(_, value)| value), depth);
    }
    Ok(None)
}

fn first<'py>(
    items: impl Iterator<Item = Bound<'py, PyAny>>,
    depth: usize,
) -> PyResult<Option<Bound<'py, Future>>> {
    for item in items {
        if let Some(found) = missing(&item, depth + 1)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// `value` with the values of its futures in their place; a container that holds some is copied.
pub fn resolved<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    Resolver(HashMap::new()).resolve(value, 0)
}

/// What stands for containers, by their address: what was one object stays one.
struct Resolver<'py>(HashMap<usize, Bound<'py, PyAny>>);

impl<'py> Resolver<'py> {
    fn resolve(&mut self, value: &Bound<'py, PyAny>, depth: usize) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(future) = value.cast_exact::<Future>() {
            let inner = future.get().get(value.py())?;
            return self.resolve(&inner, depth);
        }
        let container = value.is_exact_instance_of::<PyList>()
            || value.is_exact_instance_of::<PyTuple>()
            || value.is_exact_instance_of::<PyDict>();
        if !container {
            return Ok(value.clone());
        }
        if depth > DEEPEST {
            return Err(stop(Why::Deep));
        }
        let address = value.as_ptr() as usize;
        if let Some(known) = self.0.get(&address) {
            return Ok(known.clone());
        }
        let new = self.rebuilt(value, depth)?;
        self.0.insert(address, new.clone());
        Ok(new)
    }

    fn rebuilt(&mut self, value: &Bound<'py, PyAny>, depth: usize) -> PyResult<Bound<'py, PyAny>> {
        let py = value.py();
        if let Ok(items) = value.cast_exact::<PyDict>() {
            let new = PyDict::new(py);
            let mut changed = false;
            for (key, item) in items.iter() {
                let inner = self.resolve(&item, depth + 1)?;
                changed |= !inner.is(&item);
                new.set_item(key, inner)?;
            }
            return Ok(if changed {
                new.into_any()
            } else {
                value.clone()
            });
        }
        let items: Vec<_> = value.try_iter()?.collect::<PyResult<_>>()?;
        let mut changed = false;
        let mut inside = Vec::with_capacity(items.len());
        for item in &items {
            let inner = self.resolve(item, depth + 1)?;
            changed |= !inner.is(item);
            inside.push(inner);
        }
        if !changed {
            return Ok(value.clone());
        }
        if value.is_exact_instance_of::<PyList>() {
            return Ok(PyList::new(py, inside)?.into_any());
        }
        Ok(PyTuple::new(py, inside)?.into_any())
    }
}
