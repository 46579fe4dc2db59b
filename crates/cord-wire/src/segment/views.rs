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
//! notes what they write instead, if it can. Where they write much, it is not given back, as new pages
//! for the next one would cost far more than a copy: those that are there get what the file holds.

use std::collections::VecDeque;
use std::io;
use std::ops::Range;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use memmap2::{MmapOptions, MmapRaw};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use super::held::{has_plenty, is_at_home, opened_again, CountedFd};
use super::origins::{self, Origin};
use cord_os::descriptor::Descriptor;
use cord_os::written::Kernel;

/// Smaller mappings are not worth being kept: finding the pages anew costs what keeping does.
const KEPT_FROM: usize = 64 * 1024;
/// Less is copied to be sent on: there are few descriptors.
pub const SENT_ON_FROM: usize = 1 << 20;
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
/// Pages that owners wrote are given back once in so many times all the same: perhaps the next one
/// writes less.
const TURNS: u32 = 16;

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
    /// Bytes of it in pages that are not the file's: they hold what the last owner left there.
    own: Vec<Range<usize>>,
    /// How often in a row it was kept so.
    turns: u32,
    /// Whether the same memory has come before, as it may again.
    comes_again: bool,
    /// While it is kept: what guarded it, if it may stay.
    rest: Option<Rest>,
}

/// The page of a guard that nobody needs now. It may stay as long as this process has the file anyway
/// (an argument that is kept for the next calls): then it hinders the sender no more than that does, and
/// need not be mapped anew for each call.
#[derive(Debug)]
struct Rest {
    page: MmapRaw,
    file: Weak<CountedFd>,
}

/// A private mapping of a received segment.
#[derive(Debug)]
pub struct View {
    /// None only while it is dropped.
    known: Option<Known>,
    /// None where the mapping itself is one.
    guard: Option<Guard>,
}

/// What keeps the sender from using the memory.
#[derive(Debug)]
struct Guard {
    /// A mapping of the file that was received. A child that this process forks has it too, and has
    /// it whatever descriptors it closes: as long as it has the view, for both are memory.
    page: MmapRaw,
    /// The file itself, by which the memory can be sent on; none where descriptors are few.
    file: Option<Arc<CountedFd>>,
    /// The file, as long as others have it.
    received: Weak<CountedFd>,
}

impl Guard {
    fn new(page: MmapRaw, received: Weak<CountedFd>, sends_on: bool) -> Guard {
        Guard {
            page,
            file: received.upgrade().filter(|_| sends_on),
            received,
        }
    }

    /// What of it may stay; the file is let go.
    fn at_rest(self) -> Option<Rest> {
        drop(self.file);
        let rest = Rest {
            page: self.page,
            file: self.received,
        };
        rest.may_stay().then_some(rest)
    }
}

impl Rest {
    fn may_stay(&self) -> bool {
        self.file.strong_count() > 0
    }
}

impl View {
    /// Maps the first `len` bytes at least of a file that does not shrink.
    ///
    /// # Errors
    /// When it cannot be mapped.
    pub fn open(file: &Descriptor, len: usize) -> io::Result<View> {
        if len >= KEPT_FROM && is_at_home() {
            if let Ok(view) = View::kept(file, len, Weak::new(), false) {
                return Ok(view);
            }
        }
        View::once(file, len)
    }

    /// Maps these bytes at least of a file that was received. While they are not written, they can be
    /// sent on as they came.
    ///
    /// # Errors
    /// When it cannot be mapped.
    pub fn of_received(file: &Arc<CountedFd>, within: Range<usize>) -> io::Result<View> {
        if within.len() < KEPT_FROM || !is_at_home() {
            return View::once(file, within.end);
        }
        let sends_on = within.len() >= SENT_ON_FROM && has_plenty();
        let kept = View::kept(file, within.end, Arc::downgrade(file), sends_on);
        let Ok(view) = kept else {
            return View::once(file, within.end);
        };
        if !sends_on {
            return Ok(view);
        }
        let map = view.map();
        let origin = Origin {
            file: Arc::downgrade(file),
            within,
            size: map.len(),
            noted: view.known.as_ref().is_some_and(|known| known.noted),
        };
        origins::note(map.as_ptr() as usize, origin);
        Ok(view)
    }

    fn once(file: &Descriptor, len: usize) -> io::Result<View> {
        Ok(View {
            known: Some(Known::new((0, 0), private(file.get()?, len)?)),
            guard: None,
        })
    }

    fn kept(
        file: &Descriptor,
        end: usize,
        received: Weak<CountedFd>,
        sends_on: bool,
    ) -> io::Result<View> {
        let resting = idle().take_resting(&received);
        if let Some((mut known, page)) = resting {
            known.take_in(file, end)?;
            return Ok(View {
                known: Some(known),
                guard: Some(Guard::new(page, received, sends_on)),
            });
        }
        let (opened, stat) = file.stat()?;
        let which = (stat.st_dev, stat.st_ino);
        let page = MmapOptions::new().len(1).map_raw_read_only(&opened)?;
        let guard = Guard::new(page, received, sends_on);
        let found = idle().take(which);
        let known = match found {
            Some(mut known) => {
                known.rest = None; // of the file as it was received before
                known.take_in(file, end)?;
                known
            }
            None => {
                let size = usize::try_from(stat.st_size).unwrap_or(0);
                Known::new(which, private(opened_again(opened)?.as_fd(), size)?)
            }
        };
        Ok(View {
            known: Some(known),
            guard: Some(guard),
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
        let guard = self.guard.take();
        if !is_at_home() {
            return;
        }
        if guard.as_ref().is_some_and(|guard| guard.file.is_some()) {
            origins::forget(known.map.as_ptr() as usize);
        }
        let Some(guard) = guard else {
            return;
        };
        if known.clean().is_err() {
            return;
        }
        known.rest = guard.at_rest();
        let evicted = idle().put(known);
        drop(evicted);
        let_go(); // perhaps nobody has the file any more
    }
}

/// A file was closed: what rests on it goes with it, for its maker may use the memory again.
pub fn let_go() {
    if is_at_home() {
        let gone = idle().take_rests();
        drop(gone); // not while the lock is held
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
    fn new(which: Which, map: MmapRaw) -> Known {
        Known {
            which,
            map,
            noted: false,
            own: Vec::new(),
            turns: 0,
            comes_again: false,
            rest: None,
        }
    }

    /// Has it show what the file holds up to `end`.
    fn take_in(&mut self, file: &Descriptor, end: usize) -> io::Result<()> {
        self.comes_again = true;
        if self.own.is_empty() {
            return Ok(());
        }
        let file = file.get()?;
        for own in &self.own {
            let mut at = own.start;
            while at < own.end.min(end) {
                // SAFETY: it is within the mapping, which nobody has but this function.
                let place = unsafe {
                    let start = self.map.as_mut_ptr().add(at);
                    std::slice::from_raw_parts_mut(start, own.end.min(end) - at)
                };
                match rustix::io::pread(file, place, at as u64) {
                    Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                    Ok(count) => at += count,
                    Err(Errno::INTR) => {}
                    Err(error) => return Err(error.into()),
                }
            }
        }
        Ok(())
    }

    /// Gives back the pages that its owner has written, so that the file's are seen again in their
    /// place; or notes which they are.
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
        let count: usize = written.iter().map(ExactSizeIterator::len).sum();
        let is_few = count <= all.len() / FEW;
        if !is_few && self.comes_again && self.turns + 1 < TURNS {
            let in_it = |pages: &Range<usize>| pages.start - start..pages.end - start;
            self.own = written.iter().map(in_it).collect();
            self.turns += 1;
            self.noted = note(&all, &written, false, self.noted);
            return Ok(());
        }
        (self.own, self.turns) = (Vec::new(), 0);
        for pages in &written {
            self.forget(pages.start - start, pages.len())?;
        }
        self.noted = note(&all, &written, is_few, self.noted);
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
fn note(all: &Range<usize>, written: &[Range<usize>], is_few: bool, noted: bool) -> bool {
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

/// Whether all of this memory, of a private mapping, is the file's still. `noted`: what is written to
/// it is noted.
pub fn are_the_files(memory: Range<usize>, noted: bool) -> bool {
    let page = rustix::param::page_size();
    let start = memory.start / page * page;
    let are = |pages: Range<usize>| {
        let written = match kernel().filter(|_| noted) {
            Some(kernel) => kernel.written(&pages),
            None => own_pages(&pages, page),
        };
        written.is_ok_and(|written| written.is_empty())
    };
    // who writes much mostly begins there
    are(start..start + page) && are(start..memory.end.next_multiple_of(page))
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

    /// One of this very file, and the page that has guarded it.
    fn take_resting(&mut self, file: &Weak<CountedFd>) -> Option<(Known, MmapRaw)> {
        let is_of_it = |rest: &Rest| rest.file.ptr_eq(file);
        let mut views = self.views.iter();
        let at = views.rposition(|known| known.rest.as_ref().is_some_and(is_of_it))?;
        let mut known = self.views.remove(at)?;
        self.bytes -= known.map.len();
        let rest = known.rest.take()?;
        Some((known, rest.page))
    }

    /// What may stay no longer.
    fn take_rests(&mut self) -> Vec<Rest> {
        let is_over = |rest: &mut Rest| !rest.may_stay();
        let views = self.views.iter_mut();
        views
            .filter_map(|known| known.rest.take_if(is_over))
            .collect()
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
