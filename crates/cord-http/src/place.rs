//! Places: how many requests a pool serves and keeps waiting.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::Duration;

/// Who is served and who waits.
#[derive(Debug)]
pub struct Pool {
    /// The remote module.
    pub name: String,
    /// How many are served at once.
    pub capacity: usize,
    /// How many are inside at most, those that wait included.
    most: usize,
    inside: AtomicUsize,
    /// How long a call takes, in microseconds: a moving average.
    service: AtomicU64,
}

impl Pool {
    /// An empty one.
    pub fn new(name: String, capacity: usize, most: usize) -> Pool {
        Pool {
            name,
            capacity,
            most,
            inside: AtomicUsize::new(0),
            service: AtomicU64::new(0),
        }
    }

    /// How many are inside.
    pub fn inside(&self) -> usize {
        self.inside.load(Ordering::Relaxed)
    }

    /// Whether nobody else would be let in now.
    pub fn is_full(&self) -> bool {
        self.inside() >= self.most
    }

    /// A place, unless all are taken.
    pub fn enter(self: &Arc<Pool>) -> Option<Place> {
        let enter = |inside| (inside < self.most).then_some(inside + 1);
        let entered = self
            .inside
            .fetch_update(Ordering::AcqRel, Ordering::Relaxed, enter);
        entered.ok().map(|_| Place(Arc::clone(self)))
    }

    /// A call has taken so long.
    pub fn took(&self, service: Duration) {
        let new = u64::try_from(service.as_micros()).unwrap_or(u64::MAX);
        let old = self.service.load(Ordering::Relaxed);
        let mean = if old == 0 {
            new
        } else {
            old - old / 8 + new / 8
        };
        self.service.store(mean, Ordering::Relaxed);
    }

    /// In how many seconds there is likely to be room again.
    pub fn retry_after(&self) -> u64 {
        let waiting = self.inside().saturating_sub(self.capacity) as u64;
        let service = self.service.load(Ordering::Relaxed);
        let micros = (waiting / 2).saturating_mul(service) / self.capacity.max(1) as u64;
        micros.div_ceil(1_000_000).clamp(1, 120)
    }
}

/// A place in a pool; it is free when this is dropped.
#[derive(Debug)]
pub struct Place(Arc<Pool>);

impl Place {
    /// The pool.
    pub fn pool(&self) -> &Pool {
        &self.0
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.inside.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_pool_lets_nobody_in_until_one_leaves() {
        let pool = Arc::new(Pool::new("work".to_owned(), 1, 3));
        let mut places: Vec<Place> = (0..3).map(|_| pool.enter().unwrap()).collect();
        assert!(pool.is_full());
        assert!(pool.enter().is_none());
        places.pop();
        assert!(pool.enter().is_some());
    }

    #[test]
    fn who_is_refused_is_told_when_half_of_those_who_wait_will_be_served() {
        let pool = Arc::new(Pool::new("work".to_owned(), 2, 10));
        assert_eq!(pool.retry_after(), 1);
        let _places: Vec<Place> = (0..10).map(|_| pool.enter().unwrap()).collect();
        pool.took(Duration::from_secs(3));
        assert_eq!(pool.retry_after(), 6);
    }
}
