//! Wires over real sockets: who may talk, and what becomes of what is on its way when a link is cut.

use std::io;
use std::time::{Duration, Instant};

use rustix::net::{socketpair, AddressFamily, SocketFlags, SocketType};

use super::key::Key;
use super::packet::Kind;
use super::tunnel::Tunnel;
use super::wire::{Packet, Wire};
use cord_wire::wire::u64_at;

fn sockets() -> (std::os::fd::OwnedFd, std::os::fd::OwnedFd) {
    let (kind, flags) = (SocketType::STREAM, SocketFlags::CLOEXEC);
    socketpair(AddressFamily::UNIX, kind, flags, None).unwrap()
}

fn secured(here: &Key, there: &Key) -> (Wire, Wire) {
    let (one, other) = sockets();
    let now = Instant::now();
    let one = Tunnel::connected(one, here).unwrap();
    let other = Tunnel::accepted(other, there).unwrap();
    (Wire::new(one, now), Wire::new(other, now))
}

fn all(wire: &mut Wire) -> io::Result<Vec<Packet>> {
    let filled = wire.fill(Instant::now());
    let mut packets = Vec::new();
    while let Some(packet) = wire.next().unwrap() {
        packets.push(packet);
    }
    filled.map(|_| packets)
}

/// Lets both sides talk until nothing more comes; what each has heard.
fn talk(one: &mut Wire, other: &mut Wire) -> io::Result<[Vec<Packet>; 2]> {
    let mut heard = [Vec::new(), Vec::new()];
    let mut quiet = 0;
    while quiet < 5 {
        one.flush()?;
        other.flush()?;
        let came = [all(one)?, all(other)?];
        quiet = if came.iter().all(Vec::is_empty) {
            quiet + 1
        } else {
            0
        };
        for (heard, came) in heard.iter_mut().zip(came) {
            heard.extend(came);
        }
    }
    Ok(heard)
}

fn numbers(packets: &[Packet]) -> Vec<u32> {
    let data = packets.iter().filter(|packet| packet.kind == Kind::Data);
    data.map(|packet| packet.replica).collect()
}

#[test]
fn who_holds_the_key_is_heard() {
    let key = Key::generate().unwrap();
    let same = Key::read(key.bytes()).unwrap();
    let (mut one, mut other) = secured(&key, &same);
    one.greet(Kind::Hello, b"hello");
    other.greet(Kind::Welcome, b"welcome");
    one.put(Kind::Data, 7, &[1; 300_000]);
    let [here, there] = talk(&mut one, &mut other).unwrap();
    assert_eq!(here[0].kind, Kind::Welcome);
    assert_eq!((there[0].kind, numbers(&there)), (Kind::Hello, vec![7]));
    assert_eq!(there[1].body, vec![1; 300_000]);
}

#[test]
fn who_has_another_key_hears_nothing_and_is_not_heard() {
    let (key, wrong) = (Key::generate().unwrap(), Key::generate().unwrap());
    for (here, there) in [(&key, &wrong), (&wrong, &key)] {
        let (mut one, mut other) = secured(here, there);
        one.greet(Kind::Hello, b"secret");
        other.greet(Kind::Welcome, b"secret");
        assert!(talk(&mut one, &mut other).is_err());
        assert!(all(&mut one).map_or(true, |came| came.is_empty()));
        assert!(all(&mut other).map_or(true, |came| came.is_empty()));
    }
}

#[test]
fn keys_of_a_pair_are_for_one_end_each() {
    let (agent, client) = Key::pair().unwrap();
    let (mut one, mut other) = secured(&client, &agent);
    one.greet(Kind::Hello, b"hello");
    let [_, there] = talk(&mut one, &mut other).unwrap();
    assert_eq!(there[0].body, b"hello");
    let (other_agent, other_client) = Key::pair().unwrap();
    let wrong = [
        (&client, &client),
        (&agent, &agent),
        (&other_client, &agent),
        (&client, &other_agent),
    ];
    for (here, there) in wrong {
        let (mut one, mut other) = secured(here, there);
        one.greet(Kind::Hello, b"secret");
        let error = talk(&mut one, &mut other).unwrap_err();
        assert_eq!(error.to_string(), "the other side has another key");
    }
}

#[test]
fn what_is_no_key_is_refused() {
    let (key, _) = Key::pair().unwrap();
    let mut more = key.bytes().to_vec();
    more.push(0);
    for wrong in [&b""[..], b"key", &key.bytes()[1..], &more] {
        assert!(Key::read(wrong).is_err());
    }
}

#[test]
fn what_is_no_tls_is_not_heard() {
    let key = Key::generate().unwrap();
    let (one, other) = sockets();
    let mut wire = Wire::new(Tunnel::accepted(other, &key).unwrap(), Instant::now());
    rustix::io::write(&one, b"GET / HTTP/1.1\r\n\r\n").unwrap();
    assert!(all(&mut wire).is_err());
}

#[test]
fn who_is_silent_is_given_up_sooner_where_there_may_be_another_connection() {
    let (key, now) = (Key::generate().unwrap(), Instant::now());
    let later = |seconds| now + Duration::from_secs(seconds);
    let secured = secured(&key, &key);
    let (one, other) = sockets();
    let plain = [one, other].map(|end| Tunnel::plain(end.try_clone().unwrap(), end).unwrap());
    let [one, other] = plain.map(|end| Wire::new(end, now));
    for (mut one, mut other, longest) in [(secured.0, secured.1, 5), (one, other, 10)] {
        one.greet(Kind::Hello, b"");
        other.greet(Kind::Welcome, b"");
        talk(&mut one, &mut other).unwrap();
        assert_eq!(one.beat(later(longest - 1)), None);
        // beats are heard, and who hears them is content
        one.flush().unwrap();
        other.fill(later(longest - 1)).unwrap();
        assert_eq!(other.next(), Ok(None));
        assert_eq!(other.beat(later(longest + 1)), None);
        assert_eq!(
            one.beat(later(longest + 1)),
            Some(Duration::from_secs(longest))
        );
        one.cut(now);
        assert_eq!(one.beat(later(longest + 1)), None);
    }
}

/// A side, with what it has heard.
struct Side {
    wire: Wire,
    heard: Vec<u32>,
}

fn hear(side: &mut Side) {
    if let Ok(packets) = all(&mut side.wire) {
        side.heard.extend(numbers(&packets));
    }
}

/// Both sides go on over new sockets, as gateway and agent do.
fn reconnect(key: &Key, sides: &mut [Side; 2]) {
    let now = Instant::now();
    let (mut one, mut other) = secured(key, key);
    let [a, b] = sides;
    a.wire.cut(now);
    b.wire.cut(now);
    one.greet(Kind::Hello, &a.wire.read_so_far().to_le_bytes());
    let said = loop {
        one.flush().unwrap();
        other.flush().unwrap();
        one.fill(now).unwrap();
        other.fill(now).unwrap();
        if let Some(hello) = other.next().unwrap() {
            break u64_at(&hello.body, 0);
        }
    };
    other.greet(Kind::Resumed, &b.wire.read_so_far().to_le_bytes());
    b.wire.go_on(other, said).unwrap();
    let said = loop {
        b.wire.flush().unwrap();
        one.fill(now).unwrap();
        if let Some(resumed) = one.next().unwrap() {
            break u64_at(&resumed.body, 0);
        }
    };
    a.wire.go_on(one, said).unwrap();
    hear(a);
    hear(b);
}

#[test]
fn however_often_a_link_is_cut_nothing_is_lost_and_nothing_comes_twice() {
    let key = Key::generate().unwrap();
    for seed in 0..30_u64 {
        let mut dice = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut roll = |most: u64| {
            dice ^= dice << 13;
            dice ^= dice >> 7;
            dice ^= dice << 17;
            dice % most
        };
        let (one, other) = secured(&key, &key);
        let mut sides = [one, other].map(|wire| Side {
            wire,
            heard: Vec::new(),
        });
        sides[0].wire.greet(Kind::Hello, b"");
        sides[1].wire.greet(Kind::Welcome, b"");
        let mut sent = [0, 0];
        for _ in 0..120 {
            let at = roll(2) as usize;
            match roll(10) {
                0 if sides.iter().all(|side| side.wire.read_so_far() > 0) => {
                    reconnect(&key, &mut sides);
                }
                1..=4 => {
                    let size = roll(100_000) as usize;
                    sides[at]
                        .wire
                        .put(Kind::Data, sent[at], &vec![seed as u8; size]);
                    sent[at] += 1;
                }
                5 => {
                    let read = sides[at].wire.read_so_far();
                    sides[at].wire.put(Kind::Read, 0, &read.to_le_bytes());
                }
                6 | 7 => drop(sides[at].wire.flush()),
                _ => hear(&mut sides[at]),
            }
        }
        let [one, other] = &mut sides;
        let [here, there] = talk(&mut one.wire, &mut other.wire).unwrap();
        one.heard.extend(numbers(&here));
        other.heard.extend(numbers(&there));
        assert_eq!(one.heard, (0..sent[1]).collect::<Vec<_>>(), "seed {seed}");
        assert_eq!(other.heard, (0..sent[0]).collect::<Vec<_>>(), "seed {seed}");
    }
}
