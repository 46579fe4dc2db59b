//! The path of a call: sites, activations, and the take.
//!
//! A take looks among the calls that the scout of its activation has issued for the first one for
//! this site with equal arguments. If there is none, the call is made afresh and a new scout starts
//! from where the program is.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cord_core::{Budget, Ticket};
use pyo3::exceptions::PyRecursionError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyTuple};

use crate::activation::{Activation, Region, TOP_UP};
use crate::answers::Answers;
use crate::calls::{Asked, Entry, Issued, SharedCalls};
use crate::encode::{Encoded, Kept};
use crate::ending::has_ended;
use crate::future::{is_future, known_values, later, Future};
use crate::guard::{bound_builtin, call_pure, stop, ScoutEnd};
use crate::heap::{seen_arguments, seen_keywords, Heap};
use crate::loops::Loops;
use crate::outcome::wait;
use crate::passed::with_values;
use crate::patience::{Patience, Record};
use crate::readahead::Reading;
use crate::remote::RemoteFunction;
use crate::run::{Level, Run};
use crate::strand::Begun;
use crate::stream::{Reader, Stream};
use crate::values::{entered_code, enters, without_partials, Called, Entered, Following};

/// Calls out at first, for each replica; and the fewest.
const FIRST_WINDOW: usize = 2;
/// So many calls at one place raised exceptions: more will.
const NO_ACCIDENT: usize = 2;
/// How long a take waits before it looks for signals to the program.
const LONGEST_WAIT: Duration = Duration::from_millis(20);

/// A scout's generator, whose frame it covers, and the future of what that returns.
type Covering<'py> = (Py<PyAny>, Bound<'py, Activation>, Option<Py<Future>>);

/// What a site asks of Python: `birth`, `go` and `raises` of it.
type Asks = (Py<PyAny>, Py<PyAny>, Py<PyAny>);

/// A call site of the program.
#[pyclass(module = "cord._core", frozen)]
pub struct Site {
    uid: u32,
    /// Python: makes the scout that goes on after this site.
    birth: Py<PyAny>,
    /// Python: makes the scout of a helper called with these arguments.
    go: Py<PyAny>,
    width: usize,
    record: Mutex<Record>,
    patience: Py<Patience>,
    /// What is called shows only at run time.
    dynamic: bool,
    /// What it gives is only passed on to remote functions.
    passes: bool,
    /// The module of the program that it stands in.
    client: String,
    /// Python: calls here raise exceptions.
    raises: Py<PyAny>,
    raised: AtomicUsize,
    answers: Arc<Answers>,
}

#[pymethods]
impl Site {
    #[new]
    fn new(
        uid: u32,
        asks: Asks,
        replicas: usize,
        patience: Py<Patience>,
        dynamic: bool,
        client: String,
        passes: bool,
    ) -> Self {
        let (birth, go, raises) = asks;
        let width = (replicas * FIRST_WINDOW).max(4);
        Self {
            uid,
            birth,
            go,
            width,
            record: Mutex::default(),
            patience,
            dynamic,
            passes,
            client,
            raises,
            raised: AtomicUsize::new(0),
            answers: Arc::default(),
        }
    }

    #[getter]
    fn uid(&self) -> u32 {
        self.uid
    }

    /// How many of the program's calls here a scout had made before, made just then, or not made.
    #[getter]
    fn answers(&self) -> (usize, usize, usize) {
        self.answers.read()
    }

    /// The program's call: `take(activation, callee, *args, **kwargs)`.
    #[pyo3(signature = (*all, **kwargs))]
    fn take<'py>(
        slf: &Bound<'py, Self>,
        all: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let args = all.get_slice(2, all.len());
        slf.get()
            .take_of(&all.get_item(0)?, &all.get_item(1)?, &args, kwargs)
    }

    /// The callee with this site in front, where a call of it may lead to a remote call: for calls
    /// with starred arguments, of what shows only at run time, and by `map` and the like.
    fn bound<'py>(
        slf: Bound<'py, Self>,
        activation: Bound<'py, PyAny>,
        callee: Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = callee.py();
        if entered_code(&callee)?.is_none() {
            let call = without_partials(&callee, &PyTuple::empty(py), None)?;
            if !call.callee.is_exact_instance_of::<RemoteFunction>() {
                return Ok(callee);
            }
        }
        let bound = BoundTake {
            site: slf.unbind(),
            activation: activation.unbind(),
            callee: callee.unbind(),
        };
        Ok(Bound::new(py, bound)?.into_any())
    }

    /// The program is about to call a helper: what was scouted inside goes to the helper's activation.
    fn enter<'py>(
        &self,
        activation: &Bound<'py, PyAny>,
        callee: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Some(code) = entered_code(callee)? {
            self.announce(activation, code);
        }
        Ok(callee.clone())
    }

    /// A scout's call of a remote function. Returns whether the scout is to pause.
    #[pyo3(signature = (run, callee, *args, **kwargs))]
    fn issue<'py>(
        slf: &Bound<'py, Self>,
        run: &Bound<'py, Run>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<bool> {
        Self::ask(slf, run, callee, args, kwargs)?;
        Ok(run.get().should_pause())
    }

    /// As `issue`, for a scout that wants the result: a future.
    #[pyo3(signature = (run, callee, *args, **kwargs))]
    fn ask<'py>(
        slf: &Bound<'py, Self>,
        run: &Bound<'py, Run>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let args = &known_values(args)?;
        if kwargs.is_none() && args.iter().any(|arg| is_future(&arg)) {
            let given: Vec<_> = args.iter().collect();
            let mut all = vec![run.as_any(), callee];
            all.extend(&given);
            return later(&slf.getattr(intern!(run.py(), "ask"))?, &all);
        }
        let ticket = slf.get().issued(run.get(), callee, args, kwargs)?;
        Ok(Bound::new(run.py(), Future::of_call(ticket.watch()))?.into_any())
    }

    /// A scout goes into a helper, in a strand of its own: what the helper returns, or a future.
    #[pyo3(signature = (run, callee, *args, **kwargs))]
    fn go<'py>(
        &self,
        run: &Bound<'py, Run>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if self.dynamic {
            return self.go_dynamic(run, callee, args, kwargs);
        }
        self.go_into(run, callee, args, kwargs)
    }
}

impl Site {
    fn go_into<'py>(
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
    fn go_dynamic<'py>(
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

    /// Tells the code that is about to be entered where its calls were scouted.
    fn announce(&self, activation: &Bound<'_, PyAny>, code: Entered) {
        if let Ok(activation) = activation.cast_exact::<Activation>() {
            Activation::offer(activation, self.uid, code, &self.answers);
        }
    }

    /// The program's call of a value.
    fn call_of<'py>(
        &self,
        activation: &Bound<'py, PyAny>,
        callee: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Some(code) = entered_code(callee)? {
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

    fn issued<'py>(
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

    fn take_of<'py>(
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
        let how = remote.use_of(&self.client);
        match activation.cast_exact::<Activation>() {
            Ok(activation) if how.ahead && !remote.is_local() && !has_ended() => {
                let ticket = self
                    .take_ahead(py, remote, activation, args, kwargs)
                    .map_err(|error| as_the_programs(py, error))?;
                let value = if ticket.chain() > 0 {
                    RemoteFunction::passed(function, py, &ticket)
                } else {
                    remote.value(py, &ticket)
                };
                if value.is_err() && ticket.has_raised() {
                    self.learn_of_raise(activation)?;
                }
                value
            }
            _ => {
                let client = Some(self.client.as_str());
                RemoteFunction::call_from(function, client, args, kwargs, self.passes)
            }
        }
    }

    /// A call has raised an exception: where that is no accident, scouts are made that expect it.
    fn learn_of_raise(&self, activation: &Bound<'_, Activation>) -> PyResult<()> {
        let py = activation.py();
        if self.raised.fetch_add(1, Ordering::Relaxed) + 1 == NO_ACCIDENT {
            self.raises.bind(py).call1((self.uid,))?;
            if let Some(run) = activation.get().live_run(py) {
                run.get().end();
            }
        }
        Ok(())
    }

    fn take_ahead<'py>(
        &self,
        py: Python<'py>,
        remote: &RemoteFunction,
        activation: &Bound<'py, Activation>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Ticket> {
        let state = activation.get();
        let stable = remote.are_stable(args, kwargs);
        let mut encoded = if stable {
            None
        } else {
            Some(remote.encode(py, args, kwargs, false)?)
        };
        state.prepare(py)?;
        let found = {
            let asked = Asked {
                site: self.uid,
                args,
                kwargs,
                encoded: encoded.as_ref(),
            };
            match state.calls().find_call(&asked) {
                None if state.step_behind(py)? => state.calls().find_call(&asked),
                found => found,
            }
        };
        let ticket = match found {
            Some(issued) => {
                if state.hit(py, &issued) {
                    self.answers.count_ahead();
                } else {
                    self.answers.count_just_then();
                }
                issued.ticket.clone()
            }
            None => {
                self.answers.count_in_place();
                let encoded = match encoded.take() {
                    Some(encoded) => encoded,
                    None => remote.encode(py, args, kwargs, true)?,
                };
                self.miss(activation, remote, args, kwargs, encoded)?
            }
        };
        ticket.demand();
        if let Some(run) = state.live_run(py) {
            if !ticket.is_settled() {
                run_and_wait(&run, &ticket)?;
            } else if run.get().is_low() {
                Run::step(&run, None, Some(TOP_UP))?;
            }
        }
        wait(py, &ticket)?;
        if let Some(run) = state.live_run(py).filter(|run| run.get().has_learned()) {
            // the program may leave the loop now, and with it what the scout could learn
            Run::step_woken(&run)?;
        }
        Ok(ticket)
    }

    /// No scout foresaw this call: it is made now, and a scout starts behind it.
    fn miss(
        &self,
        activation: &Bound<'_, Activation>,
        remote: &RemoteFunction,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
        encoded: Encoded,
    ) -> PyResult<Ticket> {
        let py = activation.py();
        let state = activation.get();
        let how = remote.use_of(&self.client);
        let ticket = remote.issue(py, how, args, kwargs, encoded, self.passes)?;
        state.drop_wrong_guesses(py, self.uid);
        if state.may_be_scouted(py)
            && self.record().wants_scout()
            && self.patience.get().wants_scout()
        {
            self.give_birth(activation, remote.budget(how), &ticket)?;
        }
        Ok(ticket)
    }

    fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn give_birth(
        &self,
        activation: &Bound<'_, Activation>,
        budget: &Arc<Budget>,
        ticket: &Ticket,
    ) -> PyResult<()> {
        let py = activation.py();
        let window = self.record().window.max(self.width);
        let run = Bound::new(py, Run::new(window, Py::new(py, Heap::new())?))?;
        run.get().pace.keep_within(budget);
        let result = Future::of_call(ticket.watch());
        let levels = {
            let _reading = Reading::by(run.get().number);
            self.birth.bind(py).call1((&run, activation, result))?
        };
        let mut begun = Vec::new();
        for level in levels.try_iter()? {
            let (generator, owner, result) = level?.extract::<Covering<'_>>()?;
            let first = owner.get().adopt(&run);
            begun.push(Level {
                generator,
                calls: owner.get().calls(),
                result,
                first,
            });
        }
        if begun.is_empty() {
            run.get().end();
        }
        run.get().begin(begun);
        self.record().watch(&run.get().pace.score);
        self.patience.get().watch(&run.get().pace.score);
        Ok(())
    }
}

/// Where the stack has no room for the call, the program sees what its own call would have raised.
fn as_the_programs(py: Python<'_>, error: PyErr) -> PyErr {
    if error.is_instance_of::<PyRecursionError>(py) {
        return PyRecursionError::new_err("maximum recursion depth exceeded");
    }
    error
}

/// Runs the scout until the reply is there; where it waits for values, so does this.
fn run_and_wait(run: &Bound<'_, Run>, ticket: &Ticket) -> PyResult<()> {
    let py = run.py();
    while !ticket.is_settled() {
        Run::step(run, Some(ticket), None)?;
        if !run.get().is_waiting() {
            break;
        }
        let signal = &run.get().signal;
        py.detach(|| signal.wait(ticket, LONGEST_WAIT));
        py.check_signals()?;
    }
    Ok(())
}

/// A callee with a site in front; it looks like the callee where Python names it.
#[pyclass(module = "cord._core", frozen)]
pub struct BoundTake {
    site: Py<Site>,
    activation: Py<PyAny>,
    callee: Py<PyAny>,
}

#[pymethods]
impl BoundTake {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.site
            .get()
            .call_of(self.activation.bind(py), self.callee.bind(py), args, kwargs)
    }

    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.callee.bind(py).getattr(name)
    }

    /// A copy or a pickle of what holds it holds the callee.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let first = py.import("operator")?.getattr("itemgetter")?.call1((0,))?;
        let args = ((self.callee.bind(py),),);
        (first, args).into_pyobject(py)
    }

    #[getter(__module__)]
    fn module_name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.callee.bind(py).getattr("__module__")
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Patience>()?;
    module.add_class::<Site>()?;
    module.add_class::<Region>()?;
    module.add_class::<Activation>()?;
    module.add_class::<BoundTake>()?;
    module.add_class::<Following>()?;
    module.add_class::<Loops>()?;
    module.add_class::<crate::loops::Counted>()?;
    module.add_class::<Run>()?;
    module.add_class::<Heap>()?;
    module.add_class::<Stream>()?;
    module.add_class::<Reader>()?;
    module.add_class::<Future>()?;
    module.add_function(wrap_pyfunction!(enters, module)?)?;
    Ok(())
}
