//! Where the program is, looked at from time to time: what its lines take by themselves, and apart from
//! that, at which lines it is when it is at a call.
//!
//! A thread of Cord's takes the interpreter's lock for a moment and looks at the frames of the first
//! thread. The program lets go of the lock between two of its instructions, as it does for threads of its
//! own; what it does in one long instruction is seen at its end, and counts for its line as well.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{channel, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use cord_core::{is_main_thread, spawn_quiet};
use pyo3::ffi;
use pyo3::prelude::*;

use super::Seen;

/// In how many takes the first thread is, one within the other.
static PAUSED: AtomicU32 = AtomicU32::new(0);
/// So many frames are looked at, from the innermost on.
const DEEPEST: usize = 200;

thread_local! {
    static IS_FIRST: bool = is_main_thread();
}

/// This thread begins a take.
pub fn pause() {
    if IS_FIRST.with(|is_first| *is_first) {
        PAUSED.fetch_add(1, Ordering::Relaxed);
    }
}

/// It has ended.
pub fn go_on() {
    if IS_FIRST.with(|is_first| *is_first) {
        PAUSED.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The state that the interpreter has of a thread, which outlives the sampler.
struct Looked(*mut ffi::PyThreadState);

// SAFETY: it is looked at under the interpreter's lock only.
unsafe impl Send for Looked {}

/// A thread that looks where the program is.
pub struct Sampler {
    stop: Sender<()>,
    thread: JoinHandle<(Seen, Seen)>,
}

impl Sampler {
    /// Begins to look at the thread that calls this.
    ///
    /// # Errors
    /// When there can be no more threads.
    pub fn begin(every: Duration, folders: Vec<String>) -> io::Result<Sampler> {
        // SAFETY: the caller has the interpreter's lock.
        let looked = Looked(unsafe { ffi::PyThreadState_Get() });
        let (stop, stopped) = channel();
        let thread = spawn_quiet("cord-sampler", move || {
            let looked = looked;
            let mut own: HashMap<(String, u32), u64> = HashMap::new();
            let mut at_calls: HashMap<(String, u32), u64> = HashMap::new();
            while stopped.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                let (found, is_call) = Python::attach(|_| {
                    let place = place_of(&looked, &folders);
                    (place, PAUSED.load(Ordering::Relaxed) > 0)
                });
                let seen = if is_call { &mut at_calls } else { &mut own };
                if let Some(place) = found {
                    *seen.entry(place).or_default() += 1;
                }
            }
            (listed(own), listed(at_calls))
        })?;
        Ok(Sampler { stop, thread })
    }

    /// Ends it: how often the program was seen where, calls apart, and where at calls. The interpreter's
    /// lock must not be held.
    pub fn end(self) -> (Seen, Seen) {
        drop(self.stop);
        self.thread.join().unwrap_or_default()
    }
}

fn listed(seen: HashMap<(String, u32), u64>) -> Seen {
    let mut all: Seen = (seen.into_iter())
        .map(|((file, line), times)| (file, line, times))
        .collect();
    all.sort();
    all
}

/// The innermost line of the program's own that a thread is at, if it is at any.
fn place_of(looked: &Looked, folders: &[String]) -> Option<(String, u32)> {
    // SAFETY: the interpreter's lock is held, and the first thread lives as long as the interpreter. Each
    // reference that is got is given back.
    unsafe {
        let mut frame = ffi::PyThreadState_GetFrame(looked.0);
        let mut found = None;
        for _ in 0..DEEPEST {
            if frame.is_null() {
                return None;
            }
            found = file_of(frame).filter(|file| folders.iter().any(|own| file.starts_with(own)));
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
