//! Whether anybody looks into the mailbox, and who is to be told if not.

use crate::sync::atomic::{AtomicU8, Ordering};

/// Somebody leads the reactor and will look into the mailbox.
const AWAKE: u8 = 0;
/// Who leads waits for events, or is about to.
const POLLING: u8 = 1;
/// Nobody leads.
const NOBODY: u8 = 2;

/// What is to be done that somebody looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rouse {
    /// Nothing: somebody does.
    Nobody,
    /// Who leads is to be woken.
    Leader,
    /// The dispatcher's thread is to lead.
    Thread,
}

/// One of the states above.
#[derive(Debug, Default)]
pub struct Leader(AtomicU8);

impl Leader {
    /// Who leads is about to wait for events. What is there is to be looked for after this.
    pub fn polls(&self) {
        self.0.store(POLLING, Ordering::SeqCst);
    }

    /// Who leads looks from now on.
    pub fn awake(&self) {
        self.0.store(AWAKE, Ordering::SeqCst);
    }

    /// Nobody leads from now on. What is there is to be looked for after this.
    pub fn leaves(&self) {
        self.0.store(NOBODY, Ordering::SeqCst);
    }

    /// Something was put in: who is to be told.
    pub fn rouse(&self) -> Rouse {
        // Whoever is about to sleep says so before he looks into the queue, which has been added to.
        if self.0.load(Ordering::SeqCst) == AWAKE {
            return Rouse::Nobody;
        }
        match self.0.swap(AWAKE, Ordering::SeqCst) {
            POLLING => Rouse::Leader,
            NOBODY => Rouse::Thread,
            _ => Rouse::Nobody,
        }
    }
}
