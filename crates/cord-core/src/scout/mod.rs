//! What steers a scout: how far it may be ahead, what it expects, and when the next one is worth it.
//!
//! Nothing here knows what a call, a value or a generator is made of. Whoever binds this to a language
//! supplies them.

mod answers;
mod blind;
mod history;
mod pace;
mod patience;

pub use answers::{Answers, Tally};
pub use blind::Blind;
pub use history::History;
pub use pace::{Outstanding, Pace, Score, Turn};
pub use patience::{RegionPatience, SitePatience};
