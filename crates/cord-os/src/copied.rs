//! Whether this process is a copy of the program.

use std::sync::atomic::{AtomicBool, Ordering};

static IS_COPY: AtomicBool = AtomicBool::new(false);

/// Whether this process is a copy, not the program itself.
#[inline]
pub fn is_copy() -> bool {
    IS_COPY.load(Ordering::Relaxed)
}

/// This process has been made as a copy.
pub fn become_copy() {
    IS_COPY.store(true, Ordering::Relaxed);
}
