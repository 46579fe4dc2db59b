//! Threads that meet, in every order in which they may (`make raced`): nobody sleeps over what is there.

#![cfg(loom)]

use std::sync::Arc;

use loom::thread;

use cord_sync::bell::{lower, raise};
use cord_sync::budget::Budget;
use cord_sync::leader::{Leader, Rouse};
use cord_sync::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use cord_sync::sync::Mutex;
use cord_sync::wake::Wake;

/// What the program's threads have put in, and who looks.
struct Box {
    queue: Mutex<u32>,
    leader: Leader,
}

impl Box {
    fn new() -> Arc<Box> {
        Arc::new(Box {
            queue: Mutex::new(0),
            leader: Leader::default(),
        })
    }

    fn post(&self) -> Rouse {
        *self.queue.lock().unwrap() += 1;
        self.leader.rouse()
    }

    fn taken(&self) -> u32 {
        std::mem::take(&mut *self.queue.lock().unwrap())
    }
}

#[test]
fn who_leads_does_not_sleep_over_a_command() {
    loom::model(|| {
        let shared = Box::new();
        let posts = [0, 1].map(|_| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || shared.post())
        });
        shared.leader.awake();
        shared.taken();
        shared.leader.polls();
        let sleeps = *shared.queue.lock().unwrap() == 0;
        let rung = posts.map(|post| post.join().unwrap());
        let is_left = shared.taken() > 0;
        assert!(!sleeps || !is_left || rung.contains(&Rouse::Leader));
        let leaders = rung.iter().filter(|one| **one == Rouse::Leader).count();
        assert!(leaders <= 1, "one of them wakes");
    });
}

#[test]
fn what_is_there_when_nobody_leads_is_the_threads() {
    loom::model(|| {
        let shared = Box::new();
        let posts = [0, 1].map(|_| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || shared.post())
        });
        shared.taken();
        shared.leader.leaves();
        let is_there = *shared.queue.lock().unwrap() > 0;
        let mut rung = posts.map(|post| post.join().unwrap()).to_vec();
        if is_there {
            rung.push(shared.leader.rouse());
        }
        assert!(shared.taken() == 0 || rung.contains(&Rouse::Thread));
    });
}

#[test]
fn a_reader_of_a_ring_that_sleeps_is_rung_for() {
    loom::model(|| {
        let (written, sleeps) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU32::new(0)));
        let writer = {
            let (written, sleeps) = (Arc::clone(&written), Arc::clone(&sleeps));
            thread::spawn(move || {
                written.store(1, Ordering::Release);
                lower(&sleeps)
            })
        };
        raise(&sleeps);
        let is_asleep = written.load(Ordering::Acquire) == 0;
        let rings = writer.join().unwrap();
        assert!(!is_asleep || rings);
    });
}

#[test]
fn calls_that_are_held_back_are_looked_at_again_when_there_is_room() {
    loom::model(|| {
        let budget = Arc::new(Budget::new(9, 2));
        budget.keep(1);
        let taker = {
            let budget = Arc::clone(&budget);
            thread::spawn(move || budget.release(1))
        };
        let is_held = budget.holds_back(0);
        let tells = taker.join().unwrap();
        assert!(!is_held || tells);
    });
}

#[derive(Debug)]
struct Woken(AtomicUsize);

impl Wake for Woken {
    fn wake(&self, _token: u64) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn who_waits_for_an_idle_replica_is_woken_once() {
    loom::model(|| {
        let budget = Arc::new(Budget::new(9, 9));
        let woken = Arc::new(Woken(AtomicUsize::new(0)));
        let dispatcher = {
            let budget = Arc::clone(&budget);
            thread::spawn(move || budget.set_idle(true))
        };
        let who: Arc<dyn Wake> = woken.clone();
        budget.wake_when_idle(&who, 1);
        dispatcher.join().unwrap();
        assert_eq!(woken.0.load(Ordering::SeqCst), 1);
    });
}
