//! How much may be out ahead of the program: calls issued and not yet taken, the bytes of their
//! arguments, and the bytes of replies that wait to be taken.
//!
//! Half of the bytes are for arguments and half for replies: calls are issued while there is room
//! for arguments, and sent while there is room for replies. So neither keeps the other from going
//! on, and the sum stays within the bound. What the program waits for is exempt.
//!
//! It also tells scouts that replicas have nothing to do.

use std::sync::{Arc, PoisonError};

use crate::bell;
use crate::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use crate::sync::{Mutex, MutexGuard};
use crate::wake::Wake;

/// Bounds that nobody asked for: calls, and bytes.
pub const LOOKAHEAD: (usize, usize) = (10_000, 256 << 20);

/// What is out of one kind of calls, and the most that may be.
#[derive(Debug)]
pub struct Budget {
    most_calls: usize,
    most_bytes: usize,
    calls: AtomicUsize,
    arguments: AtomicUsize,
    replies: AtomicUsize,
    /// Calls are held back until replies are taken.
    held: AtomicU32,
    /// A replica has nothing to do.
    idle: AtomicBool,
    /// Who is to be woken when one has.
    waiting: Mutex<Vec<(Arc<dyn Wake>, u64)>>,
}

impl Default for Budget {
    fn default() -> Budget {
        let (calls, bytes) = LOOKAHEAD;
        Budget::new(calls, bytes)
    }
}

impl Budget {
    /// A budget of so many calls and bytes.
    pub fn new(calls: usize, bytes: usize) -> Budget {
        Budget {
            most_calls: calls,
            most_bytes: bytes,
            calls: AtomicUsize::new(0),
            arguments: AtomicUsize::new(0),
            replies: AtomicUsize::new(0),
            held: AtomicU32::new(0),
            idle: AtomicBool::new(false),
            waiting: Mutex::new(Vec::new()),
        }
    }

    /// One with the same bounds, of which nothing is out.
    pub fn afresh(&self) -> Budget {
        Budget::new(self.most_calls, self.most_bytes)
    }

    /// The most calls that may be out.
    pub fn most_calls(&self) -> usize {
        self.most_calls
    }

    /// Whether no more calls are to be issued ahead of the program for now.
    pub fn is_spent(&self) -> bool {
        self.calls.load(Ordering::Relaxed) >= self.most_calls
            || self.arguments.load(Ordering::Relaxed) >= self.half()
    }

    /// Whether a replica has nothing to do.
    pub fn is_idle(&self) -> bool {
        self.idle.load(Ordering::SeqCst)
    }

    /// Has `who` woken when a replica has nothing to do, or now if one has nothing already.
    pub fn wake_when_idle(&self, who: &Arc<dyn Wake>, token: u64) {
        let mut waiting = self.waiting();
        waiting.push((Arc::clone(who), token));
        drop(waiting);
        if self.is_idle() {
            self.wake_waiting();
        }
    }

    /// Does not wake `who`.
    pub fn forget(&self, who: &Arc<dyn Wake>) {
        self.waiting()
            .retain(|(waiting, _)| !Arc::ptr_eq(waiting, who));
    }

    fn wake_waiting(&self) {
        for (who, token) in std::mem::take(&mut *self.waiting()) {
            who.wake(token);
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<(Arc<dyn Wake>, u64)>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says whether a replica has nothing to do.
    pub fn set_idle(&self, idle: bool) {
        if idle == self.is_idle() {
            return;
        }
        self.idle.store(idle, Ordering::SeqCst);
        if idle {
            self.wake_waiting();
        }
    }

    /// Whether calls that the program does not wait for are to stay where they are, given what
    /// replies to those under way will bring. If so, [`Budget::release`] tells when to look again.
    pub fn holds_back(&self, expected: usize) -> bool {
        if self.has_room(expected) {
            return false;
        }
        bell::raise(&self.held);
        !self.has_room(expected)
    }

    fn has_room(&self, expected: usize) -> bool {
        self.replies.load(Ordering::SeqCst).saturating_add(expected) < self.half()
    }

    fn half(&self) -> usize {
        self.most_bytes.div_ceil(2)
    }

    /// A call with arguments of so many bytes is out until what this gives is let go.
    pub fn spend(self: &Arc<Budget>, arguments: usize) -> Spent {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.arguments.fetch_add(arguments, Ordering::Relaxed);
        Spent {
            budget: Arc::clone(self),
            arguments,
        }
    }

    /// A reply of so many bytes waits to be taken.
    pub fn keep(&self, bytes: usize) {
        self.replies.fetch_add(bytes, Ordering::SeqCst);
    }

    /// It waits no more; true if calls were held back for it.
    pub fn release(&self, bytes: usize) -> bool {
        self.replies.fetch_sub(bytes, Ordering::SeqCst);
        bell::lower(&self.held)
    }
}

/// One call that is out.
#[derive(Debug)]
pub struct Spent {
    budget: Arc<Budget>,
    arguments: usize,
}

impl Drop for Spent {
    fn drop(&mut self) {
        self.budget.calls.fetch_sub(1, Ordering::Relaxed);
        self.budget
            .arguments
            .fetch_sub(self.arguments, Ordering::Relaxed);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn calls_and_arguments_are_bounded_while_they_are_out() {
        let budget = Arc::new(Budget::new(2, 1000));
        let first = budget.spend(10);
        assert!(!budget.is_spent());
        let second = budget.spend(10);
        assert!(budget.is_spent());
        drop((first, second));
        let large = budget.spend(500);
        assert!(budget.is_spent());
        drop(large);
        assert!(!budget.is_spent());
    }

    #[derive(Debug, Default)]
    struct Woken(Mutex<Vec<u64>>);

    impl Wake for Woken {
        fn wake(&self, token: u64) {
            self.0.lock().unwrap().push(token);
        }
    }

    #[test]
    fn who_waits_for_idle_replicas_is_woken_once() {
        let budget = Budget::default();
        let woken = Arc::new(Woken::default());
        let who: Arc<dyn Wake> = woken.clone();
        budget.wake_when_idle(&who, 3);
        budget.forget(&who);
        budget.wake_when_idle(&who, 4);
        assert!(woken.0.lock().unwrap().is_empty());
        budget.set_idle(true);
        budget.set_idle(true);
        assert_eq!(*woken.0.lock().unwrap(), [4]);
        budget.wake_when_idle(&who, 5);
        assert_eq!(*woken.0.lock().unwrap(), [4, 5], "one is idle already");
        budget.set_idle(false);
        assert!(!budget.is_idle());
    }

    #[test]
    fn calls_are_held_back_until_replies_are_taken() {
        let budget = Budget::new(100, 1000);
        budget.keep(300);
        assert!(!budget.holds_back(199));
        assert!(budget.holds_back(200));
        assert!(budget.release(300), "somebody waits for it");
        assert!(!budget.release(0));
        assert!(!budget.holds_back(200));
    }
}
