//! What a copy says about signals and its alarm: it is remembered, and told again, and that is all. No
//! signal of the program's comes to a copy, and those that are the copy's own are handled otherwise.
//!
//! The handler of trapped calls reads and writes this: no locks, no memory is allocated.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use crate::system::kernel::{Answer, Stop};

const SIGNALS: usize = 64;
/// What the kernel is told of a signal: handler, flags, return, and what is blocked meanwhile.
const FIELDS: usize = 4;
const SECOND: i64 = 1_000_000_000;

type Action = [u64; FIELDS];

static ACTIONS: [[AtomicU64; FIELDS]; SIGNALS + 1] =
    [const { [const { AtomicU64::new(0) }; FIELDS] }; SIGNALS + 1];
/// When the program's alarm would go off next, in nanoseconds; 0 if never.
static ALARM_AT: AtomicI64 = AtomicI64::new(0);
/// And how long after that again.
static ALARM_EVERY: AtomicI64 = AtomicI64::new(0);

/// In the program, before the copy is made: its alarm, which copies do not inherit.
pub fn alarm_of_program() -> libc::itimerval {
    // SAFETY: there is room for the answer.
    unsafe {
        let mut now: libc::itimerval = std::mem::zeroed();
        libc::syscall(libc::SYS_getitimer, libc::ITIMER_REAL, &raw mut now);
        now
    }
}

/// In the fresh copy, before it handles signals in its own way.
pub fn take_over(alarm: &libc::itimerval) {
    for (signal, place) in ACTIONS.iter().enumerate().skip(1) {
        let mut action: Action = [0; FIELDS];
        let at = action.as_mut_ptr();
        // SAFETY: a question, with room for the answer.
        unsafe { libc::syscall(libc::SYS_rt_sigaction, signal, 0, at, size_of::<u64>()) };
        store(place, &action);
    }
    set_alarm(
        nanoseconds(&alarm.it_value),
        nanoseconds(&alarm.it_interval),
    );
}

/// The answer to a call about signals or the alarm; none if it is another one.
///
/// # Safety
/// As the system call: what the arguments point to is read and written as the kernel would.
pub unsafe fn answer(number: i64, args: [usize; 6]) -> Option<Answer> {
    let [first, second, third, fourth, ..] = args;
    let is_alarm = first as i32 == libc::ITIMER_REAL;
    // SAFETY: as the caller says.
    Some(unsafe {
        match number {
            libc::SYS_rt_sigaction => act(first, second, third, fourth),
            libc::SYS_setitimer if is_alarm => set_timer(second, third),
            libc::SYS_getitimer if is_alarm && second != 0 => {
                tell_timer(second);
                Ok(0)
            }
            #[cfg(target_arch = "x86_64")]
            libc::SYS_alarm => Ok(alarm(first as u32)),
            _ => return None,
        }
    })
}

fn store(place: &[AtomicU64; FIELDS], action: &Action) {
    for (field, value) in place.iter().zip(action) {
        field.store(*value, Ordering::Relaxed);
    }
}

unsafe fn act(signal: usize, wanted: usize, before: usize, size: usize) -> Answer {
    let place = ACTIONS.get(signal).filter(|_| signal > 0);
    let place = place.ok_or(Stop::Errno(libc::EINVAL))?;
    let is_fixed = [libc::SIGKILL, libc::SIGSTOP].contains(&(signal as i32));
    if size != size_of::<u64>() || is_fixed && wanted != 0 {
        return Err(Stop::Errno(libc::EINVAL));
    }
    // SAFETY: the kernel would read and write there.
    unsafe {
        let wanted = (wanted != 0).then(|| (wanted as *const Action).read_unaligned());
        if before != 0 {
            let now: Action = std::array::from_fn(|at| place[at].load(Ordering::Relaxed));
            (before as *mut Action).write_unaligned(now);
        }
        if let Some(action) = wanted {
            store(place, &action);
        }
    }
    Ok(0)
}

fn now() -> i64 {
    // SAFETY: there is room for the answer.
    unsafe {
        let mut now: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut now);
        now.tv_sec * SECOND + now.tv_nsec
    }
}

fn nanoseconds(time: &libc::timeval) -> i64 {
    time.tv_sec
        .saturating_mul(SECOND)
        .saturating_add(time.tv_usec * 1000)
}

fn time(nanoseconds: i64) -> libc::timeval {
    libc::timeval {
        tv_sec: nanoseconds / SECOND,
        tv_usec: nanoseconds % SECOND / 1000,
    }
}

fn set_alarm(after: i64, every: i64) {
    let at = if after > 0 {
        now().saturating_add(after)
    } else {
        0
    };
    ALARM_AT.store(at, Ordering::Relaxed);
    ALARM_EVERY.store(every, Ordering::Relaxed);
}

/// The time until the alarm would go off; 0 if it does not, or would have.
fn left() -> i64 {
    let (at, every) = (
        ALARM_AT.load(Ordering::Relaxed),
        ALARM_EVERY.load(Ordering::Relaxed),
    );
    let left = at - now();
    match (at, left, every) {
        (0, ..) => 0,
        (_, 1.., _) => left,
        (_, _, 0) => 0,
        _ => left.rem_euclid(every).max(1),
    }
}

#[cfg(target_arch = "x86_64")]
fn alarm(seconds: u32) -> isize {
    let left = left();
    set_alarm(i64::from(seconds) * SECOND, 0);
    // rounded, but not to none
    let rounded = (left + SECOND / 2) / SECOND;
    rounded.max(i64::from(left > 0)) as isize
}

unsafe fn tell_timer(to: usize) {
    let now = libc::itimerval {
        it_interval: time(ALARM_EVERY.load(Ordering::Relaxed)),
        it_value: time(left()),
    };
    // SAFETY: the kernel would write there.
    unsafe { (to as *mut libc::itimerval).write_unaligned(now) };
}

unsafe fn set_timer(wanted: usize, before: usize) -> Answer {
    if wanted == 0 {
        return Err(Stop::End); // the kernel warns of it
    }
    // SAFETY: the kernel would read and write there.
    unsafe {
        let wanted = (wanted as *const libc::itimerval).read_unaligned();
        let is_time =
            |time: &libc::timeval| time.tv_sec >= 0 && (0..1_000_000).contains(&time.tv_usec);
        if !is_time(&wanted.it_value) || !is_time(&wanted.it_interval) {
            return Err(Stop::Errno(libc::EINVAL));
        }
        if before != 0 {
            tell_timer(before);
        }
        set_alarm(
            nanoseconds(&wanted.it_value),
            nanoseconds(&wanted.it_interval),
        );
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_of_signals_is_told_again() {
        let action: Action = [7, 4, 0, 2];
        let mut told: Action = [1; FIELDS];
        let (new, old) = (&raw const action as usize, &raw mut told as usize);
        let ask = |signal: i32, new, old| {
            // SAFETY: both live through the call.
            unsafe { answer(libc::SYS_rt_sigaction, [signal as usize, new, old, 8, 0, 0]) }.unwrap()
        };
        assert_eq!(ask(libc::SIGUSR2, new, old), Ok(0));
        assert_eq!(told, [0; FIELDS]);
        assert_eq!(ask(libc::SIGUSR2, 0, old), Ok(0));
        assert_eq!(told, action);
        for signal in [0, 65, libc::SIGKILL, libc::SIGSTOP] {
            assert_eq!(ask(signal, new, 0), Err(Stop::Errno(libc::EINVAL)));
        }
    }

    #[test]
    fn an_alarm_is_remembered_and_never_goes_off() {
        set_alarm(5 * SECOND, 0);
        assert!((4 * SECOND..=5 * SECOND).contains(&left()));
        set_alarm(1, 0);
        std::thread::sleep(std::time::Duration::from_millis(1));
        assert_eq!(left(), 0);
        set_alarm(1, 3 * SECOND);
        std::thread::sleep(std::time::Duration::from_millis(1));
        assert!((1..=3 * SECOND).contains(&left()));
        set_alarm(0, 0);
        assert_eq!(left(), 0);
    }
}
