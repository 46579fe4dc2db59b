//! Calls that are made again, tried with simulated replicas.

use std::sync::Arc;

use super::lab::{module, Lab};
use super::*;
use crate::audit::{Answered, Auditor, Pair, Sample};
use crate::manner::Manner;
use cord_wire::outcome::{Outcome, KIND_VALUE};
use cord_wire::payload::{Parcel, Payload, World};

#[derive(Debug)]
struct Deaf;

impl Auditor for Deaf {
    fn differs(&self, _: Pair) {}
}

/// One module whose replicas are ready, of which calls that are made again may take a hundredth.
fn ready(replicas: u32) -> Lab {
    let mut spec = module(replicas, vec![Manner::default()]);
    spec.again = 0.01;
    let mut lab = Lab::of(&[spec]);
    for replica in lab.launched.clone() {
        lab.make_ready(replica);
    }
    lab
}

fn sample(replica: ReplicaId, service: Nanos) -> Sample {
    let value = Outcome::Reply {
        kind: KIND_VALUE,
        payload: Payload::default(),
        output: Vec::new(),
    };
    let call = Answered {
        module: 0,
        manner: 0,
        parcel: &Parcel::from(Payload::default()),
        world: &World::default(),
        replica,
        service,
    };
    Sample::of(&call, &value, Arc::new(Deaf)).unwrap()
}

fn place(lab: &Lab, sample: &Sample) -> Option<ReplicaId> {
    lab.dispatcher.place_for(lab.now, sample)
}

fn make_again(lab: &mut Lab, call: CallId, to: ReplicaId) {
    let issue = Issue {
        beside: true,
        ..Issue::plain(call, 0, true)
    };
    lab.hear(Event::Again { issue, to }).unwrap();
    lab.decide();
}

#[test]
fn it_goes_to_another_replica_once_enough_time_was_idle() {
    let mut lab = ready(2);
    let sample = sample(1, MILLI);
    lab.now = 49 * MILLI;
    assert_eq!(place(&lab, &sample), None);
    lab.now = 50 * MILLI; // of two replicas
    assert_eq!(place(&lab, &sample), Some(2));
    lab.issue([1, 2]);
    assert_eq!(place(&lab, &sample), None);
    lab.reply(1, MILLI);
    lab.now = 500 * MILLI;
    assert_eq!(
        place(&lab, &sample),
        None,
        "only the one that had it is idle"
    );
}

#[test]
fn the_only_replica_makes_it_itself() {
    let mut lab = ready(1);
    lab.now = 100 * MILLI;
    assert_eq!(place(&lab, &sample(1, MILLI)), Some(1));
}

#[test]
fn one_is_made_at_a_time_and_all_together_keep_to_the_share() {
    let mut lab = ready(2);
    lab.now = 1000 * MILLI;
    make_again(&mut lab, 7, 2);
    assert_eq!(lab.has(2), [7]);
    assert_eq!(place(&lab, &sample(1, MILLI)), None);
    assert_eq!(lab.reply(2, 30 * MILLI), (7, Delivery::Deliver));
    assert_eq!(place(&lab, &sample(1, MILLI)), None, "it took longer");
    lab.now = 2000 * MILLI;
    assert_eq!(place(&lab, &sample(1, MILLI)), Some(2));
    assert_eq!(lab.dispatcher.tallies().next().unwrap().again, 1);
}

#[test]
fn no_replica_is_made_for_it_and_its_death_is_nobodys_loss() {
    let mut lab = Lab::of(&[ModuleSpec {
        again: 0.01,
        at_start: 1,
        ..module(2, vec![Manner::default()])
    }]);
    lab.make_ready(1);
    lab.now = 1000 * MILLI;
    make_again(&mut lab, 7, 1);
    assert_eq!(lab.launched, [1]);
    lab.taken();
    lab.die(1);
    lab.pass(1000 * MILLI);
    let lost = |action: &Action| matches!(action, Action::Poison { call: 7, .. });
    assert!(lab.seen.iter().any(lost));
}

#[test]
fn calls_of_the_program_go_elsewhere_meanwhile() {
    let mut lab = ready(2);
    lab.now = 1000 * MILLI;
    make_again(&mut lab, 7, 1);
    lab.issue([8]);
    assert_eq!((lab.has(1), lab.has(2)), (&[7][..], &[8][..]));
}
