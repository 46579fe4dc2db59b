//! Calls that run at the same time, in threads of one process: whose doing a change of settings is.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// How many calls with effects run, and how many have begun.
static INSIDE: AtomicUsize = AtomicUsize::new(0);
static BEGUN: AtomicU64 = AtomicU64::new(0);

/// Calls with effects that run at the same time as one, in threads of this process.
#[derive(Default)]
pub struct Others {
    is_counted: bool,
    /// How many had begun, if none was running.
    before: Option<u64>,
}

impl Others {
    pub fn begin(is_shared: bool, has_effects: bool) -> Others {
        if !is_shared {
            return Others::default();
        }
        let running = INSIDE.load(Ordering::Relaxed);
        let before = BEGUN.load(Ordering::Relaxed);
        if has_effects {
            INSIDE.fetch_add(1, Ordering::Relaxed);
            BEGUN.fetch_add(1, Ordering::Relaxed);
        }
        Others {
            is_counted: has_effects,
            before: (running == 0).then_some(before),
        }
    }

    /// Whether none has run since then; asked of a call without effects.
    pub fn are_none(&self, is_shared: bool) -> bool {
        !is_shared || self.before == Some(BEGUN.load(Ordering::Relaxed))
    }
}

impl Drop for Others {
    fn drop(&mut self) {
        if self.is_counted {
            INSIDE.fetch_sub(1, Ordering::Relaxed);
        }
    }
}
