//! Who gets which call, and when: a state machine that does no I/O.

pub mod audit;
pub mod disowned;
pub mod dispatcher;
pub mod life;
pub mod manner;
pub mod migration;
pub mod module_spec;
