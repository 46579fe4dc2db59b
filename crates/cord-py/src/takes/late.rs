//! Values that are received late: the program goes on with local work while a call is under way.
//!
//! The translator has found that nobody can tell (`translate/program/receiving.py`); what that relies on at run
//! time is looked at for each call (`runtime/births/lateness.py`). Until the value is received it belongs to
//! the activation of its frame. If there is none, for the call has raised an exception, the program's
//! variables and containers are put back to what they were when the call was made.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use cord_core::ticket::Ticket;
use cord_scout::inline::Cost;
use pyo3::exceptions::PyRuntimeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::client::inlining::Inlining;
use crate::client::onlookers::is_looked_at;
use crate::client::remote::RemoteFunction;
use crate::held::Held;
use crate::scouts::run::{Run, TOP_UP};
use crate::takes::activation::Activation;
use crate::takes::lates::{Here, Lates, State, Under, Undo, Waiting};
use crate::takes::reasons::timed;
use crate::takes::site::Site;
use crate::takes::standing::Comer;

mod handled;
mod taking;

use handled::{handled, interrupted, Handling};

/// Calls that take less are not worth looking at what the local work relies on.
const SHORTEST: Duration = Duration::from_micros(200);
/// So many objects are looked at for a call of unknown length, and for each of its milliseconds.
const LOOKED_AT: usize = 20_000;
const LOOKED_AT_EACH: usize = 5_000;

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

    /// What it asks of Python holds it.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.site)?;
        visit.call(&self.look)
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

    /// Whether the value is appended to a list, and nothing that goes by other rules.
    #[staticmethod]
    fn is_list(holder: &Bound<'_, PyAny>) -> bool {
        holder.is_exact_instance_of::<PyList>()
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
                        state: State::Waiting(_) | State::Here(_),
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
            Some(State::Waiting(waiting)) => {
                let site = slf.get().site.bind(py).get();
                let callee = waiting.function.bind(py).clone().into_any();
                let comer = Comer {
                    site: Some(site),
                    activation: Some(activation.as_any()),
                    callee: &callee,
                };
                timed(&site.answers, comer, || {
                    slf.get().come(activation, *waiting, failing)
                })
            }
            Some(State::Here(call)) => {
                let site = slf.get().site.bind(py).get();
                let Here {
                    callee,
                    args,
                    kwargs,
                } = *call;
                let kwargs = kwargs.as_ref().map(|kwargs| kwargs.bind(py));
                site.take_untimed(activation.as_any(), callee.bind(py), args.bind(py), kwargs)
            }
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
        let spending = site.inlining_of(callee).spending();
        let comer = Comer {
            site: Some(site),
            activation: Some(activation.as_any()),
            callee,
        };
        let taken = timed(&site.answers, comer, || {
            site.take_within(activation, callee, args, kwargs, slf)
        });
        let Some(value) = taken? else {
            return Ok(activation.get().with_lates(|lates| {
                let Some(Under {
                    state: State::Waiting(waiting),
                    ..
                }) = lates.calls.last_mut()
                else {
                    return true;
                };
                waiting.spent = spending.so_far(true);
                waiting.kept.is_none()
            }));
        };
        Self::put(slf, activation.get(), State::There(value.unbind()));
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
            spent: Cost::default(),
            handled: handled(py),
            kept: kept.map(Bound::unbind),
        };
        Self::put(slf, place, State::Waiting(Box::new(waiting)));
        Ok(true)
    }

    fn put(slf: &Bound<'_, Self>, activation: &Activation, state: State) {
        let under = Under {
            late: slf.clone().into_any().unbind(),
            site: slf.get().site.bind(slf.py()).get().uid,
            state,
        };
        activation.with_lates(|lates| lates.calls.push(under));
    }

    /// Lets the scout issue what it can while the program goes on. An interrupt finds the call under way.
    pub fn top_up(activation: &Bound<'_, Activation>) -> PyResult<()> {
        let run = activation.get().live_run(activation.py());
        match run.filter(|run| run.get().strands.is_low()) {
            Some(run) => Run::step(&run, None, Some(TOP_UP)),
            None => Ok(()),
        }
    }

    /// How long the calls take.
    pub fn learn(&self, ticket: &Ticket) {
        let nanos = u64::try_from(ticket.service().as_nanos()).unwrap_or(u64::MAX);
        self.service.store(nanos, Ordering::Relaxed);
    }

    pub fn is_short(&self) -> bool {
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
        let how = (begun.function, begun.function.get().is_pure());
        let kept = self
            .look
            .bind(py)
            .call1((budget, begun.args, values, how))?;
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
        let (function, place) = (waiting.function.bind(py), activation.get());
        let site = self.site.bind(py).get();
        let inlining: &Inlining = site.inlining_of(function.as_any());
        let spending = inlining.spending();
        let remote = function.get();
        let (args, kwargs) = (waiting.args.bind(py), waiting.kwargs.as_ref());
        let kwargs = kwargs.map(|kwargs| kwargs.bind(py));
        let interrupt = failing.then(|| interrupted(py)).flatten();
        let handling = Handling::again(py, waiting.handled.as_ref());
        let waited = match interrupt {
            Some(error) => Err(error),
            None => place.wait_for(py, remote, &waiting.ticket),
        };
        let begun = Begun {
            function,
            args,
            kwargs,
        };
        let (value, ticket) = site.come(activation, &begun, waiting.ticket, waited);
        drop(handling);
        self.learn(&ticket);
        let how = remote.use_of(&site.client);
        if how.inline && how.ahead {
            site.shipped(
                (activation, remote),
                inlining,
                waiting.spent + spending.so_far(true),
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

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Late>()
}
