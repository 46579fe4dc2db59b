//! Iterators that are instances of the program's classes: a scout goes into their `__next__`.

use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::enter::{self, Way};
use crate::guard::Guard;
use crate::passes::Fresh;
use crate::plain::{asks, is_instance, knowledge, require};
use crate::scout_end::{is_exhausted, stop};
use crate::stream::is_streamed;

/// A scout that takes more items than this from one such iterator ends: it may have no end.
const MOST_STEPS: usize = 100_000;

/// An iterator of a class of the program's, walked by its scouts: the program's own stays where it
/// is, for what `__next__` changes is changed in private copies.
#[pyclass(module = "cord._core", frozen)]
pub struct Steps {
    within: Way,
    iterator: Py<PyAny>,
    next: Py<PyAny>,
    taken: AtomicUsize,
}

impl Steps {
    /// None where the items are not what a `__next__` of the program's returns.
    pub fn of(within: &Way, iterator: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        if !has_own_next(iterator)? {
            return Ok(None);
        }
        let py = iterator.py();
        let next = knowledge(py)?
            .special
            .bind(py)
            .call1((iterator, "__next__"))?;
        Ok(Some(Self {
            within: within.clone_ref(py),
            iterator: iterator.clone().unbind(),
            next: next.unbind(),
            taken: AtomicUsize::new(0),
        }))
    }
}

/// Whether this is an instance whose class has a `__next__` that a scout may go into.
pub fn has_own_next(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = value.py();
    Ok(is_instance(value)? && asks(&knowledge(py)?.own_next, (value,), py)?)
}

impl Guard {
    /// An iterator over an instance of a class of the program's, made as that says; None for
    /// anything else.
    pub(crate) fn own_iterator<'py>(
        &self,
        value: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        if !is_instance(value)? {
            return Ok(None);
        }
        let py = value.py();
        let found = if asks(&knowledge(py)?.gives_itself, (value,), py)? {
            value.clone()
        } else {
            match enter::operator(&self.within, value, "__iter__", &[])? {
                Some(found) => found,
                None => return Ok(None),
            }
        };
        if let Some(steps) = Steps::of(&self.within, &found)? {
            return Ok(Some(Bound::new(py, steps)?.into_any()));
        }
        if is_streamed(&found) || found.is_exact_instance_of::<Fresh>() {
            return Ok(Some(found));
        }
        // not an iterator of a class of the program's, which would be asked for itself again
        require(!is_instance(&found)?)?;
        self.iter(&found).map(Some)
    }

    /// The arguments of a builtin that walks them, with iterators for instances of the program's
    /// classes; None where there are none of these.
    pub(crate) fn walked_arguments<'py>(
        &self,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
    ) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let py = callee.py();
        let mut walked = Vec::new();
        for (index, value) in args.iter().enumerate() {
            let walks = is_instance(&value)?
                && asks(&knowledge(py)?.walks, (callee, index, args.len()), py)?;
            walked.push(match walks {
                true => self.own_iterator(&value)?,
                false => None,
            });
        }
        if walked.iter().all(Option::is_none) {
            return Ok(None);
        }
        let replaced = walked
            .into_iter()
            .zip(args.iter())
            .map(|(found, value)| match found {
                Some(found) if is_streamed(&found) => Ok(found),
                Some(found) => Ok(Bound::new(py, Fresh(found.unbind()))?.into_any()),
                None => Ok(value),
            });
        let replaced = replaced.collect::<PyResult<Vec<_>>>()?;
        PyTuple::new(py, replaced).map(Some)
    }
}

#[pymethods]
impl Steps {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if self.taken.fetch_add(1, Ordering::Relaxed) >= MOST_STEPS {
            return Err(stop());
        }
        let args = PyTuple::new(py, [self.iterator.bind(py)])?;
        match enter::enter(&self.within, self.next.bind(py), &args, None) {
            Ok((item, true)) => Ok(Some(item)),
            Ok((_, false)) => Err(stop()),
            Err(end) if is_exhausted(py, &end) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
