//! What the program's own things are, told without running its code.

pub mod attributes;
pub mod dispatched;
pub mod identity;
pub mod instances;
pub mod kinds;
pub mod lookup;
pub mod parts;
pub mod plain;
