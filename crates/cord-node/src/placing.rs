//! Which node a replica goes to.

/// A node, as far as that matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Room {
    /// How many cores it gives.
    pub(super) cores: u32,
    /// How many replicas are there.
    pub(super) replicas: u32,
}

/// The node with the fewest replicas for its cores; of equal ones the first. None where there is none.
pub(super) fn place(nodes: impl Iterator<Item = (usize, Room)>) -> Option<usize> {
    // a/b < c/d, without fractions; the replica that is to be placed counts, too
    let load = |room: Room| (u64::from(room.replicas) + 1, u64::from(room.cores.max(1)));
    let mut best: Option<(usize, Room)> = None;
    for (index, room) in nodes {
        let is_better = best.is_none_or(|(_, best)| {
            let ((a, b), (c, d)) = (load(room), load(best));
            a * d < c * b
        });
        if is_better {
            best = Some((index, room));
        }
    }
    best.map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(cores: &[u32], count: usize) -> Vec<u32> {
        let mut replicas = vec![0; cores.len()];
        for _ in 0..count {
            let rooms = cores.iter().zip(&replicas).enumerate();
            let rooms = rooms.map(|(index, (&cores, &replicas))| (index, Room { cores, replicas }));
            let chosen = place(rooms).unwrap();
            replicas[chosen] += 1;
        }
        replicas
    }

    #[test]
    fn replicas_are_dealt_out_as_cores_are() {
        assert_eq!(placed(&[2, 2], 4), [2, 2]);
        assert_eq!(placed(&[8, 4, 4], 8), [4, 2, 2]);
        assert_eq!(placed(&[1, 0], 3), [2, 1]);
    }

    #[test]
    fn there_may_be_no_node() {
        assert_eq!(place(std::iter::empty()), None);
    }
}
