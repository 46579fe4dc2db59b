//! Memory that travels in calls under way, so that it is not copied once more for the next one.
//!
//! A loop that passes one array to many calls needs one copy of it, as long as nothing changes it. A
//! scout relies on what the program found when it last looked at the same live object: if that has
//! changed since, the guess is wrong, and the take finds that out by comparing, as it does anyway.

use std::sync::{Mutex, MutexGuard, PoisonError};

use cord_core::{Buffer, Payload, Segment, WeakSegment};
use pyo3::prelude::*;
use pyo3::types::{PyWeakrefMethods, PyWeakrefReference};

use crate::buffers::View;

/// Smaller ones are copied as fast as they are found here.
const FROM: usize = 1 << 20;
/// So many are remembered, those that the program looked at last.
const MOST: usize = 16;

/// Used only with the interpreter held, so that a forked child finds it free.
static SENT: Mutex<Vec<Sent>> = Mutex::new(Vec::new());

struct Sent {
    place: (usize, usize),
    owner: Py<PyWeakrefReference>,
    copy: WeakSegment,
}

fn sent() -> MutexGuard<'static, Vec<Sent>> {
    SENT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The copy of an object's memory that the program found to be right, if there still is one.
pub fn known(py: Python<'_>, view: &View) -> Option<Segment> {
    let (place, owner) = (view.place(), view.owner(py)?);
    if place.1 < FROM {
        return None;
    }
    let sent = sent();
    let found = sent.iter().find(|sent| {
        let known = sent.owner.bind(py).upgrade();
        sent.place == place && known.is_some_and(|known| known.is(&owner))
    })?;
    found.copy.upgrade()
}

/// The program has looked at an object's memory, and this is a copy of it.
pub fn note(py: Python<'_>, view: &View, copy: &Segment) {
    let (place, owner) = (view.place(), view.owner(py));
    let Some(owner) = owner.filter(|_| place.1 >= FROM) else {
        return;
    };
    let Ok(owner) = PyWeakrefReference::new(&owner) else {
        return; // nobody could tell it from what comes to lie there next
    };
    let new = Sent {
        place,
        owner: owner.unbind(),
        copy: copy.downgrade(),
    };
    let forgotten: Vec<Sent> = {
        let mut sent = sent();
        let is_over = |sent: &Sent| sent.place == place || sent.copy.upgrade().is_none();
        let (mut forgotten, mut rest): (Vec<_>, Vec<_>) = sent.drain(..).partition(is_over);
        if rest.len() >= MOST {
            forgotten.push(rest.remove(0));
        }
        rest.push(new);
        *sent = rest;
        forgotten
    };
    drop(forgotten); // not under the lock: weak references run code
}

/// The program has found that what it passes is what was sent.
pub fn note_all(py: Python<'_>, passed: &Payload, sent: &Payload) {
    for (passed, sent) in passed.buffers.iter().zip(&sent.buffers) {
        if let (Buffer::Lent(memory), Buffer::Shared(copy)) = (passed, sent) {
            if let Some(view) = memory.as_any().downcast_ref::<View>() {
                note(py, view, copy);
            }
        }
    }
}
