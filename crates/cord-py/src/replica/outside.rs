//! What a pure call is about to do outside its process: it ends there, before anything is done, and who
//! calls makes it by himself.
//!
//! The interpreter tells of such things by its audit events, before it does them; `effects.rs` says which
//! of them matter. The process ends at once, so that no handler of the function's own sees anything of it;
//! where others depend on the process, an exception is raised there, and the call has no reply that can be
//! used, whatever becomes of that. While no such call runs, an event costs one look at a pointer.

use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::{c_char, c_int, c_void, CStr};
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use pyo3::exceptions::{PyBaseException, PyOSError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::client::world::PySys_AddAuditHook;
use crate::replica::driven::driven;
use crate::replica::endpoint::Endpoint;
use crate::travel::disowned::Reason;
use cord_wire::reads::Read;
use effects::Heard;
use reads::Reads;

mod database;
mod effects;
mod environment;
mod looking;
mod paths;
mod reads;
mod remembered;
mod view;

pyo3::create_exception!(
    cord._core,
    Stopped,
    PyBaseException,
    "A call was stopped, or what came of it must not be used: of what kind the reason is, and in words."
);

/// The call that is looked at; null while there is none. It lies in the frame that makes the call, and is
/// only looked at under the interpreter's lock, which that frame has when it begins and ends.
static UNDER: AtomicPtr<Under> = AtomicPtr::new(std::ptr::null_mut());
thread_local! {
    /// The same where other threads make calls, too.
    static UNDER_HERE: Cell<*mut Under> = const { Cell::new(std::ptr::null_mut()) };
}

/// The process that listens: none that a call has forked.
static PID: AtomicU32 = AtomicU32::new(0);

/// What is looked at of a function's calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Heed {
    Nothing,
    /// What they read.
    Reads,
    /// That, and what they are about to do, for which they are stopped.
    All,
    /// The same; and each has a view of its own of the working folder.
    Scratch,
    /// That, and what goes over the network or to other programs: nobody has said that it does no harm.
    Unsaid,
}

/// Which functions of a module are looked at, and what happens to calls of theirs.
#[pyclass(frozen, module = "cord._core")]
pub struct Lookout {
    usual: Heed,
    others: HashMap<String, Heed>,
    leaves: bool,
    /// Other threads of the process make calls, too: what they do is no matter of this one's, and no call
    /// is stopped.
    is_shared: bool,
    /// Adds what a call has left in its view to what it tells; where the last one was.
    record: Option<Py<PyAny>>,
    last: Mutex<Option<Vec<u8>>>,
}

/// A call that is looked at.
pub struct Under {
    call: u64,
    endpoint: Py<Endpoint>,
    /// The process ends where the call is stopped.
    leaves: bool,
    /// It is stopped before it does anything outside.
    stops: bool,
    /// That is so of what other processes may do for it, too.
    is_unsaid: bool,
    /// It is no call: the module is loaded, as the program has loaded it.
    is_load: bool,
    seen: Mutex<Seen>,
}

/// What the call has done so far.
#[derive(Default)]
struct Seen {
    /// Temporary files and folders that it has made; if it may write others, those too.
    own: Vec<PathBuf>,
    /// What it has read of files.
    reads: Reads,
    /// The working folder, before it changed that.
    folder: Option<PathBuf>,
    /// What it was stopped for.
    stopped: Option<Reason>,
}

#[pymethods]
impl Lookout {
    /// `usual`: what is looked at of functions, but for `others`: 0 nothing, 1 what they read, 2 what they
    /// do besides, 3 the same with a view of the working folder, 4 without the network and other programs;
    /// `leaves`: whether nothing but calls that
    /// can be made again is lost with this process; `is_shared`: whether other threads of it make calls,
    /// too, where only reads are looked at; `record`: adds to what a call tells.
    #[new]
    #[pyo3(signature = (usual, others, leaves, is_shared, record=None))]
    fn new(
        py: Python<'_>,
        usual: u8,
        others: HashMap<String, u8>,
        leaves: bool,
        is_shared: bool,
        record: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        if usual > 0 || others.values().any(|heed| *heed > 0) {
            listen()?;
            looking::listen(py)?;
            remembered::listen(py)?;
            let _ = environment::listen(py); // the program may have put something else there
        }
        let others = others.into_iter();
        let most = if is_shared { 1 } else { u8::MAX };
        Ok(Self {
            usual: Heed::of(usual.min(most)),
            others: others
                .map(|(name, heed)| (name, Heed::of(heed.min(most))))
                .collect(),
            leaves,
            is_shared,
            record,
            last: Mutex::default(),
        })
    }

    /// Where the view was that the last call had: nobody is to hear of it.
    fn view(&self) -> Option<Vec<u8>> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.take()
    }

    /// Loads a module of pure functions: it is stopped before it does a second time what the program's own
    /// import does, but for what makes no difference.
    ///
    /// # Errors
    /// `Stopped`, or what the module raises.
    fn load<'py>(
        &self,
        endpoint: &Bound<'py, Endpoint>,
        code: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut under = Under {
            call: 0,
            endpoint: endpoint.clone().unbind(),
            leaves: false,
            stops: true,
            is_unsaid: false,
            is_load: true,
            seen: Mutex::default(),
        };
        let before = self.go_under(&raw mut under);
        let loaded = code.call0();
        self.go_under(before);
        let stopped = under.seen().stopped.take();
        stopped.map_or(loaded, |Reason { kind, text }| {
            Err(Stopped::new_err((kind, text)))
        })
    }

    /// Makes a call of a function of the module's.
    fn make<'py>(
        &self,
        endpoint: &Bound<'py, Endpoint>,
        call: u64,
        name: &str,
        function: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: &Bound<'py, PyDict>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.during(endpoint, call, name, || {
            let code = || driven(function, function.call(args, Some(kwargs)));
            endpoint.get().interruptible(code)
        })
    }
}

impl Heed {
    fn of(number: u8) -> Heed {
        match number {
            0 => Heed::Nothing,
            1 => Heed::Reads,
            2 => Heed::All,
            3 => Heed::Scratch,
            _ => Heed::Unsaid,
        }
    }
}

impl Lookout {
    /// Makes a call, and looks at what it is about to do meanwhile, if its function is one of those.
    pub fn during<'py>(
        &self,
        endpoint: &Bound<'py, Endpoint>,
        call: u64,
        name: &str,
        code: impl FnOnce() -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let heed = self.heed(name);
        if heed == Heed::Nothing {
            if !is_under() {
                return code();
            }
            let before = self.go_under(std::ptr::null_mut());
            let made = code();
            self.go_under(before);
            return made;
        }
        let mut under = Under {
            call,
            endpoint: endpoint.clone().unbind(),
            leaves: self.leaves,
            stops: heed != Heed::Reads,
            is_unsaid: heed == Heed::Unsaid,
            is_load: false,
            seen: Mutex::default(),
        };
        for file in database::all_opened() {
            under.seen().reads.note_database(&file);
        }
        let view = match heed {
            Heed::Scratch => Some(self.enter_view(&under)?),
            _ => None,
        };
        let before = self.go_under(&raw mut under);
        let made = code();
        self.go_under(before);
        let left = under.left().or_else(|| under.asked_system());
        let ended = view.map(|view| self.leave_view(endpoint.py(), view, &under, left.is_some()));
        if let Some(Reason { kind, text }) = left {
            return Err(Stopped::new_err((kind, text)));
        }
        let reads = match ended.transpose()? {
            Some((folder, near)) => {
                let mut all = under.read();
                all.retain(|read| !read.path.starts_with(&folder));
                [all, near].concat()
            }
            None => under.read(),
        };
        endpoint.get().has_read(&reads);
        made
    }

    /// From here on this call is looked at; gives the one that was.
    fn go_under(&self, under: *mut Under) -> *mut Under {
        match self.is_shared {
            true => UNDER_HERE.replace(under),
            false => UNDER.swap(under, Ordering::Relaxed),
        }
    }

    /// Whether the last call had a view of its own of the working folder.
    pub fn has_view(&self) -> bool {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.is_some()
    }

    fn heed(&self, name: &str) -> Heed {
        if self.others.is_empty() {
            return self.usual;
        }
        let name = name.rsplit(':').next().unwrap_or(name); // those of the main script tell a version
        *self.others.get(name).unwrap_or(&self.usual)
    }
}

impl Under {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why what came of the call must not be used, if so.
    fn left(&self) -> Option<Reason> {
        let mut seen = self.seen();
        let moved = |seen: &Seen| {
            let before = seen.folder.as_ref()?;
            let stays = std::env::current_dir().is_ok_and(|now| now == *before);
            (!stays).then(|| Reason::new("folder", "changes the working folder"))
        };
        seen.stopped.take().or_else(|| moved(&seen))
    }

    /// Why what came of it is of this process: nobody has said that it is not.
    fn asked_system(&self) -> Option<Reason> {
        let text = "asks what the system tells of processes and devices";
        let is_so = self.is_unsaid && self.seen().reads.asks_system;
        is_so.then(|| Reason::new("process", text))
    }

    /// What it has read of files that are not its own.
    fn read(self) -> Vec<Read> {
        let seen = self.seen.into_inner();
        let Seen { own, reads, .. } = seen.unwrap_or_else(PoisonError::into_inner);
        reads.counting(&own, !self.stops)
    }

    /// What it has asked for so far by itself, its own files too.
    fn asked(&self) -> Vec<Read> {
        self.seen().reads.all()
    }

    /// Removes the temporary files and folders of a call that comes to no end.
    fn clear(&self) {
        for own in &self.seen().own {
            if fs::remove_file(own).is_err() {
                let _ = fs::remove_dir_all(own);
            }
        }
    }

    /// The call ends here, if that is possible: else it gets an error.
    fn stop(&self, reason: Reason) {
        if self.leaves {
            self.clear();
            let endpoint = self.endpoint.get();
            if !endpoint.is_local() {
                endpoint.core().disown(self.call, &reason.encode(), true);
            }
            // SAFETY: ends the process.
            unsafe { libc::_exit(0) };
        }
        self.seen().stopped.get_or_insert(reason);
    }
}

fn here() -> *mut Under {
    let of_process = UNDER.load(Ordering::Relaxed);
    match of_process.is_null() {
        true => UNDER_HERE.get(),
        false => of_process,
    }
}

/// Whether a call is looked at.
fn is_under() -> bool {
    !here().is_null()
}

/// The call that is looked at, unless this is a process that one has forked.
///
/// # Safety
/// The interpreter's lock is held, as long as what is given is used.
unsafe fn under<'a>() -> Option<&'a Under> {
    // SAFETY: it lives until the frame that made it has the lock again.
    let under = unsafe { here().as_ref() };
    under.filter(|_| PID.load(Ordering::Relaxed) == std::process::id())
}

/// Listens to audit events from now on, once for the whole process.
fn listen() -> PyResult<()> {
    static LISTENING: Once = Once::new();
    let mut failed = false;
    LISTENING.call_once(|| {
        // SAFETY: `hear` lives as long as the process and needs no data of its own.
        failed = unsafe { PySys_AddAuditHook(hear, std::ptr::null_mut()) } != 0;
    });
    PID.store(std::process::id(), Ordering::Relaxed);
    if failed {
        return Err(PyOSError::new_err("what calls do cannot be heard of"));
    }
    Ok(())
}

thread_local! {
    /// An event is being looked at: what that does tells nothing.
    static LOOKING: Cell<bool> = const { Cell::new(false) };
}

/// Looks at what is about to be done, while a call runs that is looked at, and at nothing that this does.
fn heeding(look: impl FnOnce(Python<'_>)) {
    if is_under() && !LOOKING.replace(true) {
        // SAFETY: whoever calls this has the lock.
        look(unsafe { Python::assume_attached() });
        LOOKING.set(false);
    }
}

/// An audit event: the interpreter holds its lock, and is about to do what it tells.
unsafe extern "C" fn hear(event: *const c_char, args: *mut ffi::PyObject, _: *mut c_void) -> c_int {
    // SAFETY: the interpreter passes a string that ends with a zero byte.
    let event = unsafe { CStr::from_ptr(event) }.to_bytes();
    let is_database = event.starts_with(b"sqlite3.connect");
    if !is_database && (!is_under() || !effects::may_be(event)) {
        return 0;
    }
    if args.is_null() || LOOKING.replace(true) {
        return 0;
    }
    // SAFETY: the lock is held.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: the arguments live as long as the event.
    let args = unsafe { Bound::from_borrowed_ptr(py, args) };
    let heard = args
        .cast::<PyTuple>()
        .map_err(PyErr::from)
        .and_then(|args| {
            if is_database {
                database::opened(event, args)?;
            }
            // SAFETY: the lock is held.
            match unsafe { under() } {
                Some(under) => effects::look(under, event, args),
                None => Ok(Heard::Nothing),
            }
        });
    LOOKING.set(false);
    match heard {
        Ok(Heard::Nothing) => 0,
        Ok(Heard::Stops(reason)) => stopped(py, reason),
        Ok(Heard::Fails(error)) => {
            error.restore(py);
            -1
        }
        Err(_) => 0, // nothing that can be read is told
    }
}

fn stopped(py: Python<'_>, reason: Reason) -> c_int {
    // SAFETY: the lock is held.
    if let Some(under) = unsafe { under() } {
        let Reason { kind, text } = reason.clone();
        under.stop(reason);
        Stopped::new_err((kind, text)).restore(py);
        return -1;
    }
    0
}

/// A call has come to something that it cannot have here: what comes of it is not used.
///
/// # Errors
/// `Stopped`.
#[pyfunction]
fn stop_call(kind: &str, text: &str) -> PyResult<()> {
    // SAFETY: the lock is held.
    if let Some(under) = unsafe { under() } {
        under.stop(Reason::new(kind, text));
    }
    Err(Stopped::new_err((kind.to_owned(), text.to_owned())))
}

/// What a pure call is about to ask of another module has effects: the call ends here, if one runs.
///
/// # Errors
/// `Stopped`.
pub fn stop_before_effects(name: &str) -> PyResult<()> {
    // SAFETY: the lock is held.
    match unsafe { under() } {
        Some(_) => stop_call(
            "call",
            &format!("calls {name}, which the plan does not call pure"),
        ),
        None => Ok(()),
    }
}

pub use reads::add_reads;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("Stopped", module.py().get_type::<Stopped>())?;
    module.add_function(wrap_pyfunction!(stop_call, module)?)?;
    module.add_class::<Lookout>()
}
