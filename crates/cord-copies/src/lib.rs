//! Copies: the program's process once more, with all its effects cut off, so that it runs ahead and
//! issues the calls that it comes to. It needs no knowledge of what runs in it. The program finds the
//! tickets by what it sends; so whatever a copy does costs time only.
//!
//! `birth` makes one. `area` is the memory through which it talks to the program's process, where
//! `tender` looks after it; in the copy, `ahead` is its end. `table` says which ticket is for which call,
//! `course` and `knowledge` whether the copy is on the program's way and which guesses come true.
//!
//! Its rooms: `cost` decides whether one is worth making and may be; `confined` cuts off its effects;
//! `view` is what it sees of the file system, with what it has changed there for itself; `system` is
//! below both: descriptors, and the calls that the handler makes itself.

mod account;
mod ahead;
mod area;
mod belief;
mod birth;
mod confined;
mod cost;
mod course;
mod early;
mod guesses;
mod issue;
mod knowledge;
mod last;
mod lead;
mod notes;
mod passed;
mod pools;
mod system;
mod table;
mod tender;
mod trial;
mod view;
pub mod why;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use cord_core::far::is_far;
use cord_core::session::Session;
use cord_core::ticket::Watch;
use cord_wire::payload::{is_same_world, Payload, World};

pub use account::Account;
pub use ahead::{Ahead, Call};
pub use confined::mappings::read_on;
pub use confined::turns::{
    are_possible as can_have_threads, have as have_threads, here, is_first, Standing,
};
pub use confined::waits::passed;
pub use cost::policy::SHORTEST;
pub use cost::refusal::{cores, free, memory_of_group, Refusal};
pub use early::{in_vain_at, Found};
pub use knowledge::{Place, Trust, MOST_ANSWERS};
pub use notes::Notes;
pub use trial::trial;

use area::Area;
use belief::Belief;
use birth::Side;
use cord_os::copied::become_copy;
use cost::faults::Faults;
use cost::policy::Policy;
use cost::probe::Probe;
use cost::refusal::Size;
use early::{Early, Waste};
use knowledge::{Knowledge, Lesson};
use last::Last;
use table::Table;
use tender::Tender;

/// So many calls a copy may be ahead at first.
const FIRST_WINDOW: u32 = 32;
/// So many calls of its leaders may be out for each replica at most.
const PER_REPLICA: u32 = 2;
/// A leader may have come so many times as far as it may have issued calls: most are known, or blank.
const OF_BLANKS: u32 = 4;
/// For this part of a call's time the program waits for a copy that is just behind.
const PART: u32 = 10;

/// Ends this process, which is a copy.
pub fn end(reason: u32) -> ! {
    confined::trap::end(reason, 0)
}

/// In a copy: how many threads of its own the program had that the copy has not.
pub fn other_threads() -> usize {
    confined::waits::others()
}

/// A call that no copy has come to.
#[derive(Debug, Default)]
pub struct Missed(Option<Vec<u8>>);

/// A copy is worth making; what one before has issued, and in which world.
#[derive(Debug)]
pub struct Wanted {
    before: Option<(World, Table<Early, Watch>)>,
    knowledge: Option<Knowledge>,
    notes: Arc<Notes>,
}

/// The copies of one program: one at a time.
#[derive(Debug)]
pub struct Copies(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    session: Weak<Session>,
    state: Mutex<State>,
    /// Told when the copy has come to a call.
    changed: Condvar,
    waste: Waste,
    /// Calls have been long enough for copies.
    long: AtomicBool,
    /// Before that: how long the last one was, in nanoseconds.
    short: AtomicU64,
    /// A copy was made, and not given up.
    any: AtomicBool,
    /// So many calls of leaders may be out, if the plan allows guesses.
    guesses: Option<u32>,
    /// Looks at what copies cost the program.
    probe: Probe,
    pid: u32,
}

#[derive(Debug, Default)]
struct State {
    policy: Policy,
    knowledge: Knowledge,
    belief: Belief,
    /// All that copies have noted for one another.
    notes: Arc<Notes>,
    faults: Faults,
    /// Huge pages of the program's may have been split since somebody looked.
    split: bool,
    refused: Option<Refusal>,
    /// So many calls the program has come to since the first copy.
    made: u32,
    last: Option<Last>,
    account: Account,
}

impl Copies {
    /// Nothing is done before the first copy is wanted. `eager`: one is wanted at every call, however
    /// short, and nothing else runs ahead. With `replicas`, copies may guess values.
    pub fn new(session: &Arc<Session>, eager: bool, replicas: Option<u32>) -> Copies {
        let policy = if eager {
            Policy::eager()
        } else {
            Policy::default()
        };
        let state = State {
            policy,
            ..State::default()
        };
        Copies(Arc::new(Shared {
            session: Arc::downgrade(session),
            state: Mutex::new(state),
            changed: Condvar::new(),
            waste: Waste::default(),
            long: AtomicBool::new(eager),
            short: AtomicU64::new(0),
            any: AtomicBool::new(false),
            guesses: replicas.map(|replicas| replicas.saturating_mul(PER_REPLICA).max(4)),
            probe: Probe::new(),
            pid: std::process::id(),
        }))
    }

    /// What questions were answered in the last run.
    pub fn know(&self, answers: Vec<(u64, u32)>) {
        let knowledge = &mut self.0.state().knowledge;
        for (question, answer) in answers {
            knowledge.hear(Lesson::Answer(question, answer));
        }
    }

    /// What copies of the last run have noted for one another.
    pub fn know_notes<'a>(&self, notes: impl IntoIterator<Item = (&'a [u8], &'a [u8])>) {
        let known = &mut self.0.state().notes;
        for (key, note) in notes {
            Arc::make_mut(known).add(key, note);
        }
    }

    /// All that copies have noted, in the last run too.
    pub fn notes(&self) -> Arc<Notes> {
        Arc::clone(&self.0.state().notes)
    }

    /// Whether copies may be worth it, so that what happens is to be told here: not before a call was
    /// long.
    #[inline]
    pub fn are_worth_it(&self) -> bool {
        self.0.long.load(Ordering::Relaxed)
    }

    /// Whether the program has not yet waited for a call, so that nobody knows how long calls take.
    pub fn know_nothing(&self) -> bool {
        !self.are_worth_it() && self.0.short.load(Ordering::Relaxed) == 0
    }

    /// The first call that the program waits for has been with its replica so long.
    pub fn first_is_under_way(&self, time: Duration) {
        self.0.state().policy.under_way(time);
        self.0.long.store(true, Ordering::Relaxed);
    }

    /// The program has waited for a call that nobody foresaw, and that took its replica so long.
    pub fn served(&self, time: Duration) {
        if !self.are_worth_it() {
            if time < SHORTEST {
                let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
                return self.0.short.store(nanos, Ordering::Relaxed);
            }
            self.0.long.store(true, Ordering::Relaxed);
        }
        let mut state = self.0.state();
        state.policy.served(time);
        if let Some(last) = &mut state.last {
            last.goes_on();
        }
    }

    /// The program has waited so long for a call that a copy came to before, and that took its replica so
    /// long.
    pub fn took(&self, time: Duration, service: Duration) {
        let mut state = self.0.state();
        state.faults.ahead(time, service);
        if let Some(last) = &mut state.last {
            last.goes_on();
        }
    }

    /// Whether copies may yet be of use to calls of such a length.
    pub fn have_hope(&self, service: Duration) -> bool {
        let state = self.0.state();
        state.refused.is_none() && state.policy.has_hope(service)
    }

    /// Whether a copy may have come to the program's next call, or may yet.
    pub fn may_come(&self) -> bool {
        let state = self.0.state();
        let last = state.last.as_ref();
        last.is_some_and(|last| !last.is_over() || !last.table.is_empty())
    }

    /// Whether a copy runs now, so that nothing else need run ahead.
    pub fn is_running(&self) -> bool {
        let state = self.0.state();
        state.policy.is_eager() || state.last.as_ref().is_some_and(|last| !last.is_over())
    }

    /// Whether any copy has issued what the program may take.
    #[inline]
    pub fn has_any(&self) -> bool {
        self.0.any.load(Ordering::Relaxed)
    }

    /// The ticket of a call that the program makes now, if a copy came to it. `function` is what the
    /// session calls the function.
    ///
    /// # Errors
    /// What [`Copies::made`] is told once the program has issued it.
    pub fn find(
        &self,
        (module, function): (u32, u32),
        payload: &Payload,
        world: &World,
    ) -> Result<Found, Missed> {
        let there = self
            .0
            .state()
            .last
            .as_ref()
            .map(|last| World::clone(&last.world));
        let world = there.and_then(|there| (!is_same_world(&there, world)).then_some(world));
        let Some(key) = issue::key(module, payload, world) else {
            self.0.state().pass_over();
            return Err(Missed(None));
        };
        self.look_for(&key, function).ok_or(Missed(Some(key)))
    }

    fn look_for(&self, key: &[u8], function: u32) -> Option<Found> {
        let mut state = self.0.state();
        let service = state.policy.service();
        state.made();
        let last = state.last.as_mut()?;
        last.asked();
        let mut found = last.table.take(key);
        if found.is_none() && last.is_just_behind() {
            found = self.wait_for(state, key, service / PART);
            state = self.0.state();
            if let Some(last) = state.last.as_mut().filter(|_| found.is_none()) {
                found = last.table.take(key); // it may have come when nobody waited any more
            }
        }
        self.0.judge(&mut state, found.as_ref(), function);
        if let Some(last) = state.last.as_mut().filter(|_| found.is_none()) {
            last.comes(key);
        }
        let made = state.made;
        drop(state);
        found.and_then(|early| early.take(made))
    }

    /// Waits for a moment whether the copy comes to this call.
    fn wait_for(
        &self,
        mut state: MutexGuard<'_, State>,
        key: &[u8],
        longest: Duration,
    ) -> Option<Early> {
        let until = Instant::now() + longest;
        loop {
            let left = until.checked_duration_since(Instant::now())?;
            let waited = self.0.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            let last = state.last.as_mut()?;
            let found = last.table.take(key);
            if found.is_some() || !last.is_just_behind() {
                return found;
            }
        }
    }

    /// The program has made such a call by itself.
    pub fn made(&self, missed: &Missed, view: impl FnOnce() -> Watch) {
        let Some(key) = &missed.0 else {
            return;
        };
        let mut state = self.0.state();
        if let Some(last) = state.last.as_mut().filter(|last| last.alive) {
            last.made(key, view());
        }
    }

    /// What scouts had issued when the copy was made: it issues none of these again, and learns what comes
    /// of them.
    pub fn issued_before(&self, calls: impl IntoIterator<Item = (u32, Payload, Watch)>) {
        let keyed = calls.into_iter().filter_map(|(module, payload, view)| {
            let key = issue::key(module, &payload, None)?;
            Some((key, view))
        });
        let keyed: Vec<_> = keyed.collect();
        let mut state = self.0.state();
        if let Some(last) = state.last.as_mut().filter(|last| last.alive) {
            for (key, view) in keyed {
                last.table.made(&key, view);
            }
        }
    }

    /// The program has taken such a call, which its scouts and not a copy had issued.
    pub fn passed(&self) {
        self.0.state().pass_over();
    }

    /// A call of the program's has raised an exception: the copy did not know that.
    pub fn raised(&self) {
        if let Some(last) = &mut self.0.state().last {
            last.raised = true;
        }
    }

    /// Calls of a function are made by the program from now on: the copy that runs does not know that,
    /// and what it has issued is given up.
    pub fn astray(&self) {
        let given_up = {
            let mut state = self.0.state();
            state.last.as_mut().map(|last| {
                last.end();
                std::mem::take(&mut last.table)
            })
        };
        drop(given_up);
    }

    /// So many calls at a time keep the replicas busy; nothing where copies may not guess.
    pub fn fill_replicas(&self) -> Option<usize> {
        let calls = self.0.guesses? / PER_REPLICA;
        usize::try_from(calls).ok()
    }

    /// Whether none runs, and another one can be made.
    pub fn may_be_made(&self) -> bool {
        let state = self.0.state();
        let is_there = state.last.as_ref().is_some_and(|last| !last.is_over());
        state.refused.is_none() && !is_there
    }

    /// Whether copies may have other threads than the one that makes them: the order of what these do is a
    /// guess.
    pub fn may_have_threads(&self) -> bool {
        self.0.guesses.is_some() && self.0.state().belief.may_lead()
    }

    /// A call of a thread that copies do not have is waited for: one might have been made at it.
    pub fn waits_on_thread(&self) {
        self.0.state().account.on_threads += 1;
    }

    /// A call is waited for behind which a slice of the program's text seems to see what comes.
    pub fn waits_behind_slice(&self) {
        self.0.state().account.behind_slices += 1;
    }

    /// Nobody foresaw the call that the program waits for now: whether to make a copy, and what that
    /// is to know.
    pub fn wanted(&self) -> Option<Wanted> {
        if !self.may_be_made() {
            return None;
        }
        let mut state = self.0.state();
        self.0.count_waste(&mut state);
        state.count_last();
        state.judge_left();
        if std::mem::take(&mut state.split) {
            let began = Instant::now();
            cost::huge::restore();
            state.faults.spent(began.elapsed());
        }
        let wanted = state.policy.wants_copy() && state.may_cost(&self.0.probe);
        if !wanted {
            return None; // the program may yet come to what the last one has issued
        }
        state.knowledge.news(); // it is born with that
        let knowledge = self.0.guesses.map(|_| state.knowledge.clone());
        let notes = Arc::clone(&state.notes);
        let last = state.last.take();
        drop(state);
        Some(Wanted {
            before: last.map(|last| (last.world, last.table.succeed())),
            knowledge,
            notes,
        })
    }

    /// Makes a copy, which goes on from here, too, with what this gives. `calls` are those that the
    /// program waits for, by the copy's numbers; `threads` are others that stand. Nothing where no copy could be made, and in the program's own process.
    ///
    /// # Safety
    /// As `birth::make`: of all threads only this one is in the copy, and those that stand.
    pub unsafe fn make(
        &self,
        wanted: Wanted,
        calls: Vec<(u32, Watch)>,
        world: &World,
        threads: &[i32],
    ) -> Option<Ahead> {
        let began = Instant::now();
        let (eager, belief) = {
            let state = self.0.state();
            (state.policy.is_eager(), state.belief)
        };
        let checked = cost::refusal::check(eager);
        let area = checked.and_then(|()| Area::new().map_err(|_| Refusal::Memory));
        let area = match area {
            Ok(area) => area,
            Err(refusal) => return self.refuse(refusal),
        };
        let area = Arc::new(area);
        let guesses = self.0.guesses;
        let window = if is_far() { u32::MAX / 4 } else { FIRST_WINDOW };
        area.header().window.store(window, Ordering::Relaxed);
        let most = guesses.unwrap_or_default();
        let farthest = most.saturating_mul(OF_BLANKS);
        area.header().farthest.store(farthest, Ordering::Relaxed);
        let may_guess = u32::from(wanted.knowledge.is_some() && belief.may_lead());
        area.header().guesses.store(may_guess, Ordering::Relaxed);
        area.header().leads.store(may_guess, Ordering::Relaxed);
        area.header()
            .believed
            .store(belief.room(most), Ordering::Relaxed);
        // SAFETY: as the caller says.
        match unsafe { birth::make(&area, threads) } {
            Ok(Side::Copy(area)) => {
                become_copy();
                pools::work_alone();
                let Wanted {
                    before,
                    knowledge,
                    notes,
                } = wanted;
                std::mem::forget(before); // these tickets are the program's to drop
                Some(Ahead::new(area, World::clone(world), knowledge, notes))
            }
            Ok(Side::Program(pid)) => {
                let spare = wanted
                    .before
                    .filter(|(before, _)| is_same_world(before, world));
                let table = spare.map(|(_, table)| table).unwrap_or_default();
                let last = Last::new(&area, table, World::clone(world), guesses);
                self.look_after(pid, last, calls, began.elapsed());
                None
            }
            Err(refusal) => self.refuse(refusal),
        }
    }

    fn refuse(&self, refusal: Refusal) -> Option<Ahead> {
        let mut state = self.0.state();
        state.policy.ended(0, 0);
        *state
            .account
            .ends
            .entry(refusal.words().to_owned())
            .or_default() += 1;
        if refusal.is_final() {
            state.refused = Some(refusal);
            state.account.refused = Some(refusal.words());
        }
        None
    }

    fn look_after(&self, pid: i32, last: Last, calls: Vec<(u32, Watch)>, cost: Duration) {
        // while the program's call is under way it would only have waited
        let is_beside = calls
            .iter()
            .any(|(call, its)| *call == 0 && !its.is_settled());
        let lost = if is_beside { Duration::ZERO } else { cost };
        let mut state = self.0.state();
        if state.refused.is_some() {
            drop(state);
            return birth::end(pid); // the session was closed meanwhile, by another thread
        }
        state.policy.made(cost);
        state.faults.born(self.0.probe.seen(), lost);
        state.account.made += 1;
        state.account.cost = cost;
        let (area, world) = (Arc::clone(&last.area), World::clone(&last.world));
        let guesses = last.course.guesses;
        state.last = Some(last);
        self.0.any.store(true, Ordering::Relaxed);
        let tender = Tender::new(Arc::clone(&self.0), pid, area, calls, world, guesses);
        let thread = cord_os::threads::spawn_quiet("cord-copies", move || tender.run());
        match thread {
            Ok(thread) => {
                if let Some(last) = &mut state.last {
                    last.tender = Some(thread);
                }
            }
            Err(_) => {
                birth::end(pid);
                state.last = None;
            }
        }
    }

    /// Ends the copy that runs, and gives up what was issued for it. Nothing in a forked child.
    pub fn close(&self) {
        if self.0.pid != std::process::id() {
            return;
        }
        let thread = {
            let mut state = self.0.state();
            state.refused.get_or_insert(Refusal::Late);
            state.last.as_mut().and_then(|last| {
                last.end();
                last.tender.take()
            })
        };
        if let Some(thread) = thread {
            let _ = thread.join();
        }
        let last = self.0.state().last.take();
        drop(last);
    }

    /// What has been so far.
    pub fn account(&self) -> Account {
        let mut state = self.0.state();
        self.0.count_waste(&mut state);
        let (lost, saved) = state.faults.sums(self.0.probe.seen());
        Account {
            service: match self.are_worth_it() {
                true => state.policy.service(),
                false => Duration::from_nanos(self.0.short.load(Ordering::Relaxed)),
            },
            lost,
            saved,
            ..state.account.clone()
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count_waste(&self, state: &mut State) {
        let unwanted = self.waste.since();
        state.account.unwanted += unwanted;
        state.belief.in_vain(unwanted);
    }

    /// What the program's call says of the copy.
    fn judge(&self, state: &mut State, found: Option<&Early>, function: u32) {
        self.count_waste(state);
        let State {
            last,
            knowledge,
            belief,
            account,
            made,
            ..
        } = state;
        account.taken += u32::from(found.is_some());
        let Some(last) = last else {
            return;
        };
        match found {
            Some(early) => {
                if early.leader.is_some() {
                    belief.right();
                }
                last.hit(early, knowledge, *made);
            }
            None => last.miss(function, knowledge),
        }
        for old in last.drop_old(*made) {
            learn_of_vain(knowledge, &old);
            if let Some(place) = old.guess {
                knowledge.learn(Lesson::WrongGuess(place));
            }
        }
        last.may_lead(*belief);
    }
}

/// Nobody wanted this call.
fn learn_of_vain(knowledge: &mut Knowledge, early: &Early) {
    if early.leader.is_some() {
        knowledge.learn(Lesson::WrongCall(early.place));
    }
}

impl State {
    /// The program comes to a call.
    fn made(&mut self) {
        self.made += 1;
        self.belief.made();
    }

    /// Whether the program can bear what another copy costs it.
    fn may_cost(&mut self, probe: &Probe) -> bool {
        let own = Size::now().map_or(0, |size| size.own);
        let may = self.faults.may_copy(probe.seen(), probe.pages(own));
        self.account.too_costly += u32::from(!may);
        may || self.policy.is_eager()
    }

    /// What the last copy has issued behind something that it passed by, and the program has not come to.
    fn judge_left(&mut self) {
        let tickets = self.last.as_ref().map(|last| last.table.left());
        for place in tickets.into_iter().flatten().filter_map(|one| one.guess) {
            self.knowledge.left(place);
        }
    }

    /// The program comes to a call that copies do not issue.
    fn pass_over(&mut self) {
        self.made();
        if let Some(last) = &mut self.last {
            last.asked();
        }
    }

    /// What is left of a copy that has ended elsewhere than where the program is: to be dropped.
    fn give_up(&mut self) -> Option<Last> {
        self.last
            .as_ref()
            .filter(|last| last.is_wrong() && !last.alive)?;
        self.count_last();
        let last = self.last.take();
        for old in last.iter().flat_map(|last| last.table.left()) {
            learn_of_vain(&mut self.knowledge, old);
        }
        last
    }

    /// A copy has ended: whether that was a success.
    fn count_last(&mut self) {
        if let Some((counted, hits)) = self.last.as_mut().and_then(Last::result) {
            self.policy.ended(counted, hits);
        }
    }
}
