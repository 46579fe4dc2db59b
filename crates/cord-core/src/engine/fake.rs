//! An engine in memory: replicas that do what a test says, links that delay, lose and are cut, and a
//! clock that is moved by hand.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

use super::{Launcher, Link, Report, Wanted};
use cord_dispatch::dispatcher::{Nanos, ReplicaId};
use cord_os::descriptor::Descriptor;
use cord_wire::inbox::{Filled, Inbox};
use cord_wire::loss::Fallen;
use cord_wire::message::Message;
use cord_wire::outbox::{Flushed, Outbox};
use cord_wire::transport::Transport;
use cord_wire::wire::{Kind, Malformed};

/// Where the replicas are, for the test and for both ends of the links.
#[derive(Debug, Clone, Default)]
pub struct Fake(Arc<Mutex<World>>);

#[derive(Debug, Default)]
struct World {
    now: Nanos,
    /// How long bytes are on their way.
    delay: Nanos,
    wires: BTreeMap<ReplicaId, Wire>,
    reports: VecDeque<Report>,
    ended: Vec<ReplicaId>,
    refuses: bool,
}

/// A link, seen from its replica.
#[derive(Debug)]
struct Wire {
    there: Lane,
    back: Lane,
    inbox: Inbox,
    outbox: Outbox,
    is_cut: bool,
    /// Nothing arrives any more.
    loses: bool,
}

/// Bytes on their way in one direction, and when they arrive.
type Lane = VecDeque<(Nanos, Vec<u8>)>;

/// The client's end of a link.
#[derive(Debug)]
pub struct FakeLink {
    fake: Fake,
    replica: ReplicaId,
    outbox: Outbox,
    inbox: Inbox,
}

impl Fake {
    fn world(&self) -> MutexGuard<'_, World> {
        self.0.lock().unwrap()
    }

    fn on<T>(&self, replica: ReplicaId, act: impl FnOnce(&mut Wire) -> T) -> T {
        act(self.world().wires.get_mut(&replica).unwrap())
    }

    /// Time passes.
    pub fn pass(&self, time: Nanos) {
        self.world().now += time;
    }

    /// What is written from now on takes so long.
    pub fn delay(&self, time: Nanos) {
        self.world().delay = time;
    }

    /// Nothing can be launched any more for lack of room.
    pub fn refuse(&self) {
        self.world().refuses = true;
    }

    /// The launcher has something to report.
    pub fn report(&self, report: Report) {
        self.world().reports.push_back(report);
    }

    /// The link breaks: both sides see its end, after what has come.
    pub fn cut(&self, replica: ReplicaId) {
        self.on(replica, |wire| wire.is_cut = true);
    }

    /// Nothing comes through any more, and nobody is told.
    pub fn lose(&self, replica: ReplicaId) {
        self.on(replica, |wire| wire.loses = true);
    }

    /// The replicas that the client has ended.
    pub fn ended(&self) -> Vec<ReplicaId> {
        self.world().ended.clone()
    }

    /// The replicas that were launched and not ended or cut.
    pub fn living(&self) -> Vec<ReplicaId> {
        let world = self.world();
        let lives = |(id, wire): &(&ReplicaId, &Wire)| !wire.is_cut && !world.ended.contains(id);
        world
            .wires
            .iter()
            .filter(lives)
            .map(|(id, _)| *id)
            .collect()
    }

    /// What has come to a replica.
    pub fn heard(&self, replica: ReplicaId) -> Vec<Message> {
        let now = self.world().now;
        self.on(replica, |wire| {
            arrive(&mut wire.there, &mut wire.inbox, now);
            std::iter::from_fn(|| wire.inbox.next().unwrap()).collect()
        })
    }

    /// A replica says something.
    pub fn say(&self, replica: ReplicaId, write: impl FnOnce(&mut Outbox)) {
        let due = self.due();
        self.on(replica, |wire| {
            write(&mut wire.outbox);
            let bytes = written(&mut wire.outbox);
            if !wire.loses {
                wire.back.push_back((due, bytes));
            }
        });
    }

    /// A replica has loaded its module.
    pub fn get_ready(&self, replica: ReplicaId) {
        let pid = 1000 + replica;
        self.say(replica, |outbox| {
            outbox.message(Kind::Ready, 0, &pid.to_le_bytes());
        });
    }

    fn due(&self) -> Nanos {
        let world = self.world();
        world.now + world.delay
    }
}

/// Takes out what waits to be written.
fn written(outbox: &mut Outbox) -> Vec<u8> {
    let mut bytes = Vec::new();
    outbox.take_some(usize::MAX, |some| bytes.extend_from_slice(some));
    bytes
}

fn arrive(lane: &mut Lane, inbox: &mut Inbox, now: Nanos) -> bool {
    let due = lane.iter().take_while(|(due, _)| *due <= now).count();
    for (_, bytes) in lane.drain(..due) {
        inbox.feed(&bytes).unwrap();
    }
    due > 0
}

impl Launcher for Fake {
    type Link = FakeLink;

    fn now(&self) -> Nanos {
        self.world().now
    }

    fn launch(&mut self, wanted: Wanted) -> io::Result<FakeLink> {
        let mut world = self.world();
        if world.refuses {
            return Err(rustix::io::Errno::NOMEM.into());
        }
        let wire = Wire {
            there: Lane::new(),
            back: Lane::new(),
            inbox: Inbox::new(false),
            outbox: Outbox::new(Transport::Unix),
            is_cut: false,
            loses: false,
        };
        world.wires.insert(wanted.replica, wire);
        Ok(FakeLink {
            fake: self.clone(),
            replica: wanted.replica,
            outbox: Outbox::new(Transport::Unix),
            inbox: Inbox::new(false),
        })
    }

    fn flush(&mut self) -> bool {
        false
    }

    fn report(&mut self) -> Option<Report> {
        self.world().reports.pop_front()
    }

    fn source(&self) -> Option<&Descriptor> {
        None
    }

    fn note(&mut self, _replica: ReplicaId, _pid: u32) {}

    fn end(&mut self, replica: ReplicaId) {
        self.world().ended.push(replica);
    }

    fn retire(&mut self, _replica: ReplicaId) {}

    fn fallen(&self, replica: ReplicaId) -> Fallen {
        Fallen {
            pid: 1000 + replica,
            status: None,
            beyond: None,
        }
    }

    fn shut_down(&mut self) {
        let mut world = self.world();
        for wire in world.wires.values_mut() {
            wire.is_cut = true;
        }
    }
}

impl Link for FakeLink {
    fn outbox(&mut self) -> &mut Outbox {
        &mut self.outbox
    }

    fn flush(&mut self) -> Flushed {
        let (due, bytes) = (self.fake.due(), written(&mut self.outbox));
        self.fake.on(self.replica, |wire| {
            if wire.is_cut {
                return Flushed::Gone;
            }
            if !wire.loses {
                wire.there.push_back((due, bytes));
            }
            Flushed::All
        })
    }

    fn fill(&mut self) -> Result<Filled, Malformed> {
        let now = self.fake.now();
        let inbox = &mut self.inbox;
        Ok(self.fake.on(self.replica, |wire| {
            match (arrive(&mut wire.back, inbox, now), wire.is_cut) {
                (true, _) => Filled::Some,
                (false, true) => Filled::Gone,
                (false, false) => Filled::Nothing,
            }
        }))
    }

    fn next(&mut self) -> Result<Option<Message>, Malformed> {
        self.inbox.next()
    }

    fn source(&self) -> Option<&Descriptor> {
        None
    }

    fn hear(&mut self) -> Result<(), Malformed> {
        Ok(())
    }

    fn can_be_watched(&self) -> bool {
        false
    }

    fn has_some(&self) -> bool {
        false
    }

    fn sleeps(&self) -> bool {
        true
    }

    fn is_awake(&self) {}

    fn written(&self) -> Option<u64> {
        None
    }

    fn is_unread_from(&self, _position: u64) -> bool {
        false
    }

    fn shut_down(&self) {
        self.fake.cut(self.replica);
    }
}
