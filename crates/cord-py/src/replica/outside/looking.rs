//! Functions in C that look at paths: what they look at, and whether they find something there.
//!
//! The interpreter has no audit events for looking at a path (`os.stat` and the like): there each such
//! function's own code is preceded by a note. Behind it, and behind those that open or list, stands whether
//! something was found: nothing, or a folder, looks the same after something has come and gone.

use std::ffi::CStr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Once;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use super::paths::located;
use super::reads::asked;
use super::{heeding, under};
use crate::c_functions::{definition_of, replace};
use cord_wire::reads::Look;

/// A function in C that looks at a path.
struct Looking {
    module: &'static str,
    name: &'static str,
    /// What it calls the path, which comes first.
    path: &'static CStr,
    how: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It tells of the path, or of a link itself. There is no audit event for this.
    Asks { itself: bool },
    /// It lists a folder, of which an event tells.
    Lists,
    /// It tells of something that is another thing each time, in words.
    Never(&'static str),
    /// It opens a file, of which an event tells, and may make it if the next argument says so.
    Opens { how: &'static CStr },
}

const fn asking(name: &'static str, itself: bool) -> Looking {
    Looking {
        module: "posix",
        name,
        path: c"path",
        how: Kind::Asks { itself },
    }
}

/// One that tells how much room there is.
const fn asking_room(name: &'static str, path: &'static CStr) -> Looking {
    looking(
        "posix",
        name,
        path,
        Kind::Never("it asks how much room a disk has"),
    )
}

const fn looking(
    module: &'static str,
    name: &'static str,
    path: &'static CStr,
    how: Kind,
) -> Looking {
    Looking {
        module,
        name,
        path,
        how,
    }
}

const FUNCTIONS: usize = 11;
const LOOKING: [Looking; FUNCTIONS] = [
    asking("stat", false),
    asking("lstat", true),
    asking("access", false),
    asking("readlink", true),
    looking("posix", "listdir", c"path", Kind::Lists),
    looking("posix", "scandir", c"path", Kind::Lists),
    looking("posix", "open", c"path", Kind::Opens { how: c"flags" }),
    looking("_io", "open", c"file", Kind::Opens { how: c"mode" }),
    looking("posix", "fstat", c"fd", Kind::Asks { itself: false }),
    asking_room("statvfs", c"path"),
    asking_room("fstatvfs", c"fd"),
];
/// Their own code.
static PLAIN: [AtomicUsize; FUNCTIONS] = [const { AtomicUsize::new(0) }; FUNCTIONS];
/// That of `os.DirEntry.stat`.
static PLAIN_ENTRY: AtomicUsize = AtomicUsize::new(0);

type Fast = unsafe extern "C" fn(
    *mut ffi::PyObject,
    *const *mut ffi::PyObject,
    ffi::Py_ssize_t,
    *mut ffi::PyObject,
) -> *mut ffi::PyObject;
type OfClass = unsafe extern "C" fn(
    *mut ffi::PyObject,
    *mut ffi::PyTypeObject,
    *const *mut ffi::PyObject,
    usize,
    *mut ffi::PyObject,
) -> *mut ffi::PyObject;

/// Has each of these functions note what it looks at and finds, from now on, in this process.
pub fn listen(py: Python<'_>) -> PyResult<()> {
    static LISTENING: Once = Once::new();
    let entry = py.import("posix")?.getattr("DirEntry")?.getattr("stat")?;
    LISTENING.call_once(|| {
        let ours: [Fast; FUNCTIONS] = [
            look::<0>, look::<1>, look::<2>, look::<3>, look::<4>, look::<5>, look::<6>, look::<7>,
            look::<8>, look::<9>, look::<10>,
        ];
        for ((looking, plain), ours) in LOOKING.iter().zip(&PLAIN).zip(ours) {
            let module = py.import(looking.module);
            if let Ok(function) = module.and_then(|module| module.getattr(looking.name)) {
                // SAFETY: a builtin function has a table's row, which lives as long as the interpreter.
                unsafe { precede(definition_of(&function), ours as usize, false, plain) };
            }
        }
        // SAFETY: so has a method.
        unsafe {
            precede(
                definition_of(&entry),
                ask_entry as *const () as usize,
                true,
                &PLAIN_ENTRY,
            )
        };
    });
    Ok(())
}

/// Puts our code in front of a function's own; not if its signature is another one than expected.
unsafe fn precede(row: *mut ffi::PyMethodDef, ours: usize, of_class: bool, plain: &AtomicUsize) {
    let expected = match of_class {
        true => ffi::METH_METHOD | ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
        false => ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
    };
    if row.is_null() || unsafe { (*row).ml_flags } != expected {
        return;
    }
    // SAFETY: both have one signature.
    plain.store(unsafe { replace(row, ours) }, Ordering::Relaxed);
}

unsafe extern "C" fn look<const AT: usize>(
    module: *mut ffi::PyObject,
    args: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    let mut looked = None;
    heeding(|py| {
        // SAFETY: so many values are there, and one for each name.
        looked = unsafe { looks(py, &LOOKING[AT], (args, count as usize, names)) };
    });
    // SAFETY: it was taken from a row of this signature.
    let result = unsafe {
        let plain = PLAIN[AT].load(Ordering::Relaxed);
        std::mem::transmute::<usize, Fast>(plain)(module, args, count, names)
    };
    let asks = matches!(LOOKING[AT].how, Kind::Asks { .. });
    // SAFETY: a borrowed reference; whoever calls this has the lock. No code of Python's runs: there may
    // be an exception.
    let (unsure, under) = unsafe { (result == ffi::Py_False(), under()) };
    if let (Some((path, look)), Some(under)) = (looked, under) {
        if !unsure && (asks || !result.is_null()) {
            under.seen().reads.found(path, look, !result.is_null());
        }
    }
    result
}

/// What a function is about to look at, if the call at hand is not about to make it.
unsafe fn looks(
    py: Python<'_>,
    looking: &Looking,
    given: (*const *mut ffi::PyObject, usize, *mut ffi::PyObject),
) -> Option<(PathBuf, Look)> {
    // SAFETY: the caller's promise.
    let given = |name: &CStr, at: Option<usize>| unsafe { argument(py, given, name, at) };
    let path = given(looking.path, Some(0));
    let folder = || given(c"dir_fd", None).and_then(|folder| folder.extract().ok());
    match looking.how {
        Kind::Asks { itself } => {
            let follows = given(c"follow_symlinks", None);
            let follows = follows.is_none_or(|follows| follows.is_truthy().unwrap_or(true));
            asked(py, &path?, folder(), itself || !follows)
        }
        Kind::Lists => {
            let path = path.filter(|path| !path.is_none());
            let path = path.map_or_else(|| std::env::current_dir().ok(), |one| located(&one, None));
            Some((path?, Look::Into))
        }
        Kind::Never(what) => {
            // SAFETY: the lock is held.
            unsafe { under() }?.seen().reads.note_more(what);
            None
        }
        Kind::Opens { how } => {
            let makes = given(how, Some(1)).is_some_and(|how| may_make(&how));
            Some((located(&path?, folder())?, Look::At)).filter(|_| !makes)
        }
    }
}

/// Whether this, a mode or flags, has a file made that is not there.
fn may_make(how: &Bound<'_, PyAny>) -> bool {
    match how.extract::<i32>() {
        Ok(flags) => flags & libc::O_CREAT != 0,
        Err(_) => {
            let mode = how.extract::<String>();
            mode.is_ok_and(|mode| mode.contains(['w', 'x', 'a']))
        }
    }
}

unsafe extern "C" fn ask_entry(
    entry: *mut ffi::PyObject,
    class: *mut ffi::PyTypeObject,
    args: *const *mut ffi::PyObject,
    count: usize,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    heeding(|py| {
        // SAFETY: it lives as long as the call.
        let entry = unsafe { Bound::from_borrowed_ptr(py, entry) };
        if let Ok(path) = entry.getattr("path") {
            asked(py, &path, None, false);
        }
    });
    // SAFETY: it was taken from a row of this signature.
    unsafe {
        let plain = PLAIN_ENTRY.load(Ordering::Relaxed);
        std::mem::transmute::<usize, OfClass>(plain)(entry, class, args, count, names)
    }
}

/// An argument, by its place or its name.
unsafe fn argument<'py>(
    py: Python<'py>,
    (args, count, names): (*const *mut ffi::PyObject, usize, *mut ffi::PyObject),
    name: &CStr,
    at: Option<usize>,
) -> Option<Bound<'py, PyAny>> {
    if let Some(at) = at.filter(|at| *at < count) {
        return Some(unsafe { Bound::from_borrowed_ptr(py, *args.add(at)) });
    }
    let names = unsafe { Bound::from_borrowed_ptr_or_opt(py, names) }?;
    let names = names.cast_into::<PyTuple>().ok()?;
    let is_it = |one: &Bound<'_, PyAny>| {
        let one = one
            .cast::<PyString>()
            .ok()
            .and_then(|one| one.to_str().ok());
        one.is_some_and(|one| one.as_bytes() == name.to_bytes())
    };
    let at = names.iter().position(|one| is_it(&one))?;
    Some(unsafe { Bound::from_borrowed_ptr(py, *args.add(count + at)) })
}
