//! Whether this machine lets copies be made, found out by making one.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::area::Area;
use crate::birth::{self, Side};
use crate::cost::refusal::{self, Refusal};
use crate::{end, why};

/// Makes a copy of this process that ends at once; how long this process stood still for it.
///
/// # Errors
/// Why there is none.
pub fn trial() -> Result<Duration, Refusal> {
    refusal::check(false)?;
    let area = Arc::new(Area::new().map_err(|_| Refusal::Memory)?);
    let began = Instant::now();
    // SAFETY: the copy does nothing but end.
    match unsafe { birth::make(&area, &[]) }? {
        Side::Copy(_) => end(why::FINISHED),
        Side::Program(pid) => {
            let took = began.elapsed();
            birth::end(pid);
            Ok(took)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_made_or_there_is_a_reason() {
        match trial() {
            Ok(took) => assert!(took > Duration::ZERO),
            Err(refusal) => assert!(!refusal.words().is_empty()),
        }
    }
}
