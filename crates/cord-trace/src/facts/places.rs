//! What is known of each place at which the program makes calls.

use std::collections::BTreeMap;

use cord_dispatch::dispatcher::Nanos;

use super::ran;
use crate::{Call, Outcome, Run, Take};

/// Buckets of service times: so many for each doubling.
const PER_DOUBLING: f64 = 4.0;

/// What the program was at, in its takes at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct At {
    /// Nothing was waited for: encoding, comparing, decoding, scouts.
    pub handling: Nanos,
    /// The program made the call itself.
    pub made: Nanos,
    /// The call was issued, and did not run yet.
    pub queued: Nanos,
    /// It ran.
    pub running: Nanos,
    /// It had run, and its outcome was on its way.
    pub coming: Nanos,
}

/// One place.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Place {
    /// Its number in records.
    pub place: u32,
    /// The module whose function is called there.
    pub module: u32,
    /// How many calls were issued there, and how many had which outcome.
    pub issued: u64,
    pub answered: u64,
    pub dropped: u64,
    pub lost: u64,
    /// How many were sent more than once.
    pub again: u64,
    /// How often the program took a call there, and for how many of them none was sent.
    pub takes: u64,
    pub unsent: u64,
    /// How many of these calls had been issued before the program came there.
    pub ahead: u64,
    /// For how long it was there, takes within others left out, and what it was at.
    pub spent: Nanos,
    pub at: At,
    /// For how long calls ran in replicas; of that, while the program did not wait for them; and those that
    /// nobody took.
    pub ran: Nanos,
    pub hidden: Nanos,
    pub in_vain: Nanos,
    /// For how long calls were issued, and did not run yet.
    pub queued: Nanos,
    /// How long they took there, without waiting for a core.
    pub service: Nanos,
    pub bytes: u64,
    pub supplied: u64,
    pub came: u64,
    /// How many of them replicas have made.
    pub nested: u64,
    /// Service times: the shortest, of 50, 90 and 99 of 100, the longest.
    pub quantiles: [Nanos; 5],
    /// How many were in which bucket, by its lower bound.
    pub buckets: Vec<(Nanos, u64)>,
}

#[derive(Default)]
struct Making {
    place: Place,
    services: Vec<Nanos>,
}

/// All places, by number.
pub(super) fn of(run: &Run) -> Vec<Place> {
    let mut places: BTreeMap<u32, Making> = BTreeMap::new();
    for call in run.calls.iter().filter(|call| !call.beside) {
        let take = call.take.map(|at| &run.takes[at]);
        places.entry(call.place).or_default().add(call, take);
    }
    for take in &run.takes {
        let call = run.call(take.call);
        places.entry(take.place).or_default().take(take, call);
    }
    places
        .into_iter()
        .map(|(number, making)| making.finish(number))
        .collect()
}

impl Making {
    fn add(&mut self, call: &Call, take: Option<&Take>) {
        let place = &mut self.place;
        place.issued += 1;
        place.module = call.module;
        place.nested += u64::from(call.parent.is_some());
        match call.outcome {
            Outcome::Answered => place.answered += 1,
            Outcome::Dropped => place.dropped += 1,
            Outcome::Lost => place.lost += 1,
            Outcome::Open => {}
        }
        place.again += u64::from(call.tries > 1);
        place.bytes += call.bytes;
        place.supplied += call.supplied;
        place.came += call.came;
        let Some((began, ended)) = ran(call) else {
            return;
        };
        let length = ended.saturating_sub(began);
        place.ran += length;
        place.service += call.service;
        place.queued += began.saturating_sub(call.issued);
        if call.service > 0 {
            self.services.push(call.service);
        }
        match take {
            Some(take) => {
                let waited = ended
                    .min(take.ended)
                    .saturating_sub(began.max(take.began))
                    .min(length);
                place.hidden += length - waited;
            }
            None if call.is_in_vain() => place.in_vain += length,
            None => {}
        }
    }

    fn take(&mut self, take: &Take, call: Option<&Call>) {
        let place = &mut self.place;
        place.takes += 1;
        place.unsent += u64::from(take.call == 0);
        place.ahead += u64::from(call.is_some_and(|call| call.issued < take.began));
        if take.depth > 0 {
            return;
        }
        place.spent += take.ended.saturating_sub(take.began);
        let at = At::of(take, call);
        place.at.handling += at.handling;
        place.at.made += at.made;
        place.at.queued += at.queued;
        place.at.running += at.running;
        place.at.coming += at.coming;
    }

    fn finish(mut self, number: u32) -> Place {
        self.services.sort_unstable();
        let services = &self.services;
        if let Some(last) = services.len().checked_sub(1) {
            let of = |part: usize| services[last * part / 100];
            self.place.quantiles = [of(0), of(50), of(90), of(99), of(100)];
        }
        self.place.buckets = buckets(services);
        self.place.place = number;
        self.place
    }
}

impl At {
    /// What one take was at.
    pub fn of(take: &Take, call: Option<&Call>) -> At {
        let whole = take.ended.saturating_sub(take.began);
        if take.call == 0 {
            return At {
                made: whole,
                ..At::default()
            };
        }
        let all_handling = At {
            handling: whole,
            ..At::default()
        };
        let Some(call) = call.filter(|call| call.ended.is_some_and(|at| at > take.began)) else {
            return all_handling;
        };
        let Some((ran, ended)) = ran(call) else {
            return all_handling;
        };
        let inside = |time: Nanos| time.clamp(take.began, take.ended);
        let (issued, begins) = (inside(call.issued), inside(ran.max(call.issued)));
        let ends = inside(ended.max(ran)).max(begins);
        At {
            handling: issued - take.began,
            made: 0,
            queued: begins - issued,
            running: ends - begins,
            coming: take.ended - ends,
        }
    }
}

/// How many of these sorted times are in which bucket.
fn buckets(times: &[Nanos]) -> Vec<(Nanos, u64)> {
    let mut buckets: Vec<(Nanos, u64)> = Vec::new();
    for time in times {
        let step = ((*time).max(1) as f64).log2() * PER_DOUBLING;
        let lower = (step.floor() / PER_DOUBLING).exp2().round() as Nanos;
        match buckets.last_mut() {
            Some((same, many)) if *same == lower => *many += 1,
            _ => buckets.push((lower, 1)),
        }
    }
    buckets
}
