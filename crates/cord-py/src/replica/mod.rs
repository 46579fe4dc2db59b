//! The replica's end: calls are served, and what they write is looked at.

pub mod driven;
pub mod endpoint;
pub mod leftovers;
pub mod moved;
pub mod named;
pub mod output;
pub mod outside;
pub mod serve;
pub mod shared;
