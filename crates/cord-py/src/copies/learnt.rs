//! What the results of a function have been: whether something can stand for the next one.

use std::sync::atomic::{AtomicU32, AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};

use cord_core::{Outcome, Payload, KIND_VALUE};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyType};

const RETURNED: u8 = 1;
const ONE_OF_A_KIND: u8 = 2;

/// Whether code tells it from others by what it is, not by what it is equal to.
fn is_one_of_a_kind(value: &Bound<'_, PyAny>) -> bool {
    let py = value.py();
    value.is_none()
        || value.is_exact_instance_of::<PyBool>()
        || value.is_instance_of::<PyType>()
        || value.is(py.NotImplemented())
        || value.is(py.Ellipsis())
        || is_member(value).unwrap_or(true)
}

/// Whether it is a member of an enumeration.
fn is_member(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    static ENUM: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = value.py();
    let class = ENUM.get_or_try_init(py, || {
        PyResult::Ok(py.import("enum")?.getattr("Enum")?.unbind())
    })?;
    value.is_instance(class.bind(py))
}

/// Results up to this size are kept as samples.
const LARGEST: usize = 64 << 10;
/// Functions are told apart by numbers.
static NEXT: AtomicU32 = AtomicU32::new(0);

/// Of one function. A result that code tells by identity (`is None`) cannot be stood for by something
/// that waits for it: that test does not ask the object.
pub struct Learnt {
    seen: AtomicU8,
    number: u32,
    /// The last result, encoded: the next one will be like it.
    sample: Mutex<Option<Payload>>,
}

impl Default for Learnt {
    fn default() -> Learnt {
        Learnt {
            seen: AtomicU8::new(0),
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            sample: Mutex::default(),
        }
    }
}

impl Learnt {
    /// It has returned this.
    pub fn note(&self, value: &Bound<'_, PyAny>) {
        let seen = if is_one_of_a_kind(value) {
            RETURNED | ONE_OF_A_KIND
        } else {
            RETURNED
        };
        if self.seen.load(Ordering::Relaxed) & seen != seen {
            self.seen.fetch_or(seen, Ordering::Relaxed);
        }
    }

    /// Whether something may stand for its results that waits for them when it is asked.
    pub fn can_be_stood_for(&self) -> bool {
        self.seen.load(Ordering::Relaxed) == RETURNED
    }

    /// The number of the function.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// A call has come to this.
    pub fn keep_outcome(&self, outcome: &Outcome) {
        if let Outcome::Reply {
            kind: KIND_VALUE,
            head,
            buffers,
            ..
        } = outcome
        {
            if buffers.is_empty() && head.len() <= LARGEST {
                self.put(head);
            }
        }
    }

    /// It has returned this.
    pub fn keep(&self, payload: &Payload) {
        if payload.buffers.is_empty() && payload.head.len() <= LARGEST {
            self.put(&payload.head);
        }
    }

    fn put(&self, head: &[u8]) {
        let mut sample = self.sample.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *sample {
            Some(sample) => {
                sample.head.clear();
                sample.head.extend_from_slice(head);
            }
            none => {
                *none = Some(Payload {
                    head: head.to_vec(),
                    buffers: Vec::new(),
                });
            }
        }
    }

    /// What it returned last, if that is small.
    pub fn sample(&self) -> Option<Payload> {
        let sample = self.sample.try_lock().ok()?; // in a copy nobody would give it back
        let sample = sample.as_ref()?;
        Some(Payload {
            head: sample.head.clone(),
            buffers: Vec::new(),
        })
    }
}
