//! What the results of a function have been: whether something can stand for the next one.

use std::sync::atomic::{AtomicU8, Ordering};

use pyo3::prelude::*;
use pyo3::types::PyBool;

const RETURNED: u8 = 1;
const ONE_OF_A_KIND: u8 = 2;

/// Of one function. A result that code tells by identity (`is None`) cannot be stood for: that test
/// does not ask the object.
#[derive(Default)]
pub struct Learnt(AtomicU8);

impl Learnt {
    /// It has returned this.
    pub fn note(&self, value: &Bound<'_, PyAny>) {
        let one = value.is_none()
            || value.is_exact_instance_of::<PyBool>()
            || value.is(value.py().NotImplemented())
            || value.is(value.py().Ellipsis());
        let seen = RETURNED | if one { ONE_OF_A_KIND } else { 0 };
        if self.0.load(Ordering::Relaxed) & seen != seen {
            self.0.fetch_or(seen, Ordering::Relaxed);
        }
    }

    /// Whether something may stand for its results.
    pub fn can_be_stood_for(&self) -> bool {
        self.0.load(Ordering::Relaxed) == RETURNED
    }
}
