//! Strands whose values have come, and a place to wait for that.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::pace::Pace;
use cord_core::ticket::Ticket;
use cord_sync::wake::Wake;

/// What wakes the program when it waits for its own call.
const AWAITED: u64 = u64::MAX;

/// The strands of one scout that can go on, in the order in which their values have come.
#[derive(Debug, Default)]
pub struct Signal {
    inner: Mutex<Woken>,
    changed: Condvar,
    count: AtomicUsize,
}

#[derive(Debug, Default)]
struct Woken {
    strands: VecDeque<u64>,
    awaited: bool,
}

impl Wake for Signal {
    /// A strand can go on, or the program.
    fn wake(&self, token: u64) {
        let mut inner = self.lock();
        if token == AWAITED {
            inner.awaited = true;
        } else {
            inner.strands.push_back(token);
            self.count.fetch_add(1, Ordering::Release);
        }
        self.changed.notify_all();
    }
}

impl Signal {
    fn lock(&self) -> MutexGuard<'_, Woken> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a strand is woken.
    pub fn is_set(&self) -> bool {
        self.count() > 0
    }

    /// How many strands are woken.
    pub(super) fn count(&self) -> usize {
        self.count.load(Ordering::Acquire)
    }

    /// The strand that was woken first.
    pub(super) fn next(&self) -> Option<u64> {
        if !self.is_set() {
            return None;
        }
        let next = self.lock().strands.pop_front();
        if next.is_some() {
            self.count.fetch_sub(1, Ordering::Release);
        }
        next
    }

    /// Waits until the call is settled or a strand can go on, for `timeout` at most; where a pace is
    /// given, also until idle replicas make more calls welcome.
    pub fn wait(self: &Arc<Self>, ticket: &Ticket, pace: Option<&Pace>, timeout: Duration) {
        self.lock().awaited = false;
        let who: Arc<dyn Wake> = Arc::clone(self) as Arc<dyn Wake>;
        if !ticket.wake(&who, AWAITED) {
            return;
        }
        if let Some(pace) = pace {
            pace.wake_when_idle(&who, AWAITED);
        }
        let inner = self.lock();
        let still = |woken: &mut Woken| !woken.awaited && woken.strands.is_empty();
        let waited = self.changed.wait_timeout_while(inner, timeout, still);
        drop(waited);
        if let Some(pace) = pace {
            pace.forget(&who);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strands_go_on_in_the_order_in_which_they_were_woken() {
        let signal = Signal::default();
        signal.wake(4);
        signal.wake(2);
        signal.wake(AWAITED);
        assert_eq!(signal.count(), 2, "the program is no strand");
        assert_eq!((signal.next(), signal.next()), (Some(4), Some(2)));
        assert!(!signal.is_set() && signal.next().is_none());
    }
}
