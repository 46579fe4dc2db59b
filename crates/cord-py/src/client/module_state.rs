//! Whether the state of the project's modules is what replicas were last told of.
//!
//! Each remote function has a [`Reached`]: what it reaches of that state, and what that held when it
//! was last looked at. It is asked at each call that is sent, natively. Where something has moved,
//! Python finds out what differs (`python/cord/runtime/client/modules.py`), and the world changes.

use std::collections::{HashMap, HashSet};
use std::ffi::CStr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use pyo3::buffer::PyBuffer;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple, PyType};

use crate::attached::Attached;
use crate::c_functions::definition_of;
use crate::client::versions::State;
use crate::held::Held;
use crate::objects::identity::{KnownBy, Told};
use crate::objects::kinds::version_of;
use crate::objects::plain::is_fixed;
use crate::python;
use crate::travel::mentions::globals_of;
use crate::travel::watch::{dict_version, Watch};

/// Whether calls are to carry another state than the one that the world was made with.
static STALE: AtomicBool = AtomicBool::new(false);
/// How often that state has become another one.
static STATES: AtomicU64 = AtomicU64::new(0);
/// How often something has happened that no dict and no object shows: a cache was cleared, a module
/// was imported.
static MOVED: AtomicU64 = AtomicU64::new(0);
/// The definitions of the main script that this state needs, if it needs any.
static NEEDED: Mutex<Option<Py<State>>> = Mutex::new(None);
static NEEDS: AtomicBool = AtomicBool::new(false);
/// How often caches were cleared, by their addresses.
static CLEARED: Mutex<Option<HashMap<usize, u64>>> = Mutex::new(None);
/// More caches than that are those of a program that makes them all the time.
const MOST_CLEARED: usize = 4096;

/// The project's modules, by the strings that mention them in pickles, and what calls have mentioned.
static MENTIONS: Mutex<Option<Mentions>> = Mutex::new(None);

#[derive(Default)]
struct Mentions {
    modules: HashMap<String, Vec<u8>>,
    seen: HashSet<(String, String)>,
}

impl Mentions {
    fn new_in(&self, pickle: &[u8]) -> Vec<(String, String)> {
        let mut needles = self.modules.values();
        if !needles.any(|needle| memchr::memmem::find(pickle, needle).is_some()) {
            return Vec::new();
        }
        let mut found = globals_of(pickle, |module| self.modules.contains_key(module));
        found.retain(|global| !self.seen.contains(global));
        found
    }
}

/// What the arguments of a call mention of the project's modules.
pub enum Mentioned {
    /// Nothing that was not known.
    Nothing,
    /// Something that functions may reach now.
    News,
    /// What changes things that the program's own text names.
    Changes,
}

/// Has it looked at, too, what a call's arguments mention of the project's modules: the function may
/// call it.
///
/// `asking`: the function, if what its calls change stays where they are made.
pub fn hear_of_arguments(
    py: Python<'_>,
    pickle: &[u8],
    asking: Option<&Py<PyAny>>,
) -> PyResult<Mentioned> {
    let new = match &*locked(&MENTIONS) {
        Some(mentions) => mentions.new_in(pickle),
        None => return Ok(Mentioned::Nothing),
    };
    if new.is_empty() {
        return Ok(Mentioned::Nothing);
    }
    let _held = Held::new(py)?;
    let found = python::MENTION_OF_MODULES.call(py, (new.clone(), asking))?;
    let are_the_programs = found.is_truthy()?;
    if are_the_programs {
        return Ok(Mentioned::Changes);
    }
    if let Some(mentions) = &mut *locked(&MENTIONS) {
        mentions.seen.extend(new);
    }
    Ok(Mentioned::News)
}

/// Classes of arguments, and which version of each was looked at.
static CLASSES: Mutex<Option<HashMap<usize, u32>>> = Mutex::new(None);
/// The class of the last argument and its version: a version is given once.
static LAST: AtomicU64 = AtomicU64::new(0);
/// So many items of a container are looked at for their classes.
const FEW: usize = 8;

/// Has it looked at, too, what the program has put into libraries' classes of arguments. Whether there is
/// something that replicas were not told of.
pub fn hear_of_classes(py: Python<'_>, arguments: &[Bound<'_, PyAny>]) -> PyResult<bool> {
    let mut new = Vec::new();
    for one in arguments {
        meet(one, 0, &mut new);
    }
    if new.is_empty() {
        return Ok(false);
    }
    let _held = Held::new(py)?;
    python::MEET_CLASSES.call(py, (new,))?.is_truthy()
}

/// Adds the class of an object, and of what is in it if that is a container, unless it is known.
fn meet<'py>(object: &Bound<'py, PyAny>, depth: usize, new: &mut Vec<Bound<'py, PyType>>) {
    let mut each = |items: &mut dyn Iterator<Item = Bound<'py, PyAny>>| {
        if depth < 2 {
            items.take(FEW).for_each(|item| meet(&item, depth + 1, new));
        }
    };
    if let Ok(tuple) = object.cast_exact::<PyTuple>() {
        return each(&mut tuple.iter());
    }
    if let Ok(list) = object.cast_exact::<PyList>() {
        return each(&mut list.iter());
    }
    if let Ok(dict) = object.cast_exact::<PyDict>() {
        return each(&mut dict.iter().map(|(_, value)| value));
    }
    let class = object.get_type();
    if is_fixed(&class) {
        return; // nobody can put anything into it
    }
    let address = class.as_ptr() as usize;
    // SAFETY: the class is alive.
    let version = match unsafe { (*class.as_type_ptr()).tp_version_tag } {
        0 => version_of(&class),
        version => version,
    };
    let last = (address as u64) << 32 | u64::from(version); // most calls are given one class
    if version != 0 && LAST.swap(last, Ordering::Relaxed) == last {
        return;
    }
    let mut classes = locked(&CLASSES);
    if classes.get_or_insert_default().insert(address, version) != Some(version) {
        new.push(class);
    }
}

/// A number of the state that calls carry: another one has another.
#[inline]
pub fn state() -> u64 {
    STATES.load(Ordering::Relaxed)
}

/// Whether nothing has changed since that state was last encoded.
#[inline]
pub fn is_current(py: Python<'_>) -> bool {
    !STALE.load(Ordering::Relaxed) && (!NEEDS.load(Ordering::Relaxed) || has_what_it_needs(py))
}

#[cold]
fn has_what_it_needs(py: Python<'_>) -> bool {
    let needed = locked(&NEEDED).as_ref().map(|state| state.clone_ref(py));
    needed.is_none_or(|state| state.get().is_current(py).unwrap_or(false))
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a function reaches of the state of modules, and what that held.
#[pyclass(frozen, module = "cord._core")]
pub struct Reached {
    names: Vec<Names>,
    watch: Py<Watch>,
    /// What nobody looks into.
    _held: Vec<Py<PyAny>>,
    /// What of it cannot travel: calls are made by the program.
    stays: Option<String>,
    /// The code may ask for the event loop that runs.
    asks_for_loop: bool,
    moved: u64,
    known: KnownBy,
}

/// What stands for some names in the dict of a module.
struct Names {
    dict: Py<PyDict>,
    /// The dict's version in which they were seen last; 0 if that has none.
    version: AtomicU64,
    /// The addresses, 0 for nothing. What is there is held by the watch or looked into.
    bound: Vec<(Py<PyString>, usize)>,
}

impl Names {
    fn note(dict: Bound<'_, PyDict>, names: Vec<Py<PyString>>) -> PyResult<Names> {
        let py = dict.py();
        let version = AtomicU64::new(dict_version(&dict).unwrap_or(0));
        let bound = names
            .into_iter()
            .map(|name| Ok((name.clone_ref(py), address_of(&dict, &name)?)))
            .collect::<PyResult<_>>()?;
        Ok(Names {
            dict: dict.unbind(),
            version,
            bound,
        })
    }

    #[inline]
    fn are_same(&self, py: Python<'_>) -> bool {
        let dict = self.dict.bind(py);
        let version = dict_version(dict).unwrap_or(0);
        if version != 0 && version == self.version.load(Ordering::Relaxed) {
            return true;
        }
        let same = |(name, before): &(Py<PyString>, usize)| {
            address_of(dict, name).is_ok_and(|now| now == *before)
        };
        let are_same = self.bound.iter().all(same);
        if are_same {
            self.version.store(version, Ordering::Relaxed);
        }
        are_same
    }
}

fn address_of(dict: &Bound<'_, PyDict>, name: &Py<PyString>) -> PyResult<usize> {
    let found = dict.get_item(name)?;
    let address = found.map_or(0, |found| found.as_ptr() as usize);
    let mut stand_ins = STAND_INS.get().into_iter().flatten();
    let other = stand_ins.find(|(stand_in, _)| *stand_in == address);
    Ok(other.map_or(address, |(_, programs)| *programs))
}

/// What Cord has bound to names in this process, a copy, and what the program has there; by address.
static STAND_INS: OnceLock<Vec<(usize, usize)>> = OnceLock::new();

/// Says what Cord has bound to names of modules in this process, a copy, and what that stands for: the
/// program is taken to have bound nothing.
#[pyfunction]
fn stand_for(pairs: Vec<(Bound<'_, PyAny>, Bound<'_, PyAny>)>) {
    let address = |one: &Bound<'_, PyAny>| one.as_ptr() as usize;
    let pairs = pairs
        .iter()
        .map(|(one, other)| (address(one), address(other)));
    let _ = STAND_INS.set(pairs.collect());
}

#[pymethods]
impl Reached {
    /// `names`: dicts, and the names in them that count; `held` is what else stands for them; `asks_for_loop`: its code may ask for the event loop that runs; `moved`: what `module_state_moved` gave before
    /// all of it was looked at; `known`: functions and classes, the addresses of what replicas find by its name, and whether the code compares by `is`.
    #[new]
    fn new(
        names: Vec<(Bound<'_, PyDict>, Vec<Py<PyString>>)>,
        watch: Py<Watch>,
        held: Vec<Py<PyAny>>,
        stays: Option<String>,
        asks_for_loop: bool,
        moved: u64,
        known: Told,
    ) -> PyResult<Reached> {
        let names = names
            .into_iter()
            .map(|(dict, names)| Names::note(dict, names));
        Ok(Reached {
            names: names.collect::<PyResult<_>>()?,
            watch,
            _held: held,
            stays,
            asks_for_loop,
            moved,
            known: KnownBy::new(known),
        })
    }

    /// Whether all of it is as it was.
    fn is_current(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.moved == MOVED.load(Ordering::Relaxed)
            && self.names.iter().all(|one| one.are_same(py))
            && self.watch.get().is_unchanged(py)?)
    }

    /// Whether arguments lead to an object of that state which code knows by its identity.
    #[pyo3(name = "is_given")]
    fn is_given_all(&self, arguments: &Bound<'_, PyTuple>) -> bool {
        let arguments: Vec<_> = arguments.iter().collect();
        self.is_given(&arguments)
    }
}

impl Reached {
    /// What of it a replica cannot have at this moment.
    fn stays_now(&self, py: Python<'_>) -> PyResult<Option<String>> {
        if self.stays.is_none() && self.asks_for_loop && is_in_loop(py)? {
            return Ok(Some("the event loop that runs".into()));
        }
        Ok(self.stays.clone())
    }

    /// Whether arguments lead to an object of that state which code knows by its identity.
    fn is_given(&self, arguments: &[Bound<'_, PyAny>]) -> bool {
        self.known.is_given(arguments, |py| {
            let mut values = Vec::new();
            for one in &self.names {
                let dict = one.dict.bind(py);
                let there = one.bound.iter();
                values.extend(there.filter_map(|(name, _)| dict.get_item(name).ok()?));
            }
            values
        })
    }
}

/// Whether an event loop runs on this thread.
fn is_in_loop(py: Python<'_>) -> PyResult<bool> {
    let running = py
        .import("asyncio.events")?
        .call_method0("_get_running_loop")?;
    Ok(!running.is_none())
}

/// What a remote function is known to reach.
#[derive(Default)]
pub struct Known {
    reached: Attached<Option<Py<Reached>>>,
    /// The state that calls carried then. What has changed since for another function's calls may have
    /// changed back.
    state: AtomicU64,
    /// How often it was looked at.
    looked: AtomicU64,
}

impl Known {
    /// Looks at what a function reaches, and has the world changed where that has. What it reaches
    /// that cannot travel, so that its calls are the program's own.
    #[inline]
    pub fn must_stay(&self, py: Python<'_>, original: &Py<PyAny>) -> PyResult<Option<String>> {
        if let Some(known) = self.reached.get(py) {
            if let Some(reached) = known.as_ref().map(Py::get) {
                if self.state.load(Ordering::Relaxed) == state() && reached.is_current(py)? {
                    return reached.stays_now(py);
                }
            }
        }
        self.look(py, original)
    }

    /// Whether arguments lead to an object of that state which code knows by its identity.
    pub fn is_given(&self, py: Python<'_>, arguments: &[Bound<'_, PyAny>]) -> bool {
        let Some(known) = self.reached.get(py) else {
            return true; // another thread looks: perhaps it is
        };
        let reached = known.as_ref().map(|reached| reached.clone_ref(py));
        drop(known);
        reached.is_some_and(|reached| reached.get().is_given(arguments))
    }

    /// A number that is another one as soon as it was looked at again.
    pub fn looked(&self) -> u64 {
        self.looked.load(Ordering::Relaxed)
    }

    /// Lets go of it, which holds the program's functions: it would keep their globals.
    pub fn forget(&self, py: Python<'_>) {
        let before = self.reached.get(py).and_then(|mut known| known.take());
        drop(before); // not before: it may run code of the program's
    }

    #[cold]
    fn look(&self, py: Python<'_>, original: &Py<PyAny>) -> PyResult<Option<String>> {
        let _held = Held::new(py)?;
        let found = python::LOOK_AT_MODULES.call(py, (original,))?;
        let found: Py<Reached> = found.cast_into_exact::<Reached>()?.unbind();
        let stays = found.get().stays_now(py)?;
        self.looked.fetch_add(1, Ordering::Relaxed);
        self.state.store(state(), Ordering::Relaxed);
        let before = self
            .reached
            .get(py)
            .and_then(|mut known| known.replace(found));
        drop(before); // not before: it may run code of the program's
        Ok(stays)
    }
}

/// The number to give to `Reached`.
#[pyfunction]
fn module_state_moved() -> u64 {
    MOVED.load(Ordering::Relaxed)
}

/// Has all functions look again: there is another module, or something else that they may reach.
#[pyfunction]
#[pyo3(signature = (module=None))]
fn move_module_state(module: Option<String>) {
    MOVED.fetch_add(1, Ordering::Relaxed);
    if let Some(name) = module {
        let mut needle = vec![0x8c, u8::try_from(name.len()).unwrap_or(u8::MAX)];
        needle.extend(name.as_bytes());
        let mut mentions = locked(&MENTIONS);
        let mentions = mentions.get_or_insert_with(Mentions::default);
        mentions.modules.insert(name, needle);
    }
}

/// Whether this process is a copy of the program that runs ahead.
#[pyfunction]
fn is_copy() -> bool {
    cord_os::copied::is_copy()
}

/// Copies of the program go on reading this memory, which is shared with replicas: it is not copied
/// with them.
#[pyfunction]
fn read_in_copies(memory: PyBuffer<u8>) {
    cord_copies::read_on(memory.buf_ptr() as usize);
}

/// Says whether the world is to be made anew, and which definitions the state needs.
#[pyfunction]
fn mark_module_state(py: Python<'_>, stale: Option<bool>, needed: Option<Py<State>>) {
    if let Some(stale) = stale {
        STATES.fetch_add(u64::from(stale), Ordering::Relaxed);
        STALE.store(stale, Ordering::Relaxed);
    }
    NEEDS.store(needed.is_some(), Ordering::Relaxed);
    let before = std::mem::replace(&mut *locked(&NEEDED), needed);
    if let Some(before) = before {
        before.drop_ref(py);
    }
}

/// How often caches were cleared, by their addresses.
#[pyfunction]
fn cleared_caches() -> HashMap<usize, u64> {
    locked(&CLEARED).clone().unwrap_or_default()
}

/// The interpreter's own `cache_clear`.
static CLEAR: OnceLock<ffi::PyCFunction> = OnceLock::new();

/// Notes that a cache is cleared, and clears it.
unsafe extern "C" fn clear(
    cache: *mut ffi::PyObject,
    none: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    {
        let mut cleared = locked(&CLEARED);
        let cleared = cleared.get_or_insert_with(HashMap::new);
        if cleared.len() < MOST_CLEARED || cleared.contains_key(&(cache as usize)) {
            *cleared.entry(cache as usize).or_default() += 1;
        }
    }
    MOVED.fetch_add(1, Ordering::Relaxed);
    match CLEAR.get() {
        // SAFETY: called as the interpreter calls it.
        Some(clear) => unsafe { clear(cache, none) },
        None => std::ptr::null_mut(),
    }
}

/// Hears of caches that are cleared, from now on.
#[pyfunction]
fn hear_of_cleared_caches(descriptor: &Bound<'_, PyAny>) {
    const NAME: &CStr = c"cache_clear";
    let definition = definition_of(descriptor);
    if definition.is_null() {
        return;
    }
    // SAFETY: the definition lives as long as the interpreter, and is read only with that held.
    unsafe {
        if CStr::from_ptr((*definition).ml_name) != NAME
            || (*definition).ml_flags != ffi::METH_NOARGS
            || CLEAR.set((*definition).ml_meth.PyCFunction).is_err()
        {
            return;
        }
        (*definition).ml_meth.PyCFunction = clear;
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Reached>()?;
    module.add_function(wrap_pyfunction!(is_copy, module)?)?;
    module.add_function(wrap_pyfunction!(read_in_copies, module)?)?;
    module.add_function(wrap_pyfunction!(module_state_moved, module)?)?;
    module.add_function(wrap_pyfunction!(move_module_state, module)?)?;
    module.add_function(wrap_pyfunction!(mark_module_state, module)?)?;
    module.add_function(wrap_pyfunction!(stand_for, module)?)?;
    module.add_function(wrap_pyfunction!(cleared_caches, module)?)?;
    module.add_function(wrap_pyfunction!(hear_of_cleared_caches, module)?)
}
