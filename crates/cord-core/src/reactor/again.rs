//! Calls that are made again while nobody waits for anything.

use super::kept::Kept;
use super::Reactor;
use crate::dispatcher::{Event, Issue};
use crate::engine::Launcher;

impl<L: Launcher> Reactor<L> {
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
