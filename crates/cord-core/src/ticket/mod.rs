//! Tickets as the program's threads hold them.

pub mod slot;

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use crate::account::Account;
use crate::call::Call;
use crate::mailbox::{Command, Mailbox};
use cord_dispatch::dispatcher::CallId;
use cord_sync::budget::Budget;
use cord_sync::wake::Wake;
use cord_wire::outcome::Outcome;
use cord_wire::payload::World;

use slot::{Held, Slot};

/// A call issued and not yet taken.
///
/// Dropping the last handle of an unsettled pure call drops the call.
#[derive(Debug)]
pub struct Ticket(Arc<Slot>);

/// A view of a call that does not keep it alive: its value can be looked at, not taken.
#[derive(Debug, Clone)]
pub struct Watch(Arc<Slot>);

impl Watch {
    /// A view of what is in this slot.
    fn of(slot: &Arc<Slot>) -> Watch {
        Watch(Arc::clone(slot))
    }

    /// Whether the outcome is there.
    pub fn is_settled(&self) -> bool {
        self.0.settled.load(Ordering::Acquire)
    }

    /// Has `who` woken when the call is settled; false if it is already.
    pub fn wake(&self, who: &Arc<dyn Wake>, token: u64) -> bool {
        self.0.wake(who, token)
    }

    /// A copy of the value that the call returned; `None` if there is none, and when asked again
    /// after it was taken.
    pub fn value(&self) -> Option<Outcome> {
        let mut inner = self.0.inner();
        let copy = inner.copy.take().map(|copy| *copy);
        let copy = copy.or_else(|| inner.outcome.as_ref().and_then(Outcome::copy_of_value));
        inner.watched = copy.is_none();
        self.0.count_out(&mut inner);
        copy
    }

    /// Whether the call has raised an exception.
    pub fn has_raised(&self) -> bool {
        self.0.inner().raised
    }

    /// Whether the value can be passed on to other calls, as far as is known: it is kept for them.
    pub fn keeps(&self) -> bool {
        self.0.chain > 0 && !self.0.inner().plain
    }

    /// A ticket of the call, if somebody still has one.
    pub fn ticket(&self) -> Option<Ticket> {
        let more = |handles| (handles > 0).then_some(handles + 1);
        let handles = &self.0.handles;
        let grown = handles.fetch_update(Ordering::AcqRel, Ordering::Relaxed, more);
        grown.ok().map(|_| Ticket(Arc::clone(&self.0)))
    }
}

impl Ticket {
    /// A new ticket, and what its dispatcher keeps.
    pub fn new(
        id: CallId,
        call: Call,
        budget: Option<Arc<Budget>>,
        mailbox: &Arc<Mailbox>,
    ) -> (Ticket, Held) {
        let held = Held::new(id, call, budget, mailbox);
        (Ticket(Arc::clone(&held.slot)), held)
    }

    /// The world in which the call was made.
    pub fn world(&self) -> &World {
        &self.0.world
    }

    /// The call's number.
    pub fn id(&self) -> u64 {
        self.0.id
    }

    /// How many calls, each given the value of one before, are made again at most to have its value
    /// once more; 0 if that is not kept for other calls.
    pub fn chain(&self) -> u32 {
        self.0.chain
    }

    /// Whether the outcome is there (or, in a forked child, will never be).
    pub fn is_settled(&self) -> bool {
        self.0.settled.load(Ordering::Acquire) || self.0.mailbox.is_abandoned()
    }

    /// Waits until the outcome is there, for `timeout` at most; true if it is there.
    pub fn wait(&self, timeout: Duration) -> bool {
        if self.is_settled() {
            return true;
        }
        let began = Instant::now();
        let mut inner = self.0.inner();
        inner.waiting += 1;
        while !self.0.settled.load(Ordering::Acquire) {
            let left = timeout.saturating_sub(began.elapsed());
            if left.is_zero() {
                break;
            }
            let waited = self.0.changed.wait_timeout(inner, left);
            inner = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        inner.waiting -= 1;
        self.0.settled.load(Ordering::Acquire)
    }

    /// Moves the outcome out; `None` before it is there and after it was taken.
    pub fn take(&self) -> Option<Outcome> {
        if self.0.mailbox.is_abandoned() {
            return Some(Outcome::Closed);
        }
        if !self.0.settled.load(Ordering::Acquire) {
            return None;
        }
        let mut inner = self.0.inner();
        if inner.watched && inner.copy.is_none() {
            let copy = inner.outcome.as_ref().and_then(Outcome::copy_of_value);
            inner.copy = copy.map(Box::new);
        }
        let outcome = inner.outcome.take();
        self.0.count_out(&mut inner);
        outcome
    }

    /// How long the call has been with its replica; nothing while it waits for one that is ready.
    pub fn under_way(&self) -> Duration {
        self.0
            .sent_at
            .get()
            .map(Instant::elapsed)
            .unwrap_or_default()
    }

    /// How long the call took in its replica, once it is settled.
    pub fn service(&self) -> Duration {
        Duration::from_nanos(self.0.service.load(Ordering::Relaxed))
    }

    /// Adds what the call of this function costs to an account: what is known now, and the rest when it
    /// is settled.
    pub fn charge(&self, account: &Arc<Account>, function: &Arc<str>) {
        account.send(self.0.sent);
        let mut inner = self.0.inner();
        if self.0.settled.load(Ordering::Acquire) {
            self.0.account_for(account, inner.came);
        } else {
            inner.account = Some((Arc::clone(account), Arc::clone(function)));
        }
    }

    /// Whether the call has raised an exception.
    pub fn has_raised(&self) -> bool {
        self.0.inner().raised
    }

    /// Whether the call was issued ahead of the program.
    pub fn is_ahead(&self) -> bool {
        self.0.is_ahead()
    }

    /// Whether there was no room for the call when it was issued ahead of the program: it has not run.
    pub fn lacked_room_ahead(&self) -> bool {
        self.0.is_ahead() && self.0.inner().lacked_room
    }

    /// Whether the outcome was there and was moved out.
    pub fn is_taken(&self) -> bool {
        self.is_settled() && self.0.inner().outcome.is_none()
    }

    /// Whether the outcome is there, a value that the call returned.
    pub fn has_returned(&self) -> bool {
        let inner = self.0.inner();
        !inner.raised && matches!(inner.outcome, Some(Outcome::Reply { .. }))
    }

    /// Whether nobody else has this ticket.
    pub fn is_last(&self) -> bool {
        self.0.handles.load(Ordering::Acquire) == 1
    }

    /// Has `who` woken when the outcome is there; false if it is already.
    pub fn wake(&self, who: &Arc<dyn Wake>, token: u64) -> bool {
        self.0.wake(who, token)
    }

    /// A view for somebody who wants the value too.
    pub fn watch(&self) -> Watch {
        self.0.inner().watched = true;
        Watch(Arc::clone(&self.0))
    }

    /// The program waits for this call now: it goes first in its queue.
    pub fn demand(&self) {
        if self.demand_quietly() {
            self.0.mailbox.heed_demand(self.module(), self.0.id);
        }
    }

    /// The same, for a thread that goes on to wait for it: nobody is woken. Whether that was news.
    pub fn demand_quietly(&self) -> bool {
        let news = !self.is_settled() && !self.0.demanded.swap(true, Ordering::Relaxed);
        if news {
            let _ = self.0.mailbox.post_quietly(Command::Demand(self.0.id));
            if self.0.is_aside.load(Ordering::SeqCst) {
                let leader = self.0.inner().leader.clone();
                leader.iter().for_each(Ticket::demand);
            }
        }
        news
    }

    /// Index of the call's module.
    pub fn module(&self) -> u32 {
        self.0.module
    }

    /// Nobody will take this call. A waiting one leaves its queue; an answer is discarded; a pure
    /// one that is running is ended if its replica is needed.
    pub fn drop_call(&self) {
        if !self.is_settled() && !self.0.dropped.swap(true, Ordering::Relaxed) {
            let _ = self.0.mailbox.post(Command::Drop(self.0.id));
            drop(self.0.leave_leader());
        }
    }

    /// Has an exception raised in the midst of the call, where it runs; its outcome is what comes of
    /// that. If it has not begun it does not, and ends as closed.
    pub fn interrupt(&self, exception: Vec<u8>) {
        if !self.is_settled() {
            let interrupt = Command::Interrupt(self.0.id, exception);
            let _ = self.0.mailbox.post(interrupt);
            if self.0.is_aside.load(Ordering::SeqCst) {
                self.0.settle(Outcome::Closed);
            }
        }
    }

    /// How many exceptions have been raised in the midst of the call.
    pub fn noticed(&self) -> u32 {
        self.0.noticed.load(Ordering::Acquire)
    }

    /// Ends the replica that runs the call: it is lost.
    pub fn give_up(&self) {
        if !self.is_settled() {
            let _ = self.0.mailbox.post(Command::GiveUp(self.0.id));
        }
    }

    /// Whether the call may be left out.
    pub fn is_pure(&self) -> bool {
        self.0.effects.is_pure()
    }
}

impl Clone for Ticket {
    fn clone(&self) -> Ticket {
        self.0.handles.fetch_add(1, Ordering::Relaxed);
        Ticket(Arc::clone(&self.0))
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        if self.0.handles.fetch_sub(1, Ordering::AcqRel) > 1 {
            return;
        }
        if self.0.effects.is_pure() {
            self.drop_call();
        }
        if self.0.chain > 0 {
            let _ = self.0.mailbox.post(Command::LetGo(self.0.id));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use cord_wire::codec::Codec;
    use cord_wire::effects::Effects;
    use cord_wire::outcome::{KIND_ERROR, KIND_VALUE};
    use cord_wire::payload::Payload;

    fn ticket(pure_call: bool) -> (Ticket, Held, Arc<Mailbox>) {
        let mailbox = Arc::new(Mailbox::new(1).unwrap());
        let (ticket, held) = Ticket::new(5, call(pure_call), None, &mailbox);
        (ticket, held, mailbox)
    }

    fn call(pure_call: bool) -> Call {
        Call {
            ahead: true,
            ..Call::plain(Effects::of(pure_call), Payload::default())
        }
    }

    fn posted(mailbox: &Mailbox) -> Vec<Command> {
        let mut commands = Vec::new();
        mailbox.collect(&mut commands);
        commands
    }

    #[test]
    fn the_outcome_is_taken_once() {
        let (ticket, held, _mailbox) = ticket(true);
        assert!(ticket.take().is_none());
        assert!(!ticket.wait(Duration::ZERO));
        held.settle(Outcome::Unavailable { head: Vec::new() });
        assert!(ticket.wait(Duration::ZERO));
        assert!(matches!(ticket.take(), Some(Outcome::Unavailable { .. })));
        assert!(ticket.take().is_none());
    }

    #[derive(Debug, Default)]
    struct Woken(Mutex<Vec<u64>>);

    impl Wake for Woken {
        fn wake(&self, token: u64) {
            self.0.lock().unwrap().push(token);
        }
    }

    fn reply(byte: u8) -> Outcome {
        Outcome::Reply {
            kind: KIND_VALUE,
            payload: Payload {
                codec: Codec(4),
                head: vec![byte],
                buffers: vec![vec![byte].into()],
            },
            output: vec![9],
        }
    }

    #[test]
    fn who_watches_is_woken_and_sees_the_value_before_and_after_it_is_taken() {
        for taken_first in [false, true] {
            let (ticket, held, _mailbox) = ticket(true);
            let watch = ticket.watch();
            let woken = Arc::new(Woken::default());
            let who: Arc<dyn Wake> = woken.clone();
            assert!(watch.wake(&who, 7));
            assert!(watch.value().is_none());
            held.settle(reply(3));
            assert_eq!(*woken.0.lock().unwrap(), [7]);
            assert!(!watch.wake(&who, 8));
            if taken_first {
                assert!(matches!(ticket.take(), Some(Outcome::Reply { .. })));
            }
            let Some(Outcome::Reply {
                payload, output, ..
            }) = watch.value()
            else {
                panic!("the value is there");
            };
            assert_eq!((payload.codec, payload.head), (Codec(4), vec![3]));
            assert_eq!(output, []);
            assert!(!watch.has_raised());
        }
    }

    #[test]
    fn a_watch_shows_no_errors_and_does_not_keep_the_call() {
        let (ticket, held, mailbox) = ticket(true);
        let watch = ticket.watch();
        drop(ticket);
        assert!(matches!(posted(&mailbox)[..], [Command::Drop(5)]));
        held.settle(Outcome::Closed);
        assert!(watch.is_settled());
        assert!(watch.value().is_none());
        assert!(!watch.has_raised());
    }

    #[test]
    fn a_watch_tells_that_the_call_raised() {
        let (ticket, held, _mailbox) = ticket(true);
        let watch = ticket.watch();
        held.settle(Outcome::Reply {
            kind: KIND_ERROR,
            payload: Payload::default(),
            output: Vec::new(),
        });
        assert!(watch.has_raised());
        assert!(watch.value().is_none());
    }

    #[test]
    fn a_call_is_charged_once_whenever_that_is_asked_for() {
        for settled_first in [false, true] {
            let account = Arc::new(Account::default());
            let (ticket, held, _mailbox) = ticket(true);
            held.took(70);
            if settled_first {
                held.settle(reply(3));
                ticket.charge(&account, &"work.f".into());
            } else {
                ticket.charge(&account, &"work.f".into());
                assert_eq!(account.sums(), (0, 0, 0, 0, 0, 0));
                held.settle(reply(3));
            }
            let came = 3; // head, buffer and output
            assert_eq!(account.sums(), (0, 70, 1, 0, came, 0));
        }
    }

    #[test]
    fn a_call_that_is_let_go_is_closed() {
        let (ticket, held, _mailbox) = ticket(false);
        drop(held);
        assert!(matches!(ticket.take(), Some(Outcome::Closed)));
    }

    #[test]
    fn the_last_handle_of_an_unsettled_pure_call_drops_it() {
        let (first, _held, mailbox) = ticket(true);
        let second = first.clone();
        drop(first);
        assert!(posted(&mailbox).is_empty());
        drop(second);
        assert!(matches!(posted(&mailbox)[..], [Command::Drop(5)]));
    }

    #[test]
    fn an_impure_call_goes_on_without_its_ticket() {
        let (ticket, _held, mailbox) = ticket(false);
        drop(ticket);
        assert!(posted(&mailbox).is_empty());
    }

    #[test]
    fn a_forked_child_sees_every_ticket_as_closed_and_posts_nothing() {
        let (ticket, _held, mailbox) = ticket(true);
        mailbox.abandon();
        assert!(ticket.wait(Duration::from_secs(60)));
        assert!(matches!(ticket.take(), Some(Outcome::Closed)));
        ticket.demand();
        drop(ticket);
        assert!(posted(&mailbox).is_empty());
    }

    #[test]
    fn a_reply_counts_until_it_is_taken_or_thrown_away() {
        let budget = Arc::new(Budget::new(10, 8));
        let mailbox = Arc::new(Mailbox::new(1).unwrap());
        for (watched, taken) in [(false, true), (true, true), (false, false)] {
            let (ticket, held) = Ticket::new(5, call(true), Some(Arc::clone(&budget)), &mailbox);
            let watch = watched.then(|| ticket.watch());
            held.settle(reply(3));
            assert!(budget.holds_back(1));
            if taken {
                assert!(ticket.take().is_some());
            }
            if let Some(watch) = watch {
                assert!(budget.holds_back(1), "a copy is kept");
                assert!(watch.value().is_some());
            }
            drop(ticket);
            assert!(!budget.holds_back(1));
        }
    }
}
