//! Calls in the order of issue, where most come at the end and go at the front.

use std::collections::VecDeque;

use super::CallId;

/// Lists of at most so many are not tidied up.
const SMALL: usize = 64;

/// A list of calls with their bytes, the oldest first. Neighbours stand side by side in memory,
/// and what is done at either end takes the same time however long it is.
#[derive(Debug, Clone, Default)]
pub struct Fifo {
    /// By call. The first and the last of them are present.
    entries: VecDeque<Entry>,
    /// How many are present.
    len: usize,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    call: CallId,
    /// None if the call was taken out from between others.
    bytes: Option<usize>,
}

impl Fifo {
    /// Adds a call that is not there, if it belongs at one of the ends or to where it has stood
    /// before; false if not.
    pub fn insert(&mut self, call: CallId, bytes: usize) -> bool {
        let entry = Entry {
            call,
            bytes: Some(bytes),
        };
        let (first, last) = (self.entries.front(), self.entries.back());
        if last.is_none_or(|last| last.call < call) {
            self.entries.push_back(entry);
        } else if first.is_none_or(|first| call < first.call) {
            self.entries.push_front(entry);
        } else if let Some(index) = self.find(call) {
            debug_assert!(self.entries[index].bytes.is_none());
            self.entries[index] = entry;
        } else {
            return false;
        }
        self.len += 1;
        true
    }

    /// Takes a call out, if it is there.
    pub fn remove(&mut self, call: CallId) -> bool {
        let Some(index) = self.find(call) else {
            return false;
        };
        if self.entries[index].bytes.take().is_none() {
            return false;
        }
        self.len -= 1;
        self.tidy();
        true
    }

    /// The oldest call, and its bytes.
    pub fn first(&self) -> Option<(CallId, usize)> {
        let entry = self.entries.front()?;
        Some((entry.call, entry.bytes?))
    }

    /// Takes the oldest call out.
    pub fn pop(&mut self) -> Option<(CallId, usize)> {
        let first = self.first()?;
        self.entries.pop_front();
        self.len -= 1;
        self.tidy();
        Some(first)
    }

    /// How many calls there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Where a call stands, or has stood.
    fn find(&self, call: CallId) -> Option<usize> {
        // Were all calls since the first in here, it would stand at their number; as some are not,
        // it stands there or before, mostly near.
        let before = usize::try_from(call.checked_sub(self.entries.front()?.call)?).ok()?;
        let mut high = before.min(self.entries.len() - 1);
        let (mut low, mut step) = (high, 1);
        while self.entries[low].call > call {
            (high, low) = (low, low.saturating_sub(step));
            step *= 2;
        }
        while low < high {
            let middle = (low + high).div_ceil(2);
            if self.entries[middle].call > call {
                high = middle - 1;
            } else {
                low = middle;
            }
        }
        (self.entries[low].call == call).then_some(low)
    }

    /// Removes what is not present from the ends, and from between if it is too much.
    fn tidy(&mut self) {
        let gone = |entry: Option<&Entry>| entry.is_some_and(|entry| entry.bytes.is_none());
        while gone(self.entries.front()) {
            self.entries.pop_front();
        }
        while gone(self.entries.back()) {
            self.entries.pop_back();
        }
        if self.entries.len() > SMALL + 2 * self.len {
            self.entries.retain(|entry| entry.bytes.is_some());
        }
        if self.entries.is_empty() && self.entries.capacity() > SMALL {
            self.entries = VecDeque::new();
        }
    }
}
