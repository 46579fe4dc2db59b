//! Random bytes for all that reads bytes of other processes and machines: nothing panics, and what comes does
//! not depend on how it was cut. `make fuzz` runs it for longer; a panic prints the seed by which it comes again.

use std::fs::File;
use std::io::Write;
use std::os::fd::OwnedFd;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::time::{Duration, Instant};

use crate::fuzzed::packets;
use cord_core::trace;
use cord_dispatch::dispatcher::dice::Dice;
use cord_wire::inbox::Inbox;
use cord_wire::message::Message;
use cord_wire::outbox::{ItemHead, Outbox};
use cord_wire::outcome::Outcome;
use cord_wire::part::Part;
use cord_wire::relay;
use cord_wire::shortage::Shortage;
use cord_wire::transport::Transport;
use cord_wire::wire::Kind;

type Reads = fn(&[u8], &mut Dice);

/// What is read, and by whom.
const READERS: [(&str, Reads); 3] = [("frames", frames), ("packets", packets), ("traces", traces)];

fn corpus() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for kind in [Kind::Calls, Kind::Replies, Kind::Contents, Kind::Values] {
        let mut outbox = Outbox::new(Transport::Unix);
        let parts = [
            Part::Bytes(b"head"),
            Part::Bytes(b"between"),
            Part::Bytes(b"last"),
        ];
        for call in 1..4 {
            let head = ItemHead {
                call,
                tag: 7,
                link: 3,
                ..ItemHead::default()
            };
            outbox.item(kind, head, &parts).unwrap();
        }
        all.push(taken(outbox));
    }
    for kind in 5..26 {
        let mut outbox = Outbox::new(Transport::Unix);
        outbox.ids(Kind::Recall, &[1, 2, 3]);
        let mut bytes = taken(outbox);
        bytes[3] = kind;
        all.push(bytes);
    }
    for outcome in [Outcome::Closed, Outcome::Unavailable { head: vec![1; 9] }] {
        let mut outbox = Outbox::new(Transport::Tcp);
        relay::send(&mut outbox, 5, &outcome, 1_000);
        all.push(taken(outbox));
    }
    for kind in 1..19 {
        let mut packet = vec![kind, 0, 0, 0, 9, 0, 0, 0, 8, 0, 0, 0];
        packet.extend([kind; 8]);
        all.push(packet.repeat(2));
    }
    all.push(trace::samples::sample());
    all
}

fn taken(mut outbox: Outbox) -> Vec<u8> {
    let mut bytes = Vec::new();
    outbox.take_some(usize::MAX, |some| bytes.extend_from_slice(some));
    bytes
}

fn mutated(dice: &mut Dice, corpus: &[Vec<u8>]) -> Vec<u8> {
    let below = |dice: &mut Dice, most: usize| dice.below(most.max(1) as u64) as usize;
    let one = |dice: &mut Dice| &corpus[dice.below(corpus.len() as u64) as usize];
    let mut bytes = one(dice).clone();
    for _ in 0..below(dice, 8) {
        let at = below(dice, bytes.len());
        match below(dice, 6) {
            0 if at < bytes.len() => bytes[at] ^= 1 << below(dice, 8),
            1 => bytes.insert(at, below(dice, 256) as u8),
            2 => bytes.truncate(at),
            3 if at < bytes.len() => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][below(dice, 5)],
            4 => {
                let other = one(dice);
                bytes.extend_from_slice(other);
            }
            _ => {
                let last = at.saturating_add(8).min(bytes.len());
                bytes[at.min(last)..last].fill(0xff);
            }
        }
    }
    bytes
}

/// What comes of bytes that a link has, in pieces as the dice say.
fn read(bytes: &[u8], most: Option<usize>, mut piece: impl FnMut() -> usize) -> Vec<String> {
    let mut inbox = Inbox::new(false);
    inbox.faults.most = most;
    let (mut rest, mut said) = (bytes, Vec::new());
    while !rest.is_empty() {
        let (first, others) = rest.split_at(piece().clamp(1, rest.len()));
        rest = others;
        if inbox.feed(first).is_err() {
            said.push("no memory".to_owned());
            return said;
        }
        loop {
            match inbox.next() {
                Ok(Some(message)) => {
                    said.push(format!("{message:?}"));
                    understood(message);
                }
                Ok(None) => break,
                Err(malformed) => {
                    said.push(format!("{malformed:?}"));
                    return said;
                }
            }
        }
    }
    said
}

/// What the two sides make of a message.
fn understood(message: Message) {
    match message {
        Message::Call(item) => drop(relay::NestedCall::decode(item)),
        Message::Reply(mut item) => {
            Shortage::decode(&item.payload.head);
            relay::take_pause(&mut item);
            let _ = relay::receive(item);
        }
        Message::Load(body) => drop(relay::NestedLoad::decode(&body)),
        _ => {}
    }
}

fn frames(bytes: &[u8], dice: &mut Dice) {
    let whole = read(bytes, None, || usize::MAX);
    let cut = read(bytes, None, || 1 + dice.below(40) as usize);
    assert_eq!(whole, cut, "in whatever pieces");
    read(bytes, Some(300_000), || 1 + dice.below(400) as usize);
}

fn traces(bytes: &[u8], _: &mut Dice) {
    for chunk in trace::read(bytes).into_iter().flatten().flatten() {
        assert!(chunk.records().count() <= bytes.len());
    }
}

#[test]
fn nothing_that_comes_from_others_makes_it_panic() {
    let given = |name| {
        let text = std::env::var(name).ok()?;
        text.parse::<f64>().ok()
    };
    let until = Instant::now() + Duration::from_secs_f64(given("SECONDS").unwrap_or(0.5));
    let first = given("SEED").unwrap_or(1.0) as u64;
    let (corpus, mut seed) = (corpus(), first);
    while Instant::now() < until {
        for _ in 0..100 {
            let mut dice = Dice(seed);
            let bytes = mutated(&mut dice, &corpus);
            for (name, reader) in READERS {
                let tried = catch_unwind(AssertUnwindSafe(|| reader(&bytes, &mut dice)));
                assert!(tried.is_ok(), "{name}: SEED={seed} gives {bytes:?}");
            }
            seed += 1;
        }
    }
    println!("{} inputs", seed - first);
}

/// A pipe in which these bytes are, and another one that leads nowhere.
pub(crate) fn piped(bytes: &[u8]) -> [OwnedFd; 2] {
    let (reader, writer) = rustix::pipe::pipe().unwrap();
    File::from(writer).write_all(bytes).unwrap();
    let (_, nowhere) = rustix::pipe::pipe().unwrap();
    [reader, nowhere]
}
