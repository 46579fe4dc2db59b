//! Links between replicas, as the agent makes them.
//!
//! Two replicas of one node get the ends of a pair of sockets, as on the program's machine. For one
//! whose peer is on another node the agent keeps the other end: it is a channel like those of
//! replicas, and what comes over it goes by the wire to where the peer is.

use std::collections::BTreeMap;
use std::io;
use std::os::fd::OwnedFd;

use cord_dispatch::dispatcher::ReplicaId;
use cord_wire::transport::Transport;
use cord_wire::wire::Malformed;

/// The channel of a link to another node, whose end here has just been made.
#[derive(Debug)]
pub(super) struct Begun {
    /// Whose peer is there.
    pub(super) replica: ReplicaId,
    /// The number of the channel, at both nodes.
    pub(super) number: ReplicaId,
    /// What comes from the replica, and goes to it.
    pub(super) socket: OwnedFd,
}

/// What is on its way.
#[derive(Debug, Default)]
pub(super) struct Meetings {
    /// Ends for replicas of this node that have not been told yet: who, and of whom.
    halves: BTreeMap<(u64, u64), OwnedFd>,
    begun: Vec<Begun>,
}

impl Meetings {
    /// A replica is to be given a link to another one; its end of it.
    ///
    /// # Errors
    /// When that is not what an order looks like, or there are no descriptors left.
    pub(super) fn meet(&mut self, replica: ReplicaId, order: &[u64]) -> io::Result<OwnedFd> {
        let [other, number] = *order else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        let own = u64::from(replica);
        if let Some(end) = self.halves.remove(&(own, other)) {
            return Ok(end);
        }
        let (ours, theirs) = Transport::Auto.pair()?;
        if number == 0 {
            self.halves.insert((other, own), ours);
        } else {
            let number = ReplicaId::try_from(number);
            self.begun.push(Begun {
                replica,
                number: number.map_err(io::Error::other)?,
                socket: ours,
            });
        }
        Ok(theirs)
    }

    /// What has begun since this was asked last.
    pub(super) fn begun(&mut self) -> Vec<Begun> {
        std::mem::take(&mut self.begun)
    }

    /// The replica is gone: who was to be linked to it sees the end of that link.
    pub(super) fn forget(&mut self, replica: ReplicaId) {
        let gone = u64::from(replica);
        self.halves.retain(|(own, _), _| *own != gone);
    }
}

/// What an order could not be followed for.
pub(super) fn unmet(error: &io::Error) -> Malformed {
    Malformed(format!("replicas cannot be linked: {error}"))
}
