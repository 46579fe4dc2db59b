//! What becomes of the system calls that a copy does not make by itself: some are answered as the
//! program would be, some are made after a look at what they touch, and all others end the copy.
//!
//! All this runs in a signal handler: no locks, no memory is allocated.

use std::sync::atomic::{AtomicIsize, AtomicPtr, AtomicU32, Ordering};

use super::area::Area;
use super::descriptors::{is_any_stale, is_stale, kind, set_kind, was_written, Kind};
use super::stub::ask;
use super::{waits, why};

/// The copy's own area.
static AREA: AtomicPtr<Area> = AtomicPtr::new(std::ptr::null_mut());
/// The program's process and its parent, as the copy sees itself.
static PROGRAM: AtomicIsize = AtomicIsize::new(0);
static PARENT: AtomicIsize = AtomicIsize::new(0);

/// The pulse of the program as it was last, and how often it was the same.
static PULSE: AtomicU32 = AtomicU32::new(0);
static STILL: AtomicU32 = AtomicU32::new(0);
const PULSE_EVERY_US: i64 = 200_000;
const STILL_MOST: u32 = 15;

/// A file system that shows the process that looks at it.
const PROC: i64 = 0x9fa0;

type Args = [usize; 6];

/// Ends the copy, wherever it is.
pub fn end(reason: u32, detail: u32) -> ! {
    let area = AREA.load(Ordering::Relaxed);
    // SAFETY: set by `take_over` to memory that lasts as long as the process.
    if let Some(area) = unsafe { area.as_ref() } {
        area.say_it_ends(reason, detail);
    }
    loop {
        // SAFETY: ends the process.
        unsafe { libc::syscall(libc::SYS_exit_group, 0) };
    }
}

/// Takes over the signals of this process, which is a copy, before its calls are trapped.
pub fn take_over(area: &'static Area, program: i32, parent: i32) {
    AREA.store(std::ptr::from_ref(area).cast_mut(), Ordering::Relaxed);
    PROGRAM.store(program as isize, Ordering::Relaxed);
    PARENT.store(parent as isize, Ordering::Relaxed);
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
    let every = libc::timeval {
        tv_sec: 0,
        tv_usec: PULSE_EVERY_US,
    };
    let timer = libc::itimerval {
        it_interval: every,
        it_value: every,
    };
    // SAFETY: sets of this process's only thread; what is read lives through the calls.
    unsafe {
        let mut ours: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut ours);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const ours, std::ptr::null_mut());
        // not in all versions of the binding
        libc::syscall(libc::SYS_setitimer, 0, &raw const timer, 0);
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

/// Now and then: ends the copy if nobody looks after it.
extern "C" fn look_after(_: i32, _: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: as in `end`.
    let Some(area) = (unsafe { AREA.load(Ordering::Relaxed).as_ref() }) else {
        return;
    };
    let now = area.header().pulse.load(Ordering::Relaxed);
    if PULSE.swap(now, Ordering::Relaxed) != now {
        STILL.store(0, Ordering::Relaxed);
    } else if STILL.fetch_add(1, Ordering::Relaxed) >= STILL_MOST {
        end(why::ALONE, 0);
    }
    go_idle();
}

extern "C" fn trapped(_: i32, _: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: the kernel passes the context that it goes on with.
    let context = unsafe { &mut *context.cast::<libc::ucontext_t>() };
    let (number, args) = asked(context);
    match answer(number, args) {
        Some(result) => set_result(context, result),
        None => end(why::EFFECT, u32::try_from(number).unwrap_or(u32::MAX)),
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

/// What a call gives, if it has no effect; else nothing.
fn answer(number: i64, args: Args) -> Option<isize> {
    let [a, b, c, d, _, _] = args;
    // SAFETY: what is asked of the kernel reads, or changes this process alone; the arguments are
    // those of the code that asked, and wrong ones give an error.
    let make = || Some(unsafe { ask(number, args) });
    match number {
        libc::SYS_getpid | libc::SYS_gettid => Some(PROGRAM.load(Ordering::Relaxed)),
        libc::SYS_getppid => Some(PARENT.load(Ordering::Relaxed)),
        libc::SYS_write => swallow(a, c),
        libc::SYS_writev => swallow(a, total(b, c)),
        libc::SYS_read | libc::SYS_readv | libc::SYS_pread64 | libc::SYS_preadv => {
            matches!(kind(a)?, Kind::Own | Kind::Null).then(make)?
        }
        libc::SYS_lseek | libc::SYS_getdents64 | libc::SYS_fstatfs => is_own(a).then(make)?,
        libc::SYS_close => {
            set_kind(a, Kind::Closed);
            make()
        }
        libc::SYS_dup => duplicate(a, make()?),
        libc::SYS_dup3 => duplicate(a, make()?),
        libc::SYS_fcntl => control(a, b, make),
        libc::SYS_ioctl => request(a, b, make),
        libc::SYS_fstat => is_own(a).then(|| looked_at(make()?, b))?,
        libc::SYS_newfstatat => is_below(a, b).then(|| looked_at(make()?, c))?,
        libc::SYS_statx => (is_below(a, b) && !is_any_stale()).then(make)?,
        libc::SYS_openat => open(a, b, c),
        libc::SYS_faccessat | libc::SYS_faccessat2 | libc::SYS_readlinkat => {
            is_below(a, b).then(make)?
        }
        libc::SYS_statfs | libc::SYS_getxattr | libc::SYS_lgetxattr => make(),
        libc::SYS_mmap => map(args),
        libc::SYS_prlimit64 => {
            let ours = [libc::RLIMIT_AS, libc::RLIMIT_CPU, libc::RLIMIT_CORE];
            let asks = a == 0 && c == 0 && !ours.iter().any(|limit| *limit as usize == b);
            asks.then(make)?
        }
        libc::SYS_getrusage | libc::SYS_times | libc::SYS_sysinfo => make(),
        libc::SYS_getpgid | libc::SYS_getsid => (a == 0).then(make)?,
        _ => waits::look(number, args).or_else(|| answer_old(number, args, d)),
    }
}

/// Calls that newer architectures do not have.
#[cfg(target_arch = "x86_64")]
fn answer_old(number: i64, args: Args, _: usize) -> Option<isize> {
    let [a, b, ..] = args;
    // SAFETY: as in `answer`.
    let make = || Some(unsafe { ask(number, args) });
    match number {
        libc::SYS_stat | libc::SYS_lstat => looked_at(make()?, b),
        libc::SYS_access | libc::SYS_readlink | libc::SYS_getpgrp => make(),
        libc::SYS_dup2 => duplicate(a, make()?),
        _ => None,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn answer_old(_: i64, _: Args, _: usize) -> Option<isize> {
    None
}

fn is_own(fd: usize) -> bool {
    kind(fd) == Some(Kind::Own)
}

/// Whether a path is looked for where a copy may look.
fn is_below(folder: usize, path: usize) -> bool {
    let at = folder as i32;
    if path == 0 {
        return false;
    }
    // SAFETY: a path of the caller's, which is read by the kernel in the same way.
    let named = unsafe { *(path as *const u8) } != 0;
    is_own(folder) || (named && at == libc::AT_FDCWD)
}

/// Says that it was written.
fn swallow(fd: usize, length: usize) -> Option<isize> {
    let length = isize::try_from(length).ok()?;
    match kind(fd)? {
        Kind::Null | Kind::Terminal | Kind::Stream => Some(length),
        Kind::File => was_written(fd).then_some(length),
        _ => None,
    }
}

fn total(vectors: usize, count: usize) -> usize {
    // SAFETY: the kernel would read so many of them.
    let vectors = unsafe { std::slice::from_raw_parts(vectors as *const libc::iovec, count) };
    vectors.iter().map(|vector| vector.iov_len).sum()
}

/// A new descriptor leads where the old one does.
fn duplicate(old: usize, made: isize) -> Option<isize> {
    let Ok(new) = usize::try_from(made) else {
        return Some(made);
    };
    match kind(old)? {
        Kind::File => None, // it is known by its number
        other => set_kind(new, other).then_some(made),
    }
}

fn control(fd: usize, command: usize, make: impl Fn() -> Option<isize>) -> Option<isize> {
    match command as i32 {
        libc::F_GETFD | libc::F_SETFD => make(),
        libc::F_GETFL => is_own(fd).then(make)?,
        libc::F_DUPFD | libc::F_DUPFD_CLOEXEC => duplicate(fd, make()?),
        _ => None,
    }
}

fn request(fd: usize, what: usize, make: impl Fn() -> Option<isize>) -> Option<isize> {
    let is_question = what as u64 == libc::TCGETS;
    match kind(fd)? {
        Kind::Own | Kind::Null if is_question => make(),
        Kind::Stream | Kind::File if is_question => Some(-(libc::ENOTTY as isize)),
        _ => None,
    }
}

/// A look at a file that the program would find otherwise is none.
fn looked_at(result: isize, about: usize) -> Option<isize> {
    // SAFETY: the kernel has filled it.
    let stale = result == 0 && is_stale(unsafe { &*(about as *const libc::stat) });
    (!stale).then_some(result)
}

/// Opens regular files and folders for reading: first as a mere place, which has no effect on
/// whatever is there.
fn open(folder: usize, path: usize, flags: usize) -> Option<isize> {
    let flags = flags as i32;
    let writes = libc::O_CREAT | libc::O_TRUNC | libc::O_TMPFILE & !libc::O_DIRECTORY;
    if flags & libc::O_ACCMODE != libc::O_RDONLY || flags & writes != 0 {
        return None;
    }
    if !is_below(folder, path) {
        return None;
    }
    let found = libc::O_PATH | libc::O_CLOEXEC | flags & (libc::O_NOFOLLOW | libc::O_DIRECTORY);
    // SAFETY: descriptors of this process alone; the paths end with zero bytes.
    unsafe {
        let place = ask(libc::SYS_openat, [folder, path, found as usize, 0, 0, 0]);
        let Ok(fd) = usize::try_from(place) else {
            return Some(place);
        };
        if flags & libc::O_PATH != 0 || !may_be_read(fd) || !set_kind(fd, Kind::Own) {
            return None;
        }
        let mut name = *b"/proc/self/fd/\0\0\0\0\0\0";
        write_number(&mut name[14..], fd);
        let again = flags & !libc::O_NOFOLLOW;
        let here = libc::AT_FDCWD as usize;
        let name = name.as_ptr() as usize;
        let opened = ask(libc::SYS_openat, [here, name, again as usize, 0, 0, 0]);
        if opened < 0 {
            ask(libc::SYS_close, [fd, 0, 0, 0, 0, 0]);
            set_kind(fd, Kind::Closed);
            return Some(opened);
        }
        let kept = (flags & libc::O_CLOEXEC) as usize;
        ask(libc::SYS_dup3, [opened as usize, fd, kept, 0, 0, 0]);
        ask(libc::SYS_close, [opened as usize, 0, 0, 0, 0, 0]);
        Some(place)
    }
}

/// Whether what a descriptor leads to is as the program would find it.
///
/// # Safety
/// Only within the handler, for a descriptor of this process.
unsafe fn may_be_read(fd: usize) -> bool {
    // SAFETY: there is room for the answers.
    unsafe {
        let mut about: libc::stat = std::mem::zeroed();
        let mut system: libc::statfs = std::mem::zeroed();
        let (about_at, system_at) = (&raw mut about as usize, &raw mut system as usize);
        let known = ask(libc::SYS_fstat, [fd, about_at, 0, 0, 0, 0]) == 0
            && ask(libc::SYS_fstatfs, [fd, system_at, 0, 0, 0, 0]) == 0;
        let is_file = matches!(about.st_mode & libc::S_IFMT, libc::S_IFREG | libc::S_IFDIR);
        known && is_file && !is_stale(&about) && system.f_type as i64 != PROC
    }
}

fn write_number(to: &mut [u8], number: usize) {
    let mut digits = [0u8; 5];
    let (mut left, mut count) = (number, 0);
    while count == 0 || left > 0 && count < digits.len() {
        digits[count] = b'0' + (left % 10) as u8;
        left /= 10;
        count += 1;
    }
    for (place, digit) in to.iter_mut().zip(digits[..count].iter().rev()) {
        *place = *digit;
    }
}

/// Files are mapped for this process alone.
fn map(args: Args) -> Option<isize> {
    let [_, _, rights, flags, fd, _] = args;
    let (rights, flags) = (rights as i32, flags as i32);
    let is_private = flags & libc::MAP_TYPE == libc::MAP_PRIVATE;
    let alone = flags & libc::MAP_ANONYMOUS != 0;
    let read = is_own(fd) && (is_private || rights & libc::PROT_WRITE == 0);
    // SAFETY: the caller's own memory is what it asks for.
    (alone || read).then(|| unsafe { ask(libc::SYS_mmap, args) })
}
