//! What the dispatcher knows of one module.

use std::collections::BTreeSet;

use super::balance::Balance;
use super::feed::Style;
use super::lanes::{Slot, Waiting};
use super::{Loss, Nanos, ReplicaId};
use crate::payload::ModuleSpec;

/// One module: its replicas by what they are fit for, and what waits for them.
#[derive(Debug)]
pub struct Module {
    pub wanted: u32,
    pub live: u32,
    pub styles: Vec<Style>,
    /// Who is in which place; and the places that nobody is in.
    pub slots: Vec<Option<ReplicaId>>,
    pub free: BTreeSet<Slot>,
    pub queue: Waiting,
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
    pub unavailable: bool,
    pub failed_starts: u32,
    pub idle_deaths: u32,
    /// When replicas are asked for again, after there was no room for one.
    pub launch_at: Nanos,
    pub last_loss: Loss,
}

impl Module {
    pub fn new(spec: &ModuleSpec) -> Module {
        let migrates = spec.migration.is_some();
        let style = |manner| Style::new(manner, migrates);
        let balance = spec.migration.as_ref();
        let balance = balance.map(|migration| Balance::new(migration, spec.replicas));
        Module {
            wanted: spec.replicas,
            live: 0,
            styles: spec.manners.iter().map(style).collect(),
            slots: vec![None; spec.replicas as usize],
            free: (0..spec.replicas).collect(),
            queue: Waiting::new(spec.replicas),
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
            unavailable: false,
            failed_starts: 0,
            idle_deaths: 0,
            launch_at: 0,
            last_loss: Loss::default(),
        }
    }

    /// Whether calls may be assigned to single replicas.
    pub fn has_assigned(&self) -> bool {
        self.styles.iter().any(Style::assigns)
    }
}
