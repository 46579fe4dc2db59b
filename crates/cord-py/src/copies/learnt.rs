//! What the results of a function have been: whether something can stand for the next one.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use cord_wire::outcome::{Outcome, KIND_VALUE};
use cord_wire::payload::Payload;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyType};

use super::context::{contexts, Contexts};

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
        || is_member(value)
}

/// Whether it is a member of an enumeration. No code of the program's or of the library's is run for
/// that: what a handler of a signal raised in it would be lost.
fn is_member(value: &Bound<'_, PyAny>) -> bool {
    let kind = value.get_type().get_type();
    let is_usual = kind.is(value.py().get_type::<PyType>());
    !is_usual && kind.mro().iter().any(|one| is_named(&one, "EnumType"))
}

fn is_named(class: &Bound<'_, PyAny>, name: &str) -> bool {
    let class = class.cast::<PyType>();
    class.is_ok_and(|class| class.name().is_ok_and(|known| known == name))
}

/// Of results up to this size the last one is kept as a sample for each context, and of larger ones one.
const SMALL: usize = 64 << 10;
/// For so many contexts.
const MOST: usize = 256;
const LARGEST: usize = 8 << 20;
/// Functions are told apart by numbers.
static NEXT: AtomicU32 = AtomicU32::new(0);

/// Of one function. A result that code tells by identity (`is None`) cannot be stood for by something
/// that waits for it: that test does not ask the object.
pub struct Learnt {
    seen: AtomicU8,
    number: u32,
    samples: Mutex<Samples>,
}

/// Results, encoded: the next ones will be like them.
#[derive(Default)]
struct Samples {
    last: Option<Arc<Payload>>,
    /// The last ones by the places that the calls came from.
    by_context: HashMap<u64, Arc<Payload>>,
}

impl Default for Learnt {
    fn default() -> Learnt {
        Learnt {
            seen: AtomicU8::new(0),
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            samples: Mutex::default(),
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
    pub fn keep_outcome(&self, py: Python<'_>, outcome: &Outcome) {
        if let Outcome::Reply {
            kind: KIND_VALUE,
            payload,
            ..
        } = outcome
        {
            self.keep(py, payload);
        }
    }

    /// It has returned this, to whoever calls it now.
    pub fn keep(&self, py: Python<'_>, payload: &Payload) {
        self.keep_at(contexts(py), payload);
    }

    /// It has returned this, to these places.
    pub fn keep_at(&self, places: Contexts, payload: &Payload) {
        let mut samples = self.samples.lock().unwrap_or_else(PoisonError::into_inner);
        let is_small = size_of(payload).is_some_and(|size| size <= SMALL);
        if !is_small && samples.last.is_some() {
            return;
        }
        let Some(sample) = copied(payload).map(Arc::new) else {
            return;
        };
        if is_small {
            for context in places {
                if samples.by_context.len() < MOST || samples.by_context.contains_key(&context) {
                    samples.by_context.insert(context, Arc::clone(&sample));
                }
            }
        }
        samples.last = Some(sample);
    }

    /// What it has returned, if that is not too large: to the place that calls it now, by as many callers
    /// as are known, or else to another one, the nearest first; and whether it was another one.
    pub fn sample(&self, py: Python<'_>) -> Option<(Payload, bool)> {
        let samples = self.samples.try_lock().ok()?; // in a copy nobody would give it back
        let of = |context| samples.by_context.get(&context);
        let [nearer @ .., some, all] = contexts(py);
        let far = || {
            nearer
                .into_iter()
                .rev()
                .find_map(of)
                .or(samples.last.as_ref())
        };
        let here = of(all).or_else(|| of(some));
        copied(here.or_else(far)?).map(|found| (found, here.is_none()))
    }
}

/// How large it is, unless there is no memory to see it in.
fn size_of(payload: &Payload) -> Option<usize> {
    let sizes = payload
        .buffers
        .iter()
        .map(|buffer| Some(buffer.bytes().ok()?.len()));
    Some(payload.head.len() + sizes.sum::<Option<usize>>()?)
}

/// A copy that nobody else sees; none of what is too large.
fn copied(payload: &Payload) -> Option<Payload> {
    let bytes = payload.buffers.iter().map(|buffer| buffer.bytes().ok());
    let bytes = bytes.collect::<Option<Vec<_>>>()?;
    let size: usize = bytes.iter().map(|one| one.len()).sum();
    if payload.head.len() + size > LARGEST {
        return None;
    }
    Some(Payload {
        codec: payload.codec,
        head: payload.head.clone(),
        buffers: bytes.iter().map(|one| one.to_vec().into()).collect(),
    })
}
