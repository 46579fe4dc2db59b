//! How much each replica had to do.

use std::collections::HashMap;

use cord_dispatch::dispatcher::{Nanos, ReplicaId};

use super::ran;
use crate::{Call, Replica, Run};

/// One replica's use.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Used {
    /// Which; its death only if that was before the run was over.
    pub replica: Replica,
    pub calls: u64,
    /// For how long it ran calls; of that, calls that nobody took; how long they took, without waiting for
    /// a core.
    pub busy: Nanos,
    pub in_vain: Nanos,
    pub service: Nanos,
    /// When the last of them ended.
    pub last: Nanos,
}

/// The calls that each replica has run, in the order in which they began.
pub(super) type ByReplica<'a> = HashMap<ReplicaId, Vec<&'a Call>>;

pub(super) fn in_order(run: &Run) -> ByReplica<'_> {
    let mut all: ByReplica<'_> = HashMap::new();
    for call in &run.calls {
        if let (Some(replica), Some(_)) = (call.replica, ran(call)) {
            all.entry(replica).or_default().push(call);
        }
    }
    for calls in all.values_mut() {
        calls.sort_by_key(|call| ran(call));
    }
    all
}

/// When a replica was busy: what several calls, one on top of the other, take at once counts once.
pub(super) fn busy<'a>(calls: &'a [&Call]) -> impl Iterator<Item = (Nanos, Nanos)> + 'a {
    let mut until = 0;
    calls.iter().filter_map(move |call| {
        let (began, ended) = ran(call)?;
        let began = began.max(until);
        until = until.max(ended);
        (ended > began).then_some((began, ended))
    })
}

pub(super) fn of(run: &Run, by_replica: &ByReplica<'_>, length: Nanos) -> Vec<Used> {
    let one = |replica: &Replica| {
        let calls = by_replica.get(&replica.id).map_or(&[][..], Vec::as_slice);
        let length_of =
            |call: &&Call| ran(call).map_or(0, |(began, ended)| ended - began.min(ended));
        Used {
            replica: Replica {
                died: replica.died.filter(|(at, _)| *at < length),
                ..replica.clone()
            },
            calls: calls.iter().filter(|call| !call.beside).count() as u64,
            busy: busy(calls).map(|(began, ended)| ended - began).sum(),
            in_vain: (calls.iter())
                .filter(|call| call.is_in_vain())
                .map(length_of)
                .sum(),
            service: calls.iter().map(|call| call.service).sum(),
            last: (calls.iter())
                .filter_map(|call| ran(call))
                .map(|(_, ended)| ended)
                .max()
                .unwrap_or(0),
        }
    };
    run.replicas.iter().map(one).collect()
}
