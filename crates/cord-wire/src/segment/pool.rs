//! The memory that this process makes segments of. It is used again: memory that is new costs
//! several times what copying to it costs, for the system to find its pages and clear them.
//!
//! Who may still see a segment, the system knows. Its maker locks the open file (`flock`, shared)
//! whose descriptor travels; descriptors and mappings that others get of it are that same open file,
//! through any number of processes and forks. When the last of them is gone, so is the lock. So
//! memory may be written once more when it can be locked exclusively, through a file opened anew.

use std::collections::VecDeque;
use std::io;
use std::os::fd::BorrowedFd;
use std::sync::{Mutex, MutexGuard, PoisonError};

use memmap2::{Advice, MmapOptions, MmapRaw};
use rustix::fs::{FallocateFlags, FlockOperation, MemfdFlags, SealFlags};
use rustix::io::Errno;

use super::held::{is_at_home, opened_again, CountedFd};
use cord_os::descriptor::Descriptor;
use cord_os::memory::write_to;

/// What is not in use, or not known to be, is kept up to so many bytes …
const MOST_BYTES: usize = 256 << 20;
/// … in so many pieces: each has a descriptor.
const MOST_PIECES: usize = 64;
/// So many bytes stay in the cache of the core that copies them.
const STEP: usize = 128 << 10;
/// The smallest unit that the system gives.
const PAGE: usize = 4096;

static IDLE: Mutex<Idle> = Mutex::new(Idle {
    pieces: VecDeque::new(),
    bytes: 0,
});

/// Pieces that their owner has let go; others may see them still. The last is the latest.
#[derive(Debug)]
struct Idle {
    pieces: VecDeque<Piece>,
    bytes: usize,
}

/// Shared memory, which only this process can write, only through this mapping.
#[derive(Debug)]
pub struct Piece {
    /// Locked while the piece is somebody's here, and not while it is idle.
    file: CountedFd,
    map: MmapRaw,
    /// Whether the mapping has its pages already.
    filled: bool,
}

impl Piece {
    /// A piece that begins with a copy of `bytes`.
    ///
    /// # Errors
    /// `EMFILE` when segments already hold their share of this process's descriptors, or what the
    /// system says when it has no memory or descriptors left.
    pub fn copy_from(bytes: &[u8]) -> io::Result<Piece> {
        let capacity = capacity_for(bytes.len());
        match Piece::used_again(capacity) {
            Some(piece) => {
                piece.put(bytes, 0);
                Ok(piece)
            }
            None => Piece::new(capacity, bytes.len(), |file| write_to(file, bytes)),
        }
    }

    /// The same, and shows all that has been copied, in order, while it is in the cache. Nobody can
    /// change what is shown, whatever becomes of `bytes` meanwhile.
    ///
    /// # Errors
    /// As [`Piece::copy_from`]. Some may have been shown by then.
    pub fn copy_from_and_show(bytes: &[u8], mut show: impl FnMut(&[u8])) -> io::Result<Piece> {
        let capacity = capacity_for(bytes.len());
        if let Some(piece) = Piece::used_again(capacity) {
            for (number, step) in bytes.chunks(STEP).enumerate() {
                piece.put(step, number * STEP);
                show(&piece.as_slice(number * STEP + step.len())[number * STEP..]);
            }
            return Ok(piece);
        }
        let mut copied = Vec::with_capacity(STEP.min(bytes.len()));
        Piece::new(capacity, bytes.len(), |file| {
            bytes.chunks(STEP).try_for_each(|step| {
                copied.clear();
                copied.extend_from_slice(step);
                show(&copied);
                write_to(file, &copied)
            })
        })
    }

    fn used_again(capacity: usize) -> Option<Piece> {
        let mut piece = is_at_home().then(|| idle().take(capacity)).flatten()?;
        piece.fill();
        Some(piece)
    }

    /// Writes bytes to a place in it.
    fn put(&self, bytes: &[u8], at: usize) {
        assert!(at + bytes.len() <= self.map.len());
        // SAFETY: the mapping is that long, and nobody else sees or writes it before it is sent.
        unsafe {
            let to = self.map.as_mut_ptr().add(at);
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len());
        }
    }

    /// Writing the file at first, not its mapping, spares the system the clearing of pages; and it
    /// can say that there is no memory.
    fn new(
        capacity: usize,
        len: usize,
        write: impl FnOnce(BorrowedFd<'_>) -> io::Result<()>,
    ) -> io::Result<Piece> {
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let written = CountedFd::new(|| Ok(rustix::fs::memfd_create(c"cord", flags)?))?;
        let memory = written.get()?;
        write(memory)?;
        if len < capacity {
            extend(memory, len, capacity)?;
        }
        let map = MmapOptions::new().len(capacity).map_raw(&memory)?;
        let seals = SealFlags::SHRINK | SealFlags::GROW | SealFlags::FUTURE_WRITE | SealFlags::SEAL;
        rustix::fs::fcntl_add_seals(memory, seals)?;
        let file = CountedFd::received(opened_again(memory)?.into()); // the mapping of the first would keep it locked
        rustix::fs::flock(file.get()?, FlockOperation::NonBlockingLockShared)?;
        Ok(Piece {
            file,
            map,
            filled: false,
        })
    }

    /// Finds all its pages at once, not one by one as they are written.
    fn fill(&mut self) {
        if !self.filled {
            let _ = self.map.advise(Advice::PopulateRead); // an old system cannot
            self.filled = true;
        }
    }

    /// The first so many bytes.
    ///
    /// # Panics
    /// If it has fewer.
    pub fn as_slice(&self, len: usize) -> &[u8] {
        assert!(len <= self.map.len());
        // SAFETY: the mapping lives as long as `self`, and is not written while it is somebody's.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr(), len) }
    }

    /// The descriptor to send.
    pub fn descriptor(&self) -> &Descriptor {
        &self.file
    }

    /// Its owner lets it go: it is kept for the next one.
    pub fn retire(mut self) {
        if !is_at_home() || self.map.len() > MOST_BYTES {
            return;
        }
        // What others have of the locked file stays locked.
        if self.file.renew(opened_again).is_err() {
            return;
        }
        let evicted = idle().put(self);
        drop(evicted);
    }

    /// Locks it, if nobody sees it any more.
    fn claim(&self) -> bool {
        let Ok(file) = self.file.get() else {
            return false;
        };
        let locks = |how| rustix::fs::flock(file, how).is_ok();
        locks(FlockOperation::NonBlockingLockExclusive)
            && locks(FlockOperation::NonBlockingLockShared)
    }
}

/// Never to be called in a forked child: another thread may have held the lock.
fn idle() -> MutexGuard<'static, Idle> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Idle {
    fn take(&mut self, capacity: usize) -> Option<Piece> {
        let fits = |piece: &Piece| piece.map.len() == capacity && piece.claim();
        let at = self.pieces.iter().rposition(fits)?;
        self.bytes -= capacity;
        self.pieces.remove(at)
    }

    fn put(&mut self, piece: Piece) -> Vec<Piece> {
        self.bytes += piece.map.len();
        self.pieces.push_back(piece);
        let mut evicted = Vec::new();
        while self.bytes > MOST_BYTES || self.pieces.len() > MOST_PIECES {
            let Some(oldest) = self.pieces.pop_front() else {
                break;
            };
            self.bytes -= oldest.map.len();
            evicted.push(oldest);
        }
        evicted
    }
}

/// Sizes come in steps, so that pieces fit what is a little larger or smaller than the last time.
fn capacity_for(len: usize) -> usize {
    let step = (len.next_power_of_two() / 8).max(PAGE);
    len.max(1).next_multiple_of(step)
}

fn extend(file: BorrowedFd<'_>, from: usize, to: usize) -> io::Result<()> {
    let (from, length) = (from as u64, (to - from) as u64);
    loop {
        match rustix::fs::fallocate(file, FallocateFlags::empty(), from, length) {
            Err(Errno::INTR) => {}
            other => return Ok(other?),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd;

    use rustix::fs::{Mode, OFlags};

    use super::*;

    #[test]
    fn sizes_come_in_steps_that_waste_little() {
        assert_eq!(capacity_for(0), PAGE);
        assert_eq!(capacity_for(64 << 20), 64 << 20);
        for len in [1, 4096, 4097, 70_000, 1 << 20, (1 << 20) + 1, 100_000_000] {
            let capacity = capacity_for(len);
            assert!(capacity >= len && capacity <= len + len / 4 + PAGE);
        }
    }

    #[test]
    fn a_piece_is_used_again_once_nobody_sees_it() {
        let bytes = vec![5_u8; 3 << 20];
        let piece = Piece::copy_from(&bytes).unwrap();
        let place = piece.map.as_ptr();
        // somebody else has it, as a descriptor and then as a mapping
        let sent = piece
            .descriptor()
            .get()
            .unwrap()
            .try_clone_to_owned()
            .unwrap();
        piece.retire();
        let other = Piece::copy_from(&bytes).unwrap();
        assert_ne!(other.map.as_ptr(), place);
        // SAFETY: the file does not shrink.
        let seen = unsafe { MmapOptions::new().map_copy(&sent).unwrap() };
        drop(sent);
        let another = Piece::copy_from(&bytes).unwrap();
        assert_ne!(another.map.as_ptr(), place);
        drop(seen);
        let again = Piece::copy_from(&vec![6_u8; (3 << 20) - 9]).unwrap();
        assert_eq!(again.map.as_ptr(), place);
        assert_eq!(again.as_slice(2), [6, 6]);
    }

    #[test]
    fn what_is_kept_stays_within_bounds() {
        let mut idle = Idle {
            pieces: VecDeque::new(),
            bytes: 0,
        };
        for _ in 0..MOST_PIECES + 3 {
            let piece = Piece::new(PAGE, 3, |file| write_to(file, &[1, 2, 3])).unwrap();
            idle.put(piece);
        }
        assert_eq!(idle.pieces.len(), MOST_PIECES);
        assert_eq!(idle.bytes, MOST_PIECES * PAGE);
    }

    #[test]
    fn what_is_copied_is_shown_in_order() {
        for len in [1, STEP, 5 * STEP + 17] {
            let bytes: Vec<u8> = (0..len).map(|at| (at % 251) as u8).collect();
            for _ in 0..3 {
                let mut shown = Vec::new();
                let piece = Piece::copy_from_and_show(&bytes, |step| shown.extend_from_slice(step));
                let piece = piece.unwrap();
                assert!(shown == bytes && piece.as_slice(len) == bytes);
                piece.retire();
            }
        }
    }

    #[test]
    fn nobody_else_can_write_it() {
        let piece = Piece::copy_from(&[1, 2, 3]).unwrap();
        let sent = piece
            .descriptor()
            .get()
            .unwrap()
            .try_clone_to_owned()
            .unwrap();
        let path = format!("/proc/self/fd/{}", sent.as_raw_fd());
        let opened = rustix::fs::open(path, OFlags::RDWR, Mode::empty()).unwrap();
        assert_eq!(rustix::io::pwrite(&opened, b"no", 0), Err(Errno::PERM));
        assert!(MmapOptions::new().map_raw(&opened).is_err());
        assert!(rustix::fs::ftruncate(&opened, 1).is_err());
    }
}
