//! How the program's calls at a site were answered.

use std::sync::atomic::{AtomicUsize, Ordering};

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
}

/// All counts of a site: ahead by a slice, ahead by a copy, just then, in place, not sent, and issued by
/// a slice in vain.
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

    /// Ahead, by whomever; just then; in place.
    pub fn read(&self) -> (usize, usize, usize) {
        let (ahead, by_copy, just_then, in_place, ..) = self.tally();
        (ahead + by_copy, just_then, in_place)
    }

    pub fn tally(&self) -> Tally {
        let read = |count: &AtomicUsize| count.load(Ordering::Relaxed);
        let (ahead, just_then) = (read(&self.ahead), read(&self.just_then));
        let in_vain = read(&self.issued).saturating_sub(ahead + just_then);
        (
            ahead,
            read(&self.by_copy),
            just_then,
            read(&self.in_place),
            read(&self.unsent),
            in_vain,
        )
    }
}

#[cfg(test)]
mod tests {
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
}
