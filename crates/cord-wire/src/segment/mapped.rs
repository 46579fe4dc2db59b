//! How many mappings there are of received segments. The system gives a process some 65,530 of them,
//! those of the program included; beyond that not even memory can be had from it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::OnceLock;

/// What a system allows that does not say how many.
const USUAL: usize = 65_530;
/// Segments have one part in so many: a large one may take two, and the rest is the program's.
const PART: usize = 8;

static MAPPED: AtomicUsize = AtomicUsize::new(0);

/// Counts for one mapping.
#[derive(Debug)]
pub struct Counted(());

impl Counted {
    /// One more.
    pub fn new() -> Counted {
        MAPPED.fetch_add(1, Ordering::Relaxed);
        Counted(())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        MAPPED.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Whether there may be more.
pub fn has_room() -> bool {
    MAPPED.load(Ordering::Relaxed) < share()
}

fn share() -> usize {
    static SHARE: OnceLock<usize> = OnceLock::new();
    *SHARE.get_or_init(|| {
        let said = std::fs::read_to_string("/proc/sys/vm/max_map_count").ok();
        let most = said.and_then(|said| said.trim().parse().ok());
        most.unwrap_or(USUAL) / PART
    })
}
