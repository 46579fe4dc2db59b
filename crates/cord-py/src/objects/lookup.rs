//! What stands under a name in classes and instances, found without running code of theirs.

use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFunction, PyString, PySuper, PyType};

use crate::objects::plain::is_fixed;
use crate::travel::watch::dict_of;

extern "C" {
    /// What a class or one above it has under a name, borrowed. The class gets a version by that.
    fn _PyType_Lookup(
        class: *mut ffi::PyTypeObject,
        name: *mut ffi::PyObject,
    ) -> *mut ffi::PyObject;
}

/// What a class or one above it has under a name.
pub fn found_in<'py>(
    class: &Bound<'py, PyType>,
    name: &Bound<'py, PyString>,
) -> Option<Bound<'py, PyAny>> {
    // SAFETY: a live class, which holds what is found until that is held here too.
    unsafe {
        let found = _PyType_Lookup(class.as_type_ptr(), name.as_ptr());
        Bound::from_borrowed_ptr_or_opt(class.py(), found)
    }
}

/// What an attribute of this name is looked up as first: in the class of a value, or above that of a
/// `super()`.
pub fn found_for<'py>(
    value: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
) -> Option<Bound<'py, PyAny>> {
    match value.cast_exact::<PySuper>() {
        Ok(above) => inherited(above, name),
        Err(_) => found_in(&value.get_type(), name),
    }
}

/// The function of the program's that an operator calls; None where there is none.
pub fn special<'py>(value: &Bound<'py, PyAny>, name: &str) -> Option<Bound<'py, PyAny>> {
    function_in(&value.get_type(), name)
}

/// The function of the program's that a class or one above it has under a name.
pub fn function_in<'py>(class: &Bound<'py, PyType>, name: &str) -> Option<Bound<'py, PyAny>> {
    let found = found_in(class, &PyString::intern(class.py(), name));
    found.filter(|found| found.is_exact_instance_of::<PyFunction>())
}

/// What the classes above have under a name.
fn inherited<'py>(
    above: &Bound<'py, PySuper>,
    name: &Bound<'py, PyString>,
) -> Option<Bound<'py, PyAny>> {
    let py = above.py();
    let class = above.getattr(intern!(py, "__self_class__")).ok()?;
    let here = above.getattr(intern!(py, "__thisclass__")).ok()?;
    let line = class.cast_into::<PyType>().ok()?.mro();
    let next = line.iter().position(|base| base.is(&here))? + 1;
    for base in line.get_slice(next, line.len()) {
        let base = base.cast_into::<PyType>().ok()?;
        if is_fixed(&base) {
            match found_in(&base, name) {
                Some(_) => return None,
                None => continue,
            }
        }
        // SAFETY: a class that a program makes has a dict, alive as long as the class
        let own = unsafe {
            let own = (*base.as_type_ptr()).tp_dict;
            Bound::from_borrowed_ptr_or_opt(py, own)?
        };
        let own = own.cast_into::<PyDict>().ok()?;
        if let Some(found) = own.get_item(name).ok()? {
            return Some(found);
        }
    }
    None
}

/// The dict of an object, if it has one.
pub fn own_dict<'py>(value: &Bound<'py, PyAny>) -> Option<Bound<'py, PyDict>> {
    // SAFETY: a live object, which holds its dict until that is held here too.
    let own = unsafe {
        let own = dict_of(value.as_ptr()) as *mut ffi::PyObject;
        Bound::from_borrowed_ptr_or_opt(value.py(), own)
    };
    own?.cast_into().ok()
}

/// Whether an object keeps an attribute of this name, in its dict or in a slot.
pub fn has_field(value: &Bound<'_, PyAny>, name: &Bound<'_, PyString>) -> bool {
    let slot = &raw mut ffi::PyMemberDescr_Type;
    let found = found_in(&value.get_type(), name);
    // SAFETY: a live object
    has_own(value, name) || found.is_some_and(|one| unsafe { ffi::Py_TYPE(one.as_ptr()) } == slot)
}

/// Whether an object has something of its own under a name.
pub fn has_own(value: &Bound<'_, PyAny>, name: &Bound<'_, PyString>) -> bool {
    own_dict(value).is_some_and(|own| own.contains(name).unwrap_or(false))
}
