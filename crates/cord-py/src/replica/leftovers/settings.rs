//! Settings as they were before a call: what has changed of them, and what of that goes home.

use std::sync::atomic::Ordering;

use pyo3::prelude::*;

use super::numbers::number_at;
use super::{bound, held, Left, Leftovers, EPOCH, SETTING};
use crate::client::settings::reading;

impl Leftovers {
    /// Whether something is to go home with the next reply.
    pub fn is_homeward(&self) -> bool {
        self.is_homeward.load(Ordering::Relaxed)
    }

    /// Whether settings are as they were noted.
    #[inline]
    pub fn is_settled(&self, py: Python<'_>) -> bool {
        held(py, &self.settings)
            .as_ref()
            .is_none_or(|(_, seen)| seen.get().is_as_noted(py, self.is_shared))
    }

    /// What a call with effects has changed of settings, random numbers and libraries goes home.
    pub(super) fn look_home(&self, py: Python<'_>) -> PyResult<()> {
        let mut drawn = false;
        for (at, before) in held(py, &self.draws).iter_mut() {
            // SAFETY: as for `have`.
            let now = unsafe { number_at(*at) };
            drawn |= now != *before;
            *before = now;
        }
        if !drawn && !bound::has_any() {
            match &mut *held(py, &self.settings) {
                None => return Ok(()),
                Some((noted, seen)) if seen.get().is_as_noted(py, self.is_shared) => {
                    *noted = EPOCH.load(Ordering::Relaxed);
                    return Ok(());
                }
                Some(_) => {}
            }
        }
        let judge = self.judge.bind(py);
        let goes =
            reading(|| judge.call_method1("go_home", (drawn, bound::taken(py))))?.is_truthy()?;
        self.is_homeward.fetch_or(goes, Ordering::Relaxed);
        let old = held(py, &self.settings).take(); // noted anew before the next call
        drop(old);
        Ok(())
    }

    /// Notes settings before a call, unless they are as they were noted.
    /// `is_late`: the judge has run since they were looked at, who may have imported something.
    pub(super) fn note_settings(&self, py: Python<'_>, is_late: bool) -> PyResult<()> {
        let epoch = EPOCH.load(Ordering::Relaxed);
        if let Some((noted, seen)) = &mut *held(py, &self.settings) {
            if (*noted == epoch && !is_late) || seen.get().is_as_noted(py, self.is_shared) {
                *noted = epoch;
                return Ok(());
            }
        }
        let judge = self.judge.bind(py);
        let now = reading(|| judge.call_method0("note_settings"))?.extract()?;
        let old = held(py, &self.settings).replace((epoch, now));
        drop(old);
        Ok(())
    }

    /// Which setting a call has changed.
    pub(super) fn look_at_settings(&self, py: Python<'_>) -> PyResult<Option<Left>> {
        if self.is_settled(py) {
            return Ok(None);
        }
        let judge = self.judge.bind(py);
        let has_loaded = self.modules.bind(py).len() != self.loaded.load(Ordering::Relaxed);
        let found: Option<String> =
            reading(|| judge.call_method1("settings_changed", (has_loaded,)))?.extract()?;
        if found.is_some() {
            self.are_settings_spoilt.store(true, Ordering::Relaxed);
        }
        let old = held(py, &self.settings).take(); // noted anew before the next call
        drop(old);
        Ok(found.map(|text| (SETTING, text)))
    }
}
