//! Activations: one execution of a region each, with what is scouted for it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use cord_core::ticket::Ticket;
use cord_scout::{Answers, Guesses, Why};
use pyo3::ffi;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

use crate::copies::Sent;
use crate::scouts::calls::Issued;
use crate::scouts::future::Future;
use crate::scouts::run::{Run, TOP_UP};
use crate::scouts::scout_end::is_telling;
use crate::scouts::scouting::Calls;
use crate::takes::lates::Lates;
use crate::takes::standing::{Begun, Repeated};

/// What a caller hands to the helper it is about to call.
struct Offer {
    /// The code that will ask for it, by address.
    entered: usize,
    giver: Py<Activation>,
    site: u32,
    answers: Arc<Answers>,
}

thread_local! {
    static OFFERS: RefCell<Vec<Offer>> = const { RefCell::new(Vec::new()) };
}

fn is_held_once(object: &Py<Activation>) -> bool {
    // SAFETY: the object is alive: there is a reference to it
    unsafe { ffi::Py_REFCNT(object.as_ptr()) == 1 }
}

/// The code object of the Python frame that called this native function, by address.
fn running_code(py: Python<'_>) -> usize {
    // SAFETY: the frame is borrowed and alive while it runs; its code object outlives the call
    unsafe {
        let frame = ffi::PyEval_GetFrame();
        if frame.is_null() {
            return 0;
        }
        let code = ffi::PyFrame_GetCode(frame);
        let code = Bound::from_owned_ptr(py, code.cast());
        code.as_ptr() as usize
    }
}

/// A stretch of code with calls; entering it makes an activation.
#[pyclass(module = "cord._core", frozen)]
pub struct Region {
    key: Py<PyAny>,
}

#[pymethods]
impl Region {
    #[new]
    fn new(key: Py<PyAny>) -> Self {
        Self { key }
    }

    #[getter]
    fn key<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.key.bind(py).clone()
    }

    fn enter(&self, py: Python<'_>) -> PyResult<Activation> {
        let offer = OFFERS.with_borrow_mut(|offers| {
            let code = running_code(py);
            let at = offers.len().checked_sub(1)?;
            (offers[at].entered == code).then(|| offers.remove(at))
        });
        let state = offer.map_or_else(|| Ok(State::default()), |offer| offer.accept(py))?;
        Ok(Activation {
            region: self.key.clone_ref(py),
            state: Mutex::new(state),
        })
    }
}

#[derive(Default)]
struct State {
    guesses: Guesses<Issued>,
    run: Option<Py<Run>>,
    caller: Option<(Py<Activation>, u32)>,
    /// Where it was called, if a scout went in there, until that is known to be right or wrong.
    scouted: Option<Arc<Answers>>,
    loops: HashMap<u32, Shown>,
    /// What was known of them when they began, where somebody looks on.
    begun: HashMap<u32, Begun>,
    /// By site: the calls that were made in the turns of its innermost loop, where that has no end that
    /// anybody knows.
    repeated: HashMap<u32, Repeated>,
    /// Values that the frame has not received yet.
    lates: Lates,
}

/// What is known of a loop that the program is in.
pub enum Shown {
    Iterator(Py<PyAny>),
    /// An iterator and how many items it has had; it ends with the loop.
    Counted(Arc<Turns>),
}

impl Shown {
    /// The iterator, unless it is gone.
    fn iterator<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        match self {
            Shown::Iterator(iterator) => Some(iterator.bind(py).clone()),
            Shown::Counted(turns) => {
                let iterator = turns.iterator();
                iterator.as_ref().map(|iterator| iterator.bind(py).clone())
            }
        }
    }
}

/// How far the program's loop over an iterator is.
pub struct Turns {
    pub count: AtomicUsize,
    /// Nothing when the loop is over.
    iterator: Mutex<Option<Py<PyAny>>>,
}

impl Turns {
    pub fn of(iterator: Py<PyAny>) -> Arc<Self> {
        Arc::new(Self {
            count: AtomicUsize::new(0),
            iterator: Mutex::new(Some(iterator)),
        })
    }

    pub fn iterator(&self) -> MutexGuard<'_, Option<Py<PyAny>>> {
        self.iterator.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// None while somebody has it.
    pub fn try_iterator(&self) -> Option<MutexGuard<'_, Option<Py<PyAny>>>> {
        self.iterator.try_lock().ok()
    }
}

/// One execution of a region. When its frame ends it is gone, and what was issued for it is dropped.
#[pyclass(module = "cord._core", frozen)]
pub struct Activation {
    region: Py<PyAny>,
    state: Mutex<State>,
}

#[pymethods]
impl Activation {
    /// Its frame holds it, and what it knows of loops and scouts may hold that frame.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.region)?;
        let Ok(state) = self.state.try_lock() else {
            return Ok(()); // it is in use, so nobody lets go of it now
        };
        visit.call(&state.run)?;
        if let Some((caller, _)) = &state.caller {
            visit.call(caller)?;
        }
        for shown in state.loops.values() {
            match shown {
                Shown::Iterator(iterator) => visit.call(iterator)?,
                Shown::Counted(_) => {} // the loop's object visits it
            }
        }
        Ok(())
    }

    #[getter]
    fn region<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.region.bind(py).clone()
    }

    /// The activation that called this one and the site of that call, if both are known, unless that
    /// activation's own scout is under way.
    #[getter]
    fn caller<'py>(&self, py: Python<'py>) -> Option<(Bound<'py, Activation>, u32)> {
        let (caller, site) = self.around(py)?;
        caller.get().may_be_scouted(py).then_some((caller, site))
    }

    /// The values that its frame has not received yet, each with the site of its call.
    fn late(&self) -> Vec<(u32, Future)> {
        let tickets = self.with_lates(|lates| lates.tickets());
        let future = |(site, ticket): (u32, Ticket)| (site, Future::of_call(ticket.watch()));
        tickets.into_iter().map(future).collect()
    }

    /// Lets go of everything, for a module's own code, which ends without its activation ending.
    fn close(&self, py: Python<'_>) {
        self.drop_guesses(py);
        let state = std::mem::take(&mut *self.lock());
        drop(state);
    }

    /// The iterator of a loop that the program is in, if it was seen.
    pub fn iterator<'py>(&self, py: Python<'py>, number: u32) -> Option<Bound<'py, PyAny>> {
        self.lock().loops.get(&number)?.iterator(py)
    }

    /// How many items such a loop has had of an iterator that cannot be copied.
    #[pyo3(name = "count")]
    pub fn counted(&self, number: u32) -> Option<usize> {
        match self.lock().loops.get(&number) {
            Some(Shown::Counted(turns)) => Some(turns.count.load(Ordering::Relaxed)),
            _ => None,
        }
    }
}

impl Activation {
    /// Its frame is about to call a helper at `site`: whoever enters that code takes over what was
    /// scouted inside.
    pub fn offer(activation: &Bound<'_, Self>, site: u32, entered: usize, answers: &Arc<Answers>) {
        let offered = Offer {
            entered,
            giver: activation.clone().unbind(),
            site,
            answers: Arc::clone(answers),
        };
        // whoever was meant by an offer of a frame that is gone did not ask; dropped after the borrow
        let stale: Vec<Offer> = OFFERS.with_borrow_mut(|offers| {
            let all = std::mem::take(offers).into_iter();
            let (stale, mut kept): (Vec<_>, Vec<_>) = all.partition(|old| {
                let again = old.site == site && old.giver.is(activation);
                again || is_held_once(&old.giver)
            });
            kept.push(offered);
            *offers = kept;
            stale
        });
        drop(stale);
    }
}

impl Offer {
    /// The helper is entered, its arguments are there: what was scouted for it is its own now.
    fn accept(self, py: Python<'_>) -> PyResult<State> {
        let giver = self.giver.bind(py).get();
        giver.run_woken(py)?;
        let mut calls = giver.calls().find_helper(self.site);
        if calls.is_none() && giver.step_behind(py)? {
            calls = giver.calls().find_helper(self.site);
        }
        if calls.is_some() {
            self.answers.count_ahead();
        } else {
            self.answers.count_in_place();
            self.answers.entering.passes();
            if is_telling() {
                self.answers.count_reason(&giver.why_not(py, self.site));
            }
            giver.drop_wrong_guesses(py, self.site);
        }
        let run = calls.as_ref().and_then(|_| giver.run(py));
        Ok(State {
            scouted: calls.as_ref().map(|_| self.answers),
            guesses: calls.map(Guesses::of).unwrap_or_default(),
            run: run.map(Bound::unbind),
            caller: Some((self.giver, self.site)),
            ..State::default()
        })
    }
}

impl Drop for Activation {
    /// The frame is gone: nobody will ask for what was issued for it.
    fn drop(&mut self) {
        Python::attach(|py| self.drop_guesses(py));
    }
}

impl Activation {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The activation that called this one and the site of that call, if both are known.
    pub fn around<'py>(&self, py: Python<'py>) -> Option<(Bound<'py, Activation>, u32)> {
        let state = self.lock();
        let (caller, site) = state.caller.as_ref()?;
        Some((caller.bind(py).clone(), *site))
    }

    /// Looks at what the frame has not received yet; `look` runs no Python.
    pub fn with_lates<T>(&self, look: impl FnOnce(&mut Lates) -> T) -> T {
        look(&mut self.lock().lates)
    }

    pub fn calls(&self) -> Calls {
        self.lock().guesses.calls().clone()
    }

    pub fn run<'py>(&self, py: Python<'py>) -> Option<Bound<'py, Run>> {
        self.lock().run.as_ref().map(|run| run.bind(py).clone())
    }

    /// Tells whether no scout has been here before.
    pub fn adopt(&self, run: &Bound<'_, Run>) -> bool {
        let old = self.lock().run.replace(run.clone().unbind());
        if let Some(old) = &old {
            old.get().doubt();
        }
        old.is_none()
    }

    /// Keeps what is known of a loop that begins.
    pub fn show(&self, number: u32, shown: Shown) {
        let old = self.lock().loops.insert(number, shown);
        drop(old);
    }

    /// Keeps what is known of a loop that begins for whoever looks on.
    pub fn begin(&self, number: u32, begun: Begun) {
        self.lock().begun.insert(number, begun);
    }

    /// What was known of a loop when it began.
    pub fn begun(&self, number: u32) -> Option<Begun> {
        self.lock().begun.get(&number).copied()
    }

    /// When the turn of a loop that is under way was first seen, the one after so many.
    pub fn turn(&self, number: u32, done: usize) -> Option<Instant> {
        Some(self.lock().begun.get_mut(&number)?.turn(done))
    }

    /// A call is made at a site, in this turn of the loop around the one by `while`.
    pub fn repeat(&self, site: u32, turn: Option<(Instant, usize)>) {
        self.lock().repeated.entry(site).or_default().count(turn);
    }

    /// What is known of the calls that are made at a site again and again.
    pub fn repeated(&self, site: u32) -> Option<Repeated> {
        self.lock().repeated.get(&site).copied()
    }

    /// A loop is over.
    pub fn forget(&self, number: u32) {
        let old = self.lock().loops.remove(&number);
        drop(old);
    }

    /// The scout that runs ahead of this frame: its own, or one of a caller's.
    pub fn live_run<'py>(&self, py: Python<'py>) -> Option<Bound<'py, Run>> {
        if let Some(run) = self.run(py).filter(|run| run.get().is_alive()) {
            return Some(run);
        }
        let mut caller = self.around(py);
        while let Some((activation, _)) = caller {
            let state = activation.get();
            if let Some(run) = state.run(py).filter(|run| run.get().is_alive()) {
                return Some(run);
            }
            caller = state.around(py);
        }
        None
    }

    /// Lets a scout that has been held up catch up; tells whether it was.
    pub fn step_behind(&self, py: Python<'_>) -> PyResult<bool> {
        let Some(run) = self.run(py).filter(|run| run.get().is_alive()) else {
            return Ok(false);
        };
        let calls = self.calls();
        let not_yet = calls.is_empty() && calls.is_open();
        if not_yet || run.get().strands.is_held_up() {
            Run::step(&run, None, Some(TOP_UP))?;
            return Ok(true);
        }
        Ok(false)
    }

    /// Lets strands catch up by one turn that the window holds up; tells whether there were some.
    pub fn catch_up(&self, py: Python<'_>) -> PyResult<bool> {
        let run = self.run(py).filter(|run| run.get().is_alive());
        let Some(run) = run.filter(|run| run.get().strands.holds_up_followers()) else {
            return Ok(false);
        };
        let before = run.get().strands.pace.issued();
        Run::catch_up(&run)?;
        Ok(run.get().strands.pace.issued() > before)
    }

    /// The program makes a call that the scout has not made: what that goes on to do is a guess.
    pub fn doubt(&self, py: Python<'_>) {
        if let Some(run) = self.run(py) {
            run.get().doubt();
        }
        self.calls().leave_committed();
    }

    /// The program asked for something the scout did not foresee: unless it is a call that the scout
    /// leaves to the program, what it issued for this frame is wrong.
    pub fn drop_wrong_guesses(&self, py: Python<'_>, site: u32) {
        let Some(run) = self.run(py) else {
            return;
        };
        if run.get().strands.passes(site) {
            return;
        }
        let mut state = self.lock();
        let are_wrong = state.guesses.missed();
        if state.guesses.calls().has_any() {
            if let Some(answers) = state.scouted.take().filter(|_| are_wrong) {
                answers.entering.wrong();
            }
        }
        drop(state);
        if are_wrong {
            self.drop_guesses(py);
        }
    }

    /// The program asked for what a scout had issued. Tells how many calls of the program's before.
    pub fn hit(&self, py: Python<'_>, issued: &Issued) -> usize {
        let mut state = self.lock();
        state.guesses.hit();
        if let Some(answers) = state.scouted.take() {
            answers.entering.right();
        }
        drop(state);
        let Some(run) = self.run(py) else {
            return 1;
        };
        let pace = &run.get().strands.pace;
        let ahead = match pace.takes() {
            takes if takes == issued.during => 0,
            takes => takes.saturating_sub(issued.during).max(1), // it may be a gone scout's
        };
        if pace.hit(issued.during) {
            run.get().strands.note(Why::Useless);
            self.drop_guesses(py);
        }
        ahead
    }

    /// What the scouts of this frame and of its callers have issued, up to so many calls.
    pub fn sent(&self, py: Python<'_>, most: usize) -> Vec<Sent> {
        let mut all = Vec::new();
        let to_be_sent = |issued: &Issued| issued.to_be_sent(py);
        self.calls().look_at(most, &mut all, &to_be_sent);
        let mut caller = self.caller(py);
        while let Some((activation, _)) = caller {
            activation
                .get()
                .calls()
                .look_at(most, &mut all, &to_be_sent);
            caller = activation.get().caller(py);
        }
        all.into_iter().filter_map(|one| one.encoded(py)).collect()
    }

    /// A copy of the program issues what comes next: scouts of this frame and of its callers end. What
    /// they have issued stays.
    pub fn leave_to_copy(&self, py: Python<'_>) {
        while let Some(run) = self.live_run(py) {
            run.get().strands.note(Why::Copied);
            run.get().end();
        }
    }

    /// Drops what was issued for this frame, with the strands that would issue more.
    pub fn drop_guesses(&self, py: Python<'_>) {
        let calls = self.lock().guesses.give_up();
        if let Some(run) = self.run(py) {
            run.get().leave(&calls);
        }
        calls.discard();
    }

    /// What can be done for the scouts of this frame before the program's call is looked for.
    pub fn prepare(&self, py: Python<'_>) -> PyResult<()> {
        let Some(run) = self.run(py) else {
            return Ok(());
        };
        run.get().strands.pace.count_take();
        self.run_woken(py)
    }

    /// Runs the strands whose values have come, so that they are no later than the program.
    pub fn run_woken(&self, py: Python<'_>) -> PyResult<()> {
        match self.run(py) {
            Some(run) if run.get().strands.signal.is_set() => Run::step_woken(&run),
            _ => Ok(()),
        }
    }

    /// Whether nothing is scouted for this frame at the moment.
    pub fn may_be_scouted(&self, py: Python<'_>) -> bool {
        let calls = self.calls();
        if !calls.is_empty() {
            return false;
        }
        let open = calls.is_open();
        !(open && self.run(py).is_some_and(|run| run.get().is_alive()))
    }
}
