//! Who leads the engine: who looks what there is to do, and waits for events.
//!
//! While calls are under way that nobody waits for, the dispatcher's thread leads. A thread that
//! waits for its own call while nothing else is under way leads by itself: it hands its call to the
//! replica and looks for the reply, without the way over another thread and back. When it has its
//! reply, it leaves the engine to nobody if all is done, else to the dispatcher's thread.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use super::Engine;
use crate::loss::Untold;
use crate::mailbox::Mailbox;
use crate::ticket::Ticket;

/// If nobody has led for so long, the dispatcher's thread does, lest it be for ever.
const UNLED: Duration = Duration::from_millis(50);

/// An engine, and the right to lead it.
#[derive(Debug)]
pub struct Lead {
    engine: Mutex<Engine>,
    mailbox: Arc<Mailbox>,
    /// How often threads have waited for calls of theirs.
    waits: AtomicUsize,
}

impl Lead {
    /// An engine that nobody leads yet.
    pub fn new(engine: Engine, mailbox: Arc<Mailbox>) -> Lead {
        Lead {
            engine: Mutex::new(engine),
            mailbox,
            waits: AtomicUsize::new(0),
        }
    }

    /// What the dispatcher's thread does, until the mailbox is closed. As [`Engine::shut_down`].
    pub fn run(&self) -> Untold {
        let mut seen = 0;
        loop {
            let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
            self.mailbox.awake();
            loop {
                if !engine.turn() {
                    return engine.shut_down();
                }
                let waits = self.waits.load(Ordering::Relaxed);
                if waits != seen && engine.is_at_rest() {
                    seen = waits;
                    break;
                }
                engine.rest(None);
            }
            self.mailbox.leave();
            drop(engine);
            self.mailbox.park(UNLED);
        }
    }

    /// Waits until a call is settled or the time has come, and leads meanwhile if nobody does.
    /// `quiet`: nobody was told of the call yet.
    pub fn wait(&self, ticket: &Ticket, until: Instant, quiet: bool) -> bool {
        self.waits.fetch_add(1, Ordering::Relaxed);
        match self.engine.try_lock() {
            Ok(engine) => self.lead(engine, ticket, until),
            Err(TryLockError::Poisoned(poisoned)) => {
                self.lead(poisoned.into_inner(), ticket, until);
            }
            Err(TryLockError::WouldBlock) if quiet => self.mailbox.rouse(),
            Err(TryLockError::WouldBlock) => {}
        }
        ticket.wait(until.saturating_duration_since(Instant::now()))
    }

    fn lead(&self, mut engine: MutexGuard<'_, Engine>, ticket: &Ticket, until: Instant) {
        self.mailbox.awake();
        let mut is_open = engine.turn();
        while is_open && !ticket.is_settled() {
            if !engine.look_out(ticket.id()) {
                let left = until.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    break;
                }
                engine.rest(Some(left));
            }
            is_open = engine.turn();
        }
        if is_open && engine.is_at_rest() {
            self.mailbox.leave();
        } else {
            self.mailbox.unpark();
        }
    }
}
