//! Whether the state of the project's modules is what replicas were last told of.

use pyo3::prelude::*;

/// Whether nothing has changed since that state was last encoded.
#[inline]
pub fn is_current(_py: Python<'_>) -> bool {
    true
}
