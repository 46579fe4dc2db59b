//! How a call ends that nobody waits for.

use std::sync::Arc;
use std::time::Duration;

use cord_core::ticket::Ticket;
use tokio::runtime::Handle;

use crate::place::Place;
use crate::site::Site;

/// A call that was interrupted may take so long to end by itself.
const GRACE: Duration = Duration::from_secs(1);

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
