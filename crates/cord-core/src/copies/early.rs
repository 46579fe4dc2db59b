//! A call that a copy has issued, until the program takes it.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::Arc;

use super::Found;
use crate::copies::knowledge::Place;
use crate::ticket::Watch;

/// Counts calls that were issued and never taken.
#[derive(Debug, Clone, Default)]
pub struct Waste(Arc<AtomicU32>);

impl Waste {
    /// How many there were since this was last asked.
    pub fn since(&self) -> u32 {
        self.0.swap(0, Ordering::Relaxed)
    }
}

/// A ticket, and what is known of how the copy came to it.
#[derive(Debug)]
pub struct Early {
    /// The copy's number for it.
    pub number: u32,
    pub function: u32,
    pub guess: Option<Place>,
    found: Option<Found>,
    waste: Waste,
}

impl Early {
    pub fn new(found: Found, waste: &Waste) -> Early {
        Early {
            number: 0,
            function: 0,
            guess: None,
            found: Some(found),
            waste: waste.clone(),
        }
    }

    /// A view of the call.
    pub fn watch(&self) -> Option<Watch> {
        self.found.as_ref().map(|(ticket, _)| ticket.watch())
    }

    /// The program takes it.
    pub fn take(mut self) -> Option<Found> {
        self.found.take()
    }
}

impl Drop for Early {
    fn drop(&mut self) {
        if self.found.is_some() {
            self.waste.0.fetch_add(1, Ordering::Relaxed);
        }
    }
}
