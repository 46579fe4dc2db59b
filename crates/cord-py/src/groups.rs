//! `itertools.groupby` as a scout does it: each group is read at once, the key found under guards.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::future::is_future;
use crate::guard::Guard;
use crate::passes::Fresh;
use crate::scout_end::stop;

/// So many items a group may have.
const MOST_ITEMS: usize = 100_000;

struct Place {
    /// The key of the group that was given last.
    target: Option<Py<PyAny>>,
    /// The next item that was read, and its key.
    read: Option<(Py<PyAny>, Py<PyAny>)>,
}

/// The groups that equal keys in a row make: pairs of a key and the list of its items.
#[pyclass(module = "cord._core", frozen)]
pub struct Groups {
    guard: Py<Guard>,
    items: Py<PyAny>,
    key: Py<PyAny>,
    place: Mutex<Place>,
}

impl Groups {
    fn place(&self) -> MutexGuard<'_, Place> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn key_of<'py>(&self, item: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = item.py();
        if is_future(item) {
            return Err(stop());
        }
        let key = self.key.bind(py);
        if key.is_none() {
            return Ok(item.clone());
        }
        let args = PyTuple::new(py, [item])?;
        let found = self.guard.bind(py).get().call_anything(key, &args, None)?;
        match is_future(&found) {
            true => Err(stop()),
            false => Ok(found),
        }
    }

    /// The next item and its key, which stays the next one until it is taken.
    fn read(&self, py: Python<'_>) -> PyResult<Option<(Py<PyAny>, Py<PyAny>)>> {
        if let Some((key, item)) = &self.place().read {
            return Ok(Some((key.clone_ref(py), item.clone_ref(py))));
        }
        let Some(item) = self.items.bind(py).try_iter()?.next().transpose()? else {
            return Ok(None);
        };
        let key = self.key_of(&item)?;
        let read = (key.unbind(), item.unbind());
        self.place().read = Some((read.0.clone_ref(py), read.1.clone_ref(py)));
        Ok(Some(read))
    }

    fn belongs(&self, py: Python<'_>, key: &Py<PyAny>) -> PyResult<bool> {
        let target = self.place().target.as_ref().map(|key| key.clone_ref(py));
        let Some(target) = target else {
            return Ok(false);
        };
        let guard = self.guard.bind(py);
        let same = Guard::compare(guard, "eq", target.bind(py), key.bind(py))?;
        guard.get().truth(&same)
    }
}

#[pymethods]
impl Groups {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        drop(self.rest(py)?);
        let Some((key, _)) = self.read(py)? else {
            return Ok(None);
        };
        self.place().target = Some(key.clone_ref(py));
        let group = self.rest(py)?.into_any().unbind();
        PyTuple::new(py, [key, group]).map(Some)
    }

    /// What is left of the group that was given last.
    fn rest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let group = PyList::empty(py);
        while let Some((key, item)) = self.read(py)? {
            if !self.belongs(py, &key)? {
                break;
            }
            if group.len() >= MOST_ITEMS {
                return Err(stop());
            }
            group.append(item)?;
            self.place().read = None;
        }
        Ok(group)
    }
}

impl Guard {
    /// What a call of `groupby` gives to a scout; None for a call of something else.
    pub(crate) fn grouped<'py>(
        slf: &Bound<'py, Self>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        static GROUPBY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let py = callee.py();
        let groupby = GROUPBY.get_or_try_init(py, || {
            let groupby = py.import("itertools")?.getattr("groupby")?;
            PyResult::Ok(groupby.unbind())
        })?;
        if !callee.is(groupby.bind(py)) {
            return Ok(None);
        }
        let given = |index: usize, name: &str| -> PyResult<Option<Bound<'py, PyAny>>> {
            match kwargs
                .map(|kwargs| kwargs.get_item(name))
                .transpose()?
                .flatten()
            {
                Some(found) => Ok(Some(found)),
                None => Ok(args.get_item(index).ok()),
            }
        };
        let items = given(0, "iterable")?.ok_or_else(stop)?;
        let key = given(1, "key")?.unwrap_or_else(|| py.None().into_bound(py));
        let items = slf.get().iter(&items)?;
        let groups = Self::groups(slf, &items, key, &PyTuple::empty(py))?;
        let groups = Bound::new(py, groups)?.into_any();
        Ok(Some(Bound::new(py, Fresh(groups.unbind()))?.into_any()))
    }

    /// Groups of items that have been read so far: `place` is the key of the group that was given
    /// last, then the next item's key and that item, as far as they are there.
    pub(crate) fn groups<'py>(
        slf: &Bound<'py, Self>,
        items: &Bound<'py, PyAny>,
        key: Bound<'py, PyAny>,
        place: &Bound<'py, PyTuple>,
    ) -> PyResult<Groups> {
        let at = |index: usize| place.get_item(index).ok().map(Bound::unbind);
        Ok(Groups {
            guard: slf.clone().unbind(),
            items: items.clone().unbind(),
            key: key.unbind(),
            place: Mutex::new(Place {
                target: at(0),
                read: at(1).zip(at(2)),
            }),
        })
    }
}
