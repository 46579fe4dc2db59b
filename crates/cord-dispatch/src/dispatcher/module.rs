//! What the dispatcher knows of one module.

use std::collections::BTreeSet;

use super::balance::Balance;
use super::feed::Style;
use super::gates::{Gate, Gates};
use super::lanes::{Slot, Waiting};
use super::rate::Bucket;
use super::starts::Starts;
use super::tended::Tally;
use super::{Loss, Nanos, ReplicaId};
use crate::audit::Share;
use crate::module_spec::ModuleSpec;

/// So many replicas may die idle in a row before the next is made only when it is needed.
const MAX_IDLE_DEATHS: u32 = 3;

/// One module: its replicas by what they are fit for, and what waits for them.
#[derive(Debug, Clone)]
pub struct Module {
    /// How many replicas there may be, how many there are to be whatever happens, and how many there
    /// were calls for at once.
    pub wanted: u32,
    /// How many of them share a process.
    pub threads: u32,
    /// Whether these are all that there are ever to be, or one process for each core.
    per_core: bool,
    at_start: u32,
    pub most: u32,
    pub live: u32,
    /// Calls that replicas are not made for.
    pub beside: usize,
    pub styles: Vec<Style>,
    /// Who is in which place; and the places that nobody is in.
    pub slots: Vec<Option<ReplicaId>>,
    pub free: BTreeSet<Slot>,
    pub queue: Waiting,
    /// What calls go through before they come to wait there, where the plan says so.
    pub gates: Gates,
    /// What has become of calls that are taken care of.
    pub tally: Tally,
    /// How many calls pause before they are tried again.
    pub asleep: usize,
    /// Lanes of which calls are held back until the program has taken replies.
    pub held: BTreeSet<Slot>,
    /// Ready replicas that take more calls, the least loaded first.
    pub open: BTreeSet<(usize, ReplicaId)>,
    /// How many of them have none.
    pub idle: usize,
    /// Ready replicas with calls that wait behind others, by load.
    pub stacked: BTreeSet<(usize, ReplicaId)>,
    /// Ready replicas with any calls that wait behind others, by load.
    pub loaded: BTreeSet<(usize, ReplicaId)>,
    /// How they pass calls to one another, if they do.
    pub balance: Option<Balance>,
    /// Replicas that run a dropped call.
    pub wasted: BTreeSet<ReplicaId>,
    /// How many replicas are ready.
    pub serving: usize,
    /// Those with a thread that only waits, by the number of calls that they run meanwhile.
    pub waiting: BTreeSet<(usize, ReplicaId)>,
    /// How many replicas have a recall to answer.
    pub recalls: usize,
    pub starts: Starts,
    pub idle_deaths: u32,
    /// Whether what stateful calls leave in a replica must not be lost in silence.
    pub keeps_state: bool,
    /// How that was lost, until the client loads the module anew.
    pub state_lost: Option<Loss>,
    /// Whether a call was told so.
    pub loss_told: bool,
    /// When replicas are asked for again, after there was no room for one.
    pub launch_at: Nanos,
    pub last_loss: Loss,
    /// By place: for how long replicas there have run calls that were answered.
    pub busy: Vec<Nanos>,
    /// How many calls they have answered.
    pub answered: u64,
    /// Calls that are made again.
    pub again: Share,
    /// How many calls a replica answers at most.
    pub recycle: usize,
}

impl Module {
    pub fn new(spec: &ModuleSpec) -> Module {
        let migrates = spec.migration.is_some();
        let style = |manner| Style::new(manner, migrates, &spec.gates);
        let balance = spec.migration.as_ref();
        let balance = balance.map(|migration| Balance::new(migration, spec.replicas));
        let styles: Vec<Style> = spec.manners.iter().map(style).collect();
        let mut module = Module {
            wanted: spec.replicas,
            threads: spec.threads.max(1),
            per_core: spec.most > spec.replicas,
            at_start: spec.at_start,
            most: 0,
            live: 0,
            beside: 0,
            styles,
            slots: vec![None; spec.most as usize],
            free: (0..spec.replicas).collect(),
            queue: Waiting::new(spec.most),
            gates: Gates {
                all: spec.gates.iter().map(Gate::new).collect(),
                rates: spec.rates.iter().map(|rate| Bucket::new(*rate)).collect(),
            },
            tally: Tally::default(),
            asleep: 0,
            held: BTreeSet::new(),
            open: BTreeSet::new(),
            idle: 0,
            stacked: BTreeSet::new(),
            loaded: BTreeSet::new(),
            balance,
            wasted: BTreeSet::new(),
            serving: 0,
            waiting: BTreeSet::new(),
            recalls: 0,
            starts: Starts::default(),
            idle_deaths: 0,
            keeps_state: spec.keeps_state,
            state_lost: None,
            loss_told: false,
            launch_at: 0,
            last_loss: Loss::default(),
            busy: vec![0; spec.most as usize],
            answered: 0,
            again: Share::of(spec.again),
            recycle: spec.recycle.map_or(usize::MAX, |calls| calls as usize),
        };
        if module.has_assigned() {
            module.at_start = u32::MAX;
        }
        module
    }

    /// Whether a replica that is missing is made only when calls wait for it: others have died
    /// idle or could not start, or those that it is for are not made any more.
    pub fn is_reluctant(&self) -> bool {
        let is_failing = self.starts.failure().is_some();
        is_failing || self.idle_deaths >= MAX_IDLE_DEATHS || self.state_lost.is_some()
    }

    /// How many replicas there are to be by now.
    pub fn needed(&self) -> u32 {
        self.at_start.min(self.wanted).max(self.most)
    }

    /// There are so many cores now: there may be a process for each.
    pub fn have_cores(&mut self, cores: u32) {
        let most = u32::try_from(self.slots.len()).unwrap_or(u32::MAX);
        let wanted = cores.saturating_mul(self.threads).min(most);
        if self.per_core && wanted > self.wanted {
            self.free.extend(self.wanted..wanted);
            self.wanted = wanted;
        }
    }

    /// Looks how many calls there are: there are to be as many replicas.
    pub fn grow(&mut self) {
        if self.most == self.wanted {
            return;
        }
        let sent: usize = self.styles.iter().map(|style| style.sent).sum();
        let calls = (self.queue.len() + sent).saturating_sub(self.beside);
        let calls = u32::try_from(calls).unwrap_or(u32::MAX);
        self.most = self.most.max(calls.min(self.wanted));
    }

    /// Whether calls may be assigned to single replicas.
    pub fn has_assigned(&self) -> bool {
        self.styles.iter().any(Style::assigns)
    }
}
