//! What an exchange waits for.

use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use rustix::event::Timespec;
use rustix::io::Errno;

/// How many events are taken at a time.
const EVENTS: usize = 64;

/// An epoll descriptor.
#[derive(Debug)]
pub(super) struct Epoll(OwnedFd);

/// What can be done with what has this number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Can {
    pub(super) number: u64,
    pub(super) be_read: bool,
    pub(super) be_written: bool,
}

impl Epoll {
    /// One that waits for nothing.
    ///
    /// # Errors
    /// When the system has no descriptors left.
    pub(super) fn new() -> Result<Epoll, Errno> {
        epoll::create(CreateFlags::CLOEXEC).map(Epoll)
    }

    /// Waits until this can be read.
    pub(super) fn add(&self, source: impl AsFd, number: u64) -> Result<(), Errno> {
        epoll::add(&self.0, source, EventData::new_u64(number), EventFlags::IN)
    }

    /// Waits until this can be written, or read.
    pub(super) fn add_out(&self, source: impl AsFd, number: u64) -> Result<(), Errno> {
        epoll::add(
            &self.0,
            source,
            EventData::new_u64(number),
            EventFlags::empty(),
        )
    }

    /// For what of these it waits.
    pub(super) fn watch(
        &self,
        source: impl AsFd,
        number: u64,
        be_read: bool,
        be_written: bool,
    ) -> Result<(), Errno> {
        let mut flags = EventFlags::empty();
        flags.set(EventFlags::IN, be_read);
        flags.set(EventFlags::OUT, be_written);
        epoll::modify(&self.0, source, EventData::new_u64(number), flags)
    }

    /// Waits for it no more.
    pub(super) fn delete(&self, source: impl AsFd) {
        let _ = epoll::delete(&self.0, source);
    }

    /// Waits so long at most.
    ///
    /// # Errors
    /// When it cannot be waited.
    pub(super) fn wait(&self, longest: Duration, into: &mut Vec<Can>) -> Result<(), Errno> {
        let mut space = [MaybeUninit::uninit(); EVENTS];
        let longest = Timespec {
            tv_sec: i64::try_from(longest.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: i64::from(longest.subsec_nanos()),
        };
        let events: &[Event] = match epoll::wait(&self.0, &mut space, Some(&longest)) {
            Ok((events, _)) => events,
            Err(Errno::INTR) => &[],
            Err(error) => return Err(error),
        };
        into.extend(events.iter().map(|event| {
            let (data, flags) = (event.data, event.flags);
            Can {
                number: data.u64(),
                be_read: flags.intersects(EventFlags::IN | EventFlags::HUP | EventFlags::ERR),
                be_written: flags.contains(EventFlags::OUT),
            }
        }));
        Ok(())
    }
}
