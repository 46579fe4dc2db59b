//! Simulated time: the dispatcher, and what happens around it, in order.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};
use std::fmt;
use std::sync::Arc;

use cord_dispatch::dispatcher::{Action, CallId, Death, Dispatcher, Event, Heed, Nanos, ReplicaId};
use cord_dispatch::manner::Care;
use cord_dispatch::module_spec::ModuleSpec;
use cord_sync::budget::{Budget, Spent};

use super::cores::{Cores, Who};
use super::program::Program;
use super::replica::Replica;
use super::workload::{Index, Issue, Setup, Workload};

/// How long the system takes to tell that a replica which was ended is gone.
const ENDING: Nanos = 1_000_000;

/// A simulation that does not get on: a mistake of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stuck {
    /// The step that the program was at, of so many.
    pub step: usize,
    pub steps: usize,
}

impl fmt::Display for Stuck {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (step, steps) = (self.step, self.steps);
        write!(
            to,
            "the simulation does not get on at step {step} of {steps}"
        )
    }
}

/// Something is to happen.
#[derive(Debug)]
pub(super) enum What {
    /// Calls come to a replica.
    Arrive(ReplicaId, Vec<Index>),
    /// A call comes, to be run on top of the one that waits for another one.
    Enter(ReplicaId, CallId, Index),
    /// The call that a replica runs need not wait any more.
    Rested(ReplicaId, u64),
    /// Replies come to the dispatcher.
    Replies(ReplicaId, Vec<(Index, Nanos)>),
    /// A reply comes to the replica that has made the call.
    Answer(ReplicaId, Index),
    /// A replica's call comes to the dispatcher.
    Nested(ReplicaId, Index, Index),
    /// A replica that runs a long call sends what it holds.
    Flush(ReplicaId, u64),
    Ready(ReplicaId),
    Recall(ReplicaId, Vec<Index>),
    Returned(ReplicaId, Vec<Index>),
    Hasten(ReplicaId, Index),
    Move(ReplicaId, ReplicaId, Vec<Index>),
    Moved(ReplicaId, Vec<Index>),
    Gone(ReplicaId),
}

#[derive(Debug)]
struct Due {
    at: Nanos,
    number: u64,
    what: What,
}

impl Ord for Due {
    fn cmp(&self, other: &Due) -> Ordering {
        (other.at, other.number).cmp(&(self.at, self.number))
    }
}

impl PartialOrd for Due {
    fn partial_cmp(&self, other: &Due) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Due {
    fn eq(&self, other: &Due) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Due {}

/// What has become of a call.
#[derive(Debug, Default)]
pub(super) struct Fate {
    /// Its number in the dispatcher; 0 before it is issued.
    pub id: CallId,
    /// Its value, or what else came of it, is there.
    pub settled: bool,
    /// It was taken, or dropped.
    pub over: bool,
    /// It has been asked for.
    pub demanded: bool,
    /// During which take of the program, and by which scout it was issued.
    pub during: usize,
    pub scout: u32,
    /// Calls that are to be given its value and are not issued yet.
    pub users: u32,
    /// It is out of its budget until then.
    pub spent: Option<Spent>,
}

/// How the program has spent its time at one place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct At {
    /// It waited for calls of this place.
    pub waited: Nanos,
    /// It issued and took them.
    pub spent: Nanos,
    /// So many were issued by scouts, and taken.
    pub ahead: u64,
    pub taken: u64,
}

/// What comes of a simulation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prediction {
    /// How long the program takes.
    pub time: Nanos,
    /// Of that: its own work.
    pub own: Nanos,
    /// For how long more wanted to compute than there are cores.
    pub crowded: Nanos,
    /// By place.
    pub places: Vec<At>,
    /// By module: for how long its replicas have run calls, all together, and how many there were.
    pub busy: Vec<Nanos>,
    pub replicas: Vec<u32>,
    /// Frames of calls that were sent.
    pub frames: u64,
}

/// All of it.
pub(super) struct World<'a> {
    pub load: &'a Workload,
    pub setup: &'a Setup,
    pub now: Nanos,
    pub cores: Cores,
    pub fates: Vec<Fate>,
    /// By number, from 1.
    pub replicas: Vec<Replica>,
    pub program: Program,
    pub budgets: Vec<Vec<Arc<Budget>>>,
    /// Calls that a scout can issue once it has the value of these.
    pub followers: HashMap<Index, Vec<Index>>,
    dispatcher: Dispatcher,
    heeds: Vec<Heed>,
    /// The calls by their numbers, from 1.
    numbered: Vec<Index>,
    dues: BinaryHeap<Due>,
    number: u64,
    undecided: bool,
    actions: Vec<Action>,
    launched: Vec<u32>,
    /// When the last replica of each module is ready.
    starting: Vec<Nanos>,
    frames: u64,
}

impl<'a> World<'a> {
    pub fn new(load: &'a Workload, setup: &'a Setup) -> World<'a> {
        let modules: Vec<ModuleSpec> = setup.modules.iter().map(afresh).collect();
        let manners = |module: &ModuleSpec| {
            let budgets = module.manners.iter().map(|one| Arc::clone(&one.budget));
            budgets.collect()
        };
        let mut followers: HashMap<Index, Vec<Index>> = HashMap::new();
        let mut fates: Vec<Fate> = load.calls.iter().map(|_| Fate::default()).collect();
        for (at, call) in load.calls.iter().enumerate() {
            if let Issue::After { call: before, .. } = call.issue {
                followers.entry(before).or_default().push(at as Index);
            }
            for need in &call.needs {
                fates[*need as usize].users += 1;
            }
        }
        World {
            load,
            setup,
            now: 0,
            cores: Cores::new(setup.cores),
            fates,
            replicas: Vec::new(),
            program: Program::new(load, setup),
            budgets: modules.iter().map(manners).collect(),
            followers,
            dispatcher: Dispatcher::new(&modules),
            heeds: Vec::new(),
            numbered: Vec::new(),
            dues: BinaryHeap::new(),
            number: 0,
            undecided: true,
            actions: Vec::new(),
            launched: vec![0; modules.len()],
            starting: vec![0; modules.len()],
            frames: 0,
        }
    }

    /// Runs to the program's end.
    pub fn run(mut self) -> Result<Prediction, Stuck> {
        self.decide();
        self.advance();
        while !self.program.is_over() {
            let due = self.dues.peek().map(|due| due.at);
            let computed = self.cores.next();
            let timer = self.dispatcher.timer();
            let Some(next) = [due, computed, timer].into_iter().flatten().min() else {
                if self.undecided {
                    self.decide();
                    continue;
                }
                return Err(Stuck {
                    step: self.program.at,
                    steps: self.load.program.len(),
                });
            };
            self.now = self.now.max(next);
            if computed.is_some_and(|at| at <= self.now) {
                match self.cores.end(self.now) {
                    Some(Who::Program) => self.computed(),
                    Some(Who::Replica(replica)) => self.replica_computed(replica),
                    None => {}
                }
            } else if due.is_some_and(|at| at <= self.now) {
                if let Some(due) = self.dues.pop() {
                    self.happen(due.what);
                }
            }
            let is_timed = timer.is_some_and(|at| at <= self.now);
            let more = self.dues.peek().is_some_and(|due| due.at <= self.now);
            if is_timed || self.undecided && !more {
                self.decide();
            }
        }
        Ok(Prediction {
            time: self.now,
            own: self.program.own,
            crowded: self.cores.crowded(),
            places: self.program.places,
            busy: self.dispatcher.busy().map(|one| one.iter().sum()).collect(),
            replicas: self.launched,
            frames: self.frames,
        })
    }

    /// Something is to happen so much later.
    pub fn later(&mut self, after: Nanos, what: What) {
        self.number += 1;
        self.dues.push(Due {
            at: self.now + after,
            number: self.number,
            what,
        });
    }

    /// The dispatcher hears of something, and decides soon.
    pub fn tell(&mut self, event: Event) {
        // what cannot be is told as a fault of the call, which is lost then
        let _ = self.dispatcher.handle(self.now, event);
        self.undecided = true;
    }

    /// The same of the program's thread, for whom it is not always worth a waking.
    pub fn leave(&mut self, event: Event) {
        let wakes = match &event {
            Event::Issued(issue) => self.heed(issue.module).is_none_or(|heed| heed.issued),
            Event::Demanded(call) => self.heeds.iter().any(|heed| heed.demanded <= *call),
            _ => true,
        };
        let before = self.undecided;
        self.tell(event);
        self.undecided = before || wakes;
    }

    /// The dispatcher is woken.
    pub fn look_again(&mut self) {
        self.undecided = true;
    }

    fn heed(&self, module: u32) -> Option<&Heed> {
        self.heeds.get(module as usize)
    }

    /// A replica's module gets a call of this number next.
    pub fn give_number(&mut self, call: Index) -> CallId {
        self.numbered.push(call);
        let id = self.numbered.len() as CallId;
        self.fates[call as usize].id = id;
        id
    }

    fn call_of(&self, id: CallId) -> Index {
        self.numbered[id as usize - 1]
    }

    fn calls_of(&self, ids: &[CallId]) -> Vec<Index> {
        ids.iter().map(|id| self.call_of(*id)).collect()
    }

    pub fn ids_of(&self, calls: &[Index]) -> Vec<CallId> {
        let id = |call: &Index| self.fates[*call as usize].id;
        calls.iter().map(id).collect()
    }

    fn decide(&mut self) {
        self.undecided = false;
        let mut actions = std::mem::take(&mut self.actions);
        self.dispatcher.decide(self.now, &mut actions);
        for action in actions.drain(..) {
            self.perform(action);
        }
        self.actions = actions;
        self.heeds.clear();
        self.heeds.extend(self.dispatcher.heeds());
        let mut is_idle = false;
        for module in 0..self.heeds.len() {
            let idle = self.heeds[module].idle;
            is_idle |= idle;
            for budget in &self.budgets[module] {
                budget.set_idle(idle);
            }
        }
        if is_idle && self.program.waits() {
            self.advance();
        }
    }

    fn perform(&mut self, action: Action) {
        let latency = self.load.latency;
        match action {
            Action::Launch {
                module,
                replica,
                slot,
            } => self.launch(module, replica, slot),
            Action::Send { replica, calls } => {
                self.frames += 1;
                let calls = self.calls_of(&calls);
                self.later(latency.there, What::Arrive(replica, calls));
            }
            Action::Enter {
                replica,
                wait,
                call,
            } => {
                let call = self.call_of(call);
                self.later(latency.there, What::Enter(replica, wait, call));
            }
            Action::Recall { replica, calls } => {
                let calls = self.calls_of(&calls);
                self.later(latency.there, What::Recall(replica, calls));
            }
            Action::Hasten { replica, call } => {
                let call = self.call_of(call);
                self.later(latency.there, What::Hasten(replica, call));
            }
            Action::Move { from, to, calls } => {
                let calls = self.calls_of(&calls);
                self.later(latency.there, What::Move(from, to, calls));
            }
            Action::End { replica } => {
                self.end(replica);
                self.later(ENDING, What::Gone(replica));
            }
            Action::Retire { replica } => self.end(replica),
            Action::Lose { call, .. }
            | Action::Poison { call, .. }
            | Action::Deny { call, .. }
            | Action::NoRoom { call, .. }
            | Action::Refuse { call, .. }
            | Action::Fault { call, .. }
            | Action::Expire { call, .. } => self.settle(self.call_of(call)),
            Action::Admit { .. }
            | Action::Layer { .. }
            | Action::Interrupt { .. }
            | Action::Close { .. }
            | Action::Forget { .. }
            | Action::Release { .. } => {}
        }
    }

    /// Replicas start one after the other.
    fn launch(&mut self, module: u32, replica: ReplicaId, slot: u32) {
        let at = module as usize;
        let start = self.load.starts.get(at).copied().unwrap_or_default();
        let alone = self.now
            + match self.now {
                0 => start.first,
                _ => start.later,
            };
        let ready = match self.launched[at] {
            0 => alone,
            _ => alone.max(self.starting[at] + start.each),
        };
        self.launched[at] += 1;
        self.starting[at] = ready;
        self.replicas
            .resize_with(replica as usize, Replica::default);
        self.replicas[replica as usize - 1] = Replica::new(slot);
        self.later(ready - self.now, What::Ready(replica));
    }

    fn happen(&mut self, what: What) {
        match what {
            What::Arrive(replica, calls) => self.arrive(replica, calls),
            What::Enter(replica, wait, call) => self.enter(replica, wait, call),
            What::Rested(replica, begun) => self.rested(replica, begun),
            What::Replies(replica, replies) => {
                for (call, service) in replies {
                    self.replied(replica, call, service);
                }
            }
            What::Answer(replica, call) => self.answered(replica, call),
            What::Nested(replica, parent, call) => self.nested(replica, parent, call),
            What::Flush(replica, begun) => self.flush_long(replica, begun),
            What::Ready(replica) => self.tell(Event::Ready { replica }),
            What::Recall(replica, calls) => self.give_back(replica, &calls),
            What::Returned(replica, calls) => {
                let calls = self.ids_of(&calls);
                self.tell(Event::Returned { replica, calls });
            }
            What::Hasten(replica, call) => self.hasten(replica, call),
            What::Move(from, to, calls) => self.pass_on(from, to, &calls),
            What::Moved(replica, calls) => {
                let calls = self.ids_of(&calls);
                self.tell(Event::Moved { replica, calls });
            }
            What::Gone(replica) => {
                let of = |death| Event::Died { replica, death };
                self.tell(of(Death::Disconnected));
                self.tell(of(Death::Killed));
            }
        }
    }

    /// A reply has come: to the program, or to the replica that has made the call.
    fn replied(&mut self, replica: ReplicaId, call: Index, service: Nanos) {
        let (what, id) = (
            &self.load.calls[call as usize],
            self.fates[call as usize].id,
        );
        let bytes = what.came;
        self.tell(match what.keeps {
            true => Event::Kept {
                replica,
                call: id,
                service,
                bytes,
                at_home: bytes >= cord_wire::outcome::KEPT_FROM,
            },
            false => Event::Replied {
                replica,
                call: id,
                service,
                bytes,
            },
        });
        if what.nested {
            let from = self.fates[call as usize].scout;
            return self.later(self.load.latency.there, What::Answer(from, call));
        }
        if !self.fates[call as usize].over && !what.keeps {
            self.budgets[what.module as usize][what.manner as usize].keep(bytes);
        }
        self.settle(call);
    }
}

/// The same module, of whose calls none are out.
fn afresh(module: &ModuleSpec) -> ModuleSpec {
    let mut module = module.clone();
    for manner in &mut module.manners {
        manner.budget = Arc::new(manner.budget.afresh());
        // rates are kept in simulated time, too; calls have taken what they took with all the rest
        manner.care = manner.care.as_ref().map(|care| {
            let gate = care.gate.filter(|gate| module.gates[*gate].rate.is_some());
            Arc::new(Care {
                gate,
                ..Care::default()
            })
        });
    }
    for gate in &mut module.gates {
        gate.group = 1;
    }
    module
}
