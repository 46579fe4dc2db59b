//! In copies C functions that compute a value have another one in their place: of what is not known yet
//! they give what stands for the value.

use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyTuple, PyType};

use super::{classes, is_copy, MARK};
use crate::c_functions::{definition_of, replace};

pub type Object = *mut ffi::PyObject;
type Two = unsafe extern "C" fn(Object, Object) -> Object;
type Three = unsafe extern "C" fn(Object, *const Object, isize) -> Object;
type Four = unsafe extern "C" fn(Object, *const Object, isize, Object) -> Object;
type Five = unsafe extern "C" fn(Object, Object, *const Object, isize, Object) -> Object;

/// So many functions in C at most.
const COUNT: usize = 768;
/// So many objects of an argument are looked at, and so deep.
const MOST: usize = 4096;
const DEEPEST: usize = 4;

static ORIGINALS: [AtomicUsize; COUNT] = [const { AtomicUsize::new(0) }; COUNT];
static FLAGS: [AtomicUsize; COUNT] = [const { AtomicUsize::new(0) }; COUNT];
static FUNCTIONS: [AtomicPtr<ffi::PyObject>; COUNT] =
    [const { AtomicPtr::new(std::ptr::null_mut()) }; COUNT];
/// Those that put objects in order by a key, which only who calls it sees.
static KEYED: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];
/// Those that write texts, with their marks.
static WRITING: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];
/// Who is asked instead, and the class of what is not known.
static ASKED: PyOnceLock<(Py<PyAny>, Py<PyType>)> = PyOnceLock::new();

macro_rules! places {
    ($of:ident) => { places!($of: 0 64 128 192 256 320 384 448 512 576 640 704) };
    ($of:ident: $($base:literal)*) => { [$(places!(8 $of, $base)),*] };
    (8 $of:ident, $base:expr) => { [
        places!(1 $of, $base), places!(1 $of, $base + 8), places!(1 $of, $base + 16), places!(1 $of, $base + 24),
        places!(1 $of, $base + 32), places!(1 $of, $base + 40), places!(1 $of, $base + 48), places!(1 $of, $base + 56)
    ] };
    (1 $of:ident, $base:expr) => { [
        $of::<{ $base }>, $of::<{ $base + 1 }>, $of::<{ $base + 2 }>, $of::<{ $base + 3 }>,
        $of::<{ $base + 4 }>, $of::<{ $base + 5 }>, $of::<{ $base + 6 }>, $of::<{ $base + 7 }>
    ] };
}
type Places<F> = [[[F; 8]; 8]; COUNT / 64];
static TWO: Places<Two> = places!(two);
static THREE: Places<Three> = places!(three);
static FOUR: Places<Four> = places!(four);
static FIVE: Places<Five> = places!(five);

fn at<F: Copy>(places: &Places<F>, place: usize) -> F {
    places[place / 64][place / 8 % 8][place % 8]
}

// One of each for each place, thousands in all: what is in them costs each build and the module's size.
unsafe extern "C" fn two<const N: usize>(own: Object, args: Object) -> Object {
    // SAFETY: as the interpreter calls it, here and below.
    unsafe { two_at(N, own, args) }
}

unsafe extern "C" fn three<const N: usize>(own: Object, args: *const Object, n: isize) -> Object {
    unsafe { three_at(N, own, args, n) }
}

unsafe extern "C" fn four<const N: usize>(
    own: Object,
    args: *const Object,
    n: isize,
    names: Object,
) -> Object {
    unsafe { four_at(N, own, args, n, names) }
}

unsafe extern "C" fn five<const N: usize>(
    own: Object,
    class: Object,
    args: *const Object,
    n: isize,
    names: Object,
) -> Object {
    unsafe { five_at(N, own, class, args, n, names) }
}

#[inline(never)]
unsafe extern "C" fn two_at(place: usize, own: Object, args: Object) -> Object {
    // SAFETY: the original was put there together with what calls this, and is of its convention.
    unsafe {
        if let Some(made) = lifted_two(place, own, args) {
            return made;
        }
        let original: Two = std::mem::transmute(ORIGINALS[place].load(Ordering::Relaxed));
        original(own, args)
    }
}

#[inline(never)]
unsafe extern "C" fn three_at(place: usize, own: Object, args: *const Object, n: isize) -> Object {
    // SAFETY: see `two_at`.
    unsafe {
        if let Some(made) = lifted_three(place, own, args, n) {
            return made;
        }
        let original: Three = std::mem::transmute(ORIGINALS[place].load(Ordering::Relaxed));
        original(own, args, n)
    }
}

#[inline(never)]
unsafe extern "C" fn four_at(
    place: usize,
    own: Object,
    args: *const Object,
    n: isize,
    names: Object,
) -> Object {
    // SAFETY: see `two_at`.
    unsafe {
        if let Some(made) = lifted_fast(place, own, args, n, names) {
            return made;
        }
        let original: Four = std::mem::transmute(ORIGINALS[place].load(Ordering::Relaxed));
        original(own, args, n, names)
    }
}

#[inline(never)]
unsafe extern "C" fn five_at(
    place: usize,
    own: Object,
    class: Object,
    args: *const Object,
    n: isize,
    names: Object,
) -> Object {
    // SAFETY: see `two_at`.
    unsafe {
        if let Some(made) = lifted_fast(place, own, args, n, names) {
            return made;
        }
        let original: Five = std::mem::transmute(ORIGINALS[place].load(Ordering::Relaxed));
        original(own, class, args, n, names)
    }
}

unsafe fn lifted_two(place: usize, own: Object, args: Object) -> Option<Object> {
    // SAFETY: the caller's promise, here and below.
    unsafe {
        match c_int::try_from(FLAGS[place].load(Ordering::Relaxed)).unwrap_or_default() {
            ffi::METH_NOARGS => lifted_fast(place, own, std::ptr::null(), 0, std::ptr::null_mut()),
            ffi::METH_O => lifted_fast(place, own, &raw const args, 1, std::ptr::null_mut()),
            _ => lifted_tuple(place, own, args, std::ptr::null_mut()),
        }
    }
}

unsafe fn lifted_three(place: usize, own: Object, args: *const Object, n: isize) -> Option<Object> {
    // SAFETY: with keywords in a dict, the third argument is that.
    unsafe {
        match FLAGS[place].load(Ordering::Relaxed) & ffi::METH_FASTCALL as usize {
            0 => lifted_tuple(place, own, args.cast_mut().cast(), n as Object),
            _ => lifted_fast(place, own, args, n, std::ptr::null_mut()),
        }
    }
}

unsafe fn lifted_fast(
    place: usize,
    own: Object,
    args: *const Object,
    n: isize,
    names: Object,
) -> Option<Object> {
    // SAFETY: there are so many arguments.
    unsafe {
        let positional = usize::try_from(n).unwrap_or_default();
        let named = match names.is_null() {
            true => 0,
            false => usize::try_from(ffi::PyTuple_GET_SIZE(names)).unwrap_or_default(),
        };
        let args: &[Object] = match positional + named {
            0 => &[],
            all => std::slice::from_raw_parts(args, all),
        };
        if WRITING[place].load(Ordering::Relaxed)
            && args
                .first()
                .is_some_and(|one| ffi::PyUnicode_Check(*one) != 0)
        {
            return None;
        }
        let is_keyed = KEYED[place].load(Ordering::Relaxed) && named > 0;
        if !is_keyed && !is_unknown(own) && !args.iter().any(|one| is_unknown(*one)) {
            return None;
        }
        let py = Python::assume_attached();
        let options = PyDict::new(py);
        for (at, value) in args[positional..].iter().enumerate() {
            let name = ffi::PyTuple_GET_ITEM(names, at as isize);
            ffi::PyDict_SetItem(options.as_ptr(), name, *value);
        }
        Some(ask(py, place, own, &args[..positional], &options))
    }
}

unsafe fn lifted_tuple(place: usize, own: Object, args: Object, named: Object) -> Option<Object> {
    // SAFETY: a tuple, and a dict or null.
    unsafe {
        let is_keyed = KEYED[place].load(Ordering::Relaxed) && !named.is_null();
        let is_one = is_keyed || is_unknown(own) || is_unknown(args);
        if !is_one && (named.is_null() || !is_unknown(named)) {
            return None;
        }
        let py = Python::assume_attached();
        let size = ffi::PyTuple_GET_SIZE(args);
        let args: Vec<_> = (0..size)
            .map(|at| ffi::PyTuple_GET_ITEM(args, at))
            .collect();
        let options = match Bound::from_borrowed_ptr_or_opt(py, named) {
            Some(named) => named.cast_into_unchecked(),
            None => PyDict::new(py),
        };
        Some(ask(py, place, own, &args, &options))
    }
}

/// What stands for the value, or null if that raises.
unsafe fn ask(
    py: Python<'_>,
    place: usize,
    own: Object,
    args: &[Object],
    options: &Bound<'_, PyDict>,
) -> Object {
    // SAFETY: all of these are objects that the caller holds.
    unsafe {
        let function = Bound::from_borrowed_ptr(py, FUNCTIONS[place].load(Ordering::Relaxed));
        let is_method = ffi::Py_TYPE(function.as_ptr()) == &raw mut ffi::PyMethodDescr_Type;
        let own = is_method.then_some(own);
        let all = own.iter().chain(args);
        let all = all.map(|one| Bound::from_borrowed_ptr(py, *one));
        let made = PyTuple::new(py, all.collect::<Vec<_>>())
            .and_then(|args| call(py, &function, &args, options));
        match made {
            Ok(made) => made.into_ptr(),
            Err(error) => {
                error.restore(py);
                std::ptr::null_mut()
            }
        }
    }
}

/// Asks for what stands for a function's value; none of a list is its item.
pub fn call<'py>(
    py: Python<'py>,
    function: &Bound<'py, PyAny>,
    args: &Bound<'py, PyTuple>,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    match ASKED.get(py) {
        Some((asked, _)) => asked.bind(py).call1((function, args, options)),
        None => Err(PyRuntimeError::new_err("nobody is there to be asked")),
    }
}

/// Whether something stands for a value, or has such in it.
pub unsafe fn is_unknown(thing: Object) -> bool {
    // SAFETY: the caller has an object, or null.
    unsafe { !thing.is_null() && has_unknown(thing, 0, &mut { MOST }) }
}

unsafe fn has_unknown(thing: Object, depth: usize, left: &mut usize) -> bool {
    if *left == 0 {
        return false;
    }
    *left -= 1;
    // SAFETY: an object that somebody holds; what is in it is looked at while nothing else runs.
    unsafe {
        let class = ffi::Py_TYPE(thing);
        if class == &raw mut ffi::PyUnicode_Type {
            return has_mark(thing);
        }
        if is_made(class) {
            let py = Python::assume_attached();
            return ASKED
                .get(py)
                .is_some_and(|(_, leaf)| ffi::PyType_IsSubtype(class, leaf.as_ptr().cast()) != 0);
        }
        if depth == DEEPEST {
            return false;
        }
        if depth == 0 && is_iterator(class) {
            return true; // who is asked looks into it
        }
        if class == &raw mut ffi::PyList_Type {
            let size = ffi::PyList_GET_SIZE(thing);
            return (0..size)
                .any(|at| has_unknown(ffi::PyList_GET_ITEM(thing, at), depth + 1, left));
        }
        if class == &raw mut ffi::PyTuple_Type {
            let size = ffi::PyTuple_GET_SIZE(thing);
            return (0..size)
                .any(|at| has_unknown(ffi::PyTuple_GET_ITEM(thing, at), depth + 1, left));
        }
        if class == &raw mut ffi::PyDict_Type {
            let (mut at, mut value) = (0, std::ptr::null_mut());
            while ffi::PyDict_Next(thing, &raw mut at, std::ptr::null_mut(), &raw mut value) != 0 {
                if has_unknown(value, depth + 1, left) {
                    return true;
                }
            }
        }
        false
    }
}

/// Whether such an object gives items that nobody has seen.
fn is_iterator(class: *mut ffi::PyTypeObject) -> bool {
    class == &raw mut ffi::PyGen_Type
        || class == &raw mut ffi::PyMap_Type
        || class == &raw mut ffi::PyFilter_Type
        || class == &raw mut ffi::PyZip_Type
}

/// Whether it is a class that was made while the program runs, as those are that stand for values.
pub unsafe fn is_made(class: *mut ffi::PyTypeObject) -> bool {
    // SAFETY: the caller has a class.
    unsafe { (*class).tp_flags & ffi::Py_TPFLAGS_HEAPTYPE != 0 }
}

/// Whether a text has a mark in it, which texts of one byte a character have no place for.
unsafe fn has_mark(text: Object) -> bool {
    // SAFETY: it is a text; its characters are so many bytes each, in one piece.
    unsafe {
        let kind = ffi::PyUnicode_KIND(text);
        if kind != ffi::PyUnicode_2BYTE_KIND && kind != ffi::PyUnicode_4BYTE_KIND {
            return false;
        }
        let mark = MARK.chars().next().map_or(0, u32::from);
        let size = usize::try_from(ffi::PyUnicode_GET_LENGTH(text)).unwrap_or_default();
        let data = ffi::PyUnicode_DATA(text);
        match kind == ffi::PyUnicode_2BYTE_KIND {
            true => std::slice::from_raw_parts(data.cast::<u16>(), size)
                .iter()
                .any(|one| u32::from(*one) == mark),
            false => std::slice::from_raw_parts(data.cast::<u32>(), size).contains(&mark),
        }
    }
}

/// Whether something stands for a value, or has such in it.
#[pyfunction]
pub fn is_unknown_in(thing: &Bound<'_, PyAny>) -> bool {
    // SAFETY: an object that the caller holds.
    unsafe { is_unknown(thing.as_ptr()) }
}

/// Puts others in the place of C functions, and of what is called to make numbers of these classes.
///
/// # Errors
/// Where this process is the program: it keeps what it has.
#[pyfunction]
pub fn lift_functions(
    functions: &Bound<'_, PyList>,
    kinds: &Bound<'_, PyList>,
    asked: Bound<'_, PyAny>,
    leaf: Bound<'_, PyType>,
) -> PyResult<()> {
    let py = functions.py();
    if !is_copy() {
        return Err(PyRuntimeError::new_err("this is the program itself"));
    }
    let _ = ASKED.set(py, (asked.unbind(), leaf.unbind()));
    let mut seen = std::collections::HashSet::new();
    let own = functions.iter().filter_map(|function| {
        let definition = definition_of(&function);
        (!definition.is_null() && seen.insert(definition)).then_some((function, definition))
    });
    let mut place = 0;
    for (function, definition) in own {
        if place < COUNT && lift(place, definition) {
            let name = function.getattr("__name__")?;
            let is = |names: &[&str]| names.iter().any(|one| name.eq(one).unwrap_or(false));
            KEYED[place].store(is(&["sorted", "min", "max"]), Ordering::Relaxed);
            WRITING[place].store(is(&["write"]), Ordering::Relaxed);
            FUNCTIONS[place].store(function.into_ptr(), Ordering::Relaxed);
            place += 1;
        }
    }
    for class in kinds.iter() {
        classes::lift_class(&class.cast_into()?);
    }
    classes::lift_subscript();
    Ok(())
}

/// Whether another function is in its place now.
fn lift(place: usize, definition: *mut ffi::PyMethodDef) -> bool {
    const KINDS: c_int = ffi::METH_STATIC | ffi::METH_CLASS | ffi::METH_COEXIST;
    const FAST: c_int = ffi::METH_FASTCALL;
    const FAST_WITH: c_int = ffi::METH_FASTCALL | ffi::METH_KEYWORDS;
    const WITH: c_int = ffi::METH_VARARGS | ffi::METH_KEYWORDS;
    const WITH_CLASS: c_int = ffi::METH_METHOD | FAST_WITH;
    // SAFETY: it is one, and the replacement is of its convention. The lock is held.
    unsafe {
        let flags = (*definition).ml_flags & !KINDS;
        let replacement = match flags {
            ffi::METH_NOARGS | ffi::METH_O | ffi::METH_VARARGS => at(&TWO, place) as usize,
            FAST | WITH => at(&THREE, place) as usize,
            FAST_WITH => at(&FOUR, place) as usize,
            WITH_CLASS => at(&FIVE, place) as usize,
            _ => return false,
        };
        FLAGS[place].store(
            usize::try_from(flags).unwrap_or_default(),
            Ordering::Relaxed,
        );
        ORIGINALS[place].store(replace(definition, replacement), Ordering::Relaxed);
    }
    true
}
