//! Functions of the program that a scout enters within one operation: methods and properties. At a call
//! site that is done in a strand of its own. Elsewhere their scouts run to their end at once, so they
//! may neither call ahead nor wait.

use cord_scout::Why;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::guards::heap;
use crate::scouts::run::{doubt, Run};
use crate::scouts::scout_end::{stop, stop_over};
use crate::scouts::scouting::{advance, Sent};
use crate::takes::site::Site;

/// How the functions are entered that an operation calls.
pub enum Way {
    /// At once. Python: makes the scout of one that makes no remote calls.
    Within(Py<PyAny>),
    /// The operation is a call site: in a strand of this run.
    Site(Py<Site>, Py<Run>),
}

impl Way {
    pub fn at(site: &Bound<'_, Site>, run: &Bound<'_, Run>) -> Self {
        Self::Site(site.clone().unbind(), run.clone().unbind())
    }

    /// Shows the collector of garbage what it holds.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self {
            Self::Within(go) => visit.call(go),
            Self::Site(site, run) => {
                visit.call(site)?;
                visit.call(run)
            }
        }
    }

    pub fn clone_ref(&self, py: Python<'_>) -> Self {
        match self {
            Self::Within(within) => Self::Within(within.clone_ref(py)),
            Self::Site(site, run) => Self::Site(site.clone_ref(py), run.clone_ref(py)),
        }
    }
}

/// How often such a scout may ask to pause.
const MOST_PAUSES: usize = 10_000;

/// What a function of the program returns, as its scout finds it.
///
/// # Errors
/// Ends the scout where that cannot be found out at once.
pub fn enter<'py>(
    way: &Way,
    function: &Bound<'py, PyAny>,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<(Bound<'py, PyAny>, bool)> {
    let py = function.py();
    doubt(py); // its scout leaves out what has effects
    let within = match way {
        Way::Within(within) => within.bind(py),
        Way::Site(site, run) => {
            let result = site.get().go_into(run.bind(py), function, args, kwargs)?;
            return Ok((result, true));
        }
    };
    let run = heap::running(py)?;
    let (generator, returns): (Py<PyAny>, bool) = within
        .call1((&run, function, args, kwargs))
        .map_err(|error| stop_over(error, Why::Source, function))?
        .extract()?;
    let Ok(run) = run.cast_exact::<Run>() else {
        return Ok((to_its_end(py, &generator, || false)?, returns));
    };
    run.get().strands.descend()?;
    let result = to_its_end(py, &generator, || run.get().strands.waits_now());
    run.get().strands.ascend();
    Ok((result?, returns))
}

fn to_its_end<'py>(
    py: Python<'py>,
    generator: &Py<PyAny>,
    waits: impl Fn() -> bool,
) -> PyResult<Bound<'py, PyAny>> {
    for _ in 0..MOST_PAUSES {
        match advance(py, generator) {
            Sent::Returned(value) => return Ok(value.into_bound(py)),
            Sent::Raised(error) => return Err(error),
            Sent::Yielded if waits() => break,
            Sent::Yielded => {}
        }
    }
    Err(stop(Why::Missing))
}
