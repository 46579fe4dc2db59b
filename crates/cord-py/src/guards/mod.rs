//! Guards: what scouts may do, and what they have written.

pub mod enter;
pub mod guard;
pub mod heap;
pub mod methods;
pub mod operations;
pub mod passes;
