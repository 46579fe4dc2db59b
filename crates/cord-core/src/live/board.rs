//! Where the program's threads say where they are, for whoever looks on without the interpreter's lock.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

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
    /// Whether it is one by `while`: then calls are counted.
    pub is_while: bool,
    /// How many turns are done, where they can be counted.
    pub done: Option<usize>,
    /// How many there will be, where that was known when it began.
    pub total: Option<usize>,
    /// Since when.
    pub since: Instant,
    /// Since when the turn that is under way is, as far as somebody has looked.
    pub turn: Instant,
}

/// A line of the program's own that its first thread was at.
#[derive(Debug, Clone)]
pub struct Line {
    /// As "search.py:14".
    pub place: Arc<str>,
    /// When.
    pub seen: Instant,
}

/// What the program's threads say. Each says where it is whenever it comes to a call; of loops one says
/// something when it is asked to, for that takes longer.
#[derive(Debug, Default)]
pub struct Board {
    wants_loops: AtomicBool,
    /// How many calls the program has made by itself, instead of sending them.
    here: AtomicU64,
    said: Mutex<Said>,
    own: Mutex<Own>,
    own_changed: Condvar,
}

/// Questions where the program is in its own code, and the last answer.
#[derive(Debug, Default)]
struct Own {
    asked: u64,
    answered: u64,
    line: Option<Line>,
    is_over: bool,
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

    fn own(&self) -> MutexGuard<'_, Own> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// At which line of its own the program is, or was when somebody last could look: whoever looks
    /// needs the interpreter's lock for that, and is not waited for longer than this.
    pub fn own_line(&self, patience: Duration) -> Option<Line> {
        let mut own = self.own();
        own.asked += 1;
        self.own_changed.notify_all();
        let looks = |own: &mut Own| own.answered < own.asked && !own.is_over;
        let waited = self.own_changed.wait_timeout_while(own, patience, looks);
        let (own, _) = waited.unwrap_or_else(PoisonError::into_inner);
        own.line.clone()
    }

    /// Waits until somebody asks where the program is; false once nobody will.
    pub fn is_asked(&self) -> bool {
        let rests = |own: &mut Own| own.answered == own.asked && !own.is_over;
        let waited = self.own_changed.wait_while(self.own(), rests);
        !waited.unwrap_or_else(PoisonError::into_inner).is_over
    }

    /// The program is at this line of its own; none where it is at none.
    pub fn answer(&self, place: Option<Arc<str>>) {
        let mut own = self.own();
        own.answered = own.asked;
        let seen = Instant::now();
        own.line = place.map(|place| Line { place, seen });
        self.own_changed.notify_all();
    }

    /// Nobody looks any more.
    pub fn stop_asking(&self) {
        self.own().is_over = true;
        self.own_changed.notify_all();
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
    fn who_cannot_look_is_not_waited_for_and_the_last_line_is_told() {
        let board = Arc::new(Board::default());
        assert!(board.own_line(Duration::from_millis(1)).is_none());
        let looks = Arc::clone(&board);
        let looker = std::thread::spawn(move || {
            assert!(looks.is_asked());
            looks.answer(Some("main.py:3".into()));
            assert!(!looks.is_asked());
        });
        while board.own_line(Duration::from_secs(9)).is_none() {}
        board.stop_asking();
        let line = board.own_line(Duration::from_secs(9)).unwrap();
        assert_eq!(&*line.place, "main.py:3");
        looker.join().unwrap();
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
