//! The calls that a scout has issued and the program has not yet asked for.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use cord_core::{Payload, Ticket};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::encode::{same_keywords, same_payload, same_tuples, Encoded};

/// How much of a run's calls is out: shared by the run and its issued calls.
#[derive(Default)]
pub struct Outstanding {
    pub calls: AtomicUsize,
    pub bytes: AtomicUsize,
}

/// A call issued ahead. Dropping it drops the call.
pub struct Issued {
    pub site: u32,
    pub ticket: Ticket,
    args: Py<PyTuple>,
    kwargs: Option<Py<PyDict>>,
    /// The encoding, kept where the arguments might change meanwhile.
    payload: Option<Payload>,
    size: usize,
    outstanding: Arc<Outstanding>,
}

impl Issued {
    pub fn new(
        site: u32,
        ticket: Ticket,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
        kept: Option<Payload>,
        size: usize,
        outstanding: &Arc<Outstanding>,
    ) -> Self {
        outstanding.calls.fetch_add(1, Ordering::Relaxed);
        outstanding.bytes.fetch_add(size, Ordering::Relaxed);
        Self {
            site,
            ticket,
            args: args.clone().unbind(),
            kwargs: kwargs.map(|kwargs| kwargs.clone().unbind()),
            payload: kept,
            size,
            outstanding: Arc::clone(outstanding),
        }
    }

    /// Whether this is the call that the program now makes.
    fn matches(&self, asked: &Asked<'_, '_>) -> bool {
        if self.site != asked.site {
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
            (Some(kept), Some(encoded)) => same_payload(kept, &encoded.payload),
            _ => false,
        }
    }
}

impl Drop for Issued {
    fn drop(&mut self) {
        self.outstanding.calls.fetch_sub(1, Ordering::Relaxed);
        self.outstanding
            .bytes
            .fetch_sub(self.size, Ordering::Relaxed);
    }
}

/// What the program asks for; `encoded` is there where the arguments could have changed.
pub struct Asked<'a, 'py> {
    pub site: u32,
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
}

/// The calls of one activation, in the order in which the program will ask for them.
#[derive(Default)]
pub struct Calls {
    entries: VecDeque<Entry>,
    /// The scout is still in this activation's code.
    pub open: bool,
}

#[derive(Clone, Default)]
pub struct SharedCalls(Arc<Mutex<Calls>>);

impl SharedCalls {
    pub fn lock(&self) -> MutexGuard<'_, Calls> {
        self.0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    pub fn is_empty(&self) -> bool {
        self.lock().entries.is_empty()
    }

    pub fn push(&self, entry: Entry) {
        self.lock().entries.push_back(entry);
    }

    /// Drops everything that was issued here.
    pub fn clear(&self) {
        // dropped only after the lock is released: dropping may run the program's code
        let dropped = std::mem::take(&mut self.lock().entries);
        drop(dropped);
    }

    /// The first call that is the one asked for; what stands before it is dropped.
    pub fn find_call(&self, asked: &Asked<'_, '_>) -> Option<Issued> {
        match self.find(|entry| matches!(entry, Entry::Call(issued) if issued.matches(asked))) {
            Some(Entry::Call(issued)) => Some(issued),
            _ => None,
        }
    }

    /// The calls made in the helper called at `site`; what stands before them is dropped.
    pub fn find_helper(&self, wanted: u32) -> Option<SharedCalls> {
        let found =
            self.find(|entry| matches!(entry, Entry::Helper { site, .. } if *site == wanted));
        match found {
            Some(Entry::Helper { calls, .. }) => Some(calls),
            _ => None,
        }
    }

    fn find(&self, wanted: impl Fn(&Entry) -> bool) -> Option<Entry> {
        let mut calls = self.lock();
        let at = calls.entries.iter().position(wanted)?;
        let before: Vec<Entry> = calls.entries.drain(..at).collect();
        let found = calls.entries.pop_front();
        drop(calls);
        drop(before);
        found
    }
}
