//! A call of a remote function, where the program stands: who makes it, and what comes of it.

use std::time::{Duration, Instant};

use cord_core::ticket::Ticket;
use cord_dispatch::disowned::Turn;
use cord_scout::{Answers, Why};
use cord_wire::outcome::Outcome;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::awaiting::{made_here, Waits};
use super::{Arguments, Carrier, RemoteFunction};
use crate::client::ending::{has_ended, stay_if_left_behind};
use crate::client::given::{needs_arguments, Given};
use crate::client::inlining::{runs_within, Spending, Within};
use crate::client::service::Use;
use crate::copies::{self, Asked, Found};
use crate::python;
use crate::replica::endpoint::Endpoint;
use crate::replica::outside::stop_before_effects;
use crate::scouts::scout_end::is_telling;
use crate::stack::require_room;
use crate::takes::reasons::{
    charge, count_apart, count_by_copy, count_staying, count_unseen, count_unsent,
};
use crate::trace;
use crate::travel::passed::{either, with_own, with_values};

/// What comes of a call, and how long it took in its replica, as far as that is known.
type InPlace<'py> = (PyResult<Bound<'py, PyAny>>, Option<Duration>);

/// How far a call has come that the program makes where it stands.
pub enum Begun<'py> {
    /// The program is to make it.
    Here,
    /// This is what came of it.
    Over(PyResult<Bound<'py, PyAny>>),
    UnderWay(UnderWay),
}

/// A call that is on its way.
pub struct UnderWay {
    pub ticket: Ticket,
    pub began: Instant,
    /// What the program spends on it from here on, where a copy of the program has issued it.
    ahead: Option<Spending>,
}

impl UnderWay {
    /// Whether the program found it when it came to it.
    pub fn is_ahead(&self) -> bool {
        self.ahead.is_some()
    }
}

impl RemoteFunction {
    /// Whether calls of this function are all made here, for nobody else is there to make them.
    pub fn is_never_sent(&self) -> bool {
        !self.has_session() || self.is_local() || has_ended()
    }

    /// Begins the call of a coroutine function: the program waits for what comes of it in its own way.
    pub fn begin_awaited<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Begun<'py>> {
        let (py, this) = (slf.py(), slf.get());
        let own = with_own(args, kwargs)?;
        let (args, kwargs) = either(own.as_ref(), args, kwargs);
        if this.is_never_sent() || this.stays_now(&this.answers) {
            return Ok(Begun::Here);
        }
        let how = this.use_of(&this.running_module(py)?);
        if copies::is_copy() {
            let answers = &this.answers;
            return copies::call(slf, how, (&this.inlining, answers), args, kwargs)
                .map(|value| Begun::Over(Ok(value)));
        }
        if let Some(what) = this.reads_what_stays(py)? {
            this.answers.count_in_place();
            count_apart(&this.answers, what);
            return Ok(Begun::Here);
        }
        Self::begin_in_place(slf, how, &this.answers, (args, kwargs), false)
    }

    /// Whether the program makes the next call, for what replies of earlier ones were like or for what it
    /// may change; that is counted.
    fn stays_now(&self, answers: &Answers) -> bool {
        if self.is_own() {
            answers.count_in_place();
            count_unsent(answers, Why::Own, None);
            return true;
        }
        if self.staying.is() && !copies::is_copy() && self.staying.next() == Turn::Stays {
            answers.count_in_place();
            count_staying(answers, &self.staying);
            return true;
        }
        false
    }

    /// Makes a call in place, for a site of a module of the program that counts how it is answered; none:
    /// for the module that is running. What it gives may be only passed on.
    pub fn call_from<'py>(
        slf: &Bound<'py, Self>,
        from: Option<(&str, &Answers)>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
        passes: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        let own = with_own(args, kwargs)?;
        let (args, kwargs) = either(own.as_ref(), args, kwargs);
        stay_if_left_behind(py);
        if this.has_left_behind() {
            return Err(python::FORKED_ERROR.error(py, (this.original.bind(py),)));
        }
        if this.is_local() || (this.is_pure() && has_ended()) {
            return this.call_here(py, args, kwargs);
        }
        let answers = from.map_or(&this.answers, |(_, answers)| answers);
        if this.stays_now(answers) {
            return this.call_here(py, args, kwargs);
        }
        let how = match from {
            Some((client, _)) => this.use_of(client),
            None => this.use_of(&this.running_module(py)?),
        };
        if how.inline && runs_within(this.module) {
            return this.call_here(py, args, kwargs);
        }
        if copies::is_copy() {
            return copies::call(slf, how, (&this.inlining, answers), args, kwargs);
        }
        let begins =
            || !copies::have_hope(this, this.inlining.service()) && !copies::may_come(this);
        if how.inline && this.inlining.is_inlined(begins) {
            answers.count_unsent();
            return this.inlining.make(|| this.call_here(py, args, kwargs));
        }
        if let Some(what) = this.reads_what_stays(py)? {
            answers.count_in_place();
            count_apart(answers, what);
            return this.call_here(py, args, kwargs);
        }
        let spending = how.inline.then(|| this.inlining.spending());
        let (value, service) = match &this.carrier {
            Carrier::Session(_) => Self::call_in_place(slf, how, answers, (args, kwargs), passes)?,
            Carrier::Link(link) => {
                let link = Endpoint::of_thread(link.bind(py));
                this.call_over(link.get(), py, (args, kwargs))?
            }
        };
        if let (Some(spending), Some(service)) = (spending, service) {
            this.inlining.shipped(this, spending.so_far(false), service);
        }
        value
    }

    /// Makes a call of another remote module, from a replica. What comes of it, and how long it took.
    fn call_over<'py>(
        &self,
        link: &Endpoint,
        py: Python<'py>,
        (args, kwargs): Arguments<'_, 'py>,
    ) -> PyResult<InPlace<'py>> {
        require_room()?;
        if !self.is_pure() {
            stop_before_effects(self.label())?;
        }
        if self.is_pure() && !link.has_same_state(py) {
            return Ok((self.call_here(py, args, kwargs), None));
        }
        let stable = self.are_stable(args, kwargs);
        let Ok(encoded) = self.encode_or_not(py, args, kwargs, stable)? else {
            return Ok((self.call_here(py, args, kwargs), None));
        };
        let world = match link.world_now(py) {
            Err(_) if self.is_pure() => return Ok((self.call_here(py, args, kwargs), None)),
            world => world?,
        };
        let payload = encoded.into_payload(py, self.shared_from())?;
        let manner = self.usual.get().manner;
        let answered = link.call(py, (self.module, manner), self.effects, payload, world)?;
        let value = match answered.raised {
            Some(error) => Err(self.too_late(py, answered.outcome, error)),
            None if self.must_stay(&answered.outcome, false) => self.call_here(py, args, kwargs),
            None => self.decoded_or_made(py, answered.outcome, (args, kwargs)),
        };
        Ok((value, Some(answered.service)))
    }

    /// Makes a call that no slice has foreseen, where the program stands. What comes of it, and how long
    /// it took in its replica; that is not known of a call which a copy of the program has made.
    fn call_in_place<'py>(
        slf: &Bound<'py, Self>,
        how: &Use,
        answers: &Answers,
        (args, kwargs): Arguments<'_, 'py>,
        passes: bool,
    ) -> PyResult<InPlace<'py>> {
        let (py, this) = (slf.py(), slf.get());
        let call = match Self::begin_in_place(slf, how, answers, (args, kwargs), passes)? {
            Begun::Here => return Ok((this.call_here(py, args, kwargs), None)),
            Begun::Over(value) => return Ok((value, None)),
            Begun::UnderWay(call) => call,
        };
        let waited = this.wait(py, &call.ticket);
        let service = call.ahead.is_none().then(|| call.ticket.service());
        let value = Self::end_in_place(slf, call, waited, (args, kwargs));
        Ok((value, service))
    }

    /// Begins such a call: it may have been begun by a copy of the program.
    fn begin_in_place<'py>(
        slf: &Bound<'py, Self>,
        how: &Use,
        answers: &Answers,
        (args, kwargs): Arguments<'_, 'py>,
        passes: bool,
    ) -> PyResult<Begun<'py>> {
        let (py, this) = (slf.py(), slf.get());
        if let Err(why) = this.world_or_not(py)? {
            answers.count_in_place();
            count_unsent(answers, Why::Apart, Some(&why));
            return Ok(Begun::Here);
        }
        let stable = this.are_stable(args, kwargs);
        let encoded = match this.encode_or_not(py, args, kwargs, stable)? {
            Ok(encoded) => encoded,
            Err(why) => {
                answers.count_in_place();
                count_unsent(answers, Why::Unsendable, Some(&why));
                return Ok(Begun::Here);
            }
        };
        let asked = match copies::are_wanted() {
            true => copies::find(py, this, how, &encoded)?,
            false => Asked::Apart,
        };
        let under_way = |ticket, ahead| UnderWay {
            ticket,
            began: Instant::now(),
            ahead,
        };
        if let Asked::Found(Found { ticket, calls, .. }) = asked {
            count_by_copy(answers, calls);
            charge(answers, &ticket, this);
            trace::answered(&ticket);
            return Ok(Begun::UnderWay(under_way(
                ticket,
                Some(this.inlining.spending()),
            )));
        }
        answers.count_in_place();
        if is_telling() && how.ahead {
            count_unseen(answers, copies::is_one_running(this));
        }
        let ticket = this.issue(py, how, args, kwargs, encoded, passes)?;
        charge(answers, &ticket, this);
        trace::answered(&ticket);
        let call = under_way(ticket, None);
        if let Asked::Missed(missed) = &asked {
            copies::was_made(this, missed, &call.ticket);
            let made = copies::Made { how, args, kwargs };
            let ahead = copies::wait_for_first(py, this, &call.ticket)
                .and_then(|()| copies::run_ahead(py, slf, &call.ticket, made, Vec::new));
            match ahead {
                Ok(None) => {}
                Ok(Some(value)) => return Ok(Begun::Over(Ok(value))),
                // a signal: the call is under way, and is to hear of it
                Err(error) => {
                    let value = Self::come_of(slf, &call.ticket, Err(error), args, kwargs);
                    return Ok(Begun::Over(value));
                }
            }
        }
        Ok(Begun::UnderWay(call))
    }

    /// What comes of such a call, once it was waited for.
    pub fn end_in_place<'py>(
        slf: &Bound<'py, Self>,
        call: UnderWay,
        waited: PyResult<()>,
        (args, kwargs): Arguments<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let this = slf.get();
        if let Some(spending) = &call.ahead {
            this.inlining
                .ahead(spending.so_far(true), call.ticket.service());
            copies::took(this, &call.ticket, call.began);
        } else {
            copies::served(slf.py(), this, &call.ticket);
        }
        let value = Self::come_of(slf, &call.ticket, waited, args, kwargs);
        if call.ahead.is_some() || call.ticket.chain() == 0 {
            copies::learn(this, &value);
        }
        value
    }

    /// What came of a call; of a pure one whose result cannot be decoded, what comes of it here.
    fn decoded_or_made<'py>(
        &self,
        py: Python<'py>,
        outcome: Outcome,
        (args, kwargs): Arguments<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if !self.is_pure() {
            let _given = Given::new(args, kwargs);
            return self.result(py, outcome);
        }
        // what a result has of the arguments, it has of the program's own
        let _given = needs_arguments(&outcome).then(|| Given::new(args, kwargs));
        match self.result_if_decoded(py, outcome)? {
            Some(value) => Ok(value),
            None => {
                self.staying.refused(None);
                self.call_here(py, args, kwargs)
            }
        }
    }

    /// Makes a call as the plain program does.
    pub fn call_here<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if self.waits != Waits::Never {
            return made_here(py); // by the coroutine that the program has
        }
        let (args, kwargs) = with_values(args, kwargs)?;
        let _within = Within::module(self.module);
        self.original.bind(py).call(args, kwargs.as_ref())
    }

    /// What comes of the program's call with these arguments: its settled ticket's value, or what
    /// stands for it; where both are lost, what the function returns here.
    pub fn taken<'py>(
        slf: &Bound<'py, Self>,
        ticket: &Ticket,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        match this.outcome(ticket) {
            // nothing leads to replicas any more, or another thread has closed the session of the call
            Outcome::Closed if this.is_pure() || this.is_replaced(this.session()) => {
                stay_if_left_behind(py);
                this.call_here(py, args, kwargs)
            }
            outcome if outcome.has_no_replica() && this.is_pure() => {
                this.call_here(py, args, kwargs)
            }
            outcome if this.must_stay(&outcome, ticket.is_ahead()) => {
                this.call_here(py, args, kwargs)
            }
            outcome if Self::is_kept(&outcome) => Self::passed(slf, py, ticket, outcome),
            outcome => {
                copies::keep(py, this, &outcome);
                this.decoded_or_made(py, outcome, (args, kwargs))
            }
        }
    }
}
