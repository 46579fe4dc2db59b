//! The processes that replicas are: the dispatcher knows their numbers only.

use std::collections::BTreeSet;

use rustix::process::{kill_process, Pid, Signal};

use cord_dispatch::dispatcher::{Death, IdMap, ReplicaId};
use cord_wire::loss::{Beyond, Fallen};

/// All that there have been.
#[derive(Debug, Default)]
pub(super) struct Processes {
    by_replica: IdMap<ReplicaId, Fallen>,
    /// Those of which nobody will ask how they have ended: there may be many in one run.
    retired: BTreeSet<ReplicaId>,
}

impl Processes {
    /// A replica is this process.
    pub(super) fn note(&mut self, replica: ReplicaId, pid: u32) {
        let known = self.by_replica.entry(replica).or_default();
        if known.pid == 0 {
            known.pid = pid;
        }
    }

    /// A replica's process is ended for its memory.
    pub(super) fn note_beyond(&mut self, replica: ReplicaId, beyond: Beyond) {
        self.by_replica.entry(replica).or_default().beyond = Some(beyond);
    }

    /// A replica's process has ended with this wait status.
    pub(super) fn note_end(&mut self, replica: ReplicaId, status: i32) -> Death {
        match self.retired.remove(&replica) {
            true => drop(self.by_replica.remove(&replica)),
            false => self.by_replica.entry(replica).or_default().status = Some(status),
        }
        match libc::WIFSIGNALED(status) {
            true => Death::Killed,
            false => Death::Exited,
        }
    }

    /// A replica comes to its end by itself.
    pub(super) fn retire(&mut self, replica: ReplicaId) {
        if self.fallen(replica).status.is_none() {
            self.retired.insert(replica);
        } else {
            self.by_replica.remove(&replica);
        }
    }

    /// Ends a replica's process, if it lives.
    pub(super) fn end(&self, replica: ReplicaId) {
        let Fallen { pid, status, .. } = self.fallen(replica);
        let pid = i32::try_from(pid).ok().filter(|pid| *pid > 1);
        let lives = pid.and_then(Pid::from_raw).filter(|_| status.is_none());
        if let Some(pid) = lives {
            let _ = kill_process(pid, Signal::KILL);
        }
    }

    /// What is known of a replica's process.
    pub(super) fn fallen(&self, replica: ReplicaId) -> Fallen {
        self.by_replica.get(&replica).copied().unwrap_or_default()
    }
}
