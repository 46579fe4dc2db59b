//! Calls in a copy: they are issued, and something stands for their values.

use cord_core::copies::{end, why, Ahead};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};

use super::{may_issue, AHEAD};
use crate::encode::Encoded;
use crate::inlining::Inlining;
use crate::outcome::decode_value;
use crate::remote::RemoteFunction;
use crate::service::Use;

/// A call that this process, a copy, comes to.
pub fn call<'py>(
    function: &Bound<'py, RemoteFunction>,
    how: &Use,
    inlining: &Inlining,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, remote) = (function.py(), function.get());
    if how.inline && inlining.is_local() {
        return remote.call_here(py, args, kwargs); // as the program will
    }
    if !may_issue(remote, how) {
        end(why::IMPURE);
    }
    let (args, kwargs) = known(args, kwargs)?;
    let kwargs = kwargs.as_ref();
    let Ok(encoded) = encode(remote, &args, kwargs) else {
        end(why::ARGUMENTS);
    };
    if !encoded.needs.is_empty() {
        end(why::VALUE);
    }
    let (Ok(priority), Ok(world)) = (
        how.priority(py, &args, kwargs),
        remote.session().world_now(py),
    ) else {
        end(why::ARGUMENTS);
    };
    let number = py.detach(|| {
        with_ahead(|ahead| {
            ahead.issue(
                remote.module,
                how.manner,
                priority,
                &encoded.payload,
                &world,
            )
        })
    });
    value_of(function, number)
}

fn with_ahead<T>(f: impl FnOnce(&mut Ahead) -> T) -> T {
    AHEAD.with_borrow_mut(|ahead| match ahead {
        Some(ahead) => f(ahead),
        None => end(why::SESSION), // another thread than the program's first
    })
}

/// What stands for the value of a call, or the value itself where nothing can stand for it.
pub fn value_of<'py>(
    function: &Bound<'py, RemoteFunction>,
    number: u32,
) -> PyResult<Bound<'py, PyAny>> {
    let py = function.py();
    if function.get().learnt.can_be_stood_for() {
        return placeholders(py)?.getattr("Placeholder")?.call1((number,));
    }
    wait_for(py, number)
}

/// The value of a call, once it is there.
pub fn wait_for(py: Python<'_>, number: u32) -> PyResult<Bound<'_, PyAny>> {
    let payload = py.detach(|| with_ahead(|ahead| ahead.reply(number)));
    match decode_value(py, payload) {
        Ok(value) => Ok(value),
        Err(_) => end(why::VALUE),
    }
}

fn placeholders(py: Python<'_>) -> PyResult<&Bound<'_, PyModule>> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    MODULE
        .get_or_try_init(py, || {
            py.import("cord.runtime.placeholders").map(Bound::unbind)
        })
        .map(|module| module.bind(py))
}

/// The arguments with values in place of what stands for them; the copy waits for these.
fn known<'py>(
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<(Bound<'py, PyTuple>, Option<Bound<'py, PyDict>>)> {
    let known = placeholders(args.py())?.getattr("known")?;
    known.call1((args, kwargs))?.extract()
}

/// As the program will encode it.
fn encode(
    remote: &RemoteFunction,
    args: &Bound<'_, PyTuple>,
    kwargs: Option<&Bound<'_, PyDict>>,
) -> PyResult<Encoded> {
    remote.encode(args.py(), args, kwargs, remote.are_stable(args, kwargs))
}
