//! Who leads the reactor: who looks what there is to do, and waits for events.
//!
//! While calls are under way that nobody waits for, the dispatcher's thread leads. A thread that
//! waits for its own call while nothing else is under way leads by itself: it hands its call to the
//! replica and looks for the reply, without the way over another thread and back. When it has its
//! reply, it leaves the reactor to nobody if all is done, else to the dispatcher's thread.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

use super::Reactor;
use crate::engine::Launcher;
use crate::mailbox::Mailbox;
use crate::ticket::Ticket;
use cord_os::complaint::complain;
use cord_wire::loss::Untold;

/// If nobody has led for so long, the dispatcher's thread does, lest it be for ever.
const UNLED: Duration = Duration::from_millis(50);
/// A thread that cannot lead any more looks again after so long.
const A_MOMENT: Duration = Duration::from_millis(1);

/// A reactor, and the right to lead it.
#[derive(Debug)]
pub struct Lead<L: Launcher> {
    reactor: Mutex<Reactor<L>>,
    mailbox: Arc<Mailbox>,
    /// How often threads have waited for calls of theirs.
    waits: AtomicUsize,
}

impl<L: Launcher> Lead<L> {
    /// A reactor that nobody leads yet.
    pub fn new(reactor: Reactor<L>, mailbox: Arc<Mailbox>) -> Lead<L> {
        Lead {
            reactor: Mutex::new(reactor),
            mailbox,
            waits: AtomicUsize::new(0),
        }
    }

    /// What the dispatcher's thread does, until the mailbox is closed. As [`Reactor::shut_down`]. Where a
    /// thread that led has panicked, nobody goes on with what it has left: all that is not settled is
    /// closed.
    pub fn run(&self) -> Untold {
        let mut seen = 0;
        loop {
            let Ok(mut reactor) = self.reactor.lock() else {
                complain("internal error: the session is closed");
                self.mailbox.close();
                return Untold::new();
            };
            self.mailbox.awake();
            loop {
                if !reactor.turn() {
                    reactor.make_all_again();
                    return reactor.shut_down();
                }
                let waits = self.waits.load(Ordering::Relaxed);
                if waits != seen && reactor.is_at_rest() {
                    seen = waits;
                    break;
                }
                reactor.make_again();
                reactor.rest(None);
            }
            self.mailbox.leave();
            drop(reactor);
            self.mailbox.park(UNLED);
        }
    }

    /// Leads until a call is settled, for `timeout` at most, if nobody does; gives for how long it is to
    /// be waited for yet, by who has let go of this: all is closed once nobody has it any more.
    /// `quiet`: nobody was told of the call yet.
    pub fn wait(&self, ticket: &Ticket, timeout: Duration, quiet: bool) -> Duration {
        self.waits.fetch_add(1, Ordering::Relaxed);
        match self.reactor.try_lock() {
            Ok(reactor) => return self.lead(reactor, ticket, timeout),
            Err(TryLockError::Poisoned(_)) => {
                self.mailbox.close();
                return A_MOMENT;
            }
            Err(TryLockError::WouldBlock) if quiet => self.mailbox.rouse(),
            Err(TryLockError::WouldBlock) => {}
        }
        timeout
    }

    /// A panic in the midst of a turn.
    #[cfg(test)]
    pub fn spoil(&self) {
        let _reactor = self.reactor.lock();
        panic!("on purpose");
    }

    /// Leads for this time at most; gives what is left of it.
    fn lead(
        &self,
        mut reactor: MutexGuard<'_, Reactor<L>>,
        ticket: &Ticket,
        timeout: Duration,
    ) -> Duration {
        self.mailbox.awake();
        let mut left = timeout;
        let mut until = None; // the clock is not asked where the answer comes soon
        let mut is_open = reactor.turn();
        while is_open && !ticket.is_settled() {
            if !reactor.look_out(ticket.id()) {
                let now = Instant::now();
                left = until
                    .get_or_insert(now + timeout)
                    .saturating_duration_since(now);
                if left.is_zero() {
                    break;
                }
                reactor.rest(Some(left));
            }
            is_open = reactor.turn();
        }
        if is_open && reactor.is_at_rest() {
            self.mailbox.leave();
        } else {
            self.mailbox.unpark();
        }
        left
    }
}
