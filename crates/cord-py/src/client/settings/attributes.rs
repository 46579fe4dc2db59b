//! Attributes of a class's instances that are set, heard of.

use std::ffi::c_int;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;

use super::changed;

/// Hears from now on of attributes that are set on instances of a class, if that leaves setting them to
/// Python. The class looks as before.
pub fn hear(class: &Bound<'_, PyType>) {
    let class = class.as_type_ptr();
    // SAFETY: a live class, and the interpreter's lock is held. A class made by a statement is no one
    // else's; what was specialised for how it was is forgotten by `PyType_Modified`.
    unsafe {
        let usual = ffi::PyBaseObject_Type.tp_setattro;
        let is_made = ffi::PyType_HasFeature(class, ffi::Py_TPFLAGS_HEAPTYPE) != 0;
        let is_usual =
            (*class).tp_setattro.map(|set| set as usize) == usual.map(|set| set as usize);
        if is_made && is_usual {
            (*class).tp_setattro = Some(set);
            ffi::PyType_Modified(class);
        }
    }
}

unsafe extern "C" fn set(
    object: *mut ffi::PyObject,
    name: *mut ffi::PyObject,
    value: *mut ffi::PyObject,
) -> c_int {
    // SAFETY: what the interpreter would have called, with what it gives.
    let done = unsafe { ffi::PyObject_GenericSetAttr(object, name, value) };
    changed();
    done
}
