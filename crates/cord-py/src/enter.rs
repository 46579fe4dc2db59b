//! Functions of the program that a scout enters within one operation: operators, properties,
//! `__init__`. Their scouts run to their end at once, so they may neither call ahead nor wait.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::calls::SharedCalls;
use crate::heap;
use crate::plain::{is_instance, knowledge};
use crate::run::{doubt, Run};
use crate::scout_end::stop;
use crate::strand::{advance, Ended};
use crate::stream::Stream;

/// How often such a scout may ask to pause.
const MOST_PAUSES: usize = 10_000;

/// What a function of the program returns, as its scout finds it.
///
/// # Errors
/// Ends the scout where that cannot be found out at once.
pub fn enter<'py>(
    within: &Py<PyAny>,
    function: &Bound<'py, PyAny>,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<(Bound<'py, PyAny>, bool)> {
    let py = function.py();
    doubt(py); // its scout leaves out what has effects
    let run = heap::running(py)?;
    let (generator, returns): (Py<PyAny>, Option<bool>) = within
        .bind(py)
        .call1((&run, function, args, kwargs))?
        .extract()?;
    let Some(returns) = returns else {
        let stream = Stream::new(generator, SharedCalls::default());
        return Ok((Bound::new(py, stream)?.into_any(), true));
    };
    let Ok(run) = run.cast_exact::<Run>() else {
        return Ok((to_its_end(py, &generator, || false)?, returns));
    };
    run.get().descend()?;
    let result = to_its_end(py, &generator, || run.get().waits_now());
    run.get().ascend();
    Ok((result?, returns))
}

fn to_its_end<'py>(
    py: Python<'py>,
    generator: &Py<PyAny>,
    waits: impl Fn() -> bool,
) -> PyResult<Bound<'py, PyAny>> {
    for _ in 0..MOST_PAUSES {
        match advance(py, generator) {
            Ended::Returned(value) => return Ok(value.into_bound(py)),
            Ended::Raised(error) => return Err(error),
            Ended::Yielded if waits() => break,
            Ended::Yielded => {}
        }
    }
    Err(stop())
}

/// The result of an operator that a class of the program defines, None where it does not.
pub fn operator<'py>(
    within: &Py<PyAny>,
    value: &Bound<'py, PyAny>,
    name: &str,
    others: &[&Bound<'py, PyAny>],
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = value.py();
    if !is_instance(value)? {
        return Ok(None);
    }
    let function = knowledge(py)?.special.bind(py).call1((value, name))?;
    if function.is_none() {
        return Ok(None);
    }
    let mut all = vec![value];
    all.extend(others);
    let (result, returns) = enter(within, &function, &PyTuple::new(py, all)?, None)?;
    if !returns {
        return Err(stop());
    }
    Ok((!result.is(py.NotImplemented())).then_some(result))
}

/// The instance that a call of a class of the program makes, None where that cannot be told.
pub fn instance<'py>(
    within: &Py<PyAny>,
    class: &Bound<'py, PyAny>,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = class.py();
    let made = knowledge(py)?.make.bind(py).call1((class, args, kwargs))?;
    if made.is_none() {
        return Ok(None);
    }
    let (instance, function, given, named): (
        Bound<'py, PyAny>,
        Bound<'py, PyAny>,
        Bound<'py, PyTuple>,
        Bound<'py, PyDict>,
    ) = made.extract()?;
    heap::own(&instance)?;
    if !function.is_none() {
        enter(within, &function, &given, Some(&named))?;
    }
    Ok(Some(instance))
}
