//! What the program's threads tell the dispatcher's thread.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::kept::Rates;
use crate::live::Look;
use crate::ticket::slot::Held;
use cord_dispatch::dispatcher::{CallId, Heed};
use cord_os::self_pipe::SelfPipe;
use cord_sync::leader::{Leader, Rouse};
use cord_wire::payload::World;

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
    Issue(Box<Held>),
    /// The program waits for this call now.
    Demand(CallId),
    /// Nobody will take this call.
    Drop(CallId),
    /// This exception is to be raised in the midst of this call, if it has begun; else it is not to
    /// begin.
    Interrupt(CallId, Vec<u8>),
    /// Nobody waits any longer for this call to end by itself.
    GiveUp(CallId),
    /// Its value will not be passed on any more.
    LetGo(CallId),
    /// Somebody looks on: this is to be filled in.
    Look(Arc<Look>),
    /// All runs that share a store are to keep the rates together.
    Share(Arc<Rates>),
    /// Replicas are to load this module.
    Load {
        /// Index of the module.
        module: u32,
        /// How.
        load: Load,
    },
}

/// The queue between the program's threads and whoever leads the reactor: the dispatcher's thread, or
/// one that waits for a call.
#[derive(Debug)]
pub struct Mailbox {
    queue: Mutex<Queue>,
    wake: SelfPipe,
    leader: Leader,
    /// Whether the dispatcher's thread is wanted, where it is parked.
    wanted: Mutex<bool>,
    unparked: Condvar,
    abandoned: AtomicBool,
    cut_off: AtomicBool,
    next_call: AtomicU64,
    /// By module: what is worth waking the dispatcher for.
    heeds: Box<[Heeds]>,
}

#[derive(Debug)]
struct Heeds {
    issued: AtomicBool,
    /// From which call on.
    demanded: AtomicU64,
}

#[derive(Debug, Default)]
struct Queue {
    commands: Vec<Command>,
    closed: bool,
}

impl Mailbox {
    /// An empty, open mailbox for the calls of so many modules.
    pub fn new(modules: usize) -> std::io::Result<Mailbox> {
        Ok(Mailbox {
            queue: Mutex::default(),
            wake: SelfPipe::new()?,
            leader: Leader::default(),
            wanted: Mutex::default(),
            unparked: Condvar::new(),
            abandoned: AtomicBool::new(false),
            cut_off: AtomicBool::new(false),
            next_call: AtomicU64::new(1),
            heeds: (0..modules)
                .map(|_| Heeds {
                    issued: AtomicBool::new(true),
                    demanded: AtomicU64::new(0),
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
        self.post_quietly(command)?;
        self.rouse();
        Ok(())
    }

    /// A call of this module was posted quietly: wakes who leads, if that is worth it.
    pub fn heed_issue(&self, module: u32) {
        if self.heeds[module as usize].issued.load(Ordering::SeqCst) {
            self.rouse();
        }
    }

    /// The same for a call that the program waits for now.
    pub fn heed_demand(&self, module: u32, call: CallId) {
        if call >= self.heeds[module as usize].demanded.load(Ordering::SeqCst) {
            self.rouse();
        }
    }

    /// As [`Mailbox::post`], but wakes nobody: who posts will lead, or [`Mailbox::rouse`] who does.
    pub fn post_quietly(&self, command: Command) -> Result<(), Command> {
        if self.is_abandoned() {
            return Err(command);
        }
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        if queue.closed {
            return Err(command);
        }
        queue.commands.push(command);
        Ok(())
    }

    /// Says what is worth waking the dispatcher for; of the rest it hears when it next wakes. To
    /// be said before [`Mailbox::may_sleep`].
    pub fn set_heed(&self, module: usize, heed: Heed) {
        let heeds = &self.heeds[module];
        // the program's threads read it with every call: it is theirs while it stays the same
        if heeds.issued.load(Ordering::SeqCst) != heed.issued {
            heeds.issued.store(heed.issued, Ordering::SeqCst);
        }
        if heeds.demanded.load(Ordering::SeqCst) != heed.demanded {
            heeds.demanded.store(heed.demanded, Ordering::SeqCst);
        }
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

    /// The program has closed descriptors that lead to the replicas: nothing more is taken.
    pub fn cut_off(&self) {
        self.cut_off.store(true, Ordering::SeqCst);
        self.close();
    }

    /// Whether the program has closed descriptors that lead to the replicas.
    pub fn is_cut_off(&self) -> bool {
        self.cut_off.load(Ordering::Relaxed)
    }

    /// Moves all commands into `into`, which must be empty; false once the mailbox is closed.
    pub fn collect(&self, into: &mut Vec<Command>) -> bool {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::swap(&mut queue.commands, into);
        !queue.closed
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.commands.is_empty() && !queue.closed
    }

    /// Who leads is about to wait for events; true if it may, false if there is something to do.
    pub fn may_sleep(&self) -> bool {
        self.leader.polls();
        self.is_empty()
    }

    /// Who leads looks into the mailbox from now on.
    pub fn awake(&self) {
        self.leader.awake();
    }

    /// Nobody leads from now on; what is there already is for the dispatcher's thread.
    pub fn leave(&self) {
        self.leader.leaves();
        if !self.is_empty() {
            self.rouse();
        }
    }

    /// Parks the dispatcher's thread until it is wanted, for so long at most; whether it is.
    pub fn park(&self, longest: Duration) -> bool {
        let wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self
            .unparked
            .wait_timeout_while(wanted, longest, |wanted| !*wanted);
        std::mem::take(&mut *waited.unwrap_or_else(PoisonError::into_inner).0)
    }

    /// Has the dispatcher's thread lead.
    pub fn unpark(&self) {
        *self.wanted.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.unparked.notify_one();
    }

    /// Takes the wake-up note off the descriptor.
    pub fn clear_wake(&self) {
        self.wake.clear();
    }

    /// What becomes readable when there is something to do.
    pub fn wake(&self) -> &SelfPipe {
        &self.wake
    }

    /// Sees to it that somebody looks at what there is to do.
    pub fn rouse(&self) {
        if self.is_abandoned() {
            return;
        }
        match self.leader.rouse() {
            Rouse::Leader => self.wake.wake(),
            Rouse::Thread => self.unpark(),
            Rouse::Nobody => {}
        }
    }
}
