//! Small worlds, gone through completely: up to three calls, two replicas, and every order in which things
//! can happen between them. Each call is settled exactly once, and none that is not pure begins twice.
//!
//! What goes between the dispatcher and a replica is on its way for any time, in either direction; a
//! replica may die at any moment, also in the midst of a call; its link and its process end in any
//! order. What the program does (wait, drop, interrupt) and what befalls replicas (death, too much
//! memory) happens as often as a world allows, whenever it can. Worlds that are in the same state have
//! the same future, and are gone through once.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::hash::{Hash, Hasher};

use super::*;

/// How long a call takes: so long that it is worth asking back those behind it.
const SERVICE: Nanos = 10 * MILLI;
/// The number of the call that is made again.
const AGAIN: CallId = 9;

/// What may still happen.
#[derive(Debug, Clone, Default, Hash)]
struct Left {
    deaths: u32,
    demands: u32,
    drops: u32,
    interrupts: u32,
    audits: u32,
    worn: u32,
}

/// A replica, and what is on its way to it and from it.
#[derive(Debug, Clone, Default, Hash)]
struct Peer {
    inbox: VecDeque<Said>,
    outbox: VecDeque<Heard>,
    line: VecDeque<CallId>,
    is_ready: bool,
    is_dead: bool,
    link_end_told: bool,
    exit_told: bool,
}

/// What a replica is told.
#[derive(Debug, Clone, Hash)]
enum Said {
    Calls(Vec<CallId>),
    Recall(Vec<CallId>),
    Hasten(CallId),
    Interrupt(CallId),
}

/// What it says.
#[derive(Debug, Clone, Hash)]
enum Heard {
    Ready,
    Replied(CallId),
    Returned(Vec<CallId>),
    Withdrawn(CallId),
    Worn,
}

/// What has become of a call.
#[derive(Debug, Clone, Copy, Hash, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Answered,
    Discarded,
    Lost,
    Poisoned,
    Forgotten,
}

/// What happens next.
#[derive(Debug, Clone, Copy)]
enum Step {
    Issue,
    Demand(CallId),
    Drop(CallId),
    Interrupt(CallId),
    /// Time passes, as far as the dispatcher wants to be woken.
    Pass,
    /// The oldest of what a replica has said is heard.
    Hear(ReplicaId),
    /// A replica reads all that it was told.
    Read(ReplicaId),
    /// It makes the first call that it has.
    Make(ReplicaId),
    /// It dies: in the midst of that call, or not.
    Die(ReplicaId, bool),
    LinkEnds(ReplicaId),
    Exits(ReplicaId),
    WearsOut(ReplicaId),
    Audit(ReplicaId),
}

#[derive(Clone)]
struct World {
    dispatcher: Dispatcher,
    now: Nanos,
    effects: Vec<Effects>,
    issued: usize,
    left: Left,
    peers: BTreeMap<ReplicaId, Peer>,
    settled: BTreeMap<CallId, End>,
    has_renewed: bool,
    begun: BTreeMap<CallId, u32>,
}

impl Clone for Dispatcher {
    fn clone(&self) -> Dispatcher {
        Dispatcher {
            modules: self.modules.clone(),
            calls: self.calls.clone(),
            replicas: self.replicas.clone(),
            next_replica: self.next_replica,
            ending: self.ending.clone(),
            dirty: self.dirty.clone(),
            unpiled: self.unpiled.clone(),
            unwanted: self.unwanted.clone(),
            worn: self.worn.clone(),
            ended: self.ended.clone(),
            running: self.running,
            fallen: self.fallen.clone(),
            launcher_gone: self.launcher_gone,
            tends: self.tends,
            agenda: self.agenda.clone(),
            timer: self.timer,
            actions: self.actions.clone(),
            tap: None,
        }
    }
}

impl World {
    fn new(effects: &[Effects], left: Left, recycle: Option<u32>) -> World {
        let spec = ModuleSpec {
            recycle,
            again: 1.0,
            ..ModuleSpec::plain("work", 2)
        };
        let mut world = World {
            dispatcher: Dispatcher::new(&[spec]),
            now: 0,
            effects: effects.to_vec(),
            issued: 0,
            left,
            peers: BTreeMap::new(),
            settled: BTreeMap::new(),
            has_renewed: false,
            begun: BTreeMap::new(),
        };
        world.decide();
        for replica in 1..=2 {
            world.take(Step::Hear(replica));
        }
        world
    }

    /// What makes up its future.
    fn state(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        format!("{:?}", self.dispatcher).hash(&mut hasher);
        (self.now, self.issued, &self.left, &self.peers).hash(&mut hasher);
        (&self.settled, &self.begun, self.has_renewed).hash(&mut hasher);
        hasher.finish()
    }

    fn calls(&self) -> impl Iterator<Item = CallId> {
        1..=self.effects.len() as CallId
    }

    fn is_pure(&self, call: CallId) -> bool {
        call == AGAIN || self.effects[call as usize - 1].is_pure()
    }

    fn is_open(&self, call: CallId) -> bool {
        call as usize <= self.issued && !self.settled.contains_key(&call)
    }

    /// All that can happen now.
    fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        if self.issued < self.effects.len() {
            steps.push(Step::Issue);
        }
        for call in self.calls().filter(|call| self.is_open(*call)) {
            let mut may = |left: u32, step: Step| steps.extend((left > 0).then_some(step));
            may(self.left.demands, Step::Demand(call));
            may(self.left.drops, Step::Drop(call));
            may(self.left.interrupts, Step::Interrupt(call));
        }
        if self.dispatcher.timer().is_some() {
            steps.push(Step::Pass);
        }
        for (id, peer) in &self.peers {
            self.steps_of(*id, peer, &mut steps);
        }
        steps
    }

    fn steps_of(&self, id: ReplicaId, peer: &Peer, steps: &mut Vec<Step>) {
        let mut may = |can: bool, step: Step| steps.extend(can.then_some(step));
        let (lives, is_heard) = (!peer.is_dead, peer.outbox.is_empty());
        may(!is_heard, Step::Hear(id));
        may(
            lives && peer.is_ready && !peer.inbox.is_empty(),
            Step::Read(id),
        );
        may(lives && !peer.line.is_empty(), Step::Make(id));
        // what the link still holds is read before its end
        may(
            !lives && is_heard && !peer.link_end_told,
            Step::LinkEnds(id),
        );
        may(!lives && !peer.exit_told, Step::Exits(id));
        let may_die = lives && peer.is_ready && self.left.deaths > 0;
        may(may_die, Step::Die(id, false));
        may(may_die && !peer.line.is_empty(), Step::Die(id, true));
        may(
            lives && peer.is_ready && self.left.worn > 0,
            Step::WearsOut(id),
        );
        let module = &self.dispatcher.modules[0];
        let is_idle = module.open.contains(&(0, id)) && module.queue.is_empty();
        let is_known = self.settled.contains_key(&1) && self.is_pure(1);
        may(self.left.audits > 0 && is_known && is_idle, Step::Audit(id));
    }

    /// Something happens.
    fn take(&mut self, step: Step) {
        match step {
            Step::Issue => {
                self.issued += 1;
                let effects = self.effects[self.issued - 1];
                let issue = Issue {
                    effects,
                    ..Issue::plain(self.issued as CallId, 0, true)
                };
                self.tell(Event::Issued(issue));
            }
            Step::Demand(call) => {
                self.left.demands -= 1;
                self.tell(Event::Demanded(call));
            }
            Step::Drop(call) => {
                self.left.drops -= 1;
                self.tell(Event::Dropped(call));
            }
            Step::Interrupt(call) => {
                self.left.interrupts -= 1;
                self.tell(Event::Interrupted(call));
            }
            Step::Pass => self.now = self.dispatcher.timer().unwrap().max(self.now),
            Step::Hear(id) => self.hear(id),
            Step::Read(id) => self.read(id),
            Step::Make(id) => {
                let call = self.begin(id);
                self.peer(id).outbox.push_back(Heard::Replied(call));
            }
            Step::Die(id, in_call) => {
                self.left.deaths -= 1;
                if in_call {
                    self.begin(id);
                }
                self.peer(id).is_dead = true;
            }
            Step::LinkEnds(id) => self.end_link(id),
            Step::Exits(replica) => {
                self.peer(replica).exit_told = true;
                let death = Death::Exited;
                self.tell(Event::Died { replica, death });
            }
            Step::WearsOut(id) => {
                self.left.worn -= 1;
                self.peer(id).outbox.push_back(Heard::Worn);
            }
            Step::Audit(to) => {
                self.left.audits -= 1;
                let issue = Issue {
                    beside: true,
                    ..Issue::plain(AGAIN, 0, true)
                };
                self.tell(Event::Again { issue, to });
            }
        }
        self.decide();
    }

    fn peer(&mut self, id: ReplicaId) -> &mut Peer {
        self.peers.get_mut(&id).unwrap()
    }

    fn tell(&mut self, event: Event) {
        self.dispatcher.handle(self.now, event).unwrap();
    }

    fn begin(&mut self, id: ReplicaId) -> CallId {
        let call = self.peer(id).line.pop_front().unwrap();
        let begun = self.begun.entry(call).or_default();
        *begun += 1;
        let is_first = *begun == 1;
        assert!(self.is_pure(call) || is_first, "call {call} runs twice");
        call
    }

    /// The replica reads what it was told.
    fn read(&mut self, id: ReplicaId) {
        let peer = self.peers.get_mut(&id).unwrap();
        for said in std::mem::take(&mut peer.inbox) {
            match said {
                Said::Calls(calls) => peer.line.extend(calls),
                Said::Recall(calls) => {
                    let mut returned: Vec<CallId> = peer.line.iter().copied().collect();
                    returned.retain(|call| calls.contains(call));
                    peer.line.retain(|call| !calls.contains(call));
                    peer.outbox.push_back(Heard::Returned(returned));
                }
                Said::Hasten(call) => {
                    if let Some(at) = peer.line.iter().position(|one| *one == call) {
                        peer.line.remove(at);
                        peer.line.push_front(call);
                    }
                }
                Said::Interrupt(call) => {
                    if peer.line.contains(&call) {
                        peer.line.retain(|one| *one != call);
                        peer.outbox.push_back(Heard::Withdrawn(call));
                    }
                }
            }
        }
    }

    /// The dispatcher hears what a replica has said.
    fn hear(&mut self, replica: ReplicaId) {
        match self.peer(replica).outbox.pop_front().unwrap() {
            Heard::Ready => {
                self.peer(replica).is_ready = true;
                self.tell(Event::Ready { replica });
            }
            Heard::Replied(call) => {
                let replied = Event::Replied {
                    replica,
                    call,
                    service: SERVICE,
                    bytes: 0,
                };
                match self.dispatcher.handle(self.now, replied).unwrap() {
                    Delivery::Deliver => self.settle(call, End::Answered),
                    Delivery::Discard => self.settle(call, End::Discarded),
                    Delivery::Again => panic!("nothing fails here"),
                }
            }
            Heard::Returned(calls) => self.tell(Event::Returned { replica, calls }),
            Heard::Withdrawn(call) => {
                let calls = vec![call];
                self.tell(Event::Withdrawn { replica, calls });
            }
            Heard::Worn => self.tell(Event::Worn { replica }),
        }
    }

    /// The link of a dead replica ends: what it has not read is known.
    fn end_link(&mut self, replica: ReplicaId) {
        let peer = self.peer(replica);
        peer.link_end_told = true;
        let unread = peer.inbox.drain(..).filter_map(|said| match said {
            Said::Calls(calls) => Some(calls),
            _ => None,
        });
        let calls: Vec<CallId> = unread.flatten().collect();
        let death = Death::Disconnected;
        self.tell(Event::Died { replica, death });
        self.tell(Event::Unread { replica, calls });
    }

    fn settle(&mut self, call: CallId, end: End) {
        let before = self.settled.insert(call, end);
        assert_eq!(before, None, "call {call} is settled twice");
    }

    /// The dispatcher decides, and what it wants is done.
    fn decide(&mut self) {
        let mut actions = Vec::new();
        self.dispatcher.decide(self.now, &mut actions);
        for action in actions {
            match action {
                Action::Launch { replica, .. } => {
                    let starting = Peer {
                        outbox: VecDeque::from([Heard::Ready]),
                        ..Peer::default()
                    };
                    self.peers.insert(replica, starting);
                }
                Action::Send { replica, calls } => self.say(replica, Said::Calls(calls)),
                Action::Recall { replica, calls } => self.say(replica, Said::Recall(calls)),
                Action::Hasten { replica, call } => self.say(replica, Said::Hasten(call)),
                Action::Interrupt { replica, call } => self.say(replica, Said::Interrupt(call)),
                Action::End { replica } => {
                    if let Some(peer) = self.peers.get_mut(&replica) {
                        peer.is_dead = true;
                    }
                }
                Action::Close { replica } => drop(self.peers.remove(&replica)),
                Action::Retire { replica } => {
                    self.has_renewed = true;
                    let peer = self.peers.remove(&replica).unwrap();
                    assert!(peer.line.is_empty() && peer.inbox.is_empty(), "{peer:?}");
                }
                Action::Lose { call, loss } => {
                    assert!(!self.is_pure(call) && loss.may_have_run, "{call}: {loss:?}");
                    self.settle(call, End::Lost);
                }
                Action::Poison { call, replicas } => {
                    assert!(self.is_pure(call) && (call == AGAIN || replicas.len() == 3));
                    self.settle(call, End::Poisoned);
                }
                Action::Forget { call } => self.settle(call, End::Forgotten),
                other => panic!("{other:?}"),
            }
        }
    }

    fn say(&mut self, replica: ReplicaId, said: Said) {
        if let Some(peer) = self.peers.get_mut(&replica) {
            peer.inbox.push_back(said);
        }
    }

    /// Nothing can happen any more.
    fn check_end(&self) {
        let again = self.begun.contains_key(&AGAIN).then_some(AGAIN);
        for call in self.calls().chain(again) {
            let is_settled = self.settled.contains_key(&call);
            assert!(is_settled, "call {call} is not settled");
        }
        assert!(self.dispatcher.calls.is_empty());
        assert!(self.dispatcher.ended.is_empty() && self.dispatcher.worn.is_empty());
    }
}

/// What has been seen on the way.
#[derive(Default)]
struct Seen {
    states: HashSet<u64>,
    ends: BTreeSet<End>,
    has_renewed: bool,
}

/// Goes through all that can become of a world.
fn explore(calls: &[Effects], left: Left, recycle: Option<u32>) -> Seen {
    let mut seen = Seen::default();
    let mut open = vec![World::new(calls, left, recycle)];
    while let Some(world) = open.pop() {
        let steps = world.steps();
        if steps.is_empty() {
            world.check_end();
            seen.ends.extend(world.settled.values());
            seen.has_renewed |= world.has_renewed;
        }
        for step in steps {
            let mut next = world.clone();
            next.take(step);
            if seen.states.insert(next.state()) {
                open.push(next);
            }
        }
    }
    assert!(seen.states.len() > 400, "{}", seen.states.len());
    seen
}

fn some(deaths: u32) -> Left {
    Left {
        deaths,
        ..Left::default()
    }
}

const PURE: Effects = Effects::Pure;
const ONCE: Effects = Effects::Independent;

#[test]
fn whatever_dies() {
    for calls in [[PURE; 3], [ONCE; 3], [PURE, ONCE, PURE]] {
        let seen = explore(&calls, some(1), None);
        assert_eq!(seen.ends.contains(&End::Lost), calls.contains(&ONCE));
    }
    explore(&[PURE, ONCE], some(2), None);
}

#[test]
fn a_call_that_ends_three_replicas() {
    let seen = explore(&[PURE], some(3), None);
    assert_eq!(Vec::from_iter(seen.ends), [End::Answered, End::Poisoned]);
}

#[test]
fn calls_that_nobody_wants_any_more() {
    let drops = |deaths| Left {
        drops: 1,
        ..some(deaths)
    };
    let interrupts = |deaths| Left {
        interrupts: 1,
        ..some(deaths)
    };
    for ends in [
        explore(&[PURE, ONCE, PURE], drops(0), None).ends,
        explore(&[PURE, ONCE, PURE], interrupts(0), None).ends,
        explore(&[PURE, ONCE], drops(1), None).ends,
        explore(&[PURE, ONCE], interrupts(1), None).ends,
    ] {
        assert!(ends.contains(&End::Answered) && ends.contains(&End::Forgotten));
    }
}

#[test]
fn calls_that_are_waited_for_or_made_again() {
    let demands = Left {
        demands: 2,
        ..some(0)
    };
    explore(&[PURE, ONCE, PURE], demands, None);
    let audits = |deaths| Left {
        audits: 1,
        ..some(deaths)
    };
    explore(&[PURE, ONCE, PURE], audits(0), None);
    let ends = explore(&[PURE, ONCE], audits(1), None).ends;
    assert!(ends.contains(&End::Poisoned), "it is not made once more");
}

#[test]
fn replicas_that_are_renewed() {
    let worn = |deaths| Left {
        worn: 1,
        ..some(deaths)
    };
    for seen in [
        explore(&[PURE, ONCE, PURE], some(1), Some(1)),
        explore(&[PURE, ONCE, PURE], worn(0), None),
        explore(&[PURE, ONCE], worn(1), Some(2)),
    ] {
        assert!(seen.has_renewed);
    }
}
