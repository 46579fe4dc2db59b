//! Calling something as if nothing of Python's had called it.
//!
//! `python program.py` runs the program with no frame below its own. What looks at the stack (a printed
//! stack, the level of a warning, `inspect`, a debugger) would come upon Cord's frames, and recursion
//! would end some frames sooner. So the program is called as a new thread, or a greenlet, is: with an
//! empty stack.

use std::mem::replace;
use std::ptr::null_mut;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Where a thread's state has what is hidden: bytes from its start (`struct _ts` in pystate.h, which is
/// the same for all releases of one version of Python).
struct Layout {
    remaining: usize,
    limit: usize,
    /// Calls of C functions that count as frames do: the one that is made here.
    counted: i32,
    /// The innermost frame; in two steps up to 3.12.
    frame: &'static [usize],
}

fn layout(py: Python<'_>) -> Option<Layout> {
    let version = py.version_info();
    let (remaining, limit, counted, frame): (_, _, _, &[usize]) =
        match (version.major, version.minor) {
            (3, 11) => (32, 36, 1, &[56, 8]),
            (3, 12) => (28, 32, 0, &[56, 0]),
            (3, 13) => (44, 48, 0, &[72]),
            _ => return None,
        };
    Some(Layout {
        remaining,
        limit,
        counted,
        frame,
    })
}

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
        let layout = layout(py)?;
        // SAFETY: the thread is attached, as `py` shows, and all offsets lie in its state; that they are
        // right for this interpreter is seen by the limit, which is there twice.
        unsafe {
            let state: *mut u8 = ffi::PyThreadState_Get().cast();
            let limit = *state.add(layout.limit).cast::<i32>();
            let remaining: *mut i32 = state.add(layout.remaining).cast();
            if limit != ffi::Py_GetRecursionLimit() || !(0..=limit).contains(&*remaining) {
                return None;
            }
            let (last, steps) = layout.frame.split_last()?;
            let mut at = state;
            for step in steps {
                at = *at.add(*step).cast::<*mut u8>();
            }
            let frame: *mut *mut u8 = at.add(*last).cast();
            let depth = limit + layout.counted - *remaining;
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

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(call_apart, module)?)
}
