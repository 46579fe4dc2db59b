//! What one call costs in the dispatcher, by the number of replicas and of calls that wait.
//!
//! A step is the whole way of one call: a replica answers the oldest call that was sent, a new one
//! is issued, and the dispatcher decides. So the number of those that wait stays what it is.

use std::collections::VecDeque;
use std::hint::black_box;

use cord_core::dispatcher::{Action, CallId, Dispatcher, Event, Issue, Nanos, ReplicaId};
use cord_core::{ModuleSpec, Priority};
use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion};

/// How long a call takes: a frame holds one, and a replica has two.
const SERVICE: Nanos = 1_000_000;
/// How many calls are issued between two decisions while the queue is filled.
const FILL: u64 = 1000;

const OUTSTANDING: [u64; 4] = [1_000, 10_000, 100_000, 1_000_000];
const REPLICAS: [u32; 5] = [1, 4, 16, 64, 256];

/// A dispatcher, and simulated replicas that answer in the order in which they are sent calls.
struct World {
    dispatcher: Dispatcher,
    now: Nanos,
    next_call: CallId,
    priorities: Option<Dice>,
    sent: VecDeque<(ReplicaId, CallId)>,
    actions: Vec<Action>,
}

impl World {
    /// Replicas that are ready and have as much as they take, and so many calls that have not ended.
    fn new(replicas: u32, outstanding: u64, prioritised: bool) -> World {
        let mut world = World {
            dispatcher: Dispatcher::new(&[ModuleSpec::plain("work", replicas)]),
            now: 0,
            next_call: 0,
            priorities: prioritised.then_some(Dice(1)),
            sent: VecDeque::new(),
            actions: Vec::new(),
        };
        world.decide(); // launches them
        for id in 1..=replicas {
            world.hear(Event::Ready { replica: id });
        }
        while world.next_call < outstanding {
            for _ in 0..FILL.min(outstanding - world.next_call) {
                world.issue();
            }
            world.decide();
        }
        for _ in 0..2 * u64::from(replicas) {
            world.step(); // until service times are known
        }
        world
    }

    fn issue(&mut self) {
        self.next_call += 1;
        let priority = match &mut self.priorities {
            Some(dice) => Priority::new(dice.roll()),
            None => Priority::default(),
        };
        let plain = Issue::plain(self.next_call, 0, true);
        self.hear(Event::Issued(Issue { priority, ..plain }));
    }

    fn hear(&mut self, event: Event) {
        let heard = self.dispatcher.handle(self.now, event);
        black_box(heard.expect("replicas have these calls"));
    }

    fn decide(&mut self) {
        self.dispatcher.decide(self.now, &mut self.actions);
        for action in self.actions.drain(..) {
            if let Action::Send { replica, calls } = action {
                self.sent.extend(calls.iter().map(|call| (replica, *call)));
            }
        }
    }

    fn step(&mut self) {
        self.now += 1;
        let (replica, call) = self.sent.pop_front().expect("replicas have calls");
        self.hear(Event::Replied {
            replica,
            call,
            service: SERVICE,
            bytes: 0,
        });
        self.issue();
        self.decide();
    }
}

/// Numbers in no order, the same in each run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 32) as f64
    }
}

fn per_call(criterion: &mut Criterion) {
    let mut by_replicas = criterion.benchmark_group("replicas");
    for replicas in REPLICAS {
        let mut world = World::new(replicas, 10_000, false);
        let id = BenchmarkId::from_parameter(replicas);
        by_replicas.bench_function(id, |bencher| bencher.iter(|| world.step()));
    }
    by_replicas.finish();
    for (name, prioritised) in [("outstanding", false), ("outstanding-priority", true)] {
        let mut by_outstanding = criterion.benchmark_group(name);
        for outstanding in OUTSTANDING {
            let mut world = World::new(2, outstanding, prioritised);
            let id = BenchmarkId::from_parameter(outstanding);
            by_outstanding.bench_function(id, |bencher| bencher.iter(|| world.step()));
        }
        by_outstanding.finish();
    }
}

criterion_group!(benches, per_call);
criterion_main!(benches);
