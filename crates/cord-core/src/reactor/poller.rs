//! What the reactor waits for, by epoll.

use std::io;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use rustix::event::Timespec;
use rustix::io::Errno;

use super::MAILBOX;
use crate::mailbox::Mailbox;
use cord_os::descriptor::{out_of_the_way, Descriptor};

/// An epoll descriptor that waits for the mailbox, and for what else it is told. All of that kind have
/// one inode: it is told from one of the program's by what it waits for.
#[derive(Debug)]
pub struct Poller {
    epoll: ManuallyDrop<OwnedFd>,
    mailbox: Arc<Mailbox>,
}

impl Poller {
    /// One that waits for the mailbox alone.
    ///
    /// # Errors
    /// When the system has no descriptors left.
    pub fn new(mailbox: Arc<Mailbox>) -> io::Result<Poller> {
        let epoll = out_of_the_way(epoll::create(CreateFlags::CLOEXEC)?);
        let wake = mailbox.wake().reader()?;
        epoll::add(&epoll, wake, EventData::new_u64(MAILBOX), EventFlags::IN)?;
        Ok(Poller {
            epoll: ManuallyDrop::new(epoll),
            mailbox,
        })
    }

    /// Waits for a source, too.
    pub fn add(&self, source: &Descriptor, data: u64) -> Result<(), Errno> {
        let data = EventData::new_u64(data);
        epoll::add(self.get()?, source.get()?, data, EventFlags::IN)
    }

    /// Waits until a source can be read; or also, until it can be written.
    pub fn watch(&self, source: &Descriptor, data: u64, wants_out: bool) -> Result<(), Errno> {
        let mut flags = EventFlags::IN;
        flags.set(EventFlags::OUT, wants_out);
        epoll::modify(self.get()?, source.get()?, EventData::new_u64(data), flags)
    }

    /// Does not wait for a source any more.
    pub fn delete(&self, source: &Descriptor) -> Result<(), Errno> {
        epoll::delete(self.get()?, source.get()?)
    }

    /// Waits for events, for so long at most.
    pub fn wait<'a, const MOST: usize>(
        &self,
        space: &'a mut [MaybeUninit<Event>; MOST],
        longest: Option<&Timespec>,
    ) -> Result<&'a [Event], Errno> {
        match epoll::wait(self.get()?, space, longest) {
            Ok((events, _)) => Ok(events),
            Err(Errno::INTR) => Ok(&[]),
            Err(error) => Err(error),
        }
    }

    /// The descriptor, if it waits for the mailbox still. Nothing changes by asking for what is so; and
    /// what does not wait for just this under this number refuses.
    fn get(&self) -> Result<BorrowedFd<'_>, Errno> {
        let wake = self.mailbox.wake().reader_unseen();
        let data = EventData::new_u64(MAILBOX);
        epoll::modify(&*self.epoll, wake, data, EventFlags::IN)?;
        Ok(self.epoll.as_fd())
    }
}

impl Drop for Poller {
    fn drop(&mut self) {
        if self.get().is_ok() {
            // SAFETY: it is not used after this.
            unsafe { ManuallyDrop::drop(&mut self.epoll) };
        }
    }
}
