//! Which attributes of modules a scout may read: Python is asked once for each.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyModule, PyString, PyType};

use crate::python;

/// No more answers are kept.
const MOST: usize = 64;

/// A name that a class of modules leaves to their dictionaries.
struct Known {
    class: Py<PyType>,
    name: Py<PyString>,
    /// The interpreter's number for the class as it was then.
    version: u32,
}

static KNOWN: Mutex<Vec<Known>> = Mutex::new(Vec::new());

/// Whether reading an attribute of a module only looks it up.
pub fn is_plain_attribute<'py>(
    module: &Bound<'py, PyModule>,
    name: &Bound<'py, PyString>,
) -> PyResult<bool> {
    let py = module.py();
    if !module.dict().contains(name)? {
        return Ok(false);
    }
    let class = module.get_type();
    let version = version_of(&class);
    let is_known =
        |known: &Known| known.version == version && known.class.is(&class) && known.name.is(name);
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if version != 0 && known().iter().any(is_known) {
        return Ok(true);
    }
    let answer = python::IS_PLAIN_ATTRIBUTE.tells(py, (module, name))?;
    let version = version_of(&class);
    if answer && version != 0 {
        let mut known = known();
        known.retain(|one| !(one.class.is(&class) && one.name.is(name)));
        if known.len() < MOST {
            known.push(Known {
                class: class.unbind(),
                name: name.clone().unbind(),
                version,
            });
        }
    }
    Ok(answer)
}

/// Changes whenever the class or one above it does; 0 where the interpreter keeps no count.
fn version_of(class: &Bound<'_, PyType>) -> u32 {
    // SAFETY: the class is alive.
    unsafe { (*class.as_type_ptr()).tp_version_tag }
}
