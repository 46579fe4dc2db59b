//! The take: the program's side of a call.
//!
//! A take looks among the calls that the scout of its activation has issued for the first one for
//! this site with equal arguments. If there is none, the call is made afresh and a new scout starts
//! from where the program is.

use std::sync::atomic::Ordering;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cord_core::ticket::Ticket;
use cord_scout::inline::Cost;
use cord_scout::{Level, Refusal, Told, Until, Why};
use pyo3::exceptions::PyRecursionError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::client::ending::has_ended;
use crate::client::inlining::{runs_within, Inlining};
use crate::client::remote::{RemoteFunction, Waits};
use crate::copies::{self, Asked, Found, Made};
use crate::guards::heap::Heap;
use crate::held::Held;
use crate::objects::dispatched::dispatched;
use crate::scouts::calls;
use crate::scouts::future::Future;
use crate::scouts::run::Run;
use crate::scouts::scout_end::is_telling;
use crate::scouts::scouting::Receiver;
use crate::takes::activation::Activation;
use crate::takes::late::{Begun, Late};
use crate::takes::reasons::{charge, count_apart, count_by_copy, count_unsent, timed};
use crate::takes::site::Site;
use crate::takes::standing::Comer;
use crate::takes::values::{entered_code, without_partials};
use crate::trace::{answered, scouted};
use crate::travel::encode::Encoded;
use crate::travel::passed::{either, is_passed, with_own, with_values};

/// So many calls at one place raised exceptions: more will.
const NO_ACCIDENT: usize = 2;
/// So long a scout is given to catch up with the program in a chain of generators.
const CATCHING_UP: Duration = Duration::from_millis(10);
/// So many calls that scouts have issued a copy is told of: each is encoded for that.
const MOST_TOLD: usize = 256;
/// What becomes of a take.
pub(crate) enum Taken<'py> {
    /// Its ticket, how the wait for that has ended, and whether it was under way before.
    Settled(Ticket, PyResult<()>, bool),
    /// This process is a copy by now, with something that stands for the value.
    InCopy(Bound<'py, PyAny>),
    /// Its value is received later.
    Late,
    /// It cannot be sent: the program is to make it.
    Unsent,
}

/// A scout's generator, whose frame it covers, and the future of what that returns.
type Covering<'py> = (Py<PyAny>, Bound<'py, Activation>, Option<Py<Future>>);

impl Site {
    /// Tells the code that is about to be entered where its calls were scouted.
    pub(crate) fn announce(&self, activation: &Bound<'_, PyAny>, code: usize) {
        if let Ok(activation) = activation.cast_exact::<Activation>() {
            Activation::offer(activation, self.uid, code, &self.answers);
        }
    }

    /// The program's call of a value.
    pub(crate) fn call_of<'py>(
        &self,
        activation: &Bound<'py, PyAny>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let chosen = dispatched(callee, args)?;
        if let Some(code) = entered_code(chosen.as_ref().unwrap_or(callee))? {
            self.announce(activation, code);
            let (args, kwargs) = with_values(args, kwargs)?;
            return callee.call(args, kwargs.as_ref());
        }
        let call = without_partials(callee, args, kwargs)?;
        if !call.callee.is_exact_instance_of::<RemoteFunction>() {
            let (args, kwargs) = with_values(args, kwargs)?;
            return callee.call(args, kwargs.as_ref());
        }
        self.take_of(activation, &call.callee, &call.args, call.kwargs.as_ref())
    }

    pub(crate) fn take_of<'py>(
        &self,
        activation: &Bound<'py, PyAny>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let comer = Comer {
            site: Some(self),
            activation: Some(activation),
            callee,
        };
        timed(&self.answers, comer, || {
            self.take_untimed(activation, callee, args, kwargs)
        })
    }

    /// The same, for who looks at the time itself.
    #[inline]
    pub(crate) fn take_untimed<'py>(
        &self,
        activation: &Bound<'py, PyAny>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = callee.py();
        let Ok(function) = callee.cast_exact::<RemoteFunction>() else {
            let (args, kwargs) = with_values(args, kwargs)?;
            return callee.call(args, kwargs.as_ref());
        };
        let remote = function.get();
        if remote.waits != Waits::Never {
            return callee.call(args, kwargs);
        }
        let how = remote.use_of(&self.client);
        if how.inline && runs_within(remote.module) {
            return remote.call_here(py, args, kwargs);
        }
        let own = with_own(args, kwargs)?;
        let (args, kwargs) = either(own.as_ref(), args, kwargs);
        let inlining = how.inline.then(|| self.inlining_of(callee));
        if copies::is_copy() {
            return copies::call(
                function,
                how,
                (self.inlining_of(callee), &self.answers),
                args,
                kwargs,
            );
        }
        match activation.cast_exact::<Activation>() {
            Ok(activation)
                if how.ahead && !remote.is_local() && !remote.stays() && !has_ended() =>
            {
                if let Some(inlining) = inlining {
                    if self.is_inlined(activation, remote, inlining) {
                        return inlining.make(|| remote.call_here(py, args, kwargs));
                    }
                }
                if let Some(what) = remote.reads_what_stays(py)? {
                    self.answers.count_in_place();
                    count_apart(&self.answers, what);
                    return remote.call_here(py, args, kwargs);
                }
                let spending = inlining.map(|inlining| inlining.spending());
                let taken = self
                    .take_ahead(function, activation, args, kwargs, None)
                    .map_err(|error| as_the_programs(py, error))?;
                let (ticket, waited, ahead) = match taken {
                    Taken::Settled(ticket, waited, ahead) => (ticket, waited, ahead),
                    Taken::InCopy(value) => return Ok(value),
                    Taken::Unsent => return remote.call_here(py, args, kwargs),
                    Taken::Late => unreachable!("it is not to be received late"),
                };
                let call = Begun {
                    function,
                    args,
                    kwargs,
                };
                let (value, ticket) = self.come(activation, &call, ticket, waited);
                if let (Some(inlining), Some(spending)) = (inlining, spending) {
                    self.shipped(
                        (activation, remote),
                        inlining,
                        spending.so_far(ahead),
                        ticket.service(),
                    );
                }
                value
            }
            _ => {
                let from = Some((self.client.as_str(), &*self.answers));
                RemoteFunction::call_from(function, from, args, kwargs, self.passes())
            }
        }
    }

    /// Whether the program makes the next call here by itself.
    pub(crate) fn is_inlined(
        &self,
        activation: &Bound<'_, Activation>,
        remote: &RemoteFunction,
        inlining: &Arc<Inlining>,
    ) -> bool {
        let is_inlined = inlining.is_inlined(|| {
            // copies can do no more for calls that are ahead already
            let hopes = !self.answers.are_ahead() && copies::have_hope(remote, inlining.service());
            !hopes && !copies::may_come(remote) && begin_inlining(activation, inlining)
        });
        if is_inlined {
            self.answers.count_unsent();
        }
        is_inlined
    }

    /// What comes of a call that was waited for, and the ticket that it had at last.
    pub(crate) fn come<'py>(
        &self,
        activation: &Bound<'py, Activation>,
        begun: &Begun<'_, 'py>,
        mut ticket: Ticket,
        waited: PyResult<()>,
    ) -> (PyResult<Bound<'py, PyAny>>, Ticket) {
        let (py, function) = (activation.py(), begun.function);
        let (args, kwargs, remote) = (begun.args, begun.kwargs, function.get());
        let waited = waited.map_err(|error| as_the_programs(py, error));
        let mut value = RemoteFunction::come_of(function, &ticket, waited, args, kwargs);
        if value.is_err() && ticket.lacked_room_ahead() {
            ticket = match self.make_again(remote, args, kwargs) {
                Ok(ticket) => ticket,
                Err(error) => return (Err(error), ticket),
            };
            let waited = remote.wait(py, &ticket);
            value = RemoteFunction::come_of(function, &ticket, waited, args, kwargs);
        }
        if remote.staying.is() {
            end_scout(activation, Why::Disowned); // it knows nothing of that
        }
        if ticket.chain() > 0 && value.as_ref().is_ok_and(|value| !is_passed(value)) {
            self.passes_no_more();
        }
        let learnt = self.learn_of(activation, remote, &value, &ticket);
        (learnt.and(value), ticket)
    }

    /// What comes of a call tells what the next ones are like.
    pub(crate) fn learn_of(
        &self,
        activation: &Bound<'_, Activation>,
        remote: &RemoteFunction,
        value: &PyResult<Bound<'_, PyAny>>,
        ticket: &Ticket,
    ) -> PyResult<()> {
        copies::learn(remote, value);
        match value.is_err() && ticket.has_raised() {
            true => self.learn_of_raise(activation),
            false => Ok(()),
        }
    }

    /// What the program has spent on a shipped call, which took so long in its replica.
    pub(crate) fn shipped(
        &self,
        (activation, remote): (&Bound<'_, Activation>, &RemoteFunction),
        inlining: &Inlining,
        cost: Cost,
        service: Duration,
    ) {
        if inlining.shipped(remote, cost, service) {
            end_scout(activation, Why::Inlined);
        }
    }

    /// A call has raised an exception: where that is no accident, scouts are made that expect it.
    fn learn_of_raise(&self, activation: &Bound<'_, Activation>) -> PyResult<()> {
        let py = activation.py();
        if self.raised.fetch_add(1, Ordering::Relaxed) + 1 == NO_ACCIDENT {
            self.raises.bind(py).call1((self.uid,))?;
            if let Some(run) = activation.get().live_run(py) {
                run.get().strands.note(Why::CallRaised);
                run.get().end();
            }
        }
        Ok(())
    }

    /// The call's ticket, and how the wait for it has ended.
    pub(crate) fn take_ahead<'py>(
        &self,
        function: &Bound<'py, RemoteFunction>,
        activation: &Bound<'py, Activation>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
        late: Option<&Bound<'py, Late>>,
    ) -> PyResult<Taken<'py>> {
        let (py, remote) = (function.py(), function.get());
        let state = activation.get();
        let (mut was_foreseen, mut ahead) = (true, true);
        let how = remote.use_of(&self.client);
        let made = Made { how, args, kwargs };
        let world = match remote.world_or_not(py)? {
            Ok(world) => world,
            Err(why) => {
                self.answers.count_in_place();
                count_unsent(&self.answers, Why::Apart, Some(&why));
                return Ok(Taken::Unsent);
            }
        };
        let stable = remote.are_stable(args, kwargs);
        let mut encoded = if stable {
            None
        } else {
            match remote.encode_or_not(py, args, kwargs, false)? {
                Ok(encoded) => Some(encoded),
                Err(why) => {
                    self.answers.count_in_place();
                    count_unsent(&self.answers, Why::Unsendable, Some(&why));
                    return Ok(Taken::Unsent);
                }
            }
        };
        state.prepare(py)?;
        let mut why = None;
        let found = {
            let asked = calls::Asked {
                site: self.uid,
                function,
                args,
                kwargs,
                encoded: encoded.as_ref(),
                world: Some(&world),
            };
            let mut found = state.calls().find_call(&asked);
            if found.is_none() && state.step_behind(py)? {
                found = state.calls().find_call(&asked);
            }
            if found.is_none() {
                let until = Until::after(CATCHING_UP);
                while found.is_none() && !until.is_over() && state.catch_up(py)? {
                    found = state.calls().find_call(&asked);
                }
            }
            if found.is_none() && is_telling() {
                let differs = asked.differs(&state.calls());
                why = Some(differs.unwrap_or_else(|| state.why_not(py, self.uid)));
            }
            found
        };
        let (ticket, born) = match found {
            Some(issued) => {
                self.blind.hit();
                copies::passed(remote);
                issued.confirm(encoded.as_ref());
                drop(encoded.take()); // the program's objects are not held while it waits
                match state.hit(py, &issued) {
                    0 => {
                        ahead = false;
                        self.answers.count_just_then();
                    }
                    calls => self.count_ahead(calls),
                }
                if !ahead || how.guess.is_some() {
                    match self.run_ahead(activation, function, &issued.ticket, made, false) {
                        Ok(None) => {}
                        Ok(Some(value)) => return Ok(Taken::InCopy(value)),
                        Err(error) => {
                            return Ok(Taken::Settled(issued.ticket.clone(), Err(error), false))
                        }
                    }
                }
                (issued.ticket.clone(), Ok(()))
            }
            None => {
                let encoded = match encoded.take() {
                    Some(encoded) => encoded,
                    None => remote.encode(py, args, kwargs, true)?,
                };
                match copies::find(py, remote, how, &encoded)? {
                    Asked::Found(Found { ticket, calls, .. }) => {
                        count_by_copy(&self.answers, calls);
                        charge(&self.answers, &ticket, remote);
                        if late.is_none() || !Late::must_follow(state) {
                            answered(&ticket);
                            let began = Instant::now();
                            let waited = remote.wait(py, &ticket);
                            copies::took(remote, &ticket, began);
                            return Ok(Taken::Settled(ticket, waited, true));
                        }
                        (ticket, Ok(()))
                    }
                    asked => {
                        self.answers.count_in_place();
                        self.blind.miss(foreseen(state.live_run(py)));
                        let (ticket, born) =
                            self.miss(activation, remote, args, kwargs, encoded, why)?;
                        if let Asked::Missed(missed) = &asked {
                            copies::was_made(remote, missed, &ticket);
                            match self.run_ahead(
                                activation,
                                function,
                                &ticket,
                                made,
                                late.is_none(),
                            ) {
                                Ok(None) => {}
                                Ok(Some(value)) => return Ok(Taken::InCopy(value)),
                                // a signal: the call is under way, and is to hear of it
                                Err(error) => return Ok(Taken::Settled(ticket, Err(error), false)),
                            }
                        }
                        (was_foreseen, ahead) = (false, false);
                        (ticket, born)
                    }
                }
            }
        };
        answered(&ticket);
        if let (Some(late), Ok(())) = (late, &born) {
            let begun = Begun {
                function,
                args,
                kwargs,
            };
            match Late::puts_off(late, activation, &begun, &ticket) {
                Ok(true) => return Ok(Taken::Late),
                Ok(false) => {}
                Err(error) => return Ok(Taken::Settled(ticket, Err(error), false)),
            }
        }
        let waited = born.and_then(|()| state.wait_for(py, remote, &ticket));
        if !was_foreseen || how.guess.is_some() {
            copies::served(py, remote, &ticket);
        }
        Ok(Taken::Settled(ticket, waited, ahead))
    }

    /// Has a copy of the program run ahead from a call that no scout foresaw, where none sees what
    /// comes next, or the one that runs is blind here. In the copy: what stands for the value of that
    /// call. `waits`: the program just waits for the call.
    fn run_ahead<'py>(
        &self,
        activation: &Bound<'py, Activation>,
        function: &Bound<'py, RemoteFunction>,
        ticket: &Ticket,
        made: Made<'_, 'py>,
        waits: bool,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = activation.py();
        if waits {
            copies::wait_for_first(py, function.get(), ticket)?;
        }
        if Late::must_follow(activation.get()) || self.sees(activation, function.get(), ticket)? {
            copies::left_to_slices(function.get());
            return Ok(None);
        }
        let issued = || activation.get().sent(py, MOST_TOLD);
        let value = copies::run_ahead(py, function, ticket, made, issued)?;
        if value.is_none() && copies::is_one_running(function.get()) {
            activation.get().leave_to_copy(py);
        }
        Ok(value)
    }

    /// Whether a scout sees what comes next. One that cannot tell ends at its first step, or issues
    /// nothing while the program waits for a long call.
    fn sees(
        &self,
        activation: &Bound<'_, Activation>,
        remote: &RemoteFunction,
        ticket: &Ticket,
    ) -> PyResult<bool> {
        let (py, state) = (activation.py(), activation.get());
        let Some(run) = state.live_run(py) else {
            return Ok(false);
        };
        let elsewhere = foreseen(Some(run.clone()));
        if self.blind.is(elsewhere) {
            return Ok(false);
        }
        if copies::are_worth_it(remote) && !ticket.is_settled() {
            Run::step(&run, Some(ticket), None)?;
        }
        if run.get().strands.is_cut() || remote.use_of(&self.client).guess.is_some() {
            if let Some(calls) = copies::fill_replicas(remote) {
                return Ok(state.sent(py, calls).len() >= calls); // it gets no further, whatever comes
            }
        }
        let has_issued = !state.sent(py, 1).is_empty();
        let pace = &run.get().strands.pace;
        let has_seen = elsewhere > 0 || self.answers.were_ahead();
        let is_ahead = has_seen || pace.issued() > pace.takes();
        let may_be = run.get().is_alive() && (is_ahead || !copies::are_worth_it(remote));
        Ok(has_issued || may_be)
    }

    /// When the scout issued it there was no room for this call, which has not run: perhaps there is now.
    fn make_again(
        &self,
        remote: &RemoteFunction,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Ticket> {
        let py = args.py();
        let encoded = remote.encode(py, args, kwargs, remote.are_stable(args, kwargs))?;
        let how = remote.use_of(&self.client);
        let ticket = remote.issue(py, how, args, kwargs, encoded, self.passes())?;
        charge(&self.answers, &ticket, remote);
        Ok(ticket)
    }

    /// No scout foresaw this call: it is made now, and a scout starts behind it. Its ticket, and
    /// whether the program was interrupted in that.
    fn miss(
        &self,
        activation: &Bound<'_, Activation>,
        remote: &RemoteFunction,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
        encoded: Encoded,
        why: Told,
    ) -> PyResult<(Ticket, PyResult<()>)> {
        let py = activation.py();
        let state = activation.get();
        let how = remote.use_of(&self.client);
        state.doubt(py);
        let passes = self.passes() && !copies::is_one_running(remote); // a copy shows no kept values
        let ticket = remote.issue(py, how, args, kwargs, encoded, passes)?;
        charge(&self.answers, &ticket, remote);
        state.drop_wrong_guesses(py, self.uid);
        let wanted = state.may_be_scouted(py)
            && !copies::is_one_running(remote)
            && self.record().wants_scout()
            && self.patience.get().lock().wants_scout();
        if let Some(why) = why {
            self.count_reason(&why, wanted, copies::is_one_running(remote));
        }
        if wanted {
            remote.rouse(); // making a scout takes a moment
            let born = self.give_birth(activation, remote, &ticket);
            return Ok((ticket, born));
        }
        Ok((ticket, Ok(())))
    }

    /// A scout was so many calls ahead.
    fn count_ahead(&self, calls: usize) {
        self.answers.count_ahead();
        if is_telling() {
            self.answers.count_distance(calls);
        }
    }

    /// The program makes a call itself; whether a scout begins behind it, or a copy runs ahead.
    fn count_reason(&self, why: &Refusal, is_wanted: bool, is_copied: bool) {
        if is_wanted || !matches!(why.why, Why::First | Why::Ended) {
            self.answers.count_reason(why);
        } else if is_copied {
            self.answers.count_reason(&Refusal::plain(Why::Copied));
        } else if !self.answers.count_again() {
            self.answers.count_reason(&Refusal::plain(Why::InVain));
        }
    }

    fn give_birth(
        &self,
        activation: &Bound<'_, Activation>,
        remote: &RemoteFunction,
        ticket: &Ticket,
    ) -> PyResult<()> {
        let py = activation.py();
        let how = remote.use_of(&self.client);
        let inlining = match self.dynamic {
            true => &remote.inlining,
            false => &self.inlining,
        };
        let _held = Held::new(py)?;
        let window = self.record().window.max(self.width);
        let heap = Py::new(py, Heap::new())?;
        let run = Bound::new(py, Run::new(window, heap, how.independent))?;
        run.get().meet(inlining);
        run.get().strands.pace.keep_within(remote.budget(how));
        let result = Future::of_call(ticket.watch());
        let levels = self.birth.bind(py).call1((&run, activation, result))?;
        let mut begun = Vec::new();
        for level in levels.try_iter()? {
            let (generator, owner, result) = level?.extract::<Covering<'_>>()?;
            let first = owner.get().adopt(&run);
            begun.push(Level {
                generator,
                calls: owner.get().calls(),
                receiver: result.map(Receiver::Whole),
                first,
            });
        }
        if begun.is_empty() {
            run.get().strands.note(Why::Unborn);
            run.get().end();
        }
        scouted(&self.answers);
        run.get().strands.begin(begun);
        self.record().watch(&run.get().strands.pace.score);
        self.patience
            .get()
            .lock()
            .watch(&run.get().strands.pace.score);
        Ok(())
    }
}

/// Whether calls at a place may be tried in the client: not while a scout comes by their values to
/// calls that are better shipped. No scout issues them any more then.
fn begin_inlining(activation: &Bound<'_, Activation>, inlining: &Arc<Inlining>) -> bool {
    let run = activation.get().live_run(activation.py());
    let others = run.map_or_else(Vec::new, |run| run.get().met());
    let may_begin = inlining.may_begin(&others);
    if may_begin {
        end_scout(activation, Why::Inlined);
    }
    may_begin
}

/// So many calls of the program's a scout has foreseen.
fn foreseen(run: Option<Bound<'_, Run>>) -> usize {
    run.map_or(0, |run| {
        run.get().strands.pace.score.hits.load(Ordering::Relaxed)
    })
}

/// Ends the scout of a frame, which would look for calls that are made in the client; if there are
/// others worth shipping, they bring forth another one.
fn end_scout(activation: &Bound<'_, Activation>, why: Why) {
    let py = activation.py();
    if let Some(run) = activation.get().live_run(py) {
        run.get().strands.note(why);
        run.get().end();
        activation.get().drop_guesses(py);
    }
}

/// Where the stack has no room for the call, the program sees what its own call would have raised.
pub(crate) fn as_the_programs(py: Python<'_>, error: PyErr) -> PyErr {
    if error.is_instance_of::<PyRecursionError>(py) {
        return PyRecursionError::new_err("maximum recursion depth exceeded");
    }
    error
}
