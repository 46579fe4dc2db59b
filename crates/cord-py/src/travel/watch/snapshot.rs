//! What a call may leave something in, as it was before: arguments, or the state of modules.
//!
//! It is a [`Watch`](super::Watch) that looks into the project's functions and classes wherever it meets
//! them, and that can say what has changed. Who makes one keeps what it begins with alive.

use std::collections::HashSet;
use std::sync::{Mutex, OnceLock, PoisonError};

use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyType};

use super::dicts::Pairs;
use super::node::{Kind, Noted};
use super::walk::{addresses, Walk};
use super::{apart_by, print_by};
use crate::address::ByAddress;
use crate::objects::identity::is_enumeration;
use crate::python::PLAIN_PRINT_OF;

/// What is the project's own: by the names of its modules, and the addresses of their namespaces.
#[pyclass(frozen, module = "cord._core")]
pub struct Own {
    names: HashSet<String>,
    spaces: HashSet<usize>,
}

#[pymethods]
impl Own {
    #[new]
    fn new(names: HashSet<String>, spaces: Vec<Bound<'_, PyAny>>) -> Own {
        let spaces = spaces.iter().map(|space| space.as_ptr() as usize).collect();
        Own { names, spaces }
    }
}

impl Own {
    /// # Panics
    /// Never, for what is no function has no globals.
    pub fn has_function(&self, function: &Bound<'_, PyAny>) -> bool {
        // SAFETY: a live object; what is no function is refused.
        let globals = unsafe { ffi::PyFunction_GetGlobals(function.as_ptr()) };
        self.spaces.contains(&(globals as usize))
    }

    /// Whether this is the namespace of one of its modules.
    pub fn has_space(&self, space: &Bound<'_, PyAny>) -> bool {
        self.spaces.contains(&(space.as_ptr() as usize))
    }

    /// Whether this is the dict of one of its modules, or of a class that is made in one.
    pub fn has_names(&self, names: &Bound<'_, PyDict>) -> bool {
        let home = || {
            names
                .get_item(intern!(names.py(), "__module__"))
                .ok()
                .flatten()
        };
        let is_name = |home: Bound<'_, PyAny>| {
            home.extract::<&str>()
                .is_ok_and(|home| self.names.contains(home))
        };
        self.has_space(names.as_any()) || home().is_some_and(is_name)
    }

    pub fn has_class(&self, class: &Bound<'_, PyType>) -> bool {
        // SAFETY: a live class.
        let is_made_here =
            unsafe { ffi::PyType_HasFeature(class.as_type_ptr(), ffi::Py_TPFLAGS_HEAPTYPE) } != 0;
        if !is_made_here {
            return false;
        }
        // what enumerations keep of their members is their own
        // SAFETY: a live class.
        if unsafe { is_enumeration(class.as_type_ptr()) } {
            return false;
        }
        let name = class.getattr(intern!(class.py(), "__module__"));
        let name = name.and_then(|name| Ok(name.cast_into::<PyString>()?));
        name.is_ok_and(|name| name.to_str().is_ok_and(|name| self.names.contains(name)))
    }
}

/// Some objects with what they led to, as they were.
#[pyclass(frozen, module = "cord._core")]
pub struct Snapshot {
    noted: Mutex<Noted>,
    /// Functions and classes of the project that were met.
    met: Vec<Py<PyAny>>,
    /// The encodings of those objects that can only be compared so, and what led to them.
    printed: Option<Py<PyBytes>>,
    roots_of_others: Vec<u32>,
    /// The addresses of what can change, as soon as somebody has asked.
    changeable: OnceLock<HashSet<usize, ByAddress>>,
}

/// What has changed: which of the objects that it began with led there; and if names or attributes were
/// only bound to something where there was nothing or None, the values.
pub type Changed<'py> = Vec<(u32, Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>)>;

#[pymethods]
impl Snapshot {
    /// `spaces` are namespaces, whose names are compared, `roots` what is looked into: numbered in this
    /// order.
    #[new]
    pub fn new<'py>(
        py: Python<'py>,
        own: &Own,
        spaces: Vec<Bound<'py, PyAny>>,
        roots: Vec<Bound<'py, PyAny>>,
    ) -> PyResult<Snapshot> {
        Snapshot::of(py, own, true, true, spaces, roots.into_iter())
    }

    /// Functions and classes of the project that were met.
    fn met(&self, py: Python<'_>) -> Vec<Py<PyAny>> {
        self.met.iter().map(|one| one.clone_ref(py)).collect()
    }

    /// What has changed.
    fn changes<'py>(&self, py: Python<'py>) -> PyResult<Changed<'py>> {
        self.changes_if(py, true)
    }
}

impl Snapshot {
    /// What has changed; encodings are compared only if wanted.
    pub fn changes_if<'py>(&self, py: Python<'py>, encodes: bool) -> PyResult<Changed<'py>> {
        let (mut changed, others) = {
            let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
            let changed = noted.changes(py);
            let is_whole = encodes && changed.iter().all(|change| change.1.is_some());
            let others = if is_whole {
                noted.others(py)
            } else {
                Vec::new()
            };
            (changed, others)
        };
        if let (false, Some(before)) = (others.is_empty(), &self.printed) {
            let now = print_by(&PLAIN_PRINT_OF, py, &others)?;
            if now.is_none_or(|now| now.as_bytes() != before.bind(py).as_bytes()) {
                changed.push((self.changed_other(py, &others)?, None));
            }
        }
        Ok(changed)
    }

    /// How long the encoding is that is compared.
    pub fn length(&self, py: Python<'_>) -> usize {
        self.printed
            .as_ref()
            .map_or(0, |printed| printed.bind(py).as_bytes().len())
    }

    /// Whether there is nothing in it that could change, nor anything that was met.
    pub fn is_empty(&self) -> bool {
        let noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        noted.nodes.is_empty() && self.printed.is_none() && self.met.is_empty()
    }

    /// Whether only their encoding tells of some objects.
    pub fn has_others(&self) -> bool {
        self.printed.is_some()
    }

    /// A snapshot; what of the project's classes is met is noted, or is somebody else's to note. What
    /// only its encoding tells of is left out unless that is wanted.
    pub fn of<'py>(
        py: Python<'py>,
        own: &Own,
        with_classes: bool,
        encodes: bool,
        spaces: Vec<Bound<'py, PyAny>>,
        roots: impl Iterator<Item = Bound<'py, PyAny>>,
    ) -> PyResult<Snapshot> {
        let mut walk = Walk::deep(py, own, with_classes);
        let mut number = 0;
        for space in &spaces {
            walk.begin(number);
            walk.add_space(space)?;
            number += 1;
        }
        for root in roots {
            walk.begin(number);
            walk.add(root)?;
            number += 1;
        }
        walk.go()?;
        let (met, mut roots_of_others) = walk.met();
        let (mut noted, mut others) = walk.end();
        if !encodes {
            others.clear();
            noted.others.clear();
        }
        let mut printed = print_by(&PLAIN_PRINT_OF, py, &others)?;
        if printed.is_none() && !others.is_empty() {
            let known = addresses(&others);
            let (others, held) = apart_by(&PLAIN_PRINT_OF, py, others)?; // what cannot travel is not compared
            noted.held.extend(held.into_iter().map(Bound::unbind));
            noted.others = addresses(&others);
            let kept: HashSet<usize> = noted.others.iter().copied().collect();
            let mut is_kept = known.iter().map(|one| kept.contains(one));
            roots_of_others.retain(|_| is_kept.next().unwrap_or(false));
            printed = print_by(&PLAIN_PRINT_OF, py, &others)?;
        }
        Ok(Snapshot {
            noted: Mutex::new(noted),
            met: met.into_iter().map(Bound::unbind).collect(),
            printed: printed.map(Bound::unbind),
            roots_of_others,
            changeable: OnceLock::new(),
        })
    }

    /// Whether an object that can change is one of those that were met, as long as all is the same.
    pub fn holds(&self, object: *mut ffi::PyObject) -> bool {
        let all = self.changeable.get_or_init(|| {
            let noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
            let nodes = noted.nodes.iter().filter(|node| node.kind.can_change());
            let nodes = nodes.map(|node| node.object);
            nodes.chain(noted.others.iter().copied()).collect()
        });
        all.contains(&(object as usize))
    }

    /// Whether all is as it was, as far as no encoding has to tell.
    pub fn is_same(&self, py: Python<'_>) -> bool {
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        noted.is_same(py)
    }

    /// Functions and classes that were met, as they are.
    pub fn all_met(&self) -> &[Py<PyAny>] {
        &self.met
    }

    /// What led to the first of these that has changed, as far as that can be told.
    fn changed_other(&self, py: Python<'_>, others: &[Bound<'_, PyAny>]) -> PyResult<u32> {
        let _ = (py, others);
        Ok(self.roots_of_others.first().copied().unwrap_or(0))
    }
}

impl Noted {
    /// The nodes that are not what they were, each by what led to it.
    fn changes<'py>(&mut self, py: Python<'py>) -> Changed<'py> {
        let mut changed = Vec::new();
        // SAFETY: the interpreter is held; what is added to a dict takes nothing away that led to
        // other nodes, and with the first other change it ends.
        unsafe {
            let collects = ffi::PyGC_Disable();
            for at in 0..self.nodes.len() {
                if self.is_same_node(at) {
                    continue;
                }
                let root = self.nodes[at].root;
                match self.added(py, at) {
                    Some(added) => changed.extend(added.into_iter().map(|one| (root, Some(one)))),
                    None => {
                        changed.push((root, None));
                        break;
                    }
                }
            }
            if collects != 0 {
                ffi::PyGC_Enable();
            }
        }
        changed
    }

    /// The names and values that are new in a dict, if nothing else in it has changed: there was no such
    /// name, or it stood for None.
    ///
    /// # Safety
    /// As for `is_same_node`; that has said no.
    unsafe fn added<'py>(
        &self,
        py: Python<'py>,
        at: usize,
    ) -> Option<Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>> {
        let node = &self.nodes[at];
        let object = node.object as *mut ffi::PyObject;
        // SAFETY: the object is alive, as the caller promises.
        let is_dict =
            unsafe { ffi::Py_TYPE(object).cast() } == self.classes[node.class].class.as_ptr();
        if node.kind != Kind::Dict || !is_dict {
            return None;
        }
        let before = &self.words[node.start + 1..node.start + node.len];
        let none = py.None();
        let nothing = none.as_ptr() as usize;
        // SAFETY: it is a dict, in which nothing changes meanwhile.
        let mut now = unsafe { Pairs::of(object) };
        let mut added = Vec::new();
        // SAFETY: keys and values in it are alive.
        let bound = |at: usize| unsafe { Bound::from_borrowed_ptr(py, at as *mut ffi::PyObject) };
        for pair in before.chunks_exact(2) {
            let (key, value) = now.next()?;
            if (key, value) == (pair[0], pair[1]) {
                continue;
            }
            if key != pair[0] || pair[1] != nothing {
                return None;
            }
            added.push((bound(key), bound(value)));
        }
        added.extend(now.map(|(key, value)| (bound(key), bound(value))));
        Some(added)
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Own>()?;
    module.add_class::<Snapshot>()
}
