//! Shared memory: anonymous files whose descriptors travel instead of their bytes.

mod held;
mod mapped;
mod opened;
mod origins;
mod pool;
mod views;

use std::io;
use std::ops::Range;
use std::sync::{Arc, OnceLock, Weak};

use rustix::fs::SealFlags;

use held::CountedFd;
use mapped::Counted;
use opened::{Opened, Seen};
use pool::Piece;
use views::View;

use cord_os::descriptor::Descriptor;
use cord_os::memory::{read_from, Copied};

/// Buffers of at least this many bytes travel through shared memory.
pub const SHARED_FROM: usize = 64 * 1024;

/// A piece of shared memory that does not change while anybody sees it.
#[derive(Debug, Clone)]
pub struct Segment(Arc<Store>);

/// A segment that it does not keep from ending.
#[derive(Debug, Clone)]
pub struct WeakSegment(Weak<Store>);

impl WeakSegment {
    /// The segment, if it has not ended.
    pub fn upgrade(&self) -> Option<Segment> {
        self.0.upgrade().map(Segment)
    }
}

#[derive(Debug)]
enum Store {
    /// Made here.
    Made(Made),
    /// Received, on its way to somebody else perhaps: which bytes of the file, and what they are, once
    /// somebody looks.
    File {
        file: Arc<CountedFd>,
        within: Range<usize>,
        seen: OnceLock<Seen>,
    },
    /// Private, so that its owner may write while the sender's stays as it is.
    Opened(Opened),
}

/// Memory of this process's; it is kept for the next segment when this one ends.
#[derive(Debug)]
struct Made {
    /// None only while it is dropped.
    piece: Option<Piece>,
    len: usize,
}

impl Made {
    fn piece(&self) -> &Piece {
        self.piece.as_ref().expect("it is not dropped")
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        if let Some(piece) = self.piece.take() {
            piece.retire();
        }
    }
}

impl Segment {
    /// Copies `bytes` into a new segment.
    ///
    /// # Errors
    /// `EMFILE` when segments already hold their share of this process's descriptors, or what the
    /// system says when it has no memory or descriptors left.
    pub fn copy_from(bytes: &[u8]) -> io::Result<Segment> {
        let made = Made {
            piece: Some(Piece::copy_from(bytes)?),
            len: bytes.len(),
        };
        Ok(Segment(Arc::new(Store::Made(made))))
    }

    /// The same, and shows all that has been copied, in order.
    ///
    /// # Errors
    /// As [`Segment::copy_from`]. Some may have been shown by then.
    pub fn copy_from_and_show(bytes: &[u8], show: impl FnMut(&[u8])) -> io::Result<Segment> {
        let made = Made {
            piece: Some(Piece::copy_from_and_show(bytes, show)?),
            len: bytes.len(),
        };
        Ok(Segment(Arc::new(Store::Made(made))))
    }

    /// The memory that was received and shows these bytes, if nobody has written them since: it can be
    /// sent on, or back, in place of a copy. `None` also for small ones.
    #[must_use]
    pub fn unwritten(bytes: &[u8]) -> Option<Segment> {
        let (file, within) = origins::of_unwritten(bytes)?;
        Some(Segment::of_file(file, within))
    }

    /// Whether nobody has written these bytes, of a private mapping of a file's: received memory, which may
    /// be small. What was written before it came to its owner counts, too.
    #[must_use]
    pub fn is_as_mapped(bytes: &[u8]) -> bool {
        let start = bytes.as_ptr() as usize;
        views::are_the_files(start..start + bytes.len(), false)
    }

    /// Whether these bytes, in received memory, are this segment still: nobody has written them.
    #[must_use]
    pub fn is_unwritten(&self, bytes: &[u8]) -> bool {
        let Store::File { file, within, .. } = &*self.0 else {
            return false;
        };
        let origin = origins::of_unwritten(bytes);
        origin.is_some_and(|(origin, at)| Arc::ptr_eq(&origin, file) && at == *within)
    }

    fn of_file(file: Arc<CountedFd>, within: Range<usize>) -> Segment {
        Segment(Arc::new(Store::File {
            file,
            within,
            seen: OnceLock::new(),
        }))
    }

    /// Takes over a received file, of which these bytes are meant; it can be sent on as it is.
    ///
    /// # Errors
    /// When the file is shorter than said, or could shrink (reading it would then kill the process),
    /// or be written by others than its maker.
    pub fn receive(file: Descriptor, within: Range<usize>) -> io::Result<Segment> {
        let needed = SealFlags::SHRINK | SealFlags::FUTURE_WRITE;
        let (memory, stat) = file.stat()?;
        let sealed = rustix::fs::fcntl_get_seals(memory)?.contains(needed);
        if !sealed || within.is_empty() || usize::try_from(stat.st_size).unwrap_or(0) < within.end {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "unsealed or short segment",
            ));
        }
        let file = Arc::new(CountedFd::received(file));
        Ok(Segment::of_file(file, within))
    }

    /// Opens a segment for its last owner, who may write: maps it, or copies it where it is small (a
    /// plan can have values of any size travel so) or where there are many mappings already.
    ///
    /// # Errors
    /// When there is no memory for either.
    pub fn open(&self) -> io::Result<Segment> {
        if matches!(&*self.0, Store::Opened(_)) {
            return Ok(self.clone());
        }
        let opened = if self.len() >= SHARED_FROM && mapped::has_room() {
            self.mapped().or_else(|_| self.copied())
        } else {
            self.copied().or_else(|_| self.mapped())
        };
        Ok(Segment(Arc::new(Store::Opened(opened?))))
    }

    fn mapped(&self) -> io::Result<Opened> {
        let within = self.within();
        let view = match &*self.0 {
            Store::File { file, .. } => View::of_received(file, within.clone())?,
            Store::Made(made) => View::open(made.piece().descriptor(), made.len)?,
            Store::Opened(_) => return Err(io::ErrorKind::Unsupported.into()),
        };
        Ok(Opened::Mapped {
            view,
            within,
            _counted: Counted::new(),
        })
    }

    fn copied(&self) -> io::Result<Opened> {
        let within = self.within();
        let file = self.descriptor().ok_or(io::ErrorKind::Unsupported)?;
        let memory = Copied::of(file.get()?, within.start, within.len())?;
        Ok(Opened::Copied { memory, within })
    }

    /// A copy of its bytes.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn to_vec(&self) -> io::Result<Vec<u8>> {
        match self.descriptor() {
            Some(file) => read_from(file.get()?, self.start(), self.len()),
            None => cord_os::memory::copy_of(self.bytes()?),
        }
    }

    /// Whether its descriptor may be held for longer: there are few, so only for a large segment.
    pub fn may_wait(&self) -> bool {
        self.len() >= views::SENT_ON_FROM && held::has_room()
    }

    /// The bytes.
    ///
    /// # Errors
    /// When there is no memory to see them in: of a received segment that is not opened.
    pub fn bytes(&self) -> io::Result<&[u8]> {
        Ok(match &*self.0 {
            Store::Made(made) => made.piece().as_slice(made.len),
            Store::File { file, within, seen } => {
                let seen = match seen.get() {
                    Some(seen) => seen,
                    None => {
                        let made = Seen::of(file, within)?;
                        seen.get_or_init(|| made)
                    }
                };
                match seen {
                    Seen::Mapped(map) => &map[within.clone()],
                    Seen::Copied(bytes) => bytes,
                }
            }
            // SAFETY: the memory lives as long as `self`, and is that long.
            Store::Opened(opened) => unsafe {
                std::slice::from_raw_parts(opened.start(), opened.within().len())
            },
        })
    }

    /// The bytes, where there is memory.
    #[cfg(any(test, feature = "testing"))]
    pub fn as_slice(&self) -> &[u8] {
        self.bytes().unwrap()
    }

    /// The same, without keeping it.
    #[must_use]
    pub fn downgrade(&self) -> WeakSegment {
        WeakSegment(Arc::downgrade(&self.0))
    }

    /// Whether this is the very same memory, not merely the same bytes.
    #[must_use]
    pub fn is(&self, other: &Segment) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        self.within().len()
    }

    /// Where in the memory whose descriptor is sent it begins.
    pub fn start(&self) -> usize {
        self.within().start
    }

    fn within(&self) -> Range<usize> {
        match &*self.0 {
            Store::Made(made) => 0..made.len,
            Store::File { within, .. } => within.clone(),
            Store::Opened(opened) => opened.within().clone(),
        }
    }

    /// Whether its bytes were copied here to be sent.
    pub fn is_made_here(&self) -> bool {
        matches!(&*self.0, Store::Made(_))
    }

    /// Whether it has no bytes; no segment has.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Start of the private, writable memory of an opened segment; `None` for any other.
    /// Writes are seen by this process alone. Who writes sees to it that nobody reads meanwhile.
    pub fn private_mut(&self) -> Option<*mut u8> {
        match &*self.0 {
            Store::Made(_) | Store::File { .. } => None,
            Store::Opened(opened) => Some(opened.start()),
        }
    }

    /// Whether its bytes can be had: it is mapped, or can be.
    pub fn is_there(&self) -> bool {
        match &*self.0 {
            Store::File { file, seen, .. } => seen.get().is_some() || file.is_ours(),
            Store::Made(_) | Store::Opened(_) => true,
        }
    }

    /// The descriptor to send; an opened segment has none any more.
    pub fn descriptor(&self) -> Option<&Descriptor> {
        match &*self.0 {
            Store::Made(made) => Some(made.piece().descriptor()),
            Store::File { file, .. } => Some(file),
            Store::Opened(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use rustix::fs::MemfdFlags;

    use super::*;
    use cord_os::descriptor::copy_of;

    #[test]
    fn received_copy_is_writable_and_the_original_stays() {
        let bytes = vec![7_u8; SHARED_FROM + 5];
        let made = Segment::copy_from(&bytes).unwrap();
        let file = copy_of(made.descriptor().unwrap());
        let passed = Segment::receive(file, 0..bytes.len()).unwrap();
        assert!(passed.descriptor().is_some() && passed.private_mut().is_none());
        let received = passed.open().unwrap();
        // SAFETY: nobody else has this mapping.
        unsafe { *received.private_mut().unwrap() = 9 };
        assert_eq!(received.as_slice()[..2], [9, 7]);
        assert_eq!(made.as_slice(), bytes);
        assert_eq!(received.len(), bytes.len());
    }

    /// As a whole: byte by byte it takes a second for some hundred MiB where nothing is optimised.
    fn is_all(segment: &Segment, byte: u8) -> bool {
        segment.as_slice() == vec![byte; segment.len()]
    }

    fn passed(made: &Segment) -> Segment {
        let file = copy_of(made.descriptor().unwrap());
        Segment::receive(file, 0..made.len()).unwrap()
    }

    #[test]
    fn what_a_receiver_wrote_is_gone_when_its_mapping_is_used_again() {
        let bytes = vec![7_u8; 2 << 20];
        let made = Segment::copy_from(&bytes).unwrap();
        let first = passed(&made).open().unwrap();
        let place = first.private_mut().unwrap();
        for at in [0, 4096, 5 * 4096 + 1, (2 << 20) - 1] {
            // SAFETY: nobody else has this mapping.
            unsafe { *place.add(at) = 9 };
        }
        assert_ne!(first.as_slice(), bytes);
        drop(first);
        let second = passed(&made).open().unwrap();
        assert_eq!(second.private_mut().unwrap(), place);
        assert_eq!(second.as_slice(), bytes);
        let third = passed(&made).open().unwrap();
        assert_ne!(third.private_mut().unwrap(), place);
        assert_eq!(third.as_slice(), bytes);
    }

    #[test]
    fn so_it_is_at_each_use_however_much_was_written() {
        let bytes = vec![7_u8; 2 << 20];
        let made = Segment::copy_from(&bytes).unwrap();
        for step in [
            4096,
            1 << 20,
            1 << 18,
            100,
            1 << 20,
            1 << 21,
            3 << 16,
            1 << 20,
        ] {
            let mut places = Vec::new();
            for round in 1..=3 {
                let received = passed(&made).open().unwrap();
                assert!(received.as_slice() == bytes, "{step} {round}");
                let place = received.private_mut().unwrap();
                for at in (0..bytes.len()).step_by(step) {
                    // SAFETY: nobody else has this mapping.
                    unsafe { *place.add(at + round) = 9 };
                }
                places.push(place);
            }
            assert!(places.windows(2).all(|pair| pair[0] == pair[1]));
        }
        assert!(made.as_slice() == bytes);
    }

    #[test]
    fn and_whatever_comes_next() {
        let mut places = Vec::new();
        for round in 0..40_u8 {
            let len = (7 << 20) - usize::from(round % 3) * 100_001;
            let made = Segment::copy_from(&vec![round; len]).unwrap();
            let received = passed(&made).open().unwrap();
            assert!(is_all(&received, round));
            let place = received.private_mut().unwrap();
            let from = if round % 5 == 4 { len / 3 } else { 0 };
            // SAFETY: nobody else has this mapping.
            unsafe { std::slice::from_raw_parts_mut(place.add(from), len - from) }.fill(200);
            assert!(is_all(&made, round));
            assert!(Segment::unwritten(received.as_slice()).is_none());
            places.push(place);
        }
        assert!(places.windows(2).all(|pair| pair[0] == pair[1]));
        // who writes no more is found out
        let is_sent_on = |_| {
            let made = Segment::copy_from(&vec![9; 7 << 20]).unwrap();
            let received = passed(&made).open().unwrap();
            assert!(is_all(&received, 9));
            Segment::unwritten(received.as_slice()).is_some()
        };
        let sent_on: Vec<bool> = (0..40).map(is_sent_on).collect();
        assert!(
            sent_on[20..].iter().all(|is_sent_on| *is_sent_on),
            "{sent_on:?}"
        );
    }

    #[test]
    fn memory_is_not_written_again_while_a_receiver_sees_it() {
        for len in [SHARED_FROM, 3 << 20] {
            let mut received = Vec::new();
            for round in 0..10_u8 {
                let made = Segment::copy_from(&vec![round; len]).unwrap();
                received.push(passed(&made).open().unwrap());
            }
            for (round, segment) in received.iter().enumerate() {
                assert!(is_all(segment, round as u8));
            }
            let waiting: Vec<Segment> = (0..10_u8)
                .map(|round| passed(&Segment::copy_from(&vec![round; len]).unwrap()))
                .collect();
            for (round, segment) in waiting.iter().enumerate() {
                assert!(is_all(segment, round as u8));
            }
        }
    }

    #[test]
    fn a_kept_mapping_shows_what_the_memory_is_used_for_next() {
        let mut places = Vec::new();
        for round in 0..6_u8 {
            let made = Segment::copy_from(&vec![round; 5 << 20]).unwrap();
            let received = passed(&made).open().unwrap();
            assert!(is_all(&received, round));
            places.push(received.private_mut().unwrap());
        }
        assert!(places.windows(2).all(|pair| pair[0] == pair[1]));
    }

    #[test]
    fn a_kept_argument_is_guarded_once_and_its_memory_let_go_with_it() {
        use rustix::fs::{fcntl_add_seals, flock, FlockOperation};
        let file = rustix::fs::memfd_create(c"test", MemfdFlags::ALLOW_SEALING).unwrap();
        rustix::io::write(&file, &vec![7; 2 << 20]).unwrap();
        fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::FUTURE_WRITE).unwrap();
        flock(&file, FlockOperation::LockShared).unwrap();
        let maker = held::opened_again(std::os::fd::AsFd::as_fd(&file)).unwrap();
        let is_free = || flock(&maker, FlockOperation::NonBlockingLockExclusive).is_ok();

        let kept = Segment::receive(Descriptor::new(file), 0..2 << 20).unwrap();
        let mut places = Vec::new();
        for _call in 0..3 {
            let argument = kept.open().unwrap();
            let place = argument.private_mut().unwrap();
            assert_eq!(argument.as_slice()[1], 7);
            // SAFETY: nobody else has this mapping.
            unsafe { *place.add(1) = 9 };
            places.push(place);
        }
        assert!(places.windows(2).all(|pair| pair[0] == pair[1]));
        let argument = kept.open().unwrap();
        drop(kept);
        assert!(!is_free(), "somebody has it still");
        drop(argument);
        assert!(is_free());
    }

    #[test]
    fn a_file_shorter_than_said_is_refused() {
        let made = Segment::copy_from(&[1, 2, 3]).unwrap();
        let file = copy_of(made.descriptor().unwrap());
        assert!(Segment::receive(copy_of(&file), 0..1 << 20).is_err());
        assert!(Segment::receive(file, 4096..4097).is_err());
    }

    #[test]
    fn a_file_that_could_shrink_is_refused() {
        let file = rustix::fs::memfd_create(c"test", MemfdFlags::CLOEXEC).unwrap();
        rustix::io::write(&file, b"abc").unwrap();
        assert!(Segment::receive(Descriptor::new(file), 0..3).is_err());
    }
}
