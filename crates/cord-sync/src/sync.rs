//! What threads meet by, where `make raced` goes through the orders in which they may.

#[cfg(loom)]
pub use loom::sync::{atomic, Mutex, MutexGuard};
#[cfg(not(loom))]
pub use std::sync::{atomic, Mutex, MutexGuard};
