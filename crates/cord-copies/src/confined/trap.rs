//! The signals of a copy: system calls that it does not make by itself come here as one, and are
//! answered as `answers` says; and it looks up now and then whether anybody looks after it.
//!
//! All this runs in signal handlers: no locks, no memory is allocated.

use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU32, Ordering};

use crate::area::Area;
use crate::confined::answers::{self, Args};
use crate::confined::{signals, turns};
use crate::system::kernel::Stop;
use crate::system::stub::ask;
use crate::why;

/// The copy's own area.
static AREA: AtomicPtr<Area> = AtomicPtr::new(std::ptr::null_mut());

/// Which of the copy's leaders this is; none if it is less than 0.
static LEADER: AtomicI32 = AtomicI32::new(-1);

/// The pulse of the program as it was last, and how often it was the same.
static PULSE: AtomicU32 = AtomicU32::new(0);
static STILL: AtomicU32 = AtomicU32::new(0);
const PULSE_EVERY_US: i64 = 200_000;
const STILL_MOST: u32 = 15;

/// Ends this process, which is a copy or a leader, wherever it is.
pub fn end(reason: u32, detail: u32) -> ! {
    let area = AREA.load(Ordering::Relaxed);
    // SAFETY: set by `take_over` to memory that lasts as long as the process.
    if let Some(area) = unsafe { area.as_ref() } {
        match usize::try_from(LEADER.load(Ordering::Relaxed)) {
            Ok(leader) => area.say_leader_ends(leader, reason, detail),
            Err(_) => area.say_it_ends(reason, detail),
        }
    }
    loop {
        // SAFETY: ends the process.
        unsafe { libc::syscall(libc::SYS_exit_group, 0) };
    }
}

/// Whether this copy may guess what it does not know.
pub fn may_guess() -> bool {
    // SAFETY: as in `end`.
    let area = unsafe { AREA.load(Ordering::Relaxed).as_ref() };
    area.is_some_and(|area| area.header().guesses.load(Ordering::Relaxed) != 0)
}

/// Takes over the signals of this process, which is a copy, before its calls are trapped. `alarm` is the
/// program's.
pub fn take_over(area: &'static Area, program: i32, parent: i32, alarm: &libc::itimerval) {
    signals::take_over(alarm);
    AREA.store(std::ptr::from_ref(area).cast_mut(), Ordering::Relaxed);
    answers::call_itself(program, parent);
    STILL.store(0, Ordering::Relaxed);
    give_stack();
    for signal in 1..libc::SIGRTMAX() {
        match signal {
            libc::SIGKILL | libc::SIGSTOP => {}
            libc::SIGSYS => handle(signal, trapped as *const () as usize),
            libc::SIGALRM => handle(signal, look_after as *const () as usize),
            libc::SIGPIPE
            | libc::SIGCHLD
            | libc::SIGWINCH
            | libc::SIGURG
            | libc::SIGCONT
            | libc::SIGTSTP
            | libc::SIGTTIN
            | libc::SIGTTOU => handle(signal, libc::SIG_IGN),
            _ => handle(signal, died as *const () as usize),
        }
    }
    // SAFETY: sets of this process's only thread.
    unsafe {
        let mut ours: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut ours);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const ours, std::ptr::null_mut());
    }
    start_pulse();
}

/// Of a leader, which a copy has just made of itself.
pub fn take_over_leader(leader: usize) {
    LEADER.store(i32::try_from(leader).unwrap_or(-1), Ordering::Relaxed);
    STILL.store(0, Ordering::Relaxed);
    start_pulse();
}

fn start_pulse() {
    let every = libc::timeval {
        tv_sec: 0,
        tv_usec: PULSE_EVERY_US,
    };
    let timer = libc::itimerval {
        it_interval: every,
        it_value: every,
    };
    // SAFETY: what is read lives through the call.
    unsafe {
        let timer = &raw const timer as usize;
        ask(libc::SYS_setitimer, [0, timer, 0, 0, 0, 0]);
    }
}

/// Handlers have a stack of their own: the program's may be at its end.
fn give_stack() {
    let stack = Box::leak(vec![0u8; 128 << 10].into_boxed_slice());
    let stack = libc::stack_t {
        ss_sp: stack.as_mut_ptr().cast(),
        ss_flags: 0,
        ss_size: stack.len(),
    };
    // SAFETY: the memory is never given back.
    unsafe { libc::sigaltstack(&raw const stack, std::ptr::null_mut()) };
}

fn handle(signal: i32, handler: usize) {
    // SAFETY: a zeroed action is a valid one, and the handlers need nothing of the thread's.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESTART;
        libc::sigfillset(&raw mut action.sa_mask);
        libc::sigdelset(&raw mut action.sa_mask, libc::SIGSYS);
        libc::sigaction(signal, &raw const action, std::ptr::null_mut());
    }
}

extern "C" fn died(signal: i32, _: *mut libc::siginfo_t, _: *mut libc::c_void) {
    end(why::SIGNAL, signal.unsigned_abs());
}

/// A copy that has used more than this runs only when nobody else wants to. Until then it lives on what
/// the program does not use while it waits.
const SHARE_MS: i64 = 200;

fn go_idle() {
    // SAFETY: there is room for the answer; a zeroed parameter is that of the idle class.
    unsafe {
        let mut used: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut used);
        if used.tv_sec * 1000 + used.tv_nsec / 1_000_000 > SHARE_MS {
            let idle: libc::sched_param = std::mem::zeroed();
            let class = libc::SCHED_IDLE as usize;
            let how = &raw const idle as usize;
            ask(libc::SYS_sched_setscheduler, [0, class, how, 0, 0, 0]);
        }
    }
}

/// Now and then, and when the thread has ended that made the copy: ends it if nobody looks after it.
extern "C" fn look_after(_: i32, _: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: as in `end`.
    let Some(area) = (unsafe { AREA.load(Ordering::Relaxed).as_ref() }) else {
        return;
    };
    if !answers::is_child_of_program() {
        end(why::ALONE, 0);
    }
    let now = area.header().pulse.load(Ordering::Relaxed);
    if PULSE.swap(now, Ordering::Relaxed) != now {
        STILL.store(0, Ordering::Relaxed);
    } else if STILL.fetch_add(1, Ordering::Relaxed) >= STILL_MOST {
        end(why::ALONE, 0);
    }
    turns::pulse();
    go_idle();
}

extern "C" fn trapped(_: i32, _: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: the kernel passes the context that it goes on with.
    let context = unsafe { &mut *context.cast::<libc::ucontext_t>() };
    let (number, args) = asked(context);
    let answer = turns::answer(context, number, args);
    if number == libc::SYS_exit {
        return; // the context is another thread's now
    }
    match answer.unwrap_or_else(|| answers::answer(number, args)) {
        Ok(result) => set_result(context, result),
        Err(Stop::Errno(error)) => set_result(context, -(error as isize)),
        Err(Stop::End) => end(why::EFFECT, u32::try_from(number).unwrap_or(u32::MAX)),
        Err(Stop::Full) => end(why::FILES, 0),
        Err(Stop::Wait(wait)) => turns::wait(context, number, args, wait),
    }
}

#[cfg(target_arch = "x86_64")]
fn asked(context: &libc::ucontext_t) -> (i64, Args) {
    let at = |register: i32| context.uc_mcontext.gregs[register as usize];
    let arguments = [
        libc::REG_RDI,
        libc::REG_RSI,
        libc::REG_RDX,
        libc::REG_R10,
        libc::REG_R8,
        libc::REG_R9,
    ];
    (
        at(libc::REG_RAX),
        arguments.map(|register| at(register) as usize),
    )
}

#[cfg(target_arch = "x86_64")]
fn set_result(context: &mut libc::ucontext_t, result: isize) {
    context.uc_mcontext.gregs[libc::REG_RAX as usize] = result as i64;
}

#[cfg(target_arch = "aarch64")]
fn asked(context: &libc::ucontext_t) -> (i64, Args) {
    let registers = &context.uc_mcontext.regs;
    let argument = |at: usize| registers[at] as usize;
    (registers[8] as i64, std::array::from_fn(argument))
}

#[cfg(target_arch = "aarch64")]
fn set_result(context: &mut libc::ucontext_t, result: isize) {
    context.uc_mcontext.regs[0] = result as u64;
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn asked(_: &libc::ucontext_t) -> (i64, Args) {
    (-1, [0; 6])
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn set_result(_: &mut libc::ucontext_t, _: isize) {}
