//! The path of a call: sites, activations, and the take.
//!
//! A take looks among the calls that the scout of its activation has issued for the first one for
//! this site with equal arguments. If there is none, the call is made afresh and a new scout starts
//! from where the program is.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cord_core::Ticket;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFunction, PyTuple};

use crate::calls::{Asked, Entry, Issued, SharedCalls};
use crate::encode::{are_stable, keep, Encoded};
use crate::guard::{can_be_shown, check_encodable, stop};
use crate::remote::{is_forked, wait, RemoteFunction};
use crate::run::{Run, Score};

/// Calls out at first, for each replica; and the fewest.
const FIRST_WINDOW: usize = 2;
/// Scouts that never hit are started less and less often: at most this many takes are let pass.
const MAX_PATIENCE: u32 = 1024;
/// A region may fail this often before it pauses, and pauses no longer than for so many takes.
const LENIENCE: u32 = 4;
const LONGEST_PAUSE: u32 = 32;
/// How long a scout may run when the program could go on.
const TOP_UP: Duration = Duration::from_micros(300);

/// How well the scouts born at one site have done.
#[derive(Default)]
struct Record {
    last: Option<Arc<Score>>,
    failures: u32,
    pause: u32,
    window: usize,
}

/// How well the scouts of a whole region have done of late: a long row of calls, each by itself, must
/// not pay for a scout each.
#[pyclass(module = "cord._core", frozen)]
#[derive(Default)]
pub struct Patience(Mutex<Record>);

#[pymethods]
impl Patience {
    #[new]
    fn new() -> Self {
        Self::default()
    }
}

impl Patience {
    fn wants_scout(&self) -> bool {
        let mut record = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if record.pause > 0 {
            record.pause -= 1;
            return false;
        }
        let Some(last) = record.last.take() else {
            return true;
        };
        if last.hits.load(Ordering::Relaxed) > 0 {
            record.failures = 0;
            return true;
        }
        record.failures += 1;
        record.pause = record.failures.saturating_sub(LENIENCE).min(LONGEST_PAUSE);
        record.pause == 0
    }

    fn watch(&self, score: &Arc<Score>) {
        let mut record = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        record.last = Some(Arc::clone(score));
    }
}

/// A call site of the program.
#[pyclass(module = "cord._core", frozen)]
pub struct Site {
    uid: u32,
    /// Python: makes the scout that goes on after this site.
    birth: Py<PyAny>,
    /// Python: makes the scout of a helper called with these arguments.
    go: Py<PyAny>,
    width: usize,
    record: Mutex<Record>,
    patience: Py<Patience>,
}

#[pymethods]
impl Site {
    #[new]
    fn new(
        uid: u32,
        birth: Py<PyAny>,
        go: Py<PyAny>,
        replicas: usize,
        patience: Py<Patience>,
    ) -> Self {
        let width = (replicas * FIRST_WINDOW).max(4);
        Self {
            uid,
            birth,
            go,
            width,
            record: Mutex::default(),
            patience,
        }
    }

    #[getter]
    fn uid(&self) -> u32 {
        self.uid
    }

    /// The program's call: `take(activation, callee, *args, **kwargs)`.
    #[pyo3(signature = (*all, **kwargs))]
    fn take<'py>(
        slf: &Bound<'py, Self>,
        all: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let args = all.get_slice(2, all.len());
        slf.get()
            .take_of(&all.get_item(0)?, &all.get_item(1)?, &args, kwargs)
    }

    /// The callee with this site's take in front, for calls with starred arguments.
    fn bound<'py>(
        slf: Bound<'py, Self>,
        activation: Bound<'py, PyAny>,
        callee: Bound<'py, PyAny>,
    ) -> BoundTake {
        BoundTake {
            site: slf.unbind(),
            activation: activation.unbind(),
            callee: callee.unbind(),
        }
    }

    /// The program is about to call a helper: what was scouted inside goes to the helper's activation.
    fn enter<'py>(
        &self,
        activation: &Bound<'py, PyAny>,
        callee: &Bound<'py, PyAny>,
    ) -> Bound<'py, PyAny> {
        if let (Ok(activation), Ok(function)) = (
            activation.cast_exact::<Activation>(),
            callee.cast_exact::<PyFunction>(),
        ) {
            self.hand_over(activation, code_of(function));
        }
        callee.clone()
    }

    /// A scout's call of a remote function. Returns whether the scout is to pause.
    #[pyo3(signature = (run, callee, *args, **kwargs))]
    fn issue<'py>(
        &self,
        run: &Bound<'py, Run>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<bool> {
        let py = run.py();
        let Ok(remote) = callee.cast_exact::<RemoteFunction>() else {
            return Err(stop());
        };
        let remote = remote.get();
        if !remote.ahead {
            return Err(stop());
        }
        let stable = are_stable(args, kwargs);
        if !stable {
            check_encodable(args, kwargs)?;
        }
        let encoded = remote
            .encode(py, args, kwargs, stable)
            .map_err(|_| stop())?;
        let size = encoded.size();
        let kept = if stable {
            None
        } else {
            Some(keep(&encoded.payload))
        };
        let ticket = remote.issue(encoded.payload);
        let run = run.get();
        run.place().push(Entry::Call(Issued::new(
            self.uid,
            ticket,
            args,
            kwargs,
            kept,
            size,
            &run.outstanding,
        )));
        Ok(run.should_pause())
    }

    /// A scout goes into a helper: its generator.
    #[pyo3(signature = (run, callee, *args, **kwargs))]
    fn go<'py>(
        &self,
        run: &Bound<'py, Run>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        run.get().descend()?;
        let generator = self.go.bind(run.py()).call1((run, callee, args, kwargs))?;
        let calls = SharedCalls::default();
        run.get().place().push(Entry::Helper {
            site: self.uid,
            calls: calls.clone(),
        });
        run.get().enter_helper(calls);
        Ok(generator)
    }

    /// The scout comes back from a helper.
    fn back(&self, run: &Bound<'_, Run>) {
        run.get().leave_helper();
        run.get().ascend();
    }
}

impl Site {
    fn take_of<'py>(
        &self,
        activation: &Bound<'py, PyAny>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = callee.py();
        let Ok(remote) = callee.cast_exact::<RemoteFunction>() else {
            return callee.call(args, kwargs);
        };
        let remote = remote.get();
        match activation.cast_exact::<Activation>() {
            Ok(activation) if remote.ahead && !is_forked() => {
                self.take_ahead(py, remote, activation, args, kwargs)
            }
            _ => remote.__call__(py, args, kwargs),
        }
    }

    fn take_ahead<'py>(
        &self,
        py: Python<'py>,
        remote: &RemoteFunction,
        activation: &Bound<'py, Activation>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let state = activation.get();
        let stable = are_stable(args, kwargs);
        let mut encoded = if stable {
            None
        } else {
            Some(remote.encode(py, args, kwargs, false)?)
        };
        let found = {
            let asked = Asked {
                site: self.uid,
                args,
                kwargs,
                encoded: encoded.as_ref(),
            };
            match state.calls().find_call(&asked) {
                None if state.step_behind(py)? => state.calls().find_call(&asked),
                found => found,
            }
        };
        let ticket = match found {
            Some(issued) => {
                if let Some(run) = state.run(py) {
                    run.get().hit();
                }
                issued.ticket.clone()
            }
            None => {
                let encoded = match encoded.take() {
                    Some(encoded) => encoded,
                    None => remote.encode(py, args, kwargs, true)?,
                };
                self.miss(activation, remote, encoded)?
            }
        };
        ticket.demand();
        if let Some(run) = state.live_run(py) {
            if !ticket.is_settled() {
                Run::step(&run, Some(&ticket), None)?;
            } else if run.get().is_low() {
                Run::step(&run, None, Some(TOP_UP))?;
            }
        }
        wait(py, &ticket)?;
        remote.value(py, &ticket)
    }

    /// No scout foresaw this call: it is made now, and a scout starts behind it.
    fn miss(
        &self,
        activation: &Bound<'_, Activation>,
        remote: &RemoteFunction,
        encoded: Encoded,
    ) -> PyResult<Ticket> {
        let py = activation.py();
        let state = activation.get();
        let ticket = remote.issue(encoded.payload);
        state.drop_wrong_guesses(py, self.uid);
        if state.may_be_scouted(py) && self.wants_scout() && self.patience.get().wants_scout() {
            self.give_birth(activation)?;
        }
        Ok(ticket)
    }

    fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether to try again, given how the scouts born here have done.
    fn wants_scout(&self) -> bool {
        let mut record = self.record();
        if record.pause > 0 {
            record.pause -= 1;
            return false;
        }
        if let Some(last) = record.last.take() {
            let hits = last.hits.load(Ordering::Relaxed);
            if hits > 0 {
                record.failures = 0;
                record.window = last.window.load(Ordering::Relaxed) / 2;
            } else {
                record.failures += 1;
                record.window /= 2;
                record.pause = 1u32
                    .checked_shl(record.failures)
                    .unwrap_or(MAX_PATIENCE)
                    .min(MAX_PATIENCE)
                    - 1;
                if record.pause > 1 {
                    return false;
                }
            }
        }
        true
    }

    fn give_birth(&self, activation: &Bound<'_, Activation>) -> PyResult<()> {
        let py = activation.py();
        let window = self.record().window.max(self.width);
        let run = Bound::new(py, Run::new(window))?;
        let levels = self.birth.bind(py).call1((&run, activation))?;
        let mut begun = Vec::new();
        for level in levels.try_iter()? {
            let (generator, owner) = level?.extract::<(Py<PyAny>, Bound<'_, Activation>)>()?;
            owner.get().adopt(&run);
            begun.push((generator, owner.get().calls()));
        }
        if begun.is_empty() {
            run.get().end();
        }
        run.get().begin(begun);
        self.record().last = Some(Arc::clone(&run.get().score));
        self.patience.get().watch(&run.get().score);
        Ok(())
    }

    fn hand_over(&self, activation: &Bound<'_, Activation>, code: usize) {
        let py = activation.py();
        let state = activation.get();
        let calls = state.calls().find_helper(self.uid);
        if calls.is_none() {
            state.drop_wrong_guesses(py, self.uid);
        }
        let run = calls
            .as_ref()
            .and_then(|_| state.run(py))
            .map(Bound::unbind);
        let offered = Offer {
            code,
            giver: activation.clone().unbind(),
            site: self.uid,
            calls: calls.unwrap_or_default(),
            run,
        };
        OFFERS.with_borrow_mut(|offers| {
            offers.retain(|old| old.site != self.uid || !old.giver.is(activation));
            offers.push(offered);
        });
    }
}

/// A callee with the take of a site in front; it looks like the callee where Python names it.
#[pyclass(module = "cord._core", frozen)]
pub struct BoundTake {
    site: Py<Site>,
    activation: Py<PyAny>,
    callee: Py<PyAny>,
}

#[pymethods]
impl BoundTake {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.site
            .get()
            .take_of(self.activation.bind(py), self.callee.bind(py), args, kwargs)
    }

    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.callee.bind(py).getattr(name)
    }

    #[getter(__module__)]
    fn module_name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.callee.bind(py).getattr("__module__")
    }
}

/// What a caller hands to the helper it is about to call.
struct Offer {
    code: usize,
    giver: Py<Activation>,
    site: u32,
    calls: SharedCalls,
    run: Option<Py<Run>>,
}

thread_local! {
    static OFFERS: RefCell<Vec<Offer>> = const { RefCell::new(Vec::new()) };
}

fn code_of(function: &Bound<'_, PyFunction>) -> usize {
    // SAFETY: a function object always has a code object
    unsafe { ffi::PyFunction_GetCode(function.as_ptr()) as usize }
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

    fn enter(&self, py: Python<'_>) -> Activation {
        let offer = OFFERS.with_borrow_mut(|offers| {
            let last = offers.last()?;
            if last.code != running_code(py) {
                return None;
            }
            offers.pop()
        });
        let state = match offer {
            Some(offer) => State {
                calls: offer.calls,
                run: offer.run,
                caller: Some((offer.giver, offer.site)),
                loops: HashMap::new(),
            },
            None => State::default(),
        };
        Activation {
            region: self.key.clone_ref(py),
            state: Mutex::new(state),
        }
    }
}

#[derive(Default)]
struct State {
    calls: SharedCalls,
    run: Option<Py<Run>>,
    caller: Option<(Py<Activation>, u32)>,
    loops: HashMap<u32, Py<PyAny>>,
}

/// One execution of a region. When its frame ends it is gone, and what was issued for it is dropped.
#[pyclass(module = "cord._core", frozen)]
pub struct Activation {
    region: Py<PyAny>,
    state: Mutex<State>,
}

#[pymethods]
impl Activation {
    #[getter]
    fn region<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.region.bind(py).clone()
    }

    /// The activation that called this one and the site of that call, if both are known, unless that
    /// activation's own scout is under way.
    #[getter]
    fn caller<'py>(&self, py: Python<'py>) -> Option<(Bound<'py, Activation>, u32)> {
        let (caller, site) = {
            let state = self.lock();
            let (caller, site) = state.caller.as_ref()?;
            (caller.bind(py).clone(), *site)
        };
        caller.get().may_be_scouted(py).then_some((caller, site))
    }

    /// Lets go of everything, for a module's own code, which ends without its activation ending.
    fn close(&self, py: Python<'_>) {
        self.drop_guesses(py);
        let state = std::mem::take(&mut *self.lock());
        drop(state);
    }

    /// The iterator of a loop that the program is in, if it was seen.
    fn iterator<'py>(&self, py: Python<'py>, number: u32) -> Option<Bound<'py, PyAny>> {
        self.lock()
            .loops
            .get(&number)
            .map(|iterator| iterator.bind(py).clone())
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

    fn calls(&self) -> SharedCalls {
        self.lock().calls.clone()
    }

    fn run<'py>(&self, py: Python<'py>) -> Option<Bound<'py, Run>> {
        self.lock().run.as_ref().map(|run| run.bind(py).clone())
    }

    fn adopt(&self, run: &Bound<'_, Run>) {
        let old = self.lock().run.replace(run.clone().unbind());
        drop(old);
    }

    /// The scout that runs ahead of this frame: its own, or one of a caller's.
    fn live_run<'py>(&self, py: Python<'py>) -> Option<Bound<'py, Run>> {
        if let Some(run) = self.run(py).filter(|run| run.get().is_alive()) {
            return Some(run);
        }
        let mut caller = self
            .lock()
            .caller
            .as_ref()
            .map(|(caller, _)| caller.clone_ref(py));
        while let Some(activation) = caller {
            let state = activation.get();
            if let Some(run) = state.run(py).filter(|run| run.get().is_alive()) {
                return Some(run);
            }
            caller = state
                .lock()
                .caller
                .as_ref()
                .map(|(caller, _)| caller.clone_ref(py));
        }
        None
    }

    /// Lets a scout that has been held up catch up; tells whether it was.
    fn step_behind(&self, py: Python<'_>) -> PyResult<bool> {
        if !self.calls().is_empty() {
            return Ok(false);
        }
        match self.run(py).filter(|run| run.get().is_alive()) {
            Some(run) if self.calls().lock().open => {
                Run::step(&run, None, Some(TOP_UP))?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// The program asked for something the scout did not foresee: unless it is a call that the scout
    /// leaves to the program, what it issued for this frame is wrong.
    fn drop_wrong_guesses(&self, py: Python<'_>, site: u32) {
        let Some(run) = self.run(py) else {
            return;
        };
        if !run.get().passes(site) {
            self.drop_guesses(py);
        }
    }

    /// Drops what was issued for this frame; ends the scout if it is in this frame's code.
    fn drop_guesses(&self, py: Python<'_>) {
        let calls = self.calls();
        if calls.lock().open {
            if let Some(run) = self.run(py) {
                run.get().end();
            }
        }
        calls.clear();
    }

    /// Whether nothing is scouted for this frame at the moment.
    fn may_be_scouted(&self, py: Python<'_>) -> bool {
        let calls = self.calls();
        if !calls.is_empty() {
            return false;
        }
        let open = calls.lock().open;
        !(open && self.run(py).is_some_and(|run| run.get().is_alive()))
    }
}

/// Where the program's loops show their iterators.
#[pyclass(module = "cord._core", frozen)]
pub struct Loops;

#[pymethods]
impl Loops {
    #[new]
    fn new() -> Self {
        Self
    }

    /// `iter(iterable)`, kept with the activation so that a scout can copy it.
    #[pyo3(name = "loop")]
    fn show<'py>(
        &self,
        activation: &Bound<'py, PyAny>,
        number: u32,
        iterable: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Ok(activation) = activation.cast_exact::<Activation>() else {
            return Ok(iterable.clone());
        };
        if !can_be_shown(iterable)? {
            // calling its `__iter__` here and again in the loop could have an effect twice
            return Ok(iterable.clone());
        }
        let iterator = iterable.try_iter()?.into_any();
        let old = activation
            .get()
            .lock()
            .loops
            .insert(number, iterator.clone().unbind());
        drop(old);
        Ok(iterator)
    }

    /// The loop is over.
    fn forget(&self, activation: &Bound<'_, PyAny>, number: u32) {
        if let Ok(activation) = activation.cast_exact::<Activation>() {
            let old = activation.get().lock().loops.remove(&number);
            drop(old);
        }
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Patience>()?;
    module.add_class::<Site>()?;
    module.add_class::<Region>()?;
    module.add_class::<Activation>()?;
    module.add_class::<BoundTake>()?;
    module.add_class::<Loops>()?;
    module.add_class::<Run>()?;
    module.add("RemoteFunction", module.py().get_type::<RemoteFunction>())?;
    module.add_function(wrap_pyfunction!(crate::remote::forked, module)?)?;
    Ok(())
}
