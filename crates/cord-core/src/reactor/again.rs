//! Calls that are made again while nobody waits for anything.

use std::time::{Duration, Instant};

use super::kept::Kept;
use super::Reactor;
use crate::engine::Launcher;
use cord_dispatch::audit::is_all;
use cord_dispatch::dispatcher::{Event, Issue};

/// For so long at most the end of a run waits for calls that are made again …
const LONGEST: Duration = Duration::from_secs(10);
/// … and looks after so long whether one may be made.
const A_WHILE: Duration = Duration::from_millis(5);

impl<L: Launcher> Reactor<L> {
    /// The program has ended: makes what waits to be made again, where all calls are to be.
    pub(super) fn make_all_again(&mut self) {
        let is_cut_off = self.cut_off || self.mailbox.is_cut_off() || self.mailbox.is_abandoned();
        if is_cut_off || !self.modules.iter().any(|module| is_all(module.again)) {
            return;
        }
        let until = Instant::now() + LONGEST;
        while self.has_some_to_make_again() && Instant::now() < until {
            self.make_again();
            self.rest(Some(A_WHILE));
            self.decide(self.launcher.now());
            self.flush();
        }
    }

    fn has_some_to_make_again(&self) -> bool {
        let mut kept = self.kept.values();
        !self.samples.is_empty() || kept.any(|one| matches!(one, Kept::Again(_)))
    }

    /// Makes a call again, if one waits for that and a replica has nothing else to do. Only the
    /// dispatcher's thread does this: the program's own never spends any time on it.
    pub(super) fn make_again(&mut self) {
        if self.samples.is_empty() || self.log.is_some() {
            return; // what is written down of a run is the program's calls
        }
        let now = self.launcher.now();
        let dispatcher = &self.dispatcher;
        let found = self.samples.take(|one| dispatcher.place_for(now, one));
        let Some((sample, to)) = found else { return };
        let id = self.mailbox.number_call();
        let issue = Issue {
            manner: sample.manner,
            beside: true,
            bytes: sample.parcel.own_len(),
            ..Issue::plain(id, sample.module, true)
        };
        self.kept.insert(id, Kept::Again(Box::new(sample)));
        self.tell(now, Event::Again { issue, to });
        self.decide(now);
        self.flush();
    }
}
