//! What a replica says when it has no room for what comes.

use super::contents_tests::Scene;
use cord_wire::buffer::Buffer;
use cord_wire::message::{Item, Message};
use cord_wire::outbox::ItemHead;
use cord_wire::outcome::KIND_NO_ROOM;
use cord_wire::resident::{Content, Key, Resident};
use cord_wire::segment::SHARED_FROM;
use cord_wire::shortage::{Of, Shortage};
use cord_wire::wire::Kind;

const HEAD: usize = 4;

fn large() -> Buffer {
    Buffer::copy_from(&vec![5; SHARED_FROM], SHARED_FROM).unwrap()
}

fn resident(content: Option<Buffer>) -> Buffer {
    Buffer::Resident(Box::new(Resident {
        key: Key::of(b"large"),
        form: 0,
        len: SHARED_FROM,
        content: content.map(Content::new),
    }))
}

fn value(call: u64) -> ItemHead {
    ItemHead {
        call,
        ..ItemHead::default()
    }
}

/// The calls that it answers, each for lack of so many bytes.
fn refused(said: &[Message]) -> Vec<(u64, u64)> {
    let refused = |message: &Message| {
        let Message::Reply(Item {
            call, tag, payload, ..
        }) = message
        else {
            panic!("{message:?}")
        };
        assert_eq!(*tag, u32::from(KIND_NO_ROOM));
        let shortage = Shortage::decode(&payload.head).unwrap();
        assert_eq!(shortage.errno, libc::EMFILE);
        assert_eq!(shortage.of, Of::Arguments);
        (*call, shortage.bytes)
    };
    said.iter().map(refused).collect()
}

#[test]
fn a_call_without_its_arguments_is_answered_and_the_next_one_runs() {
    let mut scene = Scene::new(3);
    scene.lose(true);
    scene.later(1, &[large()]);
    let bytes = (HEAD + SHARED_FROM) as u64;
    assert_eq!(refused(&scene.exchange()), [(1, bytes)]);
    scene.lose(false);
    scene.later(2, &[large()]);
    assert!(scene.exchange().is_empty());
    assert_eq!(scene.next(), Some((2, 5)));
    assert_eq!(scene.next(), None);
}

#[test]
fn a_call_that_waited_for_content_is_answered_when_there_is_no_room_for_it() {
    let mut scene = Scene::new(3);
    scene.later(1, &[resident(None)]);
    assert_eq!(scene.wants(), [1]);
    scene.lose(true);
    scene.supply(1, &[resident(Some(large()))]);
    assert_eq!(refused(&scene.exchange()).len(), 1);
    assert_eq!(scene.next(), None);
}

#[test]
fn calls_that_need_a_value_are_answered_when_there_is_no_room_for_it() {
    let mut scene = Scene::new(3);
    scene.lose(true);
    scene.item(Kind::Values, value(7), &[large()]);
    scene.client.outbox.ids(Kind::Needs, &[1, 7, 0]);
    scene.later(1, &[]);
    let bytes = (HEAD + SHARED_FROM) as u64;
    assert_eq!(refused(&scene.exchange()), [(1, bytes)]);
    scene.lose(false);
    scene.client.outbox.ids(Kind::Release, &[7]);
    scene.item(Kind::Values, value(7), &[large()]);
    scene.client.outbox.ids(Kind::Needs, &[2, 7, 0]);
    scene.later(2, &[with_first()]);
    assert!(scene.exchange().is_empty());
    assert_eq!(scene.next(), Some((2, 1)));
}

fn with_first() -> Buffer {
    vec![1].into()
}

#[test]
fn a_call_that_needs_a_value_of_a_replica_to_which_there_is_no_link_is_answered() {
    let mut scene = Scene::new(3);
    scene.replica.lock().meet(22, None);
    scene.client.outbox.ids(Kind::Needs, &[1, 7, 22]);
    scene.later(1, &[]);
    assert_eq!(refused(&scene.exchange()), [(1, 0)]);
}
