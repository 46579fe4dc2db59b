//! Sessions, tickets, the dispatcher's thread and the replica's end of links.

pub mod account;
pub mod call;
pub mod endpoint;
pub mod engine;
pub mod far;
pub mod kept;
pub mod live;
pub mod mailbox;
pub mod reactor;
pub mod scratch;
pub mod session;
pub mod ticket;
pub mod trace;
pub mod traffic;
