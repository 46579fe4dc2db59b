//! What an object refers to, as its class tells the garbage collector.

use std::ffi::{c_int, c_void};

use pyo3::ffi;

pub type Object = *mut ffi::PyObject;

/// Whether objects of a class are numbers, texts or bytes.
pub fn is_simple(class: *mut ffi::PyTypeObject) -> bool {
    let simple = [
        &raw mut ffi::PyLong_Type,
        &raw mut ffi::PyFloat_Type,
        &raw mut ffi::PyUnicode_Type,
        &raw mut ffi::PyBytes_Type,
        &raw mut ffi::PyBool_Type,
    ];
    simple.contains(&class)
}

/// Puts what an object refers to on a stack, but for numbers, texts and bytes.
pub fn push_parts(one: Object, stack: &mut Vec<Object>) {
    unsafe extern "C" fn visit(one: Object, stack: *mut c_void) -> c_int {
        // SAFETY: the stack is the one below.
        unsafe {
            if !one.is_null() && !is_simple(ffi::Py_TYPE(one)) {
                (*stack.cast::<Vec<Object>>()).push(one);
            }
        }
        0
    }
    // SAFETY: it lives; its class says how it is gone through, as to the garbage collector.
    unsafe {
        if let Some(traverse) = (*ffi::Py_TYPE(one)).tp_traverse {
            traverse(one, visit, (&raw mut *stack).cast());
        }
    }
}
