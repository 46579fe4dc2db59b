//! What the program's own things are, told without running its code.

pub mod dispatched;
pub mod modules;
pub mod plain;
