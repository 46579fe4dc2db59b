//! A function of Cord's is called every now and then, on the first thread, between two instructions of the
//! program: where handlers of signals are called, too.
//!
//! The thread that asks for that needs no lock of the interpreter's; but before Python 3.13 the first thread
//! looks for what it is asked only when another one wants the lock.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{park_timeout, JoinHandle};
use std::time::Duration;

use cord_os::threads::spawn_quiet;
use pyo3::ffi;
use pyo3::prelude::*;

use crate::held::Held;

/// What both threads know.
struct Shared {
    called: Py<PyAny>,
    micros: AtomicU64,
    /// It has been asked for, and not been done yet.
    is_due: AtomicBool,
    has_ended: AtomicBool,
    process: u32,
}

impl Shared {
    fn call(&self, py: Python<'_>) {
        let next = self.called.call0(py);
        match next.and_then(|next| next.extract::<Option<f64>>(py)) {
            Ok(Some(seconds)) => self.micros.store(micros(seconds), Ordering::Relaxed),
            // an error here is none of the program's
            Ok(None) | Err(_) => self.has_ended.store(true, Ordering::Release),
        }
    }
}

/// Calls something from time to time, until that gives None instead of the seconds to the next time.
#[pyclass(frozen, module = "cord._core")]
struct Ticks {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[pymethods]
impl Ticks {
    #[new]
    fn new(py: Python<'_>, called: Py<PyAny>, seconds: f64) -> PyResult<Self> {
        let shared = Arc::new(Shared {
            called,
            micros: AtomicU64::new(micros(seconds)),
            is_due: AtomicBool::new(false),
            has_ended: AtomicBool::new(false),
            process: std::process::id(),
        });
        let (its, nudges) = (Arc::clone(&shared), py.version_info() < (3, 13));
        let thread = spawn_quiet("cord-ticks", move || ask(&its, nudges))?;
        let thread = Mutex::new(Some(thread));
        Ok(Self { shared, thread })
    }

    /// Call it no more; its thread is gone when this returns. May be called twice.
    fn end(&self, py: Python<'_>) {
        self.shared.has_ended.store(true, Ordering::Release);
        let thread = self.thread.lock();
        let thread = thread.unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread.filter(|_| std::process::id() == self.shared.process) {
            thread.thread().unpark();
            py.detach(|| thread.join()).ok();
        }
    }
}

fn micros(seconds: f64) -> u64 {
    (seconds * 1e6) as u64
}

fn ask(shared: &Arc<Shared>, nudges: bool) {
    loop {
        park_timeout(Duration::from_micros(shared.micros.load(Ordering::Relaxed)));
        if shared.has_ended.load(Ordering::Acquire) {
            return;
        }
        if shared.is_due.swap(true, Ordering::AcqRel) {
            continue;
        }
        let passed = Arc::into_raw(Arc::clone(shared)).cast_mut().cast();
        // SAFETY: this needs no lock; what is passed lives until `tick` takes it back.
        if unsafe { ffi::Py_AddPendingCall(Some(tick), passed) } != 0 {
            // SAFETY: it was not taken.
            drop(unsafe { Arc::from_raw(passed.cast::<Shared>()) });
            shared.is_due.store(false, Ordering::Release);
        } else if nudges {
            Python::attach(|_| ());
        }
    }
}

extern "C" fn tick(passed: *mut c_void) -> c_int {
    // SAFETY: `ask` has passed it, once for each call.
    let shared = unsafe { Arc::from_raw(passed.cast::<Shared>()) };
    let is_wanted = !shared.has_ended.load(Ordering::Acquire);
    let mut raised = 0;
    if is_wanted && std::process::id() == shared.process {
        Python::attach(|py| match Held::new(py) {
            Ok(held) => {
                shared.call(py);
                drop(held);
            }
            Err(error) => {
                error.restore(py); // a handler's: it is raised where the program stands
                raised = -1;
            }
        });
    }
    shared.is_due.store(false, Ordering::Release);
    raised
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Ticks>()
}
