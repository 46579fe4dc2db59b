//! What an engine supplies: how replicas come to be and end ([`Launcher`]), and how frames travel to
//! them and back ([`Link`]). The reactor and the dispatcher know no more of where replicas live.
//!
//! - `local/`: processes of this machine, which a zygote forks; links are rings of shared memory, or
//!   sockets.
//! - `fake.rs`: replicas in memory, with a clock that tests move, for tests.

#[cfg(test)]
pub mod fake;
pub mod local;

use std::fmt::Debug;
use std::io;

use cord_dispatch::dispatcher::{Death, Nanos, ReplicaId};
use cord_os::descriptor::Descriptor;
use cord_wire::inbox::Filled;
use cord_wire::loss::Fallen;
use cord_wire::message::Message;
use cord_wire::outbox::{Flushed, Outbox};
use cord_wire::transport::Transport;
use cord_wire::wire::Malformed;

/// A replica that is wanted.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    /// Index of its module.
    pub module: u32,
    /// Its number.
    pub replica: ReplicaId,
    /// Its place in the module.
    pub slot: u32,
    /// What carries its frames.
    pub transport: Transport,
}

/// What has become of replicas that were wanted.
#[derive(Debug, PartialEq, Eq)]
pub enum Report {
    /// It has died.
    Died(ReplicaId, Death),
    /// It could not be started: what the system said.
    Failed(ReplicaId, i32),
    /// It is on this node: its number and its name.
    Placed(ReplicaId, u32, String),
    /// Nothing is heard of its node for now; or it is again.
    Away(ReplicaId, bool),
    /// There are so many cores for them now.
    Grown(u32),
    /// No more can be started.
    Gone,
}

/// How replicas come to be and end.
///
/// It never blocks. What is wanted is on its way once [`Launcher::flush`] has said that nothing is left
/// to send; each replica that was wanted is reported as died or failed some time, unless the launcher is
/// gone itself. A replica whose link is closed ends by itself, and so do all when the launcher does.
pub trait Launcher: Debug + Send {
    /// What leads to its replicas.
    type Link: Link;

    /// Nanoseconds since it began.
    fn now(&self) -> Nanos;

    /// Whether replicas are only to be told of one another, for whoever stands between links them.
    fn introduces(&self) -> bool {
        false
    }

    /// Asks for a replica.
    ///
    /// # Errors
    /// When there is no room for its link here.
    fn launch(&mut self, wanted: Wanted) -> io::Result<Self::Link>;

    /// Sends what can be sent; true if something is left.
    fn flush(&mut self) -> bool;

    /// The next report, if there is one.
    fn report(&mut self) -> Option<Report>;

    /// A call is lost as no more replicas can be started: who ends them all at the end loses none.
    fn miss(&mut self) {}

    /// What can be read when there are reports; none if they are looked for now and then.
    fn source(&self) -> Option<&Descriptor>;

    /// Nothing has happened for a moment.
    fn look(&mut self) {}

    /// A replica says which process it is.
    fn note(&mut self, replica: ReplicaId, pid: u32);

    /// Ends a replica, if it lives.
    fn end(&mut self, replica: ReplicaId);

    /// A replica comes to its end by itself, and nobody will ask how.
    fn retire(&mut self, replica: ReplicaId);

    /// What is known of a replica's process.
    fn fallen(&self, replica: ReplicaId) -> Fallen;

    /// Ends all replicas.
    fn shut_down(&mut self);
}

/// Frames to one replica and back, in order, none twice. It never blocks.
///
/// Whatever fails, [`Link::fill`] says in the end that the other side is gone; what had come before is
/// read first.
pub trait Link: Debug + Send {
    /// Frames to be written.
    fn outbox(&mut self) -> &mut Outbox;

    /// Writes what can be written.
    fn flush(&mut self) -> Flushed;

    /// Reads once.
    ///
    /// # Errors
    /// When what comes is no frame; the link is of no use then.
    fn fill(&mut self) -> Result<Filled, Malformed>;

    /// The next message that is whole, if there is one.
    ///
    /// # Errors
    /// As [`Link::fill`].
    fn next(&mut self) -> Result<Option<Message>, Malformed>;

    /// What can be read when something has come, or rings then; none if it is looked at now and then.
    fn source(&self) -> Option<&Descriptor>;

    /// To be called when the source can be read.
    ///
    /// # Errors
    /// As [`Link::fill`].
    fn hear(&mut self) -> Result<(), Malformed>;

    /// Whether something can be seen to have come without asking the system.
    fn can_be_watched(&self) -> bool;

    /// Whether something is there to be read, as far as that can be seen so.
    fn has_some(&self) -> bool;

    /// This side is about to wait for the source; false if there is something to be read already.
    fn sleeps(&self) -> bool;

    /// This side looks by itself whether something has come.
    fn is_awake(&self);

    /// How much has been written; none if that is not known.
    fn written(&self) -> Option<u64>;

    /// Whether the other side is known to have read nothing of what was written from there on.
    fn is_unread_from(&self, position: u64) -> bool;

    /// Nothing is to go over it any more, in either direction.
    fn shut_down(&self);
}
