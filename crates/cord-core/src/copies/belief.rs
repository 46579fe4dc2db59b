//! How many calls of leaders may be out that the program has not come to: a pure state machine.
//!
//! It grows by a little with each of them that the program takes, and halves with each call that no leader
//! had foreseen, as the window of a connection does (additive increase, multiplicative decrease: Chiu and
//! Jain, 1989). What calls of leaders may be in vain besides comes on top.

/// So many more for each that was right.
const MORE: u32 = 2;
/// So many times less may be out at least than at most.
const LESS: u32 = 2;

#[derive(Debug, Clone, Copy)]
pub struct Belief {
    may: u32,
    most: u32,
}

impl Belief {
    /// At first so many, and at most so many: half of these keep all replicas busy.
    pub fn new(first: u32, most: u32) -> Belief {
        Belief { may: first, most }
    }

    /// The program has taken a call of a leader's.
    pub fn right(&mut self) {
        self.may = (self.may + MORE).min(self.most);
    }

    /// The program has come to a call that no leader had foreseen.
    pub fn wrong(&mut self) {
        self.may = (self.may / 2).max(self.most / LESS);
    }

    /// So many may be out, where so many more may be in vain.
    pub fn room(self, spare: u32) -> u32 {
        self.may.saturating_add(spare).min(self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_grows_slowly_and_shrinks_fast() {
        let mut belief = Belief::new(4, 16);
        (0..20).for_each(|_| belief.right());
        assert_eq!(belief.room(0), 16);
        belief.wrong();
        assert_eq!((belief.room(3), belief.room(30)), (11, 16));
        (0..20).for_each(|_| belief.wrong());
        assert_eq!(belief.room(0), 8, "replicas are kept busy");
        belief.right();
        assert_eq!(belief.room(0), 8 + MORE);
    }
}
