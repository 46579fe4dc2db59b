//! What a function reaches, and what it was given: whether that is as it was before a call.

use std::time::{Duration, Instant};

use pyo3::prelude::*;

use super::watched::Seen;
use super::{held, note_new_state, Leftovers};

impl Leftovers {
    /// Whether the state that the call at hand reaches is as it was when that began, as far as that is
    /// watched, and told without encoding anything.
    pub fn has_same_state(&self, py: Python<'_>) -> bool {
        let last = held(py, &self.last);
        let snapshot = last.as_ref().and_then(|(_, watched)| {
            let state = held(py, &watched.get().state);
            state.snapshot.as_ref().map(|one| one.clone_ref(py))
        });
        drop(last);
        snapshot.is_none_or(|one| one.get().is_same(py))
    }

    pub(super) fn look_at_state(&self, py: Python<'_>, seen: &Seen) -> PyResult<Option<String>> {
        let watched = seen.watched.get();
        let (snapshot, is_due, has_caches) = {
            let state = held(py, &watched.state);
            let snapshot = state.snapshot.as_ref().map(|one| one.clone_ref(py));
            (snapshot, state.account.is_due(), state.has_caches)
        };
        if has_caches {
            let judge = self.judge.bind(py);
            let found = judge.call_method1("caches_changed", (&seen.watched,))?;
            if !found.is_none() {
                return found.extract();
            }
        }
        let Some(snapshot) = snapshot else {
            return Ok(None);
        };
        let has_others = snapshot.get().has_others();
        if snapshot.get().is_same(py) && !has_others {
            return Ok(None);
        }
        let begun = Instant::now();
        let changed = snapshot.get().changes_if(py, is_due)?;
        if has_others {
            let account = &mut held(py, &watched.state).account;
            account.calls += 1;
            account.service += seen.begun.elapsed();
            account.spent += if is_due {
                begun.elapsed()
            } else {
                Duration::ZERO
            };
        }
        if changed.is_empty() {
            return Ok(None);
        }
        let judge = self.judge.bind(py);
        let found = judge.call_method1("state_changed", (&seen.watched, changed))?;
        let found: Option<String> = found.extract()?;
        if found.is_none() {
            note_new_state(); // it is another one now, and that is right
        }
        Ok(found)
    }
}

pub fn look_at_arguments(
    py: Python<'_>,
    judge: &Bound<'_, PyAny>,
    seen: &Seen,
) -> PyResult<Option<String>> {
    let Some(noted) = &seen.arguments else {
        return Ok(None);
    };
    let service = seen.begun.elapsed();
    let snapshot = &noted.snapshot;
    let has_others = snapshot.has_others();
    if snapshot.is_same(py) && !has_others {
        return Ok(None);
    }
    let begun = Instant::now();
    let changed = snapshot.changes_if(py, true)?;
    if has_others {
        let account = &mut held(py, &seen.watched.get().arguments);
        account.length = snapshot.length(py);
        account.calls += 1;
        account.service += service;
        account.spent += noted.spent + begun.elapsed();
    }
    match changed.first() {
        None => Ok(None),
        Some((root, _)) => {
            let (args, kwargs) = (noted.args.bind(py), noted.kwargs.as_ref());
            let kwargs = kwargs.map(|kwargs| kwargs.bind(py));
            judge
                .call_method1("argument_changed", (&seen.watched, *root, args, kwargs))?
                .extract()
        }
    }
}
