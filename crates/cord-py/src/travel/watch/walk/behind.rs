//! What is behind an object that has nothing of its own.

use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyModule, PyType};

use crate::objects::parts::push_parts;

extern "C" {
    static mut PyMethod_Type: ffi::PyTypeObject;
    fn PyMethod_Function(method: *mut ffi::PyObject) -> *mut ffi::PyObject;
}

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

/// The function of a method that is bound to something: whoever has the method may call it.
pub fn function_of<'py>(value: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    if value.get_type_ptr() != &raw mut PyMethod_Type {
        return None;
    }
    // SAFETY: it is a method, which keeps its function.
    unsafe { Bound::from_borrowed_ptr_or_opt(value.py(), PyMethod_Function(value.as_ptr())) }
}

/// What something of `functools` calls with what (a partial function, a cache); nothing of others.
pub fn called_by<'py>(value: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let mut found = Vec::new();
    if value.get_type().module()? == "functools" {
        let mut parts = Vec::new();
        push_parts(value.as_ptr(), &mut parts);
        // SAFETY: the object keeps its parts.
        let bound = |part: &_| unsafe { Bound::from_borrowed_ptr_or_opt(value.py(), *part) };
        found.extend(parts.iter().filter_map(bound));
    }
    Ok(found)
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
