//! What is behind an object that has nothing of its own.

use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyModule, PyType};

use crate::objects::parts::push_parts;

/// The object that this shows, or whose method it is; none if that is a module or a class.
pub fn owner_of<'py>(value: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    if is_view(value) {
        let mut shown = Vec::new();
        push_parts(value.as_ptr(), &mut shown);
        // SAFETY: the view keeps it.
        let shown = unsafe { Bound::from_borrowed_ptr_or_opt(value.py(), *shown.first()?) }?;
        return (!is_of_class(&shown)).then_some(shown);
    }
    if !value.is_exact_instance_of::<PyCFunction>() {
        return None;
    }
    // SAFETY: the check of the type came first; a static method has none.
    let owner = unsafe {
        let owner = ffi::PyCFunction_GetSelf(value.as_ptr());
        Bound::from_borrowed_ptr_or_opt(value.py(), owner)
    }?;
    let is_fixed = owner.is_instance_of::<PyModule>() || owner.is_instance_of::<PyType>();
    (!is_fixed).then_some(owner)
}

/// Whether it shows what is in a dict.
fn is_view(value: &Bound<'_, PyAny>) -> bool {
    let views = [
        &raw mut ffi::PyDictKeys_Type,
        &raw mut ffi::PyDictValues_Type,
        &raw mut ffi::PyDictItems_Type,
        &raw mut ffi::PyDictProxy_Type,
    ];
    views.contains(&value.get_type_ptr())
}

/// Whether these are the names of a class, which are looked into with that.
fn is_of_class(shown: &Bound<'_, PyAny>) -> bool {
    let names = shown.cast::<PyDict>();
    names.is_ok_and(|names| {
        names
            .contains(intern!(shown.py(), "__module__"))
            .unwrap_or(false)
    })
}
