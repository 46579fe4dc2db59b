//! Waiting for a call without a thread: its ticket wakes a task.

use std::sync::Arc;

use cord_core::{Ticket, Wake};
use tokio::sync::Notify;

#[derive(Debug, Default)]
struct Woken(Notify);

impl Wake for Woken {
    fn wake(&self, _token: u64) {
        self.0.notify_one();
    }
}

/// Waits until the call is settled.
pub async fn settled(ticket: &Ticket) {
    let woken = Arc::new(Woken::default());
    let who: Arc<dyn Wake> = Arc::clone(&woken) as Arc<dyn Wake>;
    if ticket.wake(&who, 0) {
        woken.0.notified().await;
    }
}
