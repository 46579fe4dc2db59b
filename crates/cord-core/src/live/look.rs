//! Looking at what the dispatcher knows: whoever leads the reactor fills in what is asked for.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::account::Named;
use crate::mailbox::{Command, Mailbox};
use cord_dispatch::dispatcher::{CallId, ModuleSeen};
use cord_wire::loss::Fallen;

/// What is known of calls and replicas.
#[derive(Debug, Default)]
pub struct Sight {
    /// Modules by name.
    pub modules: Vec<(String, ModuleSeen)>,
    /// What the calls are called that replicas run, as far as that is known.
    pub running: HashMap<CallId, Named>,
    /// The replicas that died by themselves, with the names of their modules.
    pub fallen: Vec<(String, Fallen)>,
}

/// A question, until it is answered.
#[derive(Debug, Default)]
pub struct Look {
    sight: Mutex<Option<Sight>>,
    answered: Condvar,
}

impl Look {
    /// Asks whoever leads the reactor, and waits so long for the answer: none once the session has
    /// ended.
    pub fn at(mailbox: &Mailbox, longest: Duration) -> Option<Sight> {
        let look = Arc::new(Look::default());
        mailbox.post(Command::Look(Arc::clone(&look))).ok()?;
        look.wait(longest)
    }

    /// What was seen, if it is there after so long.
    pub fn wait(&self, longest: Duration) -> Option<Sight> {
        let sight = self.sight.lock().unwrap_or_else(PoisonError::into_inner);
        let waits = |sight: &mut Option<Sight>| sight.is_none();
        let waited = self.answered.wait_timeout_while(sight, longest, waits);
        let (mut sight, _) = waited.unwrap_or_else(PoisonError::into_inner);
        sight.take()
    }

    /// Answers it.
    pub fn answer(&self, sight: Sight) {
        *self.sight.lock().unwrap_or_else(PoisonError::into_inner) = Some(sight);
        self.answered.notify_all();
    }
}
