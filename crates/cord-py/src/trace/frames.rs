//! At which of its own lines a thread of the program is.

use pyo3::ffi;
use pyo3::prelude::*;

/// So many frames are looked at, from the innermost on.
const DEEPEST: usize = 200;

/// The state that the interpreter has of a thread, which outlives whoever looks at it.
pub struct Looked(*mut ffi::PyThreadState);

// SAFETY: it is looked at under the interpreter's lock only.
unsafe impl Send for Looked {}

impl Looked {
    /// The thread that calls this: the interpreter's first one.
    pub fn here() -> Looked {
        // SAFETY: the caller has the interpreter's lock.
        Looked(unsafe { ffi::PyThreadState_Get() })
    }

    /// The innermost line of the program's own that it is at, if it is at any. The interpreter's lock must
    /// be held.
    pub fn place(&self, folders: &[String]) -> Option<(String, u32)> {
        // SAFETY: the interpreter's lock is held, and the first thread lives as long as the interpreter. Each
        // reference that is got is given back.
        unsafe {
            let mut frame = ffi::PyThreadState_GetFrame(self.0);
            let mut found = None;
            for _ in 0..DEEPEST {
                if frame.is_null() {
                    return None;
                }
                found =
                    file_of(frame).filter(|file| folders.iter().any(|own| file.starts_with(own)));
                if found.is_some() {
                    break;
                }
                let back = ffi::PyFrame_GetBack(frame);
                ffi::Py_DECREF(frame.cast());
                frame = back;
            }
            let line = u32::try_from(ffi::PyFrame_GetLineNumber(frame)).unwrap_or(0);
            ffi::Py_DECREF(frame.cast());
            found.map(|file| (file, line))
        }
    }
}

/// # Safety
/// The frame must be one, and the interpreter's lock held.
unsafe fn file_of(frame: *mut ffi::PyFrameObject) -> Option<String> {
    // SAFETY: as the caller says; the code is given back when it is dropped.
    let code = unsafe {
        let code = ffi::PyFrame_GetCode(frame);
        Bound::from_owned_ptr_or_opt(Python::assume_attached(), code.cast())?
    };
    code.getattr("co_filename").ok()?.extract().ok()
}
