//! Names that calls bind in modules and classes of libraries: heard of when they do.
//!
//! The slots by which modules and classes set attributes lead here while a call runs; nothing is looked
//! at where none is set. What stood there before is held until the call is over, so that it is seen
//! whether it stands there again.

use std::collections::BTreeSet;
use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyType};

use crate::travel::watch::Own;

/// Frames above the one that sets an attribute are looked at for the project's, so many of them.
const MOST_FRAMES: usize = 64;

/// Who has bound a name: as the judge knows them by number.
#[derive(Clone, Copy)]
enum Who {
    Project,
    Library,
    /// A library that is imported.
    Import,
}

/// What a name in a module or class stood for before it was first bound in a call.
struct Binding {
    owner: Py<PyAny>,
    name: Py<PyString>,
    before: Option<Py<PyAny>>,
    who: Who,
    /// The module whose code has bound it.
    by: Py<PyAny>,
}

struct Noted {
    bindings: Vec<Binding>,
    /// Those that were noted: the owner, the name, and whose code it was, by their addresses.
    known: BTreeSet<[usize; 3]>,
}

/// How the judge is told: the owner, the name, what it stood for if for anything, who has bound it,
/// and the name of the module whose code has.
type Told = (Py<PyAny>, Py<PyString>, Vec<Py<PyAny>>, u8, Py<PyAny>);

/// Calls that run now.
static CALLS: AtomicUsize = AtomicUsize::new(0);
/// How many names were bound in them.
static COUNT: AtomicUsize = AtomicUsize::new(0);
static BOUND: Mutex<Noted> = Mutex::new(Noted {
    bindings: Vec::new(),
    known: BTreeSet::new(),
});
static OWN: Mutex<Option<Py<Own>>> = Mutex::new(None);
/// How classes set attributes.
static OF_CLASSES: AtomicUsize = AtomicUsize::new(0);

type Set =
    unsafe extern "C" fn(*mut ffi::PyObject, *mut ffi::PyObject, *mut ffi::PyObject) -> c_int;

/// While there is one of these, a call runs.
pub struct Hearing;

impl Hearing {
    pub fn begin(py: Python<'_>) -> Hearing {
        // the interpreter is held, so that nobody else counts meanwhile
        let before = CALLS.load(Ordering::Relaxed);
        CALLS.store(before + 1, Ordering::Relaxed);
        if before == 0 && has_any() {
            drop(taken(py)); // no call's doing
        }
        Hearing
    }
}

impl Drop for Hearing {
    fn drop(&mut self) {
        CALLS.store(CALLS.load(Ordering::Relaxed) - 1, Ordering::Relaxed);
    }
}

/// Whether calls have bound any name since that was last asked for.
#[inline]
pub fn has_any() -> bool {
    COUNT.load(Ordering::Relaxed) != 0
}

/// The names that were bound since this was last called.
pub fn taken(_py: Python<'_>) -> Vec<Told> {
    COUNT.store(0, Ordering::Relaxed);
    let bound = {
        let mut noted = locked(&BOUND);
        noted.known.clear();
        std::mem::take(&mut noted.bindings)
    };
    let told = |one: Binding| {
        let before = one.before.into_iter().collect();
        (one.owner, one.name, before, one.who as u8, one.by)
    };
    bound.into_iter().map(told).collect()
}

/// What is the project's own from now on.
pub fn has_own(own: Py<Own>) {
    let old = locked(&OWN).replace(own);
    drop(old);
}

/// Hears from now on of attributes of modules and of classes.
pub fn listen(py: Python<'_>) -> PyResult<()> {
    let usual = ffi::PyObject_GenericSetAttr as *const () as usize;
    put(&py.get_type::<PyModule>(), in_module, usual)?;
    let usual = slot_of(&py.get_type::<PyType>());
    if usual == in_class as *const () as usize {
        return Ok(());
    }
    OF_CLASSES.store(usual, Ordering::Relaxed);
    for class in metaclasses(py)? {
        put(&class, in_class, usual)?;
    }
    Ok(())
}

/// `type`, and what is derived from it.
fn metaclasses(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyType>>> {
    let mut all = vec![py.get_type::<PyType>()];
    let mut at = 0;
    while at < all.len() {
        let below = py
            .get_type::<PyType>()
            .call_method1("__subclasses__", (&all[at],))?;
        all.extend(below.extract::<Vec<Bound<'_, PyType>>>()?);
        at += 1;
    }
    Ok(all)
}

fn slot_of(class: &Bound<'_, PyType>) -> usize {
    // SAFETY: a live class.
    unsafe { (*class.as_type_ptr()).tp_setattro }.map_or(0, |set| set as usize)
}

/// Has the instances of a class set attributes by this function, if they do it the usual way; and what
/// the class has as `__setattr__` and `__delattr__`, which looks whether it belongs to the class.
fn put(class: &Bound<'_, PyType>, set: Set, usual: usize) -> PyResult<()> {
    if slot_of(class) != usual {
        return Ok(());
    }
    let names = class.getattr("__dict__")?;
    let wrappers = ["__setattr__", "__delattr__"].map(|name| names.get_item(name));
    // SAFETY: the interpreter is held; a wrapper of a slot lies as `PyWrapperDescrObject` says.
    unsafe {
        for wrapper in wrappers.into_iter().flatten() {
            if ffi::Py_TYPE(wrapper.as_ptr()) == &raw mut ffi::PyWrapperDescr_Type {
                let wrapper = wrapper.as_ptr().cast::<ffi::PyWrapperDescrObject>();
                if (*wrapper).d_wrapped as usize == usual {
                    (*wrapper).d_wrapped = set as *mut c_void;
                }
            }
        }
        (*class.as_type_ptr()).tp_setattro = Some(set);
        ffi::PyType_Modified(class.as_type_ptr());
    }
    Ok(())
}

unsafe extern "C" fn in_module(
    owner: *mut ffi::PyObject,
    name: *mut ffi::PyObject,
    value: *mut ffi::PyObject,
) -> c_int {
    if CALLS.load(Ordering::Relaxed) != 0 {
        // SAFETY: the interpreter calls this with a module and a name.
        unsafe { note(owner, name, ffi::PyModule_GetDict(owner)) };
    }
    // SAFETY: what the interpreter would have called, with what it gives.
    unsafe { ffi::PyObject_GenericSetAttr(owner, name, value) }
}

unsafe extern "C" fn in_class(
    owner: *mut ffi::PyObject,
    name: *mut ffi::PyObject,
    value: *mut ffi::PyObject,
) -> c_int {
    if CALLS.load(Ordering::Relaxed) != 0 {
        // SAFETY: the interpreter calls this with a class and a name.
        unsafe { note(owner, name, (*owner.cast::<ffi::PyTypeObject>()).tp_dict) };
    }
    // SAFETY: what was there before this was put in its place.
    let set: Set = unsafe { std::mem::transmute(OF_CLASSES.load(Ordering::Relaxed)) };
    // SAFETY: as the interpreter calls it.
    unsafe { set(owner, name, value) }
}

/// Notes what a name stands for, unless it is the project's own.
///
/// # Safety
/// The interpreter is held; the dict is the owner's, or null.
unsafe fn note(owner: *mut ffi::PyObject, name: *mut ffi::PyObject, names: *mut ffi::PyObject) {
    // SAFETY: the caller's promise.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: as above; both are alive.
    let (owner, name) = unsafe {
        (
            Bound::from_borrowed_ptr(py, owner),
            Bound::from_borrowed_ptr(py, name),
        )
    };
    // SAFETY: as above.
    let names = unsafe { Bound::from_borrowed_ptr_or_opt(py, names) };
    let Some(names) = names.and_then(|names| names.cast_into_exact::<PyDict>().ok()) else {
        return;
    };
    let Ok(name) = name.cast_into_exact::<PyString>() else {
        return;
    };
    let Some(own) = locked(&OWN).as_ref().map(|own| own.clone_ref(py)) else {
        return;
    };
    if own.get().has_names(&names) {
        return;
    }
    // SAFETY: the interpreter is held; none where no Python code runs.
    let globals = unsafe { ffi::PyEval_GetGlobals() } as usize;
    let key = [owner.as_ptr() as usize, name.as_ptr() as usize, globals];
    if !locked(&BOUND).known.insert(key) {
        return;
    }
    let (who, by) = author(py, own.get());
    let noted = Binding {
        owner: owner.unbind(),
        before: names.get_item(&name).ok().flatten().map(Bound::unbind),
        name: name.unbind(),
        who,
        by: by.unwrap_or_else(|| py.None()),
    };
    locked(&BOUND).bindings.push(noted);
    COUNT.fetch_add(1, Ordering::Relaxed);
}

/// Whose code runs, and the name of its module.
fn author(py: Python<'_>, own: &Own) -> (Who, Option<Py<PyAny>>) {
    let (mut who, mut by) = (Who::Project, None);
    // SAFETY: the interpreter is held; the frame that runs is alive, and so is each that called it.
    unsafe {
        let first = ffi::PyEval_GetFrame().cast::<ffi::PyObject>();
        let mut frame = Bound::from_borrowed_ptr_or_opt(py, first);
        for _ in 0..MOST_FRAMES {
            let Some(here) = frame else {
                break;
            };
            let at = here.as_ptr().cast::<ffi::PyFrameObject>();
            let globals = Bound::from_owned_ptr(py, ffi::PyFrame_GetGlobals(at));
            if own.has_space(&globals) {
                return (who, by);
            }
            let code = Bound::from_owned_ptr(py, ffi::PyFrame_GetCode(at).cast());
            let is_import = code
                .getattr("co_name")
                .is_ok_and(|name| name.extract::<&str>().is_ok_and(|name| name == "<module>"));
            if is_import {
                who = Who::Import;
            } else if by.is_none() {
                who = Who::Library;
            }
            if by.is_none() {
                let name = globals.cast::<PyDict>().ok();
                let name = name.and_then(|names| names.get_item("__name__").ok().flatten());
                by = name.map(Bound::unbind);
            }
            frame = Bound::from_owned_ptr_or_opt(py, ffi::PyFrame_GetBack(at).cast());
        }
    }
    (who, by)
}

fn locked<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}
