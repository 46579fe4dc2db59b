//! Values that are only passed on: what stands for them in the program, between the call that made
//! them and those that get them.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use cord_core::ticket::Ticket;
use cord_wire::outcome::{Outcome, KIND_PASSED, KIND_VALUE};
use cord_wire::payload::Payload;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyWeakref, PyWeakrefMethods, PyWeakrefReference};

use crate::client::remote::RemoteFunction;
use crate::python;
use crate::travel::encode::keep;

/// So many calls are made again at most to have a value once more: the result of the last of so many
/// that pass theirs on comes to the program.
const LONGEST_CHAIN: u32 = 8;

/// The result of a call that is only passed on to other calls. Its outcome is known, and is a value.
#[pyclass(module = "cord._core", frozen, weakref)]
pub struct Passed {
    ticket: Ticket,
    /// What was called, and the value if it came with the reply; a scout knows neither.
    known: Mutex<Option<Known>>,
}

struct Known {
    function: Py<RemoteFunction>,
    value: Option<Payload>,
    /// The value itself, once a call that the program made has got it: what that changed stays changed.
    own: Option<Py<PyAny>>,
}

#[pymethods]
impl Passed {
    /// In a call's arguments it is the number of the value among those that go with them.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let number = NEEDED.with_borrow(|needed| {
            let mut ids = needed.iter();
            ids.position(|id| *id == self.ticket.id())
        });
        let number = number.ok_or_else(|| PyRuntimeError::new_err("no call is being encoded"))?;
        let received = python::RECEIVED.get(py)?;
        (received, (number,)).into_pyobject(py)
    }
}

thread_local! {
    /// The values that go with the arguments which are being encoded.
    static NEEDED: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

/// What a call needs of others, while its arguments are encoded.
pub struct Needs {
    pub tickets: Vec<Ticket>,
    before: Vec<u64>,
}

impl Needs {
    /// Looks among the arguments themselves: nothing else is ever passed on.
    pub fn of(args: &Bound<'_, PyTuple>, kwargs: Option<&Bound<'_, PyDict>>) -> Needs {
        let mut tickets: Vec<Ticket> = Vec::new();
        each_passed(args, kwargs, |passed| {
            if tickets.iter().all(|known| known.id() != passed.ticket.id()) {
                tickets.push(passed.ticket.clone());
            }
        });
        let ids = tickets.iter().map(Ticket::id).collect();
        let before = NEEDED.replace(ids);
        Needs { tickets, before }
    }
}

impl Drop for Needs {
    fn drop(&mut self) {
        NEEDED.set(std::mem::take(&mut self.before));
    }
}

fn each_passed(
    args: &Bound<'_, PyTuple>,
    kwargs: Option<&Bound<'_, PyDict>>,
    mut found: impl FnMut(&Passed),
) {
    let mut look = |value: &Bound<'_, PyAny>| {
        if let Ok(passed) = value.cast_exact::<Passed>() {
            found(passed.get());
        }
    };
    args.iter().for_each(|value| look(&value));
    if let Some(kwargs) = kwargs {
        kwargs.values().iter().for_each(|value| look(&value));
    }
}

/// How long the chain is that ends with a call which is given these values, if its own is to be kept
/// for others; 0 if it is too long for that.
pub fn chain_behind(needs: &[Ticket]) -> u32 {
    let longest = needs.iter().map(Ticket::chain).max().unwrap_or(0);
    if longest < LONGEST_CHAIN {
        longest + 1
    } else {
        0
    }
}

/// Fetches all values that the program may still pass on: there will be no replicas any more, or not
/// in a child that is about to be forked.
#[pyfunction]
fn fetch_passed(py: Python<'_>) -> PyResult<()> {
    let all = std::mem::take(&mut *live());
    for one in all {
        if let Some(passed) = one.bind(py).upgrade() {
            Passed::come(&passed.cast_into_exact()?)?;
        }
    }
    Ok(())
}

/// What stands in the program for values that are at replicas.
static LIVE: Mutex<Vec<Py<PyWeakref>>> = Mutex::new(Vec::new());
/// So many are kept before those that are gone are looked for.
const FIRST_SWEEP: usize = 64;

fn live() -> MutexGuard<'static, Vec<Py<PyWeakref>>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn remember(passed: &Bound<'_, Passed>) -> PyResult<()> {
    let py = passed.py();
    let one = PyWeakrefReference::new(passed)?.cast_into()?.unbind();
    let mut all = live();
    all.push(one);
    if all.len() >= FIRST_SWEEP && all.len().is_power_of_two() {
        let is_there = |one: &Py<PyWeakref>| one.bind(py).upgrade().is_some();
        let (there, gone) = std::mem::take(&mut *all).into_iter().partition(is_there);
        *all = there;
        drop((all, gone));
    }
    Ok(())
}

/// The program has such a value itself.
static ANY_OWN: AtomicBool = AtomicBool::new(false);

/// A call's arguments.
type Arguments<'py> = (Bound<'py, PyTuple>, Option<Bound<'py, PyDict>>);

/// The arguments with the values themselves in them, if the program has one of those itself.
#[inline]
pub fn with_own<'py>(
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Option<Arguments<'py>>> {
    if !ANY_OWN.load(Ordering::Relaxed) {
        return Ok(None); // most programs
    }
    let mut any = false;
    each_passed(args, kwargs, |passed| any |= passed.has_own());
    any.then(|| with_values(args, kwargs)).transpose()
}

/// These arguments, or others in their place.
pub fn either<'a, 'py>(
    others: Option<&'a Arguments<'py>>,
    args: &'a Bound<'py, PyTuple>,
    kwargs: Option<&'a Bound<'py, PyDict>>,
) -> (&'a Bound<'py, PyTuple>, Option<&'a Bound<'py, PyDict>>) {
    others.map_or((args, kwargs), |(args, kwargs)| (args, kwargs.as_ref()))
}

pub fn is_passed(value: &Bound<'_, PyAny>) -> bool {
    value.is_exact_instance_of::<Passed>()
}

/// Arguments with the values themselves in them, for a call that is made here.
pub fn with_values<'py>(
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Arguments<'py>> {
    let mut any = false;
    each_passed(args, kwargs, |_| any = true);
    if !any {
        return Ok((args.clone(), kwargs.cloned()));
    }
    let py = args.py();
    let mut known: Vec<(usize, Bound<'py, PyAny>)> = Vec::new();
    let mut value_of = |value: &Bound<'py, PyAny>| -> PyResult<Bound<'py, PyAny>> {
        let Ok(passed) = value.cast_exact::<Passed>() else {
            return Ok(value.clone());
        };
        let address = value.as_ptr() as usize;
        if let Some((_, fetched)) = known.iter().find(|(seen, _)| *seen == address) {
            return Ok(fetched.clone()); // what is one object stays one
        }
        let fetched = Passed::value(passed)?;
        passed.get().keep_own(&fetched);
        known.push((address, fetched.clone()));
        Ok(fetched)
    };
    let values: Vec<_> = args
        .iter()
        .map(|value| value_of(&value))
        .collect::<PyResult<_>>()?;
    let named = match kwargs {
        Some(kwargs) => {
            let named = PyDict::new(py);
            for (name, value) in kwargs.iter() {
                named.set_item(name, value_of(&value)?)?;
            }
            Some(named)
        }
        None => None,
    };
    Ok((PyTuple::new(py, values)?, named))
}

impl Passed {
    /// For a scout.
    pub fn of(ticket: Ticket) -> Passed {
        Passed {
            ticket,
            known: Mutex::new(None),
        }
    }

    /// What stands for the result of a call of `function` that was answered so.
    pub fn of_reply<'py>(
        py: Python<'py>,
        ticket: Ticket,
        function: Py<RemoteFunction>,
        reply: Outcome,
    ) -> PyResult<Bound<'py, Passed>> {
        let value = match reply {
            Outcome::Reply {
                kind: KIND_PASSED,
                payload,
                ..
            } => Some(payload),
            _ => None,
        };
        let is_away = value.is_none();
        let known = Mutex::new(Some(Known {
            function,
            value,
            own: None,
        }));
        let passed = Bound::new(py, Passed { ticket, known })?;
        if is_away {
            remember(&passed)?;
        }
        Ok(passed)
    }

    /// Fetches the value, still encoded.
    fn come(slf: &Bound<'_, Self>) -> PyResult<()> {
        let py = slf.py();
        let function = match &*slf.get().lock() {
            Some(known) if known.value.is_none() => known.function.clone_ref(py),
            _ => return Ok(()),
        };
        if let Some(fetched) = function.bind(py).get().fetch_encoded(slf)? {
            if let Some(known) = &mut *slf.get().lock() {
                known.value = Some(fetched);
            }
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Option<Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_own(&self) -> bool {
        self.lock()
            .as_ref()
            .is_some_and(|known| known.own.is_some())
    }

    /// A call that the program makes gets this object.
    fn keep_own(&self, value: &Bound<'_, PyAny>) {
        if let Some(known) = &mut *self.lock() {
            known.own = Some(value.clone().unbind());
            ANY_OWN.store(true, Ordering::Relaxed);
        }
    }

    /// The value itself, a fresh object unless the program has it already: it is fetched if need be.
    pub fn value<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let (function, value) = {
            let known = slf.get().lock();
            let Some(known) = &*known else {
                return Err(PyRuntimeError::new_err("a scout has no values"));
            };
            if let Some(own) = &known.own {
                return Ok(own.bind(py).clone());
            }
            let value = known.value.as_ref().map(keep);
            (known.function.clone_ref(py), value)
        };
        let function = function.bind(py).get();
        let Some(payload) = value else {
            return function.fetch(slf);
        };
        let reply = Outcome::Reply {
            kind: KIND_VALUE,
            payload,
            output: Vec::new(),
        };
        function.result(py, reply)
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Passed>()?;
    module.add_function(wrap_pyfunction!(fetch_passed, module)?)
}
