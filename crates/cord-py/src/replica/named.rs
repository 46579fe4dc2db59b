//! The function of a remote module that a call names: one of its own, or a method of a class of it.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyFunction, PyType};

use crate::library::library;

/// The function that a name leads to. A method is `Class.name`, and is given its object or its class
/// as first argument, as those who send the call have it; of a static method there is none.
///
/// Errors: AttributeError where the module has no such name.
#[pyfunction]
pub fn find_function<'py>(module: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    // names of what the main script defines begin with their version
    match name.rsplit_once('.') {
        Some((owner, method)) if !name.starts_with(':') => method_of(module, owner, method),
        _ => module.getattr(name),
    }
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
    module.add_function(wrap_pyfunction!(find_function, module)?)
}
