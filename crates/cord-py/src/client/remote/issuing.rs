//! Calls of a remote function on their way: the program's own, and those ahead of it.

use std::sync::Arc;

use cord_core::ticket::Ticket;
use cord_dispatch::audit::{Auditor, Sampling};
use cord_sync::budget::{Budget, Spent};
use cord_wire::effects::Effects;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use super::{Arguments, RemoteFunction};
use crate::client::onlookers::is_watched;
use crate::client::service::Use;
use crate::client::session::How;
use crate::travel::buffers::Outside;
use crate::travel::encode::{encode, Encoded};
use crate::travel::passed::Needs;

impl RemoteFunction {
    /// Issues the program's call. Its value may be kept for other calls, if it is only passed on.
    pub fn issue(
        &self,
        py: Python<'_>,
        how: &Use,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
        encoded: Encoded,
        passes: bool,
    ) -> PyResult<Ticket> {
        self.send(py, how, (args, kwargs), encoded, passes, false)
    }

    /// Hands a call to the session: the program's own, which rouses the dispatcher when it waits, or
    /// one ahead of it.
    fn send(
        &self,
        py: Python<'_>,
        how: &Use,
        (args, kwargs): Arguments<'_, '_>,
        encoded: Encoded,
        passes: bool,
        ahead: bool,
    ) -> PyResult<Ticket> {
        let how = How {
            beside: false,
            manner: how.manner,
            priority: how.priority(py, args, kwargs)?,
            ahead,
            chain: encoded.chain(passes && how.forward && !is_watched(py)?),
            needs: encoded.needs.iter().map(Ticket::id).collect(),
            quiet: !ahead,
            is_world_seen: !ahead || self.is_pure(),
            auditor: self.auditor(encoded.needs.is_empty()),
            keep: None,
        };
        let payload = encoded.into_payload(py, self.shared_from())?;
        let keep = match self.keeping {
            Some(_) if how.needs.is_empty() => {
                let world = self.session().world_just_seen(py, self.effects)?;
                let keep = self.keep(py, &payload, (args, kwargs), &world);
                keep.map(|keep| (keep, world))
            }
            _ => None,
        };
        let how = How { keep, ..how };
        self.session()
            .issue_call(py, self.module, self.effects, how, payload)
    }

    /// Who hears of the call that is issued now, if it is one that may be made again.
    fn auditor(&self, is_alone: bool) -> Option<Arc<dyn Auditor>> {
        let takes = |sampling: &&Sampling| sampling.takes_next() && is_alone;
        let _ = self.sampling.as_ref().filter(takes)?;
        Some(Arc::clone(&self.staying) as Arc<dyn Auditor>)
    }

    /// Waits for a call of its; signals reach the program meanwhile.
    pub fn wait(&self, py: Python<'_>, ticket: &Ticket) -> PyResult<()> {
        self.session().wait(py, ticket)
    }

    /// Wakes the dispatcher for what was issued and is not waited for yet.
    pub fn rouse(&self) {
        self.session().rouse();
    }

    /// Issues the call that gives back the one value that it is given.
    pub fn issue_fetch(&self, py: Python<'_>, args: &Bound<'_, PyTuple>) -> PyResult<Ticket> {
        let needs = Needs::of(args, None);
        let nothing = PyString::new(py, "");
        let encoded =
            encode(py, &nothing, args, None, false, Outside::Copied(usize::MAX))?.with(needs);
        let how = How {
            manner: self.usual.get().manner,
            needs: encoded.needs.iter().map(Ticket::id).collect(),
            quiet: true,
            ..How::default()
        };
        self.session()
            .issue_call(py, self.module, Effects::Pure, how, encoded.payload)
    }

    /// Issues a call ahead of the program; it counts in its budget until it is let go.
    pub fn issue_ahead(
        &self,
        py: Python<'_>,
        how: &Use,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
        encoded: Encoded,
        passes: bool,
    ) -> PyResult<(Ticket, Spent)> {
        let spent = self.budget(how).spend(encoded.size());
        let ticket = self.send(py, how, (args, kwargs), encoded, passes, true)?;
        Ok((ticket, spent))
    }

    /// A call with effects was issued ahead: the program does not end before it has.
    pub fn keep_to_the_end(slf: &Bound<'_, Self>, ticket: &Ticket) {
        let remote = slf.clone().unbind();
        slf.get().session().committed().add(ticket.clone(), remote);
    }

    pub(super) fn shared_from(&self) -> usize {
        self.usual.get().transport.shared_from()
    }

    /// What may be out ahead of the program of its calls.
    pub fn budget(&self, how: &Use) -> &Arc<Budget> {
        self.session().budget(self.module, how.manner)
    }
}
