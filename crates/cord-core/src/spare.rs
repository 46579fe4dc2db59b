//! Descriptors held back for the moment when this process has no other left: what comes by descriptor
//! can be received then, one at a time, and two replicas can be linked.

use std::os::fd::OwnedFd;
use std::sync::{Mutex, PoisonError};

use rustix::fs::MemfdFlags;

/// A link takes two until its ends are handed over.
const COUNT: usize = 2;

static SPARE: Mutex<Vec<Spare>> = Mutex::new(Vec::new());

#[derive(Debug)]
struct Spare {
    file: OwnedFd,
    which: (u64, u64),
}

impl Spare {
    fn new() -> rustix::io::Result<Spare> {
        let file = rustix::fs::memfd_create(c"cord spare", MemfdFlags::CLOEXEC)?;
        let which = which(&file)?;
        Ok(Spare { file, which })
    }

    /// Closes it, unless the program has closed it and opened something else.
    fn give(self) {
        if which(&self.file) != Ok(self.which) {
            std::mem::forget(self);
        }
    }
}

fn which(file: &OwnedFd) -> rustix::io::Result<(u64, u64)> {
    let stat = rustix::fs::fstat(file)?;
    Ok((stat.st_dev, stat.st_ino))
}

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
        spare.drain(..).for_each(Spare::give);
    }
}

/// Does something with them at hand. Nobody else is lent them meanwhile.
pub(crate) fn lend<T>(act: impl FnOnce() -> T) -> T {
    let mut spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner);
    spare.drain(..).for_each(Spare::give);
    let done = act();
    fill(&mut spare);
    done
}

fn fill(spare: &mut Vec<Spare>) {
    while spare.len() < COUNT {
        match Spare::new() {
            Ok(one) => spare.push(one),
            Err(_) => return,
        }
    }
}
