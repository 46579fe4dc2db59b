//! What wakes an event loop of the program's when a call is settled.

use std::os::fd::{AsRawFd, RawFd};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cord_core::ticket::Ticket;
use cord_os::self_pipe::SelfPipe;
use cord_sync::wake::Wake;
use pyo3::PyResult;

/// What wakes event loops, put aside while none waits.
static IDLE: Mutex<Vec<Arc<Bell>>> = Mutex::new(Vec::new());

/// Wakes an event loop when a call is settled.
#[derive(Debug)]
pub struct Bell(SelfPipe);

impl Wake for Bell {
    fn wake(&self, _: u64) {
        self.0.wake();
    }
}

impl Bell {
    /// One that is rung when a call is settled; none if it is.
    pub fn of(ticket: &Ticket) -> PyResult<Option<Arc<Bell>>> {
        let kept = idle().pop();
        let bell = kept.map_or_else(|| SelfPipe::new().map(|pipe| Arc::new(Bell(pipe))), Ok)?;
        let who: Arc<dyn Wake> = Arc::clone(&bell) as Arc<dyn Wake>;
        if ticket.wake(&who, 0) {
            return Ok(Some(bell));
        }
        drop(who);
        bell.put_aside();
        Ok(None)
    }

    /// What can be read once it was rung.
    pub fn reader(&self) -> RawFd {
        self.0.reader_unseen().as_raw_fd()
    }

    /// Keeps it for the next call, if nobody will ring it any more.
    pub fn put_aside(self: Arc<Self>) {
        self.0.clear();
        if Arc::strong_count(&self) == 1 {
            idle().push(self);
        }
    }
}

fn idle() -> MutexGuard<'static, Vec<Arc<Bell>>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}
