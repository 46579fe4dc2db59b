//! What the results of a function have been: whether something can stand for the next one.

use std::sync::atomic::{AtomicU8, Ordering};

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyType};

const RETURNED: u8 = 1;
const ONE_OF_A_KIND: u8 = 2;

/// Whether code tells it from others by what it is, not by what it is equal to.
fn is_one_of_a_kind(value: &Bound<'_, PyAny>) -> bool {
    let py = value.py();
    value.is_none()
        || value.is_exact_instance_of::<PyBool>()
        || value.is_instance_of::<PyType>()
        || value.is(py.NotImplemented())
        || value.is(py.Ellipsis())
        || is_member(value).unwrap_or(true)
}

/// Whether it is a member of an enumeration.
fn is_member(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    static ENUM: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = value.py();
    let class = ENUM.get_or_try_init(py, || {
        PyResult::Ok(py.import("enum")?.getattr("Enum")?.unbind())
    })?;
    value.is_instance(class.bind(py))
}

/// Of one function. A result that code tells by identity (`is None`) cannot be stood for: that test
/// does not ask the object.
#[derive(Default)]
pub struct Learnt(AtomicU8);

impl Learnt {
    /// It has returned this.
    pub fn note(&self, value: &Bound<'_, PyAny>) {
        let seen = if is_one_of_a_kind(value) {
            RETURNED | ONE_OF_A_KIND
        } else {
            RETURNED
        };
        if self.0.load(Ordering::Relaxed) & seen != seen {
            self.0.fetch_or(seen, Ordering::Relaxed);
        }
    }

    /// Whether something may stand for its results.
    pub fn can_be_stood_for(&self) -> bool {
        self.0.load(Ordering::Relaxed) == RETURNED
    }
}
