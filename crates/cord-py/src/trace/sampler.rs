//! Where the program is, looked at from time to time: what its lines take by themselves, and apart from
//! that, at which lines it is when it is at a call.
//!
//! A thread of Cord's takes the interpreter's lock for a moment and looks at the frames of the first
//! thread. The program lets go of the lock between two of its instructions, as it does for threads of its
//! own; what it does in one long instruction is seen at its end, and counts for its line as well.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{channel, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use cord_os::threads::{is_main_thread, spawn_quiet};
use pyo3::prelude::*;

use super::frames::Looked;
use super::Seen;

/// In how many takes the first thread is, one within the other.
static PAUSED: AtomicU32 = AtomicU32::new(0);

thread_local! {
    static IS_FIRST: bool = is_main_thread();
}

/// This thread begins a take.
pub fn pause() {
    if IS_FIRST.with(|is_first| *is_first) {
        PAUSED.fetch_add(1, Ordering::Relaxed);
    }
}

/// It has ended.
pub fn go_on() {
    if IS_FIRST.with(|is_first| *is_first) {
        PAUSED.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A thread that looks where the program is.
pub struct Sampler {
    stop: Sender<()>,
    thread: JoinHandle<(Seen, Seen)>,
}

impl Sampler {
    /// Begins to look at the thread that calls this.
    ///
    /// # Errors
    /// When there can be no more threads.
    pub fn begin(every: Duration, folders: Vec<String>) -> io::Result<Sampler> {
        let looked = Looked::here();
        let (stop, stopped) = channel();
        let thread = spawn_quiet("cord-sampler", move || {
            let mut own: HashMap<(String, u32), u64> = HashMap::new();
            let mut at_calls: HashMap<(String, u32), u64> = HashMap::new();
            while stopped.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                let (found, is_call) = Python::attach(|_| {
                    let place = looked.place(&folders);
                    (place, PAUSED.load(Ordering::Relaxed) > 0)
                });
                let seen = if is_call { &mut at_calls } else { &mut own };
                if let Some(place) = found {
                    *seen.entry(place).or_default() += 1;
                }
            }
            (listed(own), listed(at_calls))
        })?;
        Ok(Sampler { stop, thread })
    }

    /// Ends it: how often the program was seen where, calls apart, and where at calls. The interpreter's
    /// lock must not be held.
    pub fn end(self) -> (Seen, Seen) {
        drop(self.stop);
        self.thread.join().unwrap_or_default()
    }
}

fn listed(seen: HashMap<(String, u32), u64>) -> Seen {
    let mut all: Seen = (seen.into_iter())
        .map(|((file, line), times)| (file, line, times))
        .collect();
    all.sort();
    all
}
