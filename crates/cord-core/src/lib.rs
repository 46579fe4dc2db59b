//! Frames, links, tickets and the dispatcher of Cord. Payloads are opaque bytes here: this crate
//! knows no Python.
//!
//! A call travels so: [`Session::issue`] puts it into the mailbox of the dispatcher's thread
//! (`reactor`), which asks the [`dispatcher`] (a pure state machine) who gets it, and writes a
//! frame to that replica's link. In the replica, [`Endpoint::next`] hands it to the thread that
//! calls Python; the reply comes back the same way and settles the [`Ticket`].

mod account;
mod audit;
mod bell;
mod budget;
mod came;
mod complaint;
pub mod copies;
mod descriptor;
mod disowned;
pub mod dispatcher;
mod effects;
mod endpoint;
mod engine;
mod far;
mod fds;
#[cfg(test)]
mod fuzzed;
mod inbox;
mod inline;
pub mod kept;
mod leader;
mod life;
mod link;
pub mod live;
mod loss;
mod mailbox;
mod manner;
mod memory;
mod message;
mod migration;
pub mod node;
mod outbox;
mod parts;
mod payload;
mod reactor;
pub mod reads;
mod relay;
mod resident;
mod ring;
pub use far::{is_far, see_far};
pub mod scout;
pub mod scratch;
mod segment;
mod self_pipe;
mod session;
mod shortage;
pub mod spare;
mod spin;
mod sync;
mod threads;
mod ticket;
pub mod trace;
mod traffic;
mod transport;
mod wire;
mod written;

pub use account::{Account, Named, Sums};
pub use audit::{Auditor, Pair, Sampling};
pub use budget::{Budget, Spent, LOOKAHEAD};
pub use descriptor::Descriptor;
pub use disowned::{Disowned, Turn};
pub use effects::Effects;
pub use endpoint::{may_gather, Endpoint, Incoming, Value, Waited, LOAD};
pub use engine::local::control;
pub use inline::{Cost, Inline, Left, Place};
pub use loss::{Beyond, Cause, Fallen, Lost};
pub use manner::{Batch, Care, GateSpec, Hedge, Manner, Priority, Rate};
pub use memory::copy_of;
pub use migration::{Load, Migration, Rule, Share, Trigger};
pub use outbox::FRAME_BYTES;
pub use payload::{
    has_raised, is_same_world, Buffer, Call, Codec, Lent, ModuleSpec, Outcome, Payload, World,
    KEPT_FROM, KIND_DISOWNED, KIND_DISOWNED_LAST, KIND_ERROR, KIND_KEPT, KIND_NO_ROOM, KIND_PASSED,
    KIND_UNENCODABLE, KIND_VALUE,
};
pub use resident::{Content, Key, Most, Resident, Store, RESIDENT_BYTES};
pub use segment::{Segment, WeakSegment, SHARED_FROM};
pub use self_pipe::SelfPipe;
pub use session::Session;
pub use shortage::{Of, Shortage};
pub use threads::{is_main_thread, spawn_quiet, thread_time, threads_beside};
pub use ticket::slot::Wake;
pub use ticket::{Ticket, Watch};
pub use traffic::{AtEnd, Traffic};
pub use transport::Transport;
pub use written::{writes_are_told, Tracked, Written};
