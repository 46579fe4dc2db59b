//! Signals wait while Cord's own code runs on the program's thread: scouts, births of scouts, and
//! picklers. What a handler raises there would end the scout, be taken for the refusal of a value, or
//! be caught by a copy of the program's own `except`; in any case the program would not see it.

use std::cell::Cell;
use std::mem::MaybeUninit;

use cord_os::threads::is_main_thread;
use pyo3::ffi;
use pyo3::prelude::*;

thread_local! {
    /// Whether handlers never run in this thread, or are held already.
    static NEEDLESS: Cell<bool> = const { Cell::new(false) };
}

/// These are raised by what the thread itself does, and cannot wait.
const AT_ONCE: [libc::c_int; 7] = [
    libc::SIGSEGV,
    libc::SIGBUS,
    libc::SIGFPE,
    libc::SIGILL,
    libc::SIGTRAP,
    libc::SIGABRT,
    libc::SIGSYS,
];

/// While it lives, signals to this thread wait. Python runs handlers in the main thread alone; where
/// the program has threads of its own, these may still be sent them.
pub struct Held {
    before: Option<libc::sigset_t>,
    /// What a handler raised, which is raised when this ends.
    raised: Option<PyErr>,
}

impl Held {
    /// Runs the handlers of what has come, and holds the rest.
    ///
    /// # Errors
    /// What a handler raised: then nothing is held.
    pub fn new(py: Python<'_>) -> PyResult<Held> {
        if NEEDLESS.get() {
            return Ok(Held::none(None));
        }
        if !is_main_thread() {
            NEEDLESS.set(true);
            return Ok(Held::none(None));
        }
        py.check_signals()?;
        let held = Held {
            before: Some(block()),
            raised: None,
        };
        NEEDLESS.set(true);
        py.check_signals()?; // one may have come between
        Ok(held)
    }

    /// The same where nothing can be raised now: what a handler raises is raised by the first instruction
    /// of Python's that is executed once this has ended.
    pub fn for_now(py: Python<'_>) -> Held {
        match Held::new(py) {
            Ok(held) => held,
            Err(raised) => {
                let mut held = Held::new(py).unwrap_or_else(|_| Held::none(None));
                held.raised = Some(raised);
                held
            }
        }
    }

    fn none(raised: Option<PyErr>) -> Held {
        Held {
            before: None,
            raised,
        }
    }
}

/// Has the thread raise this as soon as it executes Python again: an exception of the same class.
fn raise_soon(raised: &PyErr) {
    Python::attach(|py| {
        let class = raised.get_type(py);
        // SAFETY: this thread is attached, and the class is an exception's.
        unsafe {
            let thread = std::ffi::c_long::try_from(ffi::PyThread_get_thread_ident());
            ffi::PyThreadState_SetAsyncExc(thread.unwrap_or_default(), class.as_ptr());
        }
    });
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(before) = self.before.take() {
            NEEDLESS.set(false);
            // SAFETY: the set is one that `block` was given.
            unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut()) };
        }
        if let Some(raised) = self.raised.take() {
            raise_soon(&raised);
        }
    }
}

/// Blocks signals in this thread; gives those that were blocked before.
fn block() -> libc::sigset_t {
    let mut all = MaybeUninit::uninit();
    let mut before = MaybeUninit::uninit();
    // SAFETY: both sets are of this function, and are filled in before they are read.
    unsafe {
        libc::sigfillset(all.as_mut_ptr());
        for signal in AT_ONCE {
            libc::sigdelset(all.as_mut_ptr(), signal);
        }
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
        before.assume_init()
    }
}
