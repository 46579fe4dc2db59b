//! The arguments of the call whose outcome is read: what an undeclared call has changed of them comes
//! home with it.

use std::cell::RefCell;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

type Arguments = (Py<PyTuple>, Option<Py<PyDict>>);

thread_local! {
    static GIVEN: RefCell<Vec<Arguments>> = const { RefCell::new(Vec::new()) };
}

/// While this is there, `arguments_of_call` gives these.
pub struct Given;

impl Given {
    pub fn new(args: &Bound<'_, PyTuple>, kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        let arguments = (
            args.clone().unbind(),
            kwargs.map(|one| one.clone().unbind()),
        );
        GIVEN.with_borrow_mut(|given| given.push(arguments));
        Self
    }
}

impl Drop for Given {
    fn drop(&mut self) {
        let last = GIVEN.with_borrow_mut(Vec::pop);
        drop(last); // may run code of the program's
    }
}

/// The arguments of the call whose outcome this thread reads.
#[pyfunction]
fn arguments_of_call(py: Python<'_>) -> Option<Arguments> {
    GIVEN.with_borrow(|given| {
        let (args, kwargs) = given.last()?;
        Some((
            args.clone_ref(py),
            kwargs.as_ref().map(|one| one.clone_ref(py)),
        ))
    })
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(arguments_of_call, module)?)
}
