//! How objects of a class are looked into: `watched.py` says so of all but the simplest.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

use crate::address::ByAddress;
use crate::objects::kinds::version_of;
use crate::python::{self, Asked};

/// So many classes are remembered.
const MOST: usize = 4096;

/// By the address of each class: its version, and what is known of that. A version is given once.
type Known = HashMap<usize, (u32, Looks, Vec<usize>), ByAddress>;

static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);

/// What of an object is compared. Several may hold.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Looks {
    /// Nothing: it does not change, and nobody can tell that it is held.
    pub held: bool,
    /// Nothing, if it has no time zone of an unknown kind.
    pub dated: bool,
    /// Its `__dict__` and its slots.
    pub attributes: bool,
    pub list: bool,
    pub tuple: bool,
    /// It is a tuple that nobody can tell to be held, if what is in it is held.
    pub value: bool,
    pub dict: bool,
    pub set: bool,
    /// What iterating over it yields.
    pub order: bool,
    /// The bytes that it shows.
    pub memory: bool,
    pub cell: bool,
    pub function: bool,
}

/// A class of objects that are looked into.
pub struct Class {
    pub class: Py<PyType>,
    pub looks: Looks,
    /// Where the values of its slots lie in an object.
    pub slots: Vec<usize>,
}

impl Class {
    /// A class of which it is known.
    pub fn known(class: &Bound<'_, PyType>, looks: Looks) -> Class {
        Class {
            class: class.clone().unbind(),
            looks,
            slots: Vec::new(),
        }
    }

    /// Asks how objects of a class are looked into; nothing holds if only their encoding tells.
    pub fn ask(class: &Bound<'_, PyType>) -> PyResult<Class> {
        Class::asked_of(class, &python::LOOKS_OF)
    }

    /// The same for what calls may leave something in. It is asked once for each version of a class.
    pub fn ask_once(class: &Bound<'_, PyType>) -> PyResult<Class> {
        let (address, version) = (class.as_ptr() as usize, version_of(class));
        let found = {
            let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
            let found = known.get(&address).filter(|found| found.0 == version);
            found.filter(|_| version != 0).cloned()
        };
        if let Some((_, looks, slots)) = found {
            return Ok(Class {
                slots,
                ..Class::known(class, looks)
            });
        }
        let made = Class::asked_of(class, &python::TRACES_OF)?;
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(address, (version_of(class), made.looks, made.slots.clone()));
        Ok(made)
    }

    fn asked_of(class: &Bound<'_, PyType>, whom: &Asked) -> PyResult<Class> {
        let py = class.py();
        let (names, slots): (Vec<String>, Bound<'_, PyTuple>) =
            whom.call(py, (class,))?.extract()?;
        let mut made = Class::known(class, Looks::default());
        for name in &names {
            *made.looks.named(name)? = true;
        }
        made.slots = places_of(&slots)?;
        Ok(made)
    }
}

impl Looks {
    fn named(&mut self, name: &str) -> PyResult<&mut bool> {
        Ok(match name {
            "held" => &mut self.held,
            "dated" => &mut self.dated,
            "attributes" => &mut self.attributes,
            "list" => &mut self.list,
            "tuple" => &mut self.tuple,
            "value" => &mut self.value,
            "dict" => &mut self.dict,
            "set" => &mut self.set,
            "order" => &mut self.order,
            "memory" => &mut self.memory,
            _ => return Err(PyValueError::new_err(name.to_owned())),
        })
    }
}

/// Where the values of slots lie in an object.
pub fn places_of(slots: &Bound<'_, PyTuple>) -> PyResult<Vec<usize>> {
    slots.iter().map(|slot| place_of(&slot)).collect()
}

/// Where a slot's value lies in an object.
fn place_of(slot: &Bound<'_, PyAny>) -> PyResult<usize> {
    // SAFETY: the check of the type comes first; a descriptor and its member live with their class.
    let offset = unsafe {
        if ffi::Py_TYPE(slot.as_ptr()) != &raw mut ffi::PyMemberDescr_Type {
            return Err(PyValueError::new_err("no slot"));
        }
        let member = &*(*slot.as_ptr().cast::<ffi::PyMemberDescrObject>()).d_member;
        if !matches!(member.type_code, ffi::Py_T_OBJECT_EX | OBJECT) {
            return Err(PyValueError::new_err("no object in the slot"));
        }
        member.offset
    };
    usize::try_from(offset).map_err(|_| PyValueError::new_err("no place"))
}

/// As `Py_T_OBJECT_EX`, but an empty slot reads as None.
const OBJECT: i32 = 6;
