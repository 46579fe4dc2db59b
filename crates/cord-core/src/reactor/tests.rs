//! The loop with replicas in memory, that are slow, silent or gone.

use super::*;
use crate::call::Call;
use crate::engine::fake::Fake;
use crate::live::{Look, Sight};
use crate::ticket::Ticket;
use cord_dispatch::dispatcher::Death;
use cord_os::complaint::tests::was_heard;
use cord_wire::codec::Codec;
use cord_wire::effects::Effects;
use cord_wire::message::Message;
use cord_wire::outbox::ItemHead;
use cord_wire::outcome::{KIND_PASSED, KIND_VALUE};
use cord_wire::part::Part;
use cord_wire::payload::Payload;

const MILLI: Nanos = 1_000_000;

struct Scene {
    fake: Fake,
    mailbox: Arc<Mailbox>,
    reactor: Reactor<Fake>,
}

impl Scene {
    /// Replicas of one module that are ready.
    fn new(replicas: u32) -> Scene {
        let fake = Fake::default();
        let mailbox = Arc::new(Mailbox::new(1).unwrap());
        let fds = Arc::new(OpenFds::new(OWN_FDS + replicas as usize));
        let modules = vec![ModuleSpec::plain("work", replicas)];
        let mut reactor = Reactor::new(modules, fake.clone(), Arc::clone(&mailbox), fds).unwrap();
        reactor.launch_all();
        let mut scene = Scene {
            fake,
            mailbox,
            reactor,
        };
        scene.start();
        scene
    }

    fn start(&mut self) {
        for replica in self.fake.living() {
            self.fake.get_ready(replica);
        }
        self.turn();
    }

    fn turn(&mut self) {
        for _ in 0..2 {
            assert!(self.reactor.turn());
            self.reactor.rest(Some(Duration::ZERO));
        }
        assert!(self.reactor.turn());
    }

    fn issue(&mut self, effects: Effects) -> Ticket {
        self.issue_call(Call::plain(effects, payload(Codec::PICKLE)))
    }

    fn issue_call(&mut self, call: Call) -> Ticket {
        let id = self.mailbox.number_call();
        let (ticket, held) = Ticket::new(id, call, None, &self.mailbox);
        assert!(self.mailbox.post(Command::Issue(Box::new(held))).is_ok());
        self.turn();
        ticket
    }

    /// What has come to a replica as items of any kind: which call's, and in which codec.
    fn items(&self, replica: ReplicaId) -> Vec<(CallId, Codec)> {
        let item = |message| match message {
            Message::Call(item) | Message::Value(item) => Some((item.call, item.payload.codec)),
            _ => None,
        };
        let heard = self.fake.heard(replica).into_iter();
        heard.filter_map(item).collect()
    }

    /// The calls that have come to a replica.
    fn calls(&self, replica: ReplicaId) -> Vec<CallId> {
        let call = |message| match message {
            Message::Call(item) => Some(item.call),
            _ => None,
        };
        self.fake
            .heard(replica)
            .into_iter()
            .filter_map(call)
            .collect()
    }

    fn look(&mut self) -> Sight {
        let look = Arc::new(Look::default());
        let asked = Command::Look(Arc::clone(&look));
        assert!(self.mailbox.post(asked).is_ok());
        self.turn();
        look.wait(Duration::ZERO).unwrap()
    }

    fn answer(&mut self, replica: ReplicaId, call: CallId) {
        self.answer_by(replica, call, KIND_VALUE, Codec::PICKLE);
    }

    fn answer_by(&mut self, replica: ReplicaId, call: CallId, kind: u8, codec: Codec) {
        let head = ItemHead {
            call,
            tag: u32::from(kind),
            codec,
            link: MILLI,
        };
        let parts = [Part::Bytes(b"value"), Part::Bytes(b"")];
        self.fake.say(replica, |outbox| {
            outbox.item(Kind::Replies, head, &parts).unwrap();
        });
        self.turn();
    }
}

/// Some bytes in some codec.
fn payload(codec: Codec) -> Payload {
    Payload {
        codec,
        ..Payload::of_head(b"head".to_vec())
    }
}

/// What came of a call, in a word.
fn came_of(ticket: &Ticket) -> &'static str {
    if !ticket.is_settled() {
        return "nothing yet";
    }
    match ticket.take() {
        Some(Outcome::Reply { payload, .. }) if payload.head == b"value" => "its value",
        Some(Outcome::Lost(lost)) if lost.last().pid > 1000 => "lost",
        Some(Outcome::Closed) => "closed",
        other => panic!("{other:?}"),
    }
}

#[test]
fn frames_take_their_time_in_both_directions() {
    let mut scene = Scene::new(1);
    scene.fake.delay(5 * MILLI);
    let ticket = scene.issue(Effects::Pure);
    assert!(scene.calls(1).is_empty());
    scene.fake.pass(5 * MILLI);
    assert_eq!(scene.calls(1), [ticket.id()]);
    scene.answer(1, ticket.id());
    assert_eq!(came_of(&ticket), "nothing yet");
    scene.fake.pass(5 * MILLI);
    scene.turn();
    assert_eq!(came_of(&ticket), "its value");
}

#[test]
fn a_pure_call_behind_a_cut_link_is_made_elsewhere_and_another_is_lost() {
    let mut scene = Scene::new(2);
    let (first, second) = (
        scene.issue(Effects::Pure),
        scene.issue(Effects::Independent),
    );
    assert_eq!((scene.calls(1), scene.calls(2)), (vec![1], vec![2]));
    for replica in [1, 2] {
        scene.fake.cut(replica);
    }
    scene.turn();
    scene.fake.pass(1000 * MILLI); // nobody says how they have ended
    scene.turn();
    assert_eq!(scene.fake.ended(), [1, 2], "they may live on");
    assert_eq!(came_of(&second), "lost");
    scene.start();
    let has = scene.fake.living();
    let repeated = has.into_iter().find(|id| scene.calls(*id) == [1]);
    scene.answer(repeated.unwrap(), 1);
    assert_eq!(came_of(&first), "its value");
}

#[test]
fn what_came_before_the_end_of_a_link_counts() {
    let mut scene = Scene::new(1);
    let ticket = scene.issue(Effects::Independent);
    let head = ItemHead {
        call: ticket.id(),
        tag: u32::from(KIND_VALUE),
        ..ItemHead::default()
    };
    let parts = [Part::Bytes(b"value"), Part::Bytes(b"")];
    scene.fake.say(1, |outbox| {
        outbox.item(Kind::Replies, head, &parts).unwrap();
    });
    scene.fake.cut(1);
    scene.turn();
    assert_eq!(came_of(&ticket), "its value");
}

#[test]
fn of_a_replica_that_is_silent_the_calls_are_made_elsewhere() {
    let mut scene = Scene::new(2);
    let ticket = scene.issue(Effects::Pure);
    scene.fake.lose(1);
    scene.answer(1, ticket.id());
    assert_eq!(came_of(&ticket), "nothing yet");
    scene.fake.report(Report::Died(1, Death::Silent));
    scene.turn();
    assert_eq!(scene.calls(2), [1]);
    scene.answer(2, 1);
    assert_eq!(came_of(&ticket), "its value");
}

#[test]
fn without_room_for_any_replica_a_call_says_so() {
    let mut scene = Scene::new(1);
    scene.fake.refuse();
    scene.fake.cut(1);
    scene.fake.report(Report::Died(1, Death::Exited));
    scene.turn();
    let ticket = scene.issue(Effects::Independent);
    assert!(ticket.is_settled());
    assert!(
        matches!(ticket.take(), Some(Outcome::Reply { .. })),
        "there is no room"
    );
}

#[test]
fn a_loop_that_has_panicked_leads_no_more_and_leaves_nobody_waiting() {
    let scene = Scene::new(1);
    let mailbox = Arc::clone(&scene.mailbox);
    let lead = Arc::new(Lead::new(scene.reactor, Arc::clone(&mailbox)));
    let poisoned = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| lead.spoil()));
    assert!(poisoned.is_err());
    let call = Call::plain(Effects::Pure, Payload::default());
    let (ticket, held) = Ticket::new(9, call, None, &mailbox);
    assert!(mailbox.post(Command::Issue(Box::new(held))).is_ok());
    assert!(!ticket.wait(lead.wait(&ticket, LOOK, false)));
    assert!(lead.run().is_empty());
    assert!(was_heard("internal error: the session is closed"));
    drop(lead);
    assert_eq!(came_of(&ticket), "closed");
}

#[test]
fn calls_values_and_replies_keep_their_codec_on_every_way() {
    let mut scene = Scene::new(1);
    let first = scene.issue_call(Call {
        chain: 1,
        ..Call::plain(Effects::Pure, payload(Codec(7)))
    });
    assert_eq!(scene.items(1), [(first.id(), Codec(7))]);
    scene.answer_by(1, first.id(), KIND_PASSED, Codec(8));
    let second = scene.issue_call(Call {
        needs: vec![first.id()],
        ..Call::plain(Effects::Pure, payload(Codec(9)))
    });
    let sent = [(first.id(), Codec(8)), (second.id(), Codec(9))];
    assert_eq!(scene.items(1), sent);
    for ticket in [first, second] {
        if !ticket.is_settled() {
            scene.answer_by(1, ticket.id(), KIND_VALUE, Codec(8));
        }
        let Some(Outcome::Reply { payload, .. }) = ticket.take() else {
            panic!("it is answered");
        };
        assert_eq!(payload.codec, Codec(8));
    }
}

#[test]
fn who_looks_is_told_what_runs_and_what_it_is_called() {
    let mut scene = Scene::new(2);
    let (named, unnamed) = (scene.issue(Effects::Pure), scene.issue(Effects::Pure));
    let account = Arc::new(crate::account::Account::default());
    account.stands_at("main.py:3");
    named.charge(&account, &"work.f".into());
    scene.fake.pass(MILLI);
    let sight = scene.look();
    let [(name, module)] = &sight.modules[..] else {
        panic!("one module");
    };
    assert_eq!((&name[..], module.waiting, module.answered), ("work", 0, 0));
    let doing: Vec<_> = module.replicas.iter().map(|one| one.doing).collect();
    let runs = |ticket: &Ticket| cord_dispatch::dispatcher::Doing::Runs(ticket.id(), MILLI);
    assert_eq!(doing, [runs(&named), runs(&unnamed)]);
    assert_eq!(&*sight.running[&named.id()].function, "work.f");
    assert_eq!(
        sight.running[&named.id()].place.as_deref(),
        Some("main.py:3")
    );
    assert!(!sight.running.contains_key(&unnamed.id()));
}

#[test]
fn nobody_is_told_anything_when_the_session_has_ended() {
    let scene = Scene::new(1);
    scene.mailbox.close();
    assert!(Look::at(&scene.mailbox, Duration::ZERO).is_none());
}
