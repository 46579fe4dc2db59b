//! Copies of the program that run ahead, as far as they know Python: when one is made, what the program
//! takes of it, and what calls are in a copy.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cord_copies::{end, have_threads, is_first, why, Ahead, Copies, Missed, SHORTEST};
use cord_core::ticket::{Ticket, Watch};
use cord_os::threads::is_main_thread;
use cord_wire::effects::Effects;
use cord_wire::outcome::Outcome;
use cord_wire::payload::Payload;
use pyo3::exceptions::PyBaseException;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::client::remote::{RemoteFunction, Waits};
use crate::client::service::Use;
use crate::held::Held;
use crate::python;
use crate::trace;
use crate::travel::encode::Encoded;

mod calls;
mod classes;
mod context;
mod learnt;
mod leaving;
mod lifting;
mod standing;
mod texts;
mod told;

pub use calls::{call, is_unknown, Made, MARK};
pub use cord_copies::Found;
pub use cord_os::copied::is_copy;
pub use learnt::Learnt;
pub use told::told;

/// A call that was issued: its module, what was sent, and a view of what comes of it.
pub type Sent = (u32, Payload, Watch);

/// The plan wants copies.
static WANTED: AtomicBool = AtomicBool::new(false);

/// In a copy: its end of what it shares with the program.
static AHEAD: Mutex<Option<Ahead>> = Mutex::new(None);

/// Whether the plan wants copies. All else here costs something only where it does.
#[inline]
pub fn are_wanted() -> bool {
    WANTED.load(Ordering::Relaxed)
}

/// Whether the plan wants copies, and calls that take so long are worth one.
pub fn are_for(service: Duration) -> bool {
    are_wanted() && service >= SHORTEST
}

/// Makes copies from now on, or none any more.
pub fn want(wanted: bool) {
    WANTED.store(wanted, Ordering::Relaxed);
}

/// What the program knows of a call that it is about to make.
pub enum Asked {
    /// A copy has been there.
    Found(Found),
    /// No copy has, and the program may have one made.
    Missed(Missed),
    /// It is none of the calls that copies make.
    Apart,
}

/// Looks among the calls that a copy has issued.
pub fn find(
    py: Python<'_>,
    function: &RemoteFunction,
    how: &Use,
    encoded: &Encoded,
) -> PyResult<Asked> {
    if !are_wanted() || !may_issue(function, how) || !encoded.needs.is_empty() {
        return Ok(Asked::Apart);
    }
    let session = function.session();
    let Some(copies) = session.copies() else {
        return Ok(Asked::Apart);
    };
    if !copies.has_any() {
        return Ok(Asked::Missed(Missed::default()));
    }
    let world = session.world_just_seen(py, Effects::Pure)?;
    let which = (function.module, function.learnt.number());
    let found = py.detach(|| copies.find(which, &encoded.payload, &world));
    Ok(match found {
        Ok(found) => Asked::Found(found),
        Err(missed) => Asked::Missed(missed),
    })
}

/// Whether a call may be issued before the program stands there.
fn may_issue(function: &RemoteFunction, how: &Use) -> bool {
    function.is_pure() && how.ahead && !function.keeps_arguments()
}

/// The program has issued a call by itself.
pub fn was_made(function: &RemoteFunction, missed: &Missed, ticket: &Ticket) {
    if let Some(copies) = of(function) {
        copies.made(missed, || ticket.watch());
    }
}

/// What has come of a call in the program, encoded: what the next one comes to will be like it.
pub fn keep(py: Python<'_>, function: &RemoteFunction, outcome: &Outcome) {
    if of(function).is_some_and(Copies::are_worth_it) {
        function.learnt.keep_outcome(py, outcome);
    }
}

/// The copies of the program that a function is remote in, if the plan wants them.
#[inline]
fn of(function: &RemoteFunction) -> Option<&Copies> {
    let are_there = are_wanted() && !is_copy();
    are_there.then(|| function.session().copies()).flatten()
}

/// What a call has come to in the program.
pub fn learn(function: &RemoteFunction, result: &PyResult<Bound<'_, PyAny>>) {
    if !are_wanted() {
        return;
    }
    match result {
        Ok(value) => function.learnt.note(value),
        Err(_) => {
            if let Some(copies) = of(function) {
                copies.raised();
            }
        }
    }
}

/// Calls of a function are made by the program from now on, as the copy that runs does not.
pub fn astray(function: &RemoteFunction) {
    if let Some(copies) = of(function) {
        copies.astray();
    }
}

/// Whether calls of such a length may yet run beside others by means of copies. Those are made where the
/// program waits for a call: not if it makes it by itself.
pub fn have_hope(function: &RemoteFunction, service: Duration) -> bool {
    of(function).is_some_and(|copies| copies.have_hope(service))
}

/// Whether calls have been long enough for copies of the program.
pub fn are_worth_it(function: &RemoteFunction) -> bool {
    of(function).is_some_and(Copies::are_worth_it)
}

/// Whether a copy may issue the program's next call: one that the program made by itself would be made twice.
pub fn may_come(function: &RemoteFunction) -> bool {
    of(function).is_some_and(Copies::may_come)
}

/// So many calls at a time keep the replicas busy; nothing where copies may not guess.
pub fn fill_replicas(function: &RemoteFunction) -> Option<usize> {
    of(function).and_then(Copies::fill_replicas)
}

/// Whether a copy runs: then slices need not.
pub fn is_one_running(function: &RemoteFunction) -> bool {
    of(function).is_some_and(Copies::is_running)
}

/// Makes a copy at a call that the program is about to wait for, if it is worth one. In the copy: what
/// stands for the value of that call. In the program: nothing. `issued` tells what scouts have issued.
pub fn run_ahead<'py>(
    py: Python<'py>,
    function: &Bound<'py, RemoteFunction>,
    ticket: &Ticket,
    made: Made<'_, 'py>,
    issued: impl FnOnce() -> Vec<Sent>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let session = function.get().session();
    let Some(copies) = session.copies() else {
        return Ok(None);
    };
    if !copies.are_worth_it() || ticket.chain() > 0 || ticket.is_settled() {
        return Ok(None); // most calls
    }
    if !copies.may_be_made() {
        return Ok(None);
    }
    let threads = match copies.may_have_threads() {
        true => standing::settled_threads(py),
        false => Some(Vec::new()),
    };
    let Some(threads) = threads else {
        return Ok(None);
    };
    if !is_main_thread() && !threads.iter().any(|thread| is_first(*thread)) {
        copies.waits_on_thread();
        return Ok(None);
    }
    // what is imported or encoded here would catch what handlers raise
    let held = Held::new(py)?;
    let Some(wanted) = copies.wanted() else {
        return Ok(None);
    };
    let world = session.world_now(py, Effects::Pure)?;
    if python::prepare_for_copies(py).is_err() {
        return Ok(None); // there are no descriptors, or no memory: no place for copies
    }
    let issued = issued();
    // making a copy takes a moment
    session.rouse();
    // SAFETY: this thread holds the interpreter's lock, so no other is within it; what the copy goes
    // on to use of the session's is in `calls`.
    let began = Instant::now();
    let mut calls = standing::calls(py);
    calls.push((0, ticket.watch()));
    let Some(ahead) = (unsafe { copies.make(wanted, calls, &world, &threads) }) else {
        trace::copied(began.elapsed());
        copies.issued_before(issued);
        return Ok(None);
    };
    std::mem::forget(issued); // the program's to drop
    std::mem::forget(held); // no handlers run here
    *locked(&AHEAD) = Some(ahead);
    session.forget();
    if !threads.is_empty() {
        have_threads(&standing::go_on()); // and all is as it was, for the interpreter
    } else if repair(py, session.hooks()).is_err() {
        end(why::SESSION);
    }
    std::mem::forget(threads);
    calls::begin(py)?;
    calls::first(function, made).map(Some)
}

/// Waits for the first call until it is over, or long enough for a copy: replicas that start do not count.
pub fn wait_for_first(py: Python<'_>, function: &RemoteFunction, ticket: &Ticket) -> PyResult<()> {
    let may_stand = function.waits == Waits::Never && ticket.chain() == 0;
    let Some(copies) = of(function).filter(|copies| may_stand && copies.know_nothing()) else {
        return Ok(());
    };
    if !copies.may_be_made() {
        return Ok(());
    }
    if cord_core::far::is_far() {
        copies.first_is_under_way(std::time::Duration::from_secs(1)); // it waits for others before it goes anywhere
        return Ok(());
    }
    ticket.demand();
    while ticket.under_way() < SHORTEST {
        if py.detach(|| ticket.wait(SHORTEST)) {
            return Ok(());
        }
        py.check_signals()?;
    }
    copies.first_is_under_way(ticket.under_way());
    Ok(())
}

/// In a copy, where a thread waited for a call: what stands for its value.
pub fn waited<'py>(function: &Bound<'py, RemoteFunction>) -> PyResult<Bound<'py, PyAny>> {
    match standing::own_call() {
        Some(number) => calls::value_of(function, number, None),
        None => end(why::SESSION),
    }
}

/// Waits for a call of the program's, without the interpreter.
pub fn wait(py: Python<'_>, copies: Option<&Copies>, ticket: &Ticket, wait: impl FnOnce() + Send) {
    match copies.filter(|_| are_wanted()) {
        Some(copies) => standing::wait(py, ticket, copies.are_worth_it(), wait),
        None => py.detach(wait),
    }
}

/// What only the copy's threads share, one of which runs at a time; or the program's, with the interpreter.
fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The program waits for a call behind which no copy is made, for a slice seems to see what comes.
pub fn left_to_slices(function: &RemoteFunction) {
    if let Some(copies) = of(function).filter(|copies| copies.are_worth_it()) {
        copies.waits_behind_slice();
    }
}

/// In a fresh copy: threads and locks of the interpreter are those of a process with one thread. What
/// the program and its libraries would do in a forked child is not done, for this is to be the program.
fn repair(py: Python<'_>, hooks: Option<&Py<PyList>>) -> PyResult<()> {
    if let Some(hooks) = hooks {
        let hooks = hooks.bind(py);
        std::mem::forget(hooks.to_tuple()); // nothing of them is finalized
        hooks.del_slice(0, hooks.len())?;
    }
    // the interpreter expects that whoever forks has it
    py.import("_imp")?.call_method0("acquire_lock")?;
    // SAFETY: the interpreter's lock is held, and this is the only thread.
    unsafe { ffi::PyOS_AfterFork_Child() };
    Ok(())
}

/// The program has waited for a call that nobody foresaw. It counts how long that took its replica: the
/// first ones also wait for replicas to start, which no copy would spare the program.
pub fn served(py: Python<'_>, function: &RemoteFunction, ticket: &Ticket) {
    if let Some(copies) = of(function) {
        copies.served(ticket.service());
        if copies.are_worth_it() {
            standing::watch(py);
        }
    }
}

/// The program takes a call that its scouts had issued.
pub fn passed(function: &RemoteFunction) {
    if let Some(copies) = of(function).filter(|copies| copies.has_any()) {
        copies.passed();
    }
}

/// The program has waited for a call that a copy came to before.
pub fn took(function: &RemoteFunction, ticket: &Ticket, began: Instant) {
    if let Some(copies) = of(function) {
        copies.took(began.elapsed(), ticket.service());
    }
}

/// Ends this process, if it is a copy: what follows is for the program alone.
#[pyfunction]
#[pyo3(signature = (error=None))]
fn end_copy(py: Python<'_>, error: Option<Bound<'_, PyBaseException>>) {
    if !is_copy() {
        return;
    }
    if let Some(error) = error {
        if calls::may_guess() {
            let _ = python::GO_ON.call(py, (&error,)); // if it is so since something is not known
        }
        if let Ok(words) = words_of(&error) {
            calls::say(&words);
        }
    }
    calls::linger(py, why::FINISHED);
}

/// What the program raised in a copy, and where.
fn words_of(error: &Bound<'_, PyBaseException>) -> PyResult<String> {
    let name = error.get_type().name()?;
    let mut place = String::new();
    let mut traceback = error.getattr("__traceback__")?;
    while !traceback.is_none() {
        let line = traceback.getattr("tb_lineno")?;
        let file = traceback
            .getattr("tb_frame")?
            .getattr("f_code")?
            .getattr("co_filename")?;
        place = format!("{file}:{line}");
        traceback = traceback.getattr("tb_next")?;
    }
    Ok(format!("{name} at {place}"))
}

/// What a copy's call returned, by its number, as a tuple of one; waits for it. None if a leader may get
/// further before.
#[pyfunction]
fn awaited<'py>(py: Python<'py>, number: u32) -> PyResult<Option<(Bound<'py, PyAny>,)>> {
    Ok(calls::wait_for(py, number)?.map(|value| (value,)))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add(
        "UnknownError",
        module.py().get_type::<calls::UnknownError>(),
    )?;
    module.add_function(wrap_pyfunction!(end_copy, module)?)?;
    module.add_function(wrap_pyfunction!(told::try_copy, module)?)?;
    module.add_function(wrap_pyfunction!(told::means, module)?)?;
    module.add_function(wrap_pyfunction!(told::passed, module)?)?;
    module.add_function(wrap_pyfunction!(awaited, module)?)?;
    module.add_function(wrap_pyfunction!(calls::value_now, module)?)?;
    module.add_function(wrap_pyfunction!(calls::look, module)?)?;
    module.add_function(wrap_pyfunction!(texts::watch_texts, module)?)?;
    module.add_function(wrap_pyfunction!(lifting::lift_functions, module)?)?;
    module.add_function(wrap_pyfunction!(lifting::is_unknown_in, module)?)?;
    module.add_function(wrap_pyfunction!(calls::leads, module)?)?;
    module.add_function(wrap_pyfunction!(calls::noted, module)?)?;
    module.add_function(wrap_pyfunction!(calls::note, module)?)?;
    module.add_function(wrap_pyfunction!(calls::digest_of, module)?)?;
    module.add_function(wrap_pyfunction!(calls::answer_of, module)?)?;
    module.add_function(wrap_pyfunction!(calls::is_answered, module)?)?;
    module.add_function(wrap_pyfunction!(calls::stood_for, module)?)?;
    module.add_function(wrap_pyfunction!(calls::is_good_for, module)?)?;
    module.add_function(wrap_pyfunction!(calls::must_wait, module)?)?;
    module.add_function(wrap_pyfunction!(calls::may_pass, module)?)?;
    module.add_function(wrap_pyfunction!(calls::guesses_at, module)?)?;
    module.add_function(wrap_pyfunction!(calls::was_wrong, module)?)?;
    module.add_function(wrap_pyfunction!(calls::passes_by, module)?)?;
    module.add_function(wrap_pyfunction!(leaving::leave, module)?)?;
    module.add_function(wrap_pyfunction!(leaving::held_by, module)?)?;
    module.add_function(wrap_pyfunction!(leaving::called_directly, module)?)?;
    module.add_function(wrap_pyfunction!(calls::issue_late, module)?)
}
