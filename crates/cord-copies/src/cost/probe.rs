//! What the kernel says of the program's process while a copy of it lives.

use std::ptr::NonNull;
use std::time::{Duration, Instant};

use crate::cost::faults::Seen;
use cord_os::threads::thread_time;

/// So many pages are written to find out what that costs.
const PAGES: usize = 16;

/// Looks at the process since some time.
#[derive(Debug)]
pub struct Probe {
    began: Instant,
    size: usize,
    /// Pages that are written for nothing else.
    block: Option<NonNull<u8>>,
}

// SAFETY: the block is written by the thread that looks after the only copy, by nobody else.
unsafe impl Send for Probe {}
// SAFETY: as above.
unsafe impl Sync for Probe {}

impl Probe {
    pub fn new() -> Probe {
        let size = rustix::param::page_size();
        // SAFETY: a new mapping, which nobody else knows of.
        let block = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                PAGES * size,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_POPULATE,
                -1,
                0,
            )
        };
        let there = block != libc::MAP_FAILED;
        Probe {
            began: Instant::now(),
            size,
            block: there.then(|| NonNull::new(block.cast())).flatten(),
        }
    }

    /// What is known now.
    pub fn seen(&self) -> Seen {
        // SAFETY: there is room for the answer.
        let faults = unsafe {
            let mut used: libc::rusage = std::mem::zeroed();
            libc::getrusage(libc::RUSAGE_SELF, &raw mut used);
            used.ru_minflt
        };
        Seen {
            at: self.began.elapsed(),
            faults: u64::try_from(faults).unwrap_or(0),
        }
    }

    /// How many pages so much memory is.
    pub fn pages(&self, bytes: u64) -> u64 {
        bytes / self.size as u64
    }

    /// Right after a copy was made, in the program's process: what writing a page takes. Time in which
    /// others have the core is no part of that, or a busy machine would end copies.
    pub fn measure(&self) -> Option<Duration> {
        let block = self.block?;
        let began = thread_time();
        for page in 0..PAGES {
            // SAFETY: within the mapping.
            unsafe { block.add(page * self.size).write_volatile(1) };
        }
        Some(thread_time().saturating_sub(began) / u32::try_from(PAGES).unwrap_or(1))
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        if let Some(block) = self.block {
            // SAFETY: nobody else has it.
            unsafe { libc::munmap(block.as_ptr().cast(), PAGES * self.size) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_are_given_are_counted() {
        let probe = Probe::new();
        let before = probe.seen();
        let large = std::hint::black_box(vec![1u8; 64 << 20]);
        let after = probe.seen();
        assert!(after.faults > before.faults && after.at > before.at);
        drop(large);
        assert!(probe.measure().is_some());
    }
}
