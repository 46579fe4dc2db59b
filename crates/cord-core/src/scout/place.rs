//! Where the calls of a strand stand among those of its scout, and what it yields among its stream's.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::Arc;

use super::calls::{Calls, Entry};
use super::interpreter::Kind;
use super::items::Items;
use super::pace::Outstanding;

/// The place of a strand.
pub struct Place<K: Kind> {
    /// Where its calls go.
    pub calls: Calls<K::Call>,
    /// Where what it yields goes, if it is a generator's.
    pub items: Option<Items<K::Value>>,
}

impl<K: Kind> Clone for Place<K> {
    fn clone(&self) -> Self {
        Self {
            calls: self.calls.clone(),
            items: self.items.clone(),
        }
    }
}

impl<K: Kind> Place<K> {
    /// The place of a strand that yields nothing.
    pub fn of(calls: Calls<K::Call>) -> Self {
        Self { calls, items: None }
    }

    /// The place of a strand that is started here.
    pub fn inner(&self) -> Self {
        let calls = Calls::default();
        self.calls.push(Entry::Group(calls.clone()));
        Self {
            calls,
            items: self.items.as_ref().map(Items::inner),
        }
    }

    /// Drops what stands behind a strand, and before `end`.
    pub(super) fn discard_behind(&self, strand: &Self, end: Option<&Self>) {
        self.calls
            .discard_behind(&strand.calls, end.map(|end| &end.calls));
        if let (Some(items), Some(behind)) = (&self.items, &strand.items) {
            items.discard_behind(behind, end.and_then(|end| end.items.as_ref()));
        }
    }

    /// Marks the place where the next ones will stand.
    pub(super) fn end(&self) -> Self {
        let end = self.inner();
        if let Some(items) = &end.items {
            items.close(None);
        }
        end
    }
}

/// Takes out what stands behind the entry of one group, and before that of `end`.
pub(super) fn cut_behind<E, G>(
    entries: &mut VecDeque<E>,
    is: impl Fn(&E, &G) -> bool,
    group: &G,
    end: Option<&G>,
) -> Vec<E> {
    let Some(at) = entries.iter().position(|entry| is(entry, group)) else {
        return Vec::new();
    };
    let mut behind = entries.iter().skip(at + 1);
    let count = end.and_then(|end| behind.position(|entry| is(entry, end)));
    let to = count.map_or(entries.len(), |count| at + 1 + count);
    entries.drain(at + 1..to).collect()
}

/// One more call or strand is out, for as long as this is there.
pub struct Counted(Arc<Outstanding>);

impl Counted {
    /// One more of these.
    pub fn new(outstanding: &Arc<Outstanding>) -> Self {
        outstanding.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(outstanding))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
