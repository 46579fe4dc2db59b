//! How far scouts see: as far as they can, where all that a program will ask for is to be known before anything of
//! it is answered (`cord batch`).

use std::sync::atomic::{AtomicBool, Ordering};

static IS_FAR: AtomicBool = AtomicBool::new(false);

/// Scouts of this process go on from here, however little of what they issue was taken so far.
pub fn see_far() {
    IS_FAR.store(true, Ordering::Relaxed);
}

/// Whether they do.
pub fn is_far() -> bool {
    IS_FAR.load(Ordering::Relaxed)
}
