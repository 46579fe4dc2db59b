//! Links between replicas, over which they pass calls to one another. They are made when they are
//! first needed.

use std::io;

use super::Reactor;
use crate::engine::{Launcher, Link};
use cord_dispatch::dispatcher::{CallId, Event, ReplicaId};
use cord_os::spare;
use cord_wire::transport::Transport;
use cord_wire::wire::Kind;

impl<L: Launcher> Reactor<L> {
    /// Lets a replica pass calls on to another one.
    pub(super) fn pass_on(&mut self, from: ReplicaId, to: ReplicaId, calls: &[CallId]) {
        if self.connect(from, to).is_err() {
            // They stay; it is tried again when the loads have changed.
            let calls = Vec::new();
            let stay = Event::Moved {
                replica: from,
                calls,
            };
            return self.tell(self.launcher.now(), stay);
        }
        if let Some(peer) = self.peers.get_mut(&from) {
            let mut order = Vec::with_capacity(1 + calls.len());
            order.push(u64::from(to));
            order.extend_from_slice(calls);
            peer.link.outbox().ids(Kind::Move, &order);
            self.soil(from);
        }
    }

    /// Gives two replicas the ends of a link, if they have none.
    pub(super) fn connect(&mut self, from: ReplicaId, to: ReplicaId) -> io::Result<()> {
        let linked = |id: ReplicaId, other| {
            let peer = self.peers.get(&id);
            peer.is_none_or(|peer| peer.linked.contains(&other))
        };
        if linked(from, to) || linked(to, from) {
            return Ok(());
        }
        let hands_over = |id: ReplicaId| {
            let peer = self.peers.get(&id);
            peer.is_none_or(|peer| self.modules[peer.module as usize].transport.hands_over())
        };
        if !hands_over(from) || !hands_over(to) {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let ends = match self.launcher.introduces() {
            true => [None, None],
            false => {
                let pair = || Transport::Auto.pair();
                let (ours, theirs) = pair().or_else(|_| spare::lend(pair))?;
                [Some(ours), Some(theirs)]
            }
        };
        for ((id, other), end) in [(from, to), (to, from)].into_iter().zip(ends) {
            if let Some(peer) = self.peers.get_mut(&id) {
                peer.linked.insert(other);
                let (outbox, other) = (peer.link.outbox(), u64::from(other));
                match end {
                    Some(end) => outbox.socket(other, end),
                    None => outbox.ids(Kind::Meet, &[other]),
                }
            }
            self.soil(id);
        }
        Ok(())
    }

    /// A replica is gone: nobody is linked to it any more.
    pub(super) fn disconnect(&mut self, gone: ReplicaId, linked: &[ReplicaId]) {
        for other in linked {
            if let Some(peer) = self.peers.get_mut(other) {
                peer.linked.remove(&gone);
            }
        }
    }
}
