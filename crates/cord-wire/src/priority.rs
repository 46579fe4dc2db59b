//! Which call goes first.

/// Which call goes first. The smaller one does: it was made from the larger number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Priority(u64);

impl Priority {
    /// Larger numbers go first; what is not a number is as good as 0.
    pub fn new(value: f64) -> Priority {
        let value = if value.is_nan() { 0.0 } else { value + 0.0 }; // -0.0 is 0.0
        let bits = value.to_bits();
        let rising = if bits >> 63 == 1 {
            !bits
        } else {
            bits | 1 << 63
        };
        Priority(!rising)
    }

    /// As it travels.
    pub fn to_bits(self) -> u64 {
        self.0
    }

    /// As it came.
    pub fn from_bits(bits: u64) -> Priority {
        Priority(bits)
    }
}

impl Default for Priority {
    fn default() -> Priority {
        Priority::new(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_numbers_go_first() {
        let falling = [f64::INFINITY, 1e300, 2.0, 1.5, 1e-300, 0.0, -1e-300, -3.0];
        for pair in falling.windows(2) {
            assert!(Priority::new(pair[0]) < Priority::new(pair[1]), "{pair:?}");
        }
        assert_eq!(Priority::new(-0.0), Priority::default());
        assert_eq!(Priority::new(f64::NAN), Priority::default());
        let some = Priority::new(7.25);
        assert_eq!(Priority::from_bits(some.to_bits()), some);
    }
}
