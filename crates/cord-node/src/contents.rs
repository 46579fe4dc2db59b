//! Arguments that replicas keep, on their way to a node: each content crosses the wire once.
//!
//! The gateway follows what the agent has by the rule of its store (see `cord_wire::resident`), and sends
//! names in place of what is there. The agent follows what each replica has in the same way, and gives
//! it what it lacks. Where either is wrong, the replica asks, and the client sends the content.

use std::sync::Arc;

use cord_dispatch::dispatcher::ReplicaId;
use cord_wire::buffer::Buffer;
use cord_wire::resident::{Content, Key, Ledger, Most, Resident, Store};
use cord_wire::wire::Turn;

/// Content that has been given to a channel: it is at the node when so much of that channel is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Given {
    /// Whose channel.
    pub(super) replica: ReplicaId,
    /// Bytes of it.
    pub(super) until: u64,
}

/// What the node at the other side of a wire has, or will have.
#[derive(Debug)]
pub(super) struct Contents(Store<Given>);

impl Contents {
    /// Nothing yet; the node keeps so many bytes.
    pub(super) fn new(bytes: usize) -> Contents {
        Contents(Store::new(Most::of_bytes(bytes)))
    }

    /// By what the other side has this content, if it has, or will have then.
    pub(super) fn given(&mut self, resident: &Resident) -> Option<Given> {
        self.0.get(&resident.key)
    }

    /// It goes there.
    pub(super) fn give(&mut self, key: Key, len: usize, given: Given) {
        self.0.insert(key, len, given);
    }
}

/// What the agent has of all replicas' contents.
#[derive(Debug)]
pub(super) struct NodeStore {
    store: Store<Arc<Content>>,
    most: Most,
}

impl NodeStore {
    /// An empty one.
    pub(super) fn new(bytes: usize) -> NodeStore {
        let most = Most::of_bytes(bytes);
        NodeStore {
            store: Store::new(most),
            most,
        }
    }

    /// What a replica is thought to have, to begin with.
    pub(super) fn ledger(&self) -> Ledger {
        Ledger::new(self.most)
    }

    /// Keeps what has come, and adds what a replica lacks and is here; true if the name alone goes on.
    pub(super) fn complete(
        &mut self,
        buffer: &mut Buffer,
        replica: &mut Ledger,
        turn: Turn,
    ) -> bool {
        let Buffer::Resident(resident) = buffer else {
            return false;
        };
        match &resident.content {
            Some(content) => {
                let content = Arc::clone(content);
                self.store.insert(resident.key, resident.len, content);
            }
            None => resident.content = self.store.get(&resident.key),
        }
        let had = note(replica, &resident.key, resident.len);
        had && !matches!(turn, Turn::OnTopOf(_))
    }
}

/// Notes that this is used now; whether it was there before.
fn note(ledger: &mut Ledger, key: &Key, len: usize) -> bool {
    let there = ledger.get(key).is_some();
    ledger.insert(*key, len, ());
    there
}
