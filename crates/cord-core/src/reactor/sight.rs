//! What whoever looks on is told of a run.

use super::kept::Kept;
use super::Reactor;
use crate::account::Named;
use crate::engine::Launcher;
use crate::live::Sight;
use cord_dispatch::dispatcher::{original, CallId, Doing, Nanos};

impl<L: Launcher> Reactor<L> {
    /// What there is to be seen now.
    pub(super) fn sight(&self, now: Nanos) -> Sight {
        let seen = self.dispatcher.seen(now);
        let replicas = seen.iter().flat_map(|module| &module.replicas);
        let running = replicas.filter_map(|replica| match replica.doing {
            Doing::Runs(call, _) => Some((call, self.named(call)?)),
            _ => None,
        });
        let fallen = self.dispatcher.fallen().iter();
        let names = self.modules.iter().map(|each| each.name.clone());
        let name = |module: u32| self.modules[module as usize].name.clone();
        Sight {
            running: running.collect(),
            fallen: fallen
                .map(|(module, id)| (name(*module), self.launcher.fallen(*id)))
                .collect(),
            modules: names.zip(seen).collect(),
        }
    }

    fn named(&self, call: CallId) -> Option<Named> {
        match self.kept.get(&original(call))? {
            Kept::Held(held) => held.named(),
            Kept::Nested(_) | Kept::Again(_) => None,
        }
    }
}
