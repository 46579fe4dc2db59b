//! How much of its stack a thread has left. Replicas serve calls on top of others, without end where the
//! program has a recursion without end.

use std::cell::Cell;

use pyo3::exceptions::PyRecursionError;
use pyo3::PyResult;

/// So much is left for what one more call needs, and for all that comes of it.
const ROOM: usize = 512 * 1024;

thread_local! {
    /// Below this address there is less.
    static END: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Raises what plain Python raises in a recursion without end, while there is still room to do so.
///
/// # Errors
/// `RecursionError`.
pub fn require_room() -> PyResult<()> {
    let here = 0_u8;
    let end = END.get().unwrap_or_else(|| {
        let end = end_of_room();
        END.set(Some(end));
        end
    });
    match (&raw const here as usize) < end {
        true => Err(PyRecursionError::new_err(
            "maximum recursion depth exceeded",
        )),
        false => Ok(()),
    }
}

fn end_of_room() -> usize {
    let (mut start, mut size) = (std::ptr::null_mut(), 0);
    // SAFETY: the attributes are those of this thread, made here and given back.
    unsafe {
        let mut attributes = std::mem::zeroed::<libc::pthread_attr_t>();
        if libc::pthread_getattr_np(libc::pthread_self(), &raw mut attributes) != 0 {
            return 0;
        }
        libc::pthread_attr_getstack(&raw const attributes, &raw mut start, &raw mut size);
        libc::pthread_attr_destroy(&raw mut attributes);
    }
    start as usize + ROOM.min(size / 8)
}
