//! Agents whose gateway goes away: when they go on trying, and when they end.

use std::io::IoSlice;
use std::mem::MaybeUninit;
use std::net::{TcpListener, TcpStream};
use std::os::fd::{AsFd, OwnedFd};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::net::{
    sendmsg, socketpair, AddressFamily, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
    SocketFlags, SocketType,
};

use super::agent::{Agent, Ended, Serving};
use super::handed::receive;
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

/// A gateway that connects to an agent, which it finds by its name.
struct Standing {
    keys: (Key, Key),
    wire: Wire,
    /// Where the agent says its name, and is handed sockets.
    door: OwnedFd,
    /// What it has said of itself.
    hello: Vec<u8>,
    stop: OwnedFd,
    _zygote: OwnedFd,
    agent: JoinHandle<Ended>,
}

fn stand(patience: Duration) -> Standing {
    let keys = Key::pair().unwrap();
    let (ours, theirs) = connection();
    let ((door, behind), (zygote, of_zygote), (stop, stops)) = (pair(), pair(), pair());
    let key = Key::read(keys.0.bytes()).unwrap();
    let agent = std::thread::spawn(move || {
        let mut agent = Agent::accepted(theirs, key, behind).unwrap();
        assert_eq!(agent.welcome(PATIENCE).unwrap(), b"serve");
        let serving = Serving {
            transports: Vec::new(),
            resident: 0,
            patience,
            lasting: None,
            there: Vec::new(),
        };
        agent.serve(of_zygote, stops, "1\nit", serving).unwrap()
    });
    let mut wire = Wire::new(Tunnel::connected(ours, &keys.1).unwrap(), Instant::now());
    let hello = hear(&mut wire).body;
    wire.greet(Kind::Welcome, b"serve");
    assert_eq!(hear(&mut wire).kind, Kind::Joined);
    Standing {
        keys,
        wire,
        door,
        hello,
        stop,
        _zygote: zygote,
        agent,
    }
}

fn connection() -> (OwnedFd, OwnedFd) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let ours = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    (ours.into(), listener.accept().unwrap().0.into())
}

impl Standing {
    /// The link of somebody who has come by the agent's name and says this.
    fn come(&self, hello: &[u8]) -> Wire {
        self.come_with(&self.keys.1, hello)
    }

    /// The same, with this key.
    fn come_with(&self, key: &Key, hello: &[u8]) -> Wire {
        let (ours, theirs) = connection();
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut handed = SendAncillaryBuffer::new(&mut space);
        let files = [theirs.as_fd()];
        handed.push(SendAncillaryMessage::ScmRights(&files));
        let none = SendFlags::empty();
        sendmsg(&self.door, &[IoSlice::new(&[0])], &mut handed, none).unwrap();
        let tunnel = Tunnel::connected(ours, key).unwrap();
        let mut wire = Wire::new(tunnel, Instant::now());
        wire.greet(Kind::Hello, hello);
        wire
    }

    fn stop(self) {
        rustix::io::write(&self.stop, b"stop").unwrap();
        drop(self.wire);
        assert_eq!(self.agent.join().unwrap(), Ended::Stopped);
    }
}

fn is_closed(wire: &mut Wire) -> bool {
    let until = Instant::now() + PATIENCE;
    while Instant::now() < until {
        let _ = wire.flush();
        match wire.fill(Instant::now()) {
            Ok(_) => assert_eq!(wire.next().unwrap(), None),
            Err(_) => return true,
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    false
}

#[test]
fn an_agent_says_at_the_door_what_it_is_called_and_not_what_it_is() {
    let mut standing = stand(PATIENCE);
    let mut name = [0; 64];
    let (length, none) = receive(&standing.door, &mut name).unwrap();
    assert_eq!(length, 16);
    assert!(none.is_none());
    assert_ne!(name[..16], standing.hello[..16]);
    let mut other = stand(PATIENCE);
    let mut others = [0; 64];
    receive(&other.door, &mut others).unwrap();
    assert_ne!(name, others);
    standing.wire.flush().unwrap();
    other.wire.flush().unwrap();
    standing.stop();
    other.stop();
}

#[test]
fn a_gateway_that_knows_the_agent_goes_on_whether_or_not_it_has_seen_the_cut() {
    for is_seen in [true, false] {
        let mut standing = stand(PATIENCE);
        if is_seen {
            standing.wire.cut(Instant::now());
        }
        let mut again = standing.come(&standing.hello); // it has read nothing but the greeting
        let packet = hear(&mut again);
        assert_eq!((packet.kind, packet.body), (Kind::Resumed, vec![0; 8]));
        assert_eq!(hear(&mut again).kind, Kind::Joined);
        standing.wire = again;
        standing.stop();
    }
}

#[test]
fn who_has_not_both_key_and_id_is_sent_away_and_the_link_stays() {
    let mut standing = stand(PATIENCE);
    let mut wrong = standing.hello.clone();
    wrong[3] ^= 1;
    for said in [&wrong[..], &[0; 24], &standing.hello[..16]] {
        assert!(is_closed(&mut standing.come(said)));
    }
    let other = Key::generate().unwrap();
    assert!(is_closed(&mut standing.come_with(&other, &standing.hello)));
    standing.wire.put(Kind::Finish, 0, &[]);
    standing.wire.flush().unwrap();
    assert_eq!(standing.agent.join().unwrap(), Ended::Finished);
}

#[test]
fn of_two_that_come_at_once_the_later_goes_on() {
    let mut standing = stand(PATIENCE);
    let mut one = standing.come(&standing.hello);
    assert_eq!(hear(&mut one).kind, Kind::Resumed);
    let mut other = standing.come(&standing.hello);
    assert_eq!(hear(&mut other).kind, Kind::Resumed);
    assert_eq!(hear(&mut other).kind, Kind::Joined);
    other.put(Kind::Finish, 0, &[]);
    other.flush().unwrap();
    standing.wire = one;
    assert_eq!(standing.agent.join().unwrap(), Ended::Finished);
}

#[test]
fn an_agent_whose_gateway_never_comes_back_ends_in_time() {
    let standing = stand(Duration::from_millis(300));
    let began = Instant::now();
    drop(standing.wire);
    let ended = standing.agent.join().unwrap();
    assert!(matches!(ended, Ended::Lost(_)), "{ended:?}");
    assert!(began.elapsed() >= Duration::from_millis(300));
    assert!(began.elapsed() < PATIENCE / 2);
}

#[test]
fn an_agent_that_waits_for_its_gateway_can_be_told_to_stop() {
    stand(PATIENCE).stop();
}
