//! Scouts that never hit cost time: when to try again.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;

use crate::pace::Score;

/// Scouts that never hit are started less and less often: at most this many takes are let pass.
const MAX_PATIENCE: u32 = 1024;
/// A region may fail this often before it pauses, and pauses no longer than for so many takes.
const LENIENCE: u32 = 4;
const LONGEST_PAUSE: u32 = 32;

/// How well the scouts born at one site have done.
#[derive(Default)]
pub struct Record {
    last: Option<Arc<Score>>,
    failures: u32,
    pause: u32,
    pub window: usize,
}

impl Record {
    /// Whether to try again, given how the scouts born here have done.
    pub fn wants_scout(&mut self) -> bool {
        if self.pause > 0 {
            self.pause -= 1;
            return false;
        }
        if let Some(last) = self.last.take() {
            let hits = last.hits.load(Ordering::Relaxed);
            if hits > 0 {
                self.failures = 0;
                self.window = last.window.load(Ordering::Relaxed) / 2;
            } else {
                self.failures += 1;
                self.window /= 2;
                self.pause = 1u32
                    .checked_shl(self.failures)
                    .unwrap_or(MAX_PATIENCE)
                    .min(MAX_PATIENCE)
                    - 1;
                if self.pause > 1 {
                    return false;
                }
            }
        }
        true
    }

    /// Another scout is under way.
    pub fn watch(&mut self, score: &Arc<Score>) {
        self.last = Some(Arc::clone(score));
    }
}

/// How well the scouts of a whole region have done of late: a long row of calls, each by itself, must
/// not pay for a scout each.
#[pyclass(module = "cord._core", frozen)]
#[derive(Default)]
pub struct Patience(Mutex<Record>);

#[pymethods]
impl Patience {
    #[new]
    fn new() -> Self {
        Self::default()
    }
}

impl Patience {
    pub fn wants_scout(&self) -> bool {
        let mut record = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if record.pause > 0 {
            record.pause -= 1;
            return false;
        }
        let Some(last) = record.last.take() else {
            return true;
        };
        if last.hits.load(Ordering::Relaxed) > 0 {
            record.failures = 0;
            return true;
        }
        record.failures += 1;
        record.pause = record.failures.saturating_sub(LENIENCE).min(LONGEST_PAUSE);
        record.pause == 0
    }

    pub fn watch(&self, score: &Arc<Score>) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .watch(score);
    }
}
