//! In copies classes that are called with what is not known yet, and lists that are asked for the item under
//! such a number, give what stands for the value.

use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use super::lifting::{call, is_made, is_unknown, Object};

/// Classes that are called with something unknown, and how they were called before.
const MOST_CLASSES: usize = 32;
static CLASSES: [(AtomicPtr<ffi::PyTypeObject>, AtomicUsize); MOST_CLASSES] =
    [const { (AtomicPtr::new(std::ptr::null_mut()), AtomicUsize::new(0)) }; MOST_CLASSES];

/// Has calls of a class ask where an argument is not known.
pub fn lift_class(class: &Bound<'_, PyType>) {
    let class = class.as_type_ptr();
    let Some((own, plain)) = CLASSES
        .iter()
        .find(|(own, _)| own.load(Ordering::Relaxed).is_null())
    else {
        return;
    };
    own.store(class, Ordering::Relaxed);
    // SAFETY: the type is held by the table of functions; this process has one thread.
    unsafe {
        let before = (*class).tp_vectorcall;
        plain.store(before.map_or(0, |one| one as usize), Ordering::Relaxed);
        (*class).tp_vectorcall = Some(made_of);
    }
}

unsafe extern "C" fn made_of(
    class: Object,
    args: *const Object,
    n: usize,
    names: Object,
) -> Object {
    // SAFETY: as the interpreter calls a class.
    unsafe {
        let py = Python::assume_attached();
        let positional = usize::try_from(ffi::PyVectorcall_NARGS(n)).unwrap_or_default();
        let found = Bound::from_borrowed_ptr(py, class);
        let some = match positional {
            0 => &[],
            all => std::slice::from_raw_parts(args, all),
        };
        let is_lifted = names.is_null() && some.iter().any(|one| is_unknown(*one));
        let own = CLASSES
            .iter()
            .find(|(own, _)| own.load(Ordering::Relaxed).cast() == class);
        let plain = own.map_or(0, |(_, plain)| plain.load(Ordering::Relaxed));
        if !is_lifted && plain != 0 {
            let plain: ffi::vectorcallfunc = std::mem::transmute(plain);
            return plain(class, args, n, names);
        }
        let all = some.iter().map(|one| Bound::from_borrowed_ptr(py, *one));
        let made = PyTuple::new(py, all.collect::<Vec<_>>()).and_then(|all| {
            let options = PyDict::new(py);
            if is_lifted {
                return call(py, &found, &all, &options);
            }
            let count = if names.is_null() {
                0
            } else {
                ffi::PyTuple_GET_SIZE(names)
            };
            for at in 0..count {
                let value = *args.add(positional + usize::try_from(at).unwrap_or_default());
                ffi::PyDict_SetItem(options.as_ptr(), ffi::PyTuple_GET_ITEM(names, at), value);
            }
            let call = (*ffi::Py_TYPE(class)).tp_call.unwrap_or(ffi::PyObject_Call);
            Bound::from_owned_ptr_or_err(py, call(class, all.as_ptr(), options.as_ptr()))
        });
        match made {
            Ok(made) => made.into_ptr(),
            Err(error) => {
                error.restore(py);
                std::ptr::null_mut()
            }
        }
    }
}

/// The item of a list as it was.
static ITEM_OF_LIST: AtomicUsize = AtomicUsize::new(0);

/// Lists are asked for items under numbers that are not known, too.
pub fn lift_subscript() {
    // SAFETY: the type is there for as long as the interpreter; this process has one thread.
    unsafe {
        let mapping = ffi::PyList_Type.tp_as_mapping;
        if let Some(plain) = (*mapping).mp_subscript {
            ITEM_OF_LIST.store(plain as usize, Ordering::Relaxed);
            (*mapping).mp_subscript = Some(item_of_list);
        }
    }
}

unsafe extern "C" fn item_of_list(list: Object, key: Object) -> Object {
    // SAFETY: as the interpreter calls it; the original was put there together with this.
    unsafe {
        let class = ffi::Py_TYPE(key);
        if is_made(class) && is_unknown(key) {
            let py = Python::assume_attached();
            let pair = [list, key].map(|one| Bound::from_borrowed_ptr(py, one));
            let made = PyTuple::new(py, pair).and_then(|args| {
                let none = py.None().into_bound(py);
                call(py, &none, &args, &PyDict::new(py))
            });
            return match made {
                Ok(made) => made.into_ptr(),
                Err(error) => {
                    error.restore(py);
                    std::ptr::null_mut()
                }
            };
        }
        let plain: ffi::binaryfunc = std::mem::transmute(ITEM_OF_LIST.load(Ordering::Relaxed));
        plain(list, key)
    }
}
