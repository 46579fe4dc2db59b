//! Where a call's outcome is put, and what the dispatcher's thread keeps of the call till then.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use crate::account::{Account, Named};
use crate::call::Call;
use crate::kept::{Ended, Flight};
use crate::mailbox::{Command, Mailbox};
use crate::ticket::{Ticket, Watch};
use cord_dispatch::audit::{Answered, Auditor, Sample};
use cord_dispatch::dispatcher::{CallId, Issue, ReplicaId};
use cord_os::complaint::complain;
use cord_sync::budget::Budget;
use cord_sync::wake::Wake;
use cord_wire::buffer::Buffer;
use cord_wire::effects::Effects;
use cord_wire::outcome::{has_raised, Outcome, KIND_NO_ROOM, KIND_VALUE};
use cord_wire::payload::{Parcel, Payload, World};
use cord_wire::priority::Priority;
use cord_wire::shortage::{Of, Shortage};

/// Of calls with more bytes than this is not told what they were called with.
const MOST_WORDS: usize = 64 * 1024;

/// Where a call's outcome is put.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) id: CallId,
    pub(super) module: u32,
    pub(super) effects: Effects,
    /// Not 0: its value is kept for other calls while there is a handle.
    pub(super) chain: u32,
    /// The world in which it was made.
    pub(super) world: World,
    /// What its reply counts in until it is taken, if it was issued ahead of the program.
    budget: Option<Arc<Budget>>,
    /// Bytes of its arguments, without what replicas keep.
    pub(super) sent: usize,
    pub(super) settled: AtomicBool,
    pub(super) demanded: AtomicBool,
    pub(super) dropped: AtomicBool,
    pub(super) handles: AtomicU32,
    /// When it first went to a replica.
    pub(super) sent_at: OnceLock<Instant>,
    /// How long the call took in its replica, in nanoseconds, once it is settled.
    pub(super) service: AtomicU64,
    /// How many exceptions have been raised in the midst of it.
    pub(super) noticed: AtomicU32,
    /// What it has come to was kept of an equal call.
    pub(super) is_found: AtomicBool,
    /// It waits for an equal call, of this run or of another: no dispatcher knows it.
    pub(super) is_aside: AtomicBool,
    inner: Mutex<Inner>,
    pub(super) changed: Condvar,
    pub(super) mailbox: Arc<Mailbox>,
}

#[derive(Debug, Default)]
pub(super) struct Inner {
    pub(super) outcome: Option<Outcome>,
    /// Bytes that it holds, as the budget knows.
    counted: usize,
    pub(super) waiting: u32,
    /// Somebody wants to look at the value beside who takes it.
    pub(super) watched: bool,
    /// The value, once it was taken while somebody watched.
    pub(super) copy: Option<Box<Outcome>>,
    /// The outcome is an exception that the call raised.
    pub(super) raised: bool,
    /// The outcome is that there was no room for the call, which has not run.
    pub(super) lacked_room: bool,
    /// The outcome is a value for the program alone.
    pub(super) plain: bool,
    /// What it is charged to when it is settled, and its function.
    pub(super) account: Option<(Arc<Account>, Arc<str>)>,
    /// Bytes of the outcome.
    pub(super) came: usize,
    /// The call of this run that it follows.
    pub(super) leader: Option<Ticket>,
    wakers: Vec<(Arc<dyn Wake>, u64)>,
}

/// What the dispatcher's thread keeps of a call: what to send, and where the outcome goes. If it
/// is let go without an outcome, the call is settled as closed, so that nobody waits for ever.
#[derive(Debug)]
pub struct Held {
    /// The encoded call.
    pub parcel: Parcel,
    priority: Priority,
    beside: bool,
    manner: u32,
    needs: Vec<CallId>,
    auditor: Option<Arc<dyn Auditor>>,
    /// Its outcome is kept for later runs.
    flight: Option<Flight>,
    pub(super) slot: Arc<Slot>,
}

impl Held {
    /// What is kept of a new call; its slot counts one ticket.
    #[inline]
    pub(super) fn new(
        id: CallId,
        call: Call,
        budget: Option<Arc<Budget>>,
        mailbox: &Arc<Mailbox>,
    ) -> Held {
        let parcel = Parcel::from(call.payload);
        let slot = Arc::new(Slot {
            id,
            module: call.module,
            effects: call.effects,
            chain: call.chain,
            world: call.world,
            budget,
            sent: parcel.own_len(),
            settled: AtomicBool::new(false),
            demanded: AtomicBool::new(false),
            dropped: AtomicBool::new(false),
            handles: AtomicU32::new(1),
            sent_at: OnceLock::new(),
            service: AtomicU64::new(0),
            noticed: AtomicU32::new(0),
            is_found: AtomicBool::new(false),
            is_aside: AtomicBool::new(false),
            inner: Mutex::default(),
            changed: Condvar::new(),
            mailbox: Arc::clone(mailbox),
        });
        Held {
            parcel,
            priority: call.priority,
            manner: call.manner,
            beside: call.beside,
            needs: call.needs,
            auditor: call.auditor,
            flight: None,
            slot,
        }
    }

    /// The module that it is of.
    pub fn module(&self) -> u32 {
        self.slot.module
    }

    /// The world in which it was made.
    pub fn world(&self) -> &World {
        &self.slot.world
    }

    /// The call's id.
    pub fn id(&self) -> CallId {
        self.slot.id
    }

    /// What the call is called, where that is told.
    pub fn named(&self) -> Option<Named> {
        let inner = self.slot.inner();
        let (account, function) = inner.account.as_ref()?;
        Some(account.name(function))
    }

    /// Which of the calls that wait goes first.
    pub fn priority(&self) -> Priority {
        self.priority
    }

    /// What the dispatcher is told of the call.
    pub fn issue(&self) -> Issue {
        Issue {
            call: self.slot.id,
            module: self.slot.module,
            effects: self.slot.effects,
            manner: self.manner,
            priority: self.priority,
            beside: self.beside,
            bytes: self.slot.sent,
            keeps: self.keeps(),
            needs: self.needs.clone(),
        }
    }

    /// Whether its value is kept for other calls.
    pub fn keeps(&self) -> bool {
        self.slot.chain > 0
    }

    /// It goes to a replica that is ready.
    pub fn is_sent(&self) {
        self.slot.sent_at.get_or_init(Instant::now);
    }

    /// It took so many nanoseconds in its replica; said before its outcome.
    pub fn took(&self, service: u64) {
        self.slot.service.store(service, Ordering::Relaxed);
    }

    /// An exception has been raised in the midst of the call.
    pub fn notice(&self) {
        self.slot.noticed.fetch_add(1, Ordering::Release);
    }

    /// What is kept of the call to make it again, where it is one that may be.
    pub fn sample(&self, replica: ReplicaId, outcome: &Outcome) -> Option<Sample> {
        let auditor = self.auditor.as_ref()?;
        let call = Answered {
            module: self.slot.module,
            manner: self.manner,
            parcel: &self.parcel,
            world: &self.slot.world,
            replica,
            service: self.slot.service.load(Ordering::Relaxed),
        };
        Sample::of(&call, outcome, Arc::clone(auditor))
    }

    /// What was called, to be told of; none where that is much. It is not kept any more.
    pub fn take_words(&mut self) -> Option<Payload> {
        let Buffer::Inline(head) = &self.parcel.head else {
            return None;
        };
        (head.len() <= MOST_WORDS).then(|| Payload {
            codec: self.parcel.codec,
            head: head.to_vec(),
            buffers: std::mem::take(&mut self.parcel.buffers),
        })
    }

    /// It goes to a replica as the first of a layer of so many calls.
    pub fn tell_of_layer(&self, number: u32, count: usize) {
        if let Some(flight) = &self.flight {
            let calls = if count == 1 { "call" } else { "calls" };
            complain(&format!(
                "layer {number}: {count} {calls} of {}",
                flight.keep.function
            ));
        }
    }

    /// What comes of it is kept for later runs.
    pub fn keep(&mut self, flight: Flight) {
        self.flight = Some(flight);
    }

    /// That what comes of it is kept.
    pub fn flight(&mut self) -> Option<&mut Flight> {
        self.flight.as_mut()
    }

    /// It follows an equal call.
    pub fn follow(&self, leader: Ticket) {
        self.slot.inner().leader = Some(leader);
        self.stands_aside();
    }

    /// No dispatcher knows it from now on.
    pub fn stands_aside(&self) {
        self.slot.is_aside.store(true, Ordering::SeqCst);
    }

    /// Whether anybody still wants its outcome.
    pub fn is_wanted(&self) -> bool {
        let is_settled = self.slot.settled.load(Ordering::SeqCst); // it was interrupted
        !is_settled && !self.slot.dropped.load(Ordering::SeqCst)
    }

    /// A view of it.
    pub fn watch(&self) -> Watch {
        Watch::of(&self.slot)
    }

    /// It has stood aside, and goes to a replica after all.
    pub fn make(self) {
        let slot = Arc::clone(&self.slot);
        drop(slot.leave_leader());
        slot.is_aside.store(false, Ordering::SeqCst);
        if !self.is_wanted() {
            return;
        }
        let post = |command| drop(slot.mailbox.post_quietly(command));
        post(Command::Issue(Box::new(self)));
        // what was said meanwhile was said of a call that nobody knew
        if slot.demanded.load(Ordering::SeqCst) {
            post(Command::Demand(slot.id));
        }
        if slot.dropped.load(Ordering::SeqCst) {
            post(Command::Drop(slot.id));
        }
        slot.mailbox.rouse();
    }

    /// It is answered by an equal call, which took so many nanoseconds.
    pub fn get(self, outcome: Outcome, service: u64) {
        self.took(service);
        let slot = Arc::clone(&self.slot);
        slot.is_found.store(true, Ordering::Relaxed);
        slot.settle(outcome);
        if slot.is_aside.load(Ordering::SeqCst) {
            drop(slot.leave_leader());
            slot.mailbox.rouse(); // who waits for it may lead
        }
    }

    /// Ends the call.
    pub fn settle(mut self, outcome: Outcome) {
        if let Some(flight) = self.flight.take() {
            flight.end(&Ended {
                module: self.slot.module,
                parcel: &self.parcel,
                world: &self.slot.world,
                outcome: &outcome,
                service: self.slot.service.load(Ordering::Relaxed),
            });
        }
        self.slot.settle(outcome);
    }

    /// Gives the outcome to whoever has the ticket; the call itself may have to be made once more. It is not kept.
    pub fn tell(&mut self, outcome: Outcome) {
        self.flight = None;
        self.slot.settle(outcome);
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if !self.slot.settled.load(Ordering::Relaxed) {
            self.slot.settle(Outcome::Closed);
        }
    }
}

impl Drop for Slot {
    /// Nobody has taken the outcome.
    fn drop(&mut self) {
        let inner = std::mem::take(&mut self.inner);
        let mut inner = inner.into_inner().unwrap_or_else(PoisonError::into_inner);
        (inner.outcome, inner.copy) = (None, None);
        self.count_out(&mut inner);
    }
}

impl Slot {
    #[inline]
    pub(super) fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it was issued ahead of the program.
    pub(super) fn is_ahead(&self) -> bool {
        self.budget.is_some()
    }

    #[inline]
    pub(super) fn wake(&self, who: &Arc<dyn Wake>, token: u64) -> bool {
        let mut inner = self.inner();
        if self.settled.load(Ordering::Acquire) || self.mailbox.is_abandoned() {
            return false;
        }
        inner.wakers.push((Arc::clone(who), token));
        true
    }

    /// What it has cost.
    pub(super) fn account_for(&self, account: &Account, came: usize) {
        match self.is_found.load(Ordering::Relaxed) {
            true => account.find(came),
            false => account.settle(self.service.load(Ordering::Relaxed), came),
        }
    }

    /// The call that it has followed, to be let go of.
    pub(super) fn leave_leader(&self) -> Option<Ticket> {
        self.inner().leader.take()
    }

    /// Its outcome, or a copy of it, is not kept any more.
    #[inline]
    pub(super) fn count_out(&self, inner: &mut Inner) {
        let bytes = std::mem::take(&mut inner.counted);
        if inner.outcome.is_some() || inner.copy.is_some() {
            inner.counted = bytes;
        } else if let Some(budget) = &self.budget {
            if bytes > 0 && budget.release(bytes) {
                self.mailbox.rouse();
            }
        }
    }

    pub(super) fn settle(&self, outcome: Outcome) {
        let mut inner = self.inner();
        if self.settled.load(Ordering::Relaxed) {
            return; // the call was made again, to have its value once more
        }
        if let Outcome::Reply { kind, payload, .. } = &outcome {
            inner.raised = has_raised(*kind);
            inner.plain = *kind == KIND_VALUE;
            inner.lacked_room = *kind == KIND_NO_ROOM
                && Shortage::decode(&payload.head).is_some_and(|lack| lack.of != Of::Result);
        }
        inner.came = outcome.bytes();
        if let Some(budget) = &self.budget {
            inner.counted = inner.came;
            budget.keep(inner.counted);
        }
        if let Some((account, _)) = inner.account.take() {
            self.account_for(&account, inner.came);
        }
        inner.outcome = Some(outcome);
        self.settled.store(true, Ordering::Release);
        if inner.waiting > 0 {
            self.changed.notify_all();
        }
        // Under the lock: who takes the outcome finds those awake that wanted the value too.
        for (who, token) in std::mem::take(&mut inner.wakers) {
            who.wake(token);
        }
    }
}
