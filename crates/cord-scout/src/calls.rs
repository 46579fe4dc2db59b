//! The calls that a scout has issued and the program has not yet asked for.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::refusal::Told;

/// What the program asks for.
pub trait Asks<C> {
    /// Whether this is the call that the program now makes.
    fn is(&self, issued: &C) -> bool;

    /// As `is`, of a call with effects. It is not asked under a lock.
    fn is_fulfilled_by(&self, issued: &C) -> bool;
}

/// What stands at one place in the program's order.
pub enum Entry<C> {
    /// A call that was issued.
    Call(C),
    /// The calls made inside a helper that the scout went into.
    Helper {
        /// Where the program calls the helper.
        site: u32,
        /// These.
        calls: Calls<C>,
    },
    /// The calls of a strand, which stand here in the program's order.
    Group(Calls<C>),
}

impl<C> Entry<C> {
    fn is_of(&self, calls: &Calls<C>) -> bool {
        matches!(self, Entry::Group(group) if group.is(calls))
    }
}

/// A call with effects. It is made, whoever asks: it is not dropped while the frame lasts.
struct Committed<C> {
    call: C,
    /// Its scout is gone: another one that comes to such a call goes on with this.
    left: bool,
}

struct Inner<C> {
    entries: VecDeque<Entry<C>>,
    committed: VecDeque<Committed<C>>,
    /// A strand of the scout is under way that puts calls here.
    open: bool,
    /// That strand ended before its end, for this: the program makes its calls by itself.
    failed: Option<Told>,
    /// Nobody will ask for what is put here.
    unwanted: bool,
}

/// The calls of one activation or strand, in the order in which the program will ask for them.
pub struct Calls<C>(Arc<Mutex<Inner<C>>>);

impl<C> Clone for Calls<C> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<C> Default for Calls<C> {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Inner {
            entries: VecDeque::new(),
            committed: VecDeque::new(),
            open: false,
            failed: None,
            unwanted: false,
        })))
    }
}

impl<C> Calls<C> {
    fn lock(&self) -> MutexGuard<'_, Inner<C>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether these are the same.
    pub fn is(&self, other: &Calls<C>) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// A strand that puts calls here is under way, or is no longer.
    pub fn set_open(&self, open: bool) {
        let mut here = self.lock();
        here.open = open;
        if open {
            here.failed = None; // that was another one
        }
    }

    /// Whether one is.
    pub fn is_open(&self) -> bool {
        self.lock().open
    }

    /// It has come to its end, or failed before that for some reason.
    pub fn close(&self, failed: Option<Told>) {
        let mut here = self.lock();
        here.open = false;
        here.failed = failed;
    }

    /// Whether nothing is here and nothing will come of strands that were started here.
    pub fn is_empty(&self) -> bool {
        let here = self.lock();
        let nothing = here.entries.iter().all(|entry| match entry {
            Entry::Group(calls) => !calls.is_open() && calls.is_empty(),
            _ => false,
        });
        nothing && here.committed.iter().all(|committed| committed.left)
    }

    /// Whether somebody may ask for what is put here.
    pub fn is_wanted(&self) -> bool {
        !self.lock().unwanted
    }

    /// Whether a strand that was started here has left its calls to the program.
    pub fn has_failed(&self) -> bool {
        self.lock().entries.iter().any(|entry| match entry {
            Entry::Group(calls) => calls.lock().failed.is_some() || calls.has_failed(),
            _ => false,
        })
    }

    /// Why the first strand that has left its calls to the program has done so: the one whose place
    /// this is, or one that was started here.
    pub fn why_failed(&self) -> Told {
        let here = self.lock();
        if let Some(why) = &here.failed {
            return why.clone();
        }
        here.entries.iter().find_map(|entry| match entry {
            Entry::Group(calls) => calls.why_failed(),
            _ => None,
        })
    }

    /// What `look` says of the calls that are here and below, until there are so many.
    pub fn look_at<T>(&self, most: usize, to: &mut Vec<T>, look: &impl Fn(&C) -> T) {
        let mut inner = Vec::new();
        for entry in &self.lock().entries {
            match entry {
                Entry::Call(call) if to.len() < most => to.push(look(call)),
                Entry::Call(_) => {}
                Entry::Helper { calls, .. } | Entry::Group(calls) => inner.push(calls.clone()),
            }
        }
        for calls in inner {
            calls.look_at(most, to, look);
        }
    }

    /// Whether any call was issued here or below that nobody has asked for.
    pub fn has_any(&self) -> bool {
        let mut one = Vec::new();
        self.look_at(1, &mut one, &|_| ());
        !one.is_empty()
    }

    /// Adds what comes next in the program's order.
    pub fn push(&self, entry: Entry<C>) {
        self.lock().entries.push_back(entry);
    }

    /// Adds a call with effects.
    pub fn promise(&self, call: C) {
        let committed = Committed { call, left: false };
        self.lock().committed.push_back(committed);
    }

    /// What `found` says of the call with effects that a scout would now make, if one that is gone has
    /// made it.
    pub fn left_behind<T>(&self, asked: &impl Asks<C>, found: impl FnOnce(&C) -> T) -> Option<T> {
        self.with_committed(|committed| {
            let mut left = committed.iter_mut().filter(|committed| committed.left);
            let one = left.find(|committed| asked.is_fulfilled_by(&committed.call))?;
            one.left = false;
            Some(found(&one.call))
        })
    }

    /// Looks through the calls with effects without the lock.
    fn with_committed<T>(&self, look: impl FnOnce(&mut VecDeque<Committed<C>>) -> T) -> T {
        let mut committed = std::mem::take(&mut self.lock().committed);
        let found = look(&mut committed);
        let mut here = self.lock();
        committed.append(&mut here.committed);
        here.committed = committed;
        found
    }

    /// The scout that made calls with effects here makes no more.
    pub fn leave_committed(&self) {
        for committed in &mut self.lock().committed {
            committed.left = true;
        }
    }

    /// Takes over the calls with effects from a place that is given up.
    pub fn inherit(&self, given_up: &Calls<C>) {
        let committed = std::mem::take(&mut given_up.lock().committed);
        self.lock().committed.extend(committed);
    }

    /// Drops everything that was issued here; strands that would add to it end.
    pub fn discard(&self) {
        // dropped only after the lock is released: dropping may run the program's code
        let dropped = {
            let mut calls = self.lock();
            calls.unwanted = true;
            std::mem::take(&mut calls.entries)
        };
        discard(dropped);
    }

    /// Drops what stands behind a strand's calls, and before those of `end`.
    pub(super) fn discard_behind(&self, strand: &Calls<C>, end: Option<&Calls<C>>) {
        let dropped = cut_behind(&mut self.lock().entries, strand, end);
        discard(dropped);
    }

    /// The calls of a strand that is started here now.
    pub fn inner(&self) -> Self {
        let inner = Self::default();
        self.push(Entry::Group(inner.clone()));
        inner
    }

    /// The first call that is the one asked for; what stands before it is dropped.
    pub fn find_call(&self, asked: &impl Asks<C>) -> Option<C> {
        if !self.lock().committed.is_empty() {
            let committed = self.with_committed(|committed| {
                let at = committed
                    .iter()
                    .position(|committed| asked.is_fulfilled_by(&committed.call))?;
                committed.remove(at)
            });
            if let Some(committed) = committed {
                return Some(committed.call);
            }
        }
        match self.find(&|entry| matches!(entry, Entry::Call(call) if asked.is(call))) {
            Some(Entry::Call(call)) => Some(call),
            _ => None,
        }
    }

    /// The calls made in the helper called at `site`; what stands before them is dropped.
    pub fn find_helper(&self, wanted: u32) -> Option<Calls<C>> {
        match self.find(&|entry| matches!(entry, Entry::Helper { site, .. } if *site == wanted)) {
            Some(Entry::Helper { calls, .. }) => Some(calls),
            _ => None,
        }
    }

    fn find(&self, wanted: &impl Fn(&Entry<C>) -> bool) -> Option<Entry<C>> {
        let mut before = Vec::new();
        let found = self.take_first(wanted, &mut before);
        discard(before);
        found
    }

    fn take_first(
        &self,
        wanted: &impl Fn(&Entry<C>) -> bool,
        before: &mut Vec<Entry<C>>,
    ) -> Option<Entry<C>> {
        let mut calls = self.lock();
        let mut found = None;
        let at = calls.entries.iter().position(|entry| match entry {
            Entry::Group(inner) => {
                found = inner.take_first(wanted, before);
                found.is_some()
            }
            _ => wanted(entry),
        })?;
        before.extend(calls.entries.drain(..at));
        found.or_else(|| calls.entries.pop_front())
    }
}

fn discard<C>(entries: impl IntoIterator<Item = Entry<C>>) {
    for entry in entries {
        if let Entry::Helper { calls, .. } | Entry::Group(calls) = &entry {
            calls.discard();
        }
    }
}

/// Takes out what stands behind the group of a strand, and before that of `end`.
fn cut_behind<C>(
    entries: &mut VecDeque<Entry<C>>,
    strand: &Calls<C>,
    end: Option<&Calls<C>>,
) -> Vec<Entry<C>> {
    let Some(at) = entries.iter().position(|entry| entry.is_of(strand)) else {
        return Vec::new();
    };
    let mut behind = entries.iter().skip(at + 1);
    let count = end.and_then(|end| behind.position(|entry| entry.is_of(end)));
    let to = count.map_or(entries.len(), |count| at + 1 + count);
    entries.drain(at + 1..to).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fake call: who asks for its number asks for it.
    impl Asks<u32> for u32 {
        fn is(&self, issued: &u32) -> bool {
            self == issued
        }

        fn is_fulfilled_by(&self, issued: &u32) -> bool {
            self == issued
        }
    }

    fn calls(numbers: &[u32]) -> Calls<u32> {
        let calls = Calls::default();
        numbers.iter().for_each(|one| calls.push(Entry::Call(*one)));
        calls
    }

    fn group(around: &Calls<u32>, numbers: &[u32]) -> Calls<u32> {
        let inner = calls(numbers);
        around.push(Entry::Group(inner.clone()));
        inner
    }

    fn all(calls: &Calls<u32>) -> Vec<u32> {
        let mut all = Vec::new();
        calls.look_at(100, &mut all, &|one| *one);
        all
    }

    #[test]
    fn what_stands_before_the_call_asked_for_is_dropped() {
        let calls = calls(&[1, 2, 3, 2]);
        assert_eq!(calls.find_call(&2), Some(2));
        assert_eq!(all(&calls), [3, 2]);
        assert_eq!(calls.find_call(&1), None, "nothing is dropped for it");
        assert_eq!(all(&calls), [3, 2]);
    }

    #[test]
    fn a_strands_calls_stand_where_it_was_started() {
        let calls = calls(&[1]);
        let strand = group(&calls, &[]);
        calls.push(Entry::Call(4));
        strand.push(Entry::Call(2));
        strand.push(Entry::Call(3));
        assert_eq!(calls.find_call(&3), Some(3));
        assert_eq!(all(&calls), [4]);
        assert!(strand.is_wanted(), "it may have more");
        assert_eq!(calls.find_call(&4), Some(4));
        assert!(!strand.is_wanted());
    }

    #[test]
    fn a_helper_gets_what_was_scouted_inside() {
        let calls = calls(&[1]);
        let inside = self::calls(&[2]);
        calls.push(Entry::Helper {
            site: 7,
            calls: inside.clone(),
        });
        assert_eq!(calls.find_call(&2), None, "the program is not in there");
        assert!(calls.find_helper(8).is_none());
        assert!(calls.find_helper(7).is_some_and(|found| found.is(&inside)));
        assert!(calls.is_empty());
    }

    #[test]
    fn what_a_strand_may_still_issue_counts() {
        let calls = Calls::<u32>::default();
        let strand = group(&calls, &[]);
        assert!(calls.is_empty());
        strand.set_open(true);
        assert!(!calls.is_empty());
        strand.close(Some(None));
        assert!(calls.is_empty() && calls.has_failed());
    }

    #[test]
    fn calls_behind_a_strand_are_dropped_up_to_an_end() {
        let calls = Calls::default();
        let strand = group(&calls, &[1]);
        calls.push(Entry::Call(2));
        let behind = group(&calls, &[3]);
        let end = group(&calls, &[]);
        calls.push(Entry::Call(4));
        calls.discard_behind(&strand, Some(&end));
        assert_eq!(all(&calls), [4, 1]);
        assert!(!behind.is_wanted() && strand.is_wanted() && end.is_wanted());
        calls.discard_behind(&strand, None);
        assert_eq!(all(&calls), [1]);
    }

    #[test]
    fn calls_with_effects_outlive_their_scout() {
        let calls = Calls::default();
        calls.promise(5);
        assert!(!calls.is_empty());
        assert_eq!(
            calls.left_behind(&5, |one| *one),
            None,
            "its scout is there"
        );
        calls.discard();
        let next = Calls::default();
        next.inherit(&calls);
        next.leave_committed();
        assert!(next.is_empty());
        assert_eq!(next.left_behind(&5, |one| *one), Some(5));
        assert_eq!(
            next.left_behind(&5, |one| *one),
            None,
            "another call of that kind"
        );
        assert_eq!(next.find_call(&5), Some(5));
        assert_eq!(next.find_call(&5), None);
    }
}
