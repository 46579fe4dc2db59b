//! What was noted of each object, and how it is compared with what the object holds now.

use std::collections::HashMap;
use std::ops::Range;

use cord_wire::segment::Segment;
use pyo3::ffi;
use pyo3::prelude::*;

use super::dicts::{dict_memory, is_same_dict, is_same_version, Pairs};
use super::looks::Class;
use super::memory::{bytes_of, memory_of, Memory};
use super::pages::Pages;
use crate::travel::pickling::array_of;

/// Less is compared faster than anything is looked up.
const LARGE: usize = 64 * 1024;

/// What of an object is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The items of a list, by their addresses.
    List,
    Tuple,
    /// A dict's version, or if that is another one or there is none, its keys and values.
    Dict,
    /// The table of a set or frozenset.
    Set,
    /// The instance's dict, and its slots.
    Attributes,
    /// What iterating yields.
    Order,
    /// The bytes that it shows.
    Bytes,
    /// An array of numpy's, and how it is laid out.
    Array,
    Function,
    Cell,
    /// A class: what is above it. Its dict is a node of its own.
    Class,
    /// Only whether it is the same dict with the same version.
    Version,
    /// An array whose memory has come from elsewhere and was not written: its layout.
    Received,
}

impl Kind {
    /// Whether such objects are values that can change, and no definitions.
    pub fn can_change(self) -> bool {
        !matches!(
            self,
            Kind::Tuple | Kind::Function | Kind::Cell | Kind::Class | Kind::Version
        )
    }
}

pub struct Node {
    /// The address of the object. It is alive if what led to it is as it was.
    pub object: usize,
    /// Its class, by its place among the classes.
    pub class: usize,
    pub kind: Kind,
    /// Where its words begin, and how many there are.
    pub start: usize,
    pub len: usize,
    /// Which of the objects that the walk began with led to it first.
    pub root: u32,
}

/// Objects in an order in which each comes after one that led to it, and what they held.
#[derive(Default)]
pub struct Noted {
    pub nodes: Vec<Node>,
    pub words: Vec<usize>,
    pub classes: Vec<Class>,
    /// What lies at the addresses that no node is about.
    pub held: Vec<Py<PyAny>>,
    /// Objects of which only the encoding tells, by their addresses.
    pub others: Vec<usize>,
    /// It is compared once: how memory is written is not followed.
    pub is_brief: bool,
    /// What is known of the writes to large memory, by node.
    memories: HashMap<usize, Memory>,
    /// What is known of the writes to the objects themselves.
    pages: Pages,
}

impl Noted {
    /// Whether all objects hold what they held, but for the others.
    pub fn is_same(&mut self, _py: Python<'_>) -> bool {
        // SAFETY: the interpreter is held. Nothing of the program's may run in the midst of this,
        // not even a finalizer: each node relies on those before it.
        unsafe {
            let collects = ffi::PyGC_Disable();
            let same = self.is_same_where_written();
            if collects != 0 {
                ffi::PyGC_Enable();
            }
            same
        }
    }

    /// # Safety
    /// The interpreter is held, and nothing runs meanwhile.
    unsafe fn is_same_where_written(&mut self) -> bool {
        let looked = self.pages.look();
        // SAFETY: nodes are looked at in order; those that are left out are as they were.
        unsafe {
            if let Some(looked) = looked {
                let same = match &looked.nodes {
                    Some(nodes) => nodes.iter().all(|at| self.is_same_node(*at as usize)),
                    None => self.is_same_everywhere(),
                };
                if same {
                    self.pages.was_same(&looked);
                }
                return same;
            }
            if !self.is_same_everywhere() {
                return false;
            }
            if !Pages::are_worth_it(self.nodes.len()) {
                return true;
            }
            let mut pages = std::mem::take(&mut self.pages);
            let is_watched = pages.watch(self);
            self.pages = pages;
            !is_watched || self.is_same_everywhere()
        }
    }

    /// # Safety
    /// As for `is_same_where_written`.
    unsafe fn is_same_everywhere(&mut self) -> bool {
        // SAFETY: the caller's promise.
        unsafe { (0..self.nodes.len()).all(|at| self.is_same_node(at)) }
    }

    /// The memory that must be written for a node to change, if it is known.
    ///
    /// # Safety
    /// The object is alive.
    pub unsafe fn memory_of(&self, node: &Node) -> Option<[Range<usize>; 2]> {
        let start = node.object;
        let object = start as *mut ffi::PyObject;
        let head = |size: usize| start..start + size;
        // SAFETY: the caller's promise.
        unsafe {
            match node.kind {
                Kind::List => {
                    let items = (*object.cast::<ffi::PyListObject>()).ob_item as usize;
                    Some([
                        head(size_of::<ffi::PyListObject>()),
                        items..items + node.len * size_of::<usize>(),
                    ])
                }
                Kind::Tuple => Some([
                    head(size_of::<ffi::PyTupleObject>() + node.len * size_of::<usize>()),
                    0..0,
                ]),
                Kind::Dict => dict_memory(object),
                Kind::Set => {
                    let table = (*object.cast::<ffi::PySetObject>()).table as usize;
                    Some([
                        head(size_of::<ffi::PySetObject>()),
                        table..table + node.len * size_of::<usize>(),
                    ])
                }
                Kind::Attributes => instance_memory(object),
                _ => None,
            }
        }
    }

    /// The others; all else must have been found to be the same.
    pub fn others<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyAny>> {
        let bound = |&address: &usize| {
            // SAFETY: it is where it was, in an object that is alive.
            unsafe { Bound::from_borrowed_ptr(py, address as *mut ffi::PyObject) }
        };
        self.others.iter().map(bound).collect()
    }

    /// # Safety
    /// The interpreter is held, and the nodes before this one were found to be the same.
    pub unsafe fn is_same_node(&mut self, at: usize) -> bool {
        let node = &self.nodes[at];
        let class = &self.classes[node.class];
        let object = node.object as *mut ffi::PyObject;
        let words = &mut self.words[node.start..node.start + node.len];
        let memories = (!self.is_brief).then_some(&mut self.memories);
        // SAFETY: what led to the object holds it still, so it is alive, and of this class.
        unsafe {
            if ffi::Py_TYPE(object).cast() != class.class.as_ptr() {
                return false;
            }
            match node.kind {
                Kind::List => same_words(memories, at, items_of(object), words),
                Kind::Tuple => {
                    let tuple = object.cast::<ffi::PyTupleObject>();
                    items((*tuple).ob_item.as_ptr().cast(), (*tuple).ob_base.ob_size) == words
                }
                Kind::Dict => is_same_dict(object, words),
                Kind::Set => same_words(memories, at, table_of(object), words),
                Kind::Attributes => is_same_instance(object, &class.slots, words),
                Kind::Order => is_same_order(object, words),
                Kind::Bytes => memory_of(object).is_some_and(|now| {
                    let before = bytes_of(&words[1..], words[0]);
                    same_bytes(memories, at, now.bytes(), before)
                }),
                Kind::Array => is_same_array(memories, at, object, words),
                Kind::Received => is_received(object, words),
                Kind::Function => is_same_function(object, words),
                Kind::Cell => (*object.cast::<ffi::PyCellObject>()).ob_ref as usize == words[0],
                Kind::Class => class_words(object) == *words,
                Kind::Version => {
                    Pairs::version(object).is_some_and(|now| is_same_version(words[0] as u64, now))
                }
            }
        }
    }
}

/// The addresses of what is in a list.
///
/// # Safety
/// It is a list, and stays as it is while the result is used.
pub unsafe fn items_of<'a>(list: *mut ffi::PyObject) -> &'a [usize] {
    // SAFETY: the caller's promise.
    unsafe {
        let list = list.cast::<ffi::PyListObject>();
        items((*list).ob_item.cast(), (*list).ob_base.ob_size)
    }
}

/// The words at a place.
///
/// # Safety
/// There are so many while the result is used.
unsafe fn items<'a>(place: *const usize, len: isize) -> &'a [usize] {
    if len <= 0 {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(place, len.unsigned_abs()) }
}

fn same_words(memories: Memories<'_>, at: usize, now: &[usize], before: &[usize]) -> bool {
    let len = size_of_val(before);
    if now.len() != before.len() || len < LARGE {
        return now == before;
    }
    same_bytes(memories, at, bytes_of(now, len), bytes_of(before, len))
}

fn same_bytes(memories: Memories<'_>, at: usize, now: &[u8], before: &[u8]) -> bool {
    match memories {
        Some(memories) if before.len() >= LARGE => {
            memories.entry(at).or_default().is_same(now, before)
        }
        _ => now == before,
    }
}

/// What is known of the writes to large memory, where that is followed.
type Memories<'a> = Option<&'a mut HashMap<usize, Memory>>;

/// The table of a set: keys and hashes.
///
/// # Safety
/// It is a set or a frozenset, and stays as it is while the result is used.
pub unsafe fn table_of<'a>(object: *mut ffi::PyObject) -> &'a [usize] {
    // SAFETY: the caller's promise; an entry is two words.
    unsafe {
        let set = &*object.cast::<ffi::PySetObject>();
        items(set.table.cast(), 2 * (set.mask + 1))
    }
}

/// # Safety
/// The object is an instance of a class with these slots.
unsafe fn is_same_instance(object: *mut ffi::PyObject, slots: &[usize], words: &[usize]) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let same_slot = |(place, word): (&usize, &usize)| slot_of(object, *place) == *word;
        dict_of(object) == words[0] && slots.iter().zip(&words[1..]).all(same_slot)
    }
}

/// The memory that holds the slots of an instance, and what leads to its dict.
///
/// # Safety
/// It is an object.
unsafe fn instance_memory(object: *mut ffi::PyObject) -> Option<[Range<usize>; 2]> {
    // SAFETY: a class says how large its objects are.
    let class = unsafe { &*ffi::Py_TYPE(object) };
    if class.tp_itemsize != 0 {
        return None; // its dict is behind what it holds
    }
    let start = object as usize;
    let end = start + class.tp_basicsize.unsigned_abs();
    Some([start - BEFORE_INSTANCES..end, 0..0])
}

/// What leads to its dict may be in front of an object, with what the collector keeps there.
const BEFORE_INSTANCES: usize = 4 * size_of::<usize>();

/// What is in a slot; 0 if that is empty.
///
/// # Safety
/// As for [`is_same_instance`].
pub unsafe fn slot_of(object: *mut ffi::PyObject, place: usize) -> usize {
    // SAFETY: the caller's promise.
    unsafe { object.byte_add(place).cast::<usize>().read() }
}

extern "C" {
    /// Where a reference to an object's dict lies, which is made if need be; null if there is none.
    fn _PyObject_GetDictPtr(object: *mut ffi::PyObject) -> *mut *mut ffi::PyObject;
}

/// The dict of an instance, which keeps it alive; 0 if it has none. No reference is counted: that
/// would be a write to the page that the dict lies on.
///
/// # Safety
/// It is an object.
pub unsafe fn dict_of(object: *mut ffi::PyObject) -> usize {
    // SAFETY: as the interpreter does it.
    unsafe {
        if (*ffi::Py_TYPE(object)).tp_dictoffset == 0 {
            return 0;
        }
        let place = _PyObject_GetDictPtr(object);
        if place.is_null() {
            ffi::PyErr_Clear();
            return 0;
        }
        *place as usize
    }
}

/// # Safety
/// The object is one that no code of the program's is run to iterate over.
unsafe fn is_same_order(object: *mut ffi::PyObject, words: &[usize]) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let tuple = ffi::PySequence_Tuple(object);
        if tuple.is_null() {
            ffi::PyErr_Clear();
            return false;
        }
        let held = tuple.cast::<ffi::PyTupleObject>();
        let same = items((*held).ob_item.as_ptr().cast(), (*held).ob_base.ob_size) == words;
        ffi::Py_DECREF(tuple);
        same
    }
}

/// # Safety
/// It is an object.
unsafe fn is_same_array(
    memories: Memories<'_>,
    at: usize,
    object: *mut ffi::PyObject,
    words: &[usize],
) -> bool {
    // SAFETY: the interpreter is held; it is an array if it is one of numpy's simple ones.
    unsafe {
        let py = Python::assume_attached();
        let object = Bound::from_borrowed_ptr(py, object);
        let Some(array) = array_of(&object) else {
            return false;
        };
        let layout = array.layout();
        let Some(before) = words.strip_prefix(&layout[..]) else {
            return false;
        };
        let before = bytes_of(before, array.len);
        same_bytes(memories, at, array.bytes(), before)
    }
}

/// Whether memory is large, has come from elsewhere and was not written.
pub fn is_unwritten(bytes: &[u8]) -> bool {
    bytes.len() >= LARGE && (Segment::unwritten(bytes).is_some() || Segment::is_as_mapped(bytes))
}

/// Whether nobody has written the memory of an array since it was received, as it was when that was
/// noted.
///
/// # Safety
/// It is an object.
unsafe fn is_received(object: *mut ffi::PyObject, words: &[usize]) -> bool {
    // SAFETY: the interpreter is held; it is an array if it is one of numpy's simple ones.
    unsafe {
        let py = Python::assume_attached();
        let object = Bound::from_borrowed_ptr(py, object);
        array_of(&object)
            .is_some_and(|array| array.layout()[..] == *words && is_unwritten(array.bytes()))
    }
}

/// Whether a function consists of what it did. To read its attributes or what it says of its parameters
/// may make an empty dict for them.
///
/// # Safety
/// It is a function.
unsafe fn is_same_function(object: *mut ffi::PyObject, words: &[usize]) -> bool {
    // SAFETY: the caller's promise; a function has dicts there, if anything.
    unsafe {
        let is_empty = |at: usize| {
            let dict = at as *mut ffi::PyObject;
            at != 0 && ffi::PyDict_CheckExact(dict) != 0 && ffi::PyDict_Size(dict) == 0
        };
        let mut pairs = function_words(object).into_iter().zip(words);
        pairs.all(|(now, &before)| now == before || (before == 0 && is_empty(now)))
    }
}

/// What a function consists of.
///
/// # Safety
/// It is a function.
pub unsafe fn function_words(object: *mut ffi::PyObject) -> [usize; 10] {
    // SAFETY: the caller's promise.
    let function = unsafe { &*object.cast::<ffi::PyFunctionObject>() };
    [
        function.func_code as usize,
        function.func_defaults as usize,
        function.func_kwdefaults as usize,
        function.func_closure as usize,
        function.func_dict as usize,
        function.func_annotations as usize,
        function.func_name as usize,
        function.func_qualname as usize,
        function.func_module as usize,
        function.func_doc as usize,
    ]
}

/// What a class consists of, besides its dict.
///
/// # Safety
/// It is a class.
pub unsafe fn class_words(object: *mut ffi::PyObject) -> [usize; 2] {
    // SAFETY: the caller's promise.
    let class = unsafe { &*object.cast::<ffi::PyTypeObject>() };
    [class.tp_bases as usize, class.tp_dict as usize]
}
