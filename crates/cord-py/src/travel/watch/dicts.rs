//! Dicts: their versions, and what is in them.

use std::ops::Range;
use std::sync::OnceLock;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A dict as it lies in memory up to Python 3.13.
#[repr(C)]
struct Fields {
    head: ffi::PyObject,
    used: isize,
    /// No two states of any dicts have the same.
    version: u64,
    keys: *mut u8,
    /// Null, unless it shares its keys with others.
    values: *mut u8,
}

/// The keys and values of a dict, in order.
pub struct Pairs {
    dict: *mut ffi::PyObject,
    position: isize,
}

impl Pairs {
    /// # Safety
    /// It is a dict, which does not change while this is used.
    pub unsafe fn of(dict: *mut ffi::PyObject) -> Pairs {
        Pairs { dict, position: 0 }
    }

    /// The dict's version; none if it has one that does not tell all changes: a dict that shares its
    /// keys shares its values with an object.
    ///
    /// # Safety
    /// It is a dict.
    pub unsafe fn version(dict: *mut ffi::PyObject) -> Option<u64> {
        if !dicts_have_versions() {
            return None;
        }
        // SAFETY: the caller's promise, and they lie so in this Python.
        let fields = unsafe { &*dict.cast::<Fields>() };
        fields.values.is_null().then_some(fields.version)
    }
}

impl Iterator for Pairs {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<(usize, usize)> {
        let (mut key, mut value) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: `of` promises that it is a dict.
        let found =
            unsafe { ffi::PyDict_Next(self.dict, &mut self.position, &mut key, &mut value) };
        (found != 0).then_some((key as usize, value as usize))
    }
}

/// A dict's version, if that tells all its changes.
#[inline]
pub fn dict_version(dict: &Bound<'_, PyDict>) -> Option<u64> {
    // SAFETY: it is a dict.
    unsafe { Pairs::version(dict.as_ptr()) }
}

/// What a dict's version was and what it is, with an item that Cord has put into it.
static WITH_ITEM: OnceLock<(u64, u64)> = OnceLock::new();

/// Whether the program has changed nothing in a dict between these versions.
pub fn is_same_version(before: u64, now: u64) -> bool {
    before == now || WITH_ITEM.get() == Some(&(before, now))
}

/// Puts an item of Cord's into a dict of the interpreter's, in a copy: no watch takes that for a change.
#[pyfunction]
pub fn put_unseen(
    dict: &Bound<'_, PyDict>,
    key: &Bound<'_, PyAny>,
    value: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let before = dict_version(dict);
    dict.set_item(key, value)?;
    if let (Some(before), Some(now)) = (before, dict_version(dict)) {
        let _ = WITH_ITEM.set((before, now));
    }
    Ok(())
}

fn dicts_have_versions() -> bool {
    static KNOWN: OnceLock<bool> = OnceLock::new();
    *KNOWN.get_or_init(|| {
        // SAFETY: whoever looks at dicts holds the interpreter.
        let py = unsafe { Python::assume_attached() };
        py.version_info() < (3, 14)
    })
}

/// The memory that must be written for a dict to change, if it is known.
///
/// # Safety
/// It is a dict.
pub unsafe fn dict_memory(dict: *mut ffi::PyObject) -> Option<[Range<usize>; 2]> {
    if !dicts_have_versions() {
        return None;
    }
    // SAFETY: the caller's promise, and they lie so in this Python.
    let values = unsafe { (*dict.cast::<Fields>()).values } as usize;
    let head = dict as usize..dict as usize + size_of::<Fields>();
    if values == 0 {
        return Some([head, 0..0]); // any change is one of its version
    }
    Some([head, values - BEFORE_VALUES..values + VALUES])
}

/// The values of a dict that shares its keys: at most thirty, and on either side a byte for each that
/// says in which order they came.
const VALUES: usize = 30 * size_of::<usize>() + BEFORE_VALUES;
const BEFORE_VALUES: usize = 40;

/// What is noted of a dict: its version or 0, and what is in it.
///
/// # Safety
/// It is a dict.
pub unsafe fn dict_words(dict: *mut ffi::PyObject, words: &mut Vec<usize>) {
    // SAFETY: the caller's promise; nothing runs while it is read.
    unsafe {
        words.push(Pairs::version(dict).unwrap_or(0) as usize);
        words.extend(Pairs::of(dict).flat_map(|(key, value)| [key, value]));
    }
}

/// Whether a dict is as it was noted. A new version is noted if the same is in it.
///
/// # Safety
/// It is a dict.
pub unsafe fn is_same_dict(dict: *mut ffi::PyObject, words: &mut [usize]) -> bool {
    // SAFETY: the caller's promise; nothing runs while it is read.
    unsafe {
        let version = Pairs::version(dict).map_or(0, |version| version as usize);
        if version != 0 && version == words[0] {
            return true;
        }
        let mut now = Pairs::of(dict);
        let before = words[1..].chunks_exact(2);
        let is_same = before
            .clone()
            .all(|pair| now.next() == Some((pair[0], pair[1])));
        if !is_same || now.next().is_some() {
            return false;
        }
        words[0] = version;
        true
    }
}
