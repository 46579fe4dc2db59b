//! What steers a scout: its strands, the order of their calls, how far it may be ahead, what it expects,
//! and when the next one is worth its birth.
//!
//! Nothing here knows what a call, a value or a generator is. Who binds scouts to a language says so
//! ([`Kind`]), and runs their code ([`Interpreter`]).

mod answers;
mod blind;
mod calls;
mod entering;
mod exits;
#[cfg(test)]
mod exits_tests;
#[cfg(test)]
mod fake;
mod guesses;
mod history;
pub mod inline;
mod interpreter;
mod pace;
mod patience;
mod refusal;
#[cfg(test)]
mod refusal_tests;
mod signal;
mod stepping;
mod strands;
#[cfg(test)]
mod strands_tests;
mod until;

pub use answers::{Answers, Tally};
pub use blind::Blind;
pub use calls::{Asks, Calls, Entry};
pub use entering::Entering;
pub use exits::{Deciding, Exits};
pub use guesses::Guesses;
pub use history::History;
pub use interpreter::{Cause, Ended, Exit, Interpreter, Kind};
pub use pace::{Counted, Outstanding, Pace, Score, Turn};
pub use patience::{RegionPatience, SitePatience};
pub use refusal::{At, Refusal, Told, Why};
pub use signal::Signal;
pub use strands::{Begun, Level, Strands};
pub use until::Until;
