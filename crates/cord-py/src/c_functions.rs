//! Functions in C, in whose place others of ours are put.
//!
//! A builtin function calls what its definition names, which is a static of its module and is never
//! read-only: the interpreter's own tables are no constants. The program has the same objects as before.

use std::ptr::null_mut;

use pyo3::ffi;
use pyo3::prelude::*;

/// The definition of a builtin function, or of a builtin class's method; null for anything else.
pub fn definition_of(function: &Bound<'_, PyAny>) -> *mut ffi::PyMethodDef {
    let object = function.as_ptr();
    // SAFETY: the checks of the type come first, and the lock is held.
    unsafe {
        if ffi::PyCFunction_CheckExact(object) != 0 {
            return (*object.cast::<ffi::PyCFunctionObject>()).m_ml;
        }
        if ffi::Py_TYPE(object) == &raw mut ffi::PyMethodDescr_Type {
            return (*object.cast::<ffi::PyMethodDescrObject>()).d_method;
        }
    }
    null_mut()
}

/// Has a definition name another function; gives the one that it named before.
///
/// # Safety
/// The definition is one, the lock is held, and both functions have one convention.
pub unsafe fn replace(definition: *mut ffi::PyMethodDef, by: usize) -> usize {
    // SAFETY: the caller's promise; under the lock nobody calls it meanwhile.
    unsafe { std::mem::replace(&mut *(&raw mut (*definition).ml_meth).cast::<usize>(), by) }
}
