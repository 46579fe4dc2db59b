//! The arguments of the call whose outcome is read: what an undeclared call has changed of them comes
//! home with it.

use std::cell::RefCell;

use cord_wire::outcome::{has_raised, Outcome};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::python::COMES_HOME;

/// Positional ones, named ones, and what was noted of them when they were sent.
type Arguments = (Py<PyTuple>, Option<Py<PyDict>>, Option<Py<PyAny>>);

thread_local! {
    static NOTED: RefCell<Option<Py<PyAny>>> = const { RefCell::new(None) };
    static GIVEN: RefCell<Vec<Arguments>> = const { RefCell::new(Vec::new()) };
}

/// While this is there, `arguments_of_call` gives these, if there are any.
pub struct Given {
    has_any: bool,
}

impl Given {
    #[inline]
    pub fn new(args: &Bound<'_, PyTuple>, kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        let has_any = !args.is_empty() || kwargs.is_some();
        if has_any {
            Self::push(args, kwargs);
        }
        Self { has_any }
    }

    fn push(args: &Bound<'_, PyTuple>, kwargs: Option<&Bound<'_, PyDict>>) {
        let kwargs = kwargs.map(|one| one.clone().unbind());
        let arguments = (args.clone().unbind(), kwargs, NOTED.take());
        GIVEN.with_borrow_mut(|given| given.push(arguments));
    }
}

/// Where `come_home` is named in a pickle that begins with it, behind its protocol and its frame.
const NAMED_AT: std::ops::Range<usize> = 13..41;

/// Whether reading an outcome needs the arguments of its call.
pub fn needs_arguments(outcome: &Outcome) -> bool {
    let Outcome::Reply { kind, payload, .. } = outcome else {
        return false;
    };
    has_raised(*kind) || payload.head.get(NAMED_AT) == Some(COMES_HOME)
}

/// What is noted of the arguments of the call that this thread is about to make.
pub fn note(noted: Bound<'_, PyAny>) {
    let noted = (!noted.is_none()).then(|| noted.unbind());
    let before = NOTED.replace(noted);
    drop(before); // may run code of the program's
}

impl Drop for Given {
    fn drop(&mut self) {
        if !self.has_any {
            return;
        }
        let last = GIVEN.with_borrow_mut(Vec::pop);
        drop(last); // may run code of the program's
    }
}

/// The arguments of the call whose outcome this thread reads.
#[pyfunction]
fn arguments_of_call(py: Python<'_>) -> Option<Arguments> {
    GIVEN.with_borrow(|given| {
        let (args, kwargs, noted) = given.last()?;
        let kwargs = kwargs.as_ref().map(|one| one.clone_ref(py));
        let noted = noted.as_ref().map(|one| one.clone_ref(py));
        Some((args.clone_ref(py), kwargs, noted))
    })
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(arguments_of_call, module)?)
}
