//! Waits of a copy for time and for threads. Whether one is over is looked at; where it is not, other threads
//! of the copy go on (`turns`). A wait that nobody in the copy can end ends it (a lock that a thread held
//! which the copy has not). Only what it shares with the program's process does somebody ring.

use std::sync::atomic::{AtomicI64, AtomicU32, AtomicUsize, Ordering};

use crate::area::Area;
use crate::confined::{trap, turns};
use crate::system::kernel::{Answer, Ends, Stop, Wait};
use crate::system::stub::ask;
use crate::why;

/// Where the copy's area lies.
static FROM: AtomicUsize = AtomicUsize::new(0);
static TO: AtomicUsize = AtomicUsize::new(0);
/// So many threads of its own, or of its libraries, the program had that the copy has not.
static OTHERS: AtomicUsize = AtomicUsize::new(0);
/// How far the copy's clock of waits is ahead of the true one, in nanoseconds.
static AHEAD: AtomicI64 = AtomicI64::new(0);
/// So often in a row the copy gave its core away.
static YIELDS: AtomicU32 = AtomicU32::new(0);
/// Who does it more often waits for another thread.
const MOST_YIELDS: u32 = 2000;
const SECOND: i64 = 1_000_000_000;

/// What the lower bits of a futex's operation say; the others say of which kind its memory and its
/// clock are.
const COMMAND: i32 = !(libc::FUTEX_PRIVATE_FLAG | libc::FUTEX_CLOCK_REALTIME);
/// They wake, or move who waits: none of them takes time.
pub const WAKES: [i32; 6] = [
    libc::FUTEX_WAKE,
    libc::FUTEX_WAKE_BITSET,
    libc::FUTEX_WAKE_OP,
    libc::FUTEX_REQUEUE,
    libc::FUTEX_CMP_REQUEUE,
    libc::FUTEX_UNLOCK_PI,
];

/// In the fresh copy, before its calls are trapped.
pub fn take_over(area: &Area, others: usize) {
    let (from, to) = area.place();
    FROM.store(from, Ordering::Relaxed);
    TO.store(to, Ordering::Relaxed);
    OTHERS.store(others, Ordering::Relaxed);
    AHEAD.store(0, Ordering::Relaxed);
    YIELDS.store(0, Ordering::Relaxed);
}

/// How many threads of its own the program had that the copy has not.
pub fn others() -> usize {
    OTHERS.load(Ordering::Relaxed)
}

fn time_of(clock: i32) -> i64 {
    // SAFETY: there is room for the answer.
    unsafe {
        let mut now: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(clock, &raw mut now);
        nanoseconds(&now)
    }
}

pub fn nanoseconds(time: &libc::timespec) -> i64 {
    time.tv_sec
        .saturating_mul(SECOND)
        .saturating_add(time.tv_nsec)
}

fn now() -> i64 {
    time_of(libc::CLOCK_MONOTONIC).saturating_add(AHEAD.load(Ordering::Relaxed))
}

/// How much time has passed in waits, and not on true clocks: in nanoseconds.
pub fn passed() -> i64 {
    AHEAD.load(Ordering::Relaxed)
}

/// It is as late as that.
pub fn pass_to(until: i64) {
    AHEAD.fetch_add((until - now()).max(0), Ordering::Relaxed);
}

/// When so many nanoseconds have passed from now on.
pub fn after(nanoseconds: i64) -> i64 {
    now().saturating_add(nanoseconds.max(0))
}

/// When a time is over that the kernel would read there; `clock`: it is one on this clock. Never if
/// there is none.
unsafe fn until(place: usize, clock: Option<i32>) -> Option<i64> {
    // SAFETY: as the caller says.
    let time = unsafe { (place as *const libc::timespec).as_ref()? };
    let already = clock.map_or(0, time_of);
    Some(after(nanoseconds(time).saturating_sub(already)))
}

/// Whether time may pass in such a wait: nobody would end it before, or that is guessed.
pub fn may_pass(wait: Wait) -> bool {
    match wait.ends {
        Ends::Nobody => true,
        Ends::Thread => others() == 0 || trap::may_guess(),
        Ends::Outside => trap::may_guess(),
        Ends::Program => false,
    }
}

/// A trapped call of `futex`: what it gives. Within the handler.
pub fn futex(args: [usize; 6]) -> Answer {
    let [place, operation, value, timeout, ..] = args;
    let is_programs = (FROM.load(Ordering::Relaxed)..TO.load(Ordering::Relaxed)).contains(&place);
    if is_programs && !turns::are_many() {
        // SAFETY: the copy's own waiting, as `area::wait` does it.
        return Ok(unsafe { ask(libc::SYS_futex, args) });
    }
    let clock = match operation as i32 & COMMAND {
        libc::FUTEX_WAIT => None,
        libc::FUTEX_WAIT_BITSET if operation as i32 & libc::FUTEX_CLOCK_REALTIME != 0 => {
            Some(libc::CLOCK_REALTIME)
        }
        libc::FUTEX_WAIT_BITSET => Some(libc::CLOCK_MONOTONIC),
        _ => trap::end(why::WAIT, 0),
    };
    // SAFETY: the caller waits for this word; if it is none, the copy ends here.
    let now = unsafe { AtomicU32::from_ptr(place as *mut u32) }.load(Ordering::SeqCst);
    if now != value as u32 {
        return Err(Stop::Errno(libc::EAGAIN));
    }
    let ends = if is_programs {
        Ends::Program
    } else {
        Ends::Thread
    };
    Err(Stop::Wait(Wait {
        // SAFETY: the kernel would read it.
        until: unsafe { until(timeout, clock) },
        late: -(libc::ETIMEDOUT as isize),
        ends,
    }))
}

/// Time passes at once; of several threads for that first whose time is over first.
pub fn sleep(number: i64, args: [usize; 6]) -> Answer {
    let [first, second, third, ..] = args;
    if !turns::are_many() {
        return Ok(0);
    }
    let (place, clock) = match number {
        libc::SYS_nanosleep => (first, None),
        _ if second as i32 & libc::TIMER_ABSTIME != 0 => (third, Some(first as i32)),
        _ => (third, None),
    };
    Err(Stop::Wait(Wait {
        // SAFETY: the kernel would read it.
        until: unsafe { until(place, clock) },
        late: 0,
        ends: Ends::Nobody,
    }))
}

/// The copy gives its core away: now and then is well, but nobody else does anything meanwhile.
pub fn give_way() -> Answer {
    if YIELDS.fetch_add(1, Ordering::Relaxed) >= MOST_YIELDS {
        trap::end(why::WAIT, 1);
    }
    if turns::are_many() {
        return Err(Stop::Wait(Wait::FOR_THREAD));
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_wakes_is_told_from_what_waits() {
        let waits = [
            libc::FUTEX_WAIT,
            libc::FUTEX_WAIT_BITSET,
            libc::FUTEX_LOCK_PI,
        ];
        assert!(waits.iter().all(|wait| !WAKES.contains(wait)));
        assert_eq!(
            (libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG) & COMMAND,
            libc::FUTEX_WAIT
        );
    }
}
