//! How long it takes to simulate many replicas and many calls: `cargo bench -p cord-trace`, with the
//! numbers of replicas and of calls behind `--` if they are to be others.

use std::time::Instant;

use cord_dispatch::module_spec::ModuleSpec;
use cord_trace::predict::{simulate, Call, Costs, Issue, Service, Setup, Step, Workload};

fn main() {
    let mut given = std::env::args().filter_map(|word| word.parse::<u32>().ok());
    let replicas = given.next().unwrap_or(10_000);
    let calls = given.next().unwrap_or(1_000_000);
    let costs = Costs {
        ahead: 3_000,
        in_place: 5_000,
        taken: 2_000,
        awaited: 20_000,
    };
    let call = |at: u32| Call {
        service: Service {
            computes: 20_000,
            waits: 5_000_000 + u64::from(at % 1000) * 10_000,
        },
        issue: match at {
            0 => Issue::InPlace,
            _ => Issue::Ahead { born: 0 },
        },
        ..Call::default()
    };
    let load = Workload {
        calls: (0..calls).map(call).collect(),
        program: (0..calls).map(Step::Take).collect(),
        costs: vec![costs],
        ..Workload::default()
    };
    let mut module = ModuleSpec::plain("work", replicas);
    module.at_start = 2;
    let setup = Setup {
        shared: true,
        ..Setup::of(vec![module], 2)
    };
    let began = Instant::now();
    match simulate(&load, &setup) {
        Ok(found) => println!(
            "{replicas} replicas, {calls} calls: {:.3} s simulated in {:.1} s",
            found.time as f64 * 1e-9,
            began.elapsed().as_secs_f64()
        ),
        Err(stuck) => println!("{stuck}"),
    }
}
