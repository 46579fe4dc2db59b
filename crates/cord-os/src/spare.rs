//! Descriptors held back for the moment when this process has no other left: what comes by descriptor
//! can be received then, one at a time, replicas can be linked, and one that was ended can be replaced.

use std::sync::{Mutex, PoisonError};

use rustix::fs::MemfdFlags;

use crate::descriptor::Descriptor;

/// A link takes two until its ends are handed over, and a third while its rings are made.
const COUNT: usize = 3;
/// Few programs have fewer descriptors than this, even those that lower their limit.
const USUAL: i32 = 64;

static SPARE: Mutex<Vec<Descriptor>> = Mutex::new(Vec::new());

/// Holds them back from now on, as far as there are any. (A child that the program forks may find them
/// locked for ever, and does without.)
pub fn keep() {
    if let Ok(mut spare) = SPARE.try_lock() {
        fill(&mut spare);
    }
}

/// Closes them: whoever asked for that needs some, and will have them kept again.
pub fn give() {
    if let Ok(mut spare) = SPARE.try_lock() {
        spare.clear();
    }
}

/// Does something with them at hand. Nobody else is lent them meanwhile.
pub fn lend<T>(act: impl FnOnce() -> T) -> T {
    let mut spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner);
    spare.clear();
    let done = act();
    fill(&mut spare);
    done
}

fn fill(spare: &mut Vec<Descriptor>) {
    while spare.len() < COUNT {
        match rustix::fs::memfd_create(c"cord spare", MemfdFlags::CLOEXEC) {
            Ok(file) => spare.push(Descriptor::below(USUAL, file)),
            Err(_) => return,
        }
    }
}
