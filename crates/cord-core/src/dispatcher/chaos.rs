//! Random lives of calls and replicas: whatever happens, every call ends exactly once.

use std::collections::BTreeMap;

use super::dice::Dice;
use super::lab::{module, Lab};
use super::replica::Phase;
use super::*;
use crate::life::MAX_TRIES;
use crate::manner::{Manner, Priority};
use crate::migration::{Load, Migration, Rule, Share, Trigger};

#[derive(Default)]
struct Record {
    pure_call: bool,
    dropped: bool,
    sent: u32,
    begun_on_dead: u32,
    ends: u32,
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
        };
        chaos.look();
        chaos
    }

    fn step(&mut self) {
        self.lab.now += self.dice.below(3 * MILLI);
        match self.dice.below(100) {
            0..=34 => self.issue(),
            35..=39 => self.pick_call(|lab, call| lab.dispatcher.demanded(call)),
            40..=44 => self.drop_one(),
            45..=92 => self.reply(),
            93 => self.die(),
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

    fn issue(&mut self) {
        let pure_call = self.dice.below(4) > 0;
        let call = self.records.len() as CallId;
        self.records.push(Record {
            pure_call,
            ..Record::default()
        });
        let priority = Priority::new(self.dice.below(8).saturating_sub(4) as f64);
        let plain = Issue::plain(call, 0, pure_call);
        self.lab.dispatcher.issued(Issue { priority, ..plain });
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
        self.lab.dispatcher.dropped(call);
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
        let (call, delivery) = self.lab.reply(replica, service);
        let record = &mut self.records[call as usize];
        assert_eq!(delivery == Delivery::Discard, record.dropped, "call {call}");
        record.ends += 1;
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

    fn kill(&mut self, replica: ReplicaId) {
        for call in self.lab.has(replica).to_vec() {
            self.records[call as usize].begun_on_dead += 1;
        }
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
            self.lab.dispatcher.moved(replica, &went).unwrap();
        }
    }

    fn start(&mut self) {
        let starting = self.lab.dispatcher.replicas.iter();
        let starting = starting.filter(|(_, replica)| replica.phase == Phase::Starting);
        if let Some(replica) = starting.map(|(id, _)| *id).min() {
            self.lab.make_ready(replica);
        }
    }

    /// Takes the actions in, and does what a replica would do.
    fn look(&mut self) {
        for action in self.lab.taken() {
            match action {
                Action::Send { calls, .. } => {
                    for call in calls {
                        self.records[call as usize].sent += 1;
                    }
                }
                Action::Recall { replica, calls } => self.answer(replica, &calls),
                Action::Kill { pid } => self.kill(pid - 1000),
                Action::Lose { call, loss } => {
                    let record = &mut self.records[call as usize];
                    assert!(
                        !record.pure_call || loss.tries == MAX_TRIES,
                        "call {call}: {loss:?}"
                    );
                    assert!(loss.may_have_run && record.begun_on_dead > 0);
                    record.ends += 1;
                }
                Action::Forget { call } => {
                    let record = &mut self.records[call as usize];
                    assert!(record.dropped);
                    record.ends += 1;
                }
                Action::Move { from, .. } if !self.lives(from) => {}
                Action::Move { from, to, calls } => {
                    assert!(self.lots.insert(from, (to, calls)).is_none());
                }
                Action::Release { .. } => panic!("nothing is kept here"),
                Action::Refuse { .. } => panic!("the module is available"),
                Action::NoRoom { .. } => panic!("there is room for all"),
                Action::Enter { .. } => panic!("no replica makes calls here"),
                Action::Launch { .. } | Action::Close { .. } | Action::Hasten { .. } => {}
            }
        }
    }

    fn answer(&mut self, replica: ReplicaId, calls: &[CallId]) {
        if self.lab.has(replica).is_empty() {
            if self.lab.dispatcher.replicas.contains_key(&replica) {
                self.lab.dispatcher.returned(replica, &[]).unwrap();
            }
            return;
        }
        self.pass_on_from(replica); // it was told so before
        self.tell_of(replica);
        for call in &self.lab.has(replica).to_vec()[1..] {
            if calls.contains(call) {
                self.records[*call as usize].sent -= 1;
            }
        }
        self.lab.answer_recall(replica, calls);
    }

    fn finish(&mut self) {
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

/// Lets a random life go on until all has ended; how many calls have moved.
fn live(lab: Lab, seed: u64) -> usize {
    let mut chaos = Chaos::new(lab, seed);
    for _ in 0..3000 {
        chaos.step();
    }
    chaos.finish();
    for (call, record) in chaos.records.iter().enumerate() {
        assert_eq!(record.ends, 1, "call {call} of seed {seed}");
        assert!(
            record.pure_call || record.sent <= 1,
            "call {call} of seed {seed} ran twice"
        );
    }
    let module = &chaos.lab.dispatcher.modules[0];
    assert!(module.queue.is_empty() && module.stacked.is_empty() && module.wasted.is_empty());
    let mut replicas = chaos.lab.dispatcher.replicas.values();
    assert!(replicas.all(|replica| replica.load() == 0
        && replica.arriving == 0
        && replica.departing.is_empty()));
    chaos.moved
}

#[test]
fn every_call_ends_exactly_once_whatever_happens() {
    for seed in 0..60 {
        let moved = live(Lab::new(&[1 + (seed % 4) as u32]), seed);
        assert_eq!(moved, 0);
    }
}

#[test]
fn every_call_ends_exactly_once_wherever_it_moves() {
    let mut moved = 0;
    for seed in 0..60 {
        moved += live(migrating(2 + (seed % 3) as u32, seed), seed);
    }
    assert!(moved > 1000, "{moved}");
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
