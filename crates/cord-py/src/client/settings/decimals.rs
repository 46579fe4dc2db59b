//! Contexts of decimal arithmetic, which are changed where they lie.

use std::ops::Range;
use std::sync::OnceLock;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Where its settings lie in a context (`PyDecContextObject` and `mpd_context_t`); between them are the
/// flags, which arithmetic sets.
const PARTS: [Range<usize>; 3] = [16..44, 48..64, 80..84];
const BYTES: usize = 48;

/// A context as it was noted.
pub struct NotedDecimals {
    context: Py<PyAny>,
    bytes: [u8; BYTES],
}

impl NotedDecimals {
    /// None where contexts do not lie in memory as is known here.
    pub fn of(context: &Bound<'_, PyAny>) -> Option<NotedDecimals> {
        static KNOWN: OnceLock<bool> = OnceLock::new();
        let class = context.get_type();
        let is_known = || is_known(class.as_any()).unwrap_or(false);
        // an object of a subclass lies so too, and then has its dict
        KNOWN.get_or_init(is_known).then(|| NotedDecimals {
            context: context.clone().unbind(),
            // SAFETY: `is_known` has seen such an object.
            bytes: unsafe { bytes_of(context.as_ptr()) },
        })
    }

    pub fn is_same(&self) -> bool {
        // SAFETY: see `of`.
        unsafe { bytes_of(self.context.as_ptr()) == self.bytes }
    }
}

/// # Safety
/// It is a context, and lies as is known here.
unsafe fn bytes_of(context: *mut ffi::PyObject) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    let mut to = 0;
    for part in PARTS {
        // SAFETY: the caller's promise.
        let from = unsafe { context.cast::<u8>().add(part.start) };
        // SAFETY: as above; the parts have so many bytes together.
        unsafe { from.copy_to_nonoverlapping(bytes[to..].as_mut_ptr(), part.len()) };
        to += part.len();
    }
    bytes
}

/// Makes a context that is like no other, and looks whether it lies there.
fn is_known(class: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = class.py();
    let wanted = PyDict::new(py);
    wanted.set_item("prec", 17)?;
    wanted.set_item("Emin", -99)?;
    wanted.set_item("Emax", 98)?;
    wanted.set_item("capitals", 0)?;
    wanted.set_item("clamp", 1)?;
    let probe = class.call((), Some(&wanted))?;
    let size: usize = class.getattr("__basicsize__")?.extract()?;
    if size < PARTS[2].end {
        return Ok(false);
    }
    let start = probe.as_ptr().cast::<u8>();
    // SAFETY: the object has so many bytes.
    let word = |at: usize| unsafe { *start.add(at).cast::<isize>() };
    // SAFETY: as above.
    let half = |at: usize| unsafe { *start.add(at).cast::<i32>() };
    let are_words = word(16) == 17 && word(24) == 98 && word(32) == -99;
    Ok(are_words && half(56) == 1 && half(80) == 0)
}
