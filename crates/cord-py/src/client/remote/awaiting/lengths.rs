//! How long the awaited calls of a function take, and what follows from that.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

/// Calls of less are cheaper where they are made.
const SHORT: Duration = Duration::from_micros(300);
/// If the way there and back has not taken long either.
const SHORT_FOR_ALL: Duration = Duration::from_millis(2);
/// After so many of these they are made there, but for one in so many.
const MANY_SHORT: u32 = 3;
const TRY_AGAIN: u32 = 64;
/// Other things that the loop has to do must be this far off while a call is sent of which nothing is there:
/// so long, and so many times what the last one took.
const FAR: Duration = Duration::from_secs(2);
const TIMES: u32 = 10;

/// How long the awaited calls of a function take.
#[derive(Default)]
pub struct Lengths {
    last: AtomicU64,
    short: AtomicU32,
}

impl Lengths {
    /// Whether calls are so short that the next one is made by who awaits it.
    pub fn are_short(&self) -> bool {
        let short = self.short.load(Ordering::Relaxed);
        if short < MANY_SHORT {
            return false;
        }
        self.short
            .store(short.wrapping_add(1).max(MANY_SHORT), Ordering::Relaxed);
        short % TRY_AGAIN != 0
    }

    /// One took so long in its replica, as far as that could be told, and so long for who awaited it.
    pub fn note(&self, service: Duration, took: Duration) {
        let nanos = u64::try_from(service.as_nanos()).unwrap_or(u64::MAX);
        self.last.store(nanos, Ordering::Relaxed);
        let short = self.short.load(Ordering::Relaxed);
        let is_short = service < SHORT && took < SHORT_FOR_ALL;
        let short = if is_short { short + 1 } else { 0 };
        self.short.store(short, Ordering::Relaxed);
    }

    /// How far off other things must be.
    pub fn far(&self) -> Duration {
        FAR.max(Duration::from_nanos(self.last.load(Ordering::Relaxed)) * TIMES)
    }
}
