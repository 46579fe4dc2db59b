//! One clock for all machines.

use cord_dispatch::dispatcher::Nanos;

/// How far a replica's clock is behind the client's, by what its calls tell: none begins before it was
/// sent, none is answered before it has ended (Cristian, 1989, doi 10.1007/BF01784024).
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    least: i64,
    most: i64,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            least: i64::MIN,
            most: i64::MAX,
        }
    }
}

impl Bounds {
    /// A call was sent then, and began and ended by the replica's clock, and was answered then.
    pub fn learn(&mut self, sent: Nanos, (began, ended): (i64, i64), answered: Nanos) {
        self.least = self.least.max((sent as i64).saturating_sub(began));
        self.most = self.most.min((answered as i64).saturating_sub(ended));
    }

    /// What is to be added to its times: nothing where it may be the same clock; else what lies between
    /// the bounds.
    pub fn offset(self) -> i64 {
        if self.least <= 0 && self.most >= 0 {
            return 0;
        }
        let middle = (i128::from(self.least) + i128::from(self.most)) / 2;
        i64::try_from(middle).unwrap_or(0)
    }
}
