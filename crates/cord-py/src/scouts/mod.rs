//! Scouts under way: what their generators ask for, what they issue, what they wait for.

pub mod calls;
pub mod exits;
pub mod future;
pub mod issue;
pub mod run;
pub mod scout_end;
pub mod scouting;
