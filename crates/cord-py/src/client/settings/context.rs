//! The root that all context variables of a thread hang on: it is another one after any change.

use std::sync::OnceLock;

use pyo3::ffi;
use pyo3::prelude::*;

/// Where it is found, in words from the start of each: found out by looking.
#[derive(Clone, Copy)]
struct Layout {
    /// The context, in the thread's state.
    context: usize,
    /// The root, in the context.
    root: usize,
    /// How many variables it has, in the root.
    count: usize,
}

/// So many words of a thread's state are looked through: it is longer in all versions of Python.
const STATE: usize = 40;
/// Words of a context, and of a root; of both the first two are those of all objects. What follows these of a
/// context is half a word and a half that nobody has written.
const CONTEXT: std::ops::Range<usize> = 2..5;
const COUNT: usize = 4;

/// The root of this thread's variables, null where there are none; `Err` where it is not known how to
/// find it.
#[inline]
pub fn root(py: Python<'_>) -> Result<*mut ffi::PyObject, ()> {
    static LAYOUT: OnceLock<Option<Layout>> = OnceLock::new();
    let layout = LAYOUT.get_or_init(|| find(py)).as_ref().ok_or(())?;
    // SAFETY: the thread is attached, and `find` has seen these there.
    unsafe {
        let state = ffi::PyThreadState_Get().cast::<*mut *mut ffi::PyObject>();
        let context = *state.add(layout.context);
        if context.is_null() {
            return Ok(std::ptr::null_mut());
        }
        let root = *context.add(layout.root);
        let is_empty = root.is_null() || *root.cast::<usize>().add(layout.count) == 0;
        Ok(if is_empty { std::ptr::null_mut() } else { root })
    }
}

/// Looks where they lie, in a context of its own.
fn find(py: Python<'_>) -> Option<Layout> {
    // SAFETY: the thread is attached; all that is read lies within the objects, see above; what is
    // entered is left.
    unsafe {
        let new = |object| Bound::from_owned_ptr_or_err(py, object).ok();
        let context = new(ffi::PyContext_New())?;
        let name = c"cord".as_ptr();
        let variable = new(ffi::PyContextVar_New(name, std::ptr::null_mut()))?;
        if ffi::PyContext_Enter(context.as_ptr()) != 0 {
            return None;
        }
        let token = ffi::PyContextVar_Set(variable.as_ptr(), ffi::Py_None());
        ffi::Py_XDECREF(token);
        let state = ffi::PyThreadState_Get().cast::<*mut ffi::PyObject>();
        let words = std::slice::from_raw_parts(state, STATE);
        let mut places = (0..STATE).filter(|at| words[*at] == context.as_ptr());
        let found = (places.next(), places.next());
        ffi::PyContext_Exit(context.as_ptr());
        let (Some(place), None) = found else {
            return None;
        };
        let copied = new(ffi::PyContext_Copy(context.as_ptr()))?;
        let words = |one: &Bound<'_, PyAny>| one.as_ptr().cast::<*mut ffi::PyObject>();
        let mut roots = CONTEXT.filter(|at| {
            let root = *words(&context).add(*at);
            !root.is_null() && root == *words(&copied).add(*at)
        });
        let (Some(root), None) = (roots.next(), roots.next()) else {
            return None;
        };
        let table = (*words(&context).add(root)).cast::<usize>();
        (*table.add(COUNT) == 1).then_some(Layout {
            context: place,
            root,
            count: COUNT,
        })
    }
}
