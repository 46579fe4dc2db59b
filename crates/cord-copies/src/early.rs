//! A call that a copy has issued, until the program takes it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::issue::Issue;
use crate::knowledge::Place;
use cord_core::ticket::{Ticket, Watch};
use cord_sync::budget::Spent;

/// A ticket of a call that a copy came to.
#[derive(Debug)]
pub struct Found {
    pub ticket: Ticket,
    /// It was issued so many calls of the program's before; 0 if the program stood there already.
    pub calls: usize,
    /// Its part of what may be out, until the program has it.
    pub spent: Spent,
}

/// Counts calls that were issued and never taken.
#[derive(Debug, Clone, Default)]
pub struct Waste(Arc<AtomicU32>);

impl Waste {
    /// How many there were since this was last asked.
    pub fn since(&self) -> u32 {
        self.0.swap(0, Ordering::Relaxed)
    }
}

/// How many calls copies have issued and the program has never taken, by whom its calls are counted.
static IN_VAIN: Mutex<BTreeMap<u64, u32>> = Mutex::new(BTreeMap::new());

fn in_vain() -> MutexGuard<'static, BTreeMap<u64, u32>> {
    IN_VAIN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How many calls that are counted there copies have issued and the program has never taken.
pub fn in_vain_at(counted: u64) -> u32 {
    in_vain().get(&counted).copied().unwrap_or_default()
}

/// A ticket, and what is known of how the copy came to it.
#[derive(Debug)]
pub struct Early {
    /// The copy's number for it.
    pub number: u32,
    /// The leader's process, if one of the copy's has issued it.
    pub leader: Option<i32>,
    /// The lines that it was made by, in copies.
    pub place: Place,
    pub guess: Option<Place>,
    /// See [`Issue::counted`](crate::issue::Issue::counted).
    pub counted: u64,
    /// So many calls the program had made when it was issued.
    pub made: u32,
    found: Option<(Ticket, Spent)>,
    waste: Waste,
}

impl Early {
    pub fn new(found: (Ticket, Spent), issue: &Issue<'_>, made: u32, waste: &Waste) -> Early {
        Early {
            number: issue.number,
            leader: None,
            place: issue.place,
            guess: issue.guess,
            counted: issue.counted,
            made,
            found: Some(found),
            waste: waste.clone(),
        }
    }

    /// A view of the call.
    pub fn watch(&self) -> Option<Watch> {
        self.found.as_ref().map(|(ticket, _)| ticket.watch())
    }

    /// The program takes it, at its call of this number.
    pub fn take(mut self, made: u32) -> Option<Found> {
        let (ticket, spent) = self.found.take()?;
        Some(Found {
            ticket,
            calls: made.saturating_sub(self.made) as usize,
            spent,
        })
    }
}

impl Drop for Early {
    fn drop(&mut self) {
        if self.found.is_some() {
            self.waste.0.fetch_add(1, Ordering::Relaxed);
            *in_vain().entry(self.counted).or_default() += 1;
        }
    }
}
