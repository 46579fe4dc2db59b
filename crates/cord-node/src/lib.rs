//! Other machines: what carries the frames of replicas that live on nodes.
//!
//! ```text
//!  program's machine                                   a node
//!  client <-- rings --> gateway <== one TCP link ==> agent <-- rings --> replicas
//! ```
//!
//! The *gateway* is a process beside the client, in the zygote's place: it is asked for replicas in the
//! same words, and holds the other ends of their links. The *agent* serves a node: it has a zygote of
//! its own. Between the two goes one [`wire::Wire`] for all replicas of the node: packets, secured by
//! TLS where it is a socket. Neither knows what calls are for: what comes over a link as a message
//! leaves over the wire as the bytes that a link without shared memory would carry, and the other way
//! round. So the client sees replicas of other machines as its own, and nothing of the network is in
//! the program's process.

mod agent;
#[cfg(test)]
mod agent_tests;
mod channel;
mod contents;
mod epoll;
mod exchange;
#[cfg(test)]
mod exchange_tests;
#[cfg(test)]
pub(crate) mod fuzzed;
mod gateway;
mod handed;
mod identity;
mod key;
mod meeting;
mod notices;
#[cfg(test)]
mod notices_tests;
mod packet;
mod placing;
mod processes;
#[cfg(test)]
mod random_bytes;
mod routes;
mod tunnel;
mod wire;
#[cfg(test)]
mod wire_tests;

pub use agent::{Agent, Ended, Serving};
pub use gateway::{Gateway, Settings};
pub use key::Key;

/// A connection may take so long to be made, and to be answered.
const TRY: std::time::Duration = std::time::Duration::from_secs(2);
/// Where nobody has listened for so long, whoever did has ended.
const DESERTED: std::time::Duration = std::time::Duration::from_secs(1);
