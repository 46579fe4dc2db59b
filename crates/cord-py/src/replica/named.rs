//! The function of a remote module that a call names: one of its own, or a method of a class of it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFunction, PyString, PyType};

use crate::library::library;

type Names = BTreeMap<String, Py<PyAny>>;

/// What module and name led to when the module was loaded, where the program has bound the name to
/// something else since, and this process has that, too: remote functions are what was there at first.
static FIRST: Mutex<BTreeMap<String, Names>> = Mutex::new(BTreeMap::new());
static IS_ANY: AtomicBool = AtomicBool::new(false);

/// A name of a module is about to lead to something else. A method's name is `Class.name`.
#[pyfunction]
fn keep_first(module: String, name: String, value: Py<PyAny>) {
    let mut first = FIRST.lock().unwrap_or_else(PoisonError::into_inner);
    let kept = first.entry(module).or_default();
    kept.entry(name).or_insert(value);
    IS_ANY.store(true, Ordering::Relaxed);
}

/// A module is executed once more: its names lead to what that binds.
#[pyfunction]
fn forget_first(module: &str) {
    let mut first = FIRST.lock().unwrap_or_else(PoisonError::into_inner);
    let gone = first.remove(module);
    drop(first);
    drop(gone); // which may run code
}

/// What a name led to at first, if it leads to something else now.
pub fn first<'py>(module: &Bound<'py, PyAny>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    if !IS_ANY.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let py = module.py();
    let of = module.getattr(intern!(py, "__name__"))?;
    let first = FIRST.lock().unwrap_or_else(PoisonError::into_inner);
    let kept = first.get(of.cast::<PyString>()?.to_str()?);
    let found = kept.and_then(|kept| kept.get(name));
    let found = found.map(|value| value.bind(py).clone());
    drop(first);
    found.map(of_its_own).transpose()
}

/// The function that a name leads to. A method is `Class.name`, and is given its object or its class
/// as first argument, as those who send the call have it; of a static method there is none.
///
/// Errors: AttributeError where the module has no such name.
#[pyfunction]
pub fn find_function<'py>(module: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    if let Some(found) = first(module, name)? {
        return Ok(found);
    }
    // names of what the main script defines begin with their version
    match name.rsplit_once('.') {
        Some((owner, method)) if !name.starts_with(':') => method_of(module, owner, method),
        _ => match own_names(module)?.get_item(name)? {
            Some(found) => Ok(found), // not what a facade shows to others
            None => module.getattr(name),
        },
    }
}

fn own_names<'py>(module: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
    let names = module.getattr(intern!(module.py(), "__dict__"))?;
    Ok(names.cast_into()?)
}

fn method_of<'py>(
    module: &Bound<'py, PyAny>,
    owner: &str,
    method: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let py = module.py();
    let mut class = module.clone();
    for part in owner.split('.') {
        class = class.getattr(part)?;
    }
    let class = class.cast_into::<PyType>()?;
    // not bound to the class, as an attribute of it would be
    let Ok(found) = class.getattr(intern!(py, "__dict__"))?.get_item(method) else {
        return class.getattr(method);
    };
    of_its_own(found)
}

/// What stands for a method in its class, without what makes it static or of its class.
fn of_its_own(found: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyAny>> {
    let py = found.py();
    if found.is_exact_instance_of::<PyFunction>() {
        return Ok(found);
    }
    if found.is_exact_instance(&library(py, "types")?.getattr(intern!(py, "MethodType"))?) {
        return Ok(found); // of another object
    }
    // of static methods and class methods
    let inside = found.getattr_opt(intern!(py, "__func__"))?;
    Ok(inside.unwrap_or(found))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(keep_first, module)?)?;
    module.add_function(wrap_pyfunction!(forget_first, module)?)?;
    module.add_function(wrap_pyfunction!(find_function, module)?)
}
