//! A scout under way: its strands, its window, and what its generators ask of it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cord_core::ticket::Ticket;
use cord_os::copied::is_copy;
use cord_scout::{Begun, Strands, Turn, Until, Why};
use cord_sync::wake::Wake;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict, PyList, PySet, PyTuple};

use crate::client::inlining::Inlining;
use crate::guards::heap::{lost, running, view, writable, Heap, Stepped};
use crate::held::Held;
use crate::objects::plain::is_deque;
use crate::python;
use crate::scouts::future::{is_future, resolved, waits_for};
use crate::scouts::scout_end::{stop, stop_at};
use crate::scouts::scouting::{Calls, Scouting, Scouts};

/// How long a scout may run when the program could go on.
pub const TOP_UP: Duration = Duration::from_micros(300);

/// A scout under way.
///
/// Its generators hold it and it holds them: whoever lets go of it ends it first.
#[pyclass(module = "cord._core", frozen)]
pub struct Run {
    pub strands: Strands<Scouts>,
    heap: Py<Heap>,
    /// The program will do all that the scout has done, whatever comes of the calls on the way.
    certain: AtomicBool,
    /// What is known of the places at which it has issued calls.
    met: Mutex<Vec<Arc<Inlining>>>,
}

#[pymethods]
impl Run {
    /// What its generators hold may hold it in turn, through the frames of the program.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.heap)?;
        self.strands.generators(|generator| visit.call(generator))
    }

    /// Called by scouts where they loop: whether to pause.
    ///
    /// # Errors
    /// Ends a strand that has gone round for very long without a call.
    fn tick(&self) -> PyResult<bool> {
        match self.strands.pace.tick() {
            Turn::GoOn => Ok(false),
            Turn::Look => Ok(self.strands.should_pause()),
            Turn::TooMany => Err(stop(Why::Long)),
        }
    }

    /// What the scout has written.
    #[getter]
    fn heap<'py>(&self, py: Python<'py>) -> Bound<'py, Heap> {
        self.heap.bind(py).clone()
    }

    /// Called by scouts after they started a strand: whether to pause.
    fn pauses(&self) -> bool {
        self.strands.should_pause()
    }

    /// Whether the program will do all that the scout has done.
    #[getter]
    pub fn certain(&self) -> bool {
        self.certain.load(Ordering::Relaxed)
    }

    /// From here on the program may do something else.
    pub fn doubt(&self) {
        self.certain.store(false, Ordering::Relaxed);
    }

    /// Tells which sites the scout leaves to the program.
    fn pass_by(&self, sites: Vec<u32>) {
        self.strands.pass_by(sites);
    }

    /// Whether the strand must wait for one of these values; it is woken when that is there.
    #[pyo3(signature = (*values))]
    fn waits(&self, values: &Bound<'_, PyTuple>) -> PyResult<bool> {
        let id = self.strands.running()?;
        let who: Arc<dyn Wake> = Arc::clone(&self.strands.signal) as Arc<dyn Wake>;
        for value in values.iter() {
            let value = view(&value);
            if waits_for(&value, &who, id)? {
                self.strands.wait();
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A value without futures in it.
    fn value<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        resolved(&view(value))
    }

    /// A container as it is now, for a strand that reads it later.
    fn copy<'py>(&self, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let shown = value;
        let value = view(&shown);
        if is_future(&value) && !is_future(&shown) {
            return Err(lost(&value));
        }
        let copied = value.is_exact_instance_of::<PyList>()
            || value.is_exact_instance_of::<PyDict>()
            || value.is_exact_instance_of::<PySet>()
            || value.is_exact_instance_of::<PyByteArray>()
            || is_deque(&value)?;
        if copied {
            return value.call_method0("copy");
        }
        Ok(shown)
    }

    /// How many items a container has.
    fn size(&self, container: &Bound<'_, PyAny>) -> PyResult<usize> {
        view(container).len()
    }

    /// What a strand has added to a container, which had so many items before.
    fn added<'py>(
        &self,
        container: &Bound<'py, PyAny>,
        size: usize,
    ) -> PyResult<Bound<'py, PyList>> {
        let added = PyList::empty(container.py());
        for item in view(container).try_iter()?.skip(size) {
            added.append(item?)?;
        }
        Ok(added)
    }

    /// Puts into a container that is used up what strands add to it, in the program's order. Whether
    /// the strand that runs must wait for that.
    fn refill(
        &self,
        container: &Bound<'_, PyAny>,
        additions: &Bound<'_, PyList>,
    ) -> PyResult<bool> {
        let py = container.py();
        while view(container).len()? == 0 && !additions.is_empty() {
            let first = additions.get_item(0)?;
            if self.waits(&PyTuple::new(py, [&first])?)? {
                return Ok(true);
            }
            additions.del_item(0)?;
            let added = resolved(&first)?;
            writable(container, true)?.call_method1(intern!(py, "extend"), (added,))?;
        }
        Ok(false)
    }

    /// Starts a strand that runs `function(run, *args)`, which gives `count` values.
    #[pyo3(signature = (count, function, *args))]
    fn defer<'py>(
        slf: &Bound<'py, Self>,
        count: usize,
        function: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let begun = Self::group(slf, function, args)?;
        slf.get().start(slf.py(), begun, Some(count))
    }
}

/// What `function` will give once the futures among its arguments have come.
///
/// # Errors
/// Ends a scout that outlived its run.
pub fn later<'py>(
    function: &Bound<'py, PyAny>,
    args: &[&Bound<'py, PyAny>],
) -> PyResult<Bound<'py, PyAny>> {
    let py = function.py();
    let mut all = vec![
        1_usize.into_pyobject(py)?.into_any(),
        python::LATER.get(py)?.clone(),
    ];
    all.push(function.clone());
    all.extend(args.iter().map(|&arg| arg.clone()));
    let run = running(py)?;
    run.call_method1(intern!(py, "defer"), PyTuple::new(py, all)?)?
        .get_item(0)
}

/// The scout that is stepped, if one is, has come to something that the program need not find alike.
#[pyfunction]
pub fn doubt(py: Python<'_>) {
    if let Ok(run) = running(py) {
        if let Ok(run) = run.cast_exact::<Run>() {
            run.get().doubt();
        }
    }
}

impl Run {
    /// A scout that is born behind a call: `certain`, if only that may keep the program from going on.
    pub fn new(window: usize, heap: Py<Heap>, certain: bool) -> Self {
        Self {
            strands: Strands::new(window),
            heap,
            certain: AtomicBool::new(certain),
            met: Mutex::default(),
        }
    }

    pub fn is_alive(&self) -> bool {
        self.strands.is_alive() && !is_copy()
    }

    fn lock_met(&self) -> MutexGuard<'_, Vec<Arc<Inlining>>> {
        self.met.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// It has issued a call at a place of which this is known.
    pub fn meet(&self, inlining: &Arc<Inlining>) {
        let mut met = self.lock_met();
        if !met.iter().any(|known| Arc::ptr_eq(known, inlining)) {
            met.push(Arc::clone(inlining));
        }
    }

    /// What is known of the places at which it has issued calls.
    pub fn met(&self) -> Vec<Arc<Inlining>> {
        self.lock_met().clone()
    }

    /// It wants the value of a call, to come to others by it. It ends where that is not worth it.
    pub fn lead(&self, inlining: &Inlining, callee: &Bound<'_, PyAny>) -> PyResult<()> {
        if inlining.lead(|| self.met()) {
            return Ok(());
        }
        self.strands.note(Why::Inlined);
        self.end();
        Err(stop_at(Why::Inlined, callee))
    }

    /// Ends the scout; calls already issued stay.
    pub fn end(&self) {
        self.strands.end();
        if !self.strands.is_stepping() {
            self.heap.get().clear();
        }
    }

    /// The frame whose calls these are has no use for the scout any more.
    pub fn leave(&self, calls: &Calls) {
        if self.strands.covers(calls) {
            self.end();
        }
    }

    /// A strand that runs `function(run, *args)`, whose calls stand here.
    pub fn group(
        slf: &Bound<'_, Self>,
        function: &Bound<'_, PyAny>,
        args: &Bound<'_, PyTuple>,
    ) -> PyResult<Begun<Scouts>> {
        let mut all = Vec::with_capacity(args.len() + 1);
        all.push(slf.clone().into_any());
        all.extend(args.iter());
        let generator = function.call1(PyTuple::new(slf.py(), all)?)?;
        slf.get().strands.group(generator.unbind())
    }

    /// Starts a strand: what it returns, or futures for that. With a `count`, it returns a tuple of so
    /// many values.
    pub fn start<'py>(
        &self,
        py: Python<'py>,
        begun: Begun<Scouts>,
        count: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let value = self.strands.start(&Scouting(py), begun, count)?;
        Ok(value.into_bound(py))
    }

    /// Runs the scout until the awaited reply is there, the time is over, its window is full or it
    /// ends. Its own exceptions end it silently; what handlers of signals raise goes to the program.
    pub fn step(
        slf: &Bound<'_, Self>,
        awaited: Option<&Ticket>,
        budget: Option<Duration>,
    ) -> PyResult<()> {
        Self::stepping(slf, awaited, budget, Strands::resume)
    }

    /// Runs the strands whose values have come, and no others.
    pub fn step_woken(slf: &Bound<'_, Self>) -> PyResult<()> {
        Self::stepping(slf, None, Some(TOP_UP), Strands::resume_woken)
    }

    /// Lets strands go on that follow what others do, though the window holds them up.
    pub fn catch_up(slf: &Bound<'_, Self>) -> PyResult<()> {
        Self::stepping(slf, None, Some(TOP_UP), Strands::resume_followers)
    }

    fn stepping<'py>(
        slf: &Bound<'py, Self>,
        awaited: Option<&Ticket>,
        budget: Option<Duration>,
        resume: fn(&Strands<Scouts>, &Scouting<'py>) -> PyResult<()>,
    ) -> PyResult<()> {
        let (py, run) = (slf.py(), slf.get());
        if !run.is_alive() {
            return Ok(());
        }
        let until = budget.map(Until::after);
        let _held = Held::new(py)?;
        if !run.strands.enter(awaited, until) {
            return Ok(());
        }
        let stepped = Stepped::new(run.heap.bind(py), slf.clone().unbind().into_any());
        let result = resume(&run.strands, &Scouting(py));
        drop(stepped);
        run.strands.leave();
        if !run.is_alive() {
            run.heap.get().clear();
        }
        result
    }
}
