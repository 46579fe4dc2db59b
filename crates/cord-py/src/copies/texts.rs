//! In copies `str` has other methods, and another `%`: texts that are built from what is not known yet
//! are not known either.

use std::sync::atomic::{AtomicPtr, Ordering};

use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};

use super::is_copy;

/// `%` of texts as it was.
static PLAIN: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());
/// What is asked instead where there is an object of that class.
static ASKED: PyOnceLock<(Py<PyAny>, Py<PyType>)> = PyOnceLock::new();

/// Gives `str`, whose dict is `own`, other methods, and `remainder` for `%` where a value is a `leaf`.
///
/// # Errors
/// Where this process is the program: it keeps what it has.
#[pyfunction]
pub fn watch_texts(
    own: &Bound<'_, PyDict>,
    methods: &Bound<'_, PyDict>,
    remainder: Bound<'_, PyAny>,
    leaf: Bound<'_, PyType>,
) -> PyResult<()> {
    let py = methods.py();
    if !is_copy() {
        return Err(PyRuntimeError::new_err("this is the program itself"));
    }
    let _ = ASKED.set(py, (remainder.unbind(), leaf.unbind()));
    own.update(methods.as_mapping())?;
    let class = &raw mut ffi::PyUnicode_Type;
    // SAFETY: the type is there for as long as the interpreter; this process has one thread.
    unsafe {
        ffi::PyType_Modified(class);
        let numbers = (*class).tp_as_number;
        if let Some(plain) = (*numbers).nb_remainder {
            PLAIN.store(plain as *mut (), Ordering::Relaxed);
            (*numbers).nb_remainder = Some(asking_remainder);
        }
    }
    Ok(())
}

unsafe extern "C" fn asking_remainder(
    form: *mut ffi::PyObject,
    values: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the interpreter calls it, with two objects.
    unsafe {
        let py = Python::assume_attached();
        let (left, right) = (
            Bound::from_borrowed_ptr(py, form),
            Bound::from_borrowed_ptr(py, values),
        );
        if let Some((asked, _)) = ASKED.get(py).filter(|(_, leaf)| has(&right, leaf.bind(py))) {
            return match asked.bind(py).call1((left, right)) {
                Ok(made) => made.into_ptr(),
                Err(error) => {
                    error.restore(py);
                    std::ptr::null_mut()
                }
            };
        }
        let plain: ffi::binaryfunc = std::mem::transmute(PLAIN.load(Ordering::Relaxed));
        plain(form, values)
    }
}

/// Whether there is an object of the class among the values.
fn has(values: &Bound<'_, PyAny>, leaf: &Bound<'_, PyType>) -> bool {
    let is_leaf = |value: &Bound<'_, PyAny>| value.is_instance(leaf).unwrap_or(false);
    if let Ok(tuple) = values.cast_exact::<PyTuple>() {
        return tuple.iter().any(|value| is_leaf(&value));
    }
    let dict = values.cast_exact::<PyDict>();
    dict.is_ok_and(|dict| dict.values().iter().any(|value| is_leaf(&value)))
}
