//! What a replica does with content: a client at the other end of a real socket, one step at a time.

use rustix::net::{socketpair, AddressFamily, SocketFlags, SocketType};

use super::interrupts::Wait;
use super::shared::Shared;
use cord_wire::buffer::Buffer;
use cord_wire::link::Link;
use cord_wire::message::Message;
use cord_wire::outbox::ItemHead;
use cord_wire::part::Part;
use cord_wire::priority::Priority;
use cord_wire::resident::{Content, Key, Most, Resident};
use cord_wire::transport::Transport;
use cord_wire::wire::{Kind, Turn};

const SIZE: usize = 100;

/// A replica and its client.
pub struct Scene {
    pub replica: Shared,
    pub client: Link,
}

fn content(number: u8) -> Resident {
    let bytes = vec![number; SIZE];
    Resident {
        key: Key::of(&bytes),
        form: 7,
        len: SIZE,
        content: Some(Content::new(bytes.into())),
    }
}

fn with(number: u8) -> Buffer {
    Buffer::Resident(Box::new(content(number)))
}

fn name(number: u8) -> Buffer {
    Buffer::Resident(Box::new(content(number).name()))
}

impl Scene {
    /// The replica keeps so many contents.
    pub fn new(count: usize) -> Scene {
        let kind = SocketType::STREAM;
        let (ours, theirs) =
            socketpair(AddressFamily::UNIX, kind, SocketFlags::CLOEXEC, None).unwrap();
        let bound = Most {
            bytes: count * SIZE,
            count: 100,
        };
        Scene {
            replica: Shared::new(Link::new(theirs, Transport::Auto), bound, Transport::Auto)
                .unwrap(),
            client: Link::new(ours, Transport::Auto),
        }
    }

    pub fn item(&mut self, kind: Kind, head: ItemHead, buffers: &[Buffer]) {
        let mut parts = vec![Part::Bytes(b"head")];
        parts.extend(buffers.iter().map(Part::Buffer));
        self.client.outbox.item(kind, head, &parts).unwrap();
    }

    fn call(&mut self, call: u64, turn: Turn, buffers: &[Buffer]) {
        let (tag, link) = turn.encode();
        let head = ItemHead {
            call,
            tag,
            link,
            ..ItemHead::default()
        };
        self.item(Kind::Calls, head, buffers);
    }

    pub fn later(&mut self, call: u64, buffers: &[Buffer]) {
        self.call(call, Turn::ByPriority(Priority::default()), buffers);
    }

    pub fn supply(&mut self, call: u64, buffers: &[Buffer]) {
        let head = ItemHead {
            call,
            ..ItemHead::default()
        };
        self.item(Kind::Contents, head, buffers);
    }

    /// Lets the replica read what was sent; what it says then.
    pub fn exchange(&mut self) -> Vec<Message> {
        self.client.flush();
        self.replica.pump(&mut self.replica.lock());
        self.client.fill().unwrap();
        let mut said = Vec::new();
        while let Some(message) = self.client.next().unwrap() {
            said.push(message);
        }
        said
    }

    /// Whether the replica has no descriptor for what comes.
    pub fn lose(&mut self, loses: bool) {
        self.replica.lock().link.faults().loses = loses;
    }

    /// The calls that it asks content for.
    pub fn wants(&mut self) -> Vec<u64> {
        match &self.exchange()[..] {
            [] => Vec::new(),
            [Message::Want(calls)] => calls.clone(),
            other => panic!("{other:?}"),
        }
    }

    /// The next call that it can run, and what its first content begins with.
    pub fn next(&self) -> Option<(u64, u8)> {
        let incoming = self.replica.lock().queue.pop()?;
        Some((incoming.call, incoming.payload.buffers[0].as_slice()[0]))
    }
}

#[test]
fn content_comes_once_and_then_by_its_name() {
    let mut scene = Scene::new(3);
    scene.later(1, &[with(5)]);
    scene.later(2, &[name(5)]);
    assert!(scene.wants().is_empty());
    scene.later(3, &[name(5)]);
    assert!(scene.wants().is_empty());
    assert_eq!(scene.next(), Some((1, 5)));
    assert_eq!(scene.next(), Some((2, 5)));
    assert_eq!(scene.next(), Some((3, 5)));
}

#[test]
fn a_call_whose_content_is_lacking_waits_while_others_run_and_keeps_its_place() {
    let mut scene = Scene::new(3);
    scene.later(1, &[name(5)]);
    scene.later(2, &[with(6)]);
    scene.later(3, &[with(6)]);
    assert_eq!(scene.wants(), [1]);
    assert_eq!(scene.next(), Some((2, 6)));
    scene.supply(1, &[with(5)]);
    assert!(scene.wants().is_empty());
    assert_eq!(scene.next(), Some((1, 5)));
    assert_eq!(scene.next(), Some((3, 6)));
}

#[test]
fn what_made_room_is_asked_for_again() {
    let mut scene = Scene::new(2);
    for (call, number) in [(1, 1), (2, 2), (3, 3)] {
        scene.later(call, &[with(number)]);
    }
    assert!(scene.wants().is_empty());
    assert!(scene.replica.lock().contents.bytes() <= 2 * SIZE);
    scene.later(4, &[name(1)]);
    scene.later(5, &[name(3)]);
    assert_eq!(scene.wants(), [4]);
    scene.supply(4, &[with(1)]);
    assert!(scene.wants().is_empty());
    let order: Vec<_> = std::iter::from_fn(|| scene.next()).collect();
    assert_eq!(order, [(1, 1), (2, 2), (3, 3), (4, 1), (5, 3)]);
}

#[test]
fn contents_that_together_are_too_large_still_serve_their_call() {
    let mut scene = Scene::new(1);
    scene.later(1, &[name(1), name(2), name(3)]);
    assert_eq!(scene.wants(), [1]);
    scene.supply(1, &[with(1), with(2), with(3)]);
    assert!(scene.wants().is_empty());
    let incoming = scene.replica.lock().queue.pop().unwrap();
    let bytes = incoming.payload.buffers.iter().map(|one| one.as_slice()[0]);
    assert_eq!(bytes.collect::<Vec<_>>(), [1, 2, 3]);
}

#[test]
fn what_comes_only_in_part_is_asked_for_again() {
    let mut scene = Scene::new(3);
    scene.later(1, &[name(1), name(2)]);
    assert_eq!(scene.wants(), [1]);
    scene.supply(1, &[with(2)]);
    assert_eq!(scene.wants(), [1]);
    scene.supply(1, &[with(1)]);
    assert!(scene.wants().is_empty());
    assert_eq!(scene.next(), Some((1, 1)));
}

#[test]
fn a_call_that_lacks_content_can_be_asked_back_and_hastened() {
    let mut scene = Scene::new(3);
    scene.later(1, &[name(1)]);
    scene.later(2, &[name(2)]);
    scene.later(3, &[with(3)]);
    assert_eq!(scene.wants(), [1, 2]);
    scene.client.outbox.ids(Kind::Recall, &[1]);
    scene.client.outbox.ids(Kind::First, &[2]);
    let said = scene.exchange();
    assert!(matches!(&said[..], [Message::Returned(calls)] if calls == &[1]));
    scene.supply(1, &[with(1)]);
    scene.supply(2, &[with(2)]);
    scene.later(4, &[name(1)]);
    assert!(scene.wants().is_empty());
    let order: Vec<_> = std::iter::from_fn(|| scene.next()).collect();
    assert_eq!(order, [(2, 2), (3, 3), (4, 1)]);
}

#[test]
fn a_call_that_nobody_waits_for_any_more_leaves() {
    let mut scene = Scene::new(3);
    scene.later(1, &[name(1)]);
    assert_eq!(scene.wants(), [1]);
    scene.supply(1, &[]);
    assert!(scene.wants().is_empty());
    assert!(scene.replica.lock().queue.remove(1).is_none());
}

#[test]
fn an_order_to_load_stays_before_what_came_after_it() {
    let mut scene = Scene::new(3);
    scene.later(1, &[name(1)]);
    scene.client.outbox.message(Kind::Load, 0, b"again");
    scene.later(2, &[name(2)]);
    assert_eq!(scene.wants(), [1, 2]);
    scene.supply(2, &[with(2)]);
    scene.exchange();
    assert_eq!(scene.replica.lock().queue.pop().unwrap().call, 0);
    assert_eq!(scene.next(), Some((2, 2)));
}

#[test]
fn calls_pass_to_another_replica_by_name_and_it_asks_by_itself() {
    let (mut first, mut second) = (Scene::new(3), Scene::new(3));
    let (ours, theirs) = Transport::Auto.pair().unwrap();
    first.later(1, &[with(1)]);
    first.later(2, &[name(2)]);
    assert_eq!(first.wants(), [2]);
    first.replica.lock().meet(22, Some(ours.into()));
    second.replica.lock().meet(11, Some(theirs.into()));
    first.client.outbox.ids(Kind::Move, &[22, 1, 2]);
    let said = first.exchange();
    assert!(
        matches!(&said[..], [Message::Moved(calls)] if calls == &[1, 2]),
        "{said:?}"
    );
    assert_eq!(second.wants(), [1, 2]);
    second.supply(2, &[with(2)]);
    second.supply(1, &[with(1)]);
    assert!(second.wants().is_empty());
    assert_eq!(second.next(), Some((1, 1)));
    assert_eq!(second.next(), Some((2, 2)));
}

#[test]
fn a_thread_that_waits_is_not_given_what_lacks_content() {
    let mut scene = Scene::new(3);
    scene.replica.lock().waits.insert(9, Wait::default());
    scene.call(1, Turn::OnTopOf(9), &[with(1)]);
    scene.exchange();
    assert_eq!(scene.replica.lock().waits[&9].events.len(), 1);
    scene.call(2, Turn::OnTopOf(9), &[name(2)]);
    scene.client.flush();
    scene.replica.pump(&mut scene.replica.lock());
    assert!(scene.replica.lock().gone);
}

#[test]
fn large_content_is_one_piece_of_memory_for_all_calls() {
    let mut scene = Scene::new(100_000);
    let bytes = vec![3_u8; cord_wire::segment::SHARED_FROM];
    let one = Buffer::Resident(Box::new(Resident {
        key: Key::of(&bytes),
        form: 0,
        len: bytes.len(),
        content: Some(Content::new(
            Buffer::copy_from(&bytes, cord_wire::segment::SHARED_FROM).unwrap(),
        )),
    }));
    scene.later(1, std::slice::from_ref(&one));
    scene.later(2, std::slice::from_ref(&one));
    scene.exchange();
    let segment = || {
        let incoming = scene.replica.lock().queue.pop().unwrap();
        let [Buffer::Resident(resident)] = &incoming.payload.buffers[..] else {
            panic!()
        };
        let content = resident.content.clone().unwrap();
        let Buffer::Shared(segment) = content.bytes() else {
            panic!()
        };
        segment.clone()
    };
    let (first, second) = (segment(), segment());
    assert!(first.is(&second));
    // each call gets a mapping of its own, so that none sees what another one writes
    let (mine, yours) = (first.open().unwrap(), second.open().unwrap());
    // SAFETY: nobody else has this mapping.
    unsafe { *mine.private_mut().unwrap() = 9 };
    assert_eq!((mine.as_slice()[0], yours.as_slice()[0]), (9, 3));
}
