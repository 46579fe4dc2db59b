//! Where the program's threads say where they are, for whoever looks on without the interpreter's lock.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::account::Named;

/// A call that a thread of the program is at.
#[derive(Debug, Clone)]
pub struct At {
    /// Which.
    pub call: Named,
    /// Since when.
    pub since: Instant,
}

/// A loop that the program is in.
#[derive(Debug, Clone)]
pub struct Walk {
    /// Where it stands, as "search.py:14".
    pub place: Arc<str>,
    /// How many turns are done, where they can be counted.
    pub done: Option<usize>,
    /// How many there will be, where that was known when it began.
    pub total: Option<usize>,
    /// Since when.
    pub since: Instant,
}

/// What the program's threads say. Each says where it is whenever it comes to a call; of loops one says
/// something when it is asked to, for that takes longer.
#[derive(Debug, Default)]
pub struct Board {
    wants_loops: AtomicBool,
    /// How many calls the program has made by itself, instead of sending them.
    here: AtomicU64,
    said: Mutex<Said>,
}

#[derive(Debug, Clone, Default)]
pub struct Said {
    /// The threads that are at a call, by their numbers.
    pub at: BTreeMap<u32, At>,
    /// The call that was over last, and when.
    pub last: Option<At>,
    /// The loops around the last call, the outermost first.
    pub loops: Vec<Walk>,
}

impl Board {
    fn lock(&self) -> MutexGuard<'_, Said> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A thread comes to a call. Gives the one that it is at already, if this one is inside.
    pub fn begin(&self, thread: u32, call: Named) -> Option<At> {
        let since = Instant::now();
        self.lock().at.insert(thread, At { call, since })
    }

    /// That call is over: the thread is where it was before.
    pub fn end(&self, thread: u32, before: Option<At>) {
        let mut said = self.lock();
        let ended = match before {
            Some(before) => said.at.insert(thread, before),
            None => said.at.remove(&thread),
        };
        said.last = ended.map(|at| At {
            since: Instant::now(),
            ..at
        });
    }

    /// Somebody wants to know of loops.
    pub fn want_loops(&self) {
        self.wants_loops.store(true, Ordering::Relaxed);
    }

    /// Whether somebody wants to know of loops; who asks is to say so.
    pub fn wants_loops(&self) -> bool {
        self.wants_loops.load(Ordering::Relaxed) && self.wants_loops.swap(false, Ordering::Relaxed)
    }

    /// These are the loops around a call, the outermost first.
    pub fn walk(&self, loops: Vec<Walk>) {
        self.lock().loops = loops;
    }

    /// The program makes a call by itself.
    pub fn count_here(&self) {
        self.here.fetch_add(1, Ordering::Relaxed);
    }

    /// How many calls the program has made by itself.
    pub fn here(&self) -> u64 {
        self.here.load(Ordering::Relaxed)
    }

    /// What was said.
    pub fn said(&self) -> Said {
        self.lock().clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(function: &str) -> Named {
        Named {
            function: function.into(),
            place: None,
        }
    }

    fn at(board: &Board, thread: u32) -> Option<String> {
        let said = board.said();
        said.at.get(&thread).map(|at| at.call.function.to_string())
    }

    #[test]
    fn a_thread_is_at_the_innermost_of_its_calls() {
        let board = Board::default();
        assert!(board.begin(1, call("outer")).is_none());
        let outer = board.begin(1, call("inner"));
        assert_eq!(at(&board, 1).unwrap(), "inner");
        assert_eq!(at(&board, 2), None);
        board.end(1, outer);
        assert_eq!(at(&board, 1).unwrap(), "outer");
        board.end(1, None);
        assert_eq!(at(&board, 1), None);
        assert_eq!(&*board.said().last.unwrap().call.function, "outer");
    }

    #[test]
    fn loops_are_told_once_for_each_time_that_somebody_looks() {
        let board = Board::default();
        assert!(!board.wants_loops());
        board.want_loops();
        assert!(board.wants_loops());
        assert!(!board.wants_loops());
    }
}
