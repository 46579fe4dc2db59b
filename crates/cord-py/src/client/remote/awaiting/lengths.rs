//! How long the awaited calls of a function take, and what follows from that.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

/// Calls of less are cheaper where they are made.
const SHORT: Duration = Duration::from_micros(300);
/// If the way there and back has not taken long either.
const SHORT_FOR_ALL: Duration = Duration::from_millis(2);
/// After so many of these in a row calls are made there, but for one now and then: after so many at first,
/// then after twice as many each time, up to a thousand times as many.
const MANY_SHORT: u32 = 3;
const PAUSE: u32 = 64;
const MOST_DOUBLED: u32 = 10;
/// Other things that the loop has to do must be this far off while a call is sent of which nothing is there:
/// so long, and so many times what the last one took.
const FAR: Duration = Duration::from_secs(2);
const TIMES: u32 = 10;

/// How long the awaited calls of a function take.
#[derive(Default)]
pub struct Lengths {
    last: AtomicU64,
    /// So many short ones there were in a row.
    short: AtomicU32,
    /// So many calls are made by who awaits them before the next one is sent.
    rest: AtomicU32,
}

impl Lengths {
    /// Whether calls are so short that the next one is made by who awaits it.
    pub fn are_short(&self) -> bool {
        let rest = self.rest.load(Ordering::Relaxed);
        if rest > 0 {
            self.rest.store(rest - 1, Ordering::Relaxed);
        }
        rest > 0
    }

    /// One took so long in its replica, as far as that could be told, and so long for who awaited it.
    pub fn note(&self, service: Duration, took: Duration) {
        let nanos = u64::try_from(service.as_nanos()).unwrap_or(u64::MAX);
        self.last.store(nanos, Ordering::Relaxed);
        let is_short = service < SHORT && took < SHORT_FOR_ALL;
        let short = match is_short {
            true => self.short.load(Ordering::Relaxed).saturating_add(1),
            false => 0,
        };
        self.short.store(short, Ordering::Relaxed);
        if let Some(more) = short.checked_sub(MANY_SHORT) {
            let pause = PAUSE << more.min(MOST_DOUBLED);
            self.rest.store(pause, Ordering::Relaxed);
        }
    }

    /// How far off other things must be.
    pub fn far(&self) -> Duration {
        FAR.max(Duration::from_nanos(self.last.load(Ordering::Relaxed)) * TIMES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LITTLE: Duration = Duration::from_micros(10);
    const MUCH: Duration = Duration::from_millis(60);

    fn made_in_a_row(lengths: &Lengths) -> usize {
        std::iter::repeat_with(|| lengths.are_short())
            .take_while(|is_short| *is_short)
            .count()
    }

    #[test]
    fn short_calls_are_tried_again_less_and_less_often() {
        let lengths = Lengths::default();
        for _ in 1..MANY_SHORT {
            lengths.note(LITTLE, LITTLE);
            assert!(!lengths.are_short());
        }
        for times in 0..2 * MOST_DOUBLED {
            lengths.note(LITTLE, LITTLE);
            let pause = PAUSE << times.min(MOST_DOUBLED);
            assert_eq!(made_in_a_row(&lengths), pause as usize);
        }
        lengths.note(MUCH, MUCH);
        assert!(!lengths.are_short());
        lengths.note(LITTLE, LITTLE);
        assert!(!lengths.are_short());
    }

    #[test]
    fn what_took_long_on_its_way_is_not_short() {
        let lengths = Lengths::default();
        for _ in 0..2 * MANY_SHORT {
            lengths.note(Duration::ZERO, MUCH);
            assert!(!lengths.are_short());
        }
        lengths.note(MUCH, MUCH);
        assert_eq!(lengths.far(), FAR);
        lengths.note(FAR, FAR);
        assert_eq!(lengths.far(), FAR * TIMES);
    }
}
