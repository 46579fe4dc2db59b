//! Threads that wait for long in what they came to before it led by way of `standing`, or in something else:
//! nobody waits for these to stand.

use std::sync::Mutex;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::{here, locked};

/// A thread, by where the C library keeps what it knows of it, and where in Python code it is: a frame, and
/// the instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct At(usize, usize, i32);

/// Where threads were that did not stand when somebody looked.
static SEEN: Mutex<Vec<At>> = Mutex::new(Vec::new());

/// The other threads that do not stand, and are elsewhere than when somebody looked.
pub fn moving(py: Python<'_>, stands: impl Fn(usize) -> bool) -> Vec<At> {
    let (_, own) = here();
    let seen = locked(&SEEN);
    let all = all(py).unwrap_or_default().into_iter();
    all.filter(|at| at.0 != own && !stands(at.0) && !seen.contains(at))
        .collect()
}

/// These are where they were when somebody looked.
pub fn remember(mut moving: Vec<At>) {
    let mut seen = locked(&SEEN);
    seen.retain(|at| moving.iter().all(|one| one.0 != at.0));
    seen.append(&mut moving);
}

/// Where all threads are.
fn all(py: Python<'_>) -> Option<Vec<At>> {
    // SAFETY: borrowed of the module, which lasts; no code of the program's is run.
    let frames = unsafe {
        let function = ffi::PySys_GetObject(c"_current_frames".as_ptr());
        if function.is_null() || ffi::PyCFunction_CheckExact(function) == 0 {
            return None;
        }
        Bound::from_owned_ptr_or_opt(py, ffi::PyObject_CallNoArgs(function))
    };
    let frames = frames.or_else(|| {
        PyErr::take(py);
        None
    })?;
    let frames = frames.cast_into::<PyDict>().ok()?;
    let places = frames.iter().filter_map(|(thread, frame)| {
        let own = thread.extract().ok()?;
        // SAFETY: what the interpreter has just said is one.
        let last = unsafe { ffi::PyFrame_GetLasti(frame.as_ptr().cast()) };
        Some(At(own, frame.as_ptr() as usize, last))
    });
    Some(places.collect())
}
