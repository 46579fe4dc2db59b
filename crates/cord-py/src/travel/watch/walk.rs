//! Walks over objects and notes what they hold.

mod behind;
mod definitions;

use std::collections::{HashMap, HashSet};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyBytes, PyComplex, PyDict, PyFloat, PyFrozenSet, PyFunction, PyInt, PyList, PySet,
    PyString, PyTuple, PyType,
};

use self::behind::{called_by, function_of, owner_of};
use super::dicts::dict_words;
use super::looks::{Class, Looks};
use super::memory::{memory_of, note_bytes};
use super::node::{dict_of, is_unwritten, items_of, slot_of, table_of, Kind, Node, Noted};
use super::snapshot::Own;
use crate::address::ByAddress;
use crate::objects::plain::is_fixed;
use crate::travel::pickling::array_of;
use crate::travel::sets::HASH_OF_LEFT;

/// How deep tuples in tuples are looked into to find that all of it can be held.
const DEEPEST: usize = 16;

/// What stands in classes for functions, and where it has them.
const WRAPPERS: [(&str, &str); 4] = [
    ("staticmethod", "__func__"),
    ("classmethod", "__func__"),
    ("property", "fget"),
    ("property", "fset"),
];

/// What becomes of an object that was found.
enum Place<'py> {
    /// It is held.
    Held,
    /// It is looked into; it is of the class with this number.
    Inside(usize),
    /// It is a method of this object, or shows what is in it, which may change.
    Behind(Bound<'py, PyAny>),
    /// Only its encoding tells whether it has changed.
    Other,
}

pub struct Walk<'a, 'py> {
    py: Python<'py>,
    noted: Noted,
    /// What is to be looked into, with the numbers of the classes. All of it is kept until the walk
    /// is over, for it may let other threads run.
    found: Vec<(Bound<'py, PyAny>, usize, u32)>,
    /// The dicts of classes and functions, kept likewise.
    alive: Vec<Bound<'py, PyAny>>,
    seen: HashSet<usize, ByAddress>,
    classes: HashMap<usize, usize, ByAddress>,
    others: Vec<Bound<'py, PyAny>>,
    /// Of the objects that the walk began with, the one that leads to what is added now; and to the
    /// others.
    root: u32,
    roots_of_others: Vec<u32>,
    /// Whose functions and classes are looked into wherever they are met, and those that were.
    own: Option<&'a Own>,
    notes_classes: bool,
    met: Vec<Bound<'py, PyAny>>,
}

impl<'a, 'py> Walk<'a, 'py> {
    /// A walk that looks into functions and classes, too, as far as they are the project's.
    pub fn deep(py: Python<'py>, own: &'a Own, notes_classes: bool) -> Walk<'a, 'py> {
        let mut walk = Walk::new(py);
        (walk.own, walk.notes_classes) = (Some(own), notes_classes);
        walk.noted.is_brief = walk.is_brief();
        walk.know(&py.get_type::<PyFunction>(), |looks| looks.function = true);
        walk
    }

    /// Whether it is about the arguments of one call, which is compared once.
    fn is_brief(&self) -> bool {
        self.own.is_some() && !self.notes_classes
    }

    pub fn new(py: Python<'py>) -> Walk<'a, 'py> {
        let mut walk = Walk {
            py,
            noted: Noted::default(),
            found: Vec::new(),
            alive: Vec::new(),
            seen: HashSet::default(),
            classes: HashMap::default(),
            others: Vec::new(),
            root: 0,
            roots_of_others: Vec::new(),
            own: None,
            notes_classes: true,
            met: Vec::new(),
        };
        // SAFETY: it is the class of cells.
        let cells = unsafe { PyType::from_borrowed_type_ptr(py, &raw mut ffi::PyCell_Type) };
        walk.know(&py.get_type::<PyList>(), |looks| looks.list = true);
        walk.know(&py.get_type::<PyDict>(), |looks| looks.dict = true);
        walk.know(&py.get_type::<PySet>(), |looks| looks.set = true);
        walk.know(&py.get_type::<PyFrozenSet>(), |looks| looks.set = true);
        walk.know(&py.get_type::<PyTuple>(), |looks| {
            (looks.tuple, looks.value) = (true, true);
        });
        walk.know(&cells, |looks| looks.cell = true);
        walk
    }

    fn know(&mut self, class: &Bound<'py, PyType>, set: impl FnOnce(&mut Looks)) {
        let mut looks = Looks::default();
        set(&mut looks);
        self.remember(Class::known(class, looks));
    }

    fn remember(&mut self, class: Class) -> usize {
        let number = self.noted.classes.len();
        self.classes.insert(class.class.as_ptr() as usize, number);
        self.noted.classes.push(class);
        number
    }

    /// What was noted, and the objects of which only the encoding tells.
    pub fn end(mut self) -> (Noted, Vec<Bound<'py, PyAny>>) {
        self.noted.others = addresses(&self.others);
        (self.noted, self.others)
    }

    /// What is added from now on is led to by this one of the objects that the walk begins with.
    pub fn begin(&mut self, root: u32) {
        self.root = root;
    }

    /// Functions and classes of the project that were met, and which objects led to the others.
    pub fn met(&mut self) -> (Vec<Bound<'py, PyAny>>, Vec<u32>) {
        let roots = std::mem::take(&mut self.roots_of_others);
        (std::mem::take(&mut self.met), roots)
    }

    /// Adds a namespace: what names stand for in it. What they stand for is kept, and not looked into.
    pub fn add_space(&mut self, dict: &Bound<'py, PyAny>) -> PyResult<()> {
        self.hold(dict);
        for (name, value) in self.note_pairs(dict)? {
            self.hold(&name);
            self.hold(&value);
        }
        Ok(())
    }

    /// Adds an object.
    pub fn add(&mut self, value: Bound<'py, PyAny>) -> PyResult<()> {
        if let Some(function) = function_of(&value) {
            self.add(function)?;
        }
        match self.place(&value, 0)? {
            Place::Held => self.noted.held.push(value.unbind()),
            Place::Inside(class) => {
                if self.seen.insert(value.as_ptr() as usize) {
                    self.found.push((value, class, self.root));
                }
            }
            Place::Behind(owner) => {
                self.noted.held.push(value.unbind());
                self.add(owner)?;
            }
            Place::Other => {
                if self.seen.insert(value.as_ptr() as usize) {
                    for part in called_by(&value)? {
                        self.add(part)?;
                    }
                    self.push_other(value);
                }
            }
        }
        Ok(())
    }

    fn push_other(&mut self, value: Bound<'py, PyAny>) {
        self.others.push(value);
        self.roots_of_others.push(self.root);
    }

    fn place(&mut self, value: &Bound<'py, PyAny>, depth: usize) -> PyResult<Place<'py>> {
        let is_definition =
            value.is_instance_of::<PyType>() || value.is_exact_instance_of::<PyFunction>();
        if is_immutable(value) {
            return Ok(Place::Held);
        }
        if is_definition {
            return self.place_definition(value);
        }
        if let Some(owner) = owner_of(value).filter(|_| depth < DEEPEST) {
            return Ok(match self.place(&owner, depth + 1)? {
                Place::Held => Place::Held,
                _ => Place::Behind(owner),
            });
        }
        let number = self.class_of(&value.get_type())?;
        let looks = self.noted.classes[number].looks;
        if looks.held || (looks.dated && has_known_zone(value)?) {
            return Ok(Place::Held);
        }
        if looks.value && depth < DEEPEST {
            for item in value.cast::<PyTuple>()? {
                if !matches!(self.place(&item, depth + 1)?, Place::Held) {
                    return Ok(Place::Inside(number));
                }
            }
            return Ok(Place::Held);
        }
        if looks == Looks::default() || looks.dated {
            return Ok(if array_of(value).is_some() {
                Place::Inside(number)
            } else {
                Place::Other
            });
        }
        Ok(Place::Inside(number))
    }

    fn class_of(&mut self, class: &Bound<'py, PyType>) -> PyResult<usize> {
        if let Some(number) = self.classes.get(&(class.as_ptr() as usize)) {
            return Ok(*number);
        }
        if self.own.is_some() {
            let known = Class::ask_once(class)?;
            let number = self.remember(known);
            self.meet_class(class)?;
            return Ok(number);
        }
        let mut known = Class::ask(class)?;
        if known.looks.attributes && !(self.follow(class)? && self.follow_reducers()?) {
            known.looks = Looks::default();
        }
        Ok(self.remember(known))
    }

    /// Looks into all that was added, and what it leads to.
    pub fn go(&mut self) -> PyResult<()> {
        let mut at = 0;
        while let Some((value, class, root)) = self.found.get(at) {
            let (value, looks) = (value.clone(), self.noted.classes[*class].looks);
            self.root = *root;
            self.look_into(&value, looks)?;
            at += 1;
        }
        Ok(())
    }

    fn look_into(&mut self, value: &Bound<'py, PyAny>, looks: Looks) -> PyResult<()> {
        if looks.function {
            self.met.push(value.clone());
            return self.look_at_function(value);
        }
        if looks.attributes {
            self.look_at_attributes(value)?;
        }
        if looks.order {
            let items = value.try_iter()?.collect::<PyResult<Vec<_>>>()?;
            self.look_at_items(value, Kind::Order, items)?;
        }
        if looks.list && self.own.is_some() {
            // SAFETY: it is a list, in which nothing changes while it is read.
            let items = unsafe { items_of(value.as_ptr()) }.to_vec();
            self.note(value, Kind::List, |words| words.extend_from_slice(&items))?;
            self.add_held(&items)?;
        } else if looks.list {
            let items = value.cast::<PyList>()?.iter().collect();
            self.look_at_items(value, Kind::List, items)?;
        }
        if looks.tuple {
            let items = value.cast::<PyTuple>()?.iter().collect();
            self.look_at_items(value, Kind::Tuple, items)?;
        }
        if looks.dict && self.own.is_some() {
            let start = self.noted.words.len() + 1;
            // SAFETY: it is a dict.
            self.note(value, Kind::Dict, |words| unsafe {
                dict_words(value.as_ptr(), words);
            })?;
            let pairs = self.noted.words[start..].to_vec();
            self.add_held(&pairs)?;
        } else if looks.dict {
            for (key, item) in self.note_pairs(value)? {
                self.add(key)?;
                self.add(item)?;
            }
        }
        if looks.set {
            self.look_at_set(value)?;
        }
        if looks.memory {
            // SAFETY: a live object.
            let Some(shown) = (unsafe { memory_of(value.as_ptr()) }) else {
                self.push_other(value.clone());
                return Ok(());
            };
            self.note(value, Kind::Bytes, |words| {
                words.push(shown.bytes().len());
                note_bytes(shown.bytes(), words);
            })?;
        }
        if let Some(array) = array_of(value) {
            // SAFETY: the array lives, and the interpreter is held.
            if self.is_brief() && is_unwritten(unsafe { array.bytes() }) {
                return self.note(value, Kind::Received, |words| words.extend(array.layout()));
            }
            self.note(value, Kind::Array, |words| {
                words.extend(array.layout());
                // SAFETY: the array lives, and the interpreter is held.
                note_bytes(unsafe { array.bytes() }, words);
            })?;
        }
        if looks.cell {
            self.look_at_cell(value)?;
        }
        Ok(())
    }

    fn look_at_attributes(&mut self, value: &Bound<'py, PyAny>) -> PyResult<()> {
        let object = value.as_ptr();
        let number = self.class_of(&value.get_type())?;
        let class = &self.noted.classes[number];
        // SAFETY: a live object of this class.
        let words: Vec<usize> = unsafe {
            let slots = class.slots.iter().map(|place| slot_of(object, *place));
            std::iter::once(dict_of(object)).chain(slots).collect()
        };
        self.note(value, Kind::Attributes, |all| all.extend(&words))?;
        self.add_all_at(&words)
    }

    fn look_at_items(
        &mut self,
        value: &Bound<'py, PyAny>,
        kind: Kind,
        items: Vec<Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        self.note(value, kind, |words| {
            words.extend(items.iter().map(|item| item.as_ptr() as usize));
        })?;
        items.into_iter().try_for_each(|item| self.add(item))
    }

    /// Adds the objects at addresses that were just read. All of them are held, by one tuple: where there are
    /// many, most are numbers and texts.
    fn add_held(&mut self, addresses: &[usize]) -> PyResult<()> {
        if addresses.is_empty() {
            return Ok(());
        }
        let py = self.py;
        // SAFETY: the objects are alive, as what held them has not changed; each place of the new tuple
        // is filled with a reference of its own.
        let held = unsafe {
            let held = Bound::from_owned_ptr_or_err(
                py,
                ffi::PyTuple_New(addresses.len().try_into().unwrap_or(isize::MAX)),
            )?;
            for (place, &address) in addresses.iter().enumerate() {
                let object = address as *mut ffi::PyObject;
                ffi::Py_INCREF(object);
                ffi::PyTuple_SET_ITEM(held.as_ptr(), place as isize, object);
            }
            held
        };
        for item in held.cast::<PyTuple>()?.iter_borrowed() {
            if !is_immutable(&item) {
                self.add(item.to_owned())?;
            }
        }
        self.noted.held.push(held.unbind());
        Ok(())
    }

    fn look_at_set(&mut self, value: &Bound<'py, PyAny>) -> PyResult<()> {
        // SAFETY: it is a set, and nothing runs while its table is read.
        let table = unsafe { table_of(value.as_ptr()) }.to_vec();
        self.note(value, Kind::Set, |words| words.extend(&table))?;
        let entries = table.chunks_exact(2);
        let used = entries.filter(|entry| entry[1] as ffi::Py_hash_t != HASH_OF_LEFT);
        let keys: Vec<usize> = used.map(|entry| entry[0]).collect();
        self.add_all_at(&keys)
    }

    fn look_at_cell(&mut self, value: &Bound<'py, PyAny>) -> PyResult<()> {
        // SAFETY: it is a cell.
        let held = unsafe { (*value.as_ptr().cast::<ffi::PyCellObject>()).ob_ref } as usize;
        self.note(value, Kind::Cell, |words| words.push(held))?;
        self.add_all_at(&[held])
    }

    fn note_pairs(
        &mut self,
        dict: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>> {
        let start = self.noted.words.len();
        // SAFETY: it is a dict.
        self.note(dict, Kind::Dict, |words| unsafe {
            dict_words(dict.as_ptr(), words);
        })?;
        let py = self.py;
        // SAFETY: they are in the dict, of which nothing has run since it was read.
        let bound =
            |word: usize| unsafe { Bound::from_borrowed_ptr(py, word as *mut ffi::PyObject) };
        let pairs = self.noted.words[start + 1..].chunks_exact(2);
        Ok(pairs.map(|pair| (bound(pair[0]), bound(pair[1]))).collect())
    }

    /// Adds a node. What `fill` reads is read at once, with nothing run before it.
    fn note(
        &mut self,
        value: &Bound<'py, PyAny>,
        kind: Kind,
        fill: impl FnOnce(&mut Vec<usize>),
    ) -> PyResult<()> {
        let class = match self.classes.get(&(value.get_type().as_ptr() as usize)) {
            Some(number) => *number,
            None => self.remember(Class::known(&value.get_type(), Looks::default())),
        };
        let start = self.noted.words.len();
        fill(&mut self.noted.words);
        self.noted.nodes.push(Node {
            object: value.as_ptr() as usize,
            class,
            kind,
            start,
            len: self.noted.words.len() - start,
            root: self.root,
        });
        Ok(())
    }

    fn hold(&mut self, value: &Bound<'py, PyAny>) {
        self.noted.held.push(value.clone().unbind());
    }

    fn hold_at(&mut self, address: usize) {
        if let Some(object) = self.object_at(address) {
            self.hold(&object);
        }
    }

    /// Adds the objects at addresses that were just read.
    fn add_all_at(&mut self, addresses: &[usize]) -> PyResult<()> {
        let found: Vec<_> = addresses
            .iter()
            .filter_map(|&at| self.object_at(at))
            .collect();
        found.into_iter().try_for_each(|one| self.add(one))
    }

    /// The object at an address that was just read.
    fn object_at(&self, address: usize) -> Option<Bound<'py, PyAny>> {
        // SAFETY: what held it when it was read is alive and has not been changed: nothing has run.
        unsafe { Bound::from_borrowed_ptr_or_opt(self.py, address as *mut ffi::PyObject) }
    }
}

pub fn addresses(objects: &[Bound<'_, PyAny>]) -> Vec<usize> {
    objects.iter().map(|one| one.as_ptr() as usize).collect()
}

/// Whether this can be neither changed nor told to be held.
pub fn is_immutable(value: &Bound<'_, PyAny>) -> bool {
    value.is_exact_instance_of::<PyFloat>()
        || value.is_exact_instance_of::<PyInt>()
        || value.is_exact_instance_of::<PyString>()
        || value.is_none()
        || value.is_exact_instance_of::<PyBytes>()
        || value.is_exact_instance_of::<PyBool>()
        || value.is_exact_instance_of::<PyComplex>()
}

/// Whether a time is in a zone that does not change, or in none.
fn has_known_zone(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    let zone = value.getattr("tzinfo")?;
    Ok(zone.is_none() || zone.get_type().module()? == "datetime")
}

/// Whether this is the name of what Python itself keeps in a class.
fn is_pythons(name: &Bound<'_, PyAny>) -> bool {
    let name = name.cast::<PyString>().ok();
    let name = name.as_ref().and_then(|name| name.to_str().ok());
    name.is_none_or(|name| name.starts_with("__") && name.ends_with("__"))
}
