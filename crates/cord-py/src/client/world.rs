//! The client's world: its environment, working directory and `sys.path`, as replicas must have
//! them when they run a call.
//!
//! The interpreter's audit events tell of changes of the first two; `sys.path`, a plain list, is
//! looked at. While nothing changes, asking for the world costs some tens of nanoseconds.

use std::collections::BTreeSet;
use std::ffi::{c_char, c_int, c_void, CStr, OsStr};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use cord_core::World;
use pyo3::exceptions::PyOSError;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};

use crate::python;

pub(crate) type AuditHook =
    unsafe extern "C" fn(*const c_char, *mut ffi::PyObject, *mut c_void) -> c_int;

extern "C" {
    /// Of Python's stable interface, but not among PyO3's declarations.
    pub(crate) fn PySys_AddAuditHook(hook: AuditHook, data: *mut c_void) -> c_int;
}

/// How many changes were announced.
static CHANGES: AtomicU64 = AtomicU64::new(0);
/// How many threads may be about to make one.
static CHANGING: AtomicUsize = AtomicUsize::new(0);
static NOTED: Mutex<Noted> = Mutex::new(Noted {
    variables: BTreeSet::new(),
    threads: BTreeSet::new(),
});

/// What the audit events told.
struct Noted {
    /// The environment variables that were set or deleted.
    variables: BTreeSet<Vec<u8>>,
    /// The threads that announced a change. An event comes before the change: it is known to be
    /// made only when its own thread goes on to something else.
    threads: BTreeSet<usize>,
}

/// The world as it was when it was last looked at.
pub struct ClientWorld {
    seen: Mutex<Seen>,
}

struct Seen {
    world: World,
    changes: u64,
    /// The `__dict__` of `sys`.
    sys: Py<PyDict>,
    path: Py<PyTuple>,
}

impl ClientWorld {
    /// The world as it is now is the one that replicas are started in.
    pub fn new(py: Python<'_>) -> PyResult<ClientWorld> {
        listen()?;
        let sys = py.import("sys")?.dict();
        let path = match path_of(&sys) {
            Some(path) => path.to_tuple(),
            None => PyTuple::empty(py),
        };
        Ok(ClientWorld {
            seen: Mutex::new(Seen {
                world: World::default(),
                changes: CHANGES.load(Ordering::Acquire),
                sys: sys.unbind(),
                path: path.unbind(),
            }),
        })
    }

    /// The world now.
    pub fn now(&self, py: Python<'_>) -> PyResult<World> {
        {
            let seen = self.seen();
            if CHANGING.load(Ordering::Acquire) == 0
                && CHANGES.load(Ordering::Acquire) == seen.changes
                && seen.has_same_path(py)
            {
                return Ok(World::clone(&seen.world));
            }
        }
        self.look(py)
    }

    fn look(&self, py: Python<'_>) -> PyResult<World> {
        // Not under the lock: this runs Python, which may let another thread in.
        let changes = CHANGES.load(Ordering::Acquire);
        let variables: Vec<_> = noted_by_now()
            .into_iter()
            .map(|name| {
                let value = std::env::var_os(OsStr::from_bytes(&name));
                let value = value.map(|value| PyBytes::new(py, &value.into_vec()));
                (PyBytes::new(py, &name), value)
            })
            .collect();
        let encoded = python::ENCODE_WORLD.call(py, (variables,))?;
        let encoded = encoded.cast::<PyBytes>()?.as_bytes();
        let mut seen = self.seen();
        let path = path_of(seen.sys.bind(py)).map(|path| path.to_tuple());
        if let Some(path) = path {
            seen.path = path.unbind();
        }
        seen.changes = changes;
        if *seen.world != *encoded {
            seen.world = World::from(encoded);
        }
        Ok(World::clone(&seen.world))
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seen {
    fn has_same_path(&self, py: Python<'_>) -> bool {
        let before = self.path.bind(py);
        path_of(self.sys.bind(py)).is_none_or(|path| {
            path.len() == before.len()
                && path
                    .iter()
                    .zip(before.iter())
                    .all(|(now, then)| now.is(&then))
        })
    }
}

/// `sys.path`, if the program left a list there.
fn path_of<'py>(sys: &Bound<'py, PyDict>) -> Option<Bound<'py, PyList>> {
    let path = sys.get_item(intern!(sys.py(), "path")).ok()??;
    path.cast_into::<PyList>().ok()
}

/// The variables that were changed; what this thread announced is done.
fn noted_by_now() -> Vec<Vec<u8>> {
    let mut noted = noted();
    noted.threads.remove(&this_thread());
    CHANGING.store(noted.threads.len(), Ordering::Release);
    noted.variables.iter().cloned().collect()
}

fn noted() -> MutexGuard<'static, Noted> {
    NOTED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn this_thread() -> usize {
    // SAFETY: asks the C library for the thread's handle, which is never invalid.
    unsafe { libc::pthread_self() as usize }
}

/// Listens to audit events from now on, once for the whole process.
fn listen() -> PyResult<()> {
    static LISTENING: Once = Once::new();
    let mut failed = false;
    LISTENING.call_once(|| {
        // SAFETY: `hear` lives as long as the process and needs no data of its own.
        failed = unsafe { PySys_AddAuditHook(hear, std::ptr::null_mut()) } != 0;
    });
    if failed {
        return Err(PyOSError::new_err(
            "changes of the world cannot be heard of",
        ));
    }
    Ok(())
}

/// An audit event: the interpreter holds its lock, and is about to do what it tells.
unsafe extern "C" fn hear(event: *const c_char, args: *mut ffi::PyObject, _: *mut c_void) -> c_int {
    // SAFETY: the interpreter passes a string that ends with a zero byte.
    let event = unsafe { CStr::from_ptr(event) }.to_bytes();
    if !matches!(event, b"os.chdir" | b"os.putenv" | b"os.unsetenv") {
        return 0;
    }
    let mut noted = noted();
    if event != b"os.chdir" {
        // SAFETY: the event's arguments are a tuple, or null; nothing here outlives the call.
        if let Some(name) = unsafe { first_bytes(args) } {
            noted.variables.insert(name);
        }
    }
    noted.threads.insert(this_thread());
    CHANGING.store(noted.threads.len(), Ordering::Release);
    CHANGES.fetch_add(1, Ordering::AcqRel);
    0
}

/// The first of an event's arguments, if it is bytes.
///
/// # Safety
/// `args` is null or a live object, and the interpreter's lock is held.
unsafe fn first_bytes(args: *mut ffi::PyObject) -> Option<Vec<u8>> {
    // SAFETY: types and lengths are asked before anything is read; the references are borrowed.
    unsafe {
        if args.is_null() || ffi::PyTuple_Check(args) == 0 || ffi::PyTuple_GET_SIZE(args) < 1 {
            return None;
        }
        let name = ffi::PyTuple_GET_ITEM(args, 0);
        if ffi::PyBytes_Check(name) == 0 {
            return None;
        }
        let length = usize::try_from(ffi::PyBytes_Size(name)).ok()?;
        let start = ffi::PyBytes_AS_STRING(name).cast::<u8>();
        Some(std::slice::from_raw_parts(start, length).to_vec())
    }
}
