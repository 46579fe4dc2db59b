//! Links between replicas of different nodes, as the gateway passes on what goes over them.
//!
//! Each is a channel with a number, which both agents know it by. What comes for one end before its
//! agent has made it is held: the order to make it may still be behind other frames.

use std::collections::BTreeMap;

use super::packet::Kind;
use cord_dispatch::dispatcher::{IdMap, ReplicaId};

/// Something to be said over a wire of a channel.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Onward {
    pub(super) wire: usize,
    pub(super) kind: Kind,
    pub(super) number: ReplicaId,
    pub(super) body: Vec<u8>,
}

/// All of them.
#[derive(Debug, Default)]
pub(super) struct Routes {
    /// Where replicas are.
    places: IdMap<ReplicaId, usize>,
    /// The channel between two replicas, the lower number first.
    numbers: BTreeMap<(ReplicaId, ReplicaId), ReplicaId>,
    routes: IdMap<ReplicaId, Route>,
    /// How many there have been. Their numbers are counted from above, those of replicas from below.
    count: u32,
}

#[derive(Debug)]
struct Route {
    replicas: (ReplicaId, ReplicaId),
    ends: [End; 2],
}

#[derive(Debug)]
struct End {
    wire: usize,
    /// Its agent has made it.
    is_there: bool,
    held: Vec<Vec<u8>>,
    /// The other end is gone, and this one has not been told.
    has_ended: bool,
}

impl End {
    fn new(wire: usize) -> End {
        End {
            wire,
            is_there: false,
            held: Vec::new(),
            has_ended: false,
        }
    }

    fn say(&self, kind: Kind, number: ReplicaId, body: Vec<u8>) -> Onward {
        Onward {
            wire: self.wire,
            kind,
            number,
            body,
        }
    }
}

impl Routes {
    /// A replica is at the other end of this wire.
    pub(super) fn place(&mut self, replica: ReplicaId, wire: usize) {
        self.places.insert(replica, wire);
    }

    /// A replica is told of another one: the number of the channel to it, 0 if it is on the same node.
    pub(super) fn introduce(&mut self, replica: ReplicaId, other: ReplicaId) -> ReplicaId {
        let (here, there) = (self.places.get(&replica), self.places.get(&other));
        if here.is_some() && here == there {
            return 0;
        }
        let pair = (replica.min(other), replica.max(other));
        if let Some(number) = self.numbers.get(&pair) {
            return *number;
        }
        let number = ReplicaId::MAX - self.count;
        self.count += 1;
        // to one that is gone leads no route: whoever makes its end is told so
        if let (Some(here), Some(there)) = (here, there) {
            let ends = [End::new(*here), End::new(*there)];
            let replicas = (replica, other);
            self.routes.insert(number, Route { replicas, ends });
            self.numbers.insert(pair, number);
        }
        number
    }

    /// Whether this is the number of such a channel.
    pub(super) fn has(&self, number: ReplicaId) -> bool {
        number > ReplicaId::MAX - self.count
    }

    /// What came from one end: it goes to the other, now or when that is there.
    pub(super) fn pass(&mut self, number: ReplicaId, from: usize, body: &[u8]) -> Option<usize> {
        let [_, there] = self.routes.get_mut(&number)?.ends_from(from)?;
        if there.is_there {
            return Some(there.wire);
        }
        there.held.push(body.to_vec());
        None
    }

    /// An agent has made its end of a channel: what is to be said there now.
    pub(super) fn met(&mut self, number: ReplicaId, wire: usize) -> Vec<Onward> {
        let route = self.routes.get_mut(&number);
        let Some([here, _]) = route.and_then(|route| route.ends_from(wire)) else {
            return vec![End::new(wire).say(Kind::Closed, number, Vec::new())];
        };
        here.is_there = true;
        let held = std::mem::take(&mut here.held);
        let data = |body| here.say(Kind::Data, number, body);
        let mut onward: Vec<Onward> = held.into_iter().map(data).collect();
        if here.has_ended {
            onward.push(here.say(Kind::Closed, number, Vec::new()));
            self.remove(number);
        }
        onward
    }

    /// One end is gone: the other is told, once it is there.
    pub(super) fn closed(&mut self, number: ReplicaId, wire: usize) -> Option<Onward> {
        let [_, there] = self.routes.get_mut(&number)?.ends_from(wire)?;
        there.has_ended = true;
        if !there.is_there {
            return None;
        }
        let onward = there.say(Kind::Closed, number, Vec::new());
        self.remove(number);
        Some(onward)
    }

    /// A replica is gone. Ends that it never got are gone, too.
    pub(super) fn forget(&mut self, replica: ReplicaId) -> Vec<Onward> {
        let Some(wire) = self.places.remove(&replica) else {
            return Vec::new();
        };
        let never_made = |route: &Route| {
            let (one, other) = route.replicas;
            let is_there = |end: &End| end.wire == wire && end.is_there;
            (one == replica || other == replica) && !route.ends.iter().any(is_there)
        };
        self.close(never_made, wire)
    }

    /// A node is lost, and with it all ends that were there.
    pub(super) fn lose(&mut self, wire: usize) -> Vec<Onward> {
        self.close(|route| route.ends.iter().any(|end| end.wire == wire), wire)
    }

    fn close(&mut self, which: impl Fn(&Route) -> bool, wire: usize) -> Vec<Onward> {
        let routes = self.routes.iter().filter(|(_, route)| which(route));
        let numbers: Vec<ReplicaId> = routes.map(|(number, _)| *number).collect();
        let closed = numbers.iter().map(|number| self.closed(*number, wire));
        closed.collect::<Vec<_>>().into_iter().flatten().collect()
    }

    fn remove(&mut self, number: ReplicaId) {
        if let Some(route) = self.routes.remove(&number) {
            let (one, other) = route.replicas;
            self.numbers.remove(&(one.min(other), one.max(other)));
        }
    }
}

impl Route {
    /// The end at this wire, and the other one.
    fn ends_from(&mut self, wire: usize) -> Option<[&mut End; 2]> {
        let [one, other] = &mut self.ends;
        match wire {
            _ if wire == one.wire => Some([one, other]),
            _ if wire == other.wire => Some([other, one]),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_nodes() -> Routes {
        let mut routes = Routes::default();
        for (replica, wire) in [(1, 0), (2, 0), (3, 1)] {
            routes.place(replica, wire);
        }
        routes
    }

    fn said(wire: usize, kind: Kind, number: u32, body: &[u8]) -> Onward {
        let body = body.to_vec();
        Onward {
            wire,
            kind,
            number,
            body,
        }
    }

    #[test]
    fn replicas_of_one_node_need_no_route() {
        let mut routes = two_nodes();
        assert_eq!(routes.introduce(1, 2), 0);
        assert!(!routes.has(u32::MAX));
    }

    #[test]
    fn what_comes_before_the_other_end_is_there_is_held() {
        let mut routes = two_nodes();
        let number = routes.introduce(1, 3);
        assert_eq!(routes.introduce(3, 1), number);
        assert!(routes.has(number));
        assert_eq!(routes.met(number, 0), []);
        assert_eq!(routes.pass(number, 0, b"one"), None);
        assert_eq!(routes.pass(number, 0, b"two"), None);
        let expected = [b"one", b"two"].map(|body| said(1, Kind::Data, number, body));
        assert_eq!(routes.met(number, 1), expected);
        assert_eq!(routes.pass(number, 0, b"three"), Some(1));
        assert_eq!(routes.pass(number, 1, b"back"), Some(0));
    }

    #[test]
    fn the_end_of_one_is_told_to_the_other_behind_what_is_held() {
        let mut routes = two_nodes();
        let number = routes.introduce(1, 3);
        routes.met(number, 0);
        routes.pass(number, 0, b"last");
        assert_eq!(routes.closed(number, 0), None);
        let expected = [
            said(1, Kind::Data, number, b"last"),
            said(1, Kind::Closed, number, b""),
        ];
        assert_eq!(routes.met(number, 1), expected);
        assert_eq!(routes.met(number, 1), [said(1, Kind::Closed, number, b"")]);
    }

    #[test]
    fn nobody_waits_for_a_replica_that_is_gone() {
        let mut routes = two_nodes();
        let number = routes.introduce(1, 3);
        routes.met(number, 0);
        // it has died before it was told
        let expected = said(0, Kind::Closed, number, b"");
        assert_eq!(routes.forget(3), [expected]);
        let number = routes.introduce(2, 3);
        let expected = said(0, Kind::Closed, number, b"");
        assert_eq!(routes.met(number, 0), [expected]);
    }

    #[test]
    fn an_end_that_was_made_tells_its_end_itself() {
        let mut routes = two_nodes();
        let number = routes.introduce(1, 3);
        routes.met(number, 0);
        routes.met(number, 1);
        assert_eq!(routes.forget(3), []);
        assert_eq!(routes.pass(number, 1, b"still on its way"), Some(0));
        let expected = said(0, Kind::Closed, number, b"");
        assert_eq!(routes.closed(number, 1), Some(expected));
        assert_eq!(routes.closed(number, 0), None);
    }

    #[test]
    fn with_a_node_all_that_led_there_is_lost() {
        let mut routes = two_nodes();
        let numbers = [routes.introduce(1, 3), routes.introduce(2, 3)];
        for number in numbers {
            routes.met(number, 0);
            routes.met(number, 1);
        }
        let mut lost = routes.lose(1);
        lost.sort_by_key(|onward| numbers.iter().position(|number| *number == onward.number));
        let expected = numbers.map(|number| said(0, Kind::Closed, number, b""));
        assert_eq!(lost, expected);
        assert_eq!(routes.pass(numbers[0], 0, b"in vain"), None);
    }
}
