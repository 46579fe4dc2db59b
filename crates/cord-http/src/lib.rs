//! HTTP in front of remote functions: connections, limits, queues, problem details. It knows no Python:
//! a request becomes one call, whose payload replicas read and whose reply is a response.
//!
//! [`Front`] is all of it; [`Site`] what it serves at a time.

mod access;
mod answer;
mod calling;
mod connection;
mod ending;
mod events;
pub mod frame;
mod front;
mod guard;
mod handle;
mod held;
pub mod kept;
mod meter;
mod own;
mod patient;
mod place;
mod problem;
pub mod route;
mod shared;
mod sign;
mod site;
pub mod stream;
mod tls;

pub use events::Event;
pub use front::Front;
pub use site::{Pages, Plan, Site};
