//! The registers of a copy's threads, as the handler of trapped calls finds and sets them, and where the
//! C library keeps what it knows of a thread. Those for floating point are nobody's across a system call.

pub use of_machine::*;

use crate::confined::answers::Args;

/// What a call asks for that starts a thread.
pub struct Asked {
    pub stack: usize,
    /// Where the C library keeps what it knows of the thread.
    pub own: usize,
    /// Who is told its number.
    pub told: [usize; 2],
}

const THREAD: i32 = libc::CLONE_VM | libc::CLONE_THREAD | libc::CLONE_SIGHAND | libc::CLONE_SETTLS;

fn asked(flags: usize, stack: usize, parent: usize, child: usize, own: usize) -> Option<Asked> {
    let flags = flags as i32;
    let if_set = |flag: i32, place: usize| if flags & flag != 0 { place } else { 0 };
    (flags & THREAD == THREAD && stack != 0).then(|| Asked {
        stack,
        own,
        told: [
            if_set(libc::CLONE_PARENT_SETTID, parent),
            if_set(libc::CLONE_CHILD_SETTID, child),
        ],
    })
}

#[cfg(target_arch = "x86_64")]
mod of_machine {
    use super::*;
    use crate::system::stub::ask;

    pub const ARE_KNOWN: bool = true;
    pub type Registers = [libc::greg_t; 23];
    const SET_OWN: usize = 0x1002;

    /// Where the C library keeps what it knows of the thread that runs.
    pub fn own() -> usize {
        let own;
        // SAFETY: its first word says where it lies.
        unsafe {
            std::arch::asm!("mov {}, fs:0", out(reg) own, options(nostack, readonly, preserves_flags));
        }
        own
    }

    /// It is another thread's from now on.
    pub fn become_owner(of: usize) {
        if of != own() {
            // SAFETY: what the C library has put there for a thread.
            unsafe { ask(libc::SYS_arch_prctl, [SET_OWN, of, 0, 0, 0, 0]) };
        }
    }

    pub fn of(context: &libc::ucontext_t) -> Registers {
        context.uc_mcontext.gregs
    }

    /// Sets them, with the result of a call.
    pub fn set(context: &mut libc::ucontext_t, registers: &Registers, result: Option<isize>) {
        let segments = context.uc_mcontext.gregs[libc::REG_CSGSFS as usize];
        let flags = context.uc_mcontext.gregs[libc::REG_EFL as usize];
        let gregs = &mut context.uc_mcontext.gregs;
        *gregs = *registers;
        gregs[libc::REG_CSGSFS as usize] = segments;
        if gregs[libc::REG_EFL as usize] == 0 {
            gregs[libc::REG_EFL as usize] = flags;
        }
        if let Some(result) = result {
            gregs[libc::REG_RAX as usize] = result as i64;
        }
    }

    /// Of a thread that begins there.
    pub fn starting(at: usize, stack: usize) -> Registers {
        let mut registers = [0; 23];
        registers[libc::REG_RIP as usize] = at as i64;
        registers[libc::REG_RSP as usize] = stack as i64;
        registers
    }

    /// Of a thread that this call has started.
    pub fn started(context: &libc::ucontext_t, stack: usize) -> Registers {
        let mut registers = of(context);
        registers[libc::REG_RAX as usize] = 0;
        registers[libc::REG_RSP as usize] = stack as i64;
        registers
    }

    /// What is asked for, if it is a thread.
    pub fn asked_thread(args: Args) -> Option<Asked> {
        let [flags, stack, parent, child, own, _] = args;
        asked(flags, stack, parent, child, own)
    }
}

/// Elsewhere copies have one thread.
#[cfg(not(target_arch = "x86_64"))]
mod of_machine {
    use super::*;

    pub const ARE_KNOWN: bool = false;
    pub type Registers = ();

    pub fn own() -> usize {
        0
    }

    pub fn become_owner(_: usize) {}

    pub fn of(_: &libc::ucontext_t) -> Registers {}

    pub fn set(_: &mut libc::ucontext_t, (): &Registers, _: Option<isize>) {}

    pub fn starting(_: usize, _: usize) -> Registers {}

    pub fn started(_: &libc::ucontext_t, _: usize) -> Registers {}

    pub fn asked_thread(_: Args) -> Option<Asked> {
        None
    }
}
