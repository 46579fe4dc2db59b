//! Wires of an exchange that are cut and go on over others.

use rustix::net::{socketpair, AddressFamily, SocketFlags, SocketType};

use super::contents::Contents;
use super::exchange::{Exchange, Happened};
use super::tunnel::Tunnel;

/// An exchange with two wires; the other ends of them.
fn with_two_wires() -> (Exchange, [std::os::fd::OwnedFd; 2]) {
    let mut exchange = Exchange::new(None).unwrap();
    let ends = [0, 1].map(|_| {
        let (kind, flags) = (SocketType::STREAM, SocketFlags::CLOEXEC);
        let (here, there) = socketpair(AddressFamily::UNIX, kind, flags, None).unwrap();
        let tunnel = Tunnel::plain(here.try_clone().unwrap(), here).unwrap();
        exchange.add_wire(tunnel, Contents::new(0)).unwrap();
        there
    });
    (exchange, ends)
}

/// Of which wires it tells that they are cut.
fn cut(exchange: &mut Exchange) -> Vec<usize> {
    let happened = exchange.turn().unwrap();
    let cut = happened.iter().filter_map(|one| match one {
        Happened::Cut(wire, _) => Some(*wire),
        _ => None,
    });
    cut.collect()
}

#[test]
fn a_wire_whose_new_tunnel_is_cut_before_it_goes_on_is_cut_once_more() {
    for is_dropped in [false, true] {
        let (mut exchange, _ends) = with_two_wires();
        exchange.cut(0);
        match is_dropped {
            true => exchange.drop_wire(1),
            false => exchange.cut(1),
        }
        exchange.go_on(0, 1, 0).unwrap();
        assert_eq!(cut(&mut exchange), [0]);
        assert!(exchange.is_cut(0));
    }
}

#[test]
fn a_wire_that_goes_on_before_its_cut_is_heard_of_is_not_cut_any_more() {
    let (mut exchange, [first, _second]) = with_two_wires();
    drop(first);
    assert_eq!(cut(&mut exchange), [0]);
    exchange.go_on(0, 1, 0).unwrap();
    assert!(!exchange.is_cut(0));
    assert_eq!(cut(&mut exchange), [] as [usize; 0]);
}
