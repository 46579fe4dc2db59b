//! Calling something as if nothing of Python's had called it.
//!
//! `python program.py` runs the program with no frame below its own. What looks at the stack (a printed
//! stack, the level of a warning, `inspect`, a debugger) would come upon Cord's frames, and recursion
//! would end some frames sooner. So the program is called as a new thread, or a greenlet, is: with an
//! empty stack.

use std::mem::replace;
use std::ptr::null_mut;

use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::thread_state::ThreadState;

/// What is put back when the call has ended.
struct Hidden {
    remaining: *mut i32,
    depth: i32,
    frame: *mut *mut u8,
    below: *mut u8,
}

impl Hidden {
    /// Hides the frames of this thread; None where it is not known how.
    fn new(py: Python<'_>) -> Option<Self> {
        let state = ThreadState::of(py)?;
        let (remaining, frame, depth) = (state.remaining(), state.frame(), state.depth());
        // SAFETY: these lie in the state of this thread, which lives as long as the thread.
        unsafe {
            if *remaining < 0 {
                return None;
            }
            *remaining += depth;
            Some(Self {
                remaining,
                depth,
                below: replace(&mut *frame, null_mut()),
                frame,
            })
        }
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        // SAFETY: it is the thread's own state still, and whatever was called has returned.
        unsafe {
            *self.frame = self.below;
            *self.remaining -= self.depth;
        }
    }
}

/// Call with an empty stack of Python frames.
#[pyfunction]
#[pyo3(signature = (function, *args))]
fn call_apart<'py>(
    function: &Bound<'py, PyAny>,
    args: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    let _hidden = Hidden::new(function.py());
    function.call1(args)
}

/// Let garbage be collected, as `gc.enable` does, whose calls are the program's.
#[pyfunction]
fn enable_collections() {
    // SAFETY: it sets a flag of the interpreter's, and the lock is held.
    unsafe { pyo3::ffi::PyGC_Enable() };
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(enable_collections, module)?)?;
    module.add_function(wrap_pyfunction!(call_apart, module)?)
}
