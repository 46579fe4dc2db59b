//! Processes that calls start, as the interpreter's audit events tell.

use std::ffi::{c_char, c_int, c_void, CStr};
use std::sync::atomic::{AtomicU64, Ordering};

use pyo3::ffi;
use pyo3::prelude::*;

use crate::client::world::PySys_AddAuditHook;
use crate::python;

/// How many processes this one may have started.
pub static STARTED: AtomicU64 = AtomicU64::new(0);

/// What tells that a process starts another one.
const STARTS: [&CStr; 6] = [
    c"os.fork",
    c"os.forkpty",
    c"os.posix_spawn",
    c"os.spawn",
    c"os.system",
    c"subprocess.Popen",
];

/// What tells that there may be no descriptors or no memory later.
const LIMITS: &CStr = c"resource.setrlimit";

unsafe extern "C" fn heard(
    event: *const c_char,
    _args: *mut ffi::PyObject,
    _data: *mut c_void,
) -> c_int {
    // SAFETY: the interpreter gives a text.
    let event = unsafe { CStr::from_ptr(event) };
    if STARTS.contains(&event) {
        STARTED.fetch_add(1, Ordering::Relaxed);
    } else if event == LIMITS {
        // SAFETY: the interpreter calls this, and holds its lock.
        let py = unsafe { Python::assume_attached() };
        let _ = python::LOAD_WHAT_IS_NEEDED.call(py, ()); // what cannot be loaded now may be later
    }
    0
}

pub fn hear_of_processes() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        // SAFETY: the hook lives as long as the process, and leaves no exception set.
        unsafe { PySys_AddAuditHook(heard, std::ptr::null_mut()) };
    });
}
