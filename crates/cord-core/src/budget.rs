//! How much may be out ahead of the program: calls issued and not yet taken, the bytes of their
//! arguments, and the bytes of replies that wait to be taken.
//!
//! Half of the bytes are for arguments and half for replies: calls are issued while there is room
//! for arguments, and sent while there is room for replies. So neither keeps the other from going
//! on, and the sum stays within the bound. What the program waits for is exempt.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Arc;

/// Bounds that nobody asked for.
const CALLS: usize = 10_000;
const BYTES: usize = 256 << 20;

/// What is out of one kind of calls, and the most that may be.
#[derive(Debug)]
pub struct Budget {
    most_calls: usize,
    most_bytes: usize,
    calls: AtomicUsize,
    arguments: AtomicUsize,
    replies: AtomicUsize,
    /// Calls are held back until replies are taken.
    held: AtomicBool,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::new(CALLS, BYTES)
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
            held: AtomicBool::new(false),
        }
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

    /// Whether calls that the program does not wait for are to stay where they are, given what
    /// replies to those under way will bring. If so, [`Budget::release`] tells when to look again.
    pub fn holds_back(&self, expected: usize) -> bool {
        if self.has_room(expected) {
            return false;
        }
        self.held.store(true, Ordering::SeqCst);
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
        self.held.swap(false, Ordering::SeqCst)
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

#[cfg(test)]
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
