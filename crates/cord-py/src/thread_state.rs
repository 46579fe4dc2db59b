//! What Cord reads and writes in the state of the interpreter's thread.

use pyo3::ffi;
use pyo3::prelude::*;

/// Where something is in it: bytes from its start (`struct _ts` in pystate.h, which is the same for all
/// releases of one version of Python).
struct Layout {
    remaining: usize,
    limit: usize,
    /// From 3.12 on calls by C code are counted by themselves, up to a fixed number.
    remaining_in_c: Option<usize>,
    /// Calls of C functions that count as frames do: that of who looks.
    counted: i32,
    /// The innermost frame; in two steps up to 3.12.
    frame: &'static [usize],
}

const V3_11: Layout = Layout {
    remaining: 32,
    limit: 36,
    remaining_in_c: None,
    counted: 1,
    frame: &[56, 8],
};
const V3_12: Layout = Layout {
    remaining: 28,
    limit: 32,
    remaining_in_c: Some(36),
    counted: 0,
    frame: &[56, 0],
};
const V3_13: Layout = Layout {
    remaining: 44,
    limit: 48,
    remaining_in_c: Some(52),
    counted: 0,
    frame: &[72],
};

/// The state of a thread that is attached.
pub struct ThreadState {
    start: *mut u8,
    layout: &'static Layout,
}

impl ThreadState {
    /// That of this thread; None where it is not known what it looks like.
    pub fn of(py: Python<'_>) -> Option<ThreadState> {
        let version = py.version_info();
        let layout = match (version.major, version.minor) {
            (3, 11) => &V3_11,
            (3, 12) => &V3_12,
            (3, 13) => &V3_13,
            _ => return None,
        };
        // SAFETY: the thread is attached, as `py` shows, and all offsets lie in its state; that they are
        // right for this interpreter is seen by the limit, which is there twice.
        unsafe {
            let start: *mut u8 = ffi::PyThreadState_Get().cast();
            let limit = *start.add(layout.limit).cast::<i32>();
            let remaining = *start.add(layout.remaining).cast::<i32>();
            let is_right = limit == ffi::Py_GetRecursionLimit() && remaining <= limit;
            is_right.then_some(ThreadState { start, layout })
        }
    }

    /// How many frames lie on one another.
    pub fn depth(&self) -> i32 {
        // SAFETY: see `of`.
        let limit = unsafe { *self.start.add(self.layout.limit).cast::<i32>() };
        // SAFETY: as above.
        limit + self.layout.counted - unsafe { *self.remaining() }
    }

    /// How many more frames there may be.
    pub fn remaining(&self) -> *mut i32 {
        // SAFETY: see `of`.
        unsafe { self.start.add(self.layout.remaining) }.cast()
    }

    /// How many more calls there may be by C code, where these are counted by themselves.
    pub fn remaining_in_c(&self) -> Option<*mut i32> {
        // SAFETY: see `of`.
        let at = |offset| unsafe { self.start.add(offset) }.cast();
        self.layout.remaining_in_c.map(at)
    }

    /// Where the innermost frame is named.
    pub fn frame(&self) -> *mut *mut u8 {
        let mut at = self.start;
        let (last, steps) = self.layout.frame.split_last().unwrap_or((&0, &[]));
        for step in steps {
            // SAFETY: see `of`; what is there leads to the next.
            at = unsafe { *at.add(*step).cast::<*mut u8>() };
        }
        // SAFETY: as above.
        unsafe { at.add(*last) }.cast()
    }
}
