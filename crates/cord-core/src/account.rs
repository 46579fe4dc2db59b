//! What the calls of one site have cost: times and bytes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Sums for one site, or for the calls of a function that no site tells apart. Kept only of calls that
/// are charged to it ([`crate::ticket::Ticket::charge`]).
#[derive(Debug, Default)]
pub struct Account {
    /// Nanoseconds that the program spent where these calls stand.
    spent: AtomicU64,
    /// Nanoseconds that they took in replicas.
    service: AtomicU64,
    /// So many have an outcome.
    served: AtomicU64,
    /// Bytes of arguments, and of what came back.
    sent: AtomicU64,
    came: AtomicU64,
    /// So many were answered by what was kept of others.
    kept: AtomicU64,
    /// Where these calls stand, as "search.py:14", where somebody has said so.
    place: OnceLock<Arc<str>>,
}

/// What a call is called: its function, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// As "search.find".
    pub function: Arc<str>,
    /// As "search.py:14", where that is known.
    pub place: Option<Arc<str>>,
}

/// The program's time at the calls, their time in replicas, both in nanoseconds; how many have an
/// outcome; bytes of arguments and of what came back; how many were answered by what was kept of others.
pub type Sums = (u64, u64, u64, u64, u64, u64);

impl Account {
    /// The program was at one of the calls for so long.
    pub fn spend(&self, time: Duration) {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.spent.fetch_add(nanos, Ordering::Relaxed);
    }

    /// One of them was issued, with so many bytes.
    pub fn send(&self, bytes: usize) {
        self.sent.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// One of them took so many nanoseconds in its replica, and so many bytes came back.
    pub fn settle(&self, service: u64, bytes: usize) {
        self.served.fetch_add(1, Ordering::Relaxed);
        self.service.fetch_add(service, Ordering::Relaxed);
        self.came.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// These calls stand there. Said once.
    pub fn stands_at(&self, place: &str) {
        self.place.get_or_init(|| place.into());
    }

    /// One of them was answered by what was kept of another, with so many bytes.
    pub(crate) fn find(&self, bytes: usize) {
        self.kept.fetch_add(1, Ordering::Relaxed);
        self.settle(0, bytes);
    }

    /// What one of these calls is called, of this function.
    pub fn name(&self, function: &Arc<str>) -> Named {
        Named {
            function: Arc::clone(function),
            place: self.place.get().cloned(),
        }
    }

    /// All of it.
    pub fn sums(&self) -> Sums {
        let read = |sum: &AtomicU64| sum.load(Ordering::Relaxed);
        (
            read(&self.spent),
            read(&self.service),
            read(&self.served),
            read(&self.sent),
            read(&self.came),
            read(&self.kept),
        )
    }
}
