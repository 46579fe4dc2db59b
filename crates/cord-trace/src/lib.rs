//! What a run was like: its calls, takes and replicas, put together from what was written down of it
//! ([`cord_core::trace`]), with all times by the client's clock.

mod clock;
pub mod facts;
pub mod perfetto;
pub mod predict;
mod run;
#[cfg(test)]
mod tests;

pub use run::{Call, Copied, Outcome, Replica, Run, Scout, Take};
