//! Frames through shared memory: two rings of bytes, one for each direction of a link.
//!
//! Whoever writes into a ring rings the other side's *bell*, one byte over the link's socket, but
//! only if that side says that it sleeps. So two sides that are both awake make no system calls.
//! Each ring has one writer and one reader; the positions only grow, and the place is the position
//! modulo the size.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use memmap2::{MmapOptions, MmapRaw};
use rustix::fs::{MemfdFlags, SealFlags};

use crate::wire::Malformed;
use cord_sync::bell;
use cord_sync::sync::atomic::AtomicU32;

/// Bytes that fit one ring.
const SIZE: usize = 256 * 1024;
/// What the two sides of a ring write stands in different lines of the processor's cache.
const LINE: usize = 128;
/// Bytes in front of a ring's own.
const FRONT: usize = 4 * LINE;
const WHOLE: usize = FRONT + SIZE;

/// How much has been written; changed by the writer.
const WRITTEN: usize = 0;
/// How much has been read; changed by the reader.
const READ: usize = LINE;
/// Not 0: the reader sleeps.
const SLEEPS: usize = 2 * LINE;
/// Not 0: the writer waits for room.
const CROWDED: usize = 3 * LINE;

/// One side's view of one ring.
#[derive(Debug, Clone)]
struct Ring {
    memory: Arc<MmapRaw>,
    at: usize,
}

impl Ring {
    fn place(&self, offset: usize) -> *mut u8 {
        debug_assert!(offset < WHOLE);
        // SAFETY: both rings lie in the mapping.
        unsafe { self.memory.as_mut_ptr().add(self.at + offset) }
    }

    fn position(&self, offset: usize) -> &AtomicU64 {
        // SAFETY: aligned, in the mapping, and never used but as an atomic.
        unsafe { &*self.place(offset).cast::<AtomicU64>() }
    }

    fn flag(&self, offset: usize) -> &AtomicU32 {
        // SAFETY: as above.
        unsafe { &*self.place(offset).cast::<AtomicU32>() }
    }
}

/// The end that writes.
#[derive(Debug)]
pub struct Writer {
    ring: Ring,
    written: u64,
    /// How much had been read when it was last looked at.
    read: u64,
}

impl Writer {
    /// Writes as much as there is room for, and tells how much that was.
    ///
    /// # Errors
    /// When the other side has spoilt the ring.
    pub fn write(&mut self, mut bytes: &[u8]) -> Result<usize, Malformed> {
        let mut room = self.room();
        if room < bytes.len() {
            self.read = self.ring.position(READ).load(Ordering::Acquire);
            room = self.room();
        }
        if room > SIZE {
            return Err(spoilt());
        }
        bytes = &bytes[..bytes.len().min(room)];
        if bytes.is_empty() {
            return Ok(0);
        }
        let start = place(self.written);
        let first = bytes.len().min(SIZE - start);
        // SAFETY: the reader does not look at these places before `WRITTEN` says so; both pieces
        // lie in the ring.
        unsafe {
            let ring = self.ring.place(FRONT);
            ring.add(start)
                .copy_from_nonoverlapping(bytes.as_ptr(), first);
            ring.copy_from_nonoverlapping(bytes.as_ptr().add(first), bytes.len() - first);
        }
        self.written += bytes.len() as u64;
        self.ring
            .position(WRITTEN)
            .store(self.written, Ordering::Release);
        Ok(bytes.len())
    }

    fn room(&self) -> usize {
        let used = self.written.wrapping_sub(self.read);
        usize::try_from(used).map_or(usize::MAX, |used| SIZE.wrapping_sub(used))
    }

    /// How much has been written.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Whether the reader has read nothing of what was written from there on.
    pub fn is_unread_from(&self, position: u64) -> bool {
        self.ring.position(READ).load(Ordering::Acquire) <= position
    }

    /// Whether the reader is to be woken for what was written.
    pub fn wakes(&self) -> bool {
        bell::lower(self.ring.flag(SLEEPS))
    }

    /// The ring is full: has the bell rung when there is room; false if there is some now.
    pub fn waits_for_room(&mut self) -> bool {
        bell::raise(self.ring.flag(CROWDED));
        self.read = self.ring.position(READ).load(Ordering::Acquire);
        self.room() == 0
    }
}

/// Tells whether something has come since it was made.
#[derive(Debug)]
pub struct Glance {
    ring: Ring,
    read: u64,
}

impl Glance {
    /// Whether something is there to be read.
    pub fn has_some(&self) -> bool {
        self.ring.position(WRITTEN).load(Ordering::Acquire) != self.read
    }
}

/// The end that reads.
#[derive(Debug)]
pub struct Reader {
    ring: Ring,
    read: u64,
}

impl Reader {
    /// Whether something is there to be read.
    pub fn has_some(&self) -> bool {
        self.ring.position(WRITTEN).load(Ordering::Acquire) != self.read
    }

    /// Looks for what comes from now on, whoever holds the reader meanwhile.
    pub fn glance(&self) -> Glance {
        Glance {
            ring: self.ring.clone(),
            read: self.read,
        }
    }

    /// Reads as much as there is and fits, and tells how much that was.
    ///
    /// # Errors
    /// When the other side has spoilt the ring.
    pub fn read(&mut self, into: &mut [u8]) -> Result<usize, Malformed> {
        let written = self.ring.position(WRITTEN).load(Ordering::Acquire);
        let there = usize::try_from(written.wrapping_sub(self.read)).unwrap_or(usize::MAX);
        if there > SIZE {
            return Err(spoilt());
        }
        let count = there.min(into.len());
        if count == 0 {
            return Ok(0);
        }
        let start = place(self.read);
        let first = count.min(SIZE - start);
        // SAFETY: the writer does not touch these places before `READ` says so; both pieces lie in
        // the ring, and in `into`.
        unsafe {
            let ring = self.ring.place(FRONT);
            into.as_mut_ptr()
                .copy_from_nonoverlapping(ring.add(start), first);
            into.as_mut_ptr()
                .add(first)
                .copy_from_nonoverlapping(ring, count - first);
        }
        self.read += count as u64;
        self.ring.position(READ).store(self.read, Ordering::Release);
        Ok(count)
    }

    /// Whether the writer is to be woken, as there is room again.
    pub fn wakes(&self) -> bool {
        bell::lower(self.ring.flag(CROWDED))
    }

    /// Has the bell rung when something comes; false if something is there already.
    pub fn sleeps(&self) -> bool {
        bell::raise(self.ring.flag(SLEEPS));
        !self.has_some()
    }

    /// No bell is needed: this side looks by itself.
    pub fn is_awake(&self) {
        self.ring.flag(SLEEPS).store(0, Ordering::Relaxed);
    }
}

fn place(position: u64) -> usize {
    (position % SIZE as u64) as usize
}

fn spoilt() -> Malformed {
    Malformed::new("its ring of shared memory was spoilt")
}

/// Both rings of a link, as one side sees them.
#[derive(Debug)]
pub struct Rings {
    /// To the other side.
    pub writer: Writer,
    /// From the other side.
    pub reader: Reader,
}

impl Rings {
    /// Two new rings, and the file that the other side is to [`Rings::join`].
    ///
    /// # Errors
    /// When the system has no memory or descriptors left.
    pub fn new() -> io::Result<(Rings, OwnedFd)> {
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let file = rustix::fs::memfd_create(c"cord-link", flags)?;
        rustix::fs::ftruncate(&file, 2 * WHOLE as u64)?;
        rustix::fs::fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::SEAL)?;
        let rings = Rings::map(file.as_fd(), 0, WHOLE)?;
        Ok((rings, file))
    }

    /// The other side of rings made elsewhere.
    ///
    /// # Errors
    /// When this is no file of rings, or cannot be mapped.
    pub fn join(file: BorrowedFd<'_>) -> io::Result<Rings> {
        let sealed = rustix::fs::fcntl_get_seals(file)?.contains(SealFlags::SHRINK);
        let size = rustix::fs::fstat(file)?.st_size;
        if !sealed || size != 2 * WHOLE as i64 {
            return Err(io::ErrorKind::InvalidData.into());
        }
        Rings::map(file, WHOLE, 0)
    }

    fn map(file: BorrowedFd<'_>, writes_at: usize, reads_at: usize) -> io::Result<Rings> {
        let memory = MmapOptions::new().len(2 * WHOLE).map_raw(&file)?;
        let memory = Arc::new(memory);
        let ring = |at| Ring {
            memory: Arc::clone(&memory),
            at,
        };
        Ok(Rings {
            writer: Writer {
                ring: ring(writes_at),
                written: 0,
                read: 0,
            },
            reader: Reader {
                ring: ring(reads_at),
                read: 0,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair() -> (Rings, Rings) {
        let (ours, file) = Rings::new().unwrap();
        let theirs = Rings::join(file.as_fd()).unwrap();
        (ours, theirs)
    }

    #[test]
    fn what_is_written_is_read_however_it_is_cut() {
        let (mut ours, mut theirs) = pair();
        let sent: Vec<u8> = (0..3 * SIZE + 77).map(|n| (n * 7 % 251) as u8).collect();
        let (mut at, mut came) = (0, Vec::new());
        let mut piece = vec![0; 70_001];
        while came.len() < sent.len() {
            let end = sent.len().min(at + 100_003);
            at += ours.writer.write(&sent[at..end]).unwrap();
            let count = theirs.reader.read(&mut piece).unwrap();
            came.extend_from_slice(&piece[..count]);
        }
        assert_eq!(came, sent);
        assert!(!theirs.reader.has_some());
    }

    #[test]
    fn both_directions_are_apart() {
        let (mut ours, mut theirs) = pair();
        ours.writer.write(b"there").unwrap();
        theirs.writer.write(b"back").unwrap();
        let mut piece = [0; 10];
        assert_eq!(theirs.reader.read(&mut piece).unwrap(), 5);
        assert_eq!(&piece[..5], b"there");
        assert_eq!(ours.reader.read(&mut piece).unwrap(), 4);
        assert_eq!(&piece[..4], b"back");
    }

    #[test]
    fn only_who_sleeps_is_woken_and_once() {
        let (mut ours, mut theirs) = pair();
        ours.writer.write(b"a").unwrap();
        assert!(!ours.writer.wakes());
        assert!(!theirs.reader.sleeps(), "something is there");
        theirs.reader.read(&mut [0; 9]).unwrap();
        assert!(theirs.reader.sleeps());
        ours.writer.write(b"b").unwrap();
        assert!(ours.writer.wakes());
        ours.writer.write(b"c").unwrap();
        assert!(!ours.writer.wakes());
        theirs.reader.sleeps();
        theirs.reader.is_awake();
        ours.writer.write(b"d").unwrap();
        assert!(!ours.writer.wakes());
    }

    #[test]
    fn a_full_ring_says_when_there_is_room() {
        let (mut ours, mut theirs) = pair();
        assert_eq!(ours.writer.write(&vec![1; SIZE + 5]).unwrap(), SIZE);
        assert_eq!(ours.writer.write(b"more").unwrap(), 0);
        assert!(ours.writer.waits_for_room());
        assert_eq!(theirs.reader.read(&mut [0; 3]).unwrap(), 3);
        assert!(theirs.reader.wakes());
        assert!(!theirs.reader.wakes());
        assert_eq!(ours.writer.write(b"more").unwrap(), 3);
        theirs.reader.read(&mut [0; 3]).unwrap();
        assert!(!ours.writer.waits_for_room(), "there is room");
    }

    #[test]
    fn two_threads_pass_all_of_it() {
        let (mut ours, mut theirs) = pair();
        let sent: Vec<u8> = (0..20 * SIZE).map(|n| (n % 253) as u8).collect();
        let copy = sent.clone();
        let writing = std::thread::spawn(move || {
            let mut at = 0;
            while at < copy.len() {
                let end = copy.len().min(at + 12_345);
                at += ours.writer.write(&copy[at..end]).unwrap();
                std::thread::yield_now();
            }
        });
        let (mut came, mut piece) = (Vec::new(), vec![0; 54_321]);
        while came.len() < sent.len() {
            let count = theirs.reader.read(&mut piece).unwrap();
            came.extend_from_slice(&piece[..count]);
            std::thread::yield_now();
        }
        writing.join().unwrap();
        assert!(came == sent);
    }

    #[test]
    fn positions_that_make_no_sense_are_refused() {
        let (mut ours, theirs) = pair();
        let spoil = |ring: &Ring, offset| ring.position(offset).store(1 << 40, Ordering::Release);
        spoil(&theirs.writer.ring, WRITTEN);
        assert!(ours.reader.read(&mut [0; 9]).is_err());
        spoil(&theirs.reader.ring, READ);
        ours.writer.write(&vec![0; SIZE]).unwrap();
        assert!(ours.writer.write(b"x").is_err());
        let file = rustix::fs::memfd_create(c"other", MemfdFlags::CLOEXEC).unwrap();
        assert!(Rings::join(file.as_fd()).is_err());
    }
}
