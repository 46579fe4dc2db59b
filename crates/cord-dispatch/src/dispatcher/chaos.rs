//! Random lives of calls and replicas: whatever happens, every call ends exactly once, and no state
//! is lost in silence.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::dice::Dice;
use super::lab::{module, Lab};
use super::replica::Phase;
use super::*;
use crate::life::MAX_TRIES;
use crate::manner::{Care, GateSpec, Hedge, Manner, Rate};
use crate::migration::{Load, Migration, Rule, Share, Trigger};
use cord_wire::priority::Priority;

struct Record {
    effects: Effects,
    dropped: bool,
    interrupted: bool,
    /// How many replicas it was sent to, without those that handed it back.
    sent: i32,
    begun_on_dead: u32,
    ends: u32,
}

impl Record {
    fn new(effects: Effects) -> Record {
        Record {
            effects,
            dropped: false,
            interrupted: false,
            sent: 0,
            begun_on_dead: 0,
            ends: 0,
        }
    }
}

/// What calls have left in replicas, as far as it can be seen from outside.
#[derive(Default)]
struct State {
    /// Where stateful calls have run since the module was loaded.
    home: Option<ReplicaId>,
    /// All replicas in which such calls have ever run.
    touched: BTreeSet<ReplicaId>,
    /// One that may have held state has died.
    is_lost: bool,
    /// How many calls were told so.
    denied: usize,
}

/// One random life: a lab, and what is known of each call from outside.
struct Chaos {
    lab: Lab,
    dice: Dice,
    records: Vec<Record>,
    /// Lots that replicas are to pass on: from, to, and which. One from each at most.
    lots: BTreeMap<ReplicaId, (ReplicaId, Vec<CallId>)>,
    /// What replicas have passed on, and to whom; the dispatcher does not know it yet.
    untold: BTreeMap<ReplicaId, (ReplicaId, Vec<CallId>)>,
    /// Calls that have come from replicas which died before they could say so.
    strays: BTreeSet<(ReplicaId, CallId)>,
    /// How many calls have gone from one replica to another.
    moved: usize,
    state: State,
    /// How many calls were refused, as no replica could start.
    refused: usize,
    /// How many replicas were renewed.
    renewed: usize,
    /// How many manners there are, all but the first of which take care of calls.
    manners: u64,
}

impl Chaos {
    fn new(lab: Lab, seed: u64) -> Chaos {
        let mut chaos = Chaos {
            lab,
            dice: Dice(seed),
            records: Vec::new(),
            lots: BTreeMap::new(),
            untold: BTreeMap::new(),
            strays: BTreeSet::new(),
            moved: 0,
            state: State::default(),
            refused: 0,
            renewed: 0,
            manners: 1,
        };
        chaos.manners = chaos.lab.dispatcher.modules[0].styles.len() as u64;
        chaos.look();
        chaos
    }

    fn step(&mut self) {
        self.lab.now += self.dice.below(3 * MILLI);
        match self.dice.below(100) {
            0..=34 => self.issue(),
            35..=39 => self.pick_call(|lab, call| lab.demanded(call)),
            40..=43 => self.drop_one(),
            44..=46 => self.interrupt_one(),
            47..=92 => self.reply(),
            93 => self.die(),
            94 => self.fail(),
            95 => self.load(),
            96 => self.grow(),
            97 if self.manners > 1 => self.go_or_come_back(),
            98 if self.lab.dispatcher.modules[0].recycle < usize::MAX => self.wear_out(),
            _ => self.start(),
        }
        if self.dice.below(3) == 0 {
            self.pass_on();
        }
        if self.dice.below(3) == 0 {
            self.tell();
        }
        self.lab.decide();
        self.look();
    }

    /// Nothing is heard of a replica for a while.
    fn go_or_come_back(&mut self) {
        let all = self.lab.dispatcher.replicas.iter();
        let all: BTreeMap<_, _> = all.map(|(id, replica)| (*id, replica.is_away)).collect();
        let which = self.dice.below(all.len().max(1) as u64) as usize;
        if let Some((replica, is_away)) = all.into_iter().nth(which) {
            self.lab.goes(replica, !is_away);
        }
    }

    /// A replica has come to too much memory.
    fn wear_out(&mut self) {
        let all: BTreeSet<_> = self.lab.dispatcher.replicas.keys().copied().collect();
        let which = self.dice.below(all.len().max(1) as u64) as usize;
        if let Some(replica) = all.into_iter().nth(which) {
            self.lab.hear(Event::Worn { replica }).unwrap();
        }
    }

    fn grow(&mut self) {
        let cores = self.dice.below(8) as u32;
        self.lab.grown(cores);
    }

    fn issue(&mut self) {
        let effects = match self.dice.below(8) {
            0 => Effects::Independent,
            1 => Effects::Stateful,
            _ => Effects::Pure,
        };
        let call = self.records.len() as CallId;
        self.records.push(Record::new(effects));
        let priority = Priority::new(self.dice.below(8).saturating_sub(4) as f64);
        let manner = self.dice.below(self.manners) as u32;
        let effects = if manner > 1 { Effects::Pure } else { effects };
        self.records[call as usize].effects = effects;
        let issue = Issue {
            effects,
            priority,
            manner,
            ..Issue::plain(call, 0, true)
        };
        self.lab.issued(issue);
    }

    fn pick_call(&mut self, act: impl FnOnce(&mut Lab, CallId)) {
        if !self.records.is_empty() {
            let call = self.dice.below(self.records.len() as u64);
            act(&mut self.lab, call);
        }
    }

    fn drop_one(&mut self) {
        let Some(last) = (self.records.len() as u64).checked_sub(1) else {
            return;
        };
        let call = last - self.dice.below(last.min(20) + 1);
        self.records[call as usize].dropped = true;
        self.lab.dropped(call);
    }

    /// What has not begun is withdrawn; the rest goes on, and answers.
    fn interrupt_one(&mut self) {
        let Some(last) = (self.records.len() as u64).checked_sub(1) else {
            return;
        };
        let call = last - self.dice.below(last.min(20) + 1);
        if self.records[call as usize].ends == 0 {
            self.records[call as usize].interrupted = true;
        }
        let Some(replica) = self.lab.interrupted(call) else {
            return;
        };
        self.pass_on_from(replica); // it was told so before
        self.tell_of(replica);
        if self
            .lab
            .has(replica)
            .iter()
            .skip(1)
            .any(|here| *here == call)
        {
            self.lab.withdraw(replica, call);
        }
    }

    fn reply(&mut self) {
        let busy: Vec<ReplicaId> = self
            .lab
            .at
            .iter()
            .filter(|(_, at)| !at.is_empty())
            .map(|(id, _)| *id)
            .collect();
        if busy.is_empty() {
            return;
        }
        let replica = busy[self.dice.below(busy.len() as u64) as usize];
        let service = [MICRO, 100 * MICRO, 4 * MILLI][self.dice.below(3) as usize];
        self.tell_of(replica); // it said so before
        let call = self.lab.has(replica)[0];
        if self.strays.contains(&(replica, call)) && !self.is_known_at(replica, call) {
            self.strays.remove(&(replica, call));
            assert_eq!(self.lab.reply(replica, service).1, Delivery::Discard);
            return;
        }
        let fails = self.manners > 1 && self.dice.below(5) == 0;
        let (call, delivery) = match fails {
            true => self.lab.fail_call(replica, service),
            false => self.lab.reply(replica, service),
        };
        if is_copy(call) {
            let record = &mut self.records[original(call) as usize];
            record.ends += u32::from(delivery == Delivery::Deliver);
            return;
        }
        let record = &mut self.records[call as usize];
        if delivery == Delivery::Again {
            assert!(record.effects.is_pure() && !record.dropped && record.ends == 0);
            return;
        }
        let has_ended = self.manners > 1 && record.ends > 0; // by its deadline, or a copy
        assert_eq!(
            delivery == Delivery::Discard,
            record.dropped || has_ended,
            "call {call}"
        );
        record.ends += u32::from(!has_ended);
        if record.effects == Effects::Stateful && self.keeps_state() {
            let home = *self.state.home.get_or_insert(replica);
            assert_eq!(home, replica, "call {call} has found another state");
            self.state.touched.insert(replica);
        }
    }

    fn keeps_state(&self) -> bool {
        self.lab.dispatcher.modules[0].keeps_state
    }

    /// The first replica that is not ready cannot load the module.
    fn fail(&mut self) {
        if let Some(replica) = self.starting() {
            if self.lab.has(replica).is_empty() {
                self.lab.fail(replica);
            }
        }
    }

    /// The program loads the module anew.
    fn load(&mut self) {
        self.lab.loading(0);
        (self.state.home, self.state.is_lost) = (None, false);
    }

    fn starting(&self) -> Option<ReplicaId> {
        let all = self.lab.dispatcher.replicas.iter();
        let starting = all.filter(|(_, replica)| replica.phase == Phase::Starting);
        starting.map(|(id, _)| *id).min()
    }

    /// A replica that is ready dies. (Too many deaths before that would end the module.)
    fn die(&mut self) {
        let all = self.lab.dispatcher.replicas.iter();
        let ready = all.filter(|(_, replica)| replica.phase == Phase::Ready);
        let mut ready: Vec<ReplicaId> = ready.map(|(id, _)| *id).collect();
        ready.sort_unstable();
        if !ready.is_empty() {
            let replica = ready[self.dice.below(ready.len() as u64) as usize];
            self.kill(replica);
        }
    }

    /// A replica that ends has not read the last calls that were sent to it.
    fn leave_unread(&mut self, replica: ReplicaId) {
        let has = self.lab.has(replica).to_vec();
        let read = self.dice.below(2 * has.len() as u64 + 1) as usize;
        let unread = has.into_iter().skip(read);
        let calls = &self.lab.dispatcher.calls;
        let is_there = |call: &CallId| {
            let known = calls.get(call);
            known.is_some_and(|call| call.at == Some(replica) && call.heading.is_none())
        };
        let unread: Vec<CallId> = unread.filter(is_there).collect();
        for call in unread.iter().filter(|call| !is_copy(**call)) {
            self.records[*call as usize].sent -= 1;
        }
        if let Some(at) = self.lab.at.get_mut(&replica) {
            at.retain(|call| !unread.contains(call));
        }
        self.lab.unread(replica, &unread);
    }

    fn kill(&mut self, replica: ReplicaId) {
        self.leave_unread(replica);
        for call in self.lab.has(replica).to_vec() {
            if is_copy(call) {
                continue;
            }
            let record = &mut self.records[call as usize];
            record.begun_on_dead += 1;
            self.state.is_lost |= record.effects == Effects::Stateful;
        }
        self.state.is_lost |= self.state.touched.contains(&replica);
        self.lots.remove(&replica);
        if let Some((to, went)) = self.untold.remove(&replica) {
            for call in went {
                self.records[call as usize].begun_on_dead += 1;
                if self.lab.has(to).contains(&call) {
                    self.strays.insert((to, call));
                }
            }
        }
        self.lab.die(replica);
    }

    /// Whether the dispatcher takes what this replica says of the call for that of the call itself.
    fn is_known_at(&self, replica: ReplicaId, call: CallId) -> bool {
        let known = self.lab.dispatcher.calls.get(&call);
        known.is_some_and(|call| call.at == Some(replica) || call.heading == Some(replica))
    }

    fn lives(&self, replica: ReplicaId) -> bool {
        self.lab.dispatcher.replicas.contains_key(&replica)
    }

    /// One replica passes calls on.
    fn pass_on(&mut self) {
        if let Some(replica) = self.lots.keys().next().copied() {
            self.pass_on_from(replica);
        }
    }

    /// A replica passes calls on as it was told, but for the one that it has begun.
    fn pass_on_from(&mut self, from: ReplicaId) {
        let Some((to, lot)) = self.lots.remove(&from) else {
            return;
        };
        let lives = self.lives(to);
        let here = self.lab.at.entry(from).or_default();
        let begun = here.first().copied();
        let mut went = lot;
        went.retain(|call| Some(*call) != begun && here.contains(call));
        if !lives && self.dice.below(2) == 0 {
            went.clear(); // it noticed
        }
        here.retain(|call| !went.contains(call));
        if lives {
            self.lab.at.entry(to).or_default().extend(&went);
        } else {
            for call in &went {
                self.records[*call as usize].begun_on_dead += 1;
            }
        }
        self.moved += went.len();
        self.untold.insert(from, (to, went));
    }

    /// The dispatcher hears what a replica has passed on.
    fn tell(&mut self) {
        if let Some(replica) = self.untold.keys().next().copied() {
            self.tell_of(replica);
        }
    }

    fn tell_of(&mut self, replica: ReplicaId) {
        if let Some((_, went)) = self.untold.remove(&replica) {
            self.lab.moved(replica, &went).unwrap();
        }
    }

    fn start(&mut self) {
        if let Some(replica) = self.starting() {
            self.lab.make_ready(replica);
        }
    }

    /// Takes the actions in, and does what a replica would do.
    fn look(&mut self) {
        for action in self.lab.taken() {
            match action {
                Action::Send { calls, .. } => {
                    for call in calls.into_iter().filter(|call| !is_copy(*call)) {
                        self.records[call as usize].sent += 1;
                    }
                }
                Action::Recall { replica, calls } => self.answer(replica, &calls),
                Action::End { replica } => self.kill(replica),
                Action::Retire { replica } => {
                    let has = self.lab.at.remove(&replica).unwrap_or_default();
                    for call in has {
                        assert!(self.strays.remove(&(replica, call)), "call {call} is gone");
                    }
                    self.lots.remove(&replica);
                    self.untold.remove(&replica);
                    self.renewed += 1;
                }
                Action::Lose { call, loss } => {
                    let record = &mut self.records[call as usize];
                    assert!(!record.effects.is_pure(), "call {call}: {loss:?}");
                    assert!(loss.may_have_run && record.begun_on_dead > 0);
                    record.ends += 1;
                }
                Action::Poison { call, replicas } => {
                    let record = &mut self.records[call as usize];
                    let most = MAX_TRIES as usize;
                    let least = if self.manners > 1 { 1 } else { most };
                    assert!(record.effects.is_pure() && record.begun_on_dead > 0);
                    assert!((least..=most).contains(&replicas.len()), "call {call}");
                    record.ends += 1;
                }
                Action::Forget { call } => {
                    if is_copy(call) {
                        continue;
                    }
                    let record = &mut self.records[call as usize];
                    let has_ended = self.manners > 1 && record.ends > 0;
                    assert!(record.dropped || record.interrupted || has_ended);
                    record.ends += u32::from(!has_ended);
                }
                Action::Move { from, .. } if !self.lives(from) => {}
                Action::Move { from, to, calls } => {
                    assert!(self.lots.insert(from, (to, calls)).is_none());
                }
                Action::Release { .. } => panic!("nothing is kept here"),
                Action::Refuse { call, .. } => {
                    self.records[call as usize].ends += 1;
                    self.refused += 1;
                }
                Action::Deny { call, .. } => {
                    let record = &mut self.records[call as usize];
                    assert!(record.effects == Effects::Stateful && self.state.is_lost);
                    record.ends += 1;
                    self.state.denied += 1;
                }
                Action::Expire { call, .. } => {
                    assert!(self.records[call as usize].sent > 0);
                    self.records[call as usize].ends += 1;
                }
                Action::NoRoom { .. } => panic!("there is room for all"),
                Action::Fault { .. } => panic!("{action:?}"),
                Action::Enter { .. } => panic!("no replica makes calls here"),
                Action::Launch { .. }
                | Action::Close { .. }
                | Action::Admit { .. }
                | Action::Layer { .. }
                | Action::Hasten { .. }
                | Action::Interrupt { .. } => {}
            }
        }
    }

    fn answer(&mut self, replica: ReplicaId, calls: &[CallId]) {
        if self.lab.has(replica).is_empty() {
            if self.lab.dispatcher.replicas.contains_key(&replica) {
                self.lab.returned(replica, &[]).unwrap();
            }
            return;
        }
        self.pass_on_from(replica); // it was told so before
        self.tell_of(replica);
        for call in &self.lab.has(replica).to_vec()[1..] {
            if calls.contains(call) && !is_copy(*call) {
                self.records[*call as usize].sent -= 1;
            }
        }
        self.lab.answer_recall(replica, calls);
    }

    fn finish(&mut self) {
        let away: Vec<ReplicaId> = self.lab.dispatcher.replicas.keys().copied().collect();
        for replica in away {
            self.lab.goes(replica, false);
        }
        for _ in 0..1_000_000 {
            self.pass_on();
            self.tell();
            let moving = self.lots.len() + self.untold.len();
            if self.lab.dispatcher.calls.is_empty() && moving == 0 {
                return;
            }
            self.start();
            self.reply();
            self.lab.now += MILLI;
            self.lab.decide();
            self.look();
        }
        panic!("calls are left: {:?}", self.lab.dispatcher.calls);
    }
}

/// Lets a random life go on until all has ended.
fn live(lab: Lab, seed: u64) -> Chaos {
    let mut chaos = Chaos::new(lab, seed);
    for _ in 0..3000 {
        chaos.step();
    }
    chaos.finish();
    for (call, record) in chaos.records.iter().enumerate() {
        assert_eq!(record.ends, 1, "call {call} of seed {seed}");
        assert!(
            record.effects.is_pure() || record.sent <= 1,
            "call {call} of seed {seed} ran twice"
        );
    }
    let module = &chaos.lab.dispatcher.modules[0];
    assert!(module.queue.is_empty() && module.stacked.is_empty() && module.wasted.is_empty());
    let mut replicas = chaos.lab.dispatcher.replicas.values();
    assert!(replicas.all(|replica| replica.load() == 0
        && replica.arriving == 0
        && replica.departing.is_empty()));
    chaos
}

#[test]
fn every_call_ends_exactly_once_whatever_happens() {
    let mut refused = 0;
    for seed in 0..60 {
        let mut spec = ModuleSpec::plain("work", 1 + (seed % 4) as u32);
        spec.at_start = (seed / 4 % 5) as u32;
        spec.most += (seed / 20) as u32; // a replica for each core, where that is more
        let chaos = live(Lab::of(&[spec]), seed);
        assert_eq!((chaos.moved, chaos.state.denied), (0, 0));
        refused += chaos.refused;
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn every_lost_state_is_told_and_every_call_ends_exactly_once() {
    let mut denied = 0;
    for seed in 0..100 {
        let mut spec = module(1, vec![Manner::default()]);
        spec.keeps_state = true;
        denied += live(Lab::of(&[spec]), seed).state.denied;
    }
    assert!(denied > 100, "{denied}");
}

#[test]
fn every_call_ends_exactly_once_however_it_is_taken_care_of() {
    let mut sum = Tally::default();
    for seed in 0..100 {
        let tally = live(tended(1 + (seed % 4) as u32, seed), seed)
            .lab
            .dispatcher
            .modules[0]
            .tally;
        sum.waited += tally.waited;
        sum.retried += tally.retried;
        sum.expired += tally.expired;
        sum.copies += tally.copies;
        sum.won += tally.won;
        sum.grouped += tally.grouped;
    }
    let Tally {
        waited,
        retried,
        expired,
        copies,
        won,
        grouped,
        ..
    } = sum;
    for many in [waited, retried, expired, copies, won, grouped] {
        assert!(many > 100, "{sum:?}");
    }
}

/// Calls without care, with a deadline that is short, with a rate that is low, tried again, hedged,
/// served together, and all at once.
fn tended(replicas: u32, seed: u64) -> Lab {
    let deadline = Some(Duration::from_millis(30 + 10 * (seed % 5)));
    let hedge = Some(match seed % 2 {
        0 => Hedge::After(Duration::from_millis(4)),
        _ => Hedge::Quantile(0.5),
    });
    let none = Care::default;
    let retries = Some(2 + (seed % 3) as u32 / 2);
    let cares = [
        Care { deadline, ..none() },
        Care { retries, ..none() },
        Care { hedge, ..none() },
        Care {
            gate: Some(0),
            ..none()
        },
        Care {
            gate: Some(1),
            ..none()
        },
        Care {
            deadline,
            retries,
            hedge,
            gate: Some(2),
        },
    ];
    let manner = |care: Care| Manner {
        care: Some(Arc::new(care)),
        ..Manner::default()
    };
    let cares = cares.into_iter().map(manner);
    let manners = std::iter::once(Manner::default()).chain(cares).collect();
    let mut spec = module(replicas, manners);
    spec.at_start = (seed % 5) as u32;
    let gate = |rate, group| GateSpec {
        rate,
        group,
        layered: false,
    };
    spec.gates = vec![gate(Some(0), 1), gate(None, 8), gate(Some(1), 4)];
    spec.rates = [150.0, 90.0]
        .map(|calls| Rate {
            calls,
            per: Duration::from_secs(1),
        })
        .to_vec();
    Lab::of(&[spec])
}

#[test]
fn every_call_ends_exactly_once_wherever_it_moves() {
    let mut moved = 0;
    for seed in 0..60 {
        moved += live(migrating(2 + (seed % 3) as u32, seed), seed).moved;
    }
    assert!(moved > 1000, "{moved}");
}

#[test]
fn every_call_ends_exactly_once_though_replicas_are_renewed() {
    let (mut renewed, mut moved) = (0, 0);
    for seed in 0..120 {
        let mut lab = match seed % 3 {
            0 => Lab::of(&[module(1 + (seed % 4) as u32, vec![Manner::default()])]),
            1 => tended(1 + (seed % 4) as u32, seed),
            _ => migrating(2 + (seed % 3) as u32, seed),
        };
        lab.recycle(1 + (seed % 50) as u32);
        let chaos = live(lab, seed);
        renewed += chaos.renewed;
        moved += chaos.moved;
    }
    assert!(renewed > 1000 && moved > 100, "{renewed} {moved}");
}

/// Replicas that pass calls on: each to the next, or all to all.
fn migrating(replicas: u32, seed: u64) -> Lab {
    let half = Share { parts: 1, of: 2 };
    let few = Load { least: 0, most: 1 };
    let many = Load {
        least: 4,
        most: usize::MAX,
    };
    let rule = |from: u32, trigger| Rule {
        from,
        to: (from + 1) % replicas,
        trigger,
        share: half,
    };
    let ring = (0..replicas).flat_map(|from| {
        let triggers = [Trigger::Overload(many), Trigger::Underload(few)];
        triggers.map(|trigger| rule(from, trigger))
    });
    let migration = match seed % 2 {
        0 => Migration::Links(ring.collect()),
        _ => Migration::Full {
            overload: Some(many),
            underload: Some(few),
            share: half,
        },
    };
    let shares = (seed % 4 < 2).then(|| (1..=replicas).collect());
    let manner = Manner {
        shares,
        ..Manner::default()
    };
    let mut spec = module(replicas, vec![manner]);
    spec.migration = Some(migration);
    Lab::of(&[spec])
}
