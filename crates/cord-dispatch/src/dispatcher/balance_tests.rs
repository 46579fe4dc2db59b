//! Replicas that pass calls to one another.

use super::lab::{module, ready_with, Lab};
use super::*;
use crate::manner::Manner;
use crate::migration::{Load, Migration, Rule, Share, Trigger};
use cord_wire::priority::Priority;

const HALF: Share = Share { parts: 1, of: 2 };

fn over(least: usize) -> Trigger {
    Trigger::Overload(Load {
        least,
        most: usize::MAX,
    })
}

fn under(most: usize) -> Trigger {
    Trigger::Underload(Load { least: 0, most })
}

fn rule(from: u32, to: u32, trigger: Trigger) -> Rule {
    Rule {
        from,
        to,
        trigger,
        share: HALF,
    }
}

/// A lab whose calls are dealt by shares, and whose replicas are ready.
fn lab(shares: &[u32], migration: Migration) -> Lab {
    let replicas = u32::try_from(shares.len()).unwrap();
    let manner = Manner {
        shares: Some(shares.to_vec()),
        ..Manner::default()
    };
    let mut spec = module(replicas, vec![manner]);
    spec.migration = Some(migration);
    let mut lab = Lab::of(&[spec]);
    for replica in 1..=replicas {
        lab.make_ready(replica);
    }
    lab.taken();
    lab
}

fn links(shares: &[u32], rules: &[Rule]) -> Lab {
    lab(shares, Migration::Links(rules.to_vec()))
}

/// A lot that moves: from, to, calls.
type Lot = (ReplicaId, ReplicaId, Vec<CallId>);

impl Lab {
    fn loads(&self, replicas: u32) -> Vec<usize> {
        (1..=replicas).map(|id| self.has(id).len()).collect()
    }

    /// The lots that the dispatcher wants moved since the last time.
    fn lots(&mut self) -> Vec<Lot> {
        let lot = |action| match action {
            Action::Move { from, to, calls } => Some((from, to, calls)),
            _ => None,
        };
        self.taken().into_iter().filter_map(lot).collect()
    }

    /// The calls travel; the sender has begun its first, and says what went.
    fn carry(&mut self, (from, to, calls): &Lot) -> Vec<CallId> {
        let begun = self.has(*from).first().copied();
        let here = self.at.entry(*from).or_default();
        let went: Vec<CallId> = calls
            .iter()
            .copied()
            .filter(|call| Some(*call) != begun && here.contains(call))
            .collect();
        here.retain(|call| !went.contains(call));
        self.at.entry(*to).or_default().extend(&went);
        went
    }

    fn carry_out(&mut self, lot: &Lot) {
        let went = self.carry(lot);
        self.moved(lot.0, &went).unwrap();
        self.decide();
    }

    /// Lets all lots travel until nothing more moves; how many calls did.
    fn settle(&mut self) -> usize {
        let mut moved = 0;
        loop {
            let lots = self.lots();
            if lots.is_empty() {
                return moved;
            }
            for lot in lots {
                moved += lot.2.len();
                self.carry_out(&lot);
            }
        }
    }

    /// Replicas take so long for a call; serves until all is done. Gives when, and who did how many.
    fn run(&mut self, services: &[Nanos]) -> (Nanos, Vec<usize>) {
        let mut ends = vec![None; services.len()];
        let mut done = vec![0; services.len()];
        loop {
            self.settle();
            for (at, service) in services.iter().enumerate() {
                if ends[at].is_none() && !self.has(at as ReplicaId + 1).is_empty() {
                    ends[at] = Some(self.now + service);
                }
            }
            let under_way = ends.iter().enumerate();
            let Some((end, at)) = under_way.filter_map(|(at, end)| Some(((*end)?, at))).min()
            else {
                return (self.now, done);
            };
            self.now = end;
            ends[at] = None;
            done[at] += 1;
            self.reply(at as ReplicaId + 1, services[at]);
        }
    }
}

#[test]
fn a_sender_passes_on_half_of_what_waits_when_it_has_too_much() {
    let mut lab = links(&[1, 0], &[rule(0, 1, over(10))]);
    lab.issue(1..=9);
    assert!(lab.lots().is_empty());
    lab.issue([10]);
    let lots = lab.lots();
    assert_eq!(lots, [(1, 2, vec![7, 8, 9, 10])], "the last half, in order");
    lab.carry_out(&lots[0]);
    assert_eq!(lab.loads(2), [6, 4]);
    assert!(lab.lots().is_empty());
}

#[test]
fn a_receiver_asks_when_it_has_too_little() {
    let mut lab = links(&[1, 0], &[rule(0, 1, under(0))]);
    lab.issue(1..=2);
    let lots = lab.lots();
    assert_eq!(lots, [(1, 2, vec![2])]);
    lab.carry_out(&lots[0]);
    lab.issue(3..=9);
    assert!(lab.lots().is_empty(), "it has something to do");
    lab.reply(2, MILLI);
    assert_eq!(lab.lots(), [(1, 2, vec![7, 8, 9])]);
}

#[test]
fn conditions_at_both_ends_work_each_by_itself() {
    let rules = [rule(0, 1, over(5)), rule(0, 1, under(1))];
    let mut lab = links(&[1, 0], &rules);
    lab.issue(1..=3);
    assert_eq!(lab.settle(), 1, "the receiver asks");
    lab.issue(4..=9);
    assert!(lab.settle() > 0);
    let loads = lab.loads(2);
    assert!(loads[0] < 7 && loads[1] > 2, "{loads:?}");
}

#[test]
fn an_exact_condition_is_exact() {
    let exactly = Trigger::Underload(Load { least: 1, most: 1 });
    let mut lab = links(&[3, 1], &[rule(0, 1, exactly)]);
    lab.issue(1..=3);
    assert!(lab.lots().is_empty(), "it has none: {:?}", lab.loads(2));
    lab.issue(4..=8);
    assert!(lab.loads(2)[1] == 2 && lab.lots().len() <= 1);
}

#[test]
fn what_the_program_waits_for_is_not_moved_and_priority_chooses() {
    let mut lab = links(&[1, 0], &[rule(0, 1, over(6))]);
    for (call, priority) in [(1, 0.0), (2, 5.0), (3, 1.0), (4, 4.0), (5, 2.0), (6, 3.0)] {
        lab.issued(Issue {
            priority: Priority::new(priority),
            ..Issue::plain(call, 0, true)
        });
        lab.decide();
        lab.demanded(3);
    }
    // 1 is first; then 3, which the program waits for; then 2, 4, 6, 5.
    assert_eq!(lab.lots(), [(1, 2, vec![6, 5])]);
}

#[test]
fn a_line_hands_on_to_its_end() {
    let rules = [
        rule(0, 1, over(4)),
        rule(1, 2, over(4)),
        rule(2, 3, over(4)),
    ];
    let mut lab = links(&[1, 0, 0, 0], &rules);
    for call in 1..=100 {
        lab.issue([call]);
        lab.settle();
    }
    let loads = lab.loads(4);
    assert_eq!(loads.iter().sum::<usize>(), 100);
    assert!(loads.iter().all(|load| *load > 15), "{loads:?}");
}

#[test]
fn a_ring_comes_to_rest_even_if_all_are_overloaded() {
    let ring: Vec<Rule> = (0..4).map(|at| rule(at, (at + 1) % 4, over(2))).collect();
    let mut lab = links(&[1, 1, 1, 1], &ring);
    lab.issue(1..=400);
    assert!(lab.settle() <= 400);
    assert_eq!(lab.loads(4).iter().sum::<usize>(), 400);
}

fn full(overload: Option<usize>, underload: Option<usize>) -> Migration {
    Migration::Full {
        overload: overload.map(|least| Load {
            least,
            most: usize::MAX,
        }),
        underload: underload.map(|most| Load { least: 0, most }),
        share: HALF,
    }
}

#[test]
fn where_all_are_linked_the_most_loaded_gives_to_the_least_loaded() {
    let mut lab = lab(&[5, 3, 2, 0], full(None, Some(0)));
    lab.issue(1..=10);
    let lots = lab.lots();
    assert_eq!(lots.len(), 1);
    assert_eq!((lots[0].0, lots[0].1), (1, 4));
}

#[test]
fn where_all_are_linked_a_sender_chooses_the_least_loaded() {
    let mut lab = lab(&[10, 3, 1, 2], full(Some(9), None));
    lab.issue(1..=16);
    let lots = lab.lots();
    assert!(
        !lots.is_empty() && lots.iter().all(|lot| (lot.0, lot.1) == (1, 3)),
        "{lots:?}"
    );
}

/// The paper's four machines: equal shares; a line from the slowest; a ring with equal shares.
#[test]
fn a_ring_beats_a_line_and_a_line_beats_equal_shares() {
    let services = [216, 103, 86, 57].map(|time| time * MILLI);
    let time = |shares: &[u32], rules: &[Rule]| {
        let mut lab = links(shares, rules);
        lab.issue(1..=200);
        let (end, done) = lab.run(&services);
        assert_eq!(done.iter().sum::<usize>(), 200);
        end / MILLI
    };
    let line: Vec<Rule> = (0..3)
        .flat_map(|at| [rule(at, at + 1, over(10)), rule(at, at + 1, under(0))])
        .collect();
    let mut ring = line.clone();
    ring.extend([rule(3, 0, over(10)), rule(3, 0, under(0))]);
    let equal = time(&[1, 1, 1, 1], &[]);
    let lined = time(&[1, 0, 0, 0], &line);
    let ringed = time(&[1, 1, 1, 1], &ring);
    assert_eq!(equal, 50 * 216);
    assert!(ringed < equal && lined < equal, "{ringed} {lined} {equal}");
    // All four together do a call in 22.9 ms: 200 of them take 4.6 s at best.
    assert!(ringed <= lined && ringed < 5500, "{ringed} {lined}");
}

/// The same machines, each given a call whenever it has none: within 5 % of what is possible.
#[test]
fn on_demand_no_machine_waits_while_there_is_work() {
    let services = [216, 103, 86, 57].map(|time| time * MILLI);
    let manner = Manner {
        watermark: Some(1),
        ..Manner::default()
    };
    let mut lab = ready_with(4, manner);
    lab.taken();
    lab.issue(1..=200);
    let (end, done) = lab.run(&services);
    assert_eq!(done.iter().sum::<usize>(), 200);
    let together: f64 = services.iter().map(|time| 1.0 / *time as f64).sum();
    let possible = 200.0 / together;
    assert!(end as f64 <= 1.05 * possible, "{end} {possible}");
}

#[test]
fn a_call_that_begins_before_it_can_be_passed_on_stays() {
    let mut lab = links(&[1, 0], &[rule(0, 1, under(0))]);
    lab.issue(1..=2);
    let lots = lab.lots();
    lab.reply(1, MILLI);
    lab.carry_out(&lots[0]);
    assert_eq!(lab.loads(2), [1, 0]);
    assert_eq!(lab.reply(1, MILLI), (2, Delivery::Deliver));
    assert!(lab.dispatcher.calls.is_empty());
}

#[test]
fn nothing_is_passed_on_while_calls_are_asked_back() {
    let mut lab = links(&[1, 0], &[rule(0, 1, over(6))]);
    lab.issue(1..=5);
    lab.dropped(5);
    lab.decide();
    lab.issue(6..=8);
    let seen = lab.taken();
    let recall = Action::Recall {
        replica: 1,
        calls: vec![5],
    };
    assert!(seen.contains(&recall));
    assert!(!seen
        .iter()
        .any(|action| matches!(action, Action::Move { .. })));
    lab.answer_recall(1, &[5]);
    assert_eq!(lab.lots(), [(1, 2, vec![6, 7, 8])]);
}

#[test]
fn its_reply_may_come_before_the_answer_to_the_move() {
    for by in [1, 2] {
        let mut lab = links(&[1, 0], &[rule(0, 1, under(0))]);
        lab.issue(1..=2);
        let lot = lab.lots().remove(0);
        let went = if by == 1 { vec![] } else { lab.carry(&lot) };
        lab.at.get_mut(&by).unwrap().retain(|call| *call == 2);
        assert_eq!(lab.reply(by, MILLI), (2, Delivery::Deliver));
        lab.moved(1, &went).unwrap();
        lab.decide();
        assert_eq!(lab.dispatcher.replicas[&2].arriving, 0);
        lab.at.insert(1, vec![1]);
        assert_eq!(lab.reply(1, MILLI), (1, Delivery::Deliver));
        assert!(lab.dispatcher.calls.is_empty());
    }
}

#[test]
fn a_pure_call_is_repeated_whoever_of_the_two_dies() {
    for dies in [1, 2] {
        for told in [false, true] {
            let mut lab = links(&[1, 0], &[rule(0, 1, under(0))]);
            lab.issue(1..=2);
            let lot = lab.lots().remove(0);
            let went = lab.carry(&lot);
            let tell = |lab: &mut Lab| lab.moved(1, &went).unwrap();
            if told {
                tell(&mut lab);
            }
            lab.die(dies);
            if !told && dies == 2 {
                tell(&mut lab);
            }
            lab.decide();
            lab.make_ready(3);
            let mut done = Vec::new();
            for _ in 0..20 {
                lab.settle();
                for replica in 1..=3 {
                    if !lab.has(replica).is_empty() {
                        let (call, delivery) = lab.reply(replica, MILLI);
                        if delivery == Delivery::Deliver {
                            done.push(call);
                        }
                    }
                }
            }
            done.sort_unstable();
            assert_eq!(done, [1, 2], "{dies} dies, told: {told}");
            assert!(lab.dispatcher.calls.is_empty());
        }
    }
}

#[test]
fn an_impure_call_on_its_way_is_lost_and_may_have_run() {
    for dies in [1, 2] {
        let mut lab = links(&[1, 0], &[rule(0, 1, under(0))]);
        for call in 1..=2 {
            lab.issued(Issue::plain(call, 0, false));
        }
        lab.decide();
        let lot = lab.lots().remove(0);
        let went = lab.carry(&lot);
        lab.die(dies);
        if dies == 2 {
            lab.moved(1, &went).unwrap();
            lab.decide();
        }
        let lost = lab
            .taken()
            .into_iter()
            .any(|action| matches!(action, Action::Lose { call: 2, loss } if loss.may_have_run));
        assert!(lost, "{dies} died");
        if dies == 1 {
            // What it had passed on may run all the same; nobody wants the reply.
            assert_eq!(lab.reply(2, MILLI), (2, Delivery::Discard));
        }
    }
}

#[test]
fn a_dropped_call_is_asked_back_where_it_has_gone() {
    let mut lab = links(&[1, 0], &[rule(0, 1, under(1))]);
    lab.issue(1..=2);
    let lot = lab.lots().remove(0);
    lab.carry_out(&lot);
    lab.issue(3..=6);
    let lot = lab.lots().remove(0);
    let dropped = lot.2[0];
    lab.dropped(dropped);
    lab.decide();
    lab.carry_out(&lot);
    let recalled = lab
        .taken()
        .into_iter()
        .any(|action| matches!(action, Action::Recall { replica: 2, calls } if calls == [dropped]));
    assert!(recalled);
}

#[test]
fn what_the_program_comes_to_wait_for_on_its_way_is_hastened_where_it_arrives() {
    let mut lab = links(&[1, 0], &[rule(0, 1, over(6))]);
    lab.issue(1..=6);
    let lot = lab.lots().remove(0);
    let last = *lot.2.last().unwrap();
    lab.demanded(last);
    lab.carry_out(&lot);
    let hasten = Action::Hasten {
        replica: 2,
        call: last,
    };
    assert!(lab.taken().contains(&hasten));
}

#[test]
fn an_answer_without_an_order_is_a_violation() {
    let mut lab = links(&[1, 0], &[rule(0, 1, under(0))]);
    assert_eq!(lab.moved(1, &[5]), Err(Violation(5)));
}
