//! Call sites: what the program and its scouts ask of one.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cord_core::account::Sums;
use cord_scout::inline::{Inline, Left};
use cord_scout::{Answers, Blind, RegionPatience, SitePatience, Tally, Told};
use pyo3::exceptions::PyTypeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::client::inlining::Inlining;
use crate::client::remote::RemoteFunction;
use crate::copies;
use crate::objects::dispatched::dispatches;
use crate::scouts::future::{is_future, known_values, Future};
use crate::scouts::run::{later, Run};
use crate::takes::bound::BoundTake;
use crate::takes::reasons::{told, Reason};
use crate::takes::standing::put_loops;
use crate::takes::values::{entered_code, read_code, without_partials};

/// Calls out at first, for each replica; and the fewest.
const FIRST_WINDOW: usize = 2;

/// How well the scouts of a region have done: its sites share it.
#[pyclass(module = "cord._core", frozen)]
#[derive(Default)]
pub struct Patience(Mutex<RegionPatience>);

#[pymethods]
impl Patience {
    #[new]
    fn new() -> Self {
        Self::default()
    }
}

impl Patience {
    pub fn lock(&self) -> MutexGuard<'_, RegionPatience> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a site asks of Python: `birth`, `go` and `raises` of it.
type Asks = (Py<PyAny>, Py<PyAny>, Py<PyAny>);

/// A call site of the program.
#[pyclass(module = "cord._core", frozen)]
pub struct Site {
    pub(crate) uid: u32,
    /// Python: makes the scout that goes on after this site.
    pub(crate) birth: Py<PyAny>,
    /// Python: makes the scout of a helper called with these arguments.
    pub(crate) go: Py<PyAny>,
    pub(crate) width: usize,
    record: Mutex<SitePatience>,
    pub(crate) patience: Py<Patience>,
    /// What is called shows only at run time.
    pub(crate) dynamic: bool,
    /// What it gives is only passed on to remote functions, and no value of its has come to the program
    /// nevertheless, as those do in which the main script's classes occur.
    passes: AtomicBool,
    /// The module of the program that it stands in.
    pub(crate) client: String,
    /// Python: calls here raise exceptions.
    pub(crate) raises: Py<PyAny>,
    pub(crate) raised: AtomicUsize,
    pub(crate) answers: Arc<Answers>,
    pub(crate) blind: Blind,
    pub(crate) inlining: Arc<Inlining>,
}

#[pymethods]
impl Site {
    #[new]
    fn new(
        uid: u32,
        asks: Asks,
        replicas: usize,
        patience: Py<Patience>,
        dynamic: bool,
        client: String,
        passes: bool,
    ) -> Self {
        let (birth, go, raises) = asks;
        let width = (replicas * FIRST_WINDOW).max(4);
        Self {
            uid,
            birth,
            go,
            width,
            record: Mutex::default(),
            patience,
            dynamic,
            passes: AtomicBool::new(passes),
            client,
            raises,
            raised: AtomicUsize::new(0),
            answers: Arc::default(),
            blind: Blind::default(),
            inlining: Arc::default(),
        }
    }

    /// What it asks of Python holds it.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.birth)?;
        visit.call(&self.go)?;
        visit.call(&self.raises)
    }

    /// Its calls stand there, within these loops, the outermost first: for whoever looks on.
    fn stands_at(&self, place: &str, loops: Vec<(Option<u32>, String)>) {
        self.answers.account.stands_at(place);
        put_loops(self.uid, loops);
    }

    #[getter]
    fn uid(&self) -> u32 {
        self.uid
    }

    /// How many of the program's calls here a scout had made before, made just then, or not made.
    #[getter]
    fn answers(&self) -> (usize, usize, usize) {
        self.answers.read()
    }

    /// All that is counted of them, by tier.
    #[getter]
    fn tally(&self) -> Tally {
        self.answers.tally()
    }

    /// Its number in what is written down of the run.
    #[getter]
    fn place(&self) -> u32 {
        self.answers.place()
    }

    /// What the calls here have cost, where that is told.
    #[getter]
    fn sums(&self) -> Sums {
        self.answers.account.sums()
    }

    /// Why calls were made in place and how often, and how many calls scouts were ahead, as a rule and
    /// at most, where that is told.
    #[getter]
    fn reasons(&self) -> (Vec<Reason>, Option<(usize, usize)>) {
        (told(&self.answers), self.answers.distance())
    }

    /// The program's call. Without keyword arguments, which take their time even where there are none.
    #[pyo3(signature = (activation, callee, /, *args))]
    fn take<'py>(
        &self,
        activation: &Bound<'py, PyAny>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.take_of(activation, callee, args, None)
    }

    /// The same with them.
    #[pyo3(signature = (activation, callee, /, *args, **kwargs))]
    fn take_named<'py>(
        &self,
        activation: &Bound<'py, PyAny>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.take_of(activation, callee, args, kwargs)
    }

    /// The callee with this site in front, where a call of it may lead to a remote call: for calls
    /// with starred arguments, of what shows only at run time, and by `map` and the like.
    fn bound<'py>(
        slf: Bound<'py, Self>,
        activation: Bound<'py, PyAny>,
        callee: Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = callee.py();
        if entered_code(&callee)?.is_none() && !dispatches(&callee)? {
            let call = without_partials(&callee, &PyTuple::empty(py), None)?;
            if !call.callee.is_exact_instance_of::<RemoteFunction>() {
                return Ok(callee);
            }
        }
        let bound = BoundTake::new(slf.unbind(), activation.unbind(), callee.unbind());
        Ok(Bound::new(py, bound)?.into_any())
    }

    /// The program is about to call a helper: what was scouted inside goes to the helper's activation.
    fn enter<'py>(
        &self,
        activation: &Bound<'py, PyAny>,
        callee: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Some(code) = entered_code(callee)? {
            self.announce(activation, code);
        }
        Ok(callee.clone())
    }

    /// The program is about to read an attribute: as `enter`, for the function of a property.
    fn reading<'py>(
        &self,
        activation: &Bound<'py, PyAny>,
        owner: Bound<'py, PyAny>,
        name: &Bound<'py, PyString>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Some(code) = read_code(&owner, name)? {
            self.announce(activation, code);
        }
        Ok(owner)
    }

    /// A scout's call of a remote function. Returns whether the scout is to pause.
    #[pyo3(signature = (run, callee, /, *args))]
    fn issue<'py>(
        slf: &Bound<'py, Self>,
        run: &Bound<'py, Run>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
    ) -> PyResult<bool> {
        Self::issue_named(slf, run, callee, args, None)
    }

    /// The same with keyword arguments.
    #[pyo3(signature = (run, callee, /, *args, **kwargs))]
    fn issue_named<'py>(
        slf: &Bound<'py, Self>,
        run: &Bound<'py, Run>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<bool> {
        if !slf.get().dynamic && slf.get().inlining.is_local() || is_staying(callee).is_some() {
            return Ok(run.get().strands.should_pause());
        }
        let args = &known_values(args)?;
        match Self::ask_later(slf, run, callee, args, kwargs) {
            Some(future) => drop(future?),
            None => drop(slf.get().issued(run.get(), callee, args, kwargs)?),
        }
        Ok(run.get().strands.should_pause())
    }

    /// As `issue`, for a scout that wants the result: a future.
    #[pyo3(signature = (run, callee, /, *args))]
    fn ask<'py>(
        slf: &Bound<'py, Self>,
        run: &Bound<'py, Run>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Self::ask_named(slf, run, callee, args, None)
    }

    /// The same with keyword arguments.
    #[pyo3(signature = (run, callee, /, *args, **kwargs))]
    fn ask_named<'py>(
        slf: &Bound<'py, Self>,
        run: &Bound<'py, Run>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let args = &known_values(args)?;
        if let Some(future) = Self::ask_later(slf, run, callee, args, kwargs) {
            return future;
        }
        if let Some(why) = is_staying(callee) {
            return Ok(Bound::new(run.py(), Future::failed(why))?.into_any());
        }
        run.get().lead(slf.get().inlining_of(callee), callee)?;
        let ticket = slf.get().issued(run.get(), callee, args, kwargs)?;
        Ok(Bound::new(run.py(), Future::of_call(ticket.watch()))?.into_any())
    }

    /// As `ask`, for a call with effects that the program is certain to make.
    #[pyo3(signature = (run, callee, /, *args, **kwargs))]
    fn promise<'py>(
        slf: &Bound<'py, Self>,
        run: &Bound<'py, Run>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, Future>> {
        let ticket = slf.get().committed(run.get(), callee, args, kwargs)?;
        let result = match ticket {
            Some(ticket) => Future::of_call(ticket.watch()),
            None => Future::failed(None),
        };
        Bound::new(run.py(), result)
    }

    /// A scout goes into a helper, in a strand of its own: what the helper returns, or a future.
    #[pyo3(signature = (run, callee, /, *args, **kwargs))]
    fn go<'py>(
        slf: &Bound<'py, Self>,
        run: &Bound<'py, Run>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if slf.get().dynamic {
            return Self::go_dynamic(slf, run, callee, args, kwargs);
        }
        slf.get().go_into(run, callee, args, kwargs)
    }
}

impl Site {
    /// Whether the values of its calls may stay where they are.
    pub(crate) fn passes(&self) -> bool {
        self.passes.load(Ordering::Relaxed)
    }

    /// A value has come to the program: the next ones will, so scouts had better look at them.
    pub(crate) fn passes_no_more(&self) {
        self.passes.store(false, Ordering::Relaxed);
    }

    /// Where an argument is not there yet: a strand that asks when it is.
    fn ask_later<'py>(
        slf: &Bound<'py, Self>,
        run: &Bound<'py, Run>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> Option<PyResult<Bound<'py, PyAny>>> {
        if kwargs.is_some() || !args.iter().any(|arg| is_future(&arg)) {
            return None;
        }
        let given: Vec<_> = args.iter().collect();
        let mut all = vec![run.as_any(), callee];
        all.extend(&given);
        let ask = slf.getattr(intern!(run.py(), "ask"));
        Some(ask.and_then(|ask| later(&ask, &all)))
    }

    /// What is known of the calls here, or of the function where that shows only at run time.
    pub(crate) fn inlining_of<'a>(&'a self, callee: &'a Bound<'_, PyAny>) -> &'a Arc<Inlining> {
        match callee.cast_exact::<RemoteFunction>() {
            Ok(remote) if self.dynamic => &remote.get().inlining,
            _ => &self.inlining,
        }
    }

    pub(crate) fn record(&self) -> MutexGuard<'_, SitePatience> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why the program makes all calls of a function itself, as far as that is told; none if it does not.
fn is_staying(callee: &Bound<'_, PyAny>) -> Option<Told> {
    let remote = callee.cast_exact::<RemoteFunction>().ok()?.get();
    remote.staying.is().then(|| remote.staying.told())
}

/// What is known of the calls at a site, or of a function.
fn inlining_at<'a>(place: &'a Bound<'_, PyAny>) -> PyResult<&'a Inlining> {
    if let Ok(site) = place.cast_exact::<Site>() {
        return Ok(&site.get().inlining);
    }
    match place.cast_exact::<RemoteFunction>() {
        Ok(function) => Ok(&function.get().inlining),
        Err(_) => Err(PyTypeError::new_err("a site or a remote function")),
    }
}

/// Calls at a place begin as they were left by an earlier run: made in the client. Not for good where
/// copies are wanted and calls are long: how copies would do is found out by each run.
#[pyfunction]
fn begin_inlined(place: &Bound<'_, PyAny>, left: Left) -> PyResult<()> {
    let (_, took, _, at_first) = left;
    if at_first || !copies::are_for(Duration::from_nanos(took)) {
        *inlining_at(place)?.policy() = Inline::after(left);
    }
    Ok(())
}

/// How calls at a place are left, if they are made in the client.
#[pyfunction]
fn inlined_state(place: &Bound<'_, PyAny>) -> PyResult<Option<Left>> {
    Ok(inlining_at(place)?.policy().left())
}

/// The calls at a place that were sent: how many, and in seconds what the program has spent on them and
/// how long they took in replicas; and how many were made ahead.
#[pyfunction]
fn shipped_from(place: &Bound<'_, PyAny>) -> PyResult<(u64, f64, f64, usize)> {
    let (calls, spent, service) = inlining_at(place)?.policy().whole();
    let answers = match place.cast_exact::<RemoteFunction>() {
        Ok(function) => function.get().answers.tally(),
        Err(_) => place.cast_exact::<Site>()?.get().answers.tally(),
    };
    let ahead = answers.0 + answers.1;
    Ok((calls, spent.as_secs_f64(), service.as_secs_f64(), ahead))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Patience>()?;
    module.add_class::<Site>()?;
    module.add_function(wrap_pyfunction!(begin_inlined, module)?)?;
    module.add_function(wrap_pyfunction!(inlined_state, module)?)?;
    module.add_function(wrap_pyfunction!(shipped_from, module)?)
}
