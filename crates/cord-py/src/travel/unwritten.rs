//! What need not be compared again, because the kernel saw nobody write it.

use std::ops::Range;
use std::sync::Arc;

use cord_os::written::{Tracked, Written};

/// Less is compared as fast as the kernel is asked.
const FROM: usize = 64 * 1024;
/// A page that is written costs a fault, some times what comparing it costs. Where more than one in
/// so many is written …
const FEW: usize = 4;
/// … at so many looks in a row, …
const MOST_MISSES: u32 = 2;
/// … writes are not noted for so many comparisons. Nor where the kernel cannot tell.
const REST: u32 = 64;

/// What is known of the writes to memory that was compared with a copy.
#[derive(Clone, Default)]
pub struct Unwritten {
    /// Writes since it was last found to be the same.
    tracked: Option<Arc<Tracked>>,
    misses: u32,
    rests: u32,
}

/// What is to be compared now.
pub struct Looked {
    places: Vec<Range<usize>>,
    /// Since before anything is compared.
    tracked: Option<Arc<Tracked>>,
    /// None if all is compared.
    written: Option<Written>,
    len: usize,
}

impl Unwritten {
    /// What of this memory is to be compared. The interpreter is held.
    pub fn look(&self, memory: &[u8]) -> Looked {
        let len = memory.len();
        if let Some(tracked) = &self.tracked {
            if let Some(written) = tracked.written() {
                return Looked {
                    places: written.places.clone(),
                    tracked: Some(Arc::clone(tracked)),
                    written: Some(written),
                    len,
                };
            }
        }
        let may = len >= FROM && self.rests == 0;
        let tracked = may.then(|| Tracked::new(memory)).flatten();
        Looked {
            tracked: tracked.map(Arc::new),
            ..Looked::whole(len)
        }
    }

    /// What was to be compared has been. The interpreter is held.
    pub fn was_compared(&mut self, looked: Looked, same: bool) {
        let is_busy = looked.compares() > looked.len / FEW;
        match looked.written {
            _ if !same => self.tracked = None,
            None => {
                let is_told = looked.tracked.is_some() || looked.len < FROM;
                self.rests = match self.rests {
                    0 if !is_told => REST,
                    rests => rests.saturating_sub(1),
                };
                self.tracked = looked.tracked;
            }
            Some(written) => {
                if let Some(tracked) = looked.tracked {
                    tracked.confirm(&written);
                }
                self.misses = if is_busy { self.misses + 1 } else { 0 };
                if self.misses >= MOST_MISSES {
                    *self = Unwritten {
                        rests: REST,
                        ..Unwritten::default()
                    };
                }
            }
        }
    }
}

impl Looked {
    /// All of it, of which nothing is known.
    pub fn whole(len: usize) -> Looked {
        Looked {
            places: std::iter::once(0..len).collect(),
            tracked: None,
            written: None,
            len,
        }
    }

    /// How many bytes are to be compared.
    pub fn compares(&self) -> usize {
        self.places.iter().map(ExactSizeIterator::len).sum()
    }

    /// Compares them.
    pub fn finds_same(&self, memory: &[u8], copy: &[u8]) -> bool {
        let is_same = |at: &Range<usize>| memory[at.clone()] == copy[at.clone()];
        memory.len() == copy.len() && self.places.iter().all(is_same)
    }
}
