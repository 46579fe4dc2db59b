//! Whatever the graph of calls, and however small the pools, every call ends.

use super::dice::Dice;
use super::nested_world::{End, Script, Step, World};
use super::replica::Phase;
use super::*;

/// A call of the first module that calls the second, and so on.
fn chain(modules: &[u32], pure_call: bool) -> Script {
    let mut modules = modules.iter().rev();
    let last = Script {
        module: *modules.next().unwrap(),
        pure_call,
        calls: Vec::new(),
    };
    modules.fold(last, |inner, module| Script {
        module: *module,
        pure_call,
        calls: vec![inner],
    })
}

/// A random tree of calls over `modules`, none calling its own module.
fn tree(dice: &mut Dice, purity: &[bool], module: u32, depth: u64) -> Script {
    let width = if depth == 0 { 0 } else { dice.below(3) };
    let others = purity.len() as u64 - 1;
    let calls = (0..width)
        .map(|_| {
            let other = (u64::from(module) + 1 + dice.below(others)) % (others + 1);
            tree(dice, purity, other as u32, depth - 1)
        })
        .collect();
    Script {
        module,
        pure_call: purity[module as usize],
        calls,
    }
}

#[test]
fn a_call_comes_back_to_the_replica_that_waits() {
    for pure_call in [true, false] {
        let mut world = World::new(&[1, 1]);
        let modules: Vec<u32> = (0..100).map(|n| n % 2).collect();
        let call = world.issue(chain(&modules, pure_call));
        world.run(&mut Dice(1));
        assert_eq!(world.ends[call as usize], Some(End::Answered));
        assert_eq!(world.deepest, 50);
    }
}

/// What else runs, for ever perhaps, does not matter.
#[test]
fn rules_one_and_two_wait_for_nobody_else() {
    for (calls, pure_call) in [(&[&[0, 1, 0][..]][..], false), (&[&[0, 1], &[1, 0]], true)] {
        let mut world = World::new(&[1, 1, 1]);
        world.issue(chain(&[2], true));
        world.step(3, Step::Begin(0));
        world.endless = Some(3);
        for modules in calls {
            world.issue(chain(modules, pure_call));
        }
        while world.turn(&mut Dice(1)) {}
        assert!(world.ends[1..]
            .iter()
            .all(|end| *end == Some(End::Answered)));
    }
}

#[test]
fn an_idle_replica_goes_before_one_that_waits() {
    let mut world = World::new(&[2, 1]);
    world.issue(chain(&[0, 1, 0], true));
    world.run(&mut Dice(1));
    assert_eq!(world.deepest, 1);
}

#[test]
fn pure_calls_that_cross_are_run_meanwhile() {
    let mut world = World::new(&[1, 1]);
    world.issue(chain(&[0, 1], true));
    world.issue(chain(&[1, 0], true));
    world.run(&mut Dice(1));
    assert!(world.ends.iter().all(|end| *end == Some(End::Answered)));
}

/// Two threads of the client make calls that are not pure and cross.
#[test]
fn impure_calls_that_cross_are_run_when_nothing_else_gets_on() {
    let mut world = World::new(&[1, 1, 1]);
    world.issue(chain(&[0, 1], false));
    world.issue(chain(&[1, 0], false));
    world.issue(chain(&[2], true));
    world.run(&mut Dice(1));
    assert!(world.ends.iter().all(|end| *end == Some(End::Answered)));
}

#[test]
fn an_impure_call_of_others_waits_while_anything_gets_on() {
    let mut world = World::new(&[1, 1, 1]);
    let first = world.issue(chain(&[0, 1], false));
    for _ in 0..2 {
        let step = world.next_of(1).unwrap();
        world.step(1, step);
    }
    world.issue(chain(&[2, 0], false));
    for _ in 0..2 {
        let step = world.next_of(3).unwrap();
        world.step(3, step);
    }
    // Replica 1 waits for replica 2, which can go on: 3 waits its turn.
    assert!(world.inner.is_empty());
    world.run(&mut Dice(1));
    assert_eq!(world.ends[first as usize], Some(End::Answered));
    assert_eq!(world.deepest, 1);
}

#[test]
fn calls_of_a_dead_replica_are_dropped_and_it_is_tried_again() {
    let mut world = World::new(&[1, 1]);
    let call = world.issue(chain(&[0, 1], true));
    for _ in 0..2 {
        let step = world.next_of(1).unwrap();
        world.step(1, step);
    }
    let nested = call as usize + 1;
    assert_eq!(world.next_of(2).map(|_| ()), Some(()));
    world.kill(1);
    assert!(world.lab.dispatcher.calls[&(nested as CallId)].is_in_vain());
    world.run(&mut Dice(1));
    assert_eq!(world.ends[nested], Some(End::Forgotten));
    assert_eq!(world.ends[call as usize], Some(End::Answered));
}

/// A call that nobody will take has led to one that never ends, in a replica that is needed.
#[test]
fn a_replica_that_runs_in_vain_for_another_is_ended() {
    let mut world = World::new(&[1, 1]);
    let guess = world.issue(chain(&[0, 1], true));
    for id in [1, 1, 2] {
        let step = world.next_of(id).unwrap();
        world.step(id, step);
    }
    world.lab.dropped(guess);
    world.endless = Some(2);
    let wanted = world.issue(chain(&[1], true));
    world.lab.pass(1000 * MILLI);
    world.look();
    world.run(&mut Dice(1));
    assert_eq!(world.ends[wanted as usize], Some(End::Answered));
    assert_eq!(world.ends[guess as usize + 1], Some(End::Forgotten));
    assert_eq!(world.ends[guess as usize], Some(End::Forgotten));
}

#[test]
fn a_call_that_has_not_begun_is_withdrawn_when_its_caller_is_interrupted() {
    let mut world = World::new(&[1, 1]);
    world.issue(chain(&[1, 1], true));
    world.issue(chain(&[0, 1], true));
    for _ in 0..2 {
        let step = world.next_of(1).unwrap();
        world.step(1, step);
    }
    let nested = world.scripts.len() as CallId - 1;
    assert!(world.lab.dispatcher.modules[1]
        .queue
        .shared
        .nested()
        .eq([nested]));
    assert_eq!(world.lab.interrupted(nested), None);
    world.lab.decide();
    world.look();
    assert_eq!(world.ends[nested as usize], Some(End::Forgotten));
    assert!(world.lab.dispatcher.replicas[&1].waits.is_empty());
}

#[test]
fn a_loss_reaches_the_replica_that_waits() {
    let mut world = World::new(&[1, 1]);
    let call = world.issue(chain(&[0, 1], false));
    for _ in 0..2 {
        let step = world.next_of(1).unwrap();
        world.step(1, step);
    }
    world.kill(2);
    assert_eq!(world.ends[call as usize + 1], Some(End::Lost));
    world.run(&mut Dice(1));
    assert_eq!(world.ends[call as usize], Some(End::Answered));
}

/// A replica is to load its module once more, but waits for a call that needs it first.
#[test]
fn what_leads_back_to_a_replica_that_is_to_load_runs_before() {
    for pure_call in [true, false] {
        let mut world = World::new(&[1, 1]);
        let call = world.issue(chain(&[0, 1, 0], pure_call));
        for id in [1, 1, 2] {
            let step = world.next_of(id).unwrap();
            world.step(id, step);
        }
        world.lab.loading(0);
        let step = world.next_of(2).unwrap();
        world.step(2, step);
        assert_eq!(world.inner[&(call + 1)], [call + 2]);
        world.run(&mut Dice(1));
        assert_eq!(world.ends[call as usize], Some(End::Answered));
    }
}

#[test]
fn calls_of_others_wait_until_a_module_is_loaded() {
    let mut world = World::new(&[1, 1, 1]);
    world.issue(chain(&[0, 1], true));
    for id in [1, 1, 2] {
        let step = world.next_of(id).unwrap();
        world.step(id, step);
    }
    world.lab.loading(0);
    world.issue(chain(&[2, 0], true));
    for id in [3, 3] {
        let step = world.next_of(id).unwrap();
        world.step(id, step);
    }
    assert!(world.inner.is_empty());
    world.run(&mut Dice(1));
    assert!(world.ends.iter().all(|end| *end == Some(End::Answered)));
}

/// Many pure calls at once, over random graphs, each module with one or two replicas.
#[test]
fn no_graph_of_pure_calls_locks_up() {
    for seed in 0..300 {
        let mut dice = Dice(seed);
        let modules = 2 + dice.below(3) as usize;
        let replicas: Vec<u32> = (0..modules).map(|_| 1 + dice.below(2) as u32).collect();
        let mut world = World::new(&replicas);
        if seed % 3 == 0 {
            world.recycle(1 + (seed % 4) as u32);
        }
        let depth = 1 + dice.below(4);
        for _ in 0..12 {
            let module = dice.below(modules as u64) as u32;
            let script = tree(&mut dice, &vec![true; modules], module, depth);
            world.issue(script);
        }
        world.run(&mut dice);
        assert!(world.ends.iter().all(|end| *end == Some(End::Answered)));
        // Never more at once than the chains of calls that idle replicas have begun.
        let chains: u32 = replicas.iter().sum();
        assert!(world.deepest <= chains as usize * (depth as usize + 1));
    }
}

/// Pure calls ahead, and calls that are not pure, one after the other, as a program makes them.
#[test]
fn no_graph_of_mixed_calls_locks_up() {
    for seed in 0..300 {
        let mut dice = Dice(seed);
        let modules = 2 + dice.below(3) as usize;
        let purity: Vec<bool> = (0..modules).map(|_| dice.below(2) == 0).collect();
        let replicas: Vec<u32> = purity
            .iter()
            .map(|pure_call| 1 + u32::from(*pure_call) * dice.below(2) as u32)
            .collect();
        let mut world = World::new(&replicas);
        for _ in 0..8 {
            let module = dice.below(modules as u64) as u32;
            let script = tree(&mut dice, &purity, module, 4);
            let in_place = !script.pure_call;
            let call = world.issue(script);
            while in_place && world.ends[call as usize].is_none() {
                assert!(world.turn(&mut dice), "seed {seed} locks up");
            }
        }
        world.run(&mut dice);
        for (call, script) in world.scripts.iter().enumerate() {
            assert!(script.pure_call || world.begun[call] == 1);
        }
    }
}

/// Replicas die at any time.
#[test]
fn calls_end_whatever_dies() {
    for seed in 0..300 {
        let mut dice = Dice(seed);
        let purity = [true, dice.below(2) == 0, true];
        let mut world = World::new(&[2, 1, 1]);
        for _ in 0..8 {
            let module = dice.below(3) as u32;
            let script = tree(&mut dice, &purity, module, 3);
            world.issue(script);
            for _ in 0..6 {
                world.turn(&mut dice);
            }
            let ready = world.replicas(Phase::Ready);
            if dice.below(3) == 0 && !ready.is_empty() {
                world.kill(ready[dice.below(ready.len() as u64) as usize]);
            }
        }
        world.run(&mut dice);
        let module = &world.lab.dispatcher.modules;
        assert!(module.iter().all(|module| module.queue.is_empty()));
        assert!(world.ends.iter().all(Option::is_some));
        for (call, script) in world.scripts.iter().enumerate() {
            assert!(script.pure_call || world.begun[call] <= 1);
        }
    }
}
