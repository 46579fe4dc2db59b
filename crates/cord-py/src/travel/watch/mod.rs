//! Tells whether objects are still what they were.
//!
//! What they hold is noted: the addresses of the objects in a list, the version of a dict, the bytes
//! of an array. Later the same is read again and compared, without any code of the program's, and
//! with an early end. Of large memory only what the kernel has seen written is compared.
//!
//! Nothing is kept alive that could tell. Numbers, texts and the like are held, so that no other
//! object comes to lie at their address. Any other object is looked into itself, but only after
//! what led to it was found to be the same: then it is alive, and what it holds says whether it is
//! the one that was there.

mod dicts;
mod looks;
mod memory;
mod node;
mod pages;
mod snapshot;
mod walk;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

pub use dicts::dict_version;
pub use dicts::Pairs;
pub use looks::places_of;
use node::Noted;
pub use node::{dict_of, slot_of};
pub use snapshot::{Own, Snapshot};
pub use walk::is_immutable;
use walk::{addresses, Walk};

use crate::attached::Attached;
use crate::python::{self, Asked};

/// Some objects, and what they held.
#[pyclass(frozen, module = "cord._core")]
pub struct Watch {
    noted: Attached<Noted>,
    /// The encoding of those objects that can only be compared so.
    printed: Option<Py<PyBytes>>,
}

#[pymethods]
impl Watch {
    /// `values` and what they lead to are looked into; functions and classes that they hold are not,
    /// but for these. `encodes`: what only its encoding tells of is encoded; else it is passed over.
    #[new]
    #[pyo3(signature = (values, functions=Vec::new(), classes=Vec::new(), encodes=true))]
    fn new(
        py: Python<'_>,
        values: Vec<Bound<'_, PyAny>>,
        functions: Vec<Bound<'_, PyAny>>,
        classes: Vec<Bound<'_, PyAny>>,
        encodes: bool,
    ) -> PyResult<Watch> {
        let mut walk = Walk::new(py);
        for class in &classes {
            walk.add_class(class)?;
        }
        for function in &functions {
            walk.add_function(function)?;
        }
        for value in values {
            walk.add(value)?;
        }
        walk.go()?;
        let (mut noted, others) = walk.end();
        if !encodes {
            noted.others.clear();
            return Ok(Watch {
                noted: Attached::new(noted),
                printed: None,
            });
        }
        let mut printed = print(py, &others)?;
        if printed.is_none() {
            let (others, held) = apart(py, others)?; // what cannot travel is not compared
            noted.held.extend(held.into_iter().map(Bound::unbind));
            noted.others = addresses(&others);
            printed = print(py, &others)?;
        }
        Ok(Watch {
            noted: Attached::new(noted),
            printed: printed.map(Bound::unbind),
        })
    }

    /// Whether nothing has changed.
    pub fn is_unchanged(&self, py: Python<'_>) -> PyResult<bool> {
        let others = {
            let Some(mut noted) = self.noted.get(py) else {
                return Ok(false); // another thread looks: perhaps it has
            };
            if !noted.is_same(py) {
                return Ok(false);
            }
            if noted.others.is_empty() {
                return Ok(true);
            }
            noted.others(py)
        };
        let before = self.printed.as_ref().map(|printed| printed.bind(py));
        Ok(match (print(py, &others)?, before) {
            (Some(now), Some(before)) => now.as_bytes() == before.as_bytes(),
            _ => false,
        })
    }
}

type Objects<'py> = Vec<Bound<'py, PyAny>>;

/// Those that can travel, and those that cannot.
fn apart<'py>(py: Python<'py>, objects: Objects<'py>) -> PyResult<(Objects<'py>, Objects<'py>)> {
    apart_by(&python::PRINT_OF, py, objects)
}

fn apart_by<'py>(
    whom: &Asked,
    py: Python<'py>,
    objects: Objects<'py>,
) -> PyResult<(Objects<'py>, Objects<'py>)> {
    let (mut can, mut cannot) = (Vec::new(), Vec::new());
    for object in objects {
        match print_by(whom, py, std::slice::from_ref(&object))? {
            Some(_) => can.push(object),
            None => cannot.push(object),
        }
    }
    Ok((can, cannot))
}

/// What can be compared later with the same objects; `None` if there are none, or they cannot travel.
fn print<'py>(
    py: Python<'py>,
    objects: &[Bound<'py, PyAny>],
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    print_by(&python::PRINT_OF, py, objects)
}

fn print_by<'py>(
    whom: &Asked,
    py: Python<'py>,
    objects: &[Bound<'py, PyAny>],
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    if objects.is_empty() {
        return Ok(None);
    }
    let printed = whom.call(py, (PyList::new(py, objects)?,))?;
    printed.extract().map_err(PyErr::from)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Watch>()?;
    module.add_function(wrap_pyfunction!(dicts::put_unseen, module)?)?;
    snapshot::register(module)
}
