//! Random lives of calls and replicas: whatever happens, every call ends exactly once.

use super::dice::Dice;
use super::lab::Lab;
use super::replica::Phase;
use super::*;
use crate::life::MAX_TRIES;

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
}

impl Chaos {
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
        self.lab.dispatcher.issued(Issue::plain(call, 0, pure_call));
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
        self.lab.die(replica);
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
                Action::Move { .. } => panic!("nothing is passed on here"),
                Action::Release { .. } => panic!("nothing is kept here"),
                Action::Refuse { .. } => panic!("the module is available"),
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
        for call in &self.lab.has(replica).to_vec()[1..] {
            if calls.contains(call) {
                self.records[*call as usize].sent -= 1;
            }
        }
        self.lab.answer_recall(replica, calls);
    }

    fn finish(&mut self) {
        for _ in 0..1_000_000 {
            if self.lab.dispatcher.calls.is_empty() {
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

#[test]
fn every_call_ends_exactly_once_whatever_happens() {
    for seed in 0..60 {
        let lab = Lab::new(&[1 + (seed % 4) as u32]);
        let mut chaos = Chaos {
            lab,
            dice: Dice(seed),
            records: Vec::new(),
        };
        chaos.lab.taken();
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
    }
}
