//! In a copy: a function that runs is left in the midst of it, with a value of Cord's choice.
//!
//! An exception goes up to the function's frame. There an exception table of ours catches it, and leads to
//! some instructions of ours: they drop the exception, load the frame's first variable, which is the
//! value by then, and return it; or they raise it, where it is what leaves the function's caller. Both lie over the function's own until the exception is gone; whoever
//! calls the function next looks for pending calls first, and one of these puts them back.

use std::cell::{Cell, RefCell};
use std::ffi::{c_int, c_void};

use pyo3::exceptions::{PyBaseException, PyRuntimeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFrame};

use super::is_copy;

/// Where in a frame object its inner frame is, in words.
const INNER: usize = 3;
/// So many words of an inner frame come before its variables, in all versions of Python.
const HEAD: usize = 9;

type Word = *mut ffi::PyObject;

thread_local! {
    /// What lies under what was written.
    static WRITTEN: RefCell<Vec<Written>> = const { RefCell::new(Vec::new()) };
    /// So many functions are to be left yet.
    static OPEN: Cell<usize> = const { Cell::new(0) };
}

struct Written {
    table: *mut Word,
    before: Word,
    at: *mut u8,
    bytes: Vec<u8>,
}

/// Goes up to a frame that is left.
#[pyclass(extends = PyBaseException, module = "cord._core")]
struct Leaving;

#[pymethods]
impl Leaving {
    #[new]
    fn new() -> Leaving {
        OPEN.set(OPEN.get() + 1);
        Leaving
    }
}

impl Drop for Leaving {
    fn drop(&mut self) {
        let open = OPEN.get() - 1;
        OPEN.set(open);
        if open == 0 {
            // SAFETY: the function needs nothing, and lives as long as the process. Not at once: the
            // instruction behind this one is still ours.
            unsafe { ffi::Py_AddPendingCall(Some(put_back), std::ptr::null_mut()) };
        }
    }
}

extern "C" fn put_back(_: *mut c_void) -> c_int {
    for written in WRITTEN.take().into_iter().rev() {
        // SAFETY: this is where it was; functions of a copy's frames live as long as it does.
        unsafe {
            *written.table = written.before;
            written
                .at
                .copy_from_nonoverlapping(written.bytes.as_ptr(), written.bytes.len());
        }
    }
    0
}

/// Leave the function of a frame that is running, and of no other that is called by it, with a value.
///
/// Args:
///     frame: Of a function with variables that is no generator.
///     value: What it returns.
///     at: Where in its code, in bytes, the instructions are written.
///     instructions: They drop what is on the stack, load the first variable and return.
///     table: Leads there from everywhere, with an empty stack.
///
/// Returns:
///     What is raised at once, and goes up to the frame.
///
/// Raises:
///     RuntimeError: This interpreter's frames do not lie in memory as is known here.
#[pyfunction]
pub fn leave<'py>(
    frame: &Bound<'py, PyFrame>,
    value: Bound<'py, PyAny>,
    at: usize,
    instructions: &[u8],
    table: &Bound<'py, PyBytes>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = frame.py();
    let refused = || PyRuntimeError::new_err("frames do not lie as is known");
    let code = frame.getattr("f_code")?;
    let inner = inner_of(frame, &code).ok_or_else(refused)?;
    let found = table_of(&code)?.ok_or_else(refused)?;
    let start: usize = code.get_type().getattr("__basicsize__")?.extract()?;
    let size = code
        .getattr("co_code")?
        .cast_into::<PyBytes>()?
        .as_bytes()
        .len();
    if !is_copy() || at + instructions.len() > size {
        return Err(refused());
    }
    let leaving = Bound::new(py, Leaving::new())?;
    // SAFETY: the code's own instructions, and its table, which nobody else reads meanwhile: the
    // interpreter's lock is held. The frame's variables are its own, and it has one.
    unsafe {
        let at = code.as_ptr().cast::<u8>().add(start + at);
        let bytes = std::slice::from_raw_parts(at, instructions.len()).to_vec();
        at.copy_from_nonoverlapping(instructions.as_ptr(), instructions.len());
        let before = *found;
        *found = table.clone().into_ptr();
        *inner.add(HEAD) = value.into_ptr();
        WRITTEN.with_borrow_mut(|all| {
            all.push(Written {
                table: found,
                before,
                at,
                bytes,
            });
        });
    }
    Ok(leaving.into_any())
}

/// What a frame that is running holds, from its first variable on: variables and cells, then what is on
/// its stack.
#[pyfunction]
pub fn held_by<'py>(
    frame: &Bound<'py, PyFrame>,
    count: usize,
) -> PyResult<Option<Vec<Option<Bound<'py, PyAny>>>>> {
    let code = frame.getattr("f_code")?;
    let Some(inner) = inner_of(frame, &code) else {
        return Ok(None);
    };
    let held = (0..count).map(|at| {
        // SAFETY: the caller knows that there are so many.
        unsafe { Bound::from_borrowed_ptr_or_opt(frame.py(), *inner.add(HEAD + at)) }
    });
    Ok(Some(held.collect()))
}

/// Whether a frame's function was called by an instruction of its caller's, not by code in C.
#[pyfunction]
pub fn called_directly(frame: &Bound<'_, PyFrame>, caller: &Bound<'_, PyFrame>) -> PyResult<bool> {
    let inner = inner_of(frame, &frame.getattr("f_code")?);
    let outer = inner_of(caller, &caller.getattr("f_code")?);
    let (Some(inner), Some(outer)) = (inner, outer) else {
        return Ok(false);
    };
    // SAFETY: a frame has so many words.
    let words = unsafe { std::slice::from_raw_parts(inner, HEAD) };
    Ok(words.contains(&outer.cast()) && !is_entered(frame.py(), words))
}

/// Whether code in C has called the function. Later versions have a frame of C's own between both.
fn is_entered(py: Python<'_>, words: &[Word]) -> bool {
    const OF_ENTRIES: usize = 1 << 32; // behind a number of 32 bits, in the last word
    py.version_info() < (3, 12) && words[HEAD - 1] as usize & OF_ENTRIES != 0
}

/// The words of a frame, if it is one as is known here.
fn inner_of(frame: &Bound<'_, PyFrame>, code: &Bound<'_, PyAny>) -> Option<*mut Word> {
    // SAFETY: a frame object has so many words, and leads to a frame, which has.
    unsafe {
        let inner = *frame.as_ptr().cast::<*mut Word>().add(INNER);
        let words = std::slice::from_raw_parts(inner, HEAD);
        let is_known = words.contains(&frame.as_ptr()) && words.contains(&code.as_ptr());
        is_known.then_some(inner)
    }
}

/// Where a code refers to its exception table.
fn table_of(code: &Bound<'_, PyAny>) -> PyResult<Option<*mut Word>> {
    let table = code.getattr("co_exceptiontable")?;
    let size: usize = code.get_type().getattr("__basicsize__")?.extract()?;
    let words = code.as_ptr().cast::<Word>();
    // SAFETY: the object has so many words before its instructions.
    let mut found =
        (2..size / size_of::<Word>()).filter(|at| unsafe { *words.add(*at) } == table.as_ptr());
    let (Some(at), None) = (found.next(), found.next()) else {
        return Ok(None);
    };
    // SAFETY: as above.
    Ok(Some(unsafe { words.add(at) }))
}
