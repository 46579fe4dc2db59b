//! In copies `str` has another `%` and another `in`: texts that are built from what is not known yet are not
//! known either, and whether such a text lies in another is asked.

use std::ffi::c_int;
use std::sync::atomic::{AtomicPtr, Ordering};

use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};

use super::is_copy;

/// `%` of texts as it was, and `in`.
static PLAIN: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());
static CONTAINS: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());
/// What is asked instead where there is an object of that class.
static ASKED: PyOnceLock<(Py<PyAny>, Py<PyAny>, Py<PyType>)> = PyOnceLock::new();

/// Gives `str` `remainder` for `%` where a value is a `leaf`, and `contains` for `in`.
///
/// # Errors
/// Where this process is the program: it keeps what it has.
#[pyfunction]
pub fn watch_texts(
    py: Python<'_>,
    remainder: Bound<'_, PyAny>,
    contains: Bound<'_, PyAny>,
    leaf: Bound<'_, PyType>,
) -> PyResult<()> {
    if !is_copy() {
        return Err(PyRuntimeError::new_err("this is the program itself"));
    }
    let _ = ASKED.set(py, (remainder.unbind(), contains.unbind(), leaf.unbind()));
    let class = &raw mut ffi::PyUnicode_Type;
    // SAFETY: the type is there for as long as the interpreter; this process has one thread.
    unsafe {
        let numbers = (*class).tp_as_number;
        if let Some(plain) = (*numbers).nb_remainder {
            PLAIN.store(plain as *mut (), Ordering::Relaxed);
            (*numbers).nb_remainder = Some(asking_remainder);
        }
        let sequence = (*class).tp_as_sequence;
        if let Some(plain) = (*sequence).sq_contains {
            CONTAINS.store(plain as *mut (), Ordering::Relaxed);
            (*sequence).sq_contains = Some(asking_contains);
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
        if let Some((asked, ..)) = ASKED
            .get(py)
            .filter(|(.., leaf)| has(&right, leaf.bind(py)))
        {
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

unsafe extern "C" fn asking_contains(text: *mut ffi::PyObject, part: *mut ffi::PyObject) -> c_int {
    // SAFETY: the interpreter calls it, with two objects.
    unsafe {
        if ffi::PyUnicode_CheckExact(part) == 0 {
            let py = Python::assume_attached();
            let (left, right) = (
                Bound::from_borrowed_ptr(py, text),
                Bound::from_borrowed_ptr(py, part),
            );
            let is_leaf = |leaf: &Py<PyType>| right.is_instance(leaf.bind(py)).unwrap_or(false);
            if let Some((_, asked, _)) = ASKED.get(py).filter(|(.., leaf)| is_leaf(leaf)) {
                let told = asked.bind(py).call1((left, right));
                return match told.and_then(|told| told.is_truthy()) {
                    Ok(told) => c_int::from(told),
                    Err(error) => {
                        error.restore(py);
                        -1
                    }
                };
            }
        }
        let plain: ffi::objobjproc = std::mem::transmute(CONTAINS.load(Ordering::Relaxed));
        plain(text, part)
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
