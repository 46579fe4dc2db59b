//! Replicas that call one another, tried out with simulated ones: whatever the graph of calls, and
//! however small the pools, every call ends.

use super::replica::Phase;
use super::tests::{Dice, Lab};
use super::*;
use crate::life::MAX_TRIES;

/// What a call does: it makes these calls, one after the other.
#[derive(Debug, Clone)]
struct Script {
    module: u32,
    pure_call: bool,
    calls: Vec<Script>,
}

/// A call that is being run, and how many of its own it has made.
#[derive(Debug)]
struct Frame {
    call: CallId,
    made: usize,
    waits: Option<CallId>,
}

/// The single thread of a replica: what it runs, each on top of the one that waits.
type Stack = Vec<Frame>;

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Answered,
    Lost,
    Forgotten,
}

/// A dispatcher, with replicas that follow scripts.
struct World {
    lab: Lab,
    scripts: Vec<Script>,
    ends: Vec<Option<End>>,
    begun: Vec<u32>,
    stacks: IdMap<ReplicaId, Stack>,
    /// What has been sent to the thread that waits for a call: to be run before it goes on.
    inner: IdMap<CallId, Vec<CallId>>,
    deepest: usize,
    /// A replica that never gets on.
    endless: Option<ReplicaId>,
}

impl World {
    fn new(replicas: &[u32]) -> World {
        let mut world = World {
            lab: Lab::new(replicas),
            scripts: Vec::new(),
            ends: Vec::new(),
            begun: Vec::new(),
            stacks: IdMap::default(),
            inner: IdMap::default(),
            deepest: 0,
            endless: None,
        };
        world.start_all();
        world
    }

    fn start_all(&mut self) {
        for id in self.replicas(Phase::Starting) {
            self.lab.make_ready(id);
        }
        self.look();
    }

    fn replicas(&self, phase: Phase) -> Vec<ReplicaId> {
        let all = self.lab.dispatcher.replicas.iter();
        let mut found: Vec<ReplicaId> = all
            .filter(|(_, replica)| replica.phase == phase)
            .map(|(id, _)| *id)
            .collect();
        found.sort_unstable();
        found
    }

    fn add(&mut self, script: Script) -> CallId {
        self.scripts.push(script);
        self.ends.push(None);
        self.begun.push(0);
        self.scripts.len() as CallId - 1
    }

    /// The client makes a call.
    fn issue(&mut self, script: Script) -> CallId {
        let (module, pure_call) = (script.module, script.pure_call);
        let call = self.add(script);
        self.lab.dispatcher.issued(call, module, pure_call);
        self.lab.decide();
        self.look();
        call
    }

    /// What the stack's thread can do now; `None` if it only waits.
    fn next_of(&self, id: ReplicaId) -> Option<Step> {
        let Some(top) = self.stacks.get(&id).and_then(|stack| stack.last()) else {
            return self.lab.has(id).first().map(|call| Step::Begin(*call));
        };
        if let Some(waits) = top.waits {
            if let Some(inner) = self.inner.get(&waits).and_then(|calls| calls.first()) {
                return Some(Step::BeginInner(waits, *inner));
            }
            return self.ends[waits as usize].map(|_| Step::GoOn);
        }
        let script = &self.scripts[top.call as usize];
        Some(match script.calls.get(top.made) {
            Some(next) => Step::Call(next.clone()),
            None => Step::Reply,
        })
    }

    fn step(&mut self, id: ReplicaId, step: Step) {
        match step {
            Step::Begin(call) => self.begin(id, call),
            Step::BeginInner(waits, call) => {
                self.inner.entry(waits).or_default().remove(0);
                self.begin(id, call);
            }
            Step::GoOn => self.top(id).waits = None,
            Step::Call(script) => self.call(id, script),
            Step::Reply => self.reply(id),
        }
        self.lab.now += MICRO;
        self.lab.decide();
        self.look();
    }

    fn top(&mut self, id: ReplicaId) -> &mut Frame {
        self.stacks.get_mut(&id).unwrap().last_mut().unwrap()
    }

    fn begin(&mut self, id: ReplicaId, call: CallId) {
        self.begun[call as usize] += 1;
        let stack = self.stacks.entry(id).or_default();
        stack.push(Frame {
            call,
            made: 0,
            waits: None,
        });
        self.deepest = self.deepest.max(stack.len());
    }

    fn call(&mut self, id: ReplicaId, script: Script) {
        let (module, pure_call) = (script.module, script.pure_call);
        let call = self.add(script);
        let top = self.top(id);
        top.made += 1;
        top.waits = Some(call);
        let parent = top.call;
        let dispatcher = &mut self.lab.dispatcher;
        dispatcher.nested(call, module, pure_call, id, parent);
    }

    fn reply(&mut self, id: ReplicaId) {
        let stack = self.stacks.get_mut(&id).unwrap();
        let call = stack.pop().unwrap().call;
        if stack.is_empty() {
            let begun = self.lab.at.get_mut(&id).unwrap().remove(0);
            assert_eq!(begun, call);
        }
        let replied = self.lab.dispatcher.replied(id, call, MILLI).unwrap();
        let end = match replied {
            Delivery::Deliver => End::Answered,
            Delivery::Discard => End::Forgotten,
        };
        self.end(call, end);
    }

    fn end(&mut self, call: CallId, end: End) {
        let before = self.ends[call as usize].replace(end);
        assert_eq!(before, None, "call {call} ends twice");
    }

    fn kill(&mut self, id: ReplicaId) {
        for frame in self.stacks.remove(&id).unwrap_or_default() {
            if let Some(waits) = frame.waits {
                self.inner.remove(&waits);
            }
        }
        self.lab.die(id);
        self.look();
    }

    fn look(&mut self) {
        for action in self.lab.taken() {
            match action {
                Action::Enter { wait, call, .. } => {
                    assert_eq!(self.ends[wait as usize], None, "nobody waits for {wait}");
                    self.inner.entry(wait).or_default().push(call);
                }
                Action::Lose { call, loss } => {
                    let pure_call = self.scripts[call as usize].pure_call;
                    assert!(!pure_call || loss.tries == MAX_TRIES, "{call}: {loss:?}");
                    self.end(call, End::Lost);
                }
                Action::Forget { call } => self.end(call, End::Forgotten),
                Action::Recall { replica, calls } => {
                    let begun = self.stacks.get(&replica).is_some_and(|s| !s.is_empty());
                    self.give_back(replica, &calls, begun);
                }
                Action::Kill { pid } => self.kill(pid - 1000),
                Action::Refuse { .. } => panic!("all modules are available"),
                Action::Send { .. } | Action::Launch { .. } | Action::Close { .. } => {}
            }
        }
    }

    fn give_back(&mut self, id: ReplicaId, calls: &[CallId], begun: bool) {
        let Some(at) = self.lab.at.get_mut(&id) else {
            return;
        };
        let first = usize::from(begun).min(at.len());
        let returned: Vec<CallId> = at[first..]
            .iter()
            .copied()
            .filter(|call| calls.contains(call))
            .collect();
        at.retain(|call| !returned.contains(call));
        self.lab.dispatcher.returned(id, &returned).unwrap();
        self.lab.decide();
        self.look();
    }

    /// Runs replicas in random turns until all that was issued has ended.
    fn run(&mut self, dice: &mut Dice) {
        while !self.lab.dispatcher.calls.is_empty() {
            assert!(self.turn(dice), "locked up: {:#?}", self.stacks);
        }
    }

    /// One step of one replica; false if none can do anything.
    fn turn(&mut self, dice: &mut Dice) -> bool {
        self.start_all();
        let mut able: Vec<(ReplicaId, Step)> = self
            .replicas(Phase::Ready)
            .into_iter()
            .filter(|id| self.endless != Some(*id))
            .filter_map(|id| Some((id, self.next_of(id)?)))
            .collect();
        if able.is_empty() {
            return false;
        }
        let chosen = dice.below(able.len() as u64) as usize;
        let (id, step) = able.swap_remove(chosen);
        self.step(id, step);
        true
    }
}

#[derive(Debug)]
enum Step {
    Begin(CallId),
    BeginInner(CallId, CallId),
    GoOn,
    Call(Script),
    Reply,
}

/// A call of the first module that calls the second, and so on.
fn chain(modules: &[u32], pure_call: bool) -> Script {
    let mut modules = modules.iter().rev();
    let last = Script {
        module: *modules.next().unwrap(),
        pure_call,
        calls: Vec::new(),
    };
    modules.fold(last, |inner, module| Script {
        module: *module,
        pure_call,
        calls: vec![inner],
    })
}

/// A random tree of calls over `modules`, none calling its own module.
fn tree(dice: &mut Dice, purity: &[bool], module: u32, depth: u64) -> Script {
    let width = if depth == 0 { 0 } else { dice.below(3) };
    let others = purity.len() as u64 - 1;
    let calls = (0..width)
        .map(|_| {
            let other = (u64::from(module) + 1 + dice.below(others)) % (others + 1);
            tree(dice, purity, other as u32, depth - 1)
        })
        .collect();
    Script {
        module,
        pure_call: purity[module as usize],
        calls,
    }
}

#[test]
fn a_call_comes_back_to_the_replica_that_waits() {
    for pure_call in [true, false] {
        let mut world = World::new(&[1, 1]);
        let modules: Vec<u32> = (0..100).map(|n| n % 2).collect();
        let call = world.issue(chain(&modules, pure_call));
        world.run(&mut Dice(1));
        assert_eq!(world.ends[call as usize], Some(End::Answered));
        assert_eq!(world.deepest, 50);
    }
}

/// What else runs, for ever perhaps, does not matter.
#[test]
fn rules_one_and_two_wait_for_nobody_else() {
    for (calls, pure_call) in [(&[&[0, 1, 0][..]][..], false), (&[&[0, 1], &[1, 0]], true)] {
        let mut world = World::new(&[1, 1, 1]);
        world.issue(chain(&[2], true));
        world.step(3, Step::Begin(0));
        world.endless = Some(3);
        for modules in calls {
            world.issue(chain(modules, pure_call));
        }
        while world.turn(&mut Dice(1)) {}
        assert!(world.ends[1..]
            .iter()
            .all(|end| *end == Some(End::Answered)));
    }
}

#[test]
fn an_idle_replica_goes_before_one_that_waits() {
    let mut world = World::new(&[2, 1]);
    world.issue(chain(&[0, 1, 0], true));
    world.run(&mut Dice(1));
    assert_eq!(world.deepest, 1);
}

#[test]
fn pure_calls_that_cross_are_run_meanwhile() {
    let mut world = World::new(&[1, 1]);
    world.issue(chain(&[0, 1], true));
    world.issue(chain(&[1, 0], true));
    world.run(&mut Dice(1));
    assert!(world.ends.iter().all(|end| *end == Some(End::Answered)));
}

/// Two threads of the client make calls that are not pure and cross.
#[test]
fn impure_calls_that_cross_are_run_when_nothing_else_gets_on() {
    let mut world = World::new(&[1, 1, 1]);
    world.issue(chain(&[0, 1], false));
    world.issue(chain(&[1, 0], false));
    world.issue(chain(&[2], true));
    world.run(&mut Dice(1));
    assert!(world.ends.iter().all(|end| *end == Some(End::Answered)));
}

#[test]
fn an_impure_call_of_others_waits_while_anything_gets_on() {
    let mut world = World::new(&[1, 1, 1]);
    let first = world.issue(chain(&[0, 1], false));
    for _ in 0..2 {
        let step = world.next_of(1).unwrap();
        world.step(1, step);
    }
    world.issue(chain(&[2, 0], false));
    for _ in 0..2 {
        let step = world.next_of(3).unwrap();
        world.step(3, step);
    }
    // Replica 1 waits for replica 2, which can go on: 3 waits its turn.
    assert!(world.inner.is_empty());
    world.run(&mut Dice(1));
    assert_eq!(world.ends[first as usize], Some(End::Answered));
    assert_eq!(world.deepest, 1);
}

#[test]
fn calls_of_a_dead_replica_are_dropped_and_it_is_tried_again() {
    let mut world = World::new(&[1, 1]);
    let call = world.issue(chain(&[0, 1], true));
    for _ in 0..2 {
        let step = world.next_of(1).unwrap();
        world.step(1, step);
    }
    let nested = call as usize + 1;
    assert_eq!(world.next_of(2).map(|_| ()), Some(()));
    world.kill(1);
    assert!(world.lab.dispatcher.calls[&(nested as CallId)].is_dropped());
    world.run(&mut Dice(1));
    assert_eq!(world.ends[nested], Some(End::Forgotten));
    assert_eq!(world.ends[call as usize], Some(End::Answered));
}

#[test]
fn a_call_that_nobody_waits_for_any_more_is_dropped() {
    let mut world = World::new(&[1, 1]);
    world.issue(chain(&[1, 1], true));
    world.issue(chain(&[0, 1], true));
    for _ in 0..2 {
        let step = world.next_of(1).unwrap();
        world.step(1, step);
    }
    let nested = world.scripts.len() as CallId - 1;
    assert!(world.lab.dispatcher.modules[1].queue.nested().eq([nested]));
    world.lab.dispatcher.forsaken(nested);
    world.lab.decide();
    world.look();
    assert_eq!(world.ends[nested as usize], Some(End::Forgotten));
    assert!(world.lab.dispatcher.replicas[&1].waits.is_empty());
}

#[test]
fn a_loss_reaches_the_replica_that_waits() {
    let mut world = World::new(&[1, 1]);
    let call = world.issue(chain(&[0, 1], false));
    for _ in 0..2 {
        let step = world.next_of(1).unwrap();
        world.step(1, step);
    }
    world.kill(2);
    assert_eq!(world.ends[call as usize + 1], Some(End::Lost));
    world.run(&mut Dice(1));
    assert_eq!(world.ends[call as usize], Some(End::Answered));
}

/// Many pure calls at once, over random graphs, each module with one or two replicas.
#[test]
fn no_graph_of_pure_calls_locks_up() {
    for seed in 0..300 {
        let mut dice = Dice(seed);
        let modules = 2 + dice.below(3) as usize;
        let replicas: Vec<u32> = (0..modules).map(|_| 1 + dice.below(2) as u32).collect();
        let mut world = World::new(&replicas);
        let depth = 1 + dice.below(4);
        for _ in 0..12 {
            let module = dice.below(modules as u64) as u32;
            let script = tree(&mut dice, &vec![true; modules], module, depth);
            world.issue(script);
        }
        world.run(&mut dice);
        assert!(world.ends.iter().all(|end| *end == Some(End::Answered)));
        // Never more at once than the chains of calls that idle replicas have begun.
        let chains: u32 = replicas.iter().sum();
        assert!(world.deepest <= chains as usize * (depth as usize + 1));
    }
}

/// Pure calls ahead, and calls that are not pure, one after the other, as a program makes them.
#[test]
fn no_graph_of_mixed_calls_locks_up() {
    for seed in 0..300 {
        let mut dice = Dice(seed);
        let modules = 2 + dice.below(3) as usize;
        let purity: Vec<bool> = (0..modules).map(|_| dice.below(2) == 0).collect();
        let replicas: Vec<u32> = purity
            .iter()
            .map(|pure_call| 1 + u32::from(*pure_call) * dice.below(2) as u32)
            .collect();
        let mut world = World::new(&replicas);
        for _ in 0..8 {
            let module = dice.below(modules as u64) as u32;
            let script = tree(&mut dice, &purity, module, 4);
            let in_place = !script.pure_call;
            let call = world.issue(script);
            while in_place && world.ends[call as usize].is_none() {
                assert!(world.turn(&mut dice), "seed {seed} locks up");
            }
        }
        world.run(&mut dice);
        for (call, script) in world.scripts.iter().enumerate() {
            assert!(script.pure_call || world.begun[call] == 1);
        }
    }
}

/// Replicas die at any time.
#[test]
fn calls_end_whatever_dies() {
    for seed in 0..300 {
        let mut dice = Dice(seed);
        let purity = [true, dice.below(2) == 0, true];
        let mut world = World::new(&[2, 1, 1]);
        for _ in 0..8 {
            let module = dice.below(3) as u32;
            let script = tree(&mut dice, &purity, module, 3);
            world.issue(script);
            for _ in 0..6 {
                world.turn(&mut dice);
            }
            let ready = world.replicas(Phase::Ready);
            if dice.below(3) == 0 && !ready.is_empty() {
                world.kill(ready[dice.below(ready.len() as u64) as usize]);
            }
        }
        world.run(&mut dice);
        let module = &world.lab.dispatcher.modules;
        assert!(module.iter().all(|module| module.queue.is_empty()));
        assert!(world.ends.iter().all(Option::is_some));
        for (call, script) in world.scripts.iter().enumerate() {
            assert!(script.pure_call || world.begun[call] <= 1);
        }
    }
}
