//! Which attributes a scout may read: no code of the program's runs in that.

use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyFunction, PyModule, PyString, PySuper, PyType};

use crate::client::facade::RemoteName;
use crate::client::remote::RemoteFunction;
use crate::objects::kinds::kind_of_value;
use crate::objects::lookup::{found_for, found_in, has_own};
use crate::objects::plain::is_fixed;
use crate::scouts::run::doubt;
use crate::takes::values::property_of;

/// What `type` itself tells of every class.
const OF_CLASSES: [&str; 5] = [
    "__name__",
    "__qualname__",
    "__module__",
    "__mro__",
    "__bases__",
];

/// Whether reading an attribute only looks something up.
pub fn is_plain_attribute(value: &Bound<'_, PyAny>, name: &Bound<'_, PyString>) -> PyResult<bool> {
    let py = value.py();
    let class = value.get_type();
    if value.is_exact_instance_of::<PySuper>() {
        return found_for(value, name).map_or(Ok(false), |found| is_plain_entry(&found));
    }
    let kind = kind_of_value(value)?;
    if !kind.looks_up {
        return Ok(false);
    }
    if let Ok(module) = value.cast::<PyModule>() {
        let is_left = found_in(&class, name).is_none_or(|found| {
            let above = found_in(&py.get_type::<PyModule>(), name);
            found.is_exact_instance_of::<RemoteName>() || above.is_some_and(|one| one.is(&found))
        });
        return Ok(is_left && module.dict().contains(name)?);
    }
    if let Ok(class) = value.cast::<PyType>() {
        return is_class_constant(class, name);
    }
    let Some(found) = found_in(&class, name) else {
        return Ok(has_own(value, name));
    };
    if kind.falls_back {
        return Ok(false); // a slot without a value, a property that fails would call it
    }
    let is_method = is_a(&found, &raw mut ffi::PyMethodDescr_Type) && is_fixed(&class);
    if is_method
        || is_a(&found, &raw mut ffi::PyMemberDescr_Type)
        || is_a(&found, &raw mut ffi::PyGetSetDescr_Type)
        || kind.member(name)? == Some("computes")
    {
        return Ok(true);
    }
    if is_property(&found) {
        doubt(py);
        return Ok(kind.assumed(name)? == Some(true));
    }
    match property_of(&found)? {
        Some((_, Some(kept))) => Ok(kept.eq(name)? && has_own(value, name)),
        _ => is_plain_entry(&found),
    }
}

/// Whether a class has a plain value or method under a name, or one above it has.
fn is_class_constant(class: &Bound<'_, PyType>, name: &Bound<'_, PyString>) -> PyResult<bool> {
    let py = class.py();
    let meta = class.get_type();
    if !meta.is(py.get_type::<PyType>()) && !matches!(meta.module()?.to_str()?, "abc" | "enum") {
        return Ok(false);
    }
    if OF_CLASSES.contains(&name.to_str()?) {
        return Ok(true);
    }
    let Some(found) = found_in(class, name) else {
        return Ok(false);
    };
    let is_method = is_a(&found, &raw mut ffi::PyClassMethodDescr_Type)
        || is_a(&found, &raw mut ffi::PyMethodDescr_Type)
        || is_a(&found, &raw mut ffi::PyWrapperDescr_Type);
    if is_method {
        let owner = found.getattr(intern!(py, "__objclass__"))?;
        return Ok(is_fixed(owner.cast::<PyType>()?));
    }
    is_plain_entry(&found)
}

/// Whether what stands in a class is a value or a method: reading it runs no code.
fn is_plain_entry(found: &Bound<'_, PyAny>) -> PyResult<bool> {
    let wraps = is_a(found, &raw mut ffi::PyStaticMethod_Type)
        || is_a(found, &raw mut ffi::PyClassMethod_Type);
    let inside = match wraps {
        true => found.getattr(intern!(found.py(), "__func__"))?,
        false => found.clone(),
    };
    // SAFETY: a live object.
    let is_got = unsafe { (*ffi::Py_TYPE(inside.as_ptr())).tp_descr_get.is_some() };
    Ok(!is_got
        || inside.is_exact_instance_of::<PyFunction>()
        || inside.is_exact_instance_of::<RemoteFunction>())
}

/// Whether this is a property, of whatever kind.
fn is_property(found: &Bound<'_, PyAny>) -> bool {
    // SAFETY: a live object.
    unsafe { ffi::PyObject_TypeCheck(found.as_ptr(), &raw mut ffi::PyProperty_Type) != 0 }
}

/// Whether a value is exactly of this class.
fn is_a(value: &Bound<'_, PyAny>, class: *mut ffi::PyTypeObject) -> bool {
    // SAFETY: a live object.
    unsafe { ffi::Py_TYPE(value.as_ptr()) == class }
}
