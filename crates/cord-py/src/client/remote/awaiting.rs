//! What a call of a coroutine function gives: the coroutine that plain Python would have, and in its place,
//! once it is awaited, a call that is sent.
//!
//! Until then, and wherever the call is not sent, it is the plain coroutine that answers: for arguments that
//! do not fit, for what was never awaited, for how it looks and where it began. No Python code of Cord's is on
//! the way of what it yields, returns or raises, so there are no frames that a traceback could show.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cord_core::SelfPipe;
use pyo3::exceptions::{PyRuntimeError, PyStopIteration, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyTuple};

use super::calling::{Begun, UnderWay};
use super::RemoteFunction;
use crate::python;

/// Calls of less are cheaper where they are made.
const SHORT: Duration = Duration::from_micros(300);
/// If the way there and back has not taken long either.
const SHORT_FOR_ALL: Duration = Duration::from_millis(2);
/// After so many of these they are made there, but for one in so many.
const MANY_SHORT: u32 = 3;
const TRY_AGAIN: u32 = 64;
/// Other things that the loop has to do must be this far off while a call is sent of which nothing is there:
/// so long, and so many times what the last one took.
const FAR: Duration = Duration::from_secs(2);
const TIMES: u32 = 10;

/// How calls of a function are awaited.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Waits {
    /// They are not: it is no coroutine function.
    Never,
    /// It may wait, and the event loop does other things meanwhile.
    Perhaps,
    /// It awaits nothing: it runs to its end while the event loop stands.
    Straight,
}

impl Waits {
    /// By its number.
    pub fn of(number: u8) -> Waits {
        match number {
            0 => Waits::Never,
            1 => Waits::Perhaps,
            _ => Waits::Straight,
        }
    }
}

/// How long the awaited calls of a function take.
#[derive(Default)]
pub struct Lengths {
    last: AtomicU64,
    short: AtomicU32,
}

impl Lengths {
    /// Whether calls are so short that the next one is made by who awaits it.
    fn are_short(&self) -> bool {
        let short = self.short.load(Ordering::Relaxed);
        if short < MANY_SHORT {
            return false;
        }
        self.short
            .store(short.wrapping_add(1).max(MANY_SHORT), Ordering::Relaxed);
        short % TRY_AGAIN != 0
    }

    /// One took so long in its replica, as far as that could be told, and so long for who awaited it.
    fn note(&self, service: Duration, took: Duration) {
        let nanos = u64::try_from(service.as_nanos()).unwrap_or(u64::MAX);
        self.last.store(nanos, Ordering::Relaxed);
        let short = self.short.load(Ordering::Relaxed);
        let is_short = service < SHORT && took < SHORT_FOR_ALL;
        let short = if is_short { short + 1 } else { 0 };
        self.short.store(short, Ordering::Relaxed);
    }

    /// How far off other things must be.
    fn far(&self) -> Duration {
        FAR.max(Duration::from_nanos(self.last.load(Ordering::Relaxed)) * TIMES)
    }
}

/// Stands for what the program is to make itself: no value is this.
pub fn made_here(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    static MARK: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let made = MARK.get_or_try_init(py, || {
        py.import("builtins")?
            .getattr("object")?
            .call0()
            .map(Bound::unbind)
    });
    made.map(|mark| mark.bind(py).clone())
}

/// What wakes event loops, put aside while none waits.
static IDLE: Mutex<Vec<Arc<Bell>>> = Mutex::new(Vec::new());

/// Wakes an event loop when a call is settled.
#[derive(Debug)]
struct Bell(SelfPipe);

impl cord_core::Wake for Bell {
    fn wake(&self, _: u64) {
        self.0.wake();
    }
}

/// A call that was sent, while the event loop does other things.
struct Waiting {
    call: UnderWay,
    bell: Option<Arc<Bell>>,
    /// Other things are as far off as the loop was seen to have any.
    watched: bool,
}

/// What a coroutine is at.
enum Stand {
    Fresh,
    Running,
    /// The call is under way; the iterator gives what the event loop is to wait for.
    Waits(Box<Waiting>, Py<PyAny>),
    /// The program waits for what it has spared before, and then makes the call.
    Rests(Py<PyAny>),
    /// The plain coroutine runs, or has ended.
    Here,
}

/// What was asked of a coroutine, as a method of the plain one.
enum Step<'a, 'py> {
    Send(&'a Bound<'py, PyAny>),
    Throw(&'a Bound<'py, PyTuple>),
    Close,
}

impl<'py> Step<'_, 'py> {
    fn of(&self, plain: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = plain.py();
        match self {
            Step::Send(value) => plain.call_method1(intern!(py, "send"), (value,)),
            Step::Throw(what) => plain.call_method1(intern!(py, "throw"), (*what).clone()),
            Step::Close => plain.call_method0(intern!(py, "close")),
        }
    }
}

// (No documentation comment: it would be `__doc__`.)
#[pyclass(name = "coroutine", module = "builtins", frozen, weakref)]
pub struct Coroutine {
    function: Py<RemoteFunction>,
    args: Py<PyTuple>,
    kwargs: Option<Py<PyDict>>,
    plain: Py<PyAny>,
    stand: Mutex<Stand>,
}

#[pyclass(name = "coroutine_wrapper", module = "builtins", frozen)]
pub struct Wrapper(Py<Coroutine>);

impl Coroutine {
    /// What a call of a coroutine function gives.
    pub fn of<'py>(
        function: &Bound<'py, RemoteFunction>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = function.py();
        let plain = function.get().original.bind(py).call(args, kwargs)?;
        if function.get().is_never_sent() {
            return Ok(plain);
        }
        let made = Coroutine {
            function: function.clone().unbind(),
            args: args.clone().unbind(),
            kwargs: kwargs.map(|one| one.clone().unbind()),
            plain: plain.unbind(),
            stand: Mutex::new(Stand::Fresh),
        };
        Ok(Bound::new(py, made)?.into_any())
    }

    fn stand(&self) -> MutexGuard<'_, Stand> {
        self.stand.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn step<'py>(&self, py: Python<'py>, step: &Step<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let plain = self.plain.bind(py);
        let stand = std::mem::replace(&mut *self.stand(), Stand::Running);
        let (next, given) = match (stand, step) {
            (Stand::Fresh, Step::Send(value)) if value.is_none() => self.begin(py),
            (Stand::Fresh, Step::Send(_)) => (Stand::Fresh, step.of(plain)),
            (Stand::Fresh | Stand::Here, _) => (Stand::Here, step.of(plain)),
            (Stand::Running, _) => {
                let text = "coroutine already executing";
                return Err(PyValueError::new_err(text));
            }
            (Stand::Waits(call, waiter), Step::Send(_)) => self.go_on(py, call, waiter),
            (Stand::Rests(waiter), Step::Send(_)) => match next_of(waiter.bind(py)) {
                Ok(Some(waits)) => (Stand::Rests(waiter), Ok(waits)),
                Ok(None) => (Stand::Here, step.of(plain)),
                Err(error) => (Stand::Here, Err(error)),
            },
            // it is where the plain one would wait, and what comes of that is its own affair
            (Stand::Waits(..) | Stand::Rests(_), _) => (Stand::Here, self.stop(py, step)),
        };
        *self.stand() = next;
        given
    }

    /// The plain coroutine, as far as to where it waits for the first time, and what comes of it there.
    fn stop<'py>(&self, py: Python<'py>, step: &Step<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let plain = self.plain.bind(py);
        let waits = plain.call_method1(intern!(py, "send"), (py.None(),))?;
        if matches!(step, Step::Throw(_)) {
            python::LET_GO.call(py, (waits,))?;
        }
        step.of(plain)
    }

    fn begin<'py>(&self, py: Python<'py>) -> (Stand, PyResult<Bound<'py, PyAny>>) {
        match self.sent(py) {
            Ok(Some((stand, given))) => (stand, given),
            Ok(None) => self.make_here(py),
            Err(error) => (Stand::Here, self.ended(py, Err(error))),
        }
    }

    fn make_here<'py>(&self, py: Python<'py>) -> (Stand, PyResult<Bound<'py, PyAny>>) {
        let made = Step::Send(&py.None().into_bound(py)).of(self.plain.bind(py));
        (Stand::Here, made)
    }

    /// Sends the call, if that is to be; none if the program makes it.
    fn sent<'py>(&self, py: Python<'py>) -> PyResult<Option<(Stand, PyResult<Bound<'py, PyAny>>)>> {
        let function = self.function.bind(py);
        let remote = function.get();
        let is_straight = remote.waits == Waits::Straight;
        let room: Option<f64> = python::ROOM.call(py, (is_straight,))?.extract()?;
        let far = remote.lengths.far().as_secs_f64();
        let Some(room) = room.filter(|room| is_straight || *room > far) else {
            return Ok(None);
        };
        if remote.lengths.are_short() {
            return Ok(None);
        }
        let (args, kwargs) = (
            self.args.bind(py),
            self.kwargs.as_ref().map(|one| one.bind(py)),
        );
        let call = match RemoteFunction::begin_awaited(function, args, kwargs)? {
            Begun::Here => return Ok(None),
            Begun::Over(value) => return self.over(py, value).map(Some),
            Begun::UnderWay(call) => call,
        };
        let mut waiting = Waiting {
            call,
            bell: None,
            watched: !is_straight && room.is_finite(),
        };
        if is_straight {
            let waited = remote.wait(py, &waiting.call.ticket);
            return self.came(py, waiting, waited).map(Some);
        }
        let ticket = waiting.call.ticket.clone();
        if !ticket.is_settled() {
            let bell = bell()?;
            let who: Arc<dyn cord_core::Wake> = Arc::clone(&bell) as Arc<dyn cord_core::Wake>;
            remote.rouse();
            ticket.demand();
            if ticket.wake(&who, 0) {
                use std::os::fd::AsRawFd;
                let reader = bell.0.reader_unseen().as_raw_fd();
                waiting.bell = Some(bell);
                let waiter = python::WAITER.call(py, (reader,))?;
                let waits = next_of(&waiter)?;
                let waits = waits.ok_or_else(|| PyRuntimeError::new_err("nothing to wait for"));
                return Ok(Some((
                    Stand::Waits(Box::new(waiting), waiter.unbind()),
                    waits,
                )));
            }
            put_aside(bell);
        }
        self.came(py, waiting, Ok(())).map(Some)
    }

    fn go_on<'py>(
        &self,
        py: Python<'py>,
        mut waiting: Box<Waiting>,
        waiter: Py<PyAny>,
    ) -> (Stand, PyResult<Bound<'py, PyAny>>) {
        match next_of(waiter.bind(py)) {
            Ok(Some(waits)) => return (Stand::Waits(waiting, waiter), Ok(waits)),
            Ok(None) => {}
            Err(error) => return (Stand::Here, self.ended(py, Err(error))),
        }
        if let Some(bell) = waiting.bell.take() {
            put_aside(bell);
        }
        match self.came(py, *waiting, Ok(())) {
            Ok(given) => given,
            Err(error) => (Stand::Here, self.ended(py, Err(error))),
        }
    }

    /// The call is settled.
    fn came<'py>(
        &self,
        py: Python<'py>,
        waiting: Waiting,
        waited: PyResult<()>,
    ) -> PyResult<(Stand, PyResult<Bound<'py, PyAny>>)> {
        let (function, call) = (self.function.bind(py), waiting.call);
        let (service, took) = (call.ticket.service(), call.began.elapsed());
        if !call.is_ahead() {
            function.get().lengths.note(service, took);
        }
        if waiting.watched && service > took {
            let spared = (service - took).as_secs_f64();
            let rest: Option<f64> = python::SPARES.call(py, (spared,))?.extract()?;
            if let Some(rest) = rest {
                let waiter = python::REST.call(py, (rest,))?;
                let waits = next_of(&waiter)?;
                return Ok(match waits {
                    Some(waits) => (Stand::Rests(waiter.unbind()), Ok(waits)),
                    None => self.make_here(py),
                });
            }
        }
        let (args, kwargs) = (
            self.args.bind(py),
            self.kwargs.as_ref().map(|one| one.bind(py)),
        );
        let value = RemoteFunction::end_in_place(function, call, waited, (args, kwargs));
        self.over(py, value)
    }

    fn over<'py>(
        &self,
        py: Python<'py>,
        value: PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<(Stand, PyResult<Bound<'py, PyAny>>)> {
        let is_for_here = match &value {
            Ok(value) => value.is(&made_here(py)?),
            Err(_) => false,
        };
        if is_for_here {
            return Ok(self.make_here(py));
        }
        Ok((Stand::Here, self.ended(py, value)))
    }

    /// What the call came to, as coroutines say it; the plain one was never begun.
    fn ended<'py>(
        &self,
        py: Python<'py>,
        value: PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.plain.bind(py).call_method0(intern!(py, "close"))?;
        Err(value.map_or_else(
            |error| error,
            |value| PyStopIteration::new_err((value.unbind(),)),
        ))
    }
}

/// What an iterator gives next; none at its end.
fn next_of<'py>(iterator: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = iterator.py();
    match iterator.call_method0(intern!(py, "__next__")) {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.is_instance_of::<PyStopIteration>(py) => Ok(None),
        Err(error) => Err(error),
    }
}

fn idle() -> MutexGuard<'static, Vec<Arc<Bell>>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn bell() -> PyResult<Arc<Bell>> {
    let kept = idle().pop();
    Ok(kept.map_or_else(|| SelfPipe::new().map(|pipe| Arc::new(Bell(pipe))), Ok)?)
}

/// Keeps a bell for the next call, if nobody will ring it any more.
fn put_aside(bell: Arc<Bell>) {
    bell.0.clear();
    if Arc::strong_count(&bell) == 1 {
        idle().push(bell);
    }
}

#[pymethods]
impl Coroutine {
    fn send<'py>(&self, py: Python<'py>, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.step(py, &Step::Send(value))
    }

    #[pyo3(signature = (*what))]
    fn throw<'py>(
        &self,
        py: Python<'py>,
        what: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.step(py, &Step::Throw(what))
    }

    fn close<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.step(py, &Step::Close)
    }

    fn __await__(slf: &Bound<'_, Self>) -> PyResult<Wrapper> {
        let py = slf.py();
        let is_awaited = match &*slf.get().stand() {
            Stand::Waits(..) | Stand::Rests(_) | Stand::Running => true,
            Stand::Fresh => false,
            Stand::Here => !slf
                .get()
                .plain
                .bind(py)
                .getattr(intern!(py, "cr_await"))?
                .is_none(),
        };
        if is_awaited {
            let text = "coroutine is being awaited already";
            return Err(PyRuntimeError::new_err(text));
        }
        Ok(Wrapper(slf.clone().unbind()))
    }

    /// All else is as of the plain coroutine.
    fn __getattr__<'py>(
        &self,
        py: Python<'py>,
        name: &Bound<'py, PyString>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.plain.bind(py).getattr(name)
    }

    fn __setattr__(&self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.plain.bind(py).setattr(name, value)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let name = slf.get().plain.bind(slf.py()).getattr("__qualname__")?;
        Ok(format!(
            "<coroutine object {name} at {:#x}>",
            slf.as_ptr() as usize
        ))
    }

    #[getter(__class__)]
    fn class<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.plain.bind(py).get_type().into_any()
    }

    #[getter(__name__)]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.plain.bind(py).getattr(intern!(py, "__name__"))
    }

    #[getter(__qualname__)]
    fn qualname<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.plain.bind(py).getattr(intern!(py, "__qualname__"))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.plain)?;
        visit.call(&self.args)?;
        visit.call(&self.kwargs)?;
        if let Ok(stand) = self.stand.try_lock() {
            if let Stand::Waits(_, waiter) | Stand::Rests(waiter) = &*stand {
                visit.call(waiter)?;
            }
        }
        Ok(())
    }
}

#[pymethods]
impl Wrapper {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0
            .get()
            .step(py, &Step::Send(&py.None().into_bound(py)))
    }

    fn send<'py>(&self, py: Python<'py>, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.0.get().step(py, &Step::Send(value))
    }

    #[pyo3(signature = (*what))]
    fn throw<'py>(
        &self,
        py: Python<'py>,
        what: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.0.get().step(py, &Step::Throw(what))
    }

    fn close<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.get().step(py, &Step::Close)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.0)
    }
}
