//! `enumerate` and `zip` over streams: they pause where an item is missing.

use std::sync::atomic::{AtomicIsize, Ordering};
use std::sync::{Mutex, PoisonError};

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::scouts::scout_end::{stop, stop_for};
use crate::scouts::stream::{Next, Pause, Reader, Stream};
use cord_core::scout::Why;

/// Several iterators that are walked together, or one whose items are counted; streams among them.
#[pyclass(module = "cord._core", frozen)]
pub struct Together {
    parts: Vec<Py<PyAny>>,
    /// The items of the next turn that are there already.
    found: Mutex<Vec<Py<PyAny>>>,
    /// What the next item is counted as.
    count: Option<AtomicIsize>,
}

/// Whether items of this may be missing for some time.
pub fn is_streamed(value: &Bound<'_, PyAny>) -> bool {
    value.is_exact_instance_of::<Stream>() || value.is_exact_instance_of::<Together>()
}

impl Together {
    pub fn of(parts: &Bound<'_, PyTuple>, count: Option<isize>) -> PyResult<Self> {
        let reading = |part: Bound<'_, PyAny>| -> PyResult<Py<PyAny>> {
            match Reader::of(&part) {
                Some(reader) => Ok(Bound::new(part.py(), reader)?.into_any().unbind()),
                None => Ok(part.try_iter()?.into_any().unbind()),
            }
        };
        Ok(Self {
            parts: parts.iter().map(reading).collect::<PyResult<_>>()?,
            found: Mutex::default(),
            count: count.map(AtomicIsize::new),
        })
    }

    /// The items of one turn, if all of them are there.
    pub fn next(&self, py: Python<'_>) -> PyResult<Next> {
        let mut items =
            std::mem::take(&mut *self.found.lock().unwrap_or_else(PoisonError::into_inner));
        for part in &self.parts[items.len()..] {
            match part.bind(py).try_iter()?.next().transpose()? {
                Some(item) if item.is_exact_instance_of::<Pause>() => {
                    *self.found.lock().unwrap_or_else(PoisonError::into_inner) = items;
                    return Ok(Next::Missing);
                }
                Some(item) => items.push(item.unbind()),
                None => return Ok(Next::End),
            }
        }
        if let Some(count) = &self.count {
            let number = count.fetch_add(1, Ordering::Relaxed).into_pyobject(py)?;
            items.insert(0, number.into_any().unbind());
        }
        Ok(Next::Item(PyTuple::new(py, items)?.into_any().unbind()))
    }
}

#[pymethods]
impl Together {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.parts.iter().try_for_each(|part| visit.call(part))
    }

    #[new]
    #[pyo3(signature = (parts, count=None))]
    fn new(parts: &Bound<'_, PyTuple>, count: Option<isize>) -> PyResult<Self> {
        Self::of(parts, count)
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    /// For builtins, which cannot pause.
    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        match self.next(py)? {
            Next::Item(item) => Ok(Some(item)),
            Next::End => Ok(None),
            Next::Failed(Some(why)) => Err(stop_for(Some(why))),
            Next::Missing | Next::Failed(None) => Err(stop(Why::Walked)),
        }
    }
}
