//! Simulated replicas that call one another.

use super::dice::Dice;
use super::lab::Lab;
use super::replica::Phase;
use super::*;
use crate::life::MAX_TRIES;

/// What a call does: it makes these calls, one after the other.
#[derive(Debug, Clone)]
pub(super) struct Script {
    pub(super) module: u32,
    pub(super) pure_call: bool,
    pub(super) calls: Vec<Script>,
}

/// A call that is being run, and how many of its own it has made.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) call: CallId,
    pub(super) made: usize,
    pub(super) waits: Option<CallId>,
}

/// The single thread of a replica: what it runs, each on top of the one that waits.
pub(super) type Stack = Vec<Frame>;

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Answered,
    Lost,
    Forgotten,
}

/// A dispatcher, with replicas that follow scripts.
pub(super) struct World {
    pub(super) lab: Lab,
    pub(super) scripts: Vec<Script>,
    pub(super) ends: Vec<Option<End>>,
    pub(super) begun: Vec<u32>,
    pub(super) stacks: IdMap<ReplicaId, Stack>,
    /// What has been sent to the thread that waits for a call: to be run before it goes on.
    pub(super) inner: IdMap<CallId, Vec<CallId>>,
    pub(super) deepest: usize,
    /// A replica that never gets on.
    pub(super) endless: Option<ReplicaId>,
}

impl World {
    pub(super) fn new(replicas: &[u32]) -> World {
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

    /// The same, whose replicas are renewed after so many calls.
    pub(super) fn recycle(&mut self, calls: u32) {
        self.lab.recycle(calls);
        self.start_all();
    }

    pub(super) fn start_all(&mut self) {
        for id in self.replicas(Phase::Starting) {
            self.lab.make_ready(id);
        }
        self.look();
    }

    pub(super) fn replicas(&self, phase: Phase) -> Vec<ReplicaId> {
        let all = self.lab.dispatcher.replicas.iter();
        let mut found: Vec<ReplicaId> = all
            .filter(|(_, replica)| replica.phase == phase)
            .map(|(id, _)| *id)
            .collect();
        found.sort_unstable();
        found
    }

    pub(super) fn add(&mut self, script: Script) -> CallId {
        self.scripts.push(script);
        self.ends.push(None);
        self.begun.push(0);
        self.scripts.len() as CallId - 1
    }

    /// The client makes a call.
    pub(super) fn issue(&mut self, script: Script) -> CallId {
        let (module, pure_call) = (script.module, script.pure_call);
        let call = self.add(script);
        self.lab.issued(Issue::plain(call, module, pure_call));
        self.lab.decide();
        self.look();
        call
    }

    /// What the stack's thread can do now; `None` if it only waits.
    pub(super) fn next_of(&self, id: ReplicaId) -> Option<Step> {
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

    pub(super) fn step(&mut self, id: ReplicaId, step: Step) {
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

    pub(super) fn top(&mut self, id: ReplicaId) -> &mut Frame {
        self.stacks.get_mut(&id).unwrap().last_mut().unwrap()
    }

    pub(super) fn begin(&mut self, id: ReplicaId, call: CallId) {
        self.begun[call as usize] += 1;
        let stack = self.stacks.entry(id).or_default();
        stack.push(Frame {
            call,
            made: 0,
            waits: None,
        });
        self.deepest = self.deepest.max(stack.len());
    }

    pub(super) fn call(&mut self, id: ReplicaId, script: Script) {
        let (module, pure_call) = (script.module, script.pure_call);
        let call = self.add(script);
        let top = self.top(id);
        top.made += 1;
        top.waits = Some(call);
        let parent = top.call;
        self.lab
            .nested(call, module, Effects::of(pure_call), id, parent);
    }

    pub(super) fn reply(&mut self, id: ReplicaId) {
        let stack = self.stacks.get_mut(&id).unwrap();
        let call = stack.pop().unwrap().call;
        if stack.is_empty() {
            let begun = self.lab.at.get_mut(&id).unwrap().remove(0);
            assert_eq!(begun, call);
        }
        let replied = self.lab.replied(id, call, MILLI, 0).unwrap();
        let end = match replied {
            Delivery::Deliver => End::Answered,
            Delivery::Discard => End::Forgotten,
            Delivery::Again => panic!("nothing fails here"),
        };
        self.end(call, end);
    }

    pub(super) fn end(&mut self, call: CallId, end: End) {
        let before = self.ends[call as usize].replace(end);
        assert_eq!(before, None, "call {call} ends twice");
    }

    pub(super) fn kill(&mut self, id: ReplicaId) {
        for frame in self.stacks.remove(&id).unwrap_or_default() {
            if let Some(waits) = frame.waits {
                self.inner.remove(&waits);
            }
        }
        self.lab.die(id);
        self.look();
    }

    pub(super) fn look(&mut self) {
        for action in self.lab.taken() {
            match action {
                Action::Enter { wait, call, .. } => {
                    assert_eq!(self.ends[wait as usize], None, "nobody waits for {wait}");
                    self.inner.entry(wait).or_default().push(call);
                }
                Action::Lose { call, loss } => {
                    let pure_call = self.scripts[call as usize].pure_call;
                    assert!(!pure_call, "{call}: {loss:?}");
                    self.end(call, End::Lost);
                }
                Action::Poison { call, replicas } => {
                    assert!(self.scripts[call as usize].pure_call);
                    assert_eq!(replicas.len(), MAX_TRIES as usize, "{call}");
                    self.end(call, End::Lost);
                }
                Action::Forget { call } => self.end(call, End::Forgotten),
                Action::Recall { replica, calls } => {
                    let begun = self.stacks.get(&replica).is_some_and(|s| !s.is_empty());
                    self.give_back(replica, &calls, begun);
                }
                Action::End { replica } => self.kill(replica),
                Action::Retire { replica } => {
                    let stack = self.stacks.remove(&replica).unwrap_or_default();
                    assert!(stack.is_empty() && self.lab.has(replica).is_empty());
                }
                Action::Move { .. } => panic!("nothing is passed on here"),
                Action::Release { .. } => panic!("nothing is kept here"),
                Action::Refuse { .. } => panic!("all modules are available"),
                Action::Deny { .. } => panic!("no module keeps state here"),
                Action::NoRoom { .. } => panic!("there is room for all"),
                Action::Admit { .. } | Action::Layer { .. } | Action::Expire { .. } => {
                    panic!("nothing says so here")
                }
                Action::Fault { .. } => panic!("{action:?}"),
                Action::Send { .. }
                | Action::Launch { .. }
                | Action::Close { .. }
                | Action::Hasten { .. }
                | Action::Interrupt { .. } => {}
            }
        }
    }

    pub(super) fn give_back(&mut self, id: ReplicaId, calls: &[CallId], begun: bool) {
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
        self.lab.returned(id, &returned).unwrap();
        self.lab.decide();
        self.look();
    }

    /// Runs replicas in random turns until all that was issued has ended.
    pub(super) fn run(&mut self, dice: &mut Dice) {
        while !self.lab.dispatcher.calls.is_empty() {
            assert!(self.turn(dice), "locked up: {:#?}", self.stacks);
        }
    }

    /// One step of one replica; false if none can do anything.
    pub(super) fn turn(&mut self, dice: &mut Dice) -> bool {
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
pub(super) enum Step {
    Begin(CallId),
    BeginInner(CallId, CallId),
    GoOn,
    Call(Script),
    Reply,
}
