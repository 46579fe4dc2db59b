//! What is kept of a call until it is answered, and for whom: the program or a replica.

use super::peer::Peer;
use super::Reactor;
use crate::engine::{Launcher, Link};
use crate::ticket::slot::Held;
use crate::trace::Record;
use cord_dispatch::audit::Sample;
use cord_dispatch::dispatcher::{original, CallId, Event, Nanos, ReplicaId};
use cord_dispatch::module_spec::ModuleSpec;
use cord_wire::buffer::Buffer;
use cord_wire::message::Item;
use cord_wire::outcome::Outcome;
use cord_wire::payload::{Parcel, World};
use cord_wire::priority::Priority;
use cord_wire::relay::{self, NestedCall, Parent};
use cord_wire::wire::{Kind, Malformed};

/// A call that is not answered yet.
#[derive(Debug)]
pub(super) enum Kept {
    /// The program holds its ticket.
    Held(Box<Held>),
    /// A replica waits for it.
    Nested(Nested),
    /// Nobody does: it is made again, to see whether it gives the same.
    Again(Box<Sample>),
}

/// A call that a replica made.
#[derive(Debug)]
pub(super) struct Nested {
    replica: ReplicaId,
    call: NestedCall,
    /// That of the call which made it, as it was then.
    world: World,
    /// How long it took, once that is known.
    pub(super) service: u64,
}

impl Kept {
    /// What to send.
    pub(super) fn parcel(&self) -> &Parcel {
        match self {
            Kept::Held(held) => &held.parcel,
            Kept::Nested(nested) => &nested.call.parcel,
            Kept::Again(sample) => &sample.parcel,
        }
    }

    /// Whether its value is kept for other calls.
    pub(super) fn keeps(&self) -> bool {
        matches!(self, Kept::Held(held) if held.keeps())
    }

    /// The world that it is to be run in.
    pub(super) fn world(&self) -> &World {
        match self {
            Kept::Held(held) => held.world(),
            Kept::Nested(nested) => &nested.world,
            Kept::Again(sample) => &sample.world,
        }
    }

    /// Which of the calls that wait goes first.
    pub(super) fn priority(&self) -> Priority {
        match self {
            Kept::Held(held) => held.priority(),
            Kept::Nested(_) | Kept::Again(_) => Priority::default(),
        }
    }

    /// The number that the replica which made it knows it by; 0 if the client made it.
    pub(super) fn number(&self) -> u64 {
        match self {
            Kept::Held(_) | Kept::Again(_) => 0,
            Kept::Nested(nested) => nested.call.number,
        }
    }
}

impl<L: Launcher> Reactor<L> {
    /// A replica of a module makes a call.
    pub(super) fn take_nested(
        &mut self,
        now: Nanos,
        replica: ReplicaId,
        peer: &mut Peer<L::Link>,
        item: Item,
    ) -> Result<(), Malformed> {
        if let Some(shortage) = item.shortage {
            relay::refuse(peer.link.outbox(), item.call, *shortage);
            return Ok(());
        }
        let call = NestedCall::decode(item);
        let module = self.modules.get(call.module as usize);
        let is_there = |module: &ModuleSpec| (call.manner as usize) < module.manners.len();
        if !module.is_some_and(is_there) || call.number == 0 {
            return Err(Malformed::new("it calls a module that is not there"));
        }
        if call.parcel.buffers.iter().any(Buffer::is_lacking) {
            return Err(Malformed::new("a call that it makes lacks content"));
        }
        let id = self.mailbox.number_call();
        let event = Event::Nested {
            call: id,
            module: call.module,
            manner: call.manner,
            effects: call.effects,
            from: replica,
            parent: call.parent.call,
        };
        self.tell(now, event);
        let world = self.world_of(call.parent, peer);
        let nested = Nested {
            replica,
            call,
            world,
            service: 0,
        };
        self.kept.insert(id, Kept::Nested(nested));
        Ok(())
    }

    /// The world of what a replica does while it runs `parent`.
    pub(super) fn world_of(&self, parent: Parent, peer: &Peer<L::Link>) -> World {
        if parent.has_said_world {
            return World::clone(&peer.said);
        }
        if let Some(kept) = self.kept.get(&original(parent.call)) {
            return World::clone(kept.world());
        }
        let ordered = self.loads[peer.module as usize].as_ref();
        ordered.map_or_else(World::default, |order| World::clone(&order.load.world))
    }

    /// The call that a replica knows by this number.
    pub(super) fn nested_call(&self, replica: ReplicaId, number: u64) -> Option<CallId> {
        let is_meant = |kept: &Kept| match kept {
            Kept::Nested(nested) => nested.replica == replica && nested.call.number == number,
            Kept::Held(_) | Kept::Again(_) => false,
        };
        let mut all = self.kept.iter();
        all.find(|(_, kept)| is_meant(kept)).map(|(id, _)| *id)
    }

    /// Whoever waits for a call is to have an exception raised in its midst; one that has not begun does
    /// not any more.
    pub(super) fn interrupt(&mut self, now: Nanos, call: CallId, exception: Vec<u8>) {
        self.exceptions.push((call, exception));
        self.tell(now, Event::Interrupted(call));
    }

    /// Passes on what is to be raised in the midst of a call.
    pub(super) fn raise(&mut self, replica: ReplicaId, call: CallId) {
        let mut waiting = self.exceptions.iter();
        let (Some(at), Some(peer)) = (
            waiting.position(|(meant, _)| *meant == call),
            self.peers.get_mut(&replica),
        ) else {
            return;
        };
        let (_, exception) = self.exceptions.remove(at);
        peer.link.outbox().interrupt(call, &exception);
        self.soil(replica);
    }

    /// The exceptions that came for these calls have been raised.
    pub(super) fn tell_noticed(&mut self, calls: &[CallId]) {
        for call in calls {
            match self.kept.get(&original(*call)) {
                Some(Kept::Held(held)) => held.notice(),
                Some(Kept::Nested(Nested { replica, call, .. })) => {
                    let replica = *replica;
                    if let Some(peer) = self.peers.get_mut(&replica) {
                        peer.link.outbox().ids(Kind::Noticed, &[call.number]);
                        self.soil(replica);
                    }
                }
                Some(Kept::Again(_)) | None => {}
            }
        }
    }

    /// A replica lacks content for these calls. Those that nobody waits for any more it may forget.
    pub(super) fn supply(
        &mut self,
        replica: ReplicaId,
        peer: &mut Peer<L::Link>,
        calls: &[CallId],
    ) {
        for call in calls {
            let kept = self.kept.get(&original(*call));
            let buffers = kept.map_or(&[][..], |kept| &kept.parcel().buffers);
            if let Some(log) = &self.log {
                let stay = |buffer: &&Buffer| matches!(buffer, Buffer::Resident(_));
                let bytes: usize = buffers.iter().filter(stay).map(Buffer::len).sum();
                let (call, bytes) = (*call, bytes as u64);
                let supplied = Record::Supplied {
                    replica,
                    call,
                    bytes,
                };
                log.note(supplied);
            }
            let supplied = peer.supply(*call, buffers);
            if let Err(error) = supplied {
                self.refuse(replica, *call, &error);
            }
        }
    }

    /// Tells a replica what came of a call that it made; if it is gone, nobody.
    pub(super) fn answer(&mut self, nested: &Nested, outcome: &Outcome) {
        if let Some(peer) = self.peers.get_mut(&nested.replica) {
            let outbox = peer.link.outbox();
            relay::send(outbox, nested.call.number, outcome, nested.service);
            self.soil(nested.replica);
        }
    }
}
