//! C functions that change settings, heard of when they are called.
//!
//! A function of the same convention is put in the place of each, which calls it and counts.

use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use super::changed;
use super::start::{self, Start};
use crate::c_functions::{definition_of, replace};
use crate::python;

/// They are known by their places here.
const HEARD: [(&str, &str); 42] = [
    ("sys", "setrecursionlimit"),
    ("sys", "set_int_max_str_digits"),
    ("sys", "setswitchinterval"),
    ("time", "tzset"),
    ("_locale", "setlocale"),
    ("posix", "umask"),
    ("posix", "setuid"),
    ("posix", "seteuid"),
    ("posix", "setreuid"),
    ("posix", "setresuid"),
    ("posix", "setgid"),
    ("posix", "setegid"),
    ("posix", "setregid"),
    ("posix", "setresgid"),
    ("posix", "setgroups"),
    ("posix", "initgroups"),
    ("ctypes", "prctl"),
    ("_signal", "signal"),
    ("_warnings", "_filters_mutated"),
    ("_warnings", "_filters_mutated_lock_held"),
    ("resource", "setrlimit"),
    ("resource", "prlimit"),
    ("numpy.core._multiarray_umath", "seterrobj"),
    ("numpy._core._multiarray_umath", "seterrobj"),
    ("posix", "nice"),
    ("gc", "enable"),
    ("gc", "disable"),
    ("gc", "set_threshold"),
    ("sys", "setprofile"),
    ("sys", "settrace"),
    ("_codecs", "register"),
    ("_codecs", "register_error"),
    ("atexit", "register"),
    ("atexit", "unregister"),
    ("posix", "setpriority"),
    ("posix", "sched_setaffinity"),
    ("_signal", "alarm"),
    ("_signal", "setitimer"),
    ("_socket", "setdefaulttimeout"),
    ("_csv", "field_size_limit"),
    ("_csv", "register_dialect"),
    ("_csv", "unregister_dialect"),
];
const COUNT: usize = HEARD.len();
const TZSET: usize = 3;
const CREDENTIAL_CALLS: std::ops::Range<usize> = 6..17;
const LIMIT_CALLS: std::ops::Range<usize> = 20..22;
/// Functions of these modules have the names of those of the C library that they call.
const OF_C: [&str; 4] = ["posix", "resource", "_locale", "ctypes"];
/// The program has got at one of those by itself: nobody hears of its calls.
static IS_UNHEARD: AtomicBool = AtomicBool::new(false);

type Word = *mut ffi::PyObject;
type Two = unsafe extern "C" fn(Word, Word) -> Word;
type Three = unsafe extern "C" fn(Word, Word, Word) -> Word;
type Four = unsafe extern "C" fn(Word, Word, Word, Word) -> Word;

static ORIGINALS: [AtomicUsize; COUNT] = [const { AtomicUsize::new(0) }; COUNT];
static CALLED: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];
/// The time zone as the clock has it: `TZ` when `tzset` was last called, empty if it was not set.
static ZONE: Mutex<Option<Vec<u8>>> = Mutex::new(None);
unsafe extern "C" fn two<const N: usize>(a: Word, b: Word) -> Word {
    prepare(N);
    // SAFETY: it was put there together with this, and has this convention.
    let original: Two = unsafe { std::mem::transmute(ORIGINALS[N].load(Ordering::Relaxed)) };
    // SAFETY: as the interpreter calls it.
    let value = unsafe { original(a, b) };
    called(N);
    value
}

unsafe extern "C" fn three<const N: usize>(a: Word, b: Word, c: Word) -> Word {
    prepare(N);
    // SAFETY: see `two`.
    let original: Three = unsafe { std::mem::transmute(ORIGINALS[N].load(Ordering::Relaxed)) };
    // SAFETY: as the interpreter calls it.
    let value = unsafe { original(a, b, c) };
    called(N);
    value
}

unsafe extern "C" fn four<const N: usize>(a: Word, b: Word, c: Word, d: Word) -> Word {
    prepare(N);
    // SAFETY: see `two`.
    let original: Four = unsafe { std::mem::transmute(ORIGINALS[N].load(Ordering::Relaxed)) };
    // SAFETY: as the interpreter calls it.
    let value = unsafe { original(a, b, c, d) };
    called(N);
    value
}

/// One function for each place.
macro_rules! places {
    ($of:ident) => {
        places!($of: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34
            35 36 37 38 39 40 41)
    };
    ($of:ident: $($place:literal)*) => { [$($of::<$place>),*] };
}
static TWO: [Two; COUNT] = places!(two);
static THREE: [Three; COUNT] = places!(three);
static FOUR: [Four; COUNT] = places!(four);

/// Before users, groups or limits change in the program itself, what Cord needs later is loaded.
fn prepare(place: usize) {
    static IS_LOADED: AtomicBool = AtomicBool::new(false);
    let takes_away = CREDENTIAL_CALLS.contains(&place) || LIMIT_CALLS.contains(&place);
    if takes_away && Start::is_own() && !IS_LOADED.swap(true, Ordering::Relaxed) {
        // SAFETY: the interpreter calls this, and holds its lock.
        let py = unsafe { Python::assume_attached() };
        // what cannot be loaded now may be later, or is not needed
        let _ = python::LOAD_WHAT_IS_NEEDED.call(py, ());
    }
}

fn called(place: usize) {
    if super::READS.get() {
        return;
    }
    CALLED[place].store(true, Ordering::Relaxed);
    if place == TZSET {
        let zone = start::zone();
        *ZONE.lock().unwrap_or_else(PoisonError::into_inner) = Some(zone);
    }
    changed();
}

/// The program gets at a function of the C library's: if it changes settings, who knows when it is called.
/// Whether it is one of those.
pub fn found_in_c(name: &str) -> bool {
    let is_it = |(module, own): &(&str, &str)| *own == name && OF_C.contains(module);
    let Some(place) = HEARD.iter().position(is_it) else {
        return false;
    };
    prepare(place);
    IS_UNHEARD.store(true, Ordering::Relaxed);
    CALLED[place].store(true, Ordering::Relaxed);
    true
}

/// Whether settings may change and nobody hears of it.
pub fn are_unheard() -> bool {
    IS_UNHEARD.load(Ordering::Relaxed)
}

/// Hears of calls of all of them whose modules are loaded. One whose module is loaded later than the
/// first of this may have been called before.
pub fn listen(modules: &Bound<'_, PyDict>) {
    static BEGAN: AtomicBool = AtomicBool::new(false);
    let is_late = BEGAN.swap(true, Ordering::Relaxed);
    Start::of(modules.py());
    for (place, (module, name)) in HEARD.iter().enumerate() {
        if ORIGINALS[place].load(Ordering::Relaxed) != 0 {
            continue;
        }
        let Ok(Some(module)) = modules.get_item(module) else {
            continue;
        };
        let Ok(function) = module.getattr(*name) else {
            continue;
        };
        if hear(place, &function) && is_late {
            CALLED[place].store(true, Ordering::Relaxed);
        }
    }
}

/// Whether calls of it are heard of from now on.
fn hear(place: usize, function: &Bound<'_, PyAny>) -> bool {
    const KINDS: c_int = ffi::METH_STATIC | ffi::METH_CLASS | ffi::METH_COEXIST;
    const FAST: c_int = ffi::METH_FASTCALL;
    const FAST_WITH: c_int = ffi::METH_FASTCALL | ffi::METH_KEYWORDS;
    const WITH: c_int = ffi::METH_VARARGS | ffi::METH_KEYWORDS;
    let definition = definition_of(function);
    if definition.is_null() {
        return false;
    }
    // SAFETY: it is one, and the replacement is of its convention. The lock is held.
    unsafe {
        let replacement = match (*definition).ml_flags & !KINDS {
            ffi::METH_NOARGS | ffi::METH_O | ffi::METH_VARARGS => TWO[place] as usize,
            FAST | WITH => THREE[place] as usize,
            FAST_WITH => FOUR[place] as usize,
            _ => return false,
        };
        ORIGINALS[place].store(replace(definition, replacement), Ordering::Relaxed);
    }
    true
}

/// The functions that change settings and were ever called, as `posix.umask`.
#[pyfunction]
pub fn setting_calls() -> Vec<String> {
    let all = HEARD.iter().zip(&CALLED);
    let called = all.filter(|(_, called)| called.load(Ordering::Relaxed));
    called
        .map(|((module, name), _)| format!("{module}.{name}"))
        .collect()
}

/// `TZ` as it was when `tzset` was last called, empty if it was not set; none if that is as at first.
#[pyfunction]
pub fn zone_of_clock(py: Python<'_>) -> Option<Bound<'_, PyBytes>> {
    let zone = ZONE.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let zone = zone.filter(|zone| !Start::has_zone(zone));
    zone.map(|zone| PyBytes::new(py, &zone))
}

/// Lets all settings be told, for replicas are started with others than this process has.
#[pyfunction]
pub fn suspect_settings() {
    CALLED
        .iter()
        .for_each(|called| called.store(true, Ordering::Relaxed));
    Start::suspect();
    changed();
}

/// Why calls that any replica may serve are made by the program, if its users or groups are others
/// than at first: a replica that gives up what it may do could not take it up again for calls that were
/// issued before.
pub fn other_credentials() -> Option<&'static str> {
    let is_called = |place: usize| CALLED[place].load(Ordering::Relaxed);
    let are_others = CREDENTIAL_CALLS.into_iter().any(is_called) && Start::has_other_credentials();
    are_others.then_some(
        "the program has given up privileges, or has another user or other groups than at first",
    )
}
