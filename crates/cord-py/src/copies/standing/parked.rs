//! What the interpreter itself keeps, from Python 3.13 on, of threads that wait: a list of them, which lie on
//! their stacks. In a copy they begin to wait anew, so it has to forget them first, as after a fork.

use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::prelude::*;

static FORGETS: AtomicUsize = AtomicUsize::new(0);

/// In the program: finds what forgets them; false if it is needed and not there.
pub fn can_be_forgotten(py: Python<'_>) -> bool {
    if py.version_info() < (3, 13) {
        return true;
    }
    // SAFETY: a question.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"_PyParkingLot_AfterFork".as_ptr()) };
    FORGETS.store(found as usize, Ordering::Relaxed);
    !found.is_null()
}

/// In a fresh copy: nobody waits. The interpreter is held, so nobody was about to note that he does.
pub fn forget() {
    let forgets = FORGETS.load(Ordering::Relaxed);
    if forgets != 0 {
        // SAFETY: the interpreter's own function, which takes nothing.
        unsafe { std::mem::transmute::<usize, unsafe extern "C" fn()>(forgets)() };
    }
}
