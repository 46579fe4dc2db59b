//! Lists that modules have under a name, such as `sys.path`: what is in them.

use std::sync::atomic::{AtomicU64, Ordering};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

use crate::travel::watch::Pairs;

/// A list as it was noted.
pub struct NotedList {
    names: Py<PyDict>,
    name: Py<PyString>,
    /// The version of `names` in which the list was seen last; 0 if that has none.
    version: AtomicU64,
    list: Option<Py<PyList>>,
    items: Py<PyTuple>,
}

impl NotedList {
    pub fn of(names: Bound<'_, PyDict>, name: Bound<'_, PyString>) -> NotedList {
        let py = names.py();
        let version = AtomicU64::new(version_of(&names));
        let list = list_of(&names, &name);
        let items = list.as_ref().map(|list| list.to_tuple());
        NotedList {
            names: names.unbind(),
            name: name.unbind(),
            version,
            list: list.map(Bound::unbind),
            items: items.unwrap_or_else(|| PyTuple::empty(py)).unbind(),
        }
    }

    /// Where it is found.
    pub fn place<'py>(&self, py: Python<'py>) -> (Bound<'py, PyDict>, Bound<'py, PyString>) {
        (self.names.bind(py).clone(), self.name.bind(py).clone())
    }

    #[inline]
    pub fn is_same(&self, py: Python<'_>) -> bool {
        let names = self.names.bind(py);
        let version = version_of(names);
        if version != 0 && version == self.version.load(Ordering::Relaxed) {
            let list = self.list.as_ref();
            return list.is_none_or(|list| self.has_items_of(list.bind(py)));
        }
        let now = list_of(names, self.name.bind(py));
        let is_same = now.as_ref().is_none_or(|list| self.has_items_of(list));
        let is_it = match (&now, &self.list) {
            (Some(now), Some(list)) => now.is(list),
            (now, list) => now.is_none() && list.is_none(),
        };
        if is_same && is_it {
            self.version.store(version, Ordering::Relaxed);
        }
        is_same
    }

    #[inline]
    fn has_items_of(&self, list: &Bound<'_, PyList>) -> bool {
        let (list, items) = (list.as_ptr(), self.items.as_ptr());
        // SAFETY: a list and a tuple; nothing runs while the addresses in them are compared.
        unsafe {
            let length = ffi::PyList_GET_SIZE(list);
            if length != ffi::PyTuple_GET_SIZE(items) {
                return false;
            }
            let now = (*list.cast::<ffi::PyListObject>()).ob_item;
            let then: *const *mut ffi::PyObject =
                (&raw const (*items.cast::<ffi::PyTupleObject>()).ob_item).cast();
            // one by one: they are few, and this is asked at each call
            (0..length.unsigned_abs()).all(|at| *now.add(at) == *then.add(at))
        }
    }
}

fn version_of(names: &Bound<'_, PyDict>) -> u64 {
    // SAFETY: it is a dict.
    unsafe { Pairs::version(names.as_ptr()) }.unwrap_or(0)
}

/// The list that is there, if the program left one.
fn list_of<'py>(
    names: &Bound<'py, PyDict>,
    name: &Bound<'py, PyString>,
) -> Option<Bound<'py, PyList>> {
    names.get_item(name).ok()??.cast_into::<PyList>().ok()
}
