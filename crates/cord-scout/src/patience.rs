//! Scouts that never hit cost time: when to try again.

use std::sync::atomic::Ordering;
use std::sync::Arc;

use super::Score;

/// Scouts that never hit are started less and less often: at most this many takes are let pass.
const MAX_PATIENCE: u32 = 1024;
/// A region may fail this often before it pauses, and pauses no longer than for so many takes.
const LENIENCE: u32 = 4;
const LONGEST_PAUSE: u32 = 32;

/// What has come of the scouts of one place.
#[derive(Default)]
struct Record {
    last: Option<Arc<Score>>,
    failures: u32,
    pause: u32,
}

/// What a take finds in a record.
enum Found {
    Pause,
    /// No scout since the last look.
    Nothing,
    Hit(Arc<Score>),
    Failure,
}

impl Record {
    fn look(&mut self) -> Found {
        if self.pause > 0 {
            self.pause -= 1;
            return Found::Pause;
        }
        match self.last.take() {
            None => Found::Nothing,
            Some(last) if last.hits.load(Ordering::Relaxed) > 0 => {
                self.failures = 0;
                Found::Hit(last)
            }
            Some(_) => {
                self.failures += 1;
                Found::Failure
            }
        }
    }
}

/// How well the scouts born at one site have done.
#[derive(Default)]
pub struct SitePatience {
    record: Record,
    /// How many calls the next one may have out at first.
    pub window: usize,
}

impl SitePatience {
    /// Whether to try again, given how the scouts born here have done.
    pub fn wants_scout(&mut self) -> bool {
        match self.record.look() {
            Found::Pause => false,
            Found::Nothing => true,
            Found::Hit(last) => {
                self.window = last.window.load(Ordering::Relaxed) / 2;
                true
            }
            Found::Failure => {
                self.window /= 2;
                let passed = 1u32.checked_shl(self.record.failures);
                self.record.pause = passed.unwrap_or(MAX_PATIENCE).min(MAX_PATIENCE) - 1;
                self.record.pause <= 1
            }
        }
    }

    /// Another scout is under way.
    pub fn watch(&mut self, score: &Arc<Score>) {
        self.record.last = Some(Arc::clone(score));
    }
}

/// How well the scouts of a whole region have done of late: a long row of calls, each by itself, must
/// not pay for a scout each.
#[derive(Default)]
pub struct RegionPatience(Record);

impl RegionPatience {
    /// Whether to try again, given how the scouts of the region have done.
    pub fn wants_scout(&mut self) -> bool {
        match self.0.look() {
            Found::Pause => false,
            Found::Nothing | Found::Hit(_) => true,
            Found::Failure => {
                let failures = self.0.failures;
                self.0.pause = failures.saturating_sub(LENIENCE).min(LONGEST_PAUSE);
                self.0.pause == 0
            }
        }
    }

    /// Another scout is under way.
    pub fn watch(&mut self, score: &Arc<Score>) {
        self.0.last = Some(Arc::clone(score));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pace;

    fn score(window: usize, hits: usize) -> Arc<Score> {
        let score = Pace::new(window).score;
        score.hits.store(hits, Ordering::Relaxed);
        score
    }

    /// How many takes pass until the next scout, where the last one did so.
    fn passed_by(site: &mut SitePatience, hits: usize) -> usize {
        site.watch(&score(8, hits));
        (0..).take_while(|_| !site.wants_scout()).count()
    }

    #[test]
    fn scouts_of_a_site_that_never_hit_are_born_less_and_less_often() {
        let mut site = SitePatience::default();
        assert!(site.wants_scout(), "the first one");
        let pauses: Vec<usize> = (0..12).map(|_| passed_by(&mut site, 0)).collect();
        assert_eq!(pauses[..5], [0, 5, 8, 16, 32]);
        assert_eq!(pauses[11], MAX_PATIENCE as usize);
        passed_by(&mut site, 1);
        site.watch(&score(8, 0));
        assert!(site.wants_scout(), "a hit makes good for all of them");
    }

    #[test]
    fn the_next_window_is_half_of_what_hit_and_shrinks_with_what_did_not() {
        let mut site = SitePatience::default();
        site.watch(&score(40, 1));
        assert!(site.wants_scout());
        assert_eq!(site.window, 20);
        site.watch(&score(99, 0));
        assert!(site.wants_scout());
        assert_eq!(site.window, 10);
    }

    #[test]
    fn a_region_is_lenient_before_it_pauses() {
        let mut region = RegionPatience::default();
        for _ in 0..4 {
            region.watch(&score(8, 0));
            assert!(region.wants_scout());
        }
        region.watch(&score(8, 0));
        assert!(!region.wants_scout());
        assert!(!region.wants_scout(), "one take is let pass");
        assert!(region.wants_scout());
        region.watch(&score(8, 3));
        assert!(region.wants_scout());
        region.watch(&score(8, 0));
        assert!(region.wants_scout());
    }
}
