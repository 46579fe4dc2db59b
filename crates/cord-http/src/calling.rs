//! Waiting for a call without a thread: its ticket wakes a task.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use cord_core::ticket::Ticket;
use cord_sync::wake::Wake;
use tokio::sync::Notify;

/// Calls that have been settled, and whose tasks have not heard of it.
///
/// It takes a system call to wake a task from another thread. The dispatcher settles many calls in a row,
/// so it rings once for all of them, and the tasks are woken by one of their own thread.
#[derive(Debug, Default)]
pub struct Settled {
    calls: Mutex<Vec<Arc<Call>>>,
    bell: Notify,
}

/// A call that a task waits for.
#[derive(Debug)]
struct Call {
    itself: Weak<Call>,
    settled: Arc<Settled>,
    task: Notify,
}

impl Wake for Call {
    fn wake(&self, _token: u64) {
        let Some(call) = self.itself.upgrade() else {
            return;
        };
        let mut calls = self.settled.calls();
        calls.push(call);
        if calls.len() == 1 {
            self.settled.bell.notify_one();
        }
    }
}

impl Settled {
    /// Waits until the call is settled.
    pub async fn wait(self: &Arc<Settled>, ticket: &Ticket) {
        let call = Arc::new_cyclic(|itself| Call {
            itself: Weak::clone(itself),
            settled: Arc::clone(self),
            task: Notify::new(),
        });
        let who: Arc<dyn Wake> = Arc::clone(&call) as Arc<dyn Wake>;
        if ticket.wake(&who, 0) {
            call.task.notified().await;
        }
    }

    /// Wakes tasks for as long as the runtime lives.
    pub async fn run(self: Arc<Settled>) {
        let mut calls = Vec::new();
        loop {
            self.bell.notified().await;
            std::mem::swap(&mut *self.calls(), &mut calls);
            for call in calls.drain(..) {
                call.task.notify_one();
            }
        }
    }

    fn calls(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Call>>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
