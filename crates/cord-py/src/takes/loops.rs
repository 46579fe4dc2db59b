//! Loops of the program: they show their iterators, for scouts that are born inside to go on with.

use std::sync::atomic::Ordering;
use std::sync::Arc;

use pyo3::ffi;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::objects::instances;
use crate::objects::lookup::special;
use crate::objects::plain::{can_be_counted, can_be_shown, is_fixed};
use crate::python;
use crate::takes::activation::{Activation, Shown, Turns};
use crate::takes::standing::{is_live, Begun};
use crate::takes::values::Following;

/// One of the program's iterators, its items counted.
#[pyclass(module = "cord._core", frozen)]
pub struct Counted {
    iterator: Py<PyAny>,
    turns: Arc<Turns>,
}

impl Drop for Counted {
    /// The program's loop is over: its iterator ends here, as it would without being counted.
    fn drop(&mut self) {
        let iterator = self.turns.iterator().take();
        drop(iterator);
    }
}

#[pymethods]
impl Counted {
    /// The loop's frame holds it, and its iterator may hold that frame.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.iterator)?;
        match self.turns.try_iterator() {
            Some(iterator) => visit.call(&*iterator),
            None => Ok(()), // it is in use, so nobody lets go of it now
        }
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.turns.count.fetch_add(1, Ordering::Relaxed);
        // SAFETY: an iterator, held by this object; a new reference, or null at the end or with an
        // exception set
        let item = unsafe {
            let next = ffi::PyIter_Next(self.iterator.as_ptr());
            Bound::from_owned_ptr_or_opt(py, next)
        };
        match item {
            Some(item) => Ok(Some(item)),
            None => PyErr::take(py).map_or(Ok(None), Err),
        }
    }
}

/// An iterator that was asked for already: a loop does not ask it again.
#[pyclass(module = "cord._core", frozen)]
pub struct Once(Py<PyAny>);

#[pymethods]
impl Once {
    fn __iter__<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.0.bind(py).clone()
    }
}

/// The iterator of an enumeration, or of an instance whose class has an `__iter__` of its own.
///
/// # Errors
/// What that raises.
fn iterator_of<'py>(iterable: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if is_fixed(&iterable.get_type()) {
        return Ok(None);
    }
    let found = instances::iterator_of(iterable)?;
    if found.is_some() || special(iterable, "__iter__").is_none() {
        return Ok(found);
    }
    Ok(Some(iterable.try_iter()?.into_any()))
}

/// Where the program's loops show their iterators.
#[pyclass(module = "cord._core", frozen)]
pub struct Loops;

#[pymethods]
impl Loops {
    #[new]
    fn new() -> Self {
        Self
    }

    /// `iter(iterable)`, kept with the activation so that a scout can copy it.
    #[pyo3(name = "loop")]
    fn show<'py>(
        &self,
        activation: &Bound<'py, PyAny>,
        number: u32,
        iterable: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Ok(activation) = activation.cast_exact::<Activation>() else {
            return Ok(iterable.clone());
        };
        let given = iterator_of(iterable)?;
        let iterable = given.as_ref().unwrap_or(iterable);
        let (iterator, shown) = if can_be_shown(iterable)? {
            let iterator = iterable.try_iter()?.into_any();
            let shown = Shown::Iterator(iterator.clone().unbind());
            (iterator, shown)
        } else if can_be_counted(iterable)? {
            let turns = Turns::of(iterable.clone().unbind());
            let counted = Counted {
                iterator: iterable.clone().unbind(),
                turns: Arc::clone(&turns),
            };
            let iterator = Bound::new(iterable.py(), counted)?.into_any();
            (iterator, Shown::Counted(turns))
        } else {
            // calling its `__iter__` here and again in the loop could have an effect twice
            if is_live() {
                activation.get().begin(number, Begun::now(None));
            }
            return Ok(match given {
                Some(iterator) => Bound::new(iterator.py(), Once(iterator.unbind()))?.into_any(),
                None => iterable.clone(),
            });
        };
        if is_live() {
            activation.get().begin(number, Begun::now(Some(&iterator)));
        }
        activation.get().show(number, shown);
        Ok(iterator)
    }

    /// `iter(iterable)`, one of several that are walked together: a scout copies all of them.
    fn beside<'py>(
        &self,
        activation: &Bound<'py, PyAny>,
        number: u32,
        iterable: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = iterable.py();
        let Ok(activation) = activation.cast_exact::<Activation>() else {
            return Ok(iterable.clone());
        };
        let before = activation.get().iterator(py, number);
        let Some(before) = before.filter(|_| can_be_shown(iterable).unwrap_or(false)) else {
            self.forget(activation.as_any(), number);
            return Ok(iterable.clone());
        };
        let iterator = iterable.try_iter()?.into_any();
        let all = match before.cast_exact::<PyTuple>() {
            Ok(several) => several.add(PyTuple::new(py, [&iterator])?)?,
            Err(_) => PyTuple::new(py, [&before, &iterator])?.into_any(),
        };
        activation.get().show(number, Shown::Iterator(all.unbind()));
        Ok(iterator)
    }

    /// What is read to its end before the loop's calls are made: another iterator keeps the place.
    fn keyed<'py>(
        &self,
        activation: &Bound<'py, PyAny>,
        number: u32,
        iterable: Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(activation) = activation.cast_exact::<Activation>() {
            let Ok(copy) = python::COPY_ITERATOR.get(iterable.py()) else {
                return Ok(iterable); // this is a finalizer, and all modules are gone
            };
            let place = match iterable.cast_exact::<PyList>() {
                // a list is empty while it is sorted in place
                Ok(list) => list.to_tuple().try_iter()?.into_any(),
                Err(_) => copy.call1((&iterable,))?,
            };
            if place.is_none() {
                self.forget(activation.as_any(), number);
            } else {
                activation
                    .get()
                    .show(number, Shown::Iterator(place.unbind()));
            }
        }
        Ok(iterable)
    }

    /// The key function that goes with `keyed`.
    fn follow<'py>(
        &self,
        activation: &Bound<'py, PyAny>,
        number: u32,
        callee: Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = callee.py();
        let place = match activation.cast_exact::<Activation>() {
            Ok(activation) if callee.is_callable() => activation.get().iterator(py, number),
            _ => None,
        };
        let Some(place) = place else {
            return Ok(callee);
        };
        Ok(Bound::new(py, Following::new(place.unbind(), callee.unbind()))?.into_any())
    }

    /// The loop is over.
    fn forget(&self, activation: &Bound<'_, PyAny>, number: u32) {
        if let Ok(activation) = activation.cast_exact::<Activation>() {
            activation.get().forget(number);
        }
    }
}
