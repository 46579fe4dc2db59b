//! What classes are to guards. Python says it once for each version of a class; it is plain data.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use crate::address::ByAddress;
use crate::objects::lookup::found_in;
use crate::python;
use crate::travel::watch::places_of;

/// So many classes are remembered. Those that are gone are not told from others.
const MOST: usize = 4096;

/// What guards know of a class and its instances.
#[derive(FromPyObject)]
pub struct Kind {
    /// Its values are plain data: a type of the library.
    pub trusted: bool,
    /// A named tuple, which is walked and looked into as a tuple is.
    pub named_tuple: bool,
    /// A class of dicts of the library's that are read as dicts are.
    pub library_dict: bool,
    /// What shows the keys, values or items of a dict.
    pub view: bool,
    pub deque: bool,
    /// Members compare, hash and print as those of an `Enum` do.
    pub enumeration: bool,
    /// A metaclass of enumerations: to walk one of these gives its members.
    pub enumerates: bool,
    /// Instances are attributes and nothing else, kept as `object` keeps them.
    pub simple: bool,
    /// They compare, hash and print by those.
    pub record: bool,
    /// The default takes instances apart for a pickle, and there is nothing in them but attributes.
    pub taken_apart: bool,
    /// Reading an attribute is the interpreter's own affair.
    pub looks_up: bool,
    /// There is code for attributes that are not there.
    pub falls_back: bool,
    /// Where the slots lie in an instance that is simple or taken apart.
    #[pyo3(from_py_with = places)]
    pub slots: Option<Vec<usize>>,
    /// What the library's members do: "computes" of an attribute; "reads" of a method, or "makes" if it
    /// is one of the class; "library" of a method that reads what is plain.
    members: HashMap<String, String>,
    /// What methods look at that change their object, as a row of `cord.knowledge` tells it.
    changers: HashMap<String, String>,
    /// What the user declares free of effects; whether under the name of this very class.
    assumed: HashMap<String, bool>,
}

/// None where something else than an object lies in a slot.
fn places(slots: &Bound<'_, PyAny>) -> PyResult<Option<Vec<usize>>> {
    Ok(places_of(slots.cast()?).ok())
}

impl Kind {
    /// What the library's member of this name does.
    pub fn member(&self, name: &Bound<'_, PyString>) -> PyResult<Option<&str>> {
        Ok(self.members.get(name.to_str()?).map(String::as_str))
    }

    /// What a method that changes its object looks at; None for any other.
    pub fn changer(&self, name: &Bound<'_, PyString>) -> PyResult<Option<&str>> {
        Ok(self.changers.get(name.to_str()?).map(String::as_str))
    }

    /// Whether the user declares this free of effects, and if so, whether for this very class.
    pub fn assumed(&self, name: &Bound<'_, PyString>) -> PyResult<Option<bool>> {
        Ok(self.assumed.get(name.to_str()?).copied())
    }
}

/// By the address of each class: what holds of this version of it. A version is given once, and never
/// to another class; so no class is kept alive.
type Known = HashMap<usize, (u32, Arc<Kind>), ByAddress>;

static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);

/// Used only with the interpreter held, and for a moment: a forked child finds it free.
fn known() -> MutexGuard<'static, Known> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a class is to guards.
pub fn kind_of(class: &Bound<'_, PyType>) -> PyResult<Arc<Kind>> {
    let address = class.as_ptr() as usize;
    let version = version_of(class);
    if let Some((then, kind)) = known().get(&address) {
        if *then == version && version != 0 {
            return Ok(Arc::clone(kind));
        }
    }
    let mut kind: Kind = python::KIND_OF.call(class.py(), (class,))?.extract()?;
    if kind.slots.is_none() {
        (kind.simple, kind.record, kind.taken_apart) = (false, false, false);
    }
    let kind = Arc::new(kind);
    if version != 0 && version == version_of(class) {
        let mut known = known();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(address, (version, Arc::clone(&kind)));
    }
    Ok(kind)
}

/// What the kind of a value's class is.
pub fn kind_of_value(value: &Bound<'_, PyAny>) -> PyResult<Arc<Kind>> {
    kind_of(&value.get_type())
}

/// Another number whenever the class or one above it has changed, and never that of another class; 0
/// where the interpreter keeps no count.
#[pyfunction]
pub fn version_of(class: &Bound<'_, PyType>) -> u32 {
    drop(found_in(class, intern!(class.py(), "__class__"))); // gives it one
                                                             // SAFETY: the class is alive.
    unsafe { (*class.as_type_ptr()).tp_version_tag }
}

/// The user declares something else.
#[pyfunction]
pub fn forget_kinds() {
    known().clear();
}
