//! Exits that depend on results, as scouts' generators ask for them.

use std::sync::Arc;

use cord_scout::Exit;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::scouts::run::Run;
use crate::scouts::scout_end::unwound;
use crate::scouts::scouting::{Left, Scouts};

/// The history of one loop of the program.
#[pyclass(module = "cord._core", frozen)]
#[derive(Default)]
pub struct History(cord_scout::History);

#[pymethods]
impl History {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// The loop begins, or goes on where the program is (`resumed`).
    fn begin(&self, run: &Bound<'_, Run>, resumed: bool) -> PyResult<Exits> {
        cord_scout::Exits::begin(&self.0, &run.get().strands, resumed).map(Exits)
    }

    /// `break`, with the variables that are read behind the loop.
    fn breaks(&self, value: Py<PyAny>) -> Left {
        Left {
            breaks: true,
            value,
        }
    }

    /// `return`, with what is returned.
    fn returns(&self, value: Py<PyAny>) -> Left {
        Left {
            breaks: false,
            value,
        }
    }
}

/// The conditions of one run of a loop, in the program's order.
#[pyclass(module = "cord._core", frozen)]
pub struct Exits(Arc<cord_scout::Exits<Scouts>>);

#[pymethods]
impl Exits {
    /// Starts a strand that may leave the loop; as `Run.defer`. It does not leave it by an exception
    /// that is `caught` inside the loop; `usual`: else it leaves.
    #[pyo3(signature = (run, caught, usual, count, function, *args))]
    fn defer<'py>(
        &self,
        run: &Bound<'py, Run>,
        caught: bool,
        usual: bool,
        count: usize,
        function: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut begun = Run::group(run, function, args)?;
        begun.exit = Some(self.0.open(&begun.calls, caught, usual));
        run.get().start(run.py(), begun, Some(count))
    }

    /// Whether the scout's own line waits here for conditions that are open.
    fn holds(&self, run: &Bound<'_, Run>) -> PyResult<bool> {
        self.0.holds(&run.get().strands)
    }

    /// Whether the strand must wait until all conditions are decided; it is woken then.
    fn waits(&self, run: &Bound<'_, Run>) -> PyResult<bool> {
        self.0.waits(&run.get().strands)
    }

    /// The exit by which the loop is left, if one is known to be taken.
    ///
    /// # Errors
    /// Ends the strand where the program raises an exception.
    fn left<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let left = self.0.left(|exit| match exit {
            Exit::Left { value, .. } => Ok(value.bind(py).clone()),
            Exit::Raised => Err(unwound()),
        });
        left.transpose()
    }

    /// The scout's own line has left the loop. Tells whether it is not yet known how the program
    /// does, or whether that returns.
    fn close(&self) -> bool {
        self.0.close()
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<History>()?;
    module.add_class::<Exits>()?;
    module.add_class::<Left>()
}
