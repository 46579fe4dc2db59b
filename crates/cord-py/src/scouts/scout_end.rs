//! How a scout ends before its region does: an exception that no program sees; and what is told of why,
//! if somebody has asked for that beforehand.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use cord_scout::{At, Cause, Refusal, Told, Why};
use pyo3::exceptions::{PyBaseException, PyException, PyNameError};
use pyo3::intern;
use pyo3::prelude::*;

use crate::guards::heap::view;
use crate::python;
use crate::scouts::future::Future;

/// What is told by the end of a scout.
const RAISE: &str = "raise";
const RAISED: &str = "raised";

pyo3::create_exception!(
    _core,
    ScoutEnd,
    PyBaseException,
    "Ends a scout; never seen by a program."
);

/// Whether reasons are told. Nothing is found out for them, nor any word made, where they are not.
static TELLING: AtomicBool = AtomicBool::new(false);

/// From now on sites count why calls were made in place, and how far scouts were ahead.
#[pyfunction]
pub fn tell_reasons() {
    TELLING.store(true, Ordering::Relaxed);
}

/// Whether somebody wants to know.
pub fn is_telling() -> bool {
    TELLING.load(Ordering::Relaxed)
}

/// What a scout's end carries where that is told.
#[pyclass(module = "cord._core", frozen)]
struct Said(Arc<Refusal>);

/// Ends a scout for this. No Python runs, so locks may be held.
pub fn stop(why: Why) -> PyErr {
    stop_for(is_telling().then(|| Arc::new(Refusal::plain(why))))
}

/// The same; the reason is about a value.
pub fn stop_at(why: Why, about: &Bound<'_, PyAny>) -> PyErr {
    match is_telling() {
        false => ScoutEnd::new_err(()),
        true => stop_for(lacking(about).or_else(|| tell(about.py(), why, Some(about), None))),
    }
}

/// The same; the reason is about a part of a value, or what is done with it.
pub fn stop_in(why: Why, about: &Bound<'_, PyAny>, part: &Bound<'_, PyAny>) -> PyErr {
    match is_telling() {
        false => ScoutEnd::new_err(()),
        true => stop_for(
            lacking(about)
                .or_else(|| lacking(part))
                .or_else(|| tell(about.py(), why, Some(about), Some(part))),
        ),
    }
}

/// Why there is no value, if this stands for one that there will never be.
fn lacking(value: &Bound<'_, PyAny>) -> Told {
    let value = view(value);
    let future = value.cast_exact::<Future>().ok();
    future.and_then(|future| future.get().why_failed())
}

/// Gives what ended a scout this reason, about a value, if it has none of its own.
pub fn stop_over(end: PyErr, why: Why, about: &Bound<'_, PyAny>) -> PyErr {
    let py = about.py();
    let is_bare = || end.value(py).getattr(intern!(py, "args"))?.len();
    if !is_telling() || cause(py, &end) != Cause::Refusal || is_bare().unwrap_or(1) > 0 {
        return end;
    }
    stop_at(why, about)
}

/// Ends a scout for what an exception says.
pub fn stop_with(py: Python<'_>, error: &PyErr) -> PyErr {
    stop_for(why(py, error))
}

/// Ends a scout for what something else has ended for.
pub fn stop_for(why: Told) -> PyErr {
    match why {
        Some(why) => ScoutEnd::new_err((Said(why),)),
        None => ScoutEnd::new_err(()),
    }
}

/// The program raises an exception here.
pub fn unwound() -> PyErr {
    ScoutEnd::new_err((RAISE,))
}

/// The program asks for a call here that raised an exception.
pub fn raised() -> PyErr {
    ScoutEnd::new_err((RAISED,))
}

/// Whether a scout ended where the program raises an exception.
pub fn is_unwinding(py: Python<'_>, end: &PyErr) -> bool {
    ends_with(py, end, RAISE)
}

/// Whether a scout ended where a remote call has raised an exception.
pub fn has_raised(py: Python<'_>, end: &PyErr) -> bool {
    ends_with(py, end, RAISED)
}

fn ends_with(py: Python<'_>, end: &PyErr, word: &str) -> bool {
    let args = end.value(py).getattr(intern!(py, "args"));
    let is = args.and_then(|args| args.eq((word,))).unwrap_or(false);
    is && end.is_instance_of::<ScoutEnd>(py)
}

/// Why something ended a scout, where that is told.
pub fn why(py: Python<'_>, end: &PyErr) -> Told {
    let cause = match is_telling() {
        true => cause(py, end),
        false => return None,
    };
    let traceback = end.traceback(py);
    let here = |why: Why| {
        let traceback = traceback.as_ref().map(|traceback| traceback.as_any());
        tell(py, why, Some(end.value(py).as_any()), traceback)
    };
    if let Some(said) = said(py, end) {
        if said.at.is_some() {
            return Some(said);
        }
        let at = here(said.why).and_then(|here| here.at.clone());
        return Some(Arc::new(Refusal {
            at,
            ..(*said).clone()
        }));
    }
    here(match cause {
        Cause::Refusal => Why::Missing,
        Cause::CallRaised => Why::CallRaised,
        Cause::Unwinding => Why::Unwinding,
        Cause::Exception if end.is_instance_of::<PyNameError>(py) => Why::Missing,
        Cause::Exception | Cause::Interrupt => Why::Raised,
    })
}

/// What a scout's end carries.
fn said(py: Python<'_>, end: &PyErr) -> Told {
    let args = end.value(py).getattr(intern!(py, "args")).ok()?;
    let said = args.get_item(0).ok()?;
    let said = said.cast_exact::<Said>().ok()?;
    Some(Arc::clone(&said.get().0))
}

/// Why a strand ended before its end.
pub fn cause(py: Python<'_>, error: &PyErr) -> Cause {
    if is_unwinding(py, error) {
        Cause::Unwinding
    } else if has_raised(py, error) {
        Cause::CallRaised
    } else if error.is_instance_of::<ScoutEnd>(py) {
        Cause::Refusal
    } else if error.is_instance_of::<PyException>(py) {
        Cause::Exception
    } else {
        Cause::Interrupt
    }
}

/// File, first and last line, first and last column.
type Place = (String, u32, u32, u32, u32);

/// Puts a reason into words, and notes where the scout stands. Nothing is told if that fails.
fn tell(
    py: Python<'_>,
    why: Why,
    about: Option<&Bound<'_, PyAny>>,
    part: Option<&Bound<'_, PyAny>>,
) -> Told {
    let told = python::TOLD.call(py, (format!("{why:?}"), about, part));
    let told = told.and_then(|told| told.extract::<(String, String, Option<Place>)>());
    let (of, example, place) = told.ok()?;
    let at = place.map(|(file, line, end, from, to)| At {
        file,
        lines: (line, end),
        columns: (from, to),
    });
    Some(Arc::new(Refusal {
        why,
        of,
        example,
        at,
    }))
}
