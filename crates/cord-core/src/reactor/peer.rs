//! One replica, as the dispatcher's thread sees it: its link, and what was sent over it.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

use super::kept::Kept;
use crate::engine::Link;
use crate::mailbox::Load;
use cord_dispatch::dispatcher::{CallId, ReplicaId};
use cord_wire::buffer::Buffer;
use cord_wire::outbox::ItemHead;
use cord_wire::part::Part;
use cord_wire::payload::World;
use cord_wire::resident::{Ledger, Most, Resident};
use cord_wire::wire::{grouped, Kind, Turn, KEEPS};

/// One replica's link.
#[derive(Debug)]
pub struct Peer<K> {
    /// Frames to it and from it.
    pub link: K,
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
    /// The world that it has said last: to which calls of its have changed theirs.
    pub said: World,
    /// The world of what was last sent to it.
    world: World,
    /// How many orders to load it has not answered.
    loads: u32,
    /// The content that it is thought to have.
    ledger: Ledger,
    /// The calls that were sent last, and how much had been written before, if that can be known.
    last: Vec<CallId>,
    before_last: Option<u64>,
}

impl<K: Link> Peer<K> {
    /// A replica to which nothing was said yet.
    pub fn new(link: K, module: u32, place: usize, resident: Most) -> Peer<K> {
        Peer {
            link,
            module,
            place,
            wants_out: false,
            ended: false,
            dirty: false,
            linked: BTreeSet::new(),
            given: BTreeSet::new(),
            said: World::default(),
            world: World::default(),
            loads: 0,
            ledger: Ledger::new(resident),
            last: Vec::new(),
            before_last: None,
        }
    }

    /// Sends a call. What it needs of content goes along if the replica is not thought to have it,
    /// and in any case to a thread that waits: that one is not to wait for content too. Calls of one
    /// group may be served together; 0 is none.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn send(&mut self, call: CallId, kept: &Kept, turn: Turn, group: u32) -> io::Result<()> {
        self.enter(kept.world());
        let parcel = kept.parcel();
        let mut parts = Vec::with_capacity(1 + parcel.buffers.len());
        parts.push(Part::Buffer(&parcel.head));
        for buffer in &parcel.buffers {
            parts.push(match buffer {
                Buffer::Resident(resident) if note(&mut self.ledger, resident) => match turn {
                    Turn::OnTopOf(_) => Part::Buffer(buffer),
                    Turn::First | Turn::ByPriority(_) => Part::Name(resident),
                },
                other => Part::Buffer(other),
            });
        }
        let (tag, link) = turn.encode();
        let tag = if kept.keeps() { tag | KEEPS } else { tag } | grouped(group);
        let head = ItemHead {
            call,
            tag,
            codec: parcel.codec,
            link,
        };
        self.link.outbox().item(Kind::Calls, head, &parts)
    }

    /// Notes that these calls are sent now.
    pub fn note_last(&mut self, calls: &[CallId]) {
        self.last.clear();
        self.last.extend_from_slice(calls);
        self.before_last = self.link.written();
    }

    /// It has ended: the calls that were sent last, if it has certainly read none of them.
    pub fn unread(&mut self) -> Vec<CallId> {
        let before = self.before_last.take();
        match before.is_some_and(|before| self.link.is_unread_from(before)) {
            true => std::mem::take(&mut self.last),
            false => Vec::new(),
        }
    }

    /// Sends the content that a call needs, for the replica lacks some of it.
    ///
    /// # Errors
    /// When there is no memory for it: then the replica forgets the call.
    pub fn supply(&mut self, call: CallId, buffers: &[Buffer]) -> io::Result<()> {
        let mut parts = vec![Part::Bytes(&[])];
        for buffer in buffers {
            if let Buffer::Resident(resident) = buffer {
                note(&mut self.ledger, resident);
                parts.push(Part::Buffer(buffer));
            }
        }
        let head = ItemHead {
            call,
            ..ItemHead::default()
        };
        let supplied = self.link.outbox().item(Kind::Contents, head, &parts);
        if supplied.is_err() {
            self.link.outbox().item(Kind::Contents, head, &parts[..1])?;
        }
        supplied
    }

    /// Sends the order to load the module.
    pub fn load(&mut self, load: &Load) {
        self.enter(&load.world);
        self.link.outbox().message(Kind::Load, 0, &load.order);
        self.loads += 1;
    }

    /// Has the replica tell when its calls run.
    pub fn want_times(&mut self) {
        self.link.outbox().ids(Kind::Ran, &[]);
    }

    /// It answered an order to load; true if that was the last one.
    pub fn has_loaded(&mut self) -> bool {
        self.loads = self.loads.saturating_sub(1);
        self.loads == 0
    }

    /// What is sent from here on is done in this world.
    fn enter(&mut self, world: &World) {
        if Arc::ptr_eq(&self.world, world) {
            return;
        }
        if self.world != *world {
            self.link.outbox().message(Kind::World, 0, world);
        }
        self.world = World::clone(world); // the next one is mostly the same object
    }
}

/// Notes that the replica uses this now; whether it was thought to have it before.
fn note(ledger: &mut Ledger, resident: &Resident) -> bool {
    let there = ledger.get(&resident.key).is_some();
    ledger.insert(resident.key, resident.len, ());
    there
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Call;
    use crate::ticket::Ticket;
    use cord_wire::effects::Effects;
    use cord_wire::link::Link;
    use cord_wire::message::Message;
    use cord_wire::payload::Payload;
    use cord_wire::priority::Priority;
    use cord_wire::resident::{Content, Key};
    use cord_wire::transport::Transport;

    const SIZE: usize = 100;
    fn later() -> Turn {
        Turn::ByPriority(Priority::default())
    }

    /// A replica that keeps two contents, and what it hears.
    struct Scene {
        peer: Peer<Link>,
        replica: Link,
    }

    fn kept(number: u8) -> Kept {
        let bytes = vec![number; SIZE];
        let resident = Resident {
            key: Key::of(&bytes),
            form: 0,
            len: SIZE,
            content: Some(Content::new(bytes.into())),
        };
        let mailbox = Arc::new(crate::mailbox::Mailbox::new(1).unwrap());
        let payload = Payload {
            buffers: vec![Buffer::Resident(Box::new(resident))],
            ..Payload::default()
        };
        let call = Call::plain(Effects::Pure, payload);
        Kept::Held(Box::new(Ticket::new(1, call, None, &mailbox).1))
    }

    impl Scene {
        fn new() -> Scene {
            let (ours, theirs) = Transport::Auto.pair().unwrap();
            let bound = Most {
                bytes: 2 * SIZE,
                count: 10,
            };
            Scene {
                peer: Peer::new(Link::new(ours, Transport::Auto), 0, 0, bound),
                replica: Link::new(theirs, Transport::Auto),
            }
        }

        /// The one message that was sent.
        fn heard(&mut self) -> Message {
            self.peer.link.flush();
            self.replica.fill().unwrap();
            let message = self.replica.next().unwrap().unwrap();
            assert!(self.replica.next().unwrap().is_none());
            message
        }

        /// Whether the content of a call goes along.
        fn goes_along(&mut self, number: u8, turn: Turn) -> bool {
            self.peer.send(7, &kept(number), turn, 0).unwrap();
            let Message::Call(item) = self.heard() else {
                panic!()
            };
            !item.payload.buffers[0].is_lacking()
        }
    }

    #[test]
    fn content_goes_along_once_and_again_when_it_was_let_go() {
        let mut scene = Scene::new();
        let calls = [1, 1, 1, 2, 1, 3, 1, 2, 2].map(|number| scene.goes_along(number, later()));
        let expected = [true, false, false, true, false, true, false, true, false];
        assert_eq!(calls, expected);
    }

    #[test]
    fn a_thread_that_waits_is_always_given_it() {
        let mut scene = Scene::new();
        assert!(scene.goes_along(1, later()));
        assert!(scene.goes_along(1, Turn::OnTopOf(3)));
        assert!(!scene.goes_along(1, Turn::First));
    }

    #[test]
    fn what_a_replica_asks_for_it_gets_with_the_number_of_its_call() {
        let mut scene = Scene::new();
        scene.goes_along(1, later());
        for (call, buffers) in [(5, &kept(1).parcel().buffers[..]), (6, &[])] {
            scene.peer.supply(call, buffers).unwrap();
            let Message::Contents(item) = scene.heard() else {
                panic!()
            };
            assert_eq!(
                (item.call, item.payload.buffers.len()),
                (call, buffers.len())
            );
            assert!(!item.payload.buffers.iter().any(Buffer::is_lacking));
        }
    }
}
