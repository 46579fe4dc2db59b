//! A call that a thread is in, and the way into it.

use pyo3::ffi;

pub type Call = unsafe extern "C-unwind" fn(*mut Entered) -> *mut ffi::PyObject;

/// A call that a thread is in.
#[repr(C)]
pub struct Entered {
    /// Where it would go on, and by which function.
    pub stack: usize,
    pub call: Call,
    pub in_copy: Call,
    pub original: usize,
    pub args: [usize; 6],
    pub state: *mut ffi::PyThreadState,
    /// The one that this one was called in.
    pub outer: *mut Entered,
}

#[cfg(not(target_arch = "x86_64"))]
pub use elsewhere::{again, enter};
#[cfg(target_arch = "x86_64")]
pub use of_machine::{again, enter};

#[cfg(target_arch = "x86_64")]
mod of_machine {
    use super::{ffi, Entered};

    // What the caller has kept in registers goes onto the stack; so a copy can call again from there.
    std::arch::global_asm!(
        ".globl cord_standing_enter",
        ".hidden cord_standing_enter",
        ".globl cord_standing_again",
        ".hidden cord_standing_again",
        ".type cord_standing_enter, @function",
        "cord_standing_enter:",
        ".cfi_startproc",
        "push rbp",
        ".cfi_adjust_cfa_offset 8",
        ".cfi_rel_offset rbp, 0",
        "push rbx",
        ".cfi_adjust_cfa_offset 8",
        ".cfi_rel_offset rbx, 0",
        "push r12",
        ".cfi_adjust_cfa_offset 8",
        ".cfi_rel_offset r12, 0",
        "push r13",
        ".cfi_adjust_cfa_offset 8",
        ".cfi_rel_offset r13, 0",
        "push r14",
        ".cfi_adjust_cfa_offset 8",
        ".cfi_rel_offset r14, 0",
        "push r15",
        ".cfi_adjust_cfa_offset 8",
        ".cfi_rel_offset r15, 0",
        "push rdi",
        ".cfi_adjust_cfa_offset 8",
        "mov [rdi], rsp",
        "cord_standing_again:",
        "mov rdi, [rsp]",
        "call [rdi + 8]",
        "add rsp, 8",
        ".cfi_adjust_cfa_offset -8",
        "pop r15",
        ".cfi_adjust_cfa_offset -8",
        ".cfi_restore r15",
        "pop r14",
        ".cfi_adjust_cfa_offset -8",
        ".cfi_restore r14",
        "pop r13",
        ".cfi_adjust_cfa_offset -8",
        ".cfi_restore r13",
        "pop r12",
        ".cfi_adjust_cfa_offset -8",
        ".cfi_restore r12",
        "pop rbx",
        ".cfi_adjust_cfa_offset -8",
        ".cfi_restore rbx",
        "pop rbp",
        ".cfi_adjust_cfa_offset -8",
        ".cfi_restore rbp",
        "ret",
        ".cfi_endproc",
        ".size cord_standing_enter, . - cord_standing_enter",
    );

    extern "C-unwind" {
        fn cord_standing_enter(entered: *mut Entered) -> *mut ffi::PyObject;
        fn cord_standing_again();
    }

    /// Calls it.
    pub unsafe fn enter(entered: *mut Entered) -> *mut ffi::PyObject {
        // SAFETY: as the caller says.
        unsafe { cord_standing_enter(entered) }
    }

    /// Where a thread calls again.
    pub fn again() -> usize {
        cord_standing_again as *const () as usize
    }
}

/// Elsewhere no functions lead here.
#[cfg(not(target_arch = "x86_64"))]
mod elsewhere {
    use super::{ffi, Entered};

    pub unsafe fn enter(entered: *mut Entered) -> *mut ffi::PyObject {
        // SAFETY: as the caller says.
        unsafe { ((*entered).call)(entered) }
    }

    pub fn again() -> usize {
        0
    }
}
