//! What a scout has written: objects of its own, and private copies of the program's.
//!
//! A scout reads the program's objects where they are. The first time that it writes to a container it
//! makes a private copy, and from then on sees that copy wherever it meets the object, under whatever name:
//! every guarded operation asks `view` for what it works on. The copies themselves are never values
//! of the scout's variables, so identities are the program's.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cord_scout::{Told, Why};
use pyo3::ffi;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict, PyFrozenSet, PyList, PySet, PyString, PyTuple};

use crate::guards::passes::Fresh;
use crate::objects::instances::inside;
use crate::objects::kinds::kind_of_value;
use crate::objects::lookup::has_field;
use crate::objects::plain::{is_deque, require};
use crate::scouts::future::{is_future, Future};
use crate::scouts::scout_end::{stop, stop_at, stop_for};
use crate::travel::scalars::is_scalar;

/// So many objects are kept before those that nobody else knows are let go.
const FIRST_SWEEP: usize = 1024;
/// How deep in containers copies are looked for.
const DEEPEST: usize = 64;

struct Shadow {
    original: Py<PyAny>,
    copy: Py<PyAny>,
}

/// By the objects' addresses; they are kept alive here.
struct Written {
    own: HashMap<usize, Py<PyAny>>,
    shadows: HashMap<usize, Shadow>,
    /// Attributes that the program sets, and the scout does not.
    set: Vec<Py<PyString>>,
    sweep_at: usize,
}

impl Default for Written {
    fn default() -> Self {
        Self {
            own: HashMap::new(),
            shadows: HashMap::new(),
            set: Vec::new(),
            sweep_at: FIRST_SWEEP,
        }
    }
}

thread_local! {
    /// The scout that is being stepped on this thread.
    static RUNNING: RefCell<Option<Running>> = const { RefCell::new(None) };
    /// Whether it has private copies of anything.
    static SHADOWED: Cell<bool> = const { Cell::new(false) };
    /// Whether it has passed by where the program sets attributes.
    static SET: Cell<bool> = const { Cell::new(false) };
}

struct Running {
    run: Py<PyAny>,
    heap: Py<Heap>,
}

/// What one scout has written.
#[pyclass(module = "cord._core", frozen)]
#[derive(Default)]
pub struct Heap(Mutex<Written>);

#[pymethods]
impl Heap {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        let Ok(written) = self.0.try_lock() else {
            return Ok(()); // it is in use, so nobody lets go of it now
        };
        for own in written.own.values() {
            visit.call(own)?;
        }
        for shadow in written.shadows.values() {
            visit.call(&shadow.original)?;
            visit.call(&shadow.copy)?;
        }
        Ok(())
    }

    #[new]
    pub fn new() -> Self {
        Self::default()
    }

    /// From now on guarded operations of this thread are those of the scout of this run.
    fn enter(slf: &Bound<'_, Self>, run: Py<PyAny>) {
        std::mem::forget(Stepped::new(slf, run));
    }

    /// No longer.
    #[staticmethod]
    fn leave() {
        SHADOWED.set(false);
        SET.set(false);
        drop(RUNNING.take());
    }

    /// The scout is to see `copy`, which is its own, where the program has `original`.
    pub fn shadow(&self, original: &Bound<'_, PyAny>, copy: &Bound<'_, PyAny>) {
        self.lock().shadow(original, copy);
    }

    /// Arguments as the scout sees them.
    #[staticmethod]
    fn seen<'py>(args: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyTuple>> {
        seen_arguments(args)
    }
}

impl Heap {
    fn lock(&self) -> MutexGuard<'_, Written> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on `copy` stands for an object.
    fn stand_in(&self, original: &Bound<'_, PyAny>, copy: &Bound<'_, PyAny>) {
        let freed = {
            let mut written = self.lock();
            written.shadow(original, copy);
            written.sweep()
        };
        drop(freed); // after the lock: this may run finalizers
        SHADOWED.set(true);
    }

    /// Lets go of all objects: the scout has ended.
    pub fn clear(&self) {
        let written = std::mem::take(&mut *self.lock());
        drop(written); // after the lock: this may run finalizers
    }
}

/// For as long as this is there, guarded operations are those of a run.
pub struct Stepped {
    outer: Option<Running>,
    shadowed: bool,
    set: bool,
}

impl Stepped {
    pub fn new(heap: &Bound<'_, Heap>, run: Py<PyAny>) -> Self {
        let (shadows, set) = {
            let written = heap.get().lock();
            (!written.shadows.is_empty(), !written.set.is_empty())
        };
        let heap = heap.clone().unbind();
        let outer = RUNNING.replace(Some(Running { run, heap }));
        let shadowed = SHADOWED.replace(shadows);
        let set = SET.replace(set);
        Self {
            outer,
            shadowed,
            set,
        }
    }
}

impl Drop for Stepped {
    fn drop(&mut self) {
        SHADOWED.set(self.shadowed);
        SET.set(self.set);
        let inner = RUNNING.replace(self.outer.take());
        drop(inner);
    }
}

/// The run whose scout is being stepped.
///
/// # Errors
/// Ends a scout that outlived its run.
pub fn running(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    RUNNING
        .with_borrow(|running| running.as_ref().map(|running| running.run.bind(py).clone()))
        .ok_or_else(|| stop(Why::Ended))
}

fn heap(py: Python<'_>) -> PyResult<Bound<'_, Heap>> {
    RUNNING
        .with_borrow(|running| {
            running
                .as_ref()
                .map(|running| running.heap.bind(py).clone())
        })
        .ok_or_else(|| stop(Why::Ended))
}

fn address(value: &Bound<'_, PyAny>) -> usize {
    value.as_ptr() as usize
}

/// What the scout sees where the program has `value`.
pub fn view<'py>(value: &Bound<'py, PyAny>) -> Bound<'py, PyAny> {
    shadow(value).unwrap_or_else(|| value.clone())
}

fn shadow<'py>(value: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    if !SHADOWED.get() || is_scalar(value) {
        return None;
    }
    let py = value.py();
    let heap = heap(py).ok()?;
    let written = heap.get().lock();
    let shadow = written.shadows.get(&address(value))?;
    Some(shadow.copy.bind(py).clone())
}

/// Notes an object that only the scout has.
pub fn own(value: &Bound<'_, PyAny>) -> PyResult<()> {
    let heap = heap(value.py())?;
    let freed = {
        let mut written = heap.get().lock();
        written.own.insert(address(value), value.clone().unbind());
        written.sweep()
    };
    drop(freed);
    Ok(())
}

/// From now on the scout does not know what this is: the program changes it, and there is no copy, for
/// this reason. Returns what there will never be.
pub fn lose<'py>(value: &Bound<'py, PyAny>, why: Told) -> PyResult<Bound<'py, Future>> {
    let py = value.py();
    let lost = Bound::new(py, Future::failed(why))?;
    heap(py)?.get().lock().shadow(value, lost.as_any());
    SHADOWED.set(true);
    Ok(lost)
}

/// The scout goes on with `copy` wherever the program reads from an iterator.
#[pyfunction]
pub fn reads_on<'py>(
    iterator: &Bound<'py, PyAny>,
    copy: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = iterator.py();
    let fresh = Bound::new(py, Fresh(copy.clone().unbind()))?.into_any();
    let Ok(heap) = heap(py) else {
        return Ok(fresh); // nobody will read on
    };
    heap.get().stand_in(iterator, &fresh);
    Ok(fresh)
}

/// What the scout may change where the program has `value`. `own`: only the scout has it.
///
/// # Errors
/// Ends the scout where it can have no copy.
pub fn writable<'py>(value: &Bound<'py, PyAny>, own: bool) -> PyResult<Bound<'py, PyAny>> {
    changeable(value, own)?.ok_or_else(|| stop_at(Why::Change, value))
}

/// As `writable`, None where the scout can have no copy.
pub fn changeable<'py>(
    value: &Bound<'py, PyAny>,
    own_: bool,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = value.py();
    let heap = heap(py)?;
    {
        let written = heap.get().lock();
        if let Some(shadow) = written.shadows.get(&address(value)) {
            return Ok(Some(shadow.copy.bind(py).clone()));
        }
        if written.own.contains_key(&address(value)) {
            return Ok(Some(value.clone()));
        }
    }
    if own_ {
        own(value)?;
        return Ok(Some(value.clone()));
    }
    if !is_copied(value)? {
        return Ok(None);
    }
    let copy = value.call_method0(intern!(py, "copy"))?;
    heap.get().stand_in(value, &copy);
    Ok(Some(copy))
}

/// Whether a scout changes a copy of such a container.
fn is_copied(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(value.is_exact_instance_of::<PyList>()
        || value.is_exact_instance_of::<PyDict>()
        || value.is_exact_instance_of::<PySet>()
        || value.is_exact_instance_of::<PyByteArray>()
        || is_deque(value)?)
}

/// The program sets an attribute of this name here, of whatever object. The scout does not, and so
/// from now on reads none of this name.
pub fn sets(name: &Bound<'_, PyString>) -> PyResult<()> {
    if !is_set(name)? {
        let set = name.clone().unbind();
        heap(name.py())?.get().lock().set.push(set);
        SET.set(true);
    }
    Ok(())
}

/// Whether the program may have set an attribute of this name by now.
pub fn is_set(name: &Bound<'_, PyString>) -> PyResult<bool> {
    if !SET.get() {
        return Ok(false);
    }
    let heap = heap(name.py())?;
    let written = heap.get().lock();
    let known =
        |one: &Py<PyString>| one.is(name) || one.bind(name.py()).as_any().eq(name).unwrap_or(true);
    Ok(written.set.iter().any(known))
}

/// Ends a scout that needs an object as a whole of which the program may have set attributes.
fn require_unset(value: &Bound<'_, PyAny>) -> PyResult<()> {
    if !SET.get() {
        return Ok(());
    }
    let py = value.py();
    let heap = heap(py)?;
    let written = heap.get().lock();
    let stale = written
        .set
        .iter()
        .any(|name| has_field(value, name.bind(py)));
    drop(written);
    require(!stale, Why::Set, value)
}

impl Written {
    fn shadow(&mut self, original: &Bound<'_, PyAny>, copy: &Bound<'_, PyAny>) {
        let shadow = Shadow {
            original: original.clone().unbind(),
            copy: copy.clone().unbind(),
        };
        self.shadows.insert(address(original), shadow);
        self.own.insert(address(copy), copy.clone().unbind());
    }

    /// Takes out what nobody else knows any more.
    fn sweep(&mut self) -> Vec<Py<PyAny>> {
        if self.own.len() + self.shadows.len() < self.sweep_at {
            return Vec::new();
        }
        let mut freed = Vec::new();
        let alone: Vec<usize> = alone(self.own.iter());
        freed.extend(alone.iter().filter_map(|key| self.own.remove(key)));
        let alone: Vec<usize> = self::alone(self.shadows.iter().map(|(k, s)| (k, &s.original)));
        for key in alone {
            if let Some(shadow) = self.shadows.remove(&key) {
                freed.extend([shadow.original, shadow.copy]);
            }
        }
        self.sweep_at = FIRST_SWEEP.max(2 * (self.own.len() + self.shadows.len()));
        freed
    }
}

fn alone<'a>(objects: impl Iterator<Item = (&'a usize, &'a Py<PyAny>)>) -> Vec<usize> {
    objects
        // SAFETY: the object is alive: there is a reference to it here
        .filter(|(_, object)| unsafe { ffi::Py_REFCNT(object.as_ptr()) } == 1)
        .map(|(key, _)| *key)
        .collect()
}

/// Ends a scout that needs what it has lost.
pub fn lost(value: &Bound<'_, PyAny>) -> PyErr {
    let why = value.cast_exact::<Future>().ok();
    stop_for(why.and_then(|future| future.get().why_failed()))
}

/// The arguments of a call as the scout sees them, all that is in them included.
pub fn seen_arguments<'py>(args: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyTuple>> {
    if !(SHADOWED.get() || SET.get()) {
        return Ok(args.clone());
    }
    let seen = Seer(HashMap::new()).see(args.as_any(), 0)?;
    Ok(seen.cast_into_exact()?)
}

/// As `seen_arguments`, for what has names.
pub fn seen_keywords<'py>(
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    match kwargs {
        Some(kwargs) if SHADOWED.get() || SET.get() => {
            let seen = Seer(HashMap::new()).see(kwargs.as_any(), 0)?;
            Ok(Some(seen.cast_into_exact()?))
        }
        other => Ok(other.cloned()),
    }
}

/// What stands for objects in a copy, by their address: what was one object stays one.
struct Seer<'py>(HashMap<usize, Bound<'py, PyAny>>);

impl<'py> Seer<'py> {
    fn see(&mut self, value: &Bound<'py, PyAny>, depth: usize) -> PyResult<Bound<'py, PyAny>> {
        if is_scalar(value) {
            return Ok(value.clone());
        }
        if depth > DEEPEST {
            return Err(stop(Why::Deep));
        }
        if let Some(known) = self.0.get(&address(value)) {
            return Ok(known.clone());
        }
        let viewed = view(value);
        if is_future(&viewed) && !is_future(value) {
            return Err(lost(&viewed));
        }
        self.0.insert(address(value), viewed.clone());
        let seen = self.inside(&viewed, depth)?;
        self.0.insert(address(value), seen.clone());
        Ok(seen)
    }

    /// An object of which a part was changed is copied with the part in it.
    fn inside(&mut self, value: &Bound<'py, PyAny>, depth: usize) -> PyResult<Bound<'py, PyAny>> {
        let py = value.py();
        if let Ok(items) = value.cast_exact::<PyDict>() {
            let new = PyDict::new(py);
            let mut changed = false;
            for (key, item) in items.iter() {
                let seen = self.see(&item, depth + 1)?;
                changed |= !seen.is(&item);
                new.set_item(key, seen)?;
            }
            let same = value.clone();
            return Ok(if changed { new.into_any() } else { same });
        }
        if value.is_exact_instance_of::<PySet>() || value.is_exact_instance_of::<PyFrozenSet>() {
            return Ok(value.clone()); // what is hashed by its value is not changed
        }
        let list = value.is_exact_instance_of::<PyList>();
        if list || value.is_exact_instance_of::<PyTuple>() {
            let mut changed = false;
            let mut all = Vec::new();
            for item in value.try_iter()? {
                let item = item?;
                let seen = self.see(&item, depth + 1)?;
                changed |= !seen.is(&item);
                all.push(seen);
            }
            return Ok(match (changed, list) {
                (false, _) => value.clone(),
                (true, true) => PyList::new(py, all)?.into_any(),
                (true, false) => PyTuple::new(py, all)?.into_any(),
            });
        }
        self.instance(value, depth)
    }

    /// There are no copies of instances.
    fn instance(&mut self, value: &Bound<'py, PyAny>, depth: usize) -> PyResult<Bound<'py, PyAny>> {
        let kind = kind_of_value(value)?;
        if kind.simple {
            require_unset(value)?;
            for (index, part) in inside(value, &kind).into_iter().enumerate() {
                let Some(part) = part else {
                    continue;
                };
                let seen = self.see(&part, depth + usize::from(index > 0))?; // what is in a dict is deeper
                require(seen.is(&part), Why::Change, value)?;
            }
        }
        Ok(value.clone())
    }
}
