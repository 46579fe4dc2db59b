//! What the program's threads tell the dispatcher's thread.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rustix::event::EventfdFlags;

use crate::dispatcher::CallId;
use crate::ticket::Held;

/// One request.
#[derive(Debug)]
pub enum Command {
    /// Take over this call.
    Issue(Held),
    /// The program waits for this call now.
    Demand {
        /// Which call.
        call: CallId,
        /// Index of its module.
        module: u32,
    },
    /// Nobody will take this call.
    Drop(CallId),
}

impl Command {
    /// The module that must be hungry for this to be worth waking the dispatcher, if any.
    fn module(&self) -> Option<u32> {
        match self {
            Command::Issue(held) => Some(held.module()),
            Command::Demand { module, .. } => Some(*module),
            Command::Drop(_) => None,
        }
    }
}

/// The queue between the program's threads and the dispatcher's.
#[derive(Debug)]
pub struct Mailbox {
    queue: Mutex<Queue>,
    wake: OwnedFd,
    /// The dispatcher sleeps, or is about to: it must be woken.
    asleep: AtomicBool,
    abandoned: AtomicBool,
    /// By module: whether a call issued now could be sent at once.
    hungry: Box<[AtomicBool]>,
}

#[derive(Debug, Default)]
struct Queue {
    commands: Vec<Command>,
    closed: bool,
}

impl Mailbox {
    /// An empty, open mailbox for the calls of so many modules.
    pub fn new(modules: usize) -> std::io::Result<Mailbox> {
        let flags = EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK;
        Ok(Mailbox {
            queue: Mutex::default(),
            wake: rustix::event::eventfd(0, flags)?,
            asleep: AtomicBool::new(false),
            abandoned: AtomicBool::new(false),
            hungry: (0..modules).map(|_| AtomicBool::new(true)).collect(),
        })
    }

    /// Puts `command` in; hands it back if the session is closed.
    pub fn post(&self, command: Command) -> Result<(), Command> {
        if self.is_abandoned() {
            return Err(command);
        }
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        if queue.closed {
            return Err(command);
        }
        let module = command.module();
        queue.commands.push(command);
        drop(queue);
        if module.is_none_or(|module| self.hungry[module as usize].load(Ordering::SeqCst)) {
            self.rouse();
        }
        Ok(())
    }

    /// Whether a call of `module` issued now could be sent at once. If not, issuing one does not
    /// wake the dispatcher: the next reply will. To be said before [`Mailbox::may_sleep`].
    pub fn set_hungry(&self, module: usize, hungry: bool) {
        self.hungry[module].store(hungry, Ordering::SeqCst);
    }

    /// Closes the mailbox: nothing more is taken.
    pub fn close(&self) {
        self.queue
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .closed = true;
        self.rouse();
    }

    /// In a forked child: the dispatcher's thread does not exist here, and may have held the lock.
    pub fn abandon(&self) {
        self.abandoned.store(true, Ordering::SeqCst);
    }

    /// Whether this is a forked child's copy.
    pub fn is_abandoned(&self) -> bool {
        self.abandoned.load(Ordering::Relaxed)
    }

    /// Moves all commands into `into`, which must be empty; false once the mailbox is closed.
    pub fn collect(&self, into: &mut Vec<Command>) -> bool {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::swap(&mut queue.commands, into);
        !queue.closed
    }

    /// The dispatcher is about to sleep; true if it may, false if there is something to do.
    pub fn may_sleep(&self) -> bool {
        self.asleep.store(true, Ordering::SeqCst);
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.commands.is_empty() && !queue.closed
    }

    /// The dispatcher is awake again.
    pub fn awake(&self) {
        self.asleep.store(false, Ordering::SeqCst);
    }

    /// Takes the wake-up note off the descriptor.
    pub fn clear_wake(&self) {
        let _ = rustix::io::read(&self.wake, &mut [0; 8]);
    }

    /// The descriptor that becomes readable when there is something to do.
    pub fn descriptor(&self) -> BorrowedFd<'_> {
        self.wake.as_fd()
    }

    fn rouse(&self) {
        if self.asleep.swap(false, Ordering::SeqCst) {
            // A full counter wakes as well as one more.
            let _ = rustix::io::write(&self.wake, &1_u64.to_ne_bytes());
        }
    }
}
