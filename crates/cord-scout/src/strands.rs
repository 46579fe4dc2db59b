//! The strands of a scout: which of them can go on, and where what they issue belongs.
//!
//! A strand is a generator that runs until it ends, pauses or waits for a value; others go on
//! meanwhile. One that is started runs at once, inside the one that starts it, as far as it can. So
//! calls come in the program's order as far as values are there.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::calls::Calls;
use super::exits::Deciding;
use super::interpreter::Kind;
use super::pace::{Counted, Pace};
use super::refusal::{Told, Why};
use super::signal::Signal;
use super::until::Until;
use cord_core::ticket::Ticket;

/// How deep in helpers a scout may be.
pub(super) const MAX_DEPTH: usize = 100;
/// Where nothing else is to be done, a scout goes on if it is likelier than this that the program
/// will follow.
const WORTH_A_TRY: f64 = 0.25;

/// One level of a scout: the generator that covers a frame of the program, and that frame's calls.
pub struct Level<K: Kind> {
    /// Covers it.
    pub generator: K::Generator,
    /// Where its calls go.
    pub calls: Calls<K::Call>,
    /// Who gets what the frame returns.
    pub receiver: Option<K::Receiver>,
    /// No scout has covered that frame before.
    pub first: bool,
}

/// A strand that is to be started.
pub struct Begun<K: Kind> {
    /// What it runs.
    pub generator: K::Generator,
    /// Where its calls go.
    pub calls: Calls<K::Call>,
    /// It counts among what is out.
    pub counted: Option<Counted>,
    /// The condition that it decides.
    pub exit: Option<Deciding<K>>,
}

/// A thread of a scout.
pub(super) struct Strand<K: Kind> {
    pub(super) generator: K::Generator,
    pub(super) state: State<K>,
    /// Who gets what it returns.
    pub(super) receiver: Option<K::Receiver>,
    /// It goes through a region from where that begins, or from where the program is.
    pub(super) heads: bool,
    /// It covers a frame of the program, not something that was started by another strand.
    pub(super) main: bool,
    /// The condition that it decides.
    pub(super) exit: Option<Deciding<K>>,
    /// Counts it among what is under way.
    pub(super) _counted: Option<Counted>,
}

/// What may change of a strand while it runs, and what it must know then.
pub(super) struct State<K: Kind> {
    pub(super) id: u64,
    pub(super) calls: Calls<K::Call>,
    pub(super) depth: usize,
    /// It goes on where the program is in a loop that no scout has seen before.
    pub(super) first: bool,
    pub(super) waits: bool,
    /// How likely the program is to want what comes next, while it waits to know.
    pub(super) chance: f64,
    /// It is to go on without knowing.
    pub(super) dares: bool,
}

impl<K: Kind> State<K> {
    pub(super) fn new(id: u64, calls: Calls<K::Call>, depth: usize, first: bool) -> Self {
        Self {
            id,
            calls,
            depth,
            first,
            waits: false,
            chance: 0.0,
            dares: false,
        }
    }

    /// As it is when the strand goes on.
    pub(super) fn resumed(&mut self) -> Self {
        Self {
            dares: std::mem::take(&mut self.dares),
            ..Self::new(self.id, self.calls.clone(), self.depth, self.first)
        }
    }
}

pub(super) struct Inner<K: Kind> {
    /// Frames of the program still to be covered, innermost last.
    pub(super) levels: Vec<Level<K>>,
    pub(super) current: Option<State<K>>,
    /// Strands that can go on, in the order of the program.
    pub(super) paused: VecDeque<Strand<K>>,
    /// Those that paused inside the one that runs, innermost first.
    pub(super) within: Vec<Strand<K>>,
    pub(super) waiting: HashMap<u64, Strand<K>>,
    /// Sites that the scout leaves to the program.
    passed: HashSet<u32>,
    /// The last reason why a strand ended before its end, or the scout.
    pub(super) refusal: Told,
    awaited: Option<Ticket>,
    until: Option<Until>,
}

impl<K: Kind> Inner<K> {
    /// The strand to go on with: the first that can, else the one that waits to know whether it
    /// should and is likeliest to be right.
    pub(super) fn next(&mut self) -> Option<Strand<K>> {
        if let Some(strand) = self.paused.pop_front() {
            return Some(strand);
        }
        let daring = self.waiting.values().map(|strand| &strand.state);
        let best = daring
            .filter(|state| state.chance > WORTH_A_TRY)
            .max_by(|a, b| a.chance.total_cmp(&b.chance).then(b.id.cmp(&a.id)))?
            .id;
        let mut strand = self.waiting.remove(&best)?;
        strand.state.dares = true;
        Some(strand)
    }

    fn strands(&self) -> impl Iterator<Item = &Strand<K>> {
        let ready = self.paused.iter().chain(&self.within);
        ready.chain(self.waiting.values())
    }
}

/// The strands of one scout.
pub struct Strands<K: Kind> {
    inner: Mutex<Inner<K>>,
    /// How far it may run ahead.
    pub pace: Pace,
    /// Those that are woken.
    pub signal: Arc<Signal>,
    alive: AtomicBool,
    stepping: AtomicBool,
    /// One of them has ended before its end.
    pub(super) cut: AtomicBool,
    /// There are conditions to be learned from.
    learning: AtomicBool,
    numbers: AtomicU64,
}

impl<K: Kind> Strands<K> {
    /// A scout that may have so many calls out at first.
    pub fn new(window: usize) -> Self {
        Self {
            inner: Mutex::new(Inner {
                levels: Vec::new(),
                current: None,
                paused: VecDeque::new(),
                within: Vec::new(),
                waiting: HashMap::new(),
                passed: HashSet::new(),
                refusal: None,
                awaited: None,
                until: None,
            }),
            pace: Pace::new(window),
            signal: Arc::default(),
            alive: AtomicBool::new(true),
            stepping: AtomicBool::new(false),
            cut: AtomicBool::new(false),
            learning: AtomicBool::new(false),
            numbers: AtomicU64::new(0),
        }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Inner<K>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn next_number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    /// Gives the scout its generators, innermost frame first.
    pub fn begin(&self, mut levels: Vec<Level<K>>) {
        levels.reverse();
        let mut inner = self.lock();
        inner.levels = levels;
        self.enter_level(&mut inner);
    }

    /// Goes on with the next frame, if there is one.
    pub(super) fn enter_level(&self, inner: &mut Inner<K>) {
        if let Some(level) = inner.levels.pop() {
            level.calls.set_open(true);
            inner.paused.push_back(Strand {
                generator: level.generator,
                state: State::new(self.next_number(), level.calls, 0, level.first),
                receiver: level.receiver,
                heads: true,
                main: true,
                exit: None,
                _counted: None,
            });
        }
    }

    /// Whether it has not ended.
    pub fn is_alive(&self) -> bool {
        self.alive.load(Ordering::Relaxed)
    }

    /// Whether one of them has ended before its end, so that the scout does not get as far as the program.
    pub fn is_cut(&self) -> bool {
        self.cut.load(Ordering::Relaxed)
    }

    /// Whether a strand runs.
    pub fn is_stepping(&self) -> bool {
        self.stepping.load(Ordering::Relaxed)
    }

    /// Ends the scout; calls already issued stay.
    pub fn end(&self) {
        self.alive.store(false, Ordering::Relaxed);
        let mut inner = self.lock();
        for strand in inner.strands() {
            strand.state.calls.set_open(false);
        }
        // dropped only after the lock is released: dropping may run the program's code
        let levels = std::mem::take(&mut inner.levels);
        let paused = std::mem::take(&mut inner.paused);
        let within = std::mem::take(&mut inner.within);
        let waiting = std::mem::take(&mut inner.waiting);
        drop(inner);
        drop((levels, paused, within, waiting));
    }

    /// Whether it is the frame whose calls these are that the scout now covers.
    pub fn covers(&self, calls: &Calls<K::Call>) -> bool {
        let inner = self.lock();
        let mut mains = inner.paused.iter().chain(inner.waiting.values());
        mains.any(|strand| strand.main && strand.state.calls.is(calls))
    }

    /// Shows all generators that it holds, unless it is in use.
    ///
    /// # Errors
    /// The first of `look`.
    pub fn generators<E>(
        &self,
        mut look: impl FnMut(&K::Generator) -> Result<(), E>,
    ) -> Result<(), E> {
        let Ok(inner) = self.inner.try_lock() else {
            return Ok(());
        };
        let levels = inner.levels.iter().map(|level| &level.generator);
        let mut strands = inner.strands().map(|strand| &strand.generator);
        levels.chain(&mut strands).try_for_each(&mut look)
    }

    /// The scout leaves calls at these sites to the program.
    pub fn pass_by(&self, sites: impl IntoIterator<Item = u32>) {
        self.lock().passed.extend(sites);
    }

    /// Whether it leaves calls at a site to the program.
    pub fn passes(&self, site: u32) -> bool {
        self.lock().passed.contains(&site)
    }

    pub(super) fn learns(&self) {
        self.learning.store(true, Ordering::Relaxed);
    }

    /// Whether strands are to be woken that may find out how a loop ends.
    pub fn has_learned(&self) -> bool {
        self.signal.is_set() && self.learning.load(Ordering::Relaxed)
    }

    /// Whether so little is out that it is worth a moment even when a reply is there.
    pub fn is_low(&self) -> bool {
        self.signal.is_set() || self.pace.is_low()
    }

    /// Whether strands wait for calls that are under way.
    pub fn is_waiting(&self) -> bool {
        !self.lock().waiting.is_empty()
    }

    /// Whether strands could go on, but had no time to, or enough calls out.
    pub fn is_held_up(&self) -> bool {
        !self.lock().paused.is_empty()
    }

    /// Whether some of them only follow what others do, and may go on.
    pub fn holds_up_followers(&self) -> bool {
        !self.pace.is_crowded() && self.lock().paused.iter().any(|strand| !strand.heads)
    }

    /// Whether strands would go on if replicas had nothing to do.
    pub fn can_stretch(&self) -> bool {
        self.is_held_up() && self.pace.can_stretch()
    }

    /// Whether what runs is to pause: enough is out, or its time is over.
    pub fn should_pause(&self) -> bool {
        self.pace.is_full() || self.is_over()
    }

    /// Whether the program could go on, and the scout's time is over.
    pub(super) fn is_over(&self) -> bool {
        let inner = self.lock();
        if inner.awaited.as_ref().is_some_and(Ticket::is_settled) {
            return true;
        }
        inner.until.as_ref().is_some_and(Until::is_over)
    }

    /// Lets strands run from now on, until what the program waits for is there or the time is over;
    /// false if they do already.
    pub fn enter(&self, awaited: Option<&Ticket>, until: Option<Until>) -> bool {
        if self.stepping.swap(true, Ordering::Relaxed) {
            return false;
        }
        let mut inner = self.lock();
        inner.awaited = awaited.cloned();
        inner.until = until;
        true
    }

    /// No longer.
    pub fn leave(&self) {
        let awaited = self.lock().awaited.take();
        drop(awaited);
        self.stepping.store(false, Ordering::Relaxed);
    }

    fn with_current<T>(&self, look: impl FnOnce(&mut State<K>) -> T) -> Result<T, K::Error> {
        self.lock()
            .current
            .as_mut()
            .map(look)
            .ok_or_else(|| K::stop(Why::Ended))
    }

    /// The number of the strand that runs; fails where none does, as all that is asked of it.
    pub fn running(&self) -> Result<u64, K::Error> {
        self.with_current(|current| current.id)
    }

    /// Where calls go now.
    ///
    /// # Errors
    /// Where no strand runs.
    pub fn calls(&self) -> Result<Calls<K::Call>, K::Error> {
        self.with_current(|current| current.calls.clone())
    }

    /// A strand that runs this, whose calls stand where the one that runs is.
    ///
    /// # Errors
    /// Where no strand runs.
    pub fn group(&self, generator: K::Generator) -> Result<Begun<K>, K::Error> {
        Ok(Begun {
            generator,
            calls: self.calls()?.inner(),
            counted: Some(Counted::new(&self.pace.outstanding)),
            exit: None,
        })
    }

    /// The strand that runs asks to wait.
    pub fn wait(&self) {
        let _ = self.with_current(|current| current.waits = true);
    }

    /// Whether the strand that runs has asked to wait; it will not.
    pub fn waits_now(&self) -> bool {
        let waits = self.with_current(|current| std::mem::take(&mut current.waits));
        waits.unwrap_or(false)
    }

    /// The strand that runs is to wait until it is woken, by the number that is returned. If there is
    /// nothing better to do it goes on before that, if the program is likely enough to follow.
    pub(super) fn hold(&self, chance: f64) -> Result<u64, K::Error> {
        self.with_current(|current| {
            current.waits = true;
            current.chance = chance;
            current.id
        })
    }

    /// Whether the strand that runs is to go on without knowing, this once.
    pub(super) fn dares(&self) -> bool {
        let dares = self.with_current(|current| std::mem::take(&mut current.dares));
        dares.unwrap_or(false)
    }

    /// Whether the strand goes on where the program is, and no scout has been there before.
    pub(super) fn is_first(&self) -> bool {
        self.with_current(|current| current.first).unwrap_or(false)
    }

    /// Goes one helper deeper.
    ///
    /// # Errors
    /// Where that is too deep.
    pub fn descend(&self) -> Result<(), K::Error> {
        self.with_current(|current| {
            let deeper = current.depth < MAX_DEPTH;
            current.depth += usize::from(deeper);
            deeper.then_some(()).ok_or_else(|| K::stop(Why::Deep))
        })?
    }

    /// Comes back.
    pub fn ascend(&self) {
        let _ = self.with_current(|current| current.depth = current.depth.saturating_sub(1));
    }
}
