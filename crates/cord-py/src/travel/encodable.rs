//! Whether values can be encoded ahead of the program: no code of the program's runs in that.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use cord_core::scout::Why;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple, PyType};

use crate::address::ByAddress;
use crate::objects::plain::{is_plain, is_static, require};
use crate::python;
use crate::travel::passed::is_passed;
use crate::travel::scalars::is_scalar;
use crate::travel::watch::{dict_of, places_of, slot_of};

/// Whether encoding these arguments runs no code of the program's.
pub fn check_encodable(
    args: &Bound<'_, PyTuple>,
    kwargs: Option<&Bound<'_, PyDict>>,
) -> PyResult<()> {
    let mut walk = Walk::default();
    let mut check = |value: Bound<'_, PyAny>| {
        let is_encodable = walk.is_encodable(&value)?;
        require(is_encodable, Why::Encoding, &value)
    };
    args.iter().try_for_each(&mut check)?;
    match kwargs {
        Some(kwargs) => kwargs.values().iter().try_for_each(check),
        None => Ok(()),
    }
}

#[derive(Default)]
struct Walk {
    /// As `slots_of` says.
    classes: HashMap<usize, Option<Vec<usize>>, ByAddress>,
    seen: HashSet<usize, ByAddress>,
}

impl Walk {
    fn is_encodable(&mut self, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        if is_passed(value) {
            return Ok(true);
        }
        let mut waiting = vec![value.clone()];
        while let Some(value) = waiting.pop() {
            if is_scalar(&value) || !self.seen.insert(value.as_ptr() as usize) {
                continue;
            }
            if let Ok(items) = value.cast_exact::<PyTuple>() {
                waiting.extend(items);
            } else if let Ok(items) = value.cast_exact::<PyList>() {
                waiting.extend(items);
            } else if let Ok(items) = value.cast_exact::<PyDict>() {
                waiting.extend(items.iter().flat_map(|(key, item)| [key, item]));
            } else if !self.takes_apart(&value, &mut waiting)? && !is_plainly_encoded(&value)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Adds what is in an object that the default takes apart. Whether it is one.
    fn takes_apart<'py>(
        &mut self,
        value: &Bound<'py, PyAny>,
        waiting: &mut Vec<Bound<'py, PyAny>>,
    ) -> PyResult<bool> {
        let class = value.get_type();
        if is_static(&class) {
            return Ok(false);
        }
        let places = match self.classes.entry(class.as_ptr() as usize) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => unknown.insert(slots_of(&class)?),
        };
        let Some(places) = places else {
            return Ok(false);
        };
        let object = value.as_ptr();
        // SAFETY: a live object of a class with these slots; it holds what is in it.
        unsafe {
            let held = places.iter().map(|place| slot_of(object, *place));
            let held = std::iter::once(dict_of(object)).chain(held);
            waiting.extend(held.filter_map(|at| {
                Bound::from_borrowed_ptr_or_opt(value.py(), at as *mut ffi::PyObject)
            }));
        }
        Ok(true)
    }
}

/// Where the slots of a class's objects lie, if the default takes these apart.
fn slots_of(class: &Bound<'_, PyType>) -> PyResult<Option<Vec<usize>>> {
    let py = class.py();
    let slots = python::PLAIN_SLOTS.call(py, (class,))?;
    let slots: Option<Bound<'_, PyTuple>> = slots.extract()?;
    slots.map(|slots| places_of(&slots)).transpose()
}

fn is_plainly_encoded(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    if is_plain(value, 0)? {
        return Ok(true);
    }
    let py = value.py();
    python::HAS_PLAIN_ENCODING.tells(py, (value,))
}
