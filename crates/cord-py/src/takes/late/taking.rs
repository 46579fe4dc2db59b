//! Takes whose values may be received later.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::{Begun, Late};
use crate::client::ending::has_ended;
use crate::client::inlining::runs_within;
use crate::client::remote::{RemoteFunction, Waits};
use crate::client::service::Use;
use crate::copies;
use crate::takes::activation::Activation;
use crate::takes::lates::{Here, State};
use crate::takes::reasons::charge;
use crate::takes::site::Site;
use crate::takes::take::{as_the_programs, Taken};
use crate::trace::answered;
use crate::travel::passed::{either, with_own};

impl Site {
    /// As `take_of`, where the value may be received later: then there is none yet.
    pub(crate) fn take_within<'py>(
        &self,
        activation: &Bound<'py, Activation>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
        late: &Bound<'py, Late>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = callee.py();
        let in_place = || {
            if Late::must_follow(activation.get()) {
                Late::make_later(late, activation, (callee, args, kwargs));
                return Ok(None);
            }
            self.take_untimed(activation.as_any(), callee, args, kwargs)
                .map(Some)
        };
        let Ok(function) = callee.cast_exact::<RemoteFunction>() else {
            return in_place();
        };
        let remote = function.get();
        let how = remote.use_of(&self.client);
        let stays = remote.stays()
            || remote.waits != Waits::Never
            || how.inline && runs_within(remote.module);
        if stays || copies::is_copy() || remote.is_local() || has_ended() {
            return in_place();
        }
        let own = with_own(args, kwargs)?;
        let (args, kwargs) = either(own.as_ref(), args, kwargs);
        let begun = Begun {
            function,
            args,
            kwargs,
        };
        if remote.reads_what_stays(py)?.is_some() {
            return in_place();
        }
        if !how.ahead {
            if remote.world_or_not(py)?.is_err() {
                return in_place();
            }
            return match Late::may_begin(late, activation, &begun)? {
                true => Late::call_in_place(late, activation, &begun, how),
                false => in_place(),
            };
        }
        let inlining = how.inline.then(|| self.inlining_of(callee));
        if let Some(inlining) = inlining.filter(|_| !Late::must_follow(activation.get())) {
            if self.is_inlined(activation, remote, inlining) {
                return inlining
                    .make(|| remote.call_here(py, args, kwargs))
                    .map(Some);
            }
        }
        let spending = self.inlining_of(callee).spending();
        let taken = self
            .take_ahead(function, activation, args, kwargs, Some(late))
            .map_err(|error| as_the_programs(py, error))?;
        let (ticket, waited, ahead) = match taken {
            Taken::Settled(ticket, waited, ahead) => (ticket, waited, ahead),
            Taken::InCopy(value) => return Ok(Some(value)),
            Taken::Unsent if Late::must_follow(activation.get()) => return in_place(),
            Taken::Unsent => return remote.call_here(py, args, kwargs).map(Some),
            Taken::Late => {
                Late::top_up(activation)?;
                return Ok(None);
            }
        };
        let (value, ticket) = self.come(activation, &begun, ticket, waited);
        late.get().learn(&ticket);
        if let Some(inlining) = inlining {
            self.shipped(
                (activation, remote),
                inlining,
                spending.so_far(ahead),
                ticket.service(),
            );
        }
        value.map(Some)
    }
}

impl Late {
    /// A call that the program makes itself: once what stands before it is received.
    fn make_later(
        slf: &Bound<'_, Self>,
        activation: &Bound<'_, Activation>,
        (callee, args, kwargs): (
            &Bound<'_, PyAny>,
            &Bound<'_, PyTuple>,
            Option<&Bound<'_, PyDict>>,
        ),
    ) {
        let call = Here {
            callee: callee.clone().unbind(),
            args: args.clone().unbind(),
            kwargs: kwargs.map(|kwargs| kwargs.clone().unbind()),
        };
        Self::put(slf, activation.get(), State::Here(Box::new(call)));
    }

    /// Whether a call that no scout makes, for it has effects, may be under way while the program goes
    /// on: nothing of the main script travels with it, and so nothing of that comes back changed.
    pub fn may_begin(
        slf: &Bound<'_, Self>,
        activation: &Bound<'_, Activation>,
        begun: &Begun<'_, '_>,
    ) -> PyResult<bool> {
        let remote = begun.function.get();
        let is_apart = remote.is_stateful() && remote.mentions_nothing();
        let alone = !Self::must_follow(activation.get()) && !slf.get().is_short();
        Ok(is_apart && alone)
    }

    /// Makes such a call.
    pub fn call_in_place<'py>(
        slf: &Bound<'py, Self>,
        activation: &Bound<'py, Activation>,
        begun: &Begun<'_, 'py>,
        how: &Use,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = slf.py();
        let Begun {
            function,
            args,
            kwargs,
        } = *begun;
        let remote = function.get();
        let encoded = remote.encode(py, args, kwargs, remote.are_stable(args, kwargs))?;
        let ticket = remote.issue(py, how, args, kwargs, encoded, false)?;
        let answers = &slf.get().site.bind(py).get().answers;
        answers.count_in_place();
        charge(answers, &ticket, remote);
        answered(&ticket);
        let waited = match Self::puts_off(slf, activation, begun, &ticket) {
            Ok(true) => return Ok(None),
            Ok(false) => remote.wait(py, &ticket),
            Err(error) => Err(error),
        };
        let value = RemoteFunction::come_of(function, &ticket, waited, args, kwargs);
        slf.get().learn(&ticket);
        value.map(Some)
    }
}
