//! How the program's calls at a site were answered, and why not ahead.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::entering::Entering;
use super::refusal::Refusal;
use cord_copies::in_vain_at;
use cord_core::account::Account;

/// So many different reasons are kept of one site.
const MOST_REASONS: usize = 32;
/// So many calls tell how they usually are answered.
const SEVERAL: usize = 8;

/// Numbers places in the order in which they are asked for it.
static PLACES: AtomicU32 = AtomicU32::new(1);

/// Counts for one site, or for the calls of a function that no site tells apart. Of a call of a helper
/// it is counted whether a scout had gone into it. They are written by whoever has the interpreter's
/// lock, so plain additions will do.
#[derive(Default)]
pub struct Answers {
    /// By what a scout had issued before the program came to the call.
    ahead: AtomicUsize,
    /// By what a scout issued only then, because a value had come.
    just_then: AtomicUsize,
    /// By what a copy of the program had issued before.
    by_copy: AtomicUsize,
    /// By a call made afresh.
    in_place: AtomicUsize,
    /// By a call in the program itself, because sending it would take longer.
    unsent: AtomicUsize,
    /// So many a scout has issued.
    issued: AtomicUsize,
    /// Of a call of a helper: whether scouts go into it.
    pub entering: Entering,
    /// What is counted only for who asks for it beforehand.
    pub account: Arc<Account>,
    /// 0 until somebody asks.
    place: AtomicU32,
    details: Mutex<Details>,
}

#[derive(Default)]
struct Details {
    reasons: Vec<(Refusal, usize)>,
    /// The place there of the one that was counted last.
    last: Option<usize>,
    /// How often a scout was so many calls ahead.
    distances: BTreeMap<usize, usize>,
}

/// All counts of a site: ahead by a slice, ahead by a copy, just then, in place, not sent, and issued in
/// vain.
pub type Tally = (usize, usize, usize, usize, usize, usize);

fn one_more(count: &AtomicUsize) {
    count.store(count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
}

impl Answers {
    pub fn count_ahead(&self) {
        one_more(&self.ahead);
    }

    pub fn count_just_then(&self) {
        one_more(&self.just_then);
    }

    pub fn count_by_copy(&self) {
        one_more(&self.by_copy);
    }

    pub fn count_in_place(&self) {
        one_more(&self.in_place);
    }

    pub fn count_unsent(&self) {
        one_more(&self.unsent);
    }

    pub fn count_issued(&self) {
        one_more(&self.issued);
    }

    /// What copies of the program tell them by, which have them at the same place.
    pub fn address(&self) -> u64 {
        std::ptr::from_ref(self).addr() as u64
    }

    /// The place's number, for whoever writes down what happens there.
    pub fn place(&self) -> u32 {
        match self.place.load(Ordering::Relaxed) {
            0 => {
                let place = PLACES.fetch_add(1, Ordering::Relaxed);
                self.place.store(place, Ordering::Relaxed);
                place
            }
            place => place,
        }
    }

    /// Whether most calls are made ahead, of several: what sending them loses is lost all the same.
    pub fn are_ahead(&self) -> bool {
        let (by_slice, by_copy, just_then, in_place, _) = self.counts();
        let ahead = by_slice + by_copy;
        ahead >= SEVERAL && ahead * 4 >= (ahead + just_then + in_place) * 3
    }

    /// Whether slices have been ahead of calls here.
    pub fn were_ahead(&self) -> bool {
        self.counts().0 > 0
    }

    fn details(&self) -> MutexGuard<'_, Details> {
        self.details.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One of the calls in place had this reason.
    pub fn count_reason(&self, reason: &Refusal) {
        let mut details = self.details();
        let mut known = details.reasons.iter();
        details.last = known.position(|(known, _)| known.is_like(reason));
        if let Some(last) = details.last {
            details.reasons[last].1 += 1;
        } else if details.reasons.len() < MOST_REASONS {
            details.last = Some(details.reasons.len());
            details.reasons.push((reason.clone(), 1));
        }
    }

    /// The last one had its reason once more, for that keeps scouts from being begun; false if there was
    /// none.
    pub fn count_again(&self) -> bool {
        let mut details = self.details();
        let last = details.last;
        last.is_some_and(|last| {
            details.reasons[last].1 += 1;
            true
        })
    }

    /// One that was ahead was issued so many calls of the program's before.
    pub fn count_distance(&self, calls: usize) {
        *self.details().distances.entry(calls).or_default() += 1;
    }

    /// Why calls were made in place and how often, the most frequent first.
    pub fn reasons(&self) -> Vec<(Refusal, usize)> {
        let mut reasons = self.details().reasons.clone();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        reasons
    }

    /// How many calls scouts were ahead, as a rule (the median) and at most.
    pub fn distance(&self) -> Option<(usize, usize)> {
        let distances = &self.details().distances;
        let all: usize = distances.values().sum();
        let mut passed = 0;
        let median = distances.iter().find(|(_, count)| {
            passed += **count;
            passed * 2 >= all
        });
        let (most, _) = distances.last_key_value()?;
        median.map(|(median, _)| (*median, *most))
    }

    /// Ahead, by whomever; just then; in place.
    pub fn read(&self) -> (usize, usize, usize) {
        let (ahead, by_copy, just_then, in_place, _) = self.counts();
        (ahead + by_copy, just_then, in_place)
    }

    fn counts(&self) -> (usize, usize, usize, usize, usize) {
        let read = |count: &AtomicUsize| count.load(Ordering::Relaxed);
        let (ahead, just_then) = (read(&self.ahead), read(&self.just_then));
        let others = (read(&self.in_place), read(&self.unsent));
        (ahead, read(&self.by_copy), just_then, others.0, others.1)
    }

    pub fn tally(&self) -> Tally {
        let (ahead, by_copy, just_then, in_place, unsent) = self.counts();
        let issued = self.issued.load(Ordering::Relaxed);
        let by_slices = issued.saturating_sub(ahead + just_then);
        let in_vain = by_slices + in_vain_at(self.address()) as usize;
        (ahead, by_copy, just_then, in_place, unsent, in_vain)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Why;
    use super::*;

    #[test]
    fn what_a_scout_issued_and_nobody_asked_for_was_in_vain() {
        let answers = Answers::default();
        (0..5).for_each(|_| answers.count_issued());
        answers.count_ahead();
        answers.count_ahead();
        answers.count_just_then();
        answers.count_by_copy();
        answers.count_in_place();
        answers.count_unsent();
        assert_eq!(answers.tally(), (2, 1, 1, 1, 1, 2));
        assert_eq!(answers.read(), (3, 1, 1));
    }

    #[test]
    fn whether_most_calls_are_ahead_is_known_after_several() {
        let answers = Answers::default();
        (0..3).for_each(|_| answers.count_in_place());
        (0..8).for_each(|_| answers.count_ahead());
        assert!(!answers.are_ahead());
        answers.count_by_copy();
        assert!(answers.are_ahead());
        answers.count_just_then();
        assert!(!answers.are_ahead());
    }

    #[test]
    fn reasons_are_told_with_the_most_frequent_first() {
        let answers = Answers::default();
        answers.count_reason(&Refusal::plain(Why::First));
        for at in 0..3 {
            answers.count_reason(&Refusal {
                example: at.to_string(),
                ..Refusal::plain(Why::Raised)
            });
        }
        let [(first, three), (second, once)] = &answers.reasons()[..] else {
            panic!("two rows");
        };
        assert_eq!((first.why, &*first.example, *three), (Why::Raised, "0", 3));
        assert_eq!((second.why, *once), (Why::First, 1));
    }

    #[test]
    fn a_reason_counts_again_where_it_keeps_scouts_away() {
        let answers = Answers::default();
        assert!(!answers.count_again());
        answers.count_reason(&Refusal::plain(Why::First));
        answers.count_reason(&Refusal::plain(Why::Raised));
        assert!(answers.count_again() && answers.count_again());
        let told: Vec<_> = answers
            .reasons()
            .iter()
            .map(|(one, count)| (one.why, *count))
            .collect();
        assert_eq!(told, [(Why::Raised, 3), (Why::First, 1)]);
    }

    #[test]
    fn not_all_reasons_are_kept() {
        let answers = Answers::default();
        for at in 0..100 {
            answers.count_reason(&Refusal {
                of: at.to_string(),
                ..Refusal::plain(Why::Method)
            });
        }
        assert_eq!(answers.reasons().len(), MOST_REASONS);
    }

    #[test]
    fn the_distance_is_told_by_its_median_and_by_its_greatest() {
        let answers = Answers::default();
        assert_eq!(answers.distance(), None);
        for calls in [1, 2, 2, 2, 9] {
            answers.count_distance(calls);
        }
        assert_eq!(answers.distance(), Some((2, 9)));
    }
}
