//! Agents whose gateway goes away: when they go on trying, and when they end.

use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::net::{socketpair, AddressFamily, SocketFlags, SocketType};

use super::agent::{Agent, Ended, Serving};
use super::key::Key;
use super::packet::Kind;
use super::tunnel::Tunnel;
use super::wire::{Packet, Wire};

/// More than any of these tests takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// The gateway's side, and an agent that serves.
struct Play {
    key: Key,
    listener: TcpListener,
    wire: Wire,
    stop: OwnedFd,
    _zygote: OwnedFd,
    agent: JoinHandle<Ended>,
}

fn pair() -> (OwnedFd, OwnedFd) {
    let (kind, flags) = (SocketType::SEQPACKET, SocketFlags::CLOEXEC);
    socketpair(AddressFamily::UNIX, kind, flags, None).unwrap()
}

fn begin() -> Play {
    let key = Key::generate().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let ((zygote, theirs), (stop, stops)) = (pair(), pair());
    let same = Key::read(key.bytes()).unwrap();
    let agent = std::thread::spawn(move || {
        let mut agent = Agent::connect(&address, same).unwrap();
        assert_eq!(agent.welcome(PATIENCE).unwrap(), b"serve");
        let serving = Serving {
            transports: Vec::new(),
            resident: 0,
            patience: PATIENCE,
            lasting: None,
            there: Vec::new(),
        };
        agent.serve(theirs, stops, "1\nit", serving).unwrap()
    });
    let mut wire = accept(&listener, &key);
    wire.greet(Kind::Welcome, b"serve");
    assert_eq!(hear(&mut wire).kind, Kind::Joined);
    Play {
        key,
        listener,
        wire,
        stop,
        _zygote: zygote,
        agent,
    }
}

/// A connection of an agent that has said hello.
fn accept(listener: &TcpListener, key: &Key) -> Wire {
    let (stream, _) = listener.accept().unwrap();
    let tunnel = Tunnel::accepted(stream.into(), key).unwrap();
    let mut wire = Wire::new(tunnel, Instant::now());
    assert_eq!(hear(&mut wire).kind, Kind::Hello);
    wire
}

fn hear(wire: &mut Wire) -> Packet {
    loop {
        wire.flush().unwrap();
        wire.fill(Instant::now()).unwrap();
        if let Some(packet) = wire.next().unwrap() {
            return packet;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn assert_lost(agent: JoinHandle<Ended>) {
    let began = Instant::now();
    let ended = agent.join().unwrap();
    assert!(matches!(ended, Ended::Lost(_)), "{ended:?}");
    assert!(began.elapsed() < PATIENCE / 2);
}

#[test]
fn an_agent_ends_soon_where_nobody_listens_any_more() {
    let play = begin();
    drop((play.listener, play.wire));
    assert_lost(play.agent);
}

#[test]
fn an_agent_ends_where_its_gateway_has_given_it_up() {
    let play = begin();
    drop(play.wire);
    let mut again = accept(&play.listener, &play.key);
    again.greet(Kind::Welcome, b"serve");
    again.flush().unwrap();
    assert_lost(play.agent);
}

#[test]
fn an_agent_that_tries_to_come_back_can_be_told_to_stop() {
    let play = begin();
    drop(play.wire); // and nobody accepts it again
    rustix::io::write(&play.stop, b"stop").unwrap();
    let began = Instant::now();
    assert_eq!(play.agent.join().unwrap(), Ended::Stopped);
    assert!(began.elapsed() < PATIENCE / 2);
}
