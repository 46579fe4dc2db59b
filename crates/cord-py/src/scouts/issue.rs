//! A scout's calls: issued where they are remote, gone into where they are the project's own.

use cord_core::ticket::Ticket;
use cord_scout::{Begun, Entry, Why};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyTuple};

use crate::client::remote::{RemoteFunction, Waits};
use crate::guards::heap::{seen_arguments, seen_keywords};
use crate::guards::methods::{bound_builtin, call_pure, instance, is_assumed};
use crate::objects::plain::is_class;
use crate::scouts::calls::{Asked, Issued};
use crate::scouts::future::Future;
use crate::scouts::run::Run;
use crate::scouts::scout_end::{stop, stop_at, stop_for, stop_over, why, ScoutEnd};
use crate::scouts::scouting::Calls;
use crate::takes::reasons::charge;
use crate::takes::site::Site;
use crate::takes::values::{enters_nothing, without_partials, Called};
use crate::travel::encode::{Encoded, Kept};

impl Site {
    pub(crate) fn go_into<'py>(
        &self,
        run: &Bound<'py, Run>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = run.py();
        if callee.is_exact_instance_of::<PyCFunction>() {
            return bound_builtin(callee, args, kwargs); // a list's `append`, not a method of ours
        }
        if !self.answers.entering.is_worth_it() {
            return Err(stop_at(Why::Misled, callee));
        }
        let (generator, returns): (Py<PyAny>, bool) = self
            .go
            .bind(py)
            .call1((run, callee, args, kwargs))
            .map_err(|error| stop_over(error, Why::Source, callee))?
            .extract()?;
        let calls = Calls::default();
        let site = self.uid;
        // what makes no calls of its own asks for nothing when the program enters it
        let entry = if enters_nothing(callee)? {
            Entry::Group(calls.clone())
        } else {
            Entry::Helper {
                site,
                calls: calls.clone(),
            }
        };
        run.get().strands.calls()?.push(entry);
        let begun = Begun {
            generator,
            calls,
            counted: None,
            exit: None,
        };
        let result = run.get().start(py, begun, None)?;
        if returns {
            Ok(result)
        } else {
            let why = why(py, &stop_at(Why::Result, callee));
            Ok(Bound::new(py, Future::failed(why))?.into_any())
        }
    }

    /// A scout's call of what shows only now: issued if it is remote, gone into if it is a function
    /// of the project, made if it is pure, else left to the program.
    pub(crate) fn go_dynamic<'py>(
        site: &Bound<'py, Self>,
        run: &Bound<'py, Run>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = run.py();
        let Called {
            callee,
            args,
            kwargs,
        } = without_partials(callee, args, kwargs)?;
        let kwargs = kwargs.as_ref();
        let result = if let Ok(remote) = callee.cast_exact::<RemoteFunction>() {
            let how = remote.get().use_of(&site.get().client);
            if how.ahead && !how.independent && remote.get().waits == Waits::Never {
                run.get().lead(&remote.get().inlining, &callee)?;
                let ticket = site.get().issued(run.get(), &callee, &args, kwargs)?;
                let result = Future::of_call(ticket.watch());
                return Ok(Bound::new(py, result)?.into_any());
            }
            Err(stop_at(Why::Plan, &callee))
        } else {
            let into = if is_class(&callee) && !is_assumed(&callee)? {
                instance(&callee, &args, kwargs)
                    .and_then(|made| made.ok_or_else(|| stop_at(Why::Source, &callee)))
            } else {
                site.get().go_into(run, &callee, &args, kwargs)
            };
            into.or_else(|error| match error.is_instance_of::<ScoutEnd>(py) {
                true => call_pure(&callee, &args, kwargs),
                false => Err(error),
            })
        };
        match result {
            Err(error) if error.is_instance_of::<ScoutEnd>(py) => {
                Ok(Bound::new(py, Future::failed(why(py, &error)))?.into_any())
            }
            result => result,
        }
    }

    /// Issues a call that the program may turn out not to make.
    pub(crate) fn issued<'py>(
        &self,
        run: &Run,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Ticket> {
        let Ok(remote) = callee.cast_exact::<RemoteFunction>() else {
            return Err(stop_at(Why::Source, callee));
        };
        let how = remote.get().use_of(&self.client);
        if !how.ahead || how.independent || remote.get().waits != Waits::Never {
            return Err(stop_at(Why::Plan, callee));
        }
        if remote.get().staying.is() {
            return Err(stop_for(remote.get().staying.told()));
        }
        let place = run.strands.calls()?;
        if !place.is_wanted() {
            return Err(stop(Why::Ended));
        }
        let asking = Asking::new(self, remote, args, kwargs)?;
        let issued = asking.issue(run)?;
        let ticket = issued.ticket.clone();
        place.push(Entry::Call(issued));
        Ok(ticket)
    }

    /// Issues a call with effects, which the program is certain to make; or none, where that turns out
    /// not to be so.
    pub(crate) fn committed<'py>(
        &self,
        run: &Run,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Option<Ticket>> {
        let Ok(remote) = callee.cast_exact::<RemoteFunction>() else {
            return Err(stop_at(Why::Source, callee));
        };
        let how = remote.get().use_of(&self.client);
        let place = run.strands.calls()?;
        let foreseen = how.ahead && how.independent && run.certain();
        if !foreseen || !place.is_wanted() || has_threads(callee.py())? {
            run.doubt();
            run.strands.pass_by([self.uid]);
            return Ok(None);
        }
        let asking = Asking::new(self, remote, args, kwargs)?;
        if !asking.encoded.needs.is_empty() {
            run.doubt(); // what it needs may be lost, and then the program makes no call
            run.strands.pass_by([self.uid]);
            return Ok(None);
        }
        let left = place.left_behind(&asking.asked(self.uid), |issued| issued.ticket.clone());
        if left.is_some() {
            return Ok(left);
        }
        let issued = asking.issue(run)?;
        let ticket = issued.ticket.clone();
        RemoteFunction::keep_to_the_end(remote, &ticket);
        place.promise(issued);
        Ok(Some(ticket))
    }
}

/// Whether the program has other threads, which might change what this one reads.
fn has_threads(py: Python<'_>) -> PyResult<bool> {
    let count: usize = py
        .import(intern!(py, "_thread"))?
        .call_method0(intern!(py, "_count"))?
        .extract()?;
    Ok(count > 0)
}

/// A call that a scout is about to issue.
struct Asking<'a, 'py> {
    site: &'a Site,
    remote: &'a Bound<'py, RemoteFunction>,
    args: Bound<'py, PyTuple>,
    kwargs: Option<Bound<'py, PyDict>>,
    encoded: Encoded,
    stable: bool,
}

impl<'a, 'py> Asking<'a, 'py> {
    fn new(
        site: &'a Site,
        remote: &'a Bound<'py, RemoteFunction>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Self> {
        let (args, kwargs) = (seen_arguments(args)?, seen_keywords(kwargs)?);
        let called = remote.get();
        let stable = called.are_stable(&args, kwargs.as_ref());
        let encoded = called.encode_ahead(remote.py(), &args, kwargs.as_ref(), stable)?;
        Ok(Self {
            site,
            remote,
            args,
            kwargs,
            encoded,
            stable,
        })
    }

    fn asked(&self, site: u32) -> Asked<'_, 'py> {
        Asked {
            site,
            function: self.remote,
            args: &self.args,
            kwargs: self.kwargs.as_ref(),
            encoded: (!self.stable).then_some(&self.encoded),
            world: None,
        }
    }

    fn issue(self, run: &Run) -> PyResult<Issued> {
        let remote = self.remote.get();
        let how = remote.use_of(&self.site.client);
        let (args, kwargs) = (&self.args, self.kwargs.as_ref());
        let kept = (!self.stable).then(|| Box::new(Kept::of(&self.encoded)));
        let py = self.remote.py();
        let call = remote.issue_ahead(py, how, args, kwargs, self.encoded, self.site.passes())?;
        run.strands.pace.count_call();
        self.site.answers.count_issued();
        charge(&self.site.answers, &call.0, remote);
        run.strands.pace.keep_within(remote.budget(how));
        if how.inline {
            run.meet(self.site.inlining_of(self.remote.as_any()));
        }
        let asked = (args, kwargs);
        Ok(Issued::new(
            self.site.uid,
            self.remote,
            call,
            asked,
            kept,
            &run.strands.pace,
        ))
    }
}
