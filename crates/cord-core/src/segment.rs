//! Shared memory: anonymous files whose descriptors travel instead of their bytes.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use memmap2::{Mmap, MmapOptions, MmapRaw};
use rustix::fs::{MemfdFlags, SealFlags};
use rustix::process::Resource;

/// Buffers of at least this many bytes travel through shared memory.
pub const SHARED_FROM: usize = 64 * 1024;

/// How many descriptors this process holds for segments.
static HELD: AtomicUsize = AtomicUsize::new(0);

/// A piece of shared memory that never changes once it is made.
#[derive(Debug, Clone)]
pub struct Segment(Arc<Store>);

#[derive(Debug)]
enum Store {
    /// The sealed file, made here or on its way to somebody else, and its mapping once somebody
    /// looks.
    File {
        file: CountedFd,
        len: usize,
        map: OnceLock<Mmap>,
    },
    /// A private mapping, so that its owner may write while the sender's stays as it is.
    Received(MmapRaw),
}

/// A descriptor that counts against this process's share for segments.
#[derive(Debug)]
struct CountedFd(OwnedFd);

impl Drop for CountedFd {
    fn drop(&mut self) {
        HELD.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A quarter of the descriptors that this process may have: the rest belongs to the program.
fn share() -> usize {
    static SHARE: OnceLock<usize> = OnceLock::new();
    *SHARE.get_or_init(|| {
        let limit = rustix::process::getrlimit(Resource::Nofile).current;
        usize::try_from(limit.unwrap_or(4096) / 4).unwrap_or(1024)
    })
}

impl Segment {
    /// Copies `bytes` into a new segment.
    ///
    /// # Errors
    /// `EMFILE` when segments already hold their share of this process's descriptors, or what the
    /// system says when it has no memory or descriptors left.
    pub fn copy_from(bytes: &[u8]) -> io::Result<Segment> {
        if HELD.fetch_add(1, Ordering::Relaxed) >= share() {
            HELD.fetch_sub(1, Ordering::Relaxed);
            return Err(rustix::io::Errno::MFILE.into());
        }
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let file = match rustix::fs::memfd_create(c"cord", flags) {
            Ok(fd) => CountedFd(fd),
            Err(error) => {
                HELD.fetch_sub(1, Ordering::Relaxed);
                return Err(error.into());
            }
        };
        write_all(&file.0, bytes)?;
        let seals = SealFlags::SHRINK | SealFlags::GROW | SealFlags::WRITE | SealFlags::SEAL;
        rustix::fs::fcntl_add_seals(&file.0, seals)?;
        Ok(Segment(Arc::new(Store::File {
            file,
            len: bytes.len(),
            map: OnceLock::new(),
        })))
    }

    /// Takes over a received file of `len` bytes, which can be sent on as it is.
    ///
    /// # Errors
    /// When the file is shorter than said, or could still change or shrink (reading it would then
    /// kill the process).
    pub(crate) fn receive(file: OwnedFd, len: usize) -> io::Result<Segment> {
        let needed = SealFlags::SHRINK | SealFlags::WRITE;
        let sealed = rustix::fs::fcntl_get_seals(&file)?.contains(needed);
        let size = rustix::fs::fstat(&file)?.st_size;
        if !sealed || len == 0 || usize::try_from(size).unwrap_or(0) < len {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "unsealed or short segment",
            ));
        }
        HELD.fetch_add(1, Ordering::Relaxed);
        Ok(Segment(Arc::new(Store::File {
            file: CountedFd(file),
            len,
            map: OnceLock::new(),
        })))
    }

    /// Maps a received segment for its last owner, who may write; its file is closed.
    ///
    /// # Errors
    /// When it cannot be mapped.
    pub fn open(&self) -> io::Result<Segment> {
        let Store::File { file, len, .. } = &*self.0 else {
            return Ok(self.clone());
        };
        // SAFETY: the file is sealed against shrinking, and a private mapping shows no later
        // writes of this process to others.
        let map = unsafe { MmapOptions::new().len(*len).map_copy(&file.0)? };
        Ok(Segment(Arc::new(Store::Received(MmapRaw::from(map)))))
    }

    /// The bytes.
    ///
    /// # Panics
    /// If the system refuses to map a segment made here (no address space left).
    pub fn as_slice(&self) -> &[u8] {
        match &*self.0 {
            // SAFETY: the file is sealed, it neither changes nor shrinks.
            Store::File { file, map, .. } => map.get_or_init(|| unsafe {
                Mmap::map(&file.0).expect("cannot map a segment of this process")
            }),
            // SAFETY: the mapping lives as long as `self`.
            Store::Received(map) => unsafe { std::slice::from_raw_parts(map.as_ptr(), map.len()) },
        }
    }

    /// Whether this is the very same memory, not merely the same bytes.
    #[must_use]
    pub fn is(&self, other: &Segment) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        match &*self.0 {
            Store::File { len, .. } => *len,
            Store::Received(map) => map.len(),
        }
    }

    /// Whether it has no bytes; no segment has.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Start of the private, writable mapping of an opened segment; `None` for any other.
    /// Writes are seen by this process alone. Who writes sees to it that nobody reads meanwhile.
    pub fn private_mut(&self) -> Option<*mut u8> {
        match &*self.0 {
            Store::File { .. } => None,
            Store::Received(map) => Some(map.as_mut_ptr()),
        }
    }

    /// The descriptor to send; an opened segment has none any more.
    pub(crate) fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        match &*self.0 {
            Store::File { file, .. } => Some(file.0.as_fd()),
            Store::Received(_) => None,
        }
    }
}

fn write_all(file: &OwnedFd, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match rustix::io::write(file, bytes) {
            Ok(written) => bytes = &bytes[written..],
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn received_copy_is_writable_and_the_original_stays() {
        let bytes = vec![7_u8; SHARED_FROM + 5];
        let made = Segment::copy_from(&bytes).unwrap();
        let file = made.descriptor().unwrap().try_clone_to_owned().unwrap();
        let passed = Segment::receive(file, bytes.len()).unwrap();
        assert!(passed.descriptor().is_some() && passed.private_mut().is_none());
        let received = passed.open().unwrap();
        // SAFETY: nobody else has this mapping.
        unsafe { *received.private_mut().unwrap() = 9 };
        assert_eq!(received.as_slice()[..2], [9, 7]);
        assert_eq!(made.as_slice(), bytes);
        assert_eq!(received.len(), bytes.len());
    }

    #[test]
    fn a_file_shorter_than_said_is_refused() {
        let made = Segment::copy_from(&[1, 2, 3]).unwrap();
        let file = made.descriptor().unwrap().try_clone_to_owned().unwrap();
        assert!(Segment::receive(file, 4).is_err());
    }

    #[test]
    fn a_file_that_could_shrink_is_refused() {
        let file = rustix::fs::memfd_create(c"test", MemfdFlags::CLOEXEC).unwrap();
        rustix::io::write(&file, b"abc").unwrap();
        assert!(Segment::receive(file, 3).is_err());
    }
}
