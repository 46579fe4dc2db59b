//! Instances of the program's classes in scouts: looked into and walked without its code.

use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::objects::kinds::{kind_of_value, Kind};
use crate::travel::watch::{dict_of, slot_of};

/// What is in an instance that is nothing but attributes: its dict, then what its slots hold.
pub fn inside<'py>(value: &Bound<'py, PyAny>, kind: &Kind) -> Vec<Option<Bound<'py, PyAny>>> {
    let object = value.as_ptr();
    let slots = kind.slots.iter().flatten();
    // SAFETY: a live object with such slots, which holds what is in it until that is held here too.
    unsafe {
        let slots = slots.map(|place| slot_of(object, *place));
        let all = std::iter::once(dict_of(object)).chain(slots);
        let held = |at| Bound::from_borrowed_ptr_or_opt(value.py(), at as *mut ffi::PyObject);
        all.map(held).collect()
    }
}

/// An iterator that only the scout has over what a library's class walks; None for others.
#[pyfunction]
pub fn iterator_of<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = value.py();
    let kind = kind_of_value(value)?;
    if kind.enumerates {
        let members = value.getattr(intern!(py, "_member_map_"))?;
        let names = value.getattr(intern!(py, "_member_names_"))?;
        let found = names.try_iter()?.map(|name| members.get_item(name?));
        let found = PyList::new(py, found.collect::<PyResult<Vec<_>>>()?)?;
        return found.try_iter().map(|found| Some(found.into_any()));
    }
    match kind.named_tuple {
        true => value.try_iter().map(|found| Some(found.into_any())),
        false => Ok(None),
    }
}
