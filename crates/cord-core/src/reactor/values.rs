//! Values that are kept for other calls: where they are, and who is told.

use std::io;

use super::kept::Kept;
use super::Reactor;
use crate::engine::{Launcher, Link};
use cord_dispatch::dispatcher::{CallId, Event, Nanos, ReplicaId};
use cord_dispatch::life::Delivery;
use cord_wire::message::Item;
use cord_wire::outbox::ItemHead;
use cord_wire::outcome::{kept_bytes, KIND_KEPT, KIND_PASSED};
use cord_wire::relay;
use cord_wire::wire::{Kind, Malformed};

impl<L: Launcher> Reactor<L> {
    /// Whether a reply is that of a call whose value is kept.
    pub(super) fn is_kept(&self, item: &Item) -> bool {
        let is_passed = [KIND_KEPT, KIND_PASSED].map(u32::from).contains(&item.tag);
        is_passed && self.kept.get(&item.call).is_some_and(Kept::keeps)
    }

    /// Tells the program that the value is there, and keeps the call until nobody needs it.
    pub(super) fn deliver_kept(
        &mut self,
        now: Nanos,
        replica: ReplicaId,
        mut item: Item,
    ) -> Result<(), Malformed> {
        let at_home = item.tag == u32::from(KIND_KEPT);
        let value = match at_home {
            true => None,
            false => match item.payload.copy() {
                Ok(value) => Some(value.into()),
                Err(error) => {
                    item.lack(&error);
                    return self.deliver(now, replica, item);
                }
            },
        };
        let bytes = if at_home {
            kept_bytes(&item.payload.head)
        } else {
            item.bytes()
        };
        if at_home {
            self.traffic.count_stayed(bytes);
        } else {
            self.traffic.count_came(bytes);
        }
        let event = Event::Kept {
            replica,
            call: item.call,
            service: item.link,
            bytes,
            at_home,
        };
        let delivery = self.hear_of(now, event)?;
        if delivery == Delivery::Discard {
            self.kept.remove(&item.call);
            return Ok(());
        }
        item.open();
        if let Some(value) = value {
            self.values.insert(item.call, value);
        }
        if let Some(Kept::Held(held)) = self.kept.get_mut(&item.call) {
            held.took(item.link);
            held.tell(relay::outcome(item));
        }
        Ok(())
    }

    /// Before a call: tells the replica where the values are that it needs, and sends those that the
    /// client has.
    ///
    /// # Errors
    /// When there is no room for that.
    pub(super) fn provide(&mut self, replica: ReplicaId, call: CallId) -> io::Result<()> {
        let needs = self.dispatcher.needs_of(call);
        if needs.is_empty() {
            return Ok(());
        }
        let mut body = vec![call];
        for (need, home) in needs {
            body.extend([need, u64::from(home.unwrap_or(0))]);
            match home {
                Some(home) if home == replica => {}
                Some(home) => self.connect(home, replica)?,
                None => self.give(replica, need)?,
            }
        }
        if let Some(peer) = self.peers.get_mut(&replica) {
            peer.link.outbox().ids(Kind::Needs, &body);
        }
        Ok(())
    }

    fn give(&mut self, replica: ReplicaId, call: CallId) -> io::Result<()> {
        let (Some(peer), Some(value)) = (self.peers.get_mut(&replica), self.values.get(&call))
        else {
            return Ok(());
        };
        if !peer.given.contains(&call) {
            let head = ItemHead {
                call,
                codec: value.codec,
                ..ItemHead::default()
            };
            let outbox = peer.link.outbox();
            outbox.item(Kind::Values, head, &value.parts())?;
            peer.given.insert(call);
        }
        Ok(())
    }

    /// Nobody needs the value of this call any more.
    pub(super) fn release(&mut self, call: CallId, replicas: &[ReplicaId]) {
        self.kept.remove(&call);
        self.values.remove(&call);
        for replica in replicas {
            if let Some(peer) = self.peers.get_mut(replica) {
                peer.given.remove(&call);
                peer.link.outbox().ids(Kind::Release, &[call]);
                self.soil(*replica);
            }
        }
    }
}
