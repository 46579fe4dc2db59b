//! Texts in pickles.
//!
//! Python keeps one object for all texts of one value that it interns: names, keys, constants that
//! look like names. In a plain run such texts in several results are one object, which shows when
//! results are pickled together or compared by `is`. So a pickle tells which of its texts are
//! interned, by the opcode that is meant for long ones; to Python's own unpickler it means the same.
//! Empty texts and single letters are always written so: there is mostly one object for each of them in
//! any case, and whether that is interned depends on what else the process has run.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::opcodes::{LONG_TEXT, TEXT};
use crate::travel::large;

/// What says in the state of a text whether, and how, it is interned.
const INTERNED: u32 = 0b11;

/// Writes a text, without putting it into the memo.
pub fn write_text(out: &mut Vec<u8>, text: &Bound<'_, PyString>) -> Option<()> {
    let bytes = text.to_str().ok()?.as_bytes();
    match u8::try_from(bytes.len()) {
        Ok(length) if !is_single(bytes) && !is_interned(text) => {
            out.extend_from_slice(&[TEXT, length])
        }
        _ => {
            out.push(LONG_TEXT);
            out.extend_from_slice(&u32::try_from(bytes.len()).ok()?.to_le_bytes());
        }
    }
    out.try_reserve(bytes.len()).ok()?;
    out.extend_from_slice(bytes);
    Some(())
}

/// Writes the name of a function, which is read as such.
pub fn write_name(out: &mut Vec<u8>, name: &Bound<'_, PyString>) -> Option<()> {
    let bytes = name.to_str().ok()?.as_bytes();
    out.extend_from_slice(&[TEXT, u8::try_from(bytes.len()).ok()?]);
    out.extend_from_slice(bytes);
    Some(())
}

/// The text that stands behind the opcode for long ones.
pub fn read_long_text<'py>(py: Python<'py>, bytes: &[u8]) -> Option<Bound<'py, PyString>> {
    let text = std::str::from_utf8(bytes).ok()?;
    Some(match u8::try_from(bytes.len()) {
        Ok(_) => PyString::intern(py, text),
        Err(_) => large::text(py, text).ok()?,
    })
}

/// Whether this is empty or a single letter of those that there is one object for.
fn is_single(bytes: &[u8]) -> bool {
    matches!(bytes, [] | [_] | [0xC2 | 0xC3, _])
}

fn is_interned(text: &Bound<'_, PyString>) -> bool {
    let object = text.as_ptr().cast::<ffi::PyASCIIObject>();
    // SAFETY: every str begins so, and the interpreter is held. Its state begins with this number in
    // every Python, as the least bits on the machines that Cord runs on.
    let state = unsafe { (*object).state };
    state & INTERNED != 0
}
