//! Which node has the process that replicas are threads of: those of one process go to one node.

use std::collections::HashMap;

use cord_dispatch::dispatcher::ReplicaId;

/// Module, and number of a process there.
type Process = (u32, u32);

/// The processes that there are, of modules whose replicas are threads.
#[derive(Debug, Default)]
pub(super) struct Processes {
    /// By module: how many replicas share a process; 1 where that is not told.
    threads: Vec<u32>,
    /// The node of each, and how many replicas are there.
    homes: HashMap<Process, (usize, u32)>,
    replicas: HashMap<ReplicaId, Process>,
}

impl Processes {
    pub(super) fn new(threads: Vec<u32>) -> Processes {
        Processes {
            threads,
            ..Processes::default()
        }
    }

    fn process(&self, module: u32, slot: u32) -> Option<Process> {
        let threads = self.threads.get(module as usize).copied().unwrap_or(1);
        (threads > 1).then(|| (module, slot / threads))
    }

    /// The node that a replica must go to: that of its process, if there is one.
    pub(super) fn home(&self, module: u32, slot: u32) -> Option<usize> {
        let (wire, _) = self.homes.get(&self.process(module, slot)?)?;
        Some(*wire)
    }

    /// A replica goes to a node; whether a process is made there for it.
    pub(super) fn come(&mut self, replica: ReplicaId, module: u32, slot: u32, wire: usize) -> bool {
        let Some(process) = self.process(module, slot) else {
            return true;
        };
        self.replicas.insert(replica, process);
        let (_, count) = self.homes.entry(process).or_insert((wire, 0));
        *count += 1;
        *count == 1
    }

    /// A replica has ended; whether its process has nothing left.
    pub(super) fn leave(&mut self, replica: ReplicaId) -> bool {
        let Some(process) = self.replicas.remove(&replica) else {
            return true;
        };
        let left = self.homes.get_mut(&process).map_or(0, |(_, count)| {
            *count -= 1;
            *count
        });
        if left == 0 {
            self.homes.remove(&process);
        }
        left == 0
    }

    /// A node is gone.
    pub(super) fn lose(&mut self, wire: usize) {
        self.homes.retain(|_, (home, _)| *home != wire);
        let homes = &self.homes;
        self.replicas
            .retain(|_, process| homes.contains_key(process));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_of_one_process_go_to_one_node() {
        let mut processes = Processes::new(vec![1, 2]);
        assert_eq!(processes.home(1, 0), None);
        assert!(processes.come(10, 1, 0, 7));
        assert_eq!(processes.home(1, 1), Some(7));
        assert!(!processes.come(11, 1, 1, 7));
        assert_eq!(processes.home(1, 2), None, "that is another process");
        assert!(!processes.leave(10));
        assert_eq!(processes.home(1, 0), Some(7));
        assert!(processes.leave(11));
        assert_eq!(processes.home(1, 0), None);
    }

    #[test]
    fn where_each_replica_is_a_process_it_goes_anywhere() {
        let mut processes = Processes::new(vec![1]);
        assert!(processes.come(10, 0, 0, 7));
        assert_eq!(processes.home(0, 0), None);
        assert!(processes.leave(10));
    }

    #[test]
    fn what_was_on_a_node_that_is_gone_is_made_elsewhere() {
        let mut processes = Processes::new(vec![2]);
        processes.come(10, 0, 0, 7);
        processes.come(11, 0, 2, 8);
        processes.lose(7);
        assert_eq!(
            (processes.home(0, 1), processes.home(0, 3)),
            (None, Some(8))
        );
        assert!(processes.leave(10));
    }
}
