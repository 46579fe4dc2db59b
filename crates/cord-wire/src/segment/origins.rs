//! Where received memory has come from. As long as its owner has not written it, it need not be copied
//! to be sent on, or back: the file that it shows is sent. Nobody writes that file while anybody sees
//! it, so whoever receives it is as safe from later writes as with a copy.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::held::{is_at_home, CountedFd};
use super::views::{are_the_files, SENT_ON_FROM};

/// Less of a file than one part in so many is copied, so that it does not keep the rest from being
/// used again.
const LEAST_PART: usize = 2;

/// What private mappings of this process show, by their addresses.
static ORIGINS: Mutex<BTreeMap<usize, Origin>> = Mutex::new(BTreeMap::new());

/// What a private mapping shows.
#[derive(Debug, Clone)]
pub struct Origin {
    /// As it was received: whoever has it keeps its maker from using the memory again.
    pub file: Weak<CountedFd>,
    /// Which bytes of it were received.
    pub within: Range<usize>,
    /// How long it is.
    pub size: usize,
    /// Whether the kernel notes what is written to the mapping.
    pub noted: bool,
}

/// Never to be called in a forked child: another thread may have held the lock.
fn origins() -> MutexGuard<'static, BTreeMap<usize, Origin>> {
    ORIGINS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says what the mapping at this address shows.
pub fn note(address: usize, origin: Origin) {
    origins().insert(address, origin);
}

/// The mapping at this address is nobody's any more.
pub fn forget(address: usize) {
    origins().remove(&address);
}

/// The file in which these bytes have come, and where in it they are; `None` if they have come in
/// none, were written since, or are too few.
pub fn of_unwritten(bytes: &[u8]) -> Option<(Arc<CountedFd>, Range<usize>)> {
    if bytes.len() < SENT_ON_FROM || !is_at_home() {
        return None;
    }
    let place = bytes.as_ptr() as usize;
    let (start, origin) = {
        let origins = origins();
        let (start, origin) = origins.range(..=place).next_back()?;
        (*start, origin.clone())
    };
    let within = place - start..place - start + bytes.len();
    let is_of_it = origin.within.start <= within.start && within.end <= origin.within.end;
    if !is_of_it || within.len() < origin.size / LEAST_PART {
        return None;
    }
    let file = origin.file.upgrade()?;
    are_the_files(place..place + bytes.len(), origin.noted).then_some((file, within))
}

#[cfg(test)]
mod tests {
    use crate::segment::Segment;
    use cord_os::descriptor::copy_of;

    const SIZE: usize = 3 << 20;

    fn received(made: &Segment) -> Segment {
        let file = copy_of(made.descriptor().unwrap());
        let passed = Segment::receive(file, made.start()..made.start() + made.len());
        passed.unwrap().open().unwrap()
    }

    fn counting() -> Vec<u8> {
        (0..SIZE).map(|at| (at / 4096 % 251) as u8).collect()
    }

    fn write(segment: &Segment, at: usize, byte: u8) {
        // SAFETY: nobody else has this mapping.
        unsafe { *segment.private_mut().unwrap().add(at) = byte };
    }

    #[test]
    fn what_nobody_has_written_is_sent_on_as_it_came() {
        let bytes = counting();
        let first = received(&Segment::copy_from(&bytes).unwrap());
        let sent = Segment::unwritten(first.as_slice()).unwrap();
        assert!(!sent.is_made_here() && sent.is_unwritten(first.as_slice()));
        // what its owner does with it afterwards is seen nowhere else, nor what the next one does
        write(&first, 5000, 99);
        let second = received(&sent);
        write(&second, 9000, 98);
        assert!(sent.as_slice() == bytes && !sent.is_unwritten(first.as_slice()));
        assert_eq!((first.as_slice()[9000], second.as_slice()[5000]), (2, 1));
        assert!(received(&sent).as_slice() == bytes);
    }

    #[test]
    fn the_memory_is_not_used_again_while_anybody_sees_it() {
        let bytes = counting();
        let first = received(&Segment::copy_from(&bytes).unwrap());
        let second = received(&Segment::unwritten(first.as_slice()).unwrap());
        drop(first);
        let third = Segment::unwritten(second.as_slice()).unwrap();
        drop(second);
        for round in 0..5 {
            let other = Segment::copy_from(&vec![round; SIZE]).unwrap();
            assert!(third.as_slice() == bytes && other.as_slice()[7] == round);
        }
    }

    #[test]
    fn one_byte_that_was_written_and_it_is_copied() {
        let made = Segment::copy_from(&counting()).unwrap();
        // the kernel notes writes once a mapping is used again: both ways tell
        for round in 0..4 {
            for at in [0, 4096 * 300 + 17, SIZE - 1] {
                let first = received(&made);
                assert!(Segment::unwritten(first.as_slice()).is_some(), "{round}");
                let byte = first.as_slice()[at];
                write(&first, at, byte);
                assert!(
                    Segment::unwritten(first.as_slice()).is_none(),
                    "{round} {at}"
                );
            }
        }
    }

    #[test]
    fn the_larger_part_of_it_can_be_sent_on_too() {
        let bytes = counting();
        let first = received(&Segment::copy_from(&bytes).unwrap());
        let part = Segment::unwritten(&first.as_slice()[80..SIZE - 8]).unwrap();
        assert_eq!((part.start(), part.len()), (80, SIZE - 88));
        assert!(part.as_slice() == &bytes[80..SIZE - 8]);
        let second = received(&part);
        assert!(second.as_slice() == &bytes[80..SIZE - 8]);
        write(&second, 0, 77);
        assert_eq!((second.as_slice()[0], part.as_slice()[0]), (77, bytes[80]));
        let third = Segment::unwritten(&second.as_slice()[1 << 20..]).unwrap();
        assert!(third.as_slice() == &bytes[80 + (1 << 20)..SIZE - 8]);
        assert!(Segment::unwritten(&second.as_slice()[..2 << 20]).is_none());
        // a small one would keep the rest from being used again
        assert!(Segment::unwritten(&first.as_slice()[..(1 << 20) + 1]).is_none());
    }

    #[test]
    fn what_has_not_come_from_elsewhere_is_copied() {
        let bytes = counting();
        assert!(Segment::unwritten(&bytes).is_none());
        let made = Segment::copy_from(&bytes).unwrap();
        assert!(Segment::unwritten(made.as_slice()).is_none());
        assert!(Segment::unwritten(made.open().unwrap().as_slice()).is_none());
        let small = received(&Segment::copy_from(&bytes[..100_000]).unwrap());
        assert!(Segment::unwritten(small.as_slice()).is_none());
    }

    #[test]
    fn memory_that_is_somebody_elses_now_is_told_apart() {
        let (sevens, eights) = (vec![7; SIZE], vec![8; SIZE]);
        let (sevens, eights) = (Segment::copy_from(&sevens), Segment::copy_from(&eights));
        let first = received(&sevens.unwrap());
        let sent = Segment::unwritten(first.as_slice()).unwrap();
        let second = received(&eights.unwrap());
        assert!(!sent.is_unwritten(second.as_slice()));
        drop(first);
        assert!(received(&sent).as_slice()[0] == 7 && second.as_slice()[0] == 8);
    }
}
