//! How many calls of leaders may be out that the program has not come to: a pure state machine.
//!
//! A part of all calls may be in vain. So many may be out that it stays within that part if as many of
//! them are in vain as of those before: many, where what leaders issue is taken.

use cord_core::far::is_far;

/// Of all calls, one in so many may be in vain.
const ONE_IN: u32 = 10;
/// And where there are few calls yet, so many, and one in so many.
const FEW: u32 = 8;
const OF_FEW: u32 = 20;

#[derive(Debug, Default, Clone, Copy)]
pub struct Belief {
    calls: u32,
    vain: u32,
    right: u32,
}

impl Belief {
    /// The program has made a call; with or without a ticket.
    pub fn made(&mut self) {
        self.calls += 1;
    }

    /// The call was a leader's.
    pub fn right(&mut self) {
        self.right += 1;
    }

    /// So many calls more were made for nobody.
    pub fn in_vain(&mut self, count: u32) {
        self.calls += count;
        self.vain += count;
    }

    /// So many more calls may be in vain.
    fn spare(self) -> u32 {
        let may = (self.calls / ONE_IN).max(FEW + self.calls / OF_FEW);
        may.saturating_sub(self.vain)
    }

    /// Whether copies may have leaders.
    pub fn may_lead(self) -> bool {
        self.spare() > 0
    }

    /// So many calls of leaders may be out, and never more than `most`.
    pub fn room(self, most: u32) -> u32 {
        if is_far() {
            return most;
        }
        // the rule of succession (Laplace, 1814): what is not known is as likely as not
        let (vain, all) = (self.vain + 1, self.vain + self.right + 2);
        (self.spare().saturating_mul(all) / vain).min(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: u32 = 64;

    #[test]
    fn what_is_taken_makes_room_and_what_is_in_vain_takes_it() {
        let mut belief = Belief::default();
        assert_eq!(belief.room(MOST), 2 * FEW);
        (0..20).for_each(|_| belief.right());
        assert_eq!(belief.room(MOST), MOST);
        belief.in_vain(6);
        assert_eq!(belief.room(MOST), 2 * 28 / 7);
        belief.in_vain(2);
        assert_eq!((belief.room(MOST), belief.may_lead()), (0, false));
        (0..20).for_each(|_| belief.made());
        assert!(belief.may_lead(), "of more calls, more may be");
    }

    /// The part in vain after so many calls of a program that takes one of two calls of its leaders, which
    /// have as many out as they may, and find out only after a while.
    fn part_in_vain(calls: u32) -> f64 {
        let mut belief = Belief::default();
        let mut out = Vec::new();
        for call in 0..calls {
            belief.made();
            while u32::try_from(out.len()).is_ok_and(|out| out < belief.room(16)) {
                out.push(call);
            }
            let over = |issued: &u32| call - issued >= 16;
            let ended = out.iter().filter(|issued| over(issued)).count();
            out.retain(|issued| !over(issued));
            for number in 0..ended {
                match number % 2 {
                    0 => belief.right(),
                    _ => belief.in_vain(1),
                }
            }
        }
        f64::from(belief.vain) / f64::from(belief.calls)
    }

    #[test]
    fn a_tenth_is_in_vain_in_the_long_run() {
        for (calls, most) in [(50, 0.25), (100, 0.15), (200, 0.11), (2000, 0.101)] {
            let part = part_in_vain(calls);
            assert!(0.05 < part && part < most, "{part} of {calls}");
        }
    }
}
