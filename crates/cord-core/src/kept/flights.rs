//! Calls under way: equal ones are made once, in one run and in all that share the store.
//!
//! In a run the first one is made, and those that come meanwhile *follow* it: they hold its ticket, and get what was
//! kept of it. Between runs who sends a call to a replica claims it; another run's call *stands aside* till the claim
//! is gone. It is claimed no earlier, so that runs which begin together share their calls. If nothing was kept, each
//! makes its own.

use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::claims::{is_stopped, Owner};
use super::index::Place;
use super::writer::Note;
use super::{locked, Ended, Keep, Kept};
use crate::ticket::slot::Held;
use crate::ticket::Watch;

/// It is looked so often whether other runs have done what is waited for.
pub const LOOK: Duration = Duration::from_millis(2);
/// Every so many looks it is seen whether they get on.
const LOOKS: u32 = 50;
/// Another run may be slower by so much, and by this factor, than this one was at its slowest.
const SLOWER: Duration = Duration::from_secs(1);
const SLOWER_BY: u32 = 4;

/// A call and those that follow it.
#[derive(Debug)]
pub struct Led {
    leader: Watch,
    followers: Vec<Held>,
}

/// That what comes of a call is kept. Whoever lets go of it ends the flight: what followed it goes on.
#[derive(Debug)]
pub struct Flight {
    kept: Arc<Kept>,
    pub keep: Box<Keep>,
    /// What was in the store already, and was of no use.
    passed: Option<Place>,
    /// Equal ones follow it.
    leads: bool,
    /// It is this run's, or is made whoever else is at it.
    is_claimed: bool,
}

impl Kept {
    /// A call begins of which nothing is in the store; none if it follows another one.
    pub(crate) fn begin(self: &Arc<Kept>, mut held: Held, keep: Box<Keep>) -> Option<Held> {
        let key = keep.key;
        held.keep(Flight::of(self, keep));
        match locked(&self.flights).entry(key) {
            Entry::Vacant(free) => {
                held.flight().into_iter().for_each(Flight::lead);
                free.insert(Led {
                    leader: held.watch(),
                    followers: Vec::new(),
                });
            }
            Entry::Occupied(mut led) => {
                let led = led.get_mut();
                if let Some(leader) = led.leader.ticket() {
                    held.follow(leader);
                    led.followers.push(held);
                    return None;
                }
            }
        }
        Some(held)
    }

    fn place(&self, keep: &Keep) -> Option<Place> {
        self.indexed().as_ref()?.place(&keep.key)
    }

    /// Looks what other runs have kept meanwhile.
    fn catch_up(&self) {
        if let Some(index) = &mut *self.indexed() {
            let _ = index.catch_up(&self.folder);
        }
    }

    /// Takes what is in the store for a call that has waited for it, or has it made.
    fn go_on(&self, mut held: Held) {
        let Some(flight) = held.flight() else {
            return;
        };
        let (keep, passed) = (flight.keep.clone(), self.place(&flight.keep));
        flight.passed = passed;
        let found = match held.is_wanted() {
            true => self.look_up(&keep).ok().flatten(),
            false => return,
        };
        match found {
            Some((outcome, service)) => {
                self.tally(&keep.function, |tally| {
                    tally.misses = tally.misses.saturating_sub(1);
                    tally.hits += 1;
                    tally.saved += service;
                });
                held.get(outcome, service);
            }
            None => held.make(),
        }
    }

    /// Has a call wait for another run.
    fn stand_aside(&self, held: Held) {
        held.stands_aside();
        let wait = Wait {
            held,
            since: Instant::now(),
        };
        let given = match &*locked(&self.sender) {
            Some(sender) => sender.send(Note::Wait(wait)).map_err(|back| back.0),
            None => Err(Note::Wait(wait)),
        };
        if let Err(Note::Wait(wait)) = given {
            wait.held.insist();
        }
    }
}

impl Flight {
    /// That of a call which nothing in the store answers.
    pub fn of(kept: &Arc<Kept>, keep: Box<Keep>) -> Flight {
        Flight {
            kept: Arc::clone(kept),
            passed: kept.place(&keep),
            keep,
            leads: false,
            is_claimed: false,
        }
    }

    /// Others follow it.
    pub fn lead(&mut self) {
        self.leads = true;
    }

    /// The call has come to its end.
    pub fn end(self, ended: &Ended<'_>) {
        let (kept, keep) = (Arc::clone(&self.kept), self.keep.clone());
        let is_kept = kept.put(self, ended.outcome, ended.service);
        kept.record(&keep, ended, is_kept);
    }

    /// Whether the call may go to a replica: nothing is in the store, and no other run is at it.
    fn may_begin(&mut self) -> bool {
        if self.is_claimed {
            return true;
        }
        let claims = locked(&self.kept.claims).clone();
        let Some(claims) = claims else {
            return true;
        };
        if !claims.claim(&self.keep.key) {
            return false;
        }
        if claims.has_news() {
            self.kept.catch_up();
        }
        self.is_claimed = self.kept.place(&self.keep) == self.passed;
        if !self.is_claimed {
            claims.release(&self.keep.key);
        }
        self.is_claimed
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        let kept = &self.kept;
        if kept.pid != std::process::id() {
            return; // a forked child's: others have the locks
        }
        if self.is_claimed {
            if let Some(claims) = &*locked(&kept.claims) {
                claims.release(&self.keep.key);
            }
        }
        let led = match self.leads {
            true => locked(&kept.flights).remove(&self.keep.key),
            false => None,
        };
        for follower in led.map(|led| led.followers).unwrap_or_default() {
            kept.go_on(follower);
        }
    }
}

impl Held {
    /// Whether it may go to a replica; if not it is to be let [`Held::stand_aside`].
    pub(crate) fn may_begin(&mut self) -> bool {
        self.flight().is_none_or(Flight::may_begin)
    }

    /// It goes to a replica, whoever else is at it.
    fn insist(mut self) {
        if let Some(flight) = self.flight() {
            flight.is_claimed = true;
        }
        self.make();
    }

    /// It waits for another run, or takes what that has kept.
    pub(crate) fn stand_aside(mut self) {
        if let Some(kept) = self.flight().map(|flight| Arc::clone(&flight.kept)) {
            kept.stand_aside(self);
        }
    }
}

/// A call that waits for another run.
#[derive(Debug)]
pub struct Wait {
    held: Held,
    since: Instant,
}

/// All that do.
#[derive(Debug, Default)]
pub struct Waits {
    waits: Vec<Wait>,
    looks: u32,
}

impl Waits {
    pub fn is_empty(&self) -> bool {
        self.waits.is_empty()
    }

    /// One more.
    pub fn add(&mut self, wait: Wait) {
        self.waits.push(wait);
    }

    /// Nobody looks any more what others have done.
    pub fn give_up(self) {
        self.waits.into_iter().for_each(|wait| wait.held.insist());
    }

    /// Has those go on that need not wait any longer.
    pub fn look(&mut self, kept: &Kept) {
        let claims = locked(&kept.claims).clone();
        if claims.as_ref().is_some_and(|claims| claims.has_news()) {
            kept.catch_up();
        }
        self.looks = self.looks.wrapping_add(1);
        let is_to_see = self.looks % LOOKS == 0;
        for mut wait in std::mem::take(&mut self.waits) {
            let Some(flight) = wait.held.flight() else {
                continue;
            };
            let owner = match &claims {
                Some(claims) if kept.place(&flight.keep) == flight.passed => {
                    claims.owner(&flight.keep.key)
                }
                _ => Owner::Nobody,
            };
            let Owner::Run(process) = owner else {
                kept.go_on(wait.held);
                continue;
            };
            let is_patient = || wait.since.elapsed() < kept.patience(&flight.keep);
            if is_to_see && (is_stopped(process) || !is_patient()) {
                wait.held.insist();
            } else if wait.held.is_wanted() {
                self.waits.push(wait);
            }
        }
    }
}

impl Kept {
    /// So long another run may take for a call: as far as it is known how long one takes.
    fn patience(&self, keep: &Keep) -> Duration {
        let slowest = locked(&self.tallies)
            .get(&keep.function)
            .map_or(0, |tally| tally.slowest);
        match Duration::from_nanos(slowest) {
            Duration::ZERO => Duration::MAX,
            slowest => slowest * SLOWER_BY + SLOWER,
        }
    }
}
