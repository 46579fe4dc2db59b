//! Numbers that change with each draw from random numbers that the process shares.

use pyo3::ffi;
use pyo3::prelude::*;

/// # Safety
/// There are eight bytes there.
pub unsafe fn number_at(at: usize) -> u64 {
    // SAFETY: the caller's promise.
    unsafe { (at as *const u64).read_unaligned() }
}

/// Where the state of a bit generator of numpy's lies, by the capsule that it shows.
#[pyfunction]
pub fn state_in_capsule(capsule: &Bound<'_, PyAny>) -> Option<usize> {
    // SAFETY: a capsule of this name holds a structure whose first field leads to the state.
    unsafe {
        let name = c"BitGenerator";
        if ffi::PyCapsule_IsValid(capsule.as_ptr(), name.as_ptr()) == 0 {
            return None;
        }
        let place = ffi::PyCapsule_GetPointer(capsule.as_ptr(), name.as_ptr());
        (!place.is_null()).then(|| place.cast::<usize>().read())
    }
}
