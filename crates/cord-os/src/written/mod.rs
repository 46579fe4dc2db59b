//! Which parts of this process's own memory were written, as the kernel's page table shows it.
//!
//! Whoever has compared a large buffer with a copy need not compare it again, but for the pages that
//! were written since. All writes count: by any thread, through any view of the memory, by the kernel
//! into a buffer that it was given. Where the kernel cannot tell, or no longer, there is no answer,
//! and the caller compares everything.
//!
//! The kernel has one mark for each page, and forgets it when it is read. So what one watch reads is
//! noted for all others that look at the same pages.

mod kernel;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::copied::is_copy;
use kernel::is_own;
pub use kernel::Kernel;

/// So many watches there are at most: each splits the system's records of this process's memory.
const MOST: usize = 256;

/// A process by its id, and whether it is a copy of the program, which goes by the program's.
type Process = (u32, bool);

static ALL: Mutex<Option<All>> = Mutex::new(None);
/// How many watches were made, to tell them apart.
static MADE: AtomicU64 = AtomicU64::new(0);

/// All watches of one process.
#[derive(Debug)]
struct All {
    /// A forked child has other memory, of which its parent's files know nothing.
    process: Process,
    /// None where it cannot tell.
    kernel: Option<Kernel>,
    page: usize,
    /// Those that were read last come last.
    watches: Vec<Watched>,
}

#[derive(Debug)]
struct Watched {
    number: u64,
    pages: Range<usize>,
    /// What may have been written and was not confirmed to be as it was; in order, apart.
    written: Vec<Range<usize>>,
    /// How often that grew.
    grown: u64,
}

/// Memory whose writes are noted from the time when this was made.
///
/// Made, asked and dropped only by threads that hold a lock which is free in forked children (in
/// Python the interpreter's).
#[derive(Debug)]
pub struct Tracked {
    number: u64,
    process: Process,
    memory: Range<usize>,
}

/// What may have been written.
#[derive(Debug)]
pub struct Written {
    /// Where, in order, counted from the start of the memory.
    pub places: Vec<Range<usize>>,
    grown: u64,
}

/// Whether the kernel can tell writes at all.
pub fn writes_are_told() -> bool {
    with(|all| all.kernel.is_some())
}

impl Tracked {
    /// Watches memory that stays readable while it is asked about. `None` where that is not possible:
    /// the kernel is too old or must not, or the memory is shared or a file's, so that others can
    /// write it unseen.
    ///
    /// Compare or copy the memory only afterwards: so nothing that is written meanwhile is missed.
    #[must_use]
    pub fn new(memory: &[u8]) -> Option<Tracked> {
        with(|all| all.watch(memory))
    }

    /// What may have been written since the memory was watched, or since it was last confirmed.
    /// `None` when nobody knows: other memory lies there now. Then the watch is of no use any more.
    #[must_use]
    pub fn written(&self) -> Option<Written> {
        with(|all| all.written(self))
    }

    /// What `written` told is as it was before: from now on it counts as not written.
    pub fn confirm(&self, written: &Written) {
        with(|all| {
            if let Some(at) = all.find(self) {
                let watched = &mut all.watches[at];
                if watched.grown == written.grown {
                    watched.written.clear();
                }
            }
        });
    }
}

impl Drop for Tracked {
    fn drop(&mut self) {
        with(|all| {
            if let Some(at) = all.find(self) {
                all.remove(at);
            }
        });
    }
}

fn with<T>(act: impl FnOnce(&mut All) -> T) -> T {
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    let process = (std::process::id(), is_copy());
    if all.as_ref().is_none_or(|all| all.process != process) {
        // In a forked child the numbers of its parent's files may be those of others by now.
        std::mem::forget(all.replace(All::of(process)));
    }
    act(all.as_mut().expect("it was made"))
}

impl All {
    fn of(process: Process) -> All {
        All {
            process,
            // a copy is cut off from the kernel's files, and does not live long
            kernel: (!process.1).then(Kernel::open).and_then(Result::ok),
            page: rustix::param::page_size(),
            watches: Vec::new(),
        }
    }

    fn find(&self, tracked: &Tracked) -> Option<usize> {
        if tracked.process != self.process {
            return None;
        }
        let is_it = |watched: &Watched| watched.number == tracked.number;
        self.watches.iter().position(is_it)
    }

    /// Whole pages are watched, those at the ends too: a mapping that is split could not be moved
    /// any more by those who own it.
    fn pages_of(&self, memory: &Range<usize>) -> Range<usize> {
        let start = memory.start - memory.start % self.page;
        start..memory.end.next_multiple_of(self.page)
    }

    fn watch(&mut self, memory: &[u8]) -> Option<Tracked> {
        self.kernel.as_ref()?;
        let place = memory.as_ptr() as usize;
        let memory = place..place.checked_add(memory.len())?;
        let pages = self.pages_of(&memory);
        if memory.is_empty() || !is_own(&pages) {
            return None;
        }
        if self.watches.len() >= MOST {
            self.remove(0);
        }
        for other in &mut self.watches {
            other.note(std::slice::from_ref(&pages)); // their marks are lost
        }
        self.kernel.as_ref()?.watch(&pages).ok()?;
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        self.watches.push(Watched {
            number,
            pages,
            written: Vec::new(),
            grown: 0,
        });
        Some(Tracked {
            number,
            process: self.process,
            memory,
        })
    }

    fn written(&mut self, tracked: &Tracked) -> Option<Written> {
        let at = self.find(tracked)?;
        let pages = self.watches[at].pages.clone();
        let is_told = self.read(&pages);
        let watched = self.watches.remove(at);
        let written = watched.written_in(&tracked.memory);
        if is_told {
            self.watches.push(watched);
        }
        is_told.then_some(written)
    }

    fn remove(&mut self, at: usize) {
        let pages = self.watches.remove(at).pages;
        let is_free = !self.watches.iter().any(|other| meets(&other.pages, &pages));
        if let Some(kernel) = self.kernel.as_ref().filter(|_| is_free) {
            kernel.forget(&pages);
        }
    }

    /// Reads the marks of some pages, for all who watch them. Whether the kernel has told.
    fn read(&mut self, pages: &Range<usize>) -> bool {
        let read = self
            .kernel
            .as_ref()
            .map(|kernel| kernel.take_written(pages));
        let is_told = matches!(read, Some(Ok(_)));
        let all_of_it = || vec![pages.clone()]; // some marks may be read and lost
        let written = read.and_then(Result::ok).unwrap_or_else(all_of_it);
        for watched in &mut self.watches {
            watched.note(&written);
        }
        is_told
    }
}

impl Watched {
    /// Notes those of these stretches, which are in order, that are watched.
    fn note(&mut self, stretches: &[Range<usize>]) {
        let pages = self.pages.clone();
        let met = stretches.iter().filter(|stretch| meets(stretch, &pages));
        let before = self.written.len();
        self.written
            .extend(met.map(|met| met.start.max(pages.start)..met.end.min(pages.end)));
        if self.written.len() == before {
            return;
        }
        self.grown += 1;
        self.written.sort_by_key(|stretch| stretch.start);
        self.written.dedup_by(|next, last| {
            let is_one = next.start <= last.end;
            if is_one {
                last.end = last.end.max(next.end);
            }
            is_one
        });
    }

    fn written_in(&self, memory: &Range<usize>) -> Written {
        let within = |range: &Range<usize>| {
            range.start.max(memory.start) - memory.start..range.end.min(memory.end) - memory.start
        };
        Written {
            places: self.written.iter().map(within).collect(),
            grown: self.grown,
        }
    }
}

fn meets(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

#[cfg(test)]
mod tests;
