//! Whether this process has come to so much memory that another one is to take its place.

use std::fs;

/// How much is too much; by default nothing is.
#[derive(Debug, Default)]
pub struct Memory {
    most: Option<u64>,
}

impl Memory {
    /// So many bytes are too many.
    pub fn renewed_at(bytes: u64) -> Memory {
        Memory { most: Some(bytes) }
    }

    /// Whether it is too much now; said once.
    pub fn is_too_much(&mut self) -> bool {
        let Some(most) = self.most else {
            return false;
        };
        // the most that it has ever been costs one call of the system, what it is now a file
        let peak = peak();
        let is_too_much = peak >= most && resident().unwrap_or(peak) >= most;
        if is_too_much {
            self.most = None;
        }
        is_too_much
    }
}

/// The most bytes of memory that this process has ever had.
fn peak() -> u64 {
    // SAFETY: all bits zero is one.
    let mut used: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: writes to what it is given.
    unsafe {
        libc::getrusage(libc::RUSAGE_SELF, &raw mut used);
    }
    u64::try_from(used.ru_maxrss).unwrap_or(0) << 10
}

/// Bytes of memory that this process has now; none where nothing tells.
fn resident() -> Option<u64> {
    let about = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = about.split(' ').nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_much_is_said_once() {
        let mut memory = Memory::renewed_at(1 << 20);
        assert!(memory.is_too_much(), "no process is so small");
        assert!(!memory.is_too_much());
    }

    #[test]
    fn nothing_is_too_much_that_is_less_or_where_nothing_is_said() {
        assert!(!Memory::default().is_too_much());
        assert!(!Memory::renewed_at(1 << 50).is_too_much());
        assert!(resident().is_some_and(|bytes| bytes <= peak() + (1 << 20)));
    }
}
