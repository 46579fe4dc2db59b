//! The functions of Python's that wait, and how they come to lead by way of `standing`.

use std::sync::atomic::{AtomicUsize, Ordering};

use cord_copies::can_have_threads;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::entered::Entered;
use super::{own_place, parked, stand_at, stuck};

/// A function of Python's that waits: a module that may be loaded, a class in it, or something whose class
/// it is, and the name.
struct Waits {
    module: &'static str,
    class: Option<&'static str>,
    name: &'static str,
}

const fn of(module: &'static str, class: &'static str, name: &'static str) -> Waits {
    Waits {
        module,
        class: Some(class),
        name,
    }
}

const fn function(module: &'static str, name: &'static str) -> Waits {
    Waits {
        module,
        class: None,
        name,
    }
}

const ALL: [Waits; 16] = [
    of("_thread", "LockType", "acquire"),
    of("_thread", "LockType", "acquire_lock"),
    of("_thread", "LockType", "__enter__"),
    of("_thread", "RLock", "acquire"),
    of("_thread", "RLock", "__enter__"),
    of("_thread", "_ThreadHandle", "join"),
    function("_thread", "_shutdown"),
    of("_queue", "SimpleQueue", "get"),
    of("_multiprocessing", "SemLock", "acquire"),
    of("_multiprocessing", "SemLock", "__enter__"),
    of("select", "epoll", "poll"),
    of("select", "poll", "poll"),
    function("select", "select"),
    function("time", "sleep"),
    function("posix", "read"),
    function("posix", "readv"),
];

/// What is called with six arguments or fewer, however many it takes.
type Function =
    unsafe extern "C-unwind" fn(usize, usize, usize, usize, usize, usize) -> *mut ffi::PyObject;

static ORIGINALS: [AtomicUsize; ALL.len()] = [const { AtomicUsize::new(0) }; ALL.len()];
/// All are led here that are loaded, as far as was last looked.
static FOUND: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C-unwind" fn call(entered: *mut Entered) -> *mut ffi::PyObject {
    // SAFETY: with what Python has given.
    unsafe {
        let [a, b, c, d, e, f] = (*entered).args;
        let original = std::mem::transmute::<usize, Function>((*entered).original);
        original(a, b, c, d, e, f)
    }
}

/// In a copy: the thread has let go of the interpreter while it waited.
unsafe extern "C-unwind" fn call_again(entered: *mut Entered) -> *mut ffi::PyObject {
    // SAFETY: its own state, which nobody else has.
    unsafe {
        ffi::PyEval_RestoreThread((*entered).state);
        call(entered)
    }
}

/// In place of a function that waits. Nothing here has to be undone if the thread ends within it.
unsafe extern "C-unwind" fn stand<const N: usize>(
    a: usize,
    b: usize,
    c: usize,
    d: usize,
    e: usize,
    f: usize,
) -> *mut ffi::PyObject {
    // SAFETY: what was there before; the interpreter is held.
    unsafe {
        let original = ORIGINALS[N].load(Ordering::Relaxed);
        let Some(place) = own_place() else {
            let original = std::mem::transmute::<usize, Function>(original);
            return original(a, b, c, d, e, f);
        };
        let mut entered = Entered {
            stack: 0,
            call,
            in_copy: call_again,
            original,
            args: [a, b, c, d, e, f],
            state: ffi::PyThreadState_Get(),
            outer: std::ptr::null_mut(),
        };
        stand_at(place, &mut entered)
    }
}

/// One for each function.
const LEADS: [Function; ALL.len()] = [
    stand::<0>,
    stand::<1>,
    stand::<2>,
    stand::<3>,
    stand::<4>,
    stand::<5>,
    stand::<6>,
    stand::<7>,
    stand::<8>,
    stand::<9>,
    stand::<10>,
    stand::<11>,
    stand::<12>,
    stand::<13>,
    stand::<14>,
    stand::<15>,
];

/// What Python keeps of a method of a class that is written in C.
#[repr(C)]
struct Method {
    head: ffi::PyObject,
    class: usize,
    name: usize,
    qualified: usize,
    definition: *mut ffi::PyMethodDef,
}

/// Leads all functions that wait here, of the modules that are loaded. If that fails, copies have one thread.
pub fn watch(py: Python<'_>) {
    if let Some(modules) = modules(py).filter(|_| can_have_threads()) {
        if FOUND.swap(modules.len(), Ordering::Relaxed) != modules.len() {
            let _ = lead_here(&modules);
            stuck::remember(stuck::moving(py, super::stands));
        }
    }
}

fn modules(py: Python<'_>) -> Option<Bound<'_, PyDict>> {
    // SAFETY: the interpreter is held; a borrowed reference.
    let modules = unsafe { Bound::from_borrowed_ptr_or_opt(py, ffi::PyImport_GetModuleDict()) };
    modules?.cast_into().ok()
}

fn lead_here(modules: &Bound<'_, PyDict>) -> PyResult<()> {
    let py = modules.py();
    if !parked::can_be_forgotten(py) {
        return Ok(());
    }
    for (at, waits) in ALL.iter().enumerate() {
        if ORIGINALS[at].load(Ordering::Relaxed) != 0 {
            continue;
        }
        let Some(module) = modules.get_item(waits.module)? else {
            continue;
        };
        if let Some(definition) = definition(&module, waits)? {
            // SAFETY: Python's own table, which lasts as long as it does.
            unsafe {
                let function = &raw mut (*definition).ml_meth;
                let original = function.cast::<usize>().read();
                if LEADS.iter().any(|lead| *lead as usize == original) {
                    continue; // another name of the same
                }
                ORIGINALS[at].store(original, Ordering::Relaxed);
                function.cast::<usize>().write(LEADS[at] as usize);
            }
        }
    }
    Ok(())
}

fn definition(module: &Bound<'_, PyAny>, waits: &Waits) -> PyResult<Option<*mut ffi::PyMethodDef>> {
    let Some(class) = waits.class else {
        let Some(function) = module.getattr_opt(waits.name)? else {
            return Ok(None);
        };
        // SAFETY: of this very type.
        let is_function = unsafe { ffi::PyCFunction_CheckExact(function.as_ptr()) } == 1;
        return Ok(is_function
            .then(|| unsafe { (*function.as_ptr().cast::<ffi::PyCFunctionObject>()).m_ml }));
    };
    let Some(mut class) = module.getattr_opt(class)? else {
        return Ok(None);
    };
    if unsafe { ffi::PyType_Check(class.as_ptr()) } == 0 {
        class = class.call0()?.get_type().into_any();
    }
    let Some(method) = class.getattr_opt(waits.name)? else {
        return Ok(None);
    };
    let is_method = method.get_type().name()? == "method_descriptor";
    Ok(is_method.then(|| unsafe { (*method.as_ptr().cast::<Method>()).definition }))
}
