//! Copies: the program's process once more, with all its effects cut off, so that it runs ahead and
//! issues the calls that it comes to. It needs no knowledge of what runs in it. The program finds the
//! tickets by what it sends; so whatever a copy does costs time only.
//!
//! `birth` makes one and cuts it off (`mappings`, `descriptors`, `filter`, `trap`); `area` is the
//! memory through which it talks to the program's process, where `tender` looks after it. In the copy,
//! `ahead` is its end. `policy` says when one is worth it, `table` which ticket is for which call.

mod ahead;
mod area;
mod birth;
mod descriptors;
mod faults;
mod filter;
mod huge;
mod issue;
mod mappings;
mod policy;
mod pools;
mod probe;
mod refusal;
mod stub;
mod table;
mod tender;
mod trap;
mod trial;
mod waits;
pub mod why;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use crate::payload::{is_same_world, Payload, World};
use crate::session::Session;
use crate::ticket::{Ticket, Watch};

pub use ahead::Ahead;
pub use refusal::{cores, free, memory_of_group, Refusal};
pub use trial::trial;

use area::Area;
use birth::Side;
use faults::Faults;
use policy::Policy;
use probe::Probe;
use refusal::Size;
use table::Table;
use tender::Tender;

/// This process is a copy.
static IS_COPY: AtomicBool = AtomicBool::new(false);

/// So many calls a copy may be ahead at first.
const FIRST_WINDOW: u32 = 32;
const WIDEST_WINDOW: u32 = 4096;
/// A copy that the program has caught up with so often in a row is of no use.
const MOST_BEHIND: u32 = 8;
/// For this part of a call's time the program waits for a copy that is just behind.
const PART: u32 = 20;

/// Whether this process is a copy, not the program itself.
#[inline]
pub fn is_copy() -> bool {
    IS_COPY.load(Ordering::Relaxed)
}

/// Ends this process, which is a copy.
pub fn end(reason: u32) -> ! {
    trap::end(reason, 0)
}

/// A ticket of a call that a copy came to.
pub type Found = (Ticket, crate::budget::Spent);

/// A call that no copy has come to.
#[derive(Debug)]
pub struct Missed(Option<Vec<u8>>);

/// A copy is worth making; what one before has issued, and in which world.
#[derive(Debug)]
pub struct Wanted(Option<(World, Table<Found, Watch>)>);

/// The copies of one program: one at a time.
#[derive(Debug)]
pub struct Copies(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    session: Weak<Session>,
    state: Mutex<State>,
    /// Told when the copy has come to a call.
    changed: Condvar,
    /// Looks at what copies cost the program.
    probe: Probe,
    pid: u32,
}

#[derive(Debug, Default)]
struct State {
    policy: Policy,
    faults: Faults,
    /// Huge pages of the program's may have been split since somebody looked.
    split: bool,
    refused: Option<Refusal>,
    last: Option<Last>,
    account: Account,
}

/// The copy that was made last; the program goes on to take its tickets when it has ended.
#[derive(Debug)]
struct Last {
    area: Arc<Area>,
    table: Table<Found, Watch>,
    world: World,
    tender: Option<std::thread::JoinHandle<()>>,
    /// It is to end: it is elsewhere.
    unwanted: bool,
    /// A call of the program's has raised an exception, which nobody could know.
    raised: bool,
    alive: bool,
    issued: u32,
    hits: u32,
    /// So many calls in a row the program made before the copy came to them.
    behind: u32,
}

/// What is known of copies, for those who ask why.
#[derive(Debug, Default, Clone)]
pub struct Account {
    /// So many were made.
    pub made: u32,
    /// So many calls did they issue, and so many of these did the program take.
    pub issued: u32,
    pub taken: u32,
    /// How long the program stood still for the last one.
    pub cost: Duration,
    /// What ended them, and how often.
    pub ends: BTreeMap<String, u32>,
    /// Why there are none any more.
    pub refused: Option<&'static str>,
    /// How long calls take that nobody foresaw, as far as the program has waited for them.
    pub service: Duration,
    /// What all copies have cost the program, and what the calls that were ahead have saved.
    pub lost: Duration,
    pub saved: Duration,
    /// So many calls were worth a copy that the program could not bear.
    pub too_costly: u32,
}

impl Copies {
    /// Nothing is done before the first copy is wanted. `eager`: one is wanted at every call, however
    /// short, and nothing else runs ahead.
    pub fn new(session: &Arc<Session>, eager: bool) -> Copies {
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
            probe: Probe::new(),
            pid: std::process::id(),
        }))
    }

    /// The program has waited so long for a call that nobody foresaw.
    pub fn served(&self, time: Duration) {
        self.0.state().policy.served(time);
    }

    /// The program has waited so long for a call that a copy came to before, and that took its replica so
    /// long.
    pub fn took(&self, time: Duration, service: Duration) {
        self.0.state().faults.ahead(time, service);
    }

    /// Whether a copy runs now, so that nothing else need run ahead.
    pub fn is_running(&self) -> bool {
        let state = self.0.state();
        state.policy.is_eager() || state.last.as_ref().is_some_and(|last| last.alive)
    }

    /// The ticket of a call that the program makes now, if a copy came to it.
    ///
    /// # Errors
    /// What [`Copies::made`] is told once the program has issued it.
    pub fn find(&self, module: u32, payload: &Payload, world: &World) -> Result<Found, Missed> {
        if self.0.state().last.is_none() {
            return Err(Missed(None));
        }
        let Some(key) = issue::key(module, payload) else {
            return Err(Missed(None));
        };
        self.look_for(&key, world).ok_or(Missed(Some(key)))
    }

    fn look_for(&self, key: &[u8], world: &World) -> Option<Found> {
        let mut state = self.0.state();
        let service = state.policy.service();
        let last = state.last.as_mut()?;
        let is_same = is_same_world(&last.world, world);
        if !is_same {
            last.unwanted = true;
        }
        let header = last.area.header();
        let asked = header.taken.fetch_add(1, Ordering::SeqCst) + 1;
        if header.sleeps.load(Ordering::SeqCst) > 0 {
            area::ring(&header.news);
        }
        if !is_same {
            return None;
        }
        let mut found = last.table.take(key);
        if found.is_none() && last.is_just_behind(asked) {
            found = self.wait_for(state, key, asked, service / PART);
            state = self.0.state();
        }
        state.account.taken += u32::from(found.is_some());
        let last = state.last.as_mut()?;
        match &found {
            Some(_) => last.hit(),
            None => last.miss(asked),
        }
        found
    }

    /// Waits for a moment whether the copy comes to this call.
    fn wait_for(
        &self,
        mut state: MutexGuard<'_, State>,
        key: &[u8],
        asked: u32,
        longest: Duration,
    ) -> Option<Found> {
        let until = Instant::now() + longest;
        loop {
            let left = until.checked_duration_since(Instant::now())?;
            let waited = self.0.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            let last = state.last.as_mut()?;
            let found = last.table.take(key);
            if found.is_some() || !last.is_just_behind(asked) {
                return found;
            }
        }
    }

    /// The program has made such a call by itself.
    pub fn made(&self, missed: &Missed, view: impl FnOnce() -> Watch) {
        let mut state = self.0.state();
        let last = state.last.as_mut().filter(|last| last.alive);
        if let (Some(last), Some(key)) = (last, &missed.0) {
            last.table.made(key, view());
        }
    }

    /// What scouts had issued when the copy was made: it issues none of these again, and learns what comes
    /// of them.
    pub fn issued_before(&self, calls: impl IntoIterator<Item = (u32, Payload, Watch)>) {
        let keyed = calls.into_iter().filter_map(|(module, payload, view)| {
            let key = issue::key(module, &payload)?;
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
        let state = self.0.state();
        if let Some(last) = state.last.as_ref().filter(|last| last.alive) {
            let header = last.area.header();
            header.taken.fetch_add(1, Ordering::SeqCst);
            if header.sleeps.load(Ordering::SeqCst) > 0 {
                area::ring(&header.news);
            }
        }
    }

    /// A call of the program's has raised an exception: the copy did not know that.
    pub fn raised(&self) {
        if let Some(last) = &mut self.0.state().last {
            last.raised = true;
        }
    }

    /// Nobody foresaw the call that the program waits for now: whether to make a copy, and what that
    /// is to know.
    pub fn wanted(&self) -> Option<Wanted> {
        let mut state = self.0.state();
        if state.refused.is_some() || state.last.as_ref().is_some_and(|last| last.alive) {
            return None;
        }
        let last = state.last.take();
        if let Some(last) = &last {
            state.policy.ended(last.counted(), last.hits);
        }
        if std::mem::take(&mut state.split) {
            let began = Instant::now();
            huge::restore();
            state.faults.spent(began.elapsed());
        }
        let wanted = state.policy.wants_copy() && state.may_cost(&self.0.probe);
        drop(state);
        wanted.then(|| Wanted(last.map(|last| (last.world, last.table.succeed()))))
    }

    /// Makes a copy, which goes on from here, too, with what this gives. `call` is the one that the
    /// program waits for. Nothing where no copy could be made, and in the program's own process.
    ///
    /// # Safety
    /// As `birth::make`: of all threads only this one is in the copy.
    pub unsafe fn make(&self, wanted: Wanted, call: Watch, world: &World) -> Option<Ahead> {
        let began = Instant::now();
        let eager = self.0.state().policy.is_eager();
        let checked = refusal::check(eager);
        let area = checked.and_then(|()| Area::new().map_err(|_| Refusal::Memory));
        let area = match area {
            Ok(area) => area,
            Err(refusal) => return self.refuse(refusal),
        };
        let area = Arc::new(area);
        area.header().window.store(FIRST_WINDOW, Ordering::Relaxed);
        // SAFETY: as the caller says.
        match unsafe { birth::make(&area) } {
            Ok(Side::Copy(area)) => {
                IS_COPY.store(true, Ordering::Relaxed);
                pools::work_alone();
                std::mem::forget(wanted); // these tickets are the program's to drop
                Some(Ahead::new(area, World::clone(world)))
            }
            Ok(Side::Program(pid)) => {
                let spare = wanted.0.filter(|(before, _)| is_same_world(before, world));
                let table = spare.map(|(_, table)| table).unwrap_or_default();
                self.look_after(pid, area, call, (world, table), began.elapsed());
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

    fn look_after(
        &self,
        pid: i32,
        area: Arc<Area>,
        call: Watch,
        (world, table): (&World, Table<Found, Watch>),
        cost: Duration,
    ) {
        let mut state = self.0.state();
        state.policy.made(cost);
        state.faults.born(self.0.probe.seen(), cost);
        state.account.made += 1;
        state.account.cost = cost;
        state.last = Some(Last {
            area: Arc::clone(&area),
            table,
            world: World::clone(world),
            tender: None,
            unwanted: false,
            raised: false,
            alive: true,
            issued: 0,
            hits: 0,
            behind: 0,
        });
        let tender = Tender::new(Arc::clone(&self.0), pid, area, call, World::clone(world));
        let thread = crate::threads::spawn_quiet("cord-copies", move || tender.run());
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
                last.unwanted = true;
                area::ring(&last.area.header().bell);
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
        let state = self.0.state();
        let (lost, saved) = state.faults.sums(self.0.probe.seen());
        Account {
            service: state.policy.service(),
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
}

impl State {
    /// Whether the program can bear what another copy costs it.
    fn may_cost(&mut self, probe: &Probe) -> bool {
        let own = Size::now().map_or(0, |size| size.own);
        let may = self.faults.may_copy(probe.seen(), probe.pages(own));
        self.account.too_costly += u32::from(!may);
        may || self.policy.is_eager()
    }

    /// What is left of a copy that has ended elsewhere than where the program is: to be dropped.
    fn give_up(&mut self) -> Option<Last> {
        let last = self.last.take_if(|last| last.is_wrong() && !last.alive)?;
        self.policy.ended(last.counted(), last.hits);
        Some(last)
    }
}

impl Last {
    /// Whether nobody will ask for what it has issued.
    fn is_wrong(&self) -> bool {
        self.unwanted && !self.raised
    }

    /// How many calls speak for or against it: the next copy may come to the others.
    fn counted(&self) -> u32 {
        if self.is_wrong() {
            self.issued
        } else {
            self.hits
        }
    }

    /// Whether the copy has not come to the program's call number `asked` yet.
    fn is_just_behind(&self, asked: u32) -> bool {
        let reached = self.area.header().reached.load(Ordering::SeqCst);
        self.alive && !self.unwanted && reached < asked && self.behind < MOST_BEHIND
    }

    fn hit(&mut self) {
        (self.hits, self.behind) = (self.hits + 1, 0);
        let header = self.area.header();
        let window = header.window.load(Ordering::Relaxed);
        if self.hits >= window && window < WIDEST_WINDOW {
            header.window.store(window * 2, Ordering::Relaxed);
        }
    }

    /// The program makes a call that the copy has not come to: it is behind, or elsewhere.
    fn miss(&mut self, asked: u32) {
        self.behind += 1;
        let reached = self.area.header().reached.load(Ordering::SeqCst);
        if reached >= asked || self.behind >= MOST_BEHIND {
            self.unwanted = true;
            area::ring(&self.area.header().bell);
        }
    }
}
