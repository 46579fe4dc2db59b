//! What the program's threads tell the dispatcher's thread.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rustix::event::EventfdFlags;

use crate::dispatcher::{CallId, Heed};
use crate::payload::World;
use crate::ticket::Held;

/// The order to load a module.
#[derive(Debug)]
pub struct Load {
    /// The world to load it in.
    pub world: World,
    /// What replicas are told besides.
    pub order: Vec<u8>,
}

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
    /// Its value will not be passed on any more.
    LetGo(CallId),
    /// Replicas are to load this module.
    Load {
        /// Index of the module.
        module: u32,
        /// How.
        load: Load,
    },
}

/// The queue between the program's threads and the dispatcher's.
#[derive(Debug)]
pub struct Mailbox {
    queue: Mutex<Queue>,
    wake: OwnedFd,
    /// The dispatcher sleeps, or is about to: it must be woken.
    asleep: AtomicBool,
    abandoned: AtomicBool,
    next_call: AtomicU64,
    /// By module: what is worth waking the dispatcher for.
    heeds: Box<[Heeds]>,
}

#[derive(Debug)]
struct Heeds {
    issued: AtomicBool,
    demanded: AtomicBool,
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
            next_call: AtomicU64::new(1),
            heeds: (0..modules)
                .map(|_| Heeds {
                    issued: AtomicBool::new(true),
                    demanded: AtomicBool::new(true),
                })
                .collect(),
        })
    }

    /// A number for a new call.
    pub fn number_call(&self) -> CallId {
        self.next_call.fetch_add(1, Ordering::Relaxed)
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
        let heed = match &command {
            Command::Issue(held) => Some(&self.heeds[held.module() as usize].issued),
            Command::Demand { module, .. } => Some(&self.heeds[*module as usize].demanded),
            Command::Drop(_) | Command::LetGo(_) | Command::Load { .. } => None,
        };
        queue.commands.push(command);
        drop(queue);
        if heed.is_none_or(|heed| heed.load(Ordering::SeqCst)) {
            self.rouse();
        }
        Ok(())
    }

    /// Says what is worth waking the dispatcher for; of the rest it hears when it next wakes. To
    /// be said before [`Mailbox::may_sleep`].
    pub fn set_heed(&self, module: usize, heed: Heed) {
        self.heeds[module]
            .issued
            .store(heed.issued, Ordering::SeqCst);
        self.heeds[module]
            .demanded
            .store(heed.demanded, Ordering::SeqCst);
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

    /// Lets the dispatcher look at what there is to do.
    pub fn rouse(&self) {
        if self.asleep.swap(false, Ordering::SeqCst) {
            // A full counter wakes as well as one more.
            let _ = rustix::io::write(&self.wake, &1_u64.to_ne_bytes());
        }
    }
}
