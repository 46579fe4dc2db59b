//! Frames, links, tickets and the dispatcher of Cord. Payloads are opaque bytes here: this crate
//! knows no Python.
//!
//! A call travels so: [`Session::issue`] puts it into the mailbox of the dispatcher's thread
//! (`engine`), which asks the [`dispatcher`] (a pure state machine) who gets it, and writes a
//! frame to that replica's link. In the replica, [`Endpoint::next`] hands it to the thread that
//! calls Python; the reply comes back the same way and settles the [`Ticket`].

mod budget;
mod control;
pub mod copies;
pub mod dispatcher;
mod endpoint;
mod engine;
mod fds;
mod inbox;
mod life;
mod link;
mod mailbox;
mod manner;
mod migration;
mod outbox;
mod payload;
mod relay;
mod resident;
mod ring;
mod segment;
mod session;
mod spin;
mod threads;
mod ticket;
mod traffic;
mod transport;
mod wire;
mod written;

pub use budget::{Budget, Spent};
pub use endpoint::{Endpoint, Incoming, Value, Waited};
pub use manner::{Batch, Manner, Priority};
pub use migration::{Load, Migration, Rule, Share, Trigger};
pub use payload::{
    Buffer, Call, Lent, ModuleSpec, Outcome, Payload, World, KEPT_FROM, KIND_ERROR, KIND_KEPT,
    KIND_PASSED, KIND_UNENCODABLE, KIND_VALUE,
};
pub use resident::{Content, Key, Most, Resident, Store};
pub use segment::{Segment, WeakSegment, SHARED_FROM};
pub use session::Session;
pub use threads::thread_time;
pub use ticket::slot::Wake;
pub use ticket::{Ticket, Watch};
pub use traffic::Traffic;
pub use transport::Transport;
pub use written::{writes_are_told, Tracked, Written};
