//! What whoever looks on is told of calls and replicas, as plain data.

use super::lanes::Slot;
use super::replica::{Phase, Replica};
use super::{CallId, Dispatcher, Nanos, ReplicaId};

/// A module's calls and replicas as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModuleSeen {
    /// How many of its replicas are threads of one process.
    pub threads: u32,
    /// How many calls no replica has. Those that wait for the value of another one are left out.
    pub waiting: usize,
    /// How many calls they have answered, those that are gone included.
    pub answered: u64,
    /// For how long they have run these.
    pub busy: Nanos,
    /// Those that there are, by place.
    pub replicas: Vec<ReplicaSeen>,
}

/// A replica.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplicaSeen {
    /// Its number.
    pub replica: ReplicaId,
    /// Its place in its module.
    pub slot: Slot,
    /// What it does.
    pub doing: Doing,
    /// How many calls it has besides.
    pub behind: usize,
}

/// What a replica does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing {
    /// It has been starting for so long.
    Starting(Nanos),
    /// It has nothing to do.
    Idle,
    /// It has run this call for so long.
    Runs(CallId, Nanos),
    /// It has ended, or is about to.
    Ending,
}

impl Dispatcher {
    /// What there is to be seen, by module. It takes the longer the more replicas there are.
    pub fn seen(&self, now: Nanos) -> Vec<ModuleSeen> {
        let mut modules: Vec<ModuleSeen> = self
            .modules
            .iter()
            .map(|module| ModuleSeen {
                threads: module.threads,
                waiting: module.queue.len() + module.gates.len() + module.asleep,
                answered: module.answered,
                busy: module.busy.iter().sum(),
                replicas: Vec::new(),
            })
            .collect();
        for (id, replica) in &self.replicas {
            let seen = replica_seen(*id, replica, now);
            modules[replica.module as usize].replicas.push(seen);
        }
        for module in &mut modules {
            module.replicas.sort_by_key(|replica| replica.slot);
        }
        modules
    }
}

fn replica_seen(id: ReplicaId, replica: &Replica, now: Nanos) -> ReplicaSeen {
    let since = |time: Nanos| now.saturating_sub(time);
    let doing = match (replica.phase, replica.line.first()) {
        (Phase::Starting, _) => Doing::Starting(since(replica.launched)),
        (Phase::Ending(_), _) => Doing::Ending,
        (Phase::Ready, _) if replica.killed => Doing::Ending,
        (Phase::Ready, Some(call)) => Doing::Runs(call, since(replica.head_since)),
        (Phase::Ready, None) => Doing::Idle,
    };
    let runs = matches!(doing, Doing::Runs(..));
    ReplicaSeen {
        replica: id,
        slot: replica.slot,
        doing,
        behind: replica.load() - usize::from(runs),
    }
}

#[cfg(test)]
mod tests {
    use super::super::lab::Lab;
    use super::super::MILLI;
    use super::*;

    fn doing(seen: &[ModuleSeen]) -> Vec<(Doing, usize)> {
        let replicas = seen[0].replicas.iter();
        replicas.map(|one| (one.doing, one.behind)).collect()
    }

    #[test]
    fn replicas_start_before_they_do_anything() {
        let mut lab = Lab::new(&[2]);
        lab.now = 3 * MILLI;
        lab.make_ready(2);
        let seen = lab.dispatcher.seen(lab.now);
        assert_eq!(
            doing(&seen),
            [(Doing::Starting(3 * MILLI), 0), (Doing::Idle, 0)]
        );
        assert_eq!(seen[0].waiting, 0);
    }

    #[test]
    fn who_looks_sees_what_runs_and_since_when() {
        let mut lab = Lab::ready(2);
        lab.issue(1..=5);
        lab.now += 5 * MILLI;
        let seen = lab.dispatcher.seen(lab.now);
        assert_eq!(seen[0].waiting, 1);
        assert_eq!(
            doing(&seen),
            [
                (Doing::Runs(1, 5 * MILLI), 1),
                (Doing::Runs(2, 5 * MILLI), 1)
            ]
        );
        lab.reply(1, 5 * MILLI);
        lab.now += MILLI;
        let seen = lab.dispatcher.seen(lab.now);
        assert_eq!(doing(&seen)[0], (Doing::Runs(3, MILLI), 1));
        let module = &seen[0];
        assert_eq!((module.answered, module.busy), (1, 5 * MILLI));
    }

    #[test]
    fn a_replica_that_has_died_is_not_seen_any_more() {
        let mut lab = Lab::ready(2);
        lab.die(1);
        lab.now += 1;
        let seen = lab.dispatcher.seen(lab.now);
        let ids: Vec<_> = seen[0].replicas.iter().collect();
        assert!(ids.iter().all(|one| one.replica != 1), "{ids:?}");
    }
}
