//! Values that are received late: the program goes on with local work while a call is under way.
//!
//! The translator has found that nobody can tell (`translate/receiving.py`); what that relies on at run
//! time is looked at for each call (`runtime/lateness.py`). Until the value is received it belongs to
//! the activation of its frame. If there is none, for the call has raised an exception, the program's
//! variables and containers are put back to what they were when the call was made.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use cord_core::Ticket;
use pyo3::exceptions::{PyException, PyRuntimeError};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::activation::{Activation, TOP_UP};
use crate::copies;
use crate::held::Held;
use crate::inlining::Inlining;
use crate::outcome::is_watched;
use crate::remote::RemoteFunction;
use crate::run::Run;
use crate::service::Use;
use crate::site::Site;
use crate::take::wait_and_scout;

/// Calls that take less are not worth looking at what the local work relies on.
const SHORTEST: Duration = Duration::from_micros(200);
/// So many objects are looked at for a call of unknown length, and for each of its milliseconds.
const LOOKED_AT: usize = 20_000;
const LOOKED_AT_EACH: usize = 5_000;

/// What may look on under `sys.monitoring` has one of so many numbers.
const TOOLS: usize = 6;

/// A call whose value may be received late.
#[pyclass(module = "cord._core", frozen)]
pub struct Late {
    pub(crate) site: Py<Site>,
    /// Python: whether all is as the text has it; then, what is to be put back if the call raises.
    look: Py<PyAny>,
    /// Into how many variables the value is unpacked; 0 if it is not.
    unpacked: usize,
    /// How long the last call took in its replica, in nanoseconds.
    service: AtomicU64,
    /// How many values were put off, how many were there, and how many were waited for at once, as
    /// not all was as the text has it.
    put_off: AtomicUsize,
    there: AtomicUsize,
    refused: AtomicUsize,
}

/// What an activation has of calls whose values its frame has not received.
#[derive(Default)]
pub struct Lates {
    calls: Vec<Under>,
    /// What is to be put back after an exception.
    undo: Option<Undo>,
    /// The local work has raised an exception.
    failing: bool,
    /// Values of the statement that is under way.
    held: VecDeque<Py<PyAny>>,
}

/// A call whose value the program has not received yet.
pub struct Under {
    late: Py<Late>,
    state: State,
}

enum State {
    There(Py<PyAny>),
    Waiting(Box<Waiting>),
}

struct Waiting {
    function: Py<RemoteFunction>,
    args: Py<PyTuple>,
    kwargs: Option<Py<PyDict>>,
    ticket: Ticket,
    /// What the program has spent on it.
    spent: Duration,
    /// What was handled where the call stands.
    handled: Option<Py<PyAny>>,
    /// What is to be put back; none where it is to be received at once.
    kept: Option<Py<PyAny>>,
}

struct Undo {
    kept: Option<Py<PyAny>>,
    /// What was handled where the call stands, if the exception is not the call's own.
    handled: Option<Option<Py<PyAny>>>,
}

/// A call that has been issued, as the take has it.
pub struct Begun<'a, 'py> {
    pub function: &'a Bound<'py, RemoteFunction>,
    pub args: &'a Bound<'py, PyTuple>,
    pub kwargs: Option<&'a Bound<'py, PyDict>>,
}

#[pymethods]
impl Late {
    #[new]
    fn new(site: Py<Site>, look: Py<PyAny>, unpacked: usize) -> Self {
        Self {
            site,
            look,
            unpacked,
            service: AtomicU64::new(0),
            put_off: AtomicUsize::new(0),
            there: AtomicUsize::new(0),
            refused: AtomicUsize::new(0),
        }
    }

    /// How many values were received late, how many were there at once or would soon be, and how many
    /// were waited for as not all was as the text has it.
    #[getter]
    fn answers(&self) -> (usize, usize, usize) {
        let read = |count: &AtomicUsize| count.load(Ordering::Relaxed);
        (read(&self.put_off), read(&self.there), read(&self.refused))
    }

    /// Keeps a value that was computed before what stands before it is received.
    fn hold(&self, activation: &Bound<'_, Activation>, value: Py<PyAny>) {
        activation
            .get()
            .with_lates(|lates| lates.held.push_back(value));
    }

    /// The value that was kept first.
    fn held(&self, activation: &Bound<'_, Activation>) -> PyResult<Py<PyAny>> {
        let found = activation.get().with_lates(|lates| lates.held.pop_front());
        found.ok_or_else(|| PyRuntimeError::new_err("no value is held"))
    }

    /// The program's call. Tells whether its value, or an earlier one, is to be received at once.
    #[pyo3(signature = (activation, callee, /, *args))]
    fn take<'py>(
        slf: &Bound<'py, Self>,
        activation: &Bound<'py, Activation>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
    ) -> PyResult<bool> {
        Self::begin(slf, activation, callee, args, None)
    }

    /// The same with keyword arguments.
    #[pyo3(signature = (activation, callee, /, *args, **kwargs))]
    fn take_named<'py>(
        slf: &Bound<'py, Self>,
        activation: &Bound<'py, Activation>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<bool> {
        Self::begin(slf, activation, callee, args, kwargs)
    }

    /// The value of a call that was there at once.
    fn taken(slf: &Bound<'_, Self>, activation: &Bound<'_, Activation>) -> PyResult<Py<PyAny>> {
        let at = |under: &Under| under.late.is(slf) && matches!(under.state, State::There(_));
        let found = activation.get().with_lates(|lates| {
            let place = lates.calls.iter().position(at)?;
            Some(lates.calls.remove(place))
        });
        match found.map(|under| under.state) {
            Some(State::There(value)) => Ok(value),
            _ => Err(PyRuntimeError::new_err("no value is there")),
        }
    }

    /// Whether the program has not received its value yet.
    fn is_late(slf: &Bound<'_, Self>, activation: &Bound<'_, Activation>) -> bool {
        let has = |lates: &mut Lates| lates.calls.iter().any(|under| under.late.is(slf));
        activation.get().with_lates(has)
    }

    /// Whether any value is to be received.
    fn is_any(&self, activation: &Bound<'_, Activation>) -> bool {
        activation.get().with_lates(|lates| !lates.calls.is_empty())
    }

    /// Whether its value is the next to be received.
    fn is_next(slf: &Bound<'_, Self>, activation: &Bound<'_, Activation>) -> bool {
        let first = |lates: &mut Lates| lates.calls.first().is_some_and(|one| one.late.is(slf));
        activation.get().with_lates(first)
    }

    /// Whether values are to be received before its own, or it is to be waited for itself.
    fn follows(slf: &Bound<'_, Self>, activation: &Bound<'_, Activation>) -> bool {
        activation.get().with_lates(|lates| {
            let own = lates.calls.iter().position(|under| under.late.is(slf));
            let waits = |at| {
                matches!(
                    lates.calls.get(at),
                    Some(Under {
                        state: State::Waiting(_),
                        ..
                    })
                )
            };
            own.is_some_and(|at| at > 0 || waits(at))
        })
    }

    /// Whether its value has come to the program, which has not received it yet.
    fn is_there(slf: &Bound<'_, Self>, activation: &Bound<'_, Activation>) -> bool {
        activation.get().with_lates(|lates| {
            let mut all = lates.calls.iter();
            all.any(|under| under.late.is(slf) && matches!(under.state, State::There(_)))
        })
    }

    /// The local work has raised an exception: whether values are to be received first.
    fn are_left(&self, activation: &Bound<'_, Activation>) -> bool {
        let (are_left, _held) = activation.get().with_lates(|lates| {
            lates.failing = !lates.calls.is_empty();
            (lates.failing, std::mem::take(&mut lates.held))
        });
        are_left
    }

    /// The value of the call, the next one to be received, when it is there; or its exception.
    fn receive<'py>(
        slf: &Bound<'py, Self>,
        activation: &Bound<'py, Activation>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let (under, failing) = activation.get().with_lates(|lates| {
            let is_next = lates.calls.first().is_some_and(|one| one.late.is(slf));
            let under = is_next.then(|| lates.calls.remove(0));
            (under, lates.failing)
        });
        match under.map(|under| under.state) {
            Some(State::There(value)) => Ok(value.into_bound(py)),
            Some(State::Waiting(waiting)) => slf.get().come(activation, *waiting, failing),
            None => Err(PyRuntimeError::new_err("nothing is to be received")),
        }
    }

    /// Whether a call has raised an exception late: what the program has done since is undone, but for
    /// its variables.
    fn undoes(&self, py: Python<'_>, activation: &Bound<'_, Activation>) -> PyResult<bool> {
        let Some(undo) = activation.get().with_lates(|lates| lates.undo.take()) else {
            return Ok(false);
        };
        let _held = Held::new(py)?;
        if let Some(kept) = &undo.kept {
            kept.call_method0(py, intern!(py, "undo"))?;
        }
        if let (Some(handled), Some(error)) = (&undo.handled, handled(py)) {
            error.setattr(py, intern!(py, "__context__"), handled.as_ref())?;
        }
        let has_any = undo.kept.is_some();
        activation.get().with_lates(|lates| lates.undo = Some(undo));
        Ok(has_any)
    }

    /// The variables are as they were, too.
    fn undone(&self, activation: &Bound<'_, Activation>) {
        let undo = activation.get().with_lates(|lates| lates.undo.take());
        drop(undo);
    }

    /// Whether a variable had a value when the call was made.
    fn had(&self, activation: &Bound<'_, Activation>, name: &Bound<'_, PyAny>) -> PyResult<bool> {
        asked(activation, "had", name)?.is_truthy()
    }

    /// That value.
    fn kept<'py>(
        &self,
        activation: &Bound<'py, Activation>,
        name: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        asked(activation, "kept", name)
    }

    /// Whether the variable had none, and may have one now.
    fn lacked(
        &self,
        activation: &Bound<'_, Activation>,
        name: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        asked(activation, "lacked", name)?.is_truthy()
    }
}

fn asked<'py>(
    activation: &Bound<'py, Activation>,
    what: &str,
    name: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = activation.py();
    let kept = activation.get().with_lates(|lates| {
        let undo = lates.undo.as_ref()?;
        undo.kept.as_ref().map(|kept| kept.clone_ref(py))
    });
    match kept {
        Some(kept) => kept.bind(py).call_method1(what, (name,)),
        None => Err(PyRuntimeError::new_err("nothing is to be put back")),
    }
}

impl Late {
    fn begin<'py>(
        slf: &Bound<'py, Self>,
        activation: &Bound<'py, Activation>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<bool> {
        let site = slf.get().site.bind(slf.py()).get();
        let began = Instant::now();
        let Some(value) = site.take_within(activation, callee, args, kwargs, slf)? else {
            return Ok(activation.get().with_lates(|lates| {
                let Some(Under {
                    state: State::Waiting(waiting),
                    ..
                }) = lates.calls.last_mut()
                else {
                    return true;
                };
                waiting.spent = began.elapsed();
                waiting.kept.is_none()
            }));
        };
        let state = State::There(value.unbind());
        let late = slf.clone().unbind();
        let place = activation.get();
        place.with_lates(|lates| lates.calls.push(Under { late, state }));
        Ok(true)
    }

    /// Whether others are to be received before it.
    pub fn must_follow(activation: &Activation) -> bool {
        activation.with_lates(|lates| !lates.calls.is_empty())
    }

    /// A call was issued: whether its value is received later. Then it is the activation's.
    ///
    /// # Errors
    /// What a handler of a signal raised: then it is not.
    pub fn puts_off<'py>(
        slf: &Bound<'py, Self>,
        activation: &Bound<'py, Activation>,
        begun: &Begun<'_, 'py>,
        ticket: &Ticket,
    ) -> PyResult<bool> {
        let (py, place) = (slf.py(), activation.get());
        let must = Self::must_follow(place);
        if !must && (ticket.is_settled() || slf.get().is_short()) {
            slf.get().there.fetch_add(1, Ordering::Relaxed);
            return Ok(false);
        }
        ticket.demand();
        begun.function.get().rouse();
        let kept = match is_looked_at(py)? {
            true => None,
            false => slf.get().looked(py, begun)?,
        };
        if kept.is_none() {
            slf.get().refused.fetch_add(1, Ordering::Relaxed);
        }
        if kept.is_none() && !must {
            return Ok(false);
        }
        if kept.is_some() {
            slf.get().put_off.fetch_add(1, Ordering::Relaxed);
        }
        let waiting = Waiting {
            function: begun.function.clone().unbind(),
            args: begun.args.clone().unbind(),
            kwargs: begun.kwargs.map(|kwargs| kwargs.clone().unbind()),
            ticket: ticket.clone(),
            spent: Duration::ZERO,
            handled: handled(py),
            kept: kept.map(Bound::unbind),
        };
        let state = State::Waiting(Box::new(waiting));
        let late = slf.clone().unbind();
        place.with_lates(|lates| lates.calls.push(Under { late, state }));
        Ok(true)
    }

    /// Lets the scout issue what it can while the program goes on. An interrupt finds the call under way.
    pub fn top_up(activation: &Bound<'_, Activation>) -> PyResult<()> {
        let run = activation.get().live_run(activation.py());
        match run.filter(|run| run.get().is_low()) {
            Some(run) => Run::step(&run, None, Some(TOP_UP)),
            None => Ok(()),
        }
    }

    /// Whether a call that no scout makes, for it has effects, may be under way while the program goes
    /// on: nothing of the main script travels with it, and so nothing of that comes back changed.
    pub fn may_begin(
        slf: &Bound<'_, Self>,
        activation: &Bound<'_, Activation>,
        begun: &Begun<'_, '_>,
    ) -> PyResult<bool> {
        let remote = begun.function.get();
        let is_apart = remote.is_stateful() && remote.mentions_nothing();
        let alone = !Self::must_follow(activation.get()) && !slf.get().is_short();
        Ok(is_apart && alone && !copies::are_wanted())
    }

    /// Makes such a call.
    pub fn call_in_place<'py>(
        slf: &Bound<'py, Self>,
        activation: &Bound<'py, Activation>,
        begun: &Begun<'_, 'py>,
        how: &Use,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = slf.py();
        let Begun {
            function,
            args,
            kwargs,
        } = *begun;
        let remote = function.get();
        let encoded = remote.encode(py, args, kwargs, remote.are_stable(args, kwargs))?;
        let ticket = remote.issue(py, how, args, kwargs, encoded, false)?;
        let waited = match Self::puts_off(slf, activation, begun, &ticket) {
            Ok(true) => return Ok(None),
            Ok(false) => remote.wait(py, &ticket),
            Err(error) => Err(error),
        };
        let value = RemoteFunction::come_of(function, &ticket, waited, args, kwargs);
        slf.get().learn(&ticket);
        value.map(Some)
    }

    /// How long the calls take.
    pub fn learn(&self, ticket: &Ticket) {
        let nanos = u64::try_from(ticket.service().as_nanos()).unwrap_or(u64::MAX);
        self.service.store(nanos, Ordering::Relaxed);
    }

    fn is_short(&self) -> bool {
        let known = Duration::from_nanos(self.service.load(Ordering::Relaxed));
        !known.is_zero() && known < SHORTEST
    }

    /// What is to be put back if the call raises; none where the local work cannot go first.
    fn looked<'py>(
        &self,
        py: Python<'py>,
        begun: &Begun<'_, 'py>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let _held = Held::new(py)?;
        let known = Duration::from_nanos(self.service.load(Ordering::Relaxed));
        let each = usize::try_from(known.as_millis()).unwrap_or(usize::MAX);
        let budget = LOOKED_AT.max(each.saturating_mul(LOOKED_AT_EACH));
        let given = begun.kwargs.map(|kwargs| kwargs.values());
        let values = given.unwrap_or_else(|| PyList::empty(py));
        let is_pure = begun.function.get().is_pure();
        let kept = self
            .look
            .bind(py)
            .call1((budget, begun.args, values, is_pure))?;
        Ok((!kept.is_none()).then_some(kept))
    }

    /// What comes of a call: its value, or its exception as if nothing had been done since.
    fn come<'py>(
        &self,
        activation: &Bound<'py, Activation>,
        waiting: Waiting,
        failing: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = activation.py();
        let began = Instant::now();
        let (function, place) = (waiting.function.bind(py), activation.get());
        let remote = function.get();
        let (args, kwargs) = (waiting.args.bind(py), waiting.kwargs.as_ref());
        let kwargs = kwargs.map(|kwargs| kwargs.bind(py));
        let interrupt = failing.then(|| interrupted(py)).flatten();
        let handling = Handling::again(py, waiting.handled.as_ref());
        let waited = match interrupt {
            Some(error) => Err(error),
            None => wait_and_scout(py, place, remote, &waiting.ticket),
        };
        let site = self.site.bind(py).get();
        let (value, ticket) = if remote.are_stable(args, kwargs) {
            let begun = Begun {
                function,
                args,
                kwargs,
            };
            site.come(activation, &begun, waiting.ticket, waited)
        } else {
            // the program may have changed the arguments: the call cannot be made once more
            let value = RemoteFunction::come_at_last(function, &waiting.ticket, waited);
            let learnt = site.learn_of(activation, remote, &value, &waiting.ticket);
            (learnt.and(value), waiting.ticket)
        };
        drop(handling);
        self.learn(&ticket);
        let how = remote.use_of(&site.client);
        if how.inline && how.ahead {
            let inlining: &Inlining = site.inlining_of(function.as_any());
            site.shipped(
                activation,
                inlining,
                waiting.spent + began.elapsed(),
                ticket.service(),
            );
        }
        let undo = match &value {
            Ok(value) if self.is_unpacked(value) => return Ok(value.clone()),
            Ok(_) => Undo {
                kept: waiting.kept,
                handled: Some(waiting.handled),
            },
            Err(_) => Undo {
                kept: waiting.kept,
                handled: None,
            },
        };
        let (dropped, _before) = place.with_lates(|lates| {
            let before = lates.undo.replace(undo);
            (std::mem::take(&mut lates.calls), before)
        });
        for under in &dropped {
            if let State::Waiting(later) = &under.state {
                later.ticket.drop_call(); // the program does not come to it
            }
        }
        value
    }

    /// Whether nothing can go wrong when the value is assigned.
    fn is_unpacked(&self, value: &Bound<'_, PyAny>) -> bool {
        let length = match (value.cast_exact::<PyTuple>(), value.cast_exact::<PyList>()) {
            (Ok(tuple), _) => tuple.len(),
            (_, Ok(list)) => list.len(),
            _ => return self.unpacked == 0,
        };
        self.unpacked == 0 || self.unpacked == length
    }
}

/// Whether something looks on as the program runs, and would see what runs before the value is there: a
/// debugger, a profiler, a measure of coverage.
fn is_looked_at(py: Python<'_>) -> PyResult<bool> {
    let sys = py.import(intern!(py, "sys"))?;
    if is_watched(py)? || !sys.call_method0(intern!(py, "getprofile"))?.is_none() {
        return Ok(true);
    }
    let Ok(monitoring) = sys.getattr(intern!(py, "monitoring")) else {
        return Ok(false); // before Python 3.12
    };
    for tool in 0..TOOLS {
        let user = monitoring.call_method1(intern!(py, "get_tool"), (tool,))?;
        if !user.is_none() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The exception that the program handles.
fn handled(py: Python<'_>) -> Option<Py<PyAny>> {
    // SAFETY: a new reference, or null where nothing is handled.
    let found = unsafe { Bound::from_owned_ptr_or_opt(py, ffi::PyErr_GetHandledException()) };
    found.filter(|found| !found.is_none()).map(Bound::unbind)
}

/// The interrupt that the program handles: what only handlers of signals raise.
fn interrupted(py: Python<'_>) -> Option<PyErr> {
    let error = handled(py)?.into_bound(py);
    (!error.is_instance_of::<PyException>()).then(|| PyErr::from_value(error))
}

/// While it lives, what the program handles is what it handled where a call stands.
struct Handling<'py>(Python<'py>, Option<Py<PyAny>>);

impl<'py> Handling<'py> {
    fn again(py: Python<'py>, then: Option<&Py<PyAny>>) -> Self {
        let now = handled(py);
        set_handled(py, then);
        Self(py, now)
    }
}

impl Drop for Handling<'_> {
    fn drop(&mut self) {
        set_handled(self.0, self.1.as_ref());
    }
}

fn set_handled(_py: Python<'_>, error: Option<&Py<PyAny>>) {
    let error = error.map_or(std::ptr::null_mut(), Py::as_ptr);
    // SAFETY: an exception, or null for none; a reference of its own is taken.
    unsafe { ffi::PyErr_SetHandledException(error) };
}

impl Lates {
    /// The calls that are under way, by their sites.
    pub fn tickets(&self, py: Python<'_>) -> Vec<(u32, Ticket)> {
        let ticket = |under: &Under| match &under.state {
            State::Waiting(waiting) => {
                let late = under.late.bind(py).get();
                Some((late.site.bind(py).get().uid, waiting.ticket.clone()))
            }
            State::There(_) => None,
        };
        self.calls.iter().filter_map(ticket).collect()
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Late>()
}
