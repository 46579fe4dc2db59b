//! The end of the program: what its calls do while the interpreter ends around them.

use std::sync::OnceLock;
use std::thread::{self, ThreadId};

use pyo3::prelude::*;

/// The thread that ends the program, once it does.
static ENDED_BY: OnceLock<ThreadId> = OnceLock::new();

/// Told when all that the program asked for at its exit is done.
#[pyfunction]
fn program_ends() {
    let _ = ENDED_BY.set(thread::current().id());
}

pub fn has_ended() -> bool {
    ENDED_BY.get().is_some()
}

/// Holds a thread that the program left running: as in the plain program, it does nothing more.
#[inline]
pub fn stay_if_left_behind(py: Python<'_>) {
    if ENDED_BY
        .get()
        .is_some_and(|other| *other != thread::current().id())
    {
        py.detach(|| loop {
            thread::park();
        });
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(program_ends, module)?)
}
