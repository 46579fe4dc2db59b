//! What calls do besides giving a value.

/// What the plan says of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effects {
    /// Nothing: it may be started early, repeated after a crash, or run in vain.
    Pure,
    /// Something, but no call depends on it, whichever replica runs it.
    Independent,
    /// It may change what its replica keeps, and depend on what others have changed there.
    Stateful,
}

impl Effects {
    /// Bits that it takes on the wire.
    pub const BITS: u32 = 2;

    /// Those of a call of which no more is known than whether it is pure.
    pub fn of(pure_call: bool) -> Effects {
        match pure_call {
            true => Effects::Pure,
            false => Effects::Stateful,
        }
    }

    /// Whether the call may be repeated or left out.
    pub fn is_pure(self) -> bool {
        self == Effects::Pure
    }

    /// As it travels.
    pub fn to_bits(self) -> u32 {
        self as u32
    }

    /// As it came; with most care where that is no effect.
    pub fn from_bits(bits: u32) -> Effects {
        let all = [Effects::Pure, Effects::Independent, Effects::Stateful];
        let found = all.into_iter().find(|one| one.to_bits() == bits);
        found.unwrap_or(Effects::Stateful)
    }
}
