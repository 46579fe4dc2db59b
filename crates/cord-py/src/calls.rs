//! The calls that a scout has issued and the program has not yet asked for.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard};

use cord_core::scout::Outstanding;
use cord_core::{Payload, Spent, Ticket, Watch};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::encode::{same_keywords, same_tuples, Encoded, Kept};
use crate::remote::RemoteFunction;
use crate::run::Run;

/// A call that was issued: its module, what was sent, and a view of what comes of it.
pub type Sent = (u32, Payload, Watch);

/// The same before it is encoded.
pub struct ToBeSent {
    function: Py<RemoteFunction>,
    args: Py<PyTuple>,
    kwargs: Option<Py<PyDict>>,
    stable: bool,
    view: Watch,
}

impl ToBeSent {
    /// As its scout has sent it; none if it waits for other calls.
    pub fn encoded(self, py: Python<'_>) -> Option<Sent> {
        let function = self.function.get();
        let kwargs = self.kwargs.as_ref().map(|kwargs| kwargs.bind(py));
        let encoded = function.encode_ahead(py, self.args.bind(py), kwargs, self.stable);
        let encoded = encoded.ok().filter(|encoded| encoded.needs.is_empty())?;
        Some((function.module, encoded.payload, self.view))
    }
}

/// A call issued ahead. Dropping it drops the call.
pub struct Issued {
    pub site: u32,
    pub ticket: Ticket,
    function: Py<RemoteFunction>,
    args: Py<PyTuple>,
    kwargs: Option<Py<PyDict>>,
    /// Which of the program's takes it was issued in.
    pub during: usize,
    /// The encoding, kept where the arguments might change meanwhile.
    payload: Option<Box<Kept>>,
    /// Its scout is gone: another one that comes to such a call goes on with this.
    left: bool,
    outstanding: Arc<Outstanding>,
    _spent: Spent,
}

impl Issued {
    pub fn new(
        site: u32,
        function: &Bound<'_, RemoteFunction>,
        (ticket, spent): (Ticket, Spent),
        asked: (&Bound<'_, PyTuple>, Option<&Bound<'_, PyDict>>),
        kept: Option<Box<Kept>>,
        run: &Run,
    ) -> Self {
        let outstanding = &run.pace.outstanding;
        outstanding.fetch_add(1, Ordering::Relaxed);
        let (args, kwargs) = asked;
        Self {
            site,
            ticket,
            function: function.clone().unbind(),
            args: args.clone().unbind(),
            kwargs: kwargs.map(|kwargs| kwargs.clone().unbind()),
            during: run.pace.takes(),
            payload: kept,
            left: false,
            outstanding: Arc::clone(outstanding),
            _spent: spent,
        }
    }

    fn to_be_sent(&self, py: Python<'_>) -> ToBeSent {
        ToBeSent {
            function: self.function.clone_ref(py),
            args: self.args.clone_ref(py),
            kwargs: self.kwargs.as_ref().map(|kwargs| kwargs.clone_ref(py)),
            stable: self.payload.is_none(),
            view: self.ticket.watch(),
        }
    }

    /// The program makes this call: it has looked at the arguments.
    pub fn confirm(&self, encoded: Option<&Encoded>) {
        if let (Some(kept), Some(encoded)) = (&self.payload, encoded) {
            kept.confirm(encoded);
        }
    }

    /// Whether this call with effects is the one that the program now makes: as `matches`, but what
    /// is one constant to the program may be two to a scout.
    fn fulfils(&self, asked: &Asked<'_, '_>) -> bool {
        if self.matches(asked) {
            return true;
        }
        match (&self.payload, asked.encoded) {
            (Some(kept), Some(encoded)) if self.is_at(asked) => {
                kept.is_alike(asked.args.py(), encoded)
            }
            _ => false,
        }
    }

    /// Whether it is a call of the function that the program now calls, and from there.
    fn is_at(&self, asked: &Asked<'_, '_>) -> bool {
        self.site == asked.site && self.function.get().is_same(asked.function)
    }

    /// Whether this is the call that the program now makes.
    fn matches(&self, asked: &Asked<'_, '_>) -> bool {
        if !self.is_at(asked) {
            return false;
        }
        let py = asked.args.py();
        match (&self.payload, asked.encoded) {
            (None, None) => {
                same_tuples(self.args.bind(py), asked.args)
                    && same_keywords(
                        self.kwargs.as_ref().map(|kwargs| kwargs.bind(py)),
                        asked.kwargs,
                    )
            }
            (Some(kept), Some(encoded)) => kept.is_same(encoded),
            _ => false,
        }
    }
}

impl Drop for Issued {
    fn drop(&mut self) {
        self.outstanding.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What the program asks for; `encoded` is there where the arguments could have changed.
pub struct Asked<'a, 'py> {
    pub site: u32,
    pub function: &'a Bound<'py, RemoteFunction>,
    pub args: &'a Bound<'py, PyTuple>,
    pub kwargs: Option<&'a Bound<'py, PyDict>>,
    pub encoded: Option<&'a Encoded>,
}

pub enum Entry {
    Call(Issued),
    /// The calls made inside a helper that the scout went into.
    Helper {
        site: u32,
        calls: SharedCalls,
    },
    /// The calls of a strand, which stand here in the program's order.
    Group(SharedCalls),
}

/// The calls of one activation, in the order in which the program will ask for them.
#[derive(Default)]
pub struct Calls {
    entries: VecDeque<Entry>,
    /// Calls with effects. They are made, whoever asks: none is dropped while the frame lasts.
    promised: VecDeque<Issued>,
    /// A strand of the scout is under way that puts calls here.
    pub open: bool,
    /// That strand ended before its end: the program makes its calls by itself.
    pub failed: bool,
    /// Nobody will ask for what is put here.
    unwanted: bool,
}

#[derive(Clone, Default)]
pub struct SharedCalls(Arc<Mutex<Calls>>);

impl SharedCalls {
    pub fn lock(&self) -> MutexGuard<'_, Calls> {
        self.0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Whether nothing is here and nothing will come of strands that were started here.
    pub fn is_empty(&self) -> bool {
        let here = self.lock();
        let nothing = here.entries.iter().all(|entry| match entry {
            Entry::Group(calls) => !calls.lock().open && calls.is_empty(),
            _ => false,
        });
        nothing && here.promised.iter().all(|issued| issued.left)
    }

    pub fn is_wanted(&self) -> bool {
        !self.lock().unwanted
    }

    /// Whether a strand that was started here has left its calls to the program.
    pub fn has_failed(&self) -> bool {
        self.lock().entries.iter().any(|entry| match entry {
            Entry::Group(calls) => calls.lock().failed || calls.has_failed(),
            _ => false,
        })
    }

    /// The calls that are here and below, up to so many, without the lock: encoding them may run Python.
    pub fn to_be_sent(&self, py: Python<'_>, most: usize, to: &mut Vec<ToBeSent>) {
        let mut inner = Vec::new();
        for entry in &self.lock().entries {
            match entry {
                Entry::Call(issued) if to.len() < most => to.push(issued.to_be_sent(py)),
                Entry::Call(_) => {}
                Entry::Helper { calls, .. } | Entry::Group(calls) => inner.push(calls.clone()),
            }
        }
        for calls in inner {
            calls.to_be_sent(py, most, to);
        }
    }

    pub fn push(&self, entry: Entry) {
        self.lock().entries.push_back(entry);
    }

    /// Adds a call with effects.
    pub fn promise(&self, issued: Issued) {
        self.lock().promised.push_back(issued);
    }

    /// The call with effects that a scout would now make, if one that is gone has made it.
    pub fn left_behind(&self, asked: &Asked<'_, '_>) -> Option<Ticket> {
        self.with_promised(|promised| {
            let mut left = promised.iter_mut().filter(|issued| issued.left);
            let found = left.find(|issued| issued.fulfils(asked))?;
            found.left = false;
            Some(found.ticket.clone())
        })
    }

    /// Looks through the calls with effects without the lock, for comparing may run Python.
    fn with_promised<T>(&self, look: impl FnOnce(&mut VecDeque<Issued>) -> T) -> T {
        let mut promised = std::mem::take(&mut self.lock().promised);
        let found = look(&mut promised);
        let mut here = self.lock();
        promised.append(&mut here.promised);
        here.promised = promised;
        found
    }

    /// The scout that made calls with effects here makes no more.
    pub fn leave_promised(&self) {
        for issued in &mut self.lock().promised {
            issued.left = true;
        }
    }

    /// Takes over the calls with effects from a place that is given up.
    pub fn inherit(&self, given_up: &SharedCalls) {
        let promised = std::mem::take(&mut given_up.lock().promised);
        self.lock().promised.extend(promised);
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
    pub fn discard_behind(&self, calls: &SharedCalls, end: Option<&SharedCalls>) {
        let is =
            |entry: &Entry, calls: &SharedCalls| matches!(entry, Entry::Group(c) if c.is(calls));
        let dropped: Vec<Entry> = {
            let mut here = self.lock();
            let Some(at) = here.entries.iter().position(|entry| is(entry, calls)) else {
                return;
            };
            let mut behind = here.entries.iter().skip(at + 1);
            let count = end.and_then(|end| behind.position(|entry| is(entry, end)));
            let to = count.map_or(here.entries.len(), |count| at + 1 + count);
            here.entries.drain(at + 1..to).collect()
        };
        discard(dropped);
    }

    pub fn is(&self, other: &SharedCalls) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The first call that is the one asked for; what stands before it is dropped.
    pub fn find_call(&self, asked: &Asked<'_, '_>) -> Option<Issued> {
        if !self.lock().promised.is_empty() {
            let promised = self.with_promised(|promised| {
                let at = promised.iter().position(|one| one.fulfils(asked))?;
                promised.remove(at)
            });
            if promised.is_some() {
                return promised;
            }
        }
        match self.find(&|entry| matches!(entry, Entry::Call(issued) if issued.matches(asked))) {
            Some(Entry::Call(issued)) => Some(issued),
            _ => None,
        }
    }

    /// The calls made in the helper called at `site`; what stands before them is dropped.
    pub fn find_helper(&self, wanted: u32) -> Option<SharedCalls> {
        let found =
            self.find(&|entry| matches!(entry, Entry::Helper { site, .. } if *site == wanted));
        match found {
            Some(Entry::Helper { calls, .. }) => Some(calls),
            _ => None,
        }
    }

    fn find(&self, wanted: &dyn Fn(&Entry) -> bool) -> Option<Entry> {
        let mut before = Vec::new();
        let found = self.take_first(wanted, &mut before);
        discard(before);
        found
    }

    fn take_first(
        &self,
        wanted: &dyn Fn(&Entry) -> bool,
        before: &mut Vec<Entry>,
    ) -> Option<Entry> {
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

fn discard(entries: impl IntoIterator<Item = Entry>) {
    for entry in entries {
        if let Entry::Helper { calls, .. } | Entry::Group(calls) = &entry {
            calls.discard();
        }
    }
}
