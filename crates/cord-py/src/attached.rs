//! A value of which only whoever holds the interpreter makes use: that takes no lock of its own.

use std::cell::{RefCell, RefMut};

use pyo3::prelude::*;

/// As a `RefCell`, for all threads.
#[derive(Default)]
pub struct Attached<T>(RefCell<T>);

// SAFETY: the cell is touched with the interpreter held, as `py` shows, and what is borrowed does not
// outlive that; only one thread at a time holds it. Where code that is run meanwhile lets another
// thread in, that one finds the value borrowed.
unsafe impl<T: Send> Sync for Attached<T> {}

impl<T> Attached<T> {
    pub fn new(value: T) -> Attached<T> {
        Attached(RefCell::new(value))
    }

    /// The value; none while somebody else makes use of it.
    #[inline]
    pub fn get<'py>(&'py self, _py: Python<'py>) -> Option<RefMut<'py, T>> {
        self.0.try_borrow_mut().ok()
    }
}
