//! Calls that stay where they are called, for replies of earlier ones of their function could not be used,
//! or have differed when they were made again.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cord_dispatch::audit::{Auditor, Pair};
use cord_dispatch::disowned::{Disowned, Turn};
use cord_scout::{Refusal, Told, Why};
use cord_wire::outcome::Outcome;
use cord_wire::reads;
use pyo3::prelude::*;

use super::RemoteFunction;
use crate::client::settings;
use crate::copies;
use crate::held::Held;
use crate::python;
use crate::scouts::scout_end::is_telling;
use crate::travel::buffers::encoded_to_py;
use crate::travel::disowned::Reason;
use crate::travel::large::bytes;

/// All replies could be used.
const NEVER: u8 = 0;
/// Some could not; calls are sent by now.
const ONCE: u8 = 1;
/// Calls stay.
const NOW: u8 = 2;
/// Calls stay until somebody has looked whether what one has given is something else than before.
const SUSPECT: u8 = 3;

/// Whether the calls of a function stay, and why. While all replies can be used, it is one look at a byte.
#[derive(Debug, Default)]
pub struct Staying {
    phase: AtomicU8,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    policy: Disowned,
    /// Why the last one could not be used; none where what it returned could not travel.
    reason: Option<Reason>,
    /// A call that has given other bytes when it was made again.
    suspect: Option<Pair>,
}

impl Auditor for Staying {
    fn differs(&self, pair: Pair) {
        self.change(|state| {
            let _ = state.suspect.get_or_insert(pair); // the first says enough
        });
    }
}

impl Staying {
    /// Whether calls stay, so that nobody is to issue any ahead.
    pub fn is(&self) -> bool {
        self.phase.load(Ordering::Relaxed) >= NOW
    }

    /// What becomes of the program's next call: now and then one is sent, to see.
    pub fn next(&self) -> Turn {
        self.look();
        self.state().policy.turn()
    }

    /// Looks at what has differed in its bytes, if anything has: where the values differ too, no call is
    /// sent any more.
    fn look(&self) {
        if self.phase.load(Ordering::Relaxed) != SUSPECT {
            return;
        }
        let Some(pair) = self.state().suspect.take() else {
            return;
        };
        let difference = Python::attach(|py| difference(py, pair));
        self.change(|state| {
            if let Some(text) = difference {
                state.policy.end();
                state.reason = Some(Reason::different(&text));
            }
        });
    }

    /// Whether a call was found to have given something else when it was made again.
    fn has_ended(&self) -> bool {
        self.look();
        self.state().policy.has_ended()
    }

    /// A reply can be used.
    fn used(&self) {
        if self.phase.load(Ordering::Relaxed) != NEVER {
            self.change(|state| state.policy.used());
        }
    }

    /// A reply cannot be used, for this reason.
    pub(super) fn refused(&self, reason: Option<Reason>) {
        self.change(|state| {
            state.policy.refused();
            if state.policy.has_ended() {
                return; // why is known
            }
            let is_told = state.reason.as_ref().is_some_and(Reason::is_against_a_word);
            if !is_told || reason.as_ref().is_none_or(Reason::is_against_a_word) {
                state.reason = reason;
            }
        });
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state();
        change(&mut state);
        let phase = match state.policy.sends() {
            _ if state.suspect.is_some() => SUSPECT,
            true => ONCE,
            false => NOW,
        };
        self.phase.store(phase, Ordering::Relaxed);
    }

    /// Why scouts are not to issue calls, if somebody wants to know.
    pub fn told(&self) -> Told {
        is_telling().then(|| Arc::new(self.refusal()))
    }

    /// Why a call stays, as it is counted.
    pub fn refusal(&self) -> Refusal {
        match &self.state().reason {
            None => Refusal::plain(Why::Unreturnable),
            Some(reason) => Refusal {
                of: reason.text.clone(),
                ..Refusal::plain(Why::Disowned)
            },
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a call gave, and gave again, in words; none where the values are the same for all that a program
/// can tell.
fn difference(py: Python<'_>, pair: Pair) -> Option<String> {
    let _held = Held::for_now(py);
    let differs = || {
        let pair = (
            encoded_to_py(py, pair.call)?,
            encoded_to_py(py, pair.first)?,
            encoded_to_py(py, pair.second)?,
        );
        python::DIFFERENCE.call(py, pair)?.extract()
    };
    differs().unwrap_or(None)
}

impl RemoteFunction {
    /// Why a pure function has no replica, if its module cannot be loaded there: then nothing is there that
    /// calls have left.
    fn why_not_loaded(&self, outcome: &Outcome) -> Option<Reason> {
        let Outcome::Unavailable { head } = outcome else {
            return None;
        };
        if !self.is_pure() {
            return None;
        }
        let told = Python::attach(|py| {
            let _held = Held::for_now(py);
            let told = python::UNAVAILABLE.call(py, (bytes(py, head)?,))?;
            told.extract::<Option<String>>()
        });
        let told = told.unwrap_or(None);
        told.map(|told| Reason::new("import", &told))
    }

    /// Why what a pure call gave cannot be sent, if it is so.
    fn why_not_returned(&self, outcome: &Outcome) -> Option<Reason> {
        let Outcome::Reply { payload, .. } = outcome else {
            return None;
        };
        if !self.is_pure() || !outcome.is_unencodable() {
            return None;
        }
        let told = Python::attach(|py| {
            let told = python::UNRETURNABLE.call(py, (bytes(py, &payload.head)?,))?;
            told.extract::<String>()
        });
        told.ok().map(|told| Reason::result(&told))
    }

    /// Whether what came of a call must not be used, or cannot travel: it is made once more, by who calls,
    /// and so are those that follow. What a call that was made early has read must be there still.
    pub(super) fn must_stay(&self, outcome: &Outcome, is_ahead: bool) -> bool {
        let disowned = outcome.why_disowned().map(Reason::decode);
        let disowned = disowned
            .or_else(|| self.why_not_loaded(outcome))
            .or_else(|| self.why_not_returned(outcome));
        let reason = match is_ahead && self.is_pure() {
            true => disowned.or_else(|| reads::changed(outcome.output()).map(Reason::changed)),
            false => disowned,
        };
        let is_early = is_ahead && self.is_pure();
        let is_unsure = is_early && self.staying.is() && self.staying.has_ended();
        let must = reason.is_some() || is_unsure || self.is_pure() && outcome.is_unencodable();
        if let Some(module) = reason.as_ref().and_then(Reason::unsent) {
            let sent = Python::attach(|py| {
                let _held = Held::for_now(py);
                python::SEND_VARIABLES_OF.call(py, (module,)).map(drop)
            });
            if sent.is_err() {
                self.staying.refused(None);
            }
            settings::changed(); // the next call has them
        } else if reason.as_ref().is_some_and(Reason::is_of_one_call) {
            // the program makes it, whatever comes of that
        } else if must {
            self.staying.refused(reason);
            if self.has_session() {
                copies::astray(self);
            }
        } else {
            self.staying.used();
        }
        must
    }
}

/// Of a function of which a reply was disowned, for it does not keep the plan's word: how many calls the
/// program has made for that, how many of them were sent before, and of what kind the last reason was, and
/// in words.
#[pyfunction]
pub fn stayed(function: &Bound<'_, RemoteFunction>) -> Option<(u64, u64, String, String)> {
    let staying = &function.get().staying;
    staying.look();
    if staying.phase.load(Ordering::Relaxed) == NEVER {
        return None;
    }
    let state = staying.state();
    let reason = state.reason.clone().filter(Reason::is_against_a_word);
    let Reason { kind, text } = reason?;
    let (made, in_vain) = state.policy.calls();
    Some((made, in_vain, kind, text))
}
