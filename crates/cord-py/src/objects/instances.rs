//! Instances of the program's classes in scouts: looked into, walked and copied without its code.

use std::ptr::null_mut;

use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict, PyList, PySet};

use crate::objects::kinds::{kind_of_value, Kind};
use crate::objects::lookup::own_dict;
use crate::objects::plain::is_deque;
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

/// Another instance of the same class, with this in it, as `inside` has it.
pub fn like<'py>(
    value: &Bound<'py, PyAny>,
    kind: &Kind,
    inside: Vec<Option<Bound<'py, PyAny>>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    let new = intern!(py, "__new__");
    let made = py
        .get_type::<PyAny>()
        .call_method1(new, (value.get_type(),))?;
    let mut inside = inside.into_iter();
    if let (Some(Some(own)), Some(new)) = (inside.next(), own_dict(&made)) {
        new.update(own.cast()?)?;
    }
    for (place, part) in kind.slots.iter().flatten().zip(inside) {
        let part = part.map_or(null_mut(), Bound::into_ptr);
        // SAFETY: a live object with such a slot, which is empty and owns what is put there.
        unsafe {
            made.as_ptr()
                .byte_add(*place)
                .cast::<*mut ffi::PyObject>()
                .write(part)
        };
    }
    Ok(made)
}

/// A copy that a scout may change in place of a value; None where there can be none.
pub fn private_copy<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if value.is_exact_instance_of::<PyList>()
        || value.is_exact_instance_of::<PyDict>()
        || value.is_exact_instance_of::<PySet>()
        || value.is_exact_instance_of::<PyByteArray>()
        || is_deque(value)?
    {
        return value.call_method0(intern!(value.py(), "copy")).map(Some);
    }
    let kind = kind_of_value(value)?;
    match kind.simple {
        true => like(value, &kind, inside(value, &kind)).map(Some),
        false => Ok(None),
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
