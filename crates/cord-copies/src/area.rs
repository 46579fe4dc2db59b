//! The memory that a program and its copy share: what the copy and its leaders issue, each in a log of
//! its own, and the replies that they may look at. Logs only grow; each copy has an area of its own.

use std::io;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

/// Room for each of the logs; pages take memory only once they are written.
const LOG: usize = 32 << 20;
/// So many leaders a copy has at once.
pub const LEADERS: usize = 4;
const HEADER: usize = 4096;
/// Records start at multiples of this.
const ALIGNED: usize = 8;

/// How far a copy is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Its effects are not cut off yet.
    Made,
    /// It runs ahead.
    Runs,
    /// It has ended by itself, as `why` says.
    Ended,
}

/// Counters and bells. All memory starts as zeros.
#[repr(C)]
#[derive(Debug)]
pub struct Header {
    stage: AtomicU32,
    why: AtomicU32,
    detail: AtomicU32,
    /// Changes when the copy has something to say.
    pub bell: AtomicU32,
    /// Changes when there is something new for the copy.
    pub news: AtomicU32,
    /// Grows while the program's process is there to look after the copy.
    pub pulse: AtomicU32,
    /// Not 0: it may guess what outside of the program decides.
    pub guesses: AtomicU32,
    /// Not 0: it may have leaders.
    pub leads: AtomicU32,
    /// The last of the copy's calls that the program has taken.
    pub hit: AtomicU32,
    /// Calls that the program has made since the copy was.
    pub taken: AtomicU32,
    /// By so many calls the copy may be ahead, and by so many its leaders.
    pub window: AtomicU32,
    pub farthest: AtomicU32,
    /// So many wait for the program.
    pub sleeps: AtomicU32,
    /// The last number that a call of the copy's or of a leader's has.
    pub count: AtomicU32,
    /// So many calls of the copy's no leader had come to before.
    pub unforeseen: AtomicU32,
    /// So many calls leaders have issued that nobody else had come to and the program has not taken …
    pub open: AtomicI32,
    /// … and so many may be.
    pub believed: AtomicU32,
    /// How much of the copy's own log was heard.
    pub heard: AtomicU64,
    pub leaders: [Leader; LEADERS],
    issued: [AtomicU64; 1 + LEADERS],
    replied: AtomicU64,
}

/// A place for a leader: a copy of the copy that goes on where the copy waits.
#[repr(C)]
#[derive(Debug)]
pub struct Leader {
    /// Its process; 0 if there is none.
    pub pid: AtomicI32,
    /// Not 0: it is about to be gone, for a reason and with a detail by number.
    pub ends: AtomicU32,
    pub why: AtomicU32,
    pub detail: AtomicU32,
    /// Not 0: it is to end.
    pub stop: AtomicU32,
    /// So many calls it has issued that nobody had come to before.
    pub found: AtomicU32,
    /// Not 0: it goes no further, and waits for what its calls need.
    pub lingers: AtomicU32,
}

impl Leader {
    /// Whether there is one.
    pub fn is_there(&self) -> bool {
        self.pid.load(Ordering::SeqCst) != 0
    }
}

/// The shared memory itself.
#[derive(Debug)]
pub struct Area {
    start: NonNull<u8>,
    /// The process that made it: its forked children do not have the memory.
    maker: u32,
}

// SAFETY: the header is atomics only, and each log has one writer at a time, whose tail says what is written.
unsafe impl Send for Area {}
// SAFETY: as above.
unsafe impl Sync for Area {}

const SIZE: usize = HEADER + (2 + LEADERS) * LOG;

impl Area {
    /// Fresh memory for one copy.
    ///
    /// # Errors
    /// When there is no address space left.
    pub fn new() -> io::Result<Area> {
        // SAFETY: a new mapping, which nobody else knows of.
        let start = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                SIZE,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let start = NonNull::new(start.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        let maker = std::process::id();
        Ok(Area { start, maker })
    }

    /// Where it lies.
    pub fn place(&self) -> (usize, usize) {
        let start = self.start.as_ptr() as usize;
        (start, start + SIZE)
    }

    /// Children of the program that are made from now on do not have it.
    pub fn keep_from_children(&self) {
        // SAFETY: the whole mapping, which is there until `self` is dropped.
        unsafe { libc::madvise(self.start.as_ptr().cast(), SIZE, libc::MADV_DONTFORK) };
    }

    pub fn header(&self) -> &Header {
        // SAFETY: aligned to a page, zeroed when made, and atomics only.
        unsafe { self.start.cast::<Header>().as_ref() }
    }

    pub fn stage(&self) -> Stage {
        match self.header().stage.load(Ordering::Acquire) {
            0 => Stage::Made,
            1 => Stage::Runs,
            _ => Stage::Ended,
        }
    }

    /// Of the copy: its effects are cut off.
    pub fn say_it_runs(&self) {
        self.header().stage.store(1, Ordering::Release);
        ring(&self.header().bell);
    }

    /// Of the copy: it ends, for a reason and with a detail by number.
    pub fn say_it_ends(&self, why: u32, detail: u32) {
        let header = self.header();
        header.why.store(why, Ordering::Relaxed);
        header.detail.store(detail, Ordering::Relaxed);
        header.stage.store(2, Ordering::Release);
        ring(&header.bell);
    }

    /// What it said.
    pub fn last_words(&self) -> (u32, u32) {
        let header = self.header();
        let why = header.why.load(Ordering::Relaxed);
        (why, header.detail.load(Ordering::Relaxed))
    }

    /// Of a leader: it ends, for a reason and with a detail by number.
    pub fn say_leader_ends(&self, leader: usize, why: u32, detail: u32) {
        let header = self.header();
        if let Some(leader) = header.leaders.get(leader) {
            leader.why.store(why, Ordering::Relaxed);
            leader.detail.store(detail, Ordering::Relaxed);
            leader.ends.store(1, Ordering::SeqCst);
        }
        ring(&header.bell);
    }

    /// The calls that one issues: the copy is number 0, and leaders have those that follow.
    pub fn issues(&self, member: usize) -> Log<'_> {
        self.log(1 + member, &self.header().issued[member])
    }

    /// The replies that they may look at.
    pub fn replies(&self) -> Log<'_> {
        self.log(0, &self.header().replied)
    }

    fn log<'a>(&'a self, number: usize, tail: &'a AtomicU64) -> Log<'a> {
        // SAFETY: within the mapping.
        let start = unsafe { self.start.add(HEADER + number * LOG) };
        Log { start, tail }
    }
}

impl Drop for Area {
    fn drop(&mut self) {
        if self.maker != std::process::id() {
            return;
        }
        // SAFETY: nobody has a reference into it any more.
        unsafe { libc::munmap(self.start.as_ptr().cast(), SIZE) };
    }
}

/// One log: records one after the other, written by one process and read by the other.
#[derive(Debug)]
pub struct Log<'a> {
    start: NonNull<u8>,
    tail: &'a AtomicU64,
}

impl<'a> Log<'a> {
    /// Writes a record of several pieces; false if there is no room for it.
    pub fn append(&self, pieces: &[&[u8]]) -> bool {
        let at = usize::try_from(self.tail.load(Ordering::Relaxed)).unwrap_or(LOG);
        let length: usize = pieces.iter().map(|piece| piece.len()).sum();
        let Some(end) = end_of(at, length) else {
            return false;
        };
        let mut to = at + ALIGNED;
        // SAFETY: `end_of` says that all of it is within the log; the reader does not look behind
        // the tail.
        unsafe {
            self.start.add(at).cast::<u64>().write(length as u64);
            for piece in pieces {
                let place = self.start.add(to).as_ptr();
                std::ptr::copy_nonoverlapping(piece.as_ptr(), place, piece.len());
                to += piece.len();
            }
        }
        self.tail.store(end as u64, Ordering::Release);
        true
    }

    /// How much was written.
    pub fn length(&self) -> u64 {
        self.tail.load(Ordering::Relaxed)
    }

    /// The record at `at`, which then is where the next one starts.
    pub fn next(&self, at: &mut usize) -> Option<&'a [u8]> {
        let tail = usize::try_from(self.tail.load(Ordering::Acquire)).unwrap_or(LOG);
        if *at + ALIGNED > tail || tail > LOG {
            return None;
        }
        // SAFETY: records start at multiples of eight, and this one's length lies before the tail.
        let length = unsafe { self.start.add(*at).cast::<u64>().read() };
        let length = usize::try_from(length).ok()?;
        let end = end_of(*at, length).filter(|end| *end <= tail)?;
        // SAFETY: it was written whole before the tail was moved behind it, and never changes.
        let record =
            unsafe { std::slice::from_raw_parts(self.start.add(*at + ALIGNED).as_ptr(), length) };
        *at = end;
        Some(record)
    }
}

/// Where a record of so many bytes that starts at `at` ends, if there is room.
fn end_of(at: usize, length: usize) -> Option<usize> {
    let end = at.checked_add(ALIGNED)?.checked_add(length)?;
    let end = end.checked_next_multiple_of(ALIGNED)?;
    (end <= LOG).then_some(end)
}

/// Changes a bell and wakes who waits for that, in whatever process.
pub fn ring(bell: &AtomicU32) {
    bell.fetch_add(1, Ordering::SeqCst);
    // SAFETY: the word is there for as long as the reference.
    unsafe {
        libc::syscall(libc::SYS_futex, bell.as_ptr(), libc::FUTEX_WAKE, i32::MAX);
    }
}

/// Waits until a bell is no more as it was seen, for so long at most.
pub fn wait(bell: &AtomicU32, seen: u32, longest: Duration) {
    let longest = libc::timespec {
        tv_sec: libc::time_t::try_from(longest.as_secs()).unwrap_or(libc::time_t::MAX),
        tv_nsec: libc::c_long::from(longest.subsec_nanos()),
    };
    // SAFETY: the kernel reads the word and the time, and wakes for whatever reason.
    unsafe {
        libc::syscall(
            libc::SYS_futex,
            bell.as_ptr(),
            libc::FUTEX_WAIT,
            seen,
            &raw const longest,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_out_as_they_went_in() {
        let area = Area::new().unwrap();
        let mut at = 0;
        assert!(area.issues(0).next(&mut at).is_none());
        assert!(area.issues(0).append(&[b"one", b"", b"two"]));
        assert!(area.issues(0).append(&[]));
        assert_eq!(area.issues(0).next(&mut at), Some(&b"onetwo"[..]));
        assert_eq!(area.issues(0).next(&mut at), Some(&b""[..]));
        assert!(area.issues(0).next(&mut at).is_none());
        assert!(area.issues(1).next(&mut 0).is_none(), "that is another's");
        assert!(area.replies().next(&mut 0).is_none(), "so is that");
    }

    #[test]
    fn a_full_log_takes_no_more() {
        let area = Area::new().unwrap();
        let large = vec![7; LOG / 2];
        assert!(area.replies().append(&[&large]));
        assert!(!area.replies().append(&[&large]));
        assert!(area.replies().append(&[b"small"]));
        let mut at = 0;
        assert_eq!(area.replies().next(&mut at).map(<[u8]>::len), Some(LOG / 2));
        assert_eq!(area.replies().next(&mut at), Some(&b"small"[..]));
    }

    #[test]
    fn who_waits_is_woken() {
        let area = Area::new().unwrap();
        let bell = &area.header().bell;
        let seen = bell.load(Ordering::SeqCst);
        std::thread::scope(|scope| {
            scope.spawn(|| ring(bell));
            while bell.load(Ordering::SeqCst) == seen {
                wait(bell, seen, Duration::from_secs(1));
            }
        });
    }
}
