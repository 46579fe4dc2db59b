//! What a call of a coroutine function gives: the coroutine that plain Python would have, and in its place,
//! once it is awaited, a call that is sent.
//!
//! Until then, and wherever the call is not sent, it is the plain coroutine that answers: for arguments that
//! do not fit, for what was never awaited, for how it looks and where it began. No Python code of Cord's is on
//! the way of what it yields, returns or raises, so there are no frames that a traceback could show.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::{PyRuntimeError, PyStopIteration, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};

use super::calling::{Begun, UnderWay};
use super::RemoteFunction;
use crate::python;
use bell::Bell;
pub use lengths::Lengths;

mod bell;
mod lengths;
mod methods;

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

impl Drop for Coroutine {
    /// The plain one would have been begun by now, and is closed as such a one is.
    fn drop(&mut self) {
        if matches!(&*self.stand(), Stand::Waits(..) | Stand::Rests(_)) {
            Python::attach(|py| {
                let pending = PyErr::take(py);
                drop(self.close_late(py));
                if let Some(pending) = pending {
                    pending.restore(py);
                }
            });
        }
    }
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
        let remote = function.get();
        let is_short = || remote.keeping.is_none() && remote.lengths.are_short();
        if remote.is_never_sent() || is_short() {
            return Ok(plain);
        }
        name_in_messages(py)?;
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

    /// Closes the plain coroutine where it would wait; that can be seen as long as its loop runs.
    fn close_late(&self, py: Python<'_>) -> PyResult<()> {
        let plain = self.plain.bind(py);
        let running = py
            .import(intern!(py, "asyncio.events"))
            .and_then(|events| events.call_method0(intern!(py, "_get_running_loop")));
        if running.is_ok_and(|running| !running.is_none()) {
            plain.call_method1(intern!(py, "send"), (py.None(),))?;
        }
        if let Err(error) = plain.call_method0(intern!(py, "close")) {
            error.write_unraisable(py, Some(plain));
        }
        Ok(())
    }

    fn begin<'py>(&self, py: Python<'py>) -> (Stand, PyResult<Bound<'py, PyAny>>) {
        match self.sent(py) {
            Ok(Some((stand, given))) => (stand, given),
            Ok(None) => self.make_here(py),
            Err(error) => (Stand::Here, self.ended(py, Err(error))),
        }
    }

    fn make_here<'py>(&self, py: Python<'py>) -> (Stand, PyResult<Bound<'py, PyAny>>) {
        let why = "its loop had more to do meanwhile, so the program made the call";
        self.function.get().pass_by(why);
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
            remote.rouse();
            ticket.demand();
            waiting.bell = Bell::of(&ticket)?;
            if let Some(bell) = &waiting.bell {
                let waiter = python::WAITER.call(py, (bell.reader(),))?;
                let waits = next_of(&waiter)?;
                let waits = waits.ok_or_else(|| PyRuntimeError::new_err("nothing to wait for"));
                return Ok(Some((
                    Stand::Waits(Box::new(waiting), waiter.unbind()),
                    waits,
                )));
            }
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
            bell.put_aside();
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

/// Messages name the class as that of plain coroutines, without its module.
fn name_in_messages(py: Python<'_>) -> PyResult<()> {
    static NAMED: PyOnceLock<()> = PyOnceLock::new();
    let name = || py.get_type::<Coroutine>().setattr("__name__", "coroutine");
    NAMED.get_or_try_init(py, name).copied()
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
