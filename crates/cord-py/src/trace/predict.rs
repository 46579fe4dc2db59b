//! Runs that were written down, in simulated time ([`cord_trace::predict`]).

use cord_trace::predict::{measured, simulate, Order, Prediction, Setup, Workload};
use cord_wire::priority::Priority;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::client::service::Module;
use crate::trace::traced::Traced;

fn refused(why: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(why.to_string())
}

/// At one place: for how long the program waited, issued and took; calls that were ahead, and taken.
type AtPlace = (u64, u64, u64, u64);
/// Time, own work, time without a free core; by place; by module busy time and replicas; frames.
type Simulated = (u64, u64, u64, Vec<AtPlace>, Vec<u64>, Vec<u32>, u64);

/// A run, ready to be simulated. All times are nanoseconds.
#[pyclass(frozen, module = "cord._core")]
pub struct Simulation(Workload);

#[pymethods]
impl Simulation {
    #[new]
    fn new(py: Python<'_>, traced: &Traced, ended: u64, cores: u32) -> PyResult<Simulation> {
        py.detach(|| {
            let load = measured(traced.run(), ended, cores).map_err(refused)?;
            Ok(Simulation(load))
        })
    }

    /// What the program takes with all calls made one after the other, for nothing.
    #[getter]
    fn alone(&self) -> u64 {
        self.0.alone()
    }

    /// What part of the calls' time was waiting for a core.
    #[getter]
    fn held_up(&self) -> f64 {
        self.0.held_up
    }

    /// Whether any call has a priority.
    #[getter]
    fn has_priorities(&self) -> bool {
        let usual = Priority::default();
        self.0.calls.iter().any(|call| call.priority != usual)
    }

    /// By module: how many calls there were.
    #[getter]
    fn calls(&self) -> Vec<u64> {
        let most = self.0.calls.iter().map(|call| call.module as usize + 1);
        let mut calls = vec![0; most.max().unwrap_or(0)];
        for call in &self.0.calls {
            calls[call.module as usize] += 1;
        }
        calls
    }

    /// How long it takes with these modules.
    #[pyo3(signature = (modules, ahead, cores, *, shared, halved=None, order="priority"))]
    #[expect(clippy::too_many_arguments, reason = "what is simulated, all of it")]
    fn run(
        &self,
        py: Python<'_>,
        modules: Vec<PyRef<'_, Module>>,
        ahead: Vec<bool>,
        cores: u32,
        shared: bool,
        halved: Option<u32>,
        order: &str,
    ) -> PyResult<Simulated> {
        let order = match order {
            "priority" => Order::Priority,
            "oldest" => Order::Oldest,
            "longest" => Order::Longest,
            _ => return Err(refused(format!("no order is called {order}"))),
        };
        let setup = Setup {
            modules: modules.iter().map(|module| module.0.clone()).collect(),
            ahead,
            cores,
            shared,
            halved,
            order,
        };
        let found = py.detach(|| simulate(&self.0, &setup)).map_err(refused)?;
        let Prediction {
            time,
            own,
            crowded,
            places,
            busy,
            replicas,
            frames,
        } = found;
        let places = places.iter();
        let places = places
            .map(|at| (at.waited, at.spent, at.ahead, at.taken))
            .collect();
        Ok((time, own, crowded, places, busy, replicas, frames))
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Simulation>()
}
