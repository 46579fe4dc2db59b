//! Objects that code knows by their identity: it compares them by `is`, or they have no equality of their
//! own, so that lists, sets and dicts find them by it.
//!
//! What a module holds and a call is given, too, would be two objects in a replica. No code of the
//! program's runs while this looks.

use std::collections::HashSet;
use std::sync::OnceLock;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFunction};
use pyo3::PyTypeInfo;

use super::parts::{is_simple, push_parts, Object};
use crate::address::ByAddress;
use crate::client::remote::RemoteFunction;

/// So many objects are looked at; what lies behind is taken to be nobody else's.
const MOST: usize = 1_000_000;

/// How code knows objects of the state that it reads, as long as nothing is bound or changed.
pub struct KnownBy {
    /// Functions and classes that may hold some.
    definitions: Vec<Py<PyAny>>,
    /// The addresses of those that replicas find by a name.
    named: HashSet<usize>,
    /// The code compares by `is`: containers and objects with an equality of their own count, too.
    by_is: bool,
    found: OnceLock<Identities>,
}

/// The same, as Python tells it.
pub type Told = (Vec<Py<PyAny>>, HashSet<usize>, bool);

impl KnownBy {
    /// Looks for nothing yet.
    pub fn new((definitions, named, by_is): Told) -> KnownBy {
        KnownBy {
            definitions,
            named,
            by_is,
            found: OnceLock::new(),
        }
    }

    /// Whether arguments lead to one of them. `read`: the values that the code reads by names.
    pub fn is_given<'py>(
        &self,
        arguments: &[Bound<'py, PyAny>],
        read: impl FnOnce(Python<'py>) -> Vec<Bound<'py, PyAny>>,
    ) -> bool {
        let Some(py) = arguments.first().map(Bound::py) else {
            return false;
        };
        let found = self.found.get_or_init(|| {
            let held = self
                .definitions
                .iter()
                .flat_map(|one| held_by(one.bind(py)));
            let objects: Vec<_> = read(py).into_iter().chain(held).collect();
            Identities::of(&objects, &self.named, self.by_is)
        });
        found.are_led_to_by(arguments)
    }
}

/// The addresses of such objects.
struct Identities(HashSet<usize, ByAddress>);

impl Identities {
    /// All that some objects lead to, besides those that have names: what these hold counts.
    fn of(objects: &[Bound<'_, PyAny>], named: &HashSet<usize>, by_is: bool) -> Identities {
        let mut found = HashSet::default();
        walk(objects, |object| {
            // SAFETY: it lives, for nothing has run since the walk came to it.
            if unsafe { is_known_by_identity(object, by_is) } && !named.contains(&(object as usize))
            {
                found.insert(object as usize);
            }
            true
        });
        Identities(found)
    }

    /// Whether one of them is what these objects lead to.
    fn are_led_to_by(&self, objects: &[Bound<'_, PyAny>]) -> bool {
        let mut are_there = false;
        if !self.0.is_empty() {
            walk(objects, |object| {
                are_there = self.0.contains(&(object as usize));
                !are_there
            });
        }
        are_there
    }
}

/// Comes to all that objects lead to, and not into code, until `goes_on` says no.
fn walk(objects: &[Bound<'_, PyAny>], mut goes_on: impl FnMut(Object) -> bool) {
    let mut waiting: Vec<Object> = objects.iter().map(Bound::as_ptr).collect();
    let mut seen: HashSet<usize, ByAddress> = HashSet::default();
    while let Some(object) = waiting.pop() {
        // SAFETY: what holds it has not changed, for nothing runs meanwhile.
        let class = unsafe { ffi::Py_TYPE(object) };
        if is_simple(class) || seen.len() >= MOST || !seen.insert(object as usize) {
            continue;
        }
        if unsafe { is_definition(object) } {
            if is_function_within(object) && !goes_on(object) {
                return;
            }
            continue;
        }
        if !goes_on(object) {
            return;
        }
        push_parts(object, &mut waiting);
    }
}

/// Whether it is code, a module, or a member of an enumeration.
unsafe fn is_definition(object: Object) -> bool {
    // SAFETY: the interpreter is held.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: the caller has an object.
    unsafe {
        let class = ffi::Py_TYPE(object);
        ffi::PyType_Check(object) != 0
            || ffi::PyModule_Check(object) != 0
            || class == &raw mut ffi::PyFunction_Type
            || class == &raw mut ffi::PyCFunction_Type
            || class == &raw mut ffi::PyCode_Type
            || class == &raw mut ffi::PyFrame_Type
            || class == &raw mut ffi::PyGen_Type
            || class == &raw mut ffi::PyCoro_Type
            || is_enumeration(class)
            || ffi::PyObject_TypeCheck(object, RemoteFunction::type_object_raw(py)) != 0
    }
}

/// Whether it is a function that no name leads to.
fn is_function_within(object: Object) -> bool {
    // SAFETY: the interpreter is held.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: the caller has an object.
    let object = unsafe { Bound::from_borrowed_ptr(py, object) };
    let name = object
        .cast::<PyFunction>()
        .ok()
        .and_then(|function| function.getattr("__qualname__").ok());
    name.and_then(|name| name.extract::<String>().ok())
        .is_some_and(|name| name.contains('<'))
}

unsafe fn is_known_by_identity(object: Object, by_is: bool) -> bool {
    // SAFETY: the caller has an object; its class lives as long.
    unsafe {
        let class = ffi::Py_TYPE(object);
        let containers = [
            &raw mut ffi::PyList_Type,
            &raw mut ffi::PyDict_Type,
            &raw mut ffi::PySet_Type,
            &raw mut ffi::PyByteArray_Type,
        ];
        if containers.contains(&class) {
            return by_is;
        }
        if class == &raw mut ffi::PyFunction_Type {
            return true; // one that no name leads to
        }
        if class == &raw mut ffi::PyBaseObject_Type {
            return true;
        }
        if (*class).tp_flags & ffi::Py_TPFLAGS_HEAPTYPE == 0 {
            return false;
        }
        by_is || compares_by(class) == compares_by(&raw mut ffi::PyBaseObject_Type)
    }
}

/// Where the code is by which objects of a class are compared: a class has that of the one above, or its own.
unsafe fn compares_by(class: *mut ffi::PyTypeObject) -> usize {
    // SAFETY: the caller has a class.
    unsafe { (*class).tp_richcompare.map_or(0, |code| code as usize) }
}

/// Whether the members of a class are the same wherever they go.
///
/// # Safety
/// It is a class.
pub unsafe fn is_enumeration(class: *mut ffi::PyTypeObject) -> bool {
    // SAFETY: classes of classes are classes.
    unsafe {
        let name = std::ffi::CStr::from_ptr((*ffi::Py_TYPE(class.cast())).tp_name);
        matches!(name.to_bytes(), b"EnumType" | b"EnumMeta")
    }
}

/// What the code of functions and classes holds: what is in their cells, defaults and namespaces.
fn held_by<'py>(definition: &Bound<'py, PyAny>) -> Vec<Bound<'py, PyAny>> {
    if definition.is_exact_instance_of::<PyFunction>() {
        let names = ["__closure__", "__defaults__", "__kwdefaults__", "__dict__"];
        return names
            .iter()
            .filter_map(|name| definition.getattr(*name).ok())
            .collect();
    }
    // SAFETY: a class that lives has a dict, or is one of Python's own.
    unsafe {
        if ffi::PyType_Check(definition.as_ptr()) == 0 {
            return Vec::new();
        }
        let dict = (*definition.as_ptr().cast::<ffi::PyTypeObject>()).tp_dict;
        let dict = Bound::from_borrowed_ptr_or_opt(definition.py(), dict);
        let Some(Ok(dict)) = dict.map(|dict| dict.cast_into::<PyDict>()) else {
            return Vec::new();
        };
        let values = dict.iter().map(|(_, value)| value);
        // methods are known by their names
        values
            .filter(|one| !one.is_exact_instance_of::<PyFunction>())
            .collect()
    }
}
