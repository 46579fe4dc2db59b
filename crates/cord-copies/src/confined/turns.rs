//! The threads of a copy. The kernel knows one of them; on that they take turns: where one waits, another
//! goes on, with its own stack and registers. They are those that the copy starts, and those of the
//! program whose waits can be begun anew ([`Standing`]).
//!
//! The handler of trapped calls does this: no locks, no memory is allocated. A thread that waits is one
//! whose system call has no answer yet: it is asked for again whenever somebody else has to wait. Time
//! passes where nothing else can happen.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicUsize, Ordering};

use crate::confined::answers::{self, Args};
use crate::confined::registers::{self, Registers};
use crate::confined::{looks, trap, waits};
use crate::system::kernel::{Answer, Ends, Stop, Wait};
use crate::system::stub::ask;
use crate::why;

/// So many threads a copy may have.
const MOST: usize = 64;
/// So often time passes without a call of the copy's between.
const MOST_SKIPS: u32 = 2000;
/// So many pulses a thread may take that others wait for, and that the copy has started.
const MOST_PULSES: u32 = 5;
/// Numbers of threads that the copy starts: the kernel gives no such ones.
const FIRST_NUMBER: i32 = 1 << 23;
/// Signals that may not be blocked: of trapped calls, and the copy's pulse.
const NEEDED: u64 = 1 << (libc::SIGSYS - 1) | 1 << (libc::SIGALRM - 1);

/// A thread of the program that waits, and begins to wait anew where a copy has it.
#[derive(Debug, Clone, Copy)]
pub struct Standing {
    /// Its number.
    pub thread: i32,
    /// Where the C library keeps what it knows of it.
    pub own: usize,
    /// Where it goes on, with which stack.
    pub at: usize,
    pub stack: usize,
}

#[derive(Clone, Copy)]
struct Thread {
    own: usize,
    registers: Registers,
    blocked: u64,
    /// What it waits for; if nothing, it has just been started.
    call: Option<Call>,
}

#[derive(Clone, Copy)]
struct Call {
    number: i64,
    args: Args,
    wait: Wait,
}

struct Turns {
    threads: [Option<Thread>; MOST],
    now: usize,
}

struct Alone(UnsafeCell<Turns>);

// SAFETY: a copy has one thread that the kernel knows, and the handler is not interrupted.
unsafe impl Sync for Alone {}

static TURNS: Alone = Alone(UnsafeCell::new(Turns {
    threads: [None; MOST],
    now: 0,
}));
/// Where in what the C library keeps of a thread its number stands; 0 if that is not known.
static NUMBER_AT: AtomicUsize = AtomicUsize::new(0);
static NEXT: AtomicI32 = AtomicI32::new(FIRST_NUMBER);
/// There are others than the first.
static ARE_MANY: AtomicBool = AtomicBool::new(false);
static SKIPS: AtomicU32 = AtomicU32::new(0);
static PULSES: AtomicU32 = AtomicU32::new(0);

/// Whether it is the program's first thread.
pub fn is_first(thread: i32) -> bool {
    u32::try_from(thread) == Ok(std::process::id())
}

/// Whether threads can take turns here.
pub fn are_possible() -> bool {
    registers::ARE_KNOWN && number_at() != 0
}

/// In the program: what a copy needs to know of this thread.
pub fn here() -> (i32, usize) {
    (number(), registers::own())
}

fn number() -> i32 {
    // SAFETY: a question.
    unsafe { libc::syscall(libc::SYS_gettid) as i32 }
}

/// Finds it out, in the program.
fn number_at() -> usize {
    let known = NUMBER_AT.load(Ordering::Relaxed);
    if known != 0 || !registers::ARE_KNOWN {
        return known;
    }
    let (number, own) = here();
    let found = (64..2048).step_by(4).find(|at| {
        // SAFETY: what the C library keeps there of a thread is larger.
        unsafe { ((own + at) as *const i32).read() == number }
    });
    NUMBER_AT.store(found.unwrap_or(0), Ordering::Relaxed);
    found.unwrap_or(0)
}

/// Of a fresh copy: these threads wait in it, beside the one that runs.
pub fn have(standing: &[Standing]) {
    let turns = turns();
    turns.threads = [None; MOST];
    turns.now = 0;
    for (place, one) in turns.threads[1..].iter_mut().zip(standing) {
        *place = Some(Thread {
            own: one.own,
            registers: registers::starting(one.at, one.stack),
            blocked: 0,
            call: None,
        });
    }
    ARE_MANY.store(!standing.is_empty(), Ordering::Relaxed);
    SKIPS.store(0, Ordering::Relaxed);
    PULSES.store(0, Ordering::Relaxed);
}

fn turns() -> &'static mut Turns {
    // SAFETY: as for `Alone`; nobody keeps it.
    unsafe { &mut *TURNS.0.get() }
}

/// Whether there are others than the thread that runs.
pub fn are_many() -> bool {
    ARE_MANY.load(Ordering::Relaxed)
}

/// The number of the thread that runs; none if only the first one is known.
pub fn number_here() -> Option<isize> {
    let at = NUMBER_AT.load(Ordering::Relaxed);
    // SAFETY: the C library keeps it there.
    (at != 0).then(|| unsafe { ((registers::own() + at) as *const i32).read() as isize })
}

/// A call that starts or ends a thread, or says which signals it blocks: answered here, if it is one.
pub fn answer(context: &mut libc::ucontext_t, number: i64, args: Args) -> Option<Answer> {
    match number {
        libc::SYS_clone => Some(start(context, args)),
        // the C library goes on with `clone`
        libc::SYS_clone3 => Some(Err(Stop::Errno(libc::ENOSYS))),
        libc::SYS_exit => {
            leave(context);
            None
        }
        // SAFETY: what the arguments point to is read and written as the kernel would.
        libc::SYS_rt_sigprocmask => Some(unsafe { block(context, args) }),
        _ => None,
    }
}

fn start(context: &libc::ucontext_t, args: Args) -> Answer {
    let Some(asked) = registers::asked_thread(args) else {
        return Err(Stop::End); // a process
    };
    let turns = turns();
    let free = (0..MOST).find(|at| *at != turns.now && turns.threads[*at].is_none());
    let may = trap::may_guess() && NUMBER_AT.load(Ordering::Relaxed) != 0;
    let Some(free) = free.filter(|_| may) else {
        return Err(Stop::End);
    };
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    for place in asked.told {
        if place != 0 {
            // SAFETY: the kernel would write there.
            unsafe { (place as *mut i32).write(number) };
        }
    }
    turns.threads[free] = Some(Thread {
        own: asked.own,
        registers: registers::started(context, asked.stack),
        blocked: blocked(context),
        call: None,
    });
    ARE_MANY.store(true, Ordering::Relaxed);
    Ok(number as isize)
}

fn blocked(context: &libc::ucontext_t) -> u64 {
    // SAFETY: the kernel's set is the first word.
    unsafe { (&raw const context.uc_sigmask).cast::<u64>().read() }
}

fn set_blocked(context: &mut libc::ucontext_t, signals: u64) {
    // SAFETY: as above.
    unsafe { (&raw mut context.uc_sigmask).cast::<u64>().write(signals) };
}

/// What this thread blocks is set when it goes on.
unsafe fn block(context: &mut libc::ucontext_t, args: Args) -> Answer {
    let [how, wanted, before, size, ..] = args;
    if size != size_of::<u64>() {
        return Err(Stop::Errno(libc::EINVAL));
    }
    let now = blocked(context);
    if wanted != 0 {
        // SAFETY: as the caller says.
        let wanted = unsafe { (wanted as *const u64).read_unaligned() };
        let next = match how as i32 {
            libc::SIG_BLOCK => now | wanted,
            libc::SIG_UNBLOCK => now & !wanted,
            libc::SIG_SETMASK => wanted,
            _ => return Err(Stop::Errno(libc::EINVAL)),
        };
        set_blocked(context, next & !NEEDED);
    }
    if before != 0 {
        // SAFETY: as the caller says.
        unsafe { (before as *mut u64).write_unaligned(now) };
    }
    Ok(0)
}

/// The thread that runs has to wait in this call: another one goes on, or this one when it can.
pub fn wait(context: &mut libc::ucontext_t, number: i64, args: Args, wait: Wait) {
    let turns = turns();
    turns.threads[turns.now] = Some(Thread {
        own: registers::own(),
        registers: registers::of(context),
        blocked: blocked(context),
        call: Some(Call { number, args, wait }),
    });
    go_on(turns, context);
}

/// The thread that runs has come to its end.
fn leave(context: &mut libc::ucontext_t) {
    let turns = turns();
    let at = NUMBER_AT.load(Ordering::Relaxed);
    if !are_many() || at == 0 {
        trap::end(why::FINISHED, 0);
    }
    // SAFETY: the word of the C library that the kernel would clear.
    unsafe { ((registers::own() + at) as *mut i32).write(0) };
    turns.threads[turns.now] = None;
    go_on(turns, context);
}

fn go_on(turns: &mut Turns, context: &mut libc::ucontext_t) {
    let (next, result) = ready(turns)
        .or_else(|| outside(turns))
        .unwrap_or_else(|| when_time_passes(turns));
    PULSES.store(0, Ordering::Relaxed);
    let Some(thread) = turns.threads[next].as_mut() else {
        trap::end(why::WAIT, 3);
    };
    thread.call = None;
    turns.now = next;
    registers::set(context, &thread.registers, result);
    set_blocked(context, thread.blocked);
    registers::become_owner(thread.own);
}

/// The next thread that can go on, and what its call gives. The one that has just begun to wait comes last.
fn ready(turns: &Turns) -> Option<(usize, Option<isize>)> {
    (1..=MOST).find_map(|step| {
        let at = (turns.now + step) % MOST;
        let Some(call) = turns.threads[at]?.call else {
            return Some((at, None));
        };
        if call.number == libc::SYS_sched_yield {
            return Some((at, Some(0)));
        }
        let result = match answers::answer(call.number, call.args) {
            Ok(result) => result,
            Err(Stop::Errno(error)) => -(error as isize),
            Err(Stop::Wait(_)) => return None,
            Err(_) => trap::end(why::EFFECT, call.number as u32),
        };
        Some((at, Some(result)))
    })
}

fn waiting(turns: &Turns) -> impl Iterator<Item = (usize, Call)> + '_ {
    let threads = turns.threads.iter().enumerate();
    threads.filter_map(|(at, thread)| Some((at, thread.as_ref()?.call?)))
}

/// One that waits for the program: there the copy really waits.
fn outside(turns: &Turns) -> Option<(usize, Option<isize>)> {
    let (at, call) = waiting(turns).find(|(_, call)| call.wait.ends == Ends::Program)?;
    SKIPS.store(0, Ordering::Relaxed);
    // SAFETY: the copy's own waiting, as `area::wait` does it.
    Some((at, Some(unsafe { ask(call.number, call.args) })))
}

/// The thread whose wait is over first, if time passes. Where that is not all that may happen, or nothing
/// is, the copy ends.
fn when_time_passes(turns: &Turns) -> (usize, Option<isize>) {
    let timed = waiting(turns).filter_map(|(at, call)| Some((call.wait.until?, at, call)));
    let first = timed.min_by_key(|(until, ..)| *until);
    let Some((until, at, call)) = first.filter(|(_, _, call)| waits::may_pass(call.wait)) else {
        let number = turns.threads[turns.now].and_then(|thread| thread.call);
        match number.map(|call| (call.wait.ends, call.number)) {
            Some((Ends::Outside, number)) => trap::end(why::EFFECT, number as u32),
            _ => trap::end(why::WAIT, 0),
        }
    };
    if SKIPS.fetch_add(1, Ordering::Relaxed) > MOST_SKIPS {
        trap::end(why::WAIT, 1);
    }
    waits::pass_to(until);
    if looks::is_select(call.number) {
        looks::empty_sets(call.args);
    }
    (at, Some(call.wait.late))
}

/// The copy has issued a call: it gets somewhere.
pub fn gets_on() {
    SKIPS.store(0, Ordering::Relaxed);
}

/// Now and then, within a handler: a thread that the copy has started and that does not end by itself ends
/// the copy.
pub fn pulse() {
    let turns = turns();
    let is_started = turns.now != 0;
    let others = waiting(turns).count();
    if is_started && others > 0 && PULSES.fetch_add(1, Ordering::Relaxed) > MOST_PULSES {
        trap::end(why::WAIT, 2);
    }
}
