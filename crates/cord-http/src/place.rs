//! Places: how many requests a pool serves and keeps waiting; and how a call ends that nobody waits for.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::Duration;

use cord_core::ticket::Ticket;
use tokio::runtime::Handle;

use crate::site::Site;

/// A call that was interrupted may take so long to end by itself.
const GRACE: Duration = Duration::from_secs(1);

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

/// Why nobody waits for a call any longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    /// The client is gone.
    HungUp,
    /// Its time is over.
    Late,
    /// Nothing more comes of it: it ends by itself.
    Over,
}

/// A call under way. However it ends, its place is free when it has: if this is dropped before, the
/// call leaves the queue, or is ended if it runs and may be. An impure one that runs is left to
/// finish when its client has hung up: half an effect would be worse than one.
pub struct Ending(Option<Underway>);

struct Underway {
    ticket: Ticket,
    place: Place,
    site: Arc<Site>,
    runtime: Handle,
    why: Why,
}

impl Ending {
    /// Of a call that was issued.
    pub fn new(ticket: Ticket, place: Place, site: Arc<Site>) -> Ending {
        Ending(Some(Underway {
            ticket,
            place,
            site,
            runtime: Handle::current(),
            why: Why::HungUp,
        }))
    }

    /// The call.
    pub fn ticket(&self) -> &Ticket {
        &self.0.as_ref().expect("until it is dropped").ticket
    }

    /// It has sent all that it sends, and comes to its end by itself.
    pub fn let_end(&mut self) {
        if let Some(underway) = &mut self.0 {
            underway.why = Why::Over;
        }
    }

    /// Its time is over.
    pub fn end_late(mut self) {
        if let Some(underway) = &mut self.0 {
            underway.why = Why::Late;
        }
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        let Some(underway) = self.0.take() else {
            return;
        };
        if underway.ticket.is_settled() {
            underway.place.pool().took(underway.ticket.service());
            print_what_it_printed(&underway);
            return;
        }
        let runtime = underway.runtime.clone();
        runtime.spawn(end(underway));
    }
}

async fn end(underway: Underway) {
    let (ticket, settled) = (&underway.ticket, &underway.site.settled);
    let in_time = || tokio::time::timeout(GRACE, settled.wait(ticket));
    if underway.why == Why::Over && in_time().await.is_ok() {
        underway.place.pool().took(ticket.service());
        return print_what_it_printed(&underway);
    }
    if underway.why == Why::Late || ticket.is_pure() {
        let plan = &underway.site.plan;
        let raised = match underway.why {
            Why::Late => &plan.late,
            Why::HungUp | Why::Over => &plan.gone,
        };
        ticket.interrupt(raised.clone());
        if in_time().await.is_err() {
            ticket.give_up();
        }
    } else {
        ticket.drop_call();
    }
    settled.wait(ticket).await;
    print_what_it_printed(&underway);
}

/// What it has printed comes out, whoever waits for its answer.
fn print_what_it_printed(underway: &Underway) {
    if let Some(cord_wire::outcome::Outcome::Reply { output, .. }) = underway.ticket.take() {
        underway.site.printed(output);
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
