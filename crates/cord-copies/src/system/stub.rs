//! The one place from which a copy may ask the kernel for anything: the filter tells it by its
//! address, and only the handler of trapped calls goes there.

use std::arch::global_asm;

#[cfg(target_arch = "x86_64")]
global_asm!(
    ".globl cord_copy_syscall",
    ".hidden cord_copy_syscall",
    ".globl cord_copy_syscall_end",
    ".hidden cord_copy_syscall_end",
    "cord_copy_syscall:",
    "mov rax, rdi",
    "mov rdi, rsi",
    "mov rsi, rdx",
    "mov rdx, rcx",
    "mov r10, r8",
    "mov r8, r9",
    "mov r9, [rsp + 8]",
    "syscall",
    "cord_copy_syscall_end:",
    "ret",
);

#[cfg(target_arch = "aarch64")]
global_asm!(
    ".globl cord_copy_syscall",
    ".hidden cord_copy_syscall",
    ".globl cord_copy_syscall_end",
    ".hidden cord_copy_syscall_end",
    "cord_copy_syscall:",
    "mov x8, x0",
    "mov x0, x1",
    "mov x1, x2",
    "mov x2, x3",
    "mov x3, x4",
    "mov x4, x5",
    "mov x5, x6",
    "svc #0",
    "cord_copy_syscall_end:",
    "ret",
);

/// Elsewhere there are no copies.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
global_asm!(
    ".globl cord_copy_syscall",
    ".globl cord_copy_syscall_end",
    "cord_copy_syscall:",
    "cord_copy_syscall_end:",
);

extern "C" {
    fn cord_copy_syscall(
        number: i64,
        a: usize,
        b: usize,
        c: usize,
        d: usize,
        e: usize,
        f: usize,
    ) -> isize;
    fn cord_copy_syscall_end();
}

/// What the kernel says: a result, or an error's number below zero.
///
/// # Safety
/// As the system call.
pub unsafe fn ask(number: i64, args: [usize; 6]) -> isize {
    let [a, b, c, d, e, f] = args;
    // SAFETY: as the caller says; the stub follows the C convention.
    unsafe { cord_copy_syscall(number, a, b, c, d, e, f) }
}

/// The address that the kernel sees for calls from here.
pub fn address() -> u64 {
    cord_copy_syscall_end as *const () as usize as u64
}
