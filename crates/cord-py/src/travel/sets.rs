//! Sets keep their order when they travel.
//!
//! The order of a set depends on its history: of two elements that want the same place in its
//! table, the first gets it. A pickle holds the elements only, and filling a new set with them gives
//! another order. So the places travel too.

use std::ptr;

use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyFrozenSet, PyList, PySet};

/// A set's own table has this many places before it grows.
const SMALL: usize = ffi::PySet_MINSIZE;

/// Whether a pickle holds a set or a frozenset; true also where it cannot be read.
pub fn has_sets(pickle: &[u8]) -> bool {
    if !pickle.contains(&EMPTY_SET) && !pickle.contains(&FROZENSET) {
        return false; // the usual case
    }
    let mut rest = pickle;
    while let Some((opcode, after)) = rest.split_first() {
        if matches!(*opcode, EMPTY_SET | FROZENSET) {
            return true;
        }
        let Some(length) = argument_length(*opcode, after) else {
            return true;
        };
        let Some(next) = after.get(length..) else {
            return true;
        };
        rest = next;
    }
    false
}

const EMPTY_SET: u8 = 0x8f;
const FROZENSET: u8 = 0x91;

/// How many bytes belong to an opcode; `None` for one that the C pickler does not write.
fn argument_length(opcode: u8, after: &[u8]) -> Option<usize> {
    let sized = |bytes: usize| {
        let mut length = [0; 8];
        length[..bytes].copy_from_slice(after.get(..bytes)?);
        usize::try_from(u64::from_le_bytes(length))
            .ok()?
            .checked_add(bytes)
    };
    match opcode {
        b'K' | b'h' | b'q' | 0x80 | 0x82 => Some(1),
        b'M' | 0x83 => Some(2),
        b'J' | b'j' | b'r' | 0x84 => Some(4),
        b'G' | 0x95 => Some(8),
        b'C' | b'U' | 0x8a | 0x8c => sized(1),
        b'B' | b'T' | b'X' | 0x8b => sized(4),
        0x8d | 0x8e | 0x96 => sized(8),
        b'c' | b'F' | b'g' | b'i' | b'I' | b'L' | b'p' | b'P' | b'S' | b'V' => None,
        _ => Some(0),
    }
}

type Places<'py> = (usize, Vec<usize>, Vec<usize>, Bound<'py, PyList>);

/// What [`set_from_places`] makes a set of: the size of its table, the places of its elements, the
/// places that others have left, and the elements.
#[pyfunction]
fn set_places<'py>(set: &Bound<'py, PyAny>) -> PyResult<Places<'py>> {
    let (mut places, mut left, mut elements) = (Vec::new(), Vec::new(), Vec::new());
    // SAFETY: only sets pass; nothing of Python's runs while the table is read.
    let size = unsafe {
        if ffi::PyAnySet_CheckExact(set.as_ptr()) == 0 {
            return Err(PyTypeError::new_err("not a set"));
        }
        let table = &*set.as_ptr().cast::<ffi::PySetObject>();
        let size = usize::try_from(table.mask)? + 1;
        for place in 0..size {
            let entry = &*table.table.add(place);
            if entry.key.is_null() {
                continue;
            }
            if entry.hash == HASH_OF_LEFT {
                left.push(place);
            } else {
                places.push(place);
                elements.push(Bound::from_borrowed_ptr(set.py(), entry.key));
            }
        }
        size
    };
    Ok((size, places, left, PyList::new(set.py(), elements)?))
}

/// A set with its elements in these places; without, if they have other hashes here than there.
#[pyfunction]
fn set_from_places<'py>(
    py: Python<'py>,
    frozen: bool,
    size: usize,
    places: Vec<usize>,
    left: Vec<usize>,
    elements: &Bound<'py, PyList>,
) -> PyResult<Bound<'py, PyAny>> {
    let table = Table {
        size,
        places,
        left,
        elements,
    };
    if !table.is_sound() {
        return Err(PyValueError::new_err("no places of a set"));
    }
    let made = table.make(py, frozen)?;
    for element in elements {
        if !made.contains(element)? {
            let found = PySet::new(py, elements)?.into_any();
            return if frozen {
                py.get_type::<PyFrozenSet>().call1((found,))
            } else {
                Ok(found)
            };
        }
    }
    Ok(made)
}

/// The hash that marks a place whose element was removed.
pub const HASH_OF_LEFT: ffi::Py_hash_t = -1;

struct Table<'a, 'py> {
    size: usize,
    places: Vec<usize>,
    left: Vec<usize>,
    elements: &'a Bound<'py, PyList>,
}

impl<'py> Table<'_, 'py> {
    /// A table as CPython makes them: a power of two, each place once, and never full.
    fn is_sound(&self) -> bool {
        let mut all = [self.places.as_slice(), self.left.as_slice()].concat();
        all.sort_unstable();
        self.size.is_power_of_two()
            && self.size >= SMALL
            && self.places.len() == self.elements.len()
            && all.len() < self.size
            && all.windows(2).all(|pair| pair[0] < pair[1])
            && all.last().is_none_or(|last| *last < self.size)
    }

    fn make(&self, py: Python<'py>, frozen: bool) -> PyResult<Bound<'py, PyAny>> {
        let hashes = self
            .elements
            .iter()
            .map(|element| element.hash())
            .collect::<PyResult<Vec<_>>>()?;
        // SAFETY: the set is new and nobody else's; the table is sound. It is zeroed, and on the
        // heap unless it is the small one inside.
        unsafe {
            let mark = if self.left.is_empty() {
                ptr::null_mut()
            } else {
                mark_of_left(py)?
            };
            let new = if frozen {
                ffi::PyFrozenSet_New(ptr::null_mut())
            } else {
                ffi::PySet_New(ptr::null_mut())
            };
            let set = Bound::from_owned_ptr_or_err(py, new)?;
            let table = &mut *set.as_ptr().cast::<ffi::PySetObject>();
            if self.size > SMALL {
                let memory = ffi::PyMem_Calloc(self.size, size_of::<ffi::setentry>());
                if memory.is_null() {
                    return Err(PyMemoryError::new_err("no room for a set"));
                }
                table.table = memory.cast();
            }
            table.mask = isize::try_from(self.size - 1)?;
            for ((place, element), hash) in self.places.iter().zip(self.elements).zip(hashes) {
                let entry = &mut *table.table.add(*place);
                entry.hash = hash;
                entry.key = element.into_ptr();
            }
            for place in &self.left {
                let entry = &mut *table.table.add(*place);
                entry.hash = HASH_OF_LEFT;
                entry.key = mark;
            }
            table.used = isize::try_from(self.places.len())?;
            table.fill = isize::try_from(self.places.len() + self.left.len())?;
            Ok(set)
        }
    }
}

/// The object, one for all sets and not counted, that stands where an element was removed.
///
/// # Safety
/// The interpreter must be CPython, whose sets are as `PySetObject` says.
unsafe fn mark_of_left(py: Python<'_>) -> PyResult<*mut ffi::PyObject> {
    let set = PySet::new(py, [0])?;
    set.discard(0)?;
    let table = unsafe { &*set.as_ptr().cast::<ffi::PySetObject>() };
    (0..SMALL)
        .map(|place| unsafe { &*table.table.add(place) })
        .find(|entry| !entry.key.is_null() && entry.hash == HASH_OF_LEFT)
        .map(|entry| entry.key)
        .ok_or_else(|| PyValueError::new_err("no mark in the place of a removed element"))
}

/// Python's way to ask [`has_sets`].
#[pyfunction]
fn mentions_sets(pickle: &[u8]) -> bool {
    has_sets(pickle)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(mentions_sets, module)?)?;
    module.add_function(wrap_pyfunction!(set_places, module)?)?;
    module.add_function(wrap_pyfunction!(set_from_places, module)?)
}
