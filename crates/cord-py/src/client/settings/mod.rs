//! Settings of the interpreter, its libraries and the kernel: whether they are as they were noted.
//!
//! What they are is told by `cord.runtime.travel.settings`. Most are changed by C functions, which are
//! heard of (`calls.rs`); the others are looked at, each where it lies.

mod attributes;
mod calls;
mod context;
mod decimals;
mod lists;
mod noted;
mod start;

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

use pyo3::prelude::*;

pub use calls::{found_in_c, other_credentials};
pub use noted::{Noted, SettingsSeen};

/// How many changes were heard of.
pub static CHANGES: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// This thread reads settings: what it calls for that changes none.
    static READS: Cell<bool> = const { Cell::new(false) };
}

/// Something has changed, unless this thread only reads.
pub fn changed() {
    if !READS.get() {
        CHANGES.fetch_add(1, Ordering::AcqRel);
    }
}

/// Runs what only reads settings, though it calls functions that may change some.
pub fn reading<T>(read: impl FnOnce() -> T) -> T {
    let before = READS.replace(true);
    let value = read();
    READS.set(before);
    value
}

/// What settings are now is what they were at the start, unless that was noted before.
pub fn note_start(py: Python<'_>) {
    start::Start::of(py);
}

pub fn this_thread() -> usize {
    // SAFETY: asks the C library for the thread's handle, which is never invalid.
    unsafe { libc::pthread_self() as usize }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<SettingsSeen>()?;
    module.add_function(wrap_pyfunction!(calls::setting_calls, module)?)?;
    module.add_function(wrap_pyfunction!(calls::zone_of_clock, module)?)?;
    module.add_function(wrap_pyfunction!(start::limits_at_start, module)?)?;
    module.add_function(wrap_pyfunction!(start::locale_at_start, module)?)?;
    module.add_function(wrap_pyfunction!(start::first_context, module)?)?;
    module.add_function(wrap_pyfunction!(calls::suspect_settings, module)?)?;
    module.add_function(wrap_pyfunction!(start::has_no_new_privileges, module)?)?;
    module.add_function(wrap_pyfunction!(start::want_no_new_privileges, module)?)?;
    Ok(())
}
