//! Copies of the program that run ahead, as far as they know Python: when one is made, what the program
//! takes of it, and what calls are in a copy.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use cord_core::copies::{end, why, Ahead, Found, Missed};
use cord_core::Ticket;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::calls::Sent;
use crate::encode::Encoded;
use crate::remote::RemoteFunction;
use crate::service::Use;

mod calls;
mod learnt;
mod told;

pub use calls::call;
pub use cord_core::copies::is_copy;
pub use learnt::Learnt;
pub use told::told;

/// The plan wants copies.
static WANTED: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// In a copy: its end of what it shares with the program.
    static AHEAD: RefCell<Option<Ahead>> = const { RefCell::new(None) };
}

/// Whether the plan wants copies. All else here costs something only where it does.
#[inline]
pub fn are_wanted() -> bool {
    WANTED.load(Ordering::Relaxed)
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
    if !are_wanted() || !may_issue(function, how) || !encoded.needs.is_empty() || !is_main() {
        return Ok(Asked::Apart);
    }
    let session = function.session();
    let Some(copies) = session.copies() else {
        return Ok(Asked::Apart);
    };
    let world = session.world_now(py)?;
    let found = py.detach(|| copies.find(function.module, &encoded.payload, &world));
    Ok(match found {
        Ok(found) => Asked::Found(found),
        Err(missed) => Asked::Missed(missed),
    })
}

/// Whether a call may be issued before the program stands there.
fn may_issue(function: &RemoteFunction, how: &Use) -> bool {
    function.is_pure() && how.ahead && !function.keeps_arguments()
}

/// Copies have one thread, which is the program's first.
fn is_main() -> bool {
    // SAFETY: plain questions.
    unsafe { libc::syscall(libc::SYS_gettid) == libc::c_long::from(libc::getpid()) }
}

/// The program has issued a call by itself.
pub fn was_made(function: &RemoteFunction, missed: &Missed, ticket: &Ticket) {
    if let Some(copies) = function.session().copies() {
        copies.made(missed, || ticket.watch());
    }
}

/// What a call has come to in the program.
pub fn learn(function: &RemoteFunction, result: &PyResult<Bound<'_, PyAny>>) {
    if !are_wanted() {
        return;
    }
    match result {
        Ok(value) => function.learnt.note(value),
        Err(_) => {
            if let Some(copies) = function.session().copies() {
                copies.raised();
            }
        }
    }
}

/// Whether a copy runs: then slices need not.
pub fn is_one_running(function: &RemoteFunction) -> bool {
    are_wanted()
        && function
            .session()
            .copies()
            .is_some_and(cord_core::copies::Copies::is_running)
}

/// Makes a copy at a call that the program is about to wait for, if it is worth one. In the copy: what
/// stands for the value of that call. In the program: nothing. `issued` tells what scouts have issued.
pub fn run_ahead<'py>(
    py: Python<'py>,
    function: &Bound<'py, RemoteFunction>,
    ticket: &Ticket,
    issued: impl FnOnce() -> Vec<Sent>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let session = function.get().session();
    let Some(copies) = session.copies() else {
        return Ok(None);
    };
    if ticket.chain() > 0 || ticket.is_settled() || !is_main() {
        return Ok(None);
    }
    let Some(wanted) = copies.wanted() else {
        return Ok(None);
    };
    let world = session.world_now(py)?;
    let issued = issued();
    session.rouse(); // making a copy takes a moment
                     // SAFETY: this thread holds the interpreter's lock, so no other is within it; what the copy goes
                     // on to use of the session's is in `calls`.
    let Some(ahead) = (unsafe { copies.make(wanted, ticket.watch(), &world) }) else {
        copies.issued_before(issued);
        return Ok(None);
    };
    std::mem::forget(issued); // the program's to drop
    AHEAD.set(Some(ahead));
    session.forget();
    if repair(py, session.hooks()).is_err() {
        end(why::SESSION);
    }
    calls::value_of(function, 0).map(Some)
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

/// The time, where it is of use to know how long calls take.
pub fn now() -> Option<Instant> {
    are_wanted().then(Instant::now)
}

/// The program has waited for a call that nobody foresaw.
pub fn served(function: &RemoteFunction, began: Option<Instant>) {
    let Some(began) = began else {
        return;
    };
    if let Some(copies) = function.session().copies() {
        copies.served(began.elapsed());
    }
}

/// The program takes a call that its scouts had issued.
pub fn passed(function: &RemoteFunction) {
    if are_wanted() && is_main() {
        if let Some(copies) = function.session().copies() {
            copies.passed();
        }
    }
}

/// The program has waited for a call that a copy came to before.
pub fn took(function: &RemoteFunction, ticket: &Ticket, began: Instant) {
    if let Some(copies) = function.session().copies() {
        copies.took(began.elapsed(), ticket.service());
    }
}

/// Ends this process, if it is a copy: what follows is for the program alone.
#[pyfunction]
fn end_copy() {
    if is_copy() {
        end(why::FINISHED);
    }
}

/// What a copy's call returned, by its number; waits for it.
#[pyfunction]
fn awaited<'py>(py: Python<'py>, number: u32) -> PyResult<Bound<'py, PyAny>> {
    calls::wait_for(py, number)
}

/// How many copies were made, how many calls they issued and the program took, what ended them and how
/// often, why no more are made, and how long the program stood still for the last one.
pub type Account<'py> = (u32, u32, u32, Bound<'py, PyDict>, Option<&'static str>, f64);

/// What copies have done, for those who ask.
pub fn account<'py>(
    py: Python<'py>,
    copies: Option<&cord_core::copies::Copies>,
) -> PyResult<Account<'py>> {
    let account = copies.map(cord_core::copies::Copies::account);
    let account = account.unwrap_or_default();
    let ends = PyDict::new(py);
    for (words, count) in &account.ends {
        ends.set_item(words, count)?;
    }
    let cord_core::copies::Account {
        made,
        issued,
        taken,
        refused,
        cost,
        ..
    } = account;
    let cost = cost.as_secs_f64();
    Ok((made, issued, taken, ends, refused, cost))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(end_copy, module)?)?;
    module.add_function(wrap_pyfunction!(told::try_copy, module)?)?;
    module.add_function(wrap_pyfunction!(told::means, module)?)?;
    module.add_function(wrap_pyfunction!(awaited, module)?)
}
