//! One replica, as the dispatcher's thread sees it: its link, and what was sent over it.

use std::collections::BTreeSet;

use super::kept::Kept;
use crate::dispatcher::{CallId, ReplicaId};
use crate::link::Link;
use crate::mailbox::Load;
use crate::outbox::{ItemHead, Part};
use crate::payload::{is_same_world, World};
use crate::wire::{Kind, Turn, KEEPS};

/// One replica's link.
#[derive(Debug)]
pub struct Peer {
    /// Frames to it and from it.
    pub link: Link,
    /// Index of its module.
    pub module: u32,
    /// Where its descriptor is noted.
    pub place: usize,
    /// Also waited for: that the socket can be written.
    pub wants_out: bool,
    /// Its end has been told to the dispatcher.
    pub ended: bool,
    /// Is on the list of those to be flushed.
    pub dirty: bool,
    /// The replicas that it has a link to.
    pub linked: BTreeSet<ReplicaId>,
    /// The values that were sent to it.
    pub given: BTreeSet<CallId>,
    /// The world of what was last sent to it.
    world: World,
    /// How many orders to load it has not answered.
    loads: u32,
}

impl Peer {
    /// A replica to which nothing was said yet.
    pub fn new(link: Link, module: u32, place: usize, ended: bool) -> Peer {
        Peer {
            link,
            module,
            place,
            wants_out: false,
            ended,
            dirty: false,
            linked: BTreeSet::new(),
            given: BTreeSet::new(),
            world: World::default(),
            loads: 0,
        }
    }

    /// Sends a call.
    pub fn send(&mut self, call: CallId, kept: &Kept, turn: Turn) {
        self.enter(kept.world());
        let (head, buffers) = kept.payload();
        let mut parts = Vec::with_capacity(1 + buffers.len());
        parts.push(head);
        parts.extend(buffers.iter().map(Part::Buffer));
        let (tag, link) = turn.encode();
        let tag = if kept.keeps() { tag | KEEPS } else { tag };
        let head = ItemHead { call, tag, link };
        self.link.outbox.item(Kind::Calls, head, &parts);
    }

    /// Sends the order to load the module.
    pub fn load(&mut self, load: &Load) {
        self.enter(&load.world);
        self.link.outbox.message(Kind::Load, 0, &load.order);
        self.loads += 1;
    }

    /// It answered an order to load; true if that was the last one.
    pub fn has_loaded(&mut self) -> bool {
        self.loads = self.loads.saturating_sub(1);
        self.loads == 0
    }

    /// What is sent from here on is done in this world.
    fn enter(&mut self, world: &World) {
        if !is_same_world(&self.world, world) {
            self.link.outbox.message(Kind::World, 0, world);
            self.world = World::clone(world);
        }
    }
}
