//! Memory that travels in calls under way, so that it is not copied once more for the next one.
//!
//! A loop that passes one array to many calls needs one copy of it, as long as nothing changes it. A
//! scout that comes to it again compares what was written since the last look, as far as the kernel
//! can tell that (`unwritten.rs`), else all of it: that takes less than a copy. The program's own take
//! compares all of it, as always.

use std::sync::{Mutex, MutexGuard, PoisonError};

use cord_wire::buffer::Buffer;
use cord_wire::payload::Payload;
use cord_wire::segment::{Segment, WeakSegment};
use pyo3::prelude::*;

use crate::travel::buffers::View;
use crate::travel::unwritten::{Looked, Unwritten};

/// Smaller ones are copied as fast as they are found here.
const FROM: usize = 64 * 1024;
/// So many are remembered, those that the program looked at last.
const MOST: usize = 16;

/// Used only with the interpreter held, so that a forked child finds it free.
static SENT: Mutex<Vec<Sent>> = Mutex::new(Vec::new());

/// A copy of what lies, or lay, at a place.
struct Sent {
    place: (usize, usize),
    copy: WeakSegment,
    /// Since it was last found to be the same.
    unwritten: Unwritten,
}

fn sent() -> MutexGuard<'static, Vec<Sent>> {
    SENT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The copy of this memory that was sent last, if it is one of it as it is now.
pub fn known(py: Python<'_>, view: &View) -> Option<Segment> {
    if view.place().1 < FROM {
        return None;
    }
    let (copy, looked) = look(view)?;
    is_found_same(py, view, &copy, looked).then_some(copy)
}

/// The copy that is known of this memory, and what of it is to be compared.
fn look(view: &View) -> Option<(Segment, Looked)> {
    let sent = sent();
    let found = sent.iter().find(|sent| sent.place == view.place())?;
    let copy = found.copy.upgrade()?;
    Some((copy, found.unwritten.look(view.bytes())))
}

fn is_found_same(py: Python<'_>, view: &View, copy: &Segment, looked: Looked) -> bool {
    let seen = |copy: &[u8]| looked.finds_same(view.bytes(), copy);
    let is_same = || copy.bytes().is_ok_and(seen);
    let same = match looked.compares() {
        0 => is_same(),
        _ => py.detach(is_same),
    };
    let mut sent = sent();
    let found = sent.iter_mut().find(|sent| {
        let known = sent.copy.upgrade();
        sent.place == view.place() && known.is_some_and(|known| known.is(copy))
    });
    if let Some(found) = found {
        found.unwritten.was_compared(looked, same);
    }
    same
}

/// The program has looked at an object's memory, and this is a copy of it.
pub fn note(view: &View, copy: &Segment) {
    let place = view.place();
    if place.1 < FROM || !copy.is_made_here() {
        return; // what was received is sent on while it is unwritten, and is not looked for here
    }
    let mut sent = sent();
    let known = sent.iter().position(|sent| {
        let known = sent.copy.upgrade();
        sent.place == place && known.is_some_and(|known| known.is(copy))
    });
    let noted = match known {
        Some(at) => sent.remove(at),
        None => Sent {
            place,
            copy: copy.downgrade(),
            unwritten: Unwritten::default(),
        },
    };
    sent.retain(|sent| sent.place != place && sent.copy.upgrade().is_some());
    if sent.len() >= MOST {
        sent.remove(0);
    }
    sent.push(noted);
}

/// The program has found that what it passes is what was sent.
pub fn note_all(passed: &Payload, sent: &Payload) {
    for (passed, sent) in passed.buffers.iter().zip(&sent.buffers) {
        if let (Buffer::Lent(memory), Buffer::Shared(copy)) = (passed, sent) {
            if let Some(view) = memory.as_any().downcast_ref::<View>() {
                note(view, copy);
            }
        }
    }
}
