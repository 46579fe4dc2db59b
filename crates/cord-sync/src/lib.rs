//! What threads meet by, in every order that `make raced` tries.

pub mod bell;
pub mod budget;
pub mod leader;
pub mod sync;
pub mod wake;
