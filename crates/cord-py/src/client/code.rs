//! What the program sees of the code of its functions: what it wrote, and not what was made of that.
//!
//! Translated code has native objects among its constants, which no pickler and no compiler of bytecode
//! knows. So `__code__` of a function gives the code that plain Python has there. What runs is the
//! function's own, and so is what frames show: positions in tracebacks are counted in it.

use std::collections::HashMap;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::{LazyLock, Mutex, MutexGuard, OnceLock, PoisonError};

use pyo3::exceptions::PyException;
use pyo3::types::{PyFunction, PyString};
use pyo3::{ffi, intern, prelude::*, PyTypeInfo};

use crate::python::SHOWN_CODE;

/// As `descrobject.h` has it, where it is public.
#[repr(C)]
struct GetSetDescriptor {
    ob_base: ffi::PyObject,
    d_type: *mut ffi::PyTypeObject,
    d_name: *mut ffi::PyObject,
    d_qualname: *mut ffi::PyObject,
    d_getset: *mut ffi::PyGetSetDef,
}

/// What Python itself has for `__code__`.
static OWN: OnceLock<ffi::getter> = OnceLock::new();
/// Names of the files that were translated, by identity: all code of one has the very same object.
static FILES: LazyLock<Mutex<HashMap<usize, Py<PyString>>>> = LazyLock::new(Mutex::default);

/// From now on `__code__` of a function from this file is what plain Python has there.
#[pyfunction]
fn show_plain_code(file: Bound<'_, PyString>) -> PyResult<()> {
    let py = file.py();
    files().insert(identity(&file), file.unbind());
    if OWN.get().is_some() {
        return Ok(());
    }
    let class = PyFunction::type_object(py);
    let known = class.getattr(intern!(py, "__dict__"))?;
    let descriptor = known.get_item(intern!(py, "__code__"))?;
    // SAFETY: a plain question.
    if unsafe { ffi::Py_TYPE(descriptor.as_ptr()) != &raw mut ffi::PyGetSetDescr_Type } {
        return Ok(()); // somebody has put something else there
    }
    // SAFETY: the type says that this is its shape; whoever reads or writes it has the interpreter's lock.
    let known = unsafe { &mut (*descriptor.as_ptr().cast::<GetSetDescriptor>()).d_getset };
    // SAFETY: a descriptor that lives has a definition.
    let definition = unsafe { &**known };
    let Some(own) = definition.get else {
        return Ok(());
    };
    if OWN.set(own).is_ok() {
        // it lives as long as the type, which is for ever
        *known = Box::into_raw(Box::new(ffi::PyGetSetDef {
            name: definition.name,
            get: Some(shown),
            set: definition.set,
            doc: definition.doc,
            closure: definition.closure,
        }));
    }
    Ok(())
}

/// (A child that the program forks has one thread, which holds the interpreter's lock, so nobody was
/// at this meanwhile.)
fn files() -> MutexGuard<'static, HashMap<usize, Py<PyString>>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

fn identity(value: &Bound<'_, PyAny>) -> usize {
    value.as_ptr().addr()
}

unsafe extern "C" fn shown(
    function: *mut ffi::PyObject,
    closure: *mut c_void,
) -> *mut ffi::PyObject {
    let Some(own) = OWN.get() else {
        return null_mut();
    };
    // SAFETY: called as Python would call it, with its lock held.
    let (py, code) = unsafe { (Python::assume_attached(), own(function, closure)) };
    // SAFETY: a new reference, or an error.
    let Ok(code) = (unsafe { Bound::from_owned_ptr_or_err(py, code) }) else {
        return null_mut();
    };
    if !is_translated(&code) {
        return code.into_ptr();
    }
    match SHOWN_CODE.call(py, (&code,)) {
        Ok(shown) => shown.into_ptr(),
        Err(error) if error.is_instance_of::<PyException>(py) => code.into_ptr(), // no room for it
        Err(error) => {
            error.restore(py);
            null_mut()
        }
    }
}

/// Whether code comes from a file that was translated.
fn is_translated(code: &Bound<'_, PyAny>) -> bool {
    let file = code.getattr(intern!(code.py(), "co_filename"));
    file.is_ok_and(|file| files().contains_key(&identity(&file)))
}

/// The code that runs when a function of Python's is called.
///
/// # Errors
/// `TypeError` where it is no such function.
#[pyfunction]
fn running_code<'py>(function: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let function = function.cast::<PyFunction>()?;
    // SAFETY: it is a function; what it gives is borrowed from it.
    unsafe {
        let code = ffi::PyFunction_GetCode(function.as_ptr());
        Bound::from_borrowed_ptr_or_err(function.py(), code)
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(show_plain_code, module)?)?;
    module.add_function(wrap_pyfunction!(running_code, module)?)
}
