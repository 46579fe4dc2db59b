//! How long a program would take with other replicas, or another plan: the dispatcher, the windows and
//! the budgets that steer a run, in simulated time, with the calls of one that was written down.

mod cores;
mod costs;
mod machines;
mod measured;
#[cfg(test)]
mod measured_tests;
mod program;
mod replica;
#[cfg(test)]
mod tests;
mod workload;
mod world;

pub use measured::{measured, Unfit};
pub use workload::{
    Call, Child, Costs, Index, Issue, Latency, Order, Service, Setup, Start, Step, Workload,
};
pub use world::{At, Prediction, Stuck};

/// Runs a workload in simulated time.
///
/// # Errors
/// Where it does not come to its end.
pub fn simulate(load: &Workload, setup: &Setup) -> Result<Prediction, Stuck> {
    world::World::new(load, setup).run()
}
