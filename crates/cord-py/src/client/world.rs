//! The client's world: its environment, working directory, `sys.path` and settings, as replicas must
//! have them when they run a call.
//!
//! The interpreter's audit events tell of changes of the first two; `sys.path`, a plain list, is
//! looked at, and so are settings (`settings/`). While nothing changes, asking for the world costs some
//! tens of nanoseconds.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::ffi::{c_char, c_int, c_void, CStr, OsStr};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::ptr::null;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};

use cord_wire::effects::Effects;
use cord_wire::payload::World;
use pyo3::exceptions::PyOSError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::attached::Attached;
use crate::client::module_state;
use crate::client::settings::{self, reading, this_thread, Noted};
use crate::held::Held;
use crate::python;

pub(crate) type AuditHook =
    unsafe extern "C" fn(*const c_char, *mut ffi::PyObject, *mut c_void) -> c_int;

extern "C" {
    /// Of Python's stable interface, but not among PyO3's declarations.
    pub(crate) fn PySys_AddAuditHook(hook: AuditHook, data: *mut c_void) -> c_int;
}

/// How many changes were announced.
static ANNOUNCED: AtomicU64 = AtomicU64::new(0);
/// How many threads may be about to make one.
static CHANGING: AtomicUsize = AtomicUsize::new(0);
static TOLD: Mutex<Told> = Mutex::new(Told {
    variables: BTreeSet::new(),
    threads: BTreeSet::new(),
});

/// An environment variable and its value, none where it is not set.
type Variable<'py> = (Bound<'py, PyBytes>, Option<Bound<'py, PyBytes>>);

/// What the audit events told.
struct Told {
    /// The environment variables that were set or deleted.
    variables: BTreeSet<Vec<u8>>,
    /// The threads that announced a change. An event comes before the change: it is known to be
    /// made only when its own thread goes on to something else.
    threads: BTreeSet<usize>,
}

/// So many contexts are remembered, of threads that have their own variables; and so many worlds, that
/// one which comes again is the same object.
const MOST: usize = 8;

/// The world as it was when it was last looked at.
pub struct ClientWorld {
    /// In each context, the last one first.
    seen: Attached<Vec<Seen>>,
    /// The worlds that there were, the last one first.
    worlds: Mutex<Vec<World>>,
    /// What replicas are started with.
    start: Noted,
    announced: u64,
}

struct Seen {
    noted: Noted,
    /// The state of modules that is in it.
    modules: u64,
    /// Pure calls may have another world than others: what replicas cannot read is left out for these only.
    of: Of,
    /// Or why it cannot travel. Behind a count of its own: other threads count the world's.
    world: Result<Arc<World>, String>,
    /// Why it travels with calls only that must be made in their replica.
    apart: Option<&'static str>,
}

/// Of which calls a world is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    All,
    Pure,
    Others,
}

impl Of {
    fn is(self, effects: Effects) -> bool {
        match self {
            Of::All => true,
            Of::Pure => effects.is_pure(),
            Of::Others => !effects.is_pure(),
        }
    }

    fn overlaps(self, other: Of) -> bool {
        self == other || self == Of::All || other == Of::All
    }
}

impl ClientWorld {
    /// The world as it is now is the one that replicas are started in.
    pub fn new(py: Python<'_>) -> PyResult<ClientWorld> {
        listen()?;
        let seen = Seen {
            noted: Noted::first(py)?,
            modules: module_state::state(),
            of: Of::All,
            world: Ok(Arc::default()),
            apart: None,
        };
        Ok(ClientWorld {
            seen: Attached::new(vec![seen]),
            worlds: Mutex::new(vec![World::default()]),
            start: Noted::first(py)?,
            announced: ANNOUNCED.load(Ordering::Acquire),
        })
    }

    /// The world now, for a call with these effects.
    ///
    /// # Errors
    /// `EncodeError` if it cannot travel.
    #[inline]
    pub fn now(&self, py: Python<'_>, effects: Effects) -> PyResult<World> {
        match self.now_or_not(py, effects)? {
            Ok(world) => Ok(World::clone(&world)),
            Err(why) => Err(PyErr::from_value(python::APART_ERROR.call(py, (why,))?)),
        }
    }

    /// The world for a call about which it was asked a moment ago: only what is heard of is asked again,
    /// nothing is looked at. Where that is too little, a ticket tells which world it was issued in.
    ///
    /// # Errors
    /// `EncodeError` if it cannot travel.
    #[inline]
    pub fn just_seen(&self, py: Python<'_>, effects: Effects) -> PyResult<World> {
        if let Some(seen) = self.seen.get(py) {
            let mut fitting = seen.iter().filter(|one| one.of.is(effects));
            let last = fitting.next().filter(|one| one.noted.is_here(py));
            if let Some(last) = last.filter(|one| one.noted.has_heard_all()) {
                if CHANGING.load(Ordering::Acquire) == 0 && last.has_state(py) {
                    if let Ok(world) = last.told(effects) {
                        return Ok(World::clone(world));
                    }
                }
            }
        }
        self.now(py, effects)
    }

    /// The world now, for a call with these effects, or why it cannot travel.
    #[inline]
    pub fn now_or_not(
        &self,
        py: Python<'_>,
        effects: Effects,
    ) -> PyResult<Result<Arc<World>, String>> {
        if let Some(seen) = self.seen.get(py) {
            let mut fitting = seen.iter().filter(|one| one.of.is(effects));
            let here = fitting.find(|one| one.noted.is_here(py));
            if let Some(here) = here.filter(|one| one.noted.is_same(py)) {
                if CHANGING.load(Ordering::Acquire) == 0 && here.has_state(py) {
                    return Ok(here.told(effects).map(Arc::clone));
                }
            }
        }
        self.look(py, effects)
    }

    #[cold]
    fn look(&self, py: Python<'_>, effects: Effects) -> PyResult<Result<Arc<World>, String>> {
        // What a handler raised would be taken for why it cannot travel.
        let _held = Held::new(py)?;
        // Not under the lock: this runs Python, which may let another thread in. What is noted is noted
        // first: what changes meanwhile is seen the next time.
        let noted = reading(|| self.start.now(py))?;
        let variables = changed_variables(py);
        let is_at_start =
            ANNOUNCED.load(Ordering::Acquire) == self.announced && self.start.has_same_path(py);
        let modules = python::MODULE_STATE.call(py, ())?;
        let state = module_state::state();
        let how = (variables, modules, is_at_start, effects.is_pure());
        let encoded = reading(|| python::ENCODE_WORLD.call(py, how))?;
        let (encoded, is_for_all): (Bound<'_, PyAny>, bool) = encoded.extract()?;
        let world = match encoded.cast::<PyString>() {
            Ok(why) => Err(why.to_str()?.to_owned()),
            Err(_) => Ok(Arc::new(
                self.object_of(encoded.cast::<PyBytes>()?.as_bytes()),
            )),
        };
        let of = match (is_for_all, effects.is_pure()) {
            (true, _) => Of::All,
            (_, true) => Of::Pure,
            (_, false) => Of::Others,
        };
        let one = Seen {
            noted,
            modules: state,
            of,
            world,
            apart: settings::other_credentials(),
        };
        let told = one.told(effects).map(Arc::clone);
        let Some(mut seen) = self.seen.get(py) else {
            return Ok(told);
        };
        let (mut others, gone): (Vec<_>, Vec<_>) = std::mem::take(&mut *seen)
            .into_iter()
            .partition(|other| !other.noted.is_here(py) || !other.of.overlaps(of));
        others.insert(0, one);
        let more = others.split_off(others.len().min(MOST));
        *seen = others;
        drop(seen);
        drop((gone, more)); // this may run code
        Ok(told)
    }

    /// The world of these bytes: the same object as before, if there was one.
    fn object_of(&self, encoded: &[u8]) -> World {
        let mut worlds = self.worlds.lock().unwrap_or_else(PoisonError::into_inner);
        let before = worlds.iter().position(|world| **world == *encoded);
        let world = match before {
            Some(at) => worlds.remove(at),
            None => World::from(encoded),
        };
        worlds.insert(0, World::clone(&world));
        worlds.truncate(MOST);
        world
    }
}

thread_local! {
    /// The world of the call whose outcome this thread reads, by its address, and what to ask for the
    /// one that there is now; null where nobody compares.
    static OF_CALL: Cell<(usize, *const ClientWorld)> = const { Cell::new((0, null())) };
}

impl ClientWorld {
    /// This thread reads what came of a call that was made in this world.
    #[inline]
    pub fn reads_outcome(&self, world: &World) {
        OF_CALL.set((address_of(world), self));
    }
}

fn address_of(world: &World) -> usize {
    world.as_ptr() as usize
}

/// Whether the call whose outcome this thread reads was made in the world that there is now.
#[pyfunction]
fn is_in_world_of_call(py: Python<'_>) -> bool {
    let (before, world) = OF_CALL.get();
    if world.is_null() {
        return true;
    }
    // SAFETY: it is of the session whose function reads the outcome, below this.
    let now = unsafe { &*world }.now_or_not(py, Effects::Stateful);
    matches!(now, Ok(Ok(now)) if address_of(&now) == before)
}

/// The environment variables that were ever changed, as C code has them now.
#[pyfunction]
fn changed_variables(py: Python<'_>) -> Vec<Variable<'_>> {
    let names = noted_by_now().into_iter();
    names
        .map(|name| {
            let value = std::env::var_os(OsStr::from_bytes(&name));
            let value = value.map(|value| PyBytes::new(py, &value.into_vec()));
            (PyBytes::new(py, &name), value)
        })
        .collect()
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(changed_variables, module)?)?;
    module.add_function(wrap_pyfunction!(is_in_world_of_call, module)?)
}

impl Seen {
    /// Whether the state of modules is the one that is in it.
    #[inline]
    fn has_state(&self, py: Python<'_>) -> bool {
        self.modules == module_state::state() && module_state::is_current(py)
    }

    #[inline]
    fn told(&self, effects: Effects) -> Result<&Arc<World>, String> {
        match (self.apart, &self.world) {
            (Some(why), _) if effects != Effects::Stateful => Err(why.to_owned()),
            (_, Ok(world)) => Ok(world),
            (_, Err(why)) => Err(why.clone()),
        }
    }
}

/// The variables that were changed; what this thread announced is done.
fn noted_by_now() -> Vec<Vec<u8>> {
    let mut noted = noted();
    noted.threads.remove(&this_thread());
    CHANGING.store(noted.threads.len(), Ordering::Release);
    noted.variables.iter().cloned().collect()
}

fn noted() -> MutexGuard<'static, Told> {
    TOLD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Listens to audit events from now on, once for the whole process.
pub fn listen() -> PyResult<()> {
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
    if event == b"ctypes.dlsym" {
        // SAFETY: as below.
        if unsafe { second_text(args) }.is_some_and(|name| settings::found_in_c(&name)) {
            settings::CHANGES.fetch_add(1, Ordering::AcqRel);
        }
        return 0;
    }
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
    ANNOUNCED.fetch_add(1, Ordering::AcqRel);
    settings::CHANGES.fetch_add(1, Ordering::AcqRel);
    0
}

/// The second of an event's arguments, if it is text.
///
/// # Safety
/// `args` is null or a live object, and the interpreter's lock is held.
unsafe fn second_text(args: *mut ffi::PyObject) -> Option<String> {
    // SAFETY: the caller's promise.
    let args = unsafe { Bound::from_borrowed_ptr_or_opt(Python::assume_attached(), args) }?;
    args.get_item(1).ok()?.extract().ok()
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
