//! What one call costs in the dispatcher, by the number of replicas and of calls that wait.
//!
//! A step is the whole way of one call: a replica answers the oldest call that was sent, a new one
//! is issued, and the dispatcher decides. So the number of those that wait stays what it is.
//! Each line of the output is a name, and the median of its samples in seconds.

use std::collections::VecDeque;
use std::hint::black_box;
use std::time::{Duration, Instant};

use cord_dispatch::dispatcher::{Action, CallId, Dispatcher, Event, Issue, Nanos, ReplicaId};
use cord_dispatch::module_spec::ModuleSpec;
use cord_wire::priority::Priority;

/// How long a call takes: a frame holds one, and a replica has two.
const SERVICE: Nanos = 1_000_000;
/// How many calls are issued between two decisions while the queue is filled.
const FILL: u64 = 1000;
/// How long steps are made before they count.
const WARM_UP: Duration = Duration::from_secs(3);
const SAMPLES: usize = 100;
/// How long a sample takes, about: very many steps.
const SAMPLE: Duration = Duration::from_millis(50);

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

/// How many seconds a step takes: the median of samples of as many steps each.
fn per_step(world: &mut World) -> f64 {
    let began = Instant::now();
    let mut made = 0;
    while began.elapsed() < WARM_UP {
        world.step();
        made += 1;
    }
    let steps = (f64::from(made) * SAMPLE.as_secs_f64() / WARM_UP.as_secs_f64()).ceil();
    let mut samples: Vec<f64> = (0..SAMPLES)
        .map(|_| {
            let began = Instant::now();
            (0..steps as u64).for_each(|_| world.step());
            began.elapsed().as_secs_f64() / steps
        })
        .collect();
    samples.sort_by(f64::total_cmp);
    (samples[SAMPLES / 2 - 1] + samples[SAMPLES / 2]) / 2.0
}

fn main() {
    for replicas in REPLICAS {
        let cost = per_step(&mut World::new(replicas, 10_000, false));
        println!("replicas-{replicas} {cost:e}");
    }
    for (name, prioritised) in [("outstanding", false), ("outstanding-priority", true)] {
        for outstanding in OUTSTANDING {
            let cost = per_step(&mut World::new(2, outstanding, prioritised));
            println!("{name}-{outstanding} {cost:e}");
        }
    }
}
