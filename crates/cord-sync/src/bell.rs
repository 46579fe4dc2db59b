//! Saying that one sleeps, to who may have done something meanwhile: either the sleeper sees it, or is rung for.

use crate::sync::atomic::{fence, AtomicU32, Ordering};

/// Says it, so that the other side sees it, or what it did before is seen here.
pub fn raise(flag: &AtomicU32) {
    flag.store(1, Ordering::Relaxed);
    fence(Ordering::SeqCst);
}

/// Whether the other side had said it before it could see what was done here last.
pub fn lower(flag: &AtomicU32) -> bool {
    fence(Ordering::SeqCst);
    flag.load(Ordering::Relaxed) != 0 && flag.swap(0, Ordering::AcqRel) != 0
}
