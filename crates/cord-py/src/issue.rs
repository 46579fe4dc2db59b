//! A scout's calls: issued where they are remote, gone into where they are the project's own.

use cord_core::Ticket;
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyTuple};

use crate::calls::{Entry, Issued, SharedCalls};
use crate::encode::Kept;
use crate::future::Future;
use crate::heap::{seen_arguments, seen_keywords};
use crate::methods::{bound_builtin, call_pure};
use crate::remote::RemoteFunction;
use crate::run::Run;
use crate::scout_end::{stop, ScoutEnd};
use crate::site::Site;
use crate::strand::Begun;
use crate::stream::Stream;
use crate::values::{without_partials, Called};

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
        let (generator, returns): (Py<PyAny>, Option<bool>) = self
            .go
            .bind(py)
            .call1((run, callee, args, kwargs))?
            .extract()?;
        let calls = SharedCalls::default();
        let site = self.uid;
        run.get().place()?.push(Entry::Helper {
            site,
            calls: calls.clone(),
        });
        let Some(returns) = returns else {
            return Ok(Bound::new(py, Stream::new(generator, calls))?.into_any());
        };
        let begun = Begun {
            generator,
            place: calls,
            counted: None,
            items: None,
            exit: None,
        };
        let result = run.get().start(py, begun, None)?;
        if returns {
            Ok(result)
        } else {
            Ok(Bound::new(py, Future::failed())?.into_any())
        }
    }

    /// A scout's call of what shows only now: issued if it is remote, gone into if it is a function
    /// of the project, made if it is pure, else left to the program.
    pub(crate) fn go_dynamic<'py>(
        &self,
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
            if remote.get().use_of(&self.client).ahead {
                let ticket = self.issued(run.get(), &callee, &args, kwargs)?;
                let result = Future::of_call(ticket.watch());
                return Ok(Bound::new(py, result)?.into_any());
            }
            Err(stop())
        } else {
            self.go_into(run, &callee, &args, kwargs).or_else(|error| {
                match error.is_instance_of::<ScoutEnd>(py) {
                    true => call_pure(&callee, &args, kwargs),
                    false => Err(error),
                }
            })
        };
        match result {
            Err(error) if error.is_instance_of::<ScoutEnd>(py) => {
                Ok(Bound::new(py, Future::failed())?.into_any())
            }
            result => result,
        }
    }

    pub(crate) fn issued<'py>(
        &self,
        run: &Run,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Ticket> {
        let py = callee.py();
        let Ok(remote) = callee.cast_exact::<RemoteFunction>() else {
            return Err(stop());
        };
        let remote = remote.get();
        let how = remote.use_of(&self.client);
        if !how.ahead {
            return Err(stop());
        }
        let place = run.place()?;
        if !place.is_wanted() {
            return Err(stop());
        }
        let (args, kwargs) = (&seen_arguments(args)?, seen_keywords(kwargs)?);
        let kwargs = kwargs.as_ref();
        let stable = remote.are_stable(args, kwargs);
        let encoded = remote.encode_ahead(py, args, kwargs, stable)?;
        let kept = if stable {
            None
        } else {
            Some(Kept::of(&encoded))
        };
        let (ticket, spent) = remote.issue_ahead(py, how, args, kwargs, encoded, self.passes)?;
        run.pace.count_call();
        run.pace.keep_within(remote.budget(how));
        let issued = (ticket.clone(), spent);
        let issued = Issued::new(self.uid, issued, (args, kwargs), kept, run);
        place.push(Entry::Call(issued));
        Ok(ticket)
    }
}
