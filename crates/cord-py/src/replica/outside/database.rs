//! SQLite's databases: its own check of each statement tells of writes, before anything is done.

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyString, PyTuple};

use super::paths::{named, Named};
use super::{is_under, under};
use crate::travel::disowned::Reason;

/// What the check answers.
const OK: i32 = 0;
const DENY: i32 = 1;
/// Actions that write, from `SQLITE_CREATE_INDEX` on, but for those in the temporary database.
const WRITES: [i32; 21] = [
    1, 2, 7, 8, 9, 10, 11, 16, 17, 18, 23, 26, 27, 28, 29, 30, 3, 4, 5, 6, 12,
];
const PRAGMA: i32 = 19;
const ATTACH: i32 = 24;
/// Settings that are kept in the file.
const KEPT: [&str; 8] = [
    "journal_mode",
    "user_version",
    "application_id",
    "schema_version",
    "auto_vacuum",
    "wal_checkpoint",
    "incremental_vacuum",
    "optimize",
];

/// An action, what it is about, its database, and what has led to it.
type Asked = (
    i32,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<String>,
);

/// The files of databases that were opened last: calls may go on with connections of earlier ones.
static OPENED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
const MOST_OPENED: usize = 16;

/// What a connection is to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum To {
    File,
    /// Memory that is there when a call begins: what a call writes would be lost.
    Kept,
    /// Memory of a call's own.
    Own,
}

thread_local! {
    /// What the connection is to that this thread makes.
    static TO: Cell<To> = const { Cell::new(To::Own) };
}

/// A connection is about to be made, or is made: each statement of it is looked at, whenever it runs.
pub fn opened(event: &[u8], args: &Bound<'_, PyTuple>) -> PyResult<()> {
    if event == b"sqlite3.connect" {
        let given = args.get_item(0)?;
        let file = file_of(&given);
        if let Some(file) = &file {
            note(file);
        }
        TO.set(match path_of(&given) {
            Some(_) => To::File,
            None if file.is_some() => To::File, // it may attach others
            None if is_under() => To::Own,
            None => To::Kept,
        });
    } else if event == b"sqlite3.connect/handle" {
        let look_after = match TO.get() {
            To::File => look_after_file,
            To::Kept => look_after_kept,
            To::Own => look_after_own,
        };
        let made = args.get_item(0)?.unbind().into_ptr().cast();
        // SAFETY: that takes the reference, and is called with the interpreter's lock.
        if unsafe { ffi::Py_AddPendingCall(Some(look_after), made) } != 0 {
            // SAFETY: nobody else has it.
            drop(unsafe { Bound::from_owned_ptr(args.py(), made.cast()) });
        }
    }
    Ok(())
}

extern "C" fn look_after_file(made: *mut c_void) -> c_int {
    look_after(made, To::File)
}

extern "C" fn look_after_kept(made: *mut c_void) -> c_int {
    look_after(made, To::Kept)
}

extern "C" fn look_after_own(made: *mut c_void) -> c_int {
    look_after(made, To::Own)
}

/// A connection is ready, of which the event came a moment too early.
fn look_after(made: *mut c_void, to: To) -> c_int {
    // SAFETY: pending calls are made with the lock.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: who asked for this has left a reference.
    let made = unsafe { Bound::from_owned_ptr(py, made.cast()) };
    // what SQLite asks before it does a statement
    let check = PyCFunction::new_closure(py, None, None, move |args, _| {
        let (action, first, second, database, _) = args.extract::<Asked>()?;
        let [first, second, database] = [&first, &second, &database].map(|one| one.as_deref());
        let writes = match action {
            ATTACH => makes_attached(args.py(), first),
            action => writes(action, first, second, database, to),
        };
        PyResult::Ok(if writes { stop(to) } else { OK })
    });
    // one that another thread has made is its alone
    let _ = check.and_then(|check| made.call_method1("set_authorizer", (check,)));
    0
}

/// The files of databases that a call may read by connections of earlier ones.
pub fn all_opened() -> Vec<PathBuf> {
    OPENED
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone()
}

/// A database in this file is read from now on: by the call at hand, and perhaps by later ones.
fn note(file: &Named) {
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    opened.retain(|known| *known != file.path);
    opened.insert(0, file.path.clone());
    opened.truncate(MOST_OPENED);
    drop(opened);
    // SAFETY: who opens a database has the lock.
    if let Some(under) = unsafe { under() } {
        under.seen().reads.note_database(&file.path);
    }
}

/// The file in which a database is that is about to be opened, also if that is only read.
fn file_of(given: &Bound<'_, PyAny>) -> Option<Named> {
    let text: String = given.extract().unwrap_or_default();
    let path = match text.strip_prefix("file:") {
        None => path_of(given)?,
        Some(_) if text.contains("mode=memory") => return None,
        Some(uri) => PyString::new(given.py(), &of_uri(uri)?).into_any(),
    };
    named(&PyTuple::new(given.py(), [path]).ok()?, 0, None)
}

/// The path that is in a URI, behind its scheme.
fn of_uri(uri: &str) -> Option<String> {
    let path = uri.split(['?', '#']).next().unwrap_or(uri);
    let path = match path.strip_prefix("//") {
        Some(rest) => &rest[rest.find('/')?..], // behind the name of this machine
        None => path,
    };
    let mut parts = path.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(part.get(..2)?, 16).ok()?);
        bytes.extend(&part.as_bytes()[2..]);
    }
    let path = String::from_utf8(bytes).ok()?;
    (!path.is_empty() && path != ":memory:").then_some(path)
}

/// The file in which a database is that is about to be opened, to be written perhaps.
pub fn kept_in(args: &Bound<'_, PyTuple>) -> Option<Named> {
    let path = path_of(&args.get_item(0).ok()?)?;
    named(&PyTuple::new(args.py(), [path]).ok()?, 0, None)
}

/// The database that connecting is about to make: a file that is not there.
pub fn made(args: &Bound<'_, PyTuple>) -> Option<Named> {
    kept_in(args).filter(|file| !file.is_there())
}

/// The path of a database that is in a file, and not only read.
fn path_of<'py>(given: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    let Ok(text) = given.extract::<String>() else {
        return Some(given.clone());
    };
    if text.is_empty() || text == ":memory:" {
        return None;
    }
    let Some(uri) = text.strip_prefix("file:") else {
        return Some(given.clone());
    };
    let (_, query) = uri.split_once('?').unwrap_or((uri, ""));
    let is_apart = |word| ["mode=memory", "mode=ro", "immutable=1"].contains(&word);
    if query.split('&').any(is_apart) {
        return None;
    }
    Some(PyString::new(given.py(), &of_uri(uri)?).into_any())
}

/// A statement is about to have another database attached, of which it may tell the name; whether it makes that.
fn makes_attached(py: Python<'_>, name: Option<&str>) -> bool {
    let Some(name) = name.map(|name| PyString::new(py, name).into_any()) else {
        // SAFETY: Python calls this with its lock.
        if let Some(under) = unsafe { under() } {
            let what = "it attaches a database by a name that is not known";
            under.seen().reads.note_more(what);
        }
        return true;
    };
    let file = file_of(&name).filter(|_| !name.is_empty().unwrap_or(true)); // else a temporary one
    file.is_some_and(|file| {
        note(&file);
        !file.is_there()
    })
}

/// Whether an action writes what is there after the call.
fn writes(
    action: i32,
    first: Option<&str>,
    second: Option<&str>,
    database: Option<&str>,
    to: To,
) -> bool {
    if action == PRAGMA {
        let is_kept = first.is_some_and(|name| KEPT.contains(&name)) && second.is_some();
        return is_kept && to != To::Own;
    }
    let is_own = database == Some("temp") || to == To::Own && database == Some("main");
    WRITES.contains(&action) && !is_own
}

/// Stops the call before it writes; not one that may write what is its own, unless that would be lost.
fn stop(to: To) -> i32 {
    // SAFETY: Python calls this with its lock.
    let under = unsafe { under() };
    let Some(under) = under.filter(|under| to == To::Kept || under.stops) else {
        return OK;
    };
    under.stop(Reason::new("file", "writes to a database"));
    DENY
}
