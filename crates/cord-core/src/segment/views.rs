//! What this process sees of segments that it has received: private mappings, which their owners may
//! write while the sender's memory stays as it is.
//!
//! Mappings of large segments are kept when their owners let them go, for senders use memory again:
//! then its pages need not be found once more. A mapping that is kept is one of a file opened anew,
//! and so does not keep the sender from using the memory. What is in it may be anything, until it is
//! received again.
//!
//! What an owner has written must go before. The system's table of pages tells which pages are no
//! more the file's; but to read that, it looks at each of them. Where owners write little, the kernel
//! notes what they write instead, if it can.

use std::collections::VecDeque;
use std::io;
use std::ops::Range;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use memmap2::{MmapOptions, MmapRaw};
use rustix::fs::{Mode, OFlags};

use super::held::{again, is_at_home};
use super::Segment;
use crate::written::Kernel;

/// Smaller mappings are not worth being kept.
pub const KEPT_FROM: usize = 1 << 20;
/// So many bytes are kept at most …
const MOST_BYTES: usize = 128 << 20;
/// … in so many mappings.
const MOST_VIEWS: usize = 32;
/// Bytes of one entry of the system's table of pages.
const ENTRY: usize = 8;
/// Set in an entry where there is a page …
const PRESENT: u64 = 1 << 63;
/// … or was, …
const SWAPPED: u64 = 1 << 62;
/// … and it is the file's.
const OF_FILE: u64 = 1 << 61;
/// Where no more than one page in so many was written, writes are noted: otherwise each page would
/// have to be found by itself afterwards.
const FEW: usize = 4;

static IDLE: Mutex<Idle> = Mutex::new(Idle {
    views: VecDeque::new(),
    bytes: 0,
});

#[derive(Debug)]
struct Idle {
    views: VecDeque<Known>,
    bytes: usize,
}

/// Which memory it is: device and inode, which nothing else has as long as there is a mapping.
type Which = (u64, u64);

#[derive(Debug)]
struct Known {
    which: Which,
    map: MmapRaw,
    /// Whether what is written is noted, since it was clean.
    noted: bool,
}

/// A private mapping of a received segment.
#[derive(Debug)]
pub struct View {
    /// None only while it is dropped.
    known: Option<Known>,
    /// Keeps the sender from using the memory. None where the mapping itself does.
    guard: Option<Guard>,
}

/// What is of the file that was received: one of these is enough.
#[derive(Debug)]
#[expect(dead_code, reason = "it only has to be there")]
enum Guard {
    Mapping(MmapRaw),
    Descriptor(Segment),
}

impl View {
    /// Maps the first `len` bytes at least of a file that does not shrink. `held`: the segment whose
    /// file it is, if others hold that anyway.
    ///
    /// # Errors
    /// When it cannot be mapped.
    pub fn open(file: BorrowedFd<'_>, len: usize, held: Option<&Segment>) -> io::Result<View> {
        if len >= KEPT_FROM && is_at_home() {
            if let Ok(view) = View::kept(file, held) {
                return Ok(view);
            }
        }
        Ok(View {
            known: Some(Known {
                which: (0, 0),
                map: private(file, len)?,
                noted: false,
            }),
            guard: None,
        })
    }

    fn kept(file: BorrowedFd<'_>, held: Option<&Segment>) -> io::Result<View> {
        let stat = rustix::fs::fstat(file)?;
        let which = (stat.st_dev, stat.st_ino);
        let guard = Some(match held {
            Some(segment) => Guard::Descriptor(segment.clone()),
            None => Guard::Mapping(MmapOptions::new().len(1).map_raw_read_only(&file)?),
        });
        let found = idle().take(which);
        let known = match found {
            Some(known) => known,
            None => Known {
                which,
                map: private(
                    again(file)?.as_fd(),
                    usize::try_from(stat.st_size).unwrap_or(0),
                )?,
                noted: false,
            },
        };
        Ok(View {
            known: Some(known),
            guard,
        })
    }

    /// The mapping.
    ///
    /// # Panics
    /// Never: it is there until it is dropped.
    pub fn map(&self) -> &MmapRaw {
        &self.known.as_ref().expect("it is not dropped").map
    }
}

impl Drop for View {
    fn drop(&mut self) {
        let Some(mut known) = self.known.take() else {
            return;
        };
        if self.guard.is_none() || !is_at_home() || known.clean().is_err() {
            return;
        }
        let evicted = idle().put(known);
        drop(evicted);
    }
}

fn private(file: BorrowedFd<'_>, len: usize) -> io::Result<MmapRaw> {
    // SAFETY: the file is sealed against shrinking, and a private mapping shows no later writes of
    // this process to others.
    let map = unsafe { MmapOptions::new().len(len).map_copy(&file)? };
    Ok(MmapRaw::from(map))
}

/// Never to be called in a forked child: another thread may have held the lock.
fn idle() -> MutexGuard<'static, Idle> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Known {
    /// Gives back the pages that its owner has written: the file's are seen again in their place.
    fn clean(&mut self) -> io::Result<()> {
        let page = rustix::param::page_size();
        let start = self.map.as_ptr() as usize;
        let all = start..start + self.map.len().next_multiple_of(page);
        let kernel = kernel().filter(|_| self.noted);
        let written = match kernel.map(|kernel| kernel.written(&all)) {
            Some(Ok(written)) => written,
            _ => {
                self.noted = false;
                own_pages(&all, page)?
            }
        };
        for pages in &written {
            self.forget(pages.start - start, pages.len())?;
        }
        self.noted = note(&all, &written, self.noted);
        Ok(())
    }

    fn forget(&self, from: usize, len: usize) -> io::Result<()> {
        let advice = memmap2::UncheckedAdvice::DontNeed;
        // SAFETY: nobody has the mapping but this function.
        unsafe { self.map.unchecked_advise_range(advice, from, len) }
    }
}

/// What tells of writes, in this process: never to be asked in a forked child.
fn kernel() -> Option<&'static Kernel> {
    static KERNEL: OnceLock<Option<Kernel>> = OnceLock::new();
    KERNEL.get_or_init(|| Kernel::open().ok()).as_ref()
}

/// Has writes noted from now on, where few of the pages were `written`. `noted`: they were already.
fn note(all: &Range<usize>, written: &[Range<usize>], noted: bool) -> bool {
    let count: usize = written.iter().map(ExactSizeIterator::len).sum();
    let is_few = count <= all.len() / FEW;
    let Some(kernel) = kernel() else {
        return false;
    };
    if !is_few && noted {
        kernel.forget(all);
    }
    is_few
        && if noted {
            let mut pages = written.iter();
            pages.all(|pages| kernel.begin_anew(pages).is_ok())
        } else {
            kernel.watch(all).is_ok()
        }
}

/// The pages of a private mapping that are not the file's.
fn own_pages(all: &Range<usize>, page: usize) -> io::Result<Vec<Range<usize>>> {
    let table = rustix::fs::open(
        "/proc/self/pagemap",
        OFlags::RDONLY | OFlags::CLOEXEC,
        Mode::empty(),
    )?;
    let mut entries = vec![0_u8; all.len() / page * ENTRY];
    let mut read = 0;
    while read < entries.len() {
        let at = (all.start / page * ENTRY + read) as u64;
        match rustix::io::pread(&table, &mut entries[read..], at)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => read += count,
        }
    }
    let is_own = |entry: &[u8]| {
        let entry = u64::from_ne_bytes(entry.try_into().unwrap_or_default());
        entry & (PRESENT | SWAPPED) != 0 && entry & OF_FILE == 0
    };
    let mut own: Vec<Range<usize>> = Vec::new();
    for (entry, at) in entries.chunks_exact(ENTRY).zip(all.clone().step_by(page)) {
        match own.last_mut() {
            _ if !is_own(entry) => {}
            Some(last) if last.end == at => last.end = at + page,
            _ => own.push(at..at + page),
        }
    }
    Ok(own)
}

impl Idle {
    fn take(&mut self, which: Which) -> Option<Known> {
        let at = self.views.iter().rposition(|known| known.which == which)?;
        let known = self.views.remove(at)?;
        self.bytes -= known.map.len();
        Some(known)
    }

    fn put(&mut self, known: Known) -> Vec<Known> {
        self.bytes += known.map.len();
        self.views.push_back(known);
        let mut evicted = Vec::new();
        while self.bytes > MOST_BYTES || self.views.len() > MOST_VIEWS {
            let Some(oldest) = self.views.pop_front() else {
                break;
            };
            self.bytes -= oldest.map.len();
            evicted.push(oldest);
        }
        evicted
    }
}
