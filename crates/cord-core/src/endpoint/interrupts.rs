//! Exceptions that are to be raised in the midst of calls, as they come and go.
//!
//! They are raised in one thread, the one that serves. What comes for a call that waits there for a
//! nested one is passed on to that: in the plain program the innermost function is interrupted.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::thread::ThreadId;

use super::shared::{Event, Shared, State};
use super::{running, Endpoint};
use cord_wire::wire::Kind;

/// Makes the thread that serves look for what is to be raised there.
pub struct Knock {
    thread: ThreadId,
    knock: Box<dyn Fn() + Send + Sync>,
}

impl std::fmt::Debug for Knock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Knock({:?})", self.thread)
    }
}

/// What is to be raised.
#[derive(Debug, Default)]
pub struct Interrupts {
    /// In the midst of which call, the oldest first.
    pending: Vec<(u64, Vec<u8>)>,
    /// What was passed on, until it is raised there: by the number of the nested call.
    passed_on: Vec<(u64, (u64, Vec<u8>))>,
}

/// A nested call that a thread waits for.
#[derive(Debug, Default)]
pub struct Wait {
    /// What has come for the thread.
    pub events: VecDeque<Event>,
    /// The call that waits for it, if it can be interrupted.
    pub of: Option<u64>,
}

impl Shared {
    /// The call that this thread runs, if it can be interrupted.
    pub fn interruptible(&self, state: &State) -> Option<u64> {
        let knock = self.knock.get()?;
        (knock.thread == std::thread::current().id()).then(|| running(state))
    }

    /// An exception has come for a call. One that has not begun goes back; for one that has ended it
    /// comes too late.
    pub fn interrupt(&self, state: &mut State, call: u64, exception: Vec<u8>) {
        let has_not_begun = state.queue.remove(call).is_some()
            || state.values.remove(call).is_some()
            || state.unserve(call);
        if has_not_begun {
            return state.link.outbox.ids(Kind::Withdrawn, &[call]);
        }
        let mut waits = state.waits.iter();
        if let Some((number, _)) = waits.find(|(_, wait)| wait.of == Some(call)) {
            state.link.outbox.interrupt(*number, &exception);
            let passed_on = &mut state.interrupts.passed_on;
            return passed_on.push((*number, (call, exception)));
        }
        state.interrupts.pending.push((call, exception));
        self.note_interrupts(state);
        if let Some(Knock { knock, .. }) = self.knock.get() {
            knock();
        }
    }

    /// What came for a nested call has been raised there.
    pub fn noticed(state: &mut State, number: u64) {
        let passed_on = &mut state.interrupts.passed_on;
        if let Some(at) = passed_on.iter().position(|(to, _)| *to == number) {
            let (_, (call, _)) = passed_on.remove(at);
            state.link.outbox.ids(Kind::Noticed, &[call]);
        } else if let Some(wait) = state.waits.get_mut(&number) {
            wait.events.push_back(Event::Noticed);
        }
    }

    /// A nested call has ended: what came too late for it is to be raised where it was made.
    pub fn take_back_interrupts(&self, state: &mut State, number: u64) {
        let Interrupts { pending, passed_on } = &mut state.interrupts;
        let (back, left): (Vec<_>, Vec<_>) = std::mem::take(passed_on)
            .into_iter()
            .partition(|(to, _)| *to == number);
        *passed_on = left;
        pending.extend(back.into_iter().map(|(_, interrupt)| interrupt));
        self.note_interrupts(state);
    }

    /// A call has ended, and with the one that was called first all that ran on top of it.
    pub fn forget_interrupts(&self, state: &mut State, call: u64, is_inner: bool) {
        let pending = &mut state.interrupts.pending;
        pending.retain(|(of, _)| is_inner && *of != call);
        self.note_interrupts(state);
    }

    fn note_interrupts(&self, state: &State) {
        let some = !state.interrupts.pending.is_empty();
        self.interrupted.store(some, Ordering::Release);
    }
}

impl Interrupts {
    /// Whether nothing is to be raised.
    pub fn is_empty(&self) -> bool {
        self.pending.is_empty() && self.passed_on.is_empty()
    }
}

impl State {
    /// Takes a call back that a thread was to run while it waits; whether it was there.
    fn unserve(&mut self, call: u64) -> bool {
        let is_meant = |event: &Event| matches!(event, Event::Call(one) if one.call == call);
        self.waits.values_mut().any(|wait| {
            let at = wait.events.iter().position(is_meant);
            at.and_then(|at| wait.events.remove(at)).is_some()
        })
    }
}

impl Endpoint {
    /// Says how this thread, which serves, is made to look for what is to be raised there.
    pub fn interrupt_by(&self, knock: Box<dyn Fn() + Send + Sync>) {
        let thread = std::thread::current().id();
        let _ = self.shared.knock.set(Knock { thread, knock });
    }

    /// Whether an exception waits to be raised in the midst of a call.
    pub fn is_interrupted(&self) -> bool {
        self.shared.interrupted.load(Ordering::Acquire)
    }

    /// The exception that is to be raised now, in the midst of the call that this thread runs.
    pub fn take_interrupt(&self) -> Option<Vec<u8>> {
        let mut state = self.shared.lock();
        let call = running(&state);
        let pending = &mut state.interrupts.pending;
        let at = pending.iter().position(|(of, _)| *of == call)?;
        let (_, exception) = pending.remove(at);
        self.shared.note_interrupts(&state);
        state.link.outbox.ids(Kind::Noticed, &[call]);
        drop(self.shared.flush_all(state));
        Some(exception)
    }

    /// Has an exception raised in the midst of the call with this number, which this thread waits
    /// for; one that has not begun ends as closed.
    pub fn interrupt(&self, number: u64, exception: &[u8]) {
        let mut state = self.shared.lock();
        state.link.outbox.interrupt(number, exception);
        drop(self.shared.flush_all(state));
    }
}
