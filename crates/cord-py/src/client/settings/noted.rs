//! What was noted of settings: enough to tell that none has changed.

use std::ptr::null_mut;
use std::sync::atomic::Ordering;

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyType};

use super::decimals::NotedDecimals;
use super::lists::NotedList;
use super::{attributes, calls, context, start, CHANGES};
use crate::python;
use crate::travel::watch::Pairs;

/// What was seen in one context.
pub struct Noted {
    changes: u64,
    /// Held, so that no other comes to lie there.
    root: Option<Py<PyAny>>,
    /// `sys.modules`, and how many there were.
    modules: Py<PyDict>,
    count: usize,
    lists: Vec<NotedList>,
    dicts: Vec<NotedDict>,
    decimals: Vec<NotedDecimals>,
    /// Something was to be noted that cannot be.
    is_blind: bool,
}

struct NotedDict {
    dict: Py<PyDict>,
    version: Option<u64>,
    copy: Py<PyDict>,
}

/// What `settings.noticed` returns: lists by where they are, dicts, classes and contexts of decimals.
type Noticed<'py> = (
    Vec<(Bound<'py, PyDict>, Bound<'py, PyString>)>,
    Vec<Bound<'py, PyDict>>,
    Vec<Bound<'py, PyType>>,
    Vec<Bound<'py, PyAny>>,
);

impl Noted {
    /// Notes what there is before any setting is looked at: `sys.path`, and how many modules.
    pub fn first(py: Python<'_>) -> PyResult<Noted> {
        let sys = py.import("sys")?.dict();
        let modules = sys
            .get_item("modules")?
            .ok_or_else(|| pyo3::exceptions::PyRuntimeError::new_err("sys.modules is gone"))?
            .cast_into::<PyDict>()?;
        calls::listen(&modules);
        let path = (sys, intern!(py, "path").clone());
        let noted = Noted::of(py, modules, (vec![path], vec![], vec![], vec![]))?;
        let changes = match start::is_suspect() {
            true => u64::MAX, // replicas have not what there is: it is read for the first call
            false => noted.changes,
        };
        Ok(Noted { changes, ..noted })
    }

    /// Notes how all is now. What is read of settings after that is what was noted, or newer.
    pub fn now(&self, py: Python<'_>) -> PyResult<Noted> {
        let modules = self.modules.bind(py).clone();
        calls::listen(&modules);
        let noticed: Noticed<'_> = python::NOTICED.call(py, ())?.extract()?;
        let mut lists = noticed.0;
        let path = self.lists.first();
        lists.splice(0..0, path.map(|one| one.place(py)));
        Noted::of(py, modules, (lists, noticed.1, noticed.2, noticed.3))
    }

    fn of<'py>(
        py: Python<'py>,
        modules: Bound<'py, PyDict>,
        (lists, dicts, classes, decimals): Noticed<'py>,
    ) -> PyResult<Noted> {
        classes.iter().for_each(attributes::hear);
        let changes = match calls::are_unheard() {
            true => u64::MAX, // so many there never are: all is read each time
            false => CHANGES.load(Ordering::Acquire),
        };
        let root = context::root(py).map_or(null_mut(), |root| root);
        let noted: Vec<_> = decimals.iter().map(NotedDecimals::of).collect();
        let is_blind = noted.iter().any(Option::is_none);
        let lists = lists
            .into_iter()
            .map(|(names, name)| NotedList::of(names, name))
            .collect();
        let dicts: PyResult<Vec<_>> = dicts.into_iter().map(NotedDict::of).collect();
        Ok(Noted {
            changes,
            // SAFETY: it is alive, for this thread's context holds it; or null.
            root: unsafe { Bound::from_borrowed_ptr_or_opt(py, root) }.map(Bound::unbind),
            count: modules.len(),
            modules: modules.unbind(),
            lists,
            dicts: dicts?,
            decimals: noted.into_iter().flatten().collect(),
            is_blind,
        })
    }

    /// Whether this was noted in the context that this thread is in.
    #[inline]
    pub fn is_here(&self, py: Python<'_>) -> bool {
        let noted = self.root.as_ref().map_or(null_mut(), Py::as_ptr);
        context::root(py) == Ok(noted)
    }

    /// Whether `sys.path` is as it was noted.
    pub fn has_same_path(&self, py: Python<'_>) -> bool {
        self.lists.first().is_none_or(|path| path.is_same(py))
    }

    /// Whether nothing was heard of since.
    #[inline]
    pub fn has_heard_all(&self) -> bool {
        CHANGES.load(Ordering::Acquire) == self.changes
    }

    /// Whether all is as it was noted, but for the context.
    #[inline]
    pub fn is_same(&self, py: Python<'_>) -> bool {
        self.has_heard_all()
            && self.modules.bind(py).len() == self.count
            && !self.is_blind
            && self.lists.iter().all(|list| list.is_same(py))
            && self.dicts.iter().all(|dict| dict.is_same(py))
            && self.decimals.iter().all(NotedDecimals::is_same)
    }
}

impl NotedDict {
    fn of(dict: Bound<'_, PyDict>) -> PyResult<NotedDict> {
        // SAFETY: it is a dict.
        let version = unsafe { Pairs::version(dict.as_ptr()) };
        let copy = dict.copy()?.unbind();
        Ok(NotedDict {
            dict: dict.unbind(),
            version,
            copy,
        })
    }

    fn is_same(&self, py: Python<'_>) -> bool {
        let (dict, copy) = (self.dict.bind(py), self.copy.bind(py));
        // SAFETY: it is a dict.
        let version = unsafe { Pairs::version(dict.as_ptr()) };
        if version.is_some() {
            return version == self.version;
        }
        // SAFETY: both are dicts; nothing runs while they are read.
        dict.len() == copy.len() && unsafe { Pairs::of(dict.as_ptr()).eq(Pairs::of(copy.as_ptr())) }
    }
}

/// Settings of this process as they were when this was made, to tell whether any has changed.
#[pyclass(frozen, module = "cord._core")]
pub struct SettingsSeen(Noted);

#[pymethods]
impl SettingsSeen {
    /// Notes settings, and what is in these dicts besides.
    #[new]
    #[pyo3(signature = (dicts=Vec::new()))]
    fn new(py: Python<'_>, dicts: Vec<Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut noted = Noted::first(py)?.now(py)?;
        for dict in dicts {
            noted.dicts.push(NotedDict::of(dict)?);
        }
        Ok(SettingsSeen(noted))
    }

    /// Whether nothing has changed; asked in the context in which this was made.
    fn is_same(&self, py: Python<'_>) -> bool {
        self.is_as_noted(py, false)
    }
}

impl SettingsSeen {
    /// Whether nothing has changed; whatever the context is, if that is no matter.
    #[inline]
    pub fn is_as_noted(&self, py: Python<'_>, is_anywhere: bool) -> bool {
        (is_anywhere || self.0.is_here(py)) && self.0.is_same(py)
    }
}
