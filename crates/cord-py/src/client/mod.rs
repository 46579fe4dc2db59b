//! The client: its session, its remote functions, its world, and what of it travels with calls.

pub mod code;
pub mod committed;
pub mod definitions;
pub mod ending;
pub mod facade;
pub mod forking;
pub mod front;
pub mod given;
pub mod inlining;
pub mod live;
pub mod module_state;
pub mod onlookers;
pub mod remote;
pub mod service;
pub mod session;
pub mod settings;
pub mod store;
pub mod team;
pub mod ticket;
pub mod versions;
pub mod world;
