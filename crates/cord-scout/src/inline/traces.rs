//! The policy beside calls that are always shipped, in whole programs whose times are made up.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::*;

const US: u64 = 1_000;
const MS: u64 = 1_000_000;

/// A program that makes one call after the other, on a machine.
#[derive(Debug, Clone)]
struct Program {
    /// How long each call takes on a core of its own.
    calls: Vec<u64>,
    /// Whether calls wait for something in place of computing.
    sleeps: bool,
    /// So many are under way at most before the program comes to them; 0: each is made in its place.
    window: usize,
    replicas: usize,
    cores: usize,
    /// Replicas take so long to start, and the first call in each takes so much longer.
    start: u64,
    import: u64,
    /// So many other processes want the cores while so many of the first calls are made.
    others: usize,
    others_until: usize,
}

impl Default for Program {
    fn default() -> Self {
        Self {
            calls: vec![MS; 500],
            sleeps: false,
            window: 64,
            replicas: 2,
            cores: 2,
            start: 100 * MS,
            import: 20 * MS,
            others: 0,
            others_until: usize::MAX,
        }
    }
}

/// What shipping a call takes of the program's time, and of the time until its value is there.
const COMPUTING: u64 = 20 * US;
const LATENCY: u64 = 40 * US;

/// What came of a run.
#[derive(Debug)]
struct Ran {
    time: u64,
    kept: usize,
    policy: Inline,
}

impl Program {
    /// How many times longer a call takes where so many compute.
    fn slower(&self, call: usize, computing: usize) -> f64 {
        let others = if call < self.others_until {
            self.others
        } else {
            0
        };
        let wanted = computing + others;
        #[expect(clippy::cast_precision_loss, reason = "some processes")]
        (wanted as f64 / self.cores as f64).max(1.0)
    }

    fn lasts(&self, call: usize, computing: usize) -> u64 {
        let slower = if self.sleeps {
            1.0
        } else {
            self.slower(call, computing)
        };
        times(self.calls[call], slower)
    }

    fn run(&self, mut policy: Option<Inline>) -> Ran {
        let (mut now, mut kept, mut untimed, mut span) = (0, 0, 0, 0);
        let mut free = (0..self.replicas).map(|_| Reverse(self.start)).collect();
        let mut fresh = self.replicas;
        let mut under_way: Vec<Option<u64>> = vec![None; self.calls.len()];
        let time = Duration::from_nanos;
        for call in 0..self.calls.len() {
            if let Some(policy) = policy.as_mut().filter(|policy| policy.is_curious()) {
                policy.try_inlined();
                under_way.fill(None);
            }
            let place = policy.as_ref().map_or(Place::Shipped, Inline::place);
            if untimed > 0 || place == Place::Inlined {
                let took = self.lasts(call, 1);
                (now, kept) = (now + took, kept + 1);
                if untimed > 0 {
                    untimed -= 1;
                } else if let Some(policy) = &mut policy {
                    untimed = policy.inlined(span + 1, time(took));
                    span = untimed;
                }
                continue;
            }
            let ahead = under_way[call].is_some();
            let foreseen = under_way.iter_mut().enumerate().skip(call);
            for (next, done) in foreseen.take(self.window.max(1)) {
                let serve = || self.serve(next, now, &mut free, &mut fresh);
                done.get_or_insert_with(serve);
            }
            let done = under_way[call].unwrap_or(now) + LATENCY;
            let come = now.max(done) + times(COMPUTING, self.slower(call, 1));
            if let Some(policy) = &mut policy {
                let cost = Cost {
                    elapsed: time(come - now),
                    computing: policy.is_long().then(|| time(COMPUTING)),
                    ahead,
                };
                policy.shipped(cost, time(self.calls[call]));
                if policy.place() == Place::Inlined {
                    under_way.fill(None);
                }
            }
            now = come;
        }
        Ran {
            time: now,
            kept,
            policy: policy.unwrap_or_default(),
        }
    }

    /// When a call has been served that is issued now: by the replica that is free first.
    fn serve(
        &self,
        call: usize,
        now: u64,
        free: &mut BinaryHeap<Reverse<u64>>,
        fresh: &mut usize,
    ) -> u64 {
        let Reverse(first) = free.pop().unwrap();
        let import = if *fresh > 0 { self.import } else { 0 };
        *fresh = fresh.saturating_sub(1);
        let computing = if self.window > 0 { self.replicas } else { 1 };
        let done = first.max(now) + import + self.lasts(call, computing);
        free.push(Reverse(done));
        done
    }

    /// How many calls were made in the program, which must not take longer than if all were shipped.
    fn kept(&self) -> usize {
        let (with, without) = (self.run(Some(Inline::default())), self.run(None));
        let (fast, slow) = (with.time, without.time);
        assert!(
            slow >= fast - fast / 20,
            "{fast} with {}, {slow} without: {self:?}",
            with.kept
        );
        with.kept
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "made-up times"
)]
fn times(nanos: u64, factor: f64) -> u64 {
    (nanos as f64 * factor) as u64
}

/// Rows of a picture: the first and the last ones are short, those in between long.
fn rows(count: u64, shortest: u64, longest: u64) -> Vec<u64> {
    let row = |at: u64| {
        let from_edge = at.min(count - 1 - at);
        shortest + (longest - shortest) * from_edge * 2 / count
    };
    (0..count).map(row).collect()
}

fn shapes() -> Vec<Vec<u64>> {
    let mixed = (0..400).map(|at| if at % 7 == 0 { 8 * MS } else { 300 * US });
    let rising = (0..300).map(|at| 200 * US + at * at * 100);
    vec![
        rows(200, MS / 2, 15 * MS),
        vec![200 * US; 2_000],
        vec![MS / 2; 2_000],
        vec![60 * MS; 50],
        mixed.collect(),
        rising.collect(),
    ]
}

fn machines() -> Vec<Program> {
    let machine = |replicas, cores, others| Program {
        replicas,
        cores,
        others,
        ..Program::default()
    };
    let passing = Program {
        others: 6,
        others_until: 60,
        ..Program::default()
    };
    let slow_to_start = Program {
        start: 3_000 * MS,
        import: 800 * MS,
        ..Program::default()
    };
    vec![
        Program::default(),
        machine(2, 2, 3),
        machine(2, 2, 10),
        machine(8, 2, 0),
        machine(8, 2, 6),
        machine(2, 1, 0),
        machine(16, 4, 1),
        passing,
        slow_to_start,
    ]
}

#[test]
fn of_calls_that_are_ahead_none_is_kept() {
    for calls in shapes() {
        for sleeps in [false, true] {
            for machine in machines() {
                let program = Program {
                    calls: calls.clone(),
                    sleeps,
                    ..machine
                };
                assert_eq!(program.kept(), 0, "{program:?}");
            }
        }
    }
}

#[test]
fn the_next_run_keeps_none_either() {
    for calls in shapes() {
        for machine in machines() {
            let program = Program {
                calls: calls.clone(),
                ..machine
            };
            let service: u64 = program.calls.iter().sum();
            let left = program.run(Some(Inline::default())).policy.left();
            let short = service < program.start + program.import;
            assert!(short || left.is_none(), "{left:?} {program:?}");
        }
    }
}

#[test]
fn calls_that_nothing_runs_ahead_of_are_kept_only_where_that_is_no_slower() {
    for calls in shapes() {
        for machine in machines() {
            let program = Program {
                calls: calls.clone(),
                window: 0,
                ..machine
            };
            program.kept();
        }
    }
}

#[test]
fn long_calls_are_not_kept_even_there() {
    for machine in machines() {
        let program = Program {
            calls: vec![60 * MS; 300],
            sleeps: true,
            window: 0,
            ..machine
        };
        assert!(program.kept() <= 12, "{program:?}");
    }
}

#[test]
fn tiny_calls_are_kept_soon() {
    let program = Program {
        calls: vec![5 * US; 5_000],
        window: 0,
        start: 0,
        import: 0,
        ..Program::default()
    };
    assert!(program.kept() > 4_800);
}
