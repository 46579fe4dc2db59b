//! Memory that is compared with what it held, of which the kernel may tell what was written.

use pyo3::ffi;

use crate::travel::unwritten::Unwritten;

/// What is known of memory that may be large.
#[derive(Default)]
pub struct Memory {
    /// Where it was last.
    start: usize,
    unwritten: Unwritten,
}

impl Memory {
    /// Whether `now` holds what `before` does. The interpreter is held.
    pub fn is_same(&mut self, now: &[u8], before: &[u8]) -> bool {
        if now.len() != before.len() {
            return false;
        }
        let start = now.as_ptr() as usize;
        if start != self.start {
            *self = Memory {
                start,
                ..Memory::default()
            };
        }
        let looked = self.unwritten.look(now);
        let same = looked.finds_same(now, before);
        self.unwritten.was_compared(looked, same);
        same
    }
}

/// Words as bytes.
pub fn bytes_of(words: &[usize], len: usize) -> &[u8] {
    assert!(len <= size_of_val(words));
    // SAFETY: so many bytes are there.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), len) }
}

/// Notes bytes as words.
pub fn note_bytes(bytes: &[u8], words: &mut Vec<usize>) {
    let count = bytes.len() / size_of::<usize>();
    let (whole, rest) = bytes.split_at(count * size_of::<usize>());
    words.reserve(count + 1);
    let end = words.len();
    // SAFETY: there is room for so many, which are written, and it is not where they come from.
    unsafe {
        let place = words.as_mut_ptr().add(end).cast();
        std::ptr::copy_nonoverlapping(whole.as_ptr(), place, whole.len());
        words.set_len(end + count);
    }
    if !rest.is_empty() {
        let mut last = [0; size_of::<usize>()];
        last[..rest.len()].copy_from_slice(rest);
        words.push(usize::from_ne_bytes(last));
    }
}

/// The memory that an object shows.
pub struct Shown(Box<ffi::Py_buffer>);

impl Shown {
    pub fn bytes(&self) -> &[u8] {
        let len = usize::try_from(self.0.len).unwrap_or(0);
        if len == 0 {
            return &[];
        }
        // SAFETY: the object keeps so many bytes there while it shows them.
        unsafe { std::slice::from_raw_parts(self.0.buf.cast(), len) }
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        // SAFETY: it was filled, and is given back once, with the interpreter held.
        unsafe { ffi::PyBuffer_Release(&raw mut *self.0) }
    }
}

/// The memory of an object that shows it.
///
/// # Safety
/// It is an object, and the interpreter is held while the result lives.
pub unsafe fn memory_of(object: *mut ffi::PyObject) -> Option<Shown> {
    let mut view = Box::new(ffi::Py_buffer::new());
    // SAFETY: the caller's promise.
    unsafe {
        if ffi::PyObject_GetBuffer(object, &raw mut *view, ffi::PyBUF_SIMPLE) == 0 {
            return Some(Shown(view));
        }
        ffi::PyErr_Clear();
    }
    None
}
