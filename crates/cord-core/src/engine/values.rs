//! Values that are kept for other calls: where they are, and who is told.

use super::kept::Kept;
use super::peers::foreign;
use super::Engine;
use crate::dispatcher::{CallId, ReplicaId};
use crate::inbox::Item;
use crate::life::Delivery;
use crate::outbox::{ItemHead, Part};
use crate::payload::{kept_bytes, Buffer, Outcome, KIND_KEPT, KIND_PASSED};
use crate::wire::{Kind, Malformed};

impl Engine {
    /// Whether a reply is that of a call whose value is kept.
    pub(super) fn is_kept(&self, item: &Item) -> bool {
        let is_passed = [KIND_KEPT, KIND_PASSED].map(u32::from).contains(&item.tag);
        is_passed && self.kept.get(&item.call).is_some_and(Kept::keeps)
    }

    /// Tells the program that the value is there, and keeps the call until nobody needs it.
    pub(super) fn deliver_kept(
        &mut self,
        replica: ReplicaId,
        mut item: Item,
    ) -> Result<(), Malformed> {
        let at_home = item.tag == u32::from(KIND_KEPT);
        let bytes = if at_home {
            kept_bytes(&item.head)
        } else {
            item.bytes()
        };
        if at_home {
            self.traffic.count_stayed(bytes);
        } else {
            self.traffic.count_came(bytes);
        }
        let delivery = self
            .dispatcher
            .kept(replica, item.call, item.link, bytes, at_home)
            .map_err(|call| foreign(call.0))?;
        if delivery == Delivery::Discard {
            self.kept.remove(&item.call);
            return Ok(());
        }
        item.open()?;
        if !at_home {
            let mut value = vec![Buffer::from(item.head.clone())];
            value.extend(item.buffers.iter().map(Buffer::copy));
            self.values.insert(item.call, value);
        }
        if let Some(Kept::Held(held)) = self.kept.get(&item.call) {
            held.took(item.link);
            held.tell(Outcome::Reply {
                kind: if at_home { KIND_KEPT } else { KIND_PASSED },
                head: item.head,
                buffers: item.buffers,
                output: item.output,
            });
        }
        Ok(())
    }

    /// Before a call: tells the replica where the values are that it needs, and sends those that the
    /// client has.
    pub(super) fn provide(&mut self, replica: ReplicaId, call: CallId) {
        let needs = self.dispatcher.needs_of(call);
        if needs.is_empty() {
            return;
        }
        let mut body = vec![call];
        for (need, home) in needs {
            body.extend([need, u64::from(home.unwrap_or(0))]);
            match home {
                Some(home) if home == replica => {}
                // If no link can be made, the replica says that it cannot run the call.
                Some(home) => drop(self.connect(home, replica)),
                None => self.give(replica, need),
            }
        }
        if let Some(peer) = self.peers.get_mut(&replica) {
            peer.link.outbox.ids(Kind::Needs, &body);
        }
    }

    fn give(&mut self, replica: ReplicaId, call: CallId) {
        let (Some(peer), Some(value)) = (self.peers.get_mut(&replica), self.values.get(&call))
        else {
            return;
        };
        if peer.given.insert(call) {
            let head = ItemHead {
                call,
                ..ItemHead::default()
            };
            let parts: Vec<Part<'_>> = value.iter().map(Part::Buffer).collect();
            peer.link.outbox.item(Kind::Values, head, &parts);
        }
    }

    /// Nobody needs the value of this call any more.
    pub(super) fn release(&mut self, call: CallId, replicas: &[ReplicaId]) {
        self.kept.remove(&call);
        self.values.remove(&call);
        for replica in replicas {
            if let Some(peer) = self.peers.get_mut(replica) {
                peer.given.remove(&call);
                peer.link.outbox.ids(Kind::Release, &[call]);
                self.soil(*replica);
            }
        }
    }
}
