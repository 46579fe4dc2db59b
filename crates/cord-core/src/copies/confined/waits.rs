//! Waits of a copy. It has one thread, so nobody in it would end them: a wait without end ends the copy,
//! whoever began it (a lock that another thread held, a library that hands work to its threads). Only
//! what it shares with the program's process does somebody ring.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use crate::copies::area::Area;
use crate::copies::confined::trap;
use crate::copies::system::stub::ask;
use crate::copies::why;

/// Where the copy's area lies.
static FROM: AtomicUsize = AtomicUsize::new(0);
static TO: AtomicUsize = AtomicUsize::new(0);
/// So many threads of its own, or of its libraries, the program had beside the one that is copied.
static OTHERS: AtomicUsize = AtomicUsize::new(0);
/// While the copy runs what the program has in a thread of its own: for so many pulses, and one; else 0.
static IN_THREAD: AtomicU32 = AtomicU32::new(0);
/// A thread that takes longer is one that does not end by itself.
const MOST_PULSES: u32 = 5;
/// So often in a row the copy gave its core away.
static YIELDS: AtomicU32 = AtomicU32::new(0);
/// Who does it more often waits for another thread.
const MOST_YIELDS: u32 = 2000;

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

/// Before the copy is made: how many threads the program has that are not Cord's.
pub fn other_threads() -> usize {
    let own = std::process::id().to_string();
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else {
        return usize::MAX;
    };
    let others = threads.flatten().filter(|thread| {
        thread.file_name().to_str() != Some(own.as_str()) && !is_cords(&thread.path())
    });
    others.count()
}

/// Whether a thread was started by Cord: none of them is ever waited for by the program.
fn is_cords(thread: &std::path::Path) -> bool {
    std::fs::read_to_string(thread.join("comm")).is_ok_and(|name| name.starts_with("cord-"))
}

/// In the fresh copy, before its calls are trapped.
pub fn take_over(area: &Area, others: usize) {
    let (from, to) = area.place();
    FROM.store(from, Ordering::Relaxed);
    TO.store(to, Ordering::Relaxed);
    OTHERS.store(others, Ordering::Relaxed);
    YIELDS.store(0, Ordering::Relaxed);
    IN_THREAD.store(0, Ordering::Relaxed);
}

/// The copy runs what the program has in another thread, from now on or no longer.
pub fn runs_thread(is_within: bool) {
    IN_THREAD.store(u32::from(is_within), Ordering::Relaxed);
}

/// Whether it does.
pub fn is_in_thread() -> bool {
    IN_THREAD.load(Ordering::Relaxed) > 0
}

/// How many threads of its own the program had beside the one that is copied.
pub fn others() -> usize {
    OTHERS.load(Ordering::Relaxed)
}

/// Now and then, within a handler.
pub fn pulse() {
    let pulses = IN_THREAD.load(Ordering::Relaxed);
    if pulses > MOST_PULSES {
        trap::end(why::WAIT, 2);
    }
    IN_THREAD.store(pulses + u32::from(pulses > 0), Ordering::Relaxed);
}

/// A trapped call of `futex`: what it gives. Within the handler.
pub fn futex(args: [usize; 6]) -> isize {
    let [place, operation, value, timeout, ..] = args;
    if (FROM.load(Ordering::Relaxed)..TO.load(Ordering::Relaxed)).contains(&place) {
        // SAFETY: the copy's own waiting, as `area::wait` does it.
        return unsafe { ask(libc::SYS_futex, args) };
    }
    match operation as i32 & COMMAND {
        libc::FUTEX_WAIT | libc::FUTEX_WAIT_BITSET => {
            // SAFETY: the caller waits for this word; if it is none, the copy ends here.
            let now = unsafe { AtomicU32::from_ptr(place as *mut u32) }.load(Ordering::SeqCst);
            if now != value as u32 {
                return -(libc::EAGAIN as isize);
            }
            if timeout == 0 || others() > 0 || is_in_thread() {
                trap::end(why::WAIT, 0);
            }
            -(libc::ETIMEDOUT as isize) // as if the time had passed
        }
        _ => trap::end(why::WAIT, 0),
    }
}

/// The copy gives its core away: now and then is well, but nobody does anything meanwhile.
pub fn give_way() -> isize {
    if YIELDS.fetch_add(1, Ordering::Relaxed) >= MOST_YIELDS {
        trap::end(why::WAIT, 1);
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_of_others_are_told_from_cords() {
        let (stop, stopped) = std::sync::mpsc::channel::<()>();
        let own = crate::threads::spawn_quiet("cord-test", move || stopped.recv());
        let path = |name: &str| {
            let all = std::fs::read_dir("/proc/self/task").unwrap().flatten();
            let named = |path: &std::path::Path| {
                std::fs::read_to_string(path.join("comm")).is_ok_and(|comm| comm.trim() == name)
            };
            all.map(|one| one.path()).find(|path| named(path))
        };
        while path("cord-test").is_none() {
            std::thread::yield_now();
        }
        assert!(is_cords(&path("cord-test").unwrap()));
        assert!(other_threads() > 0, "that of this test is none of Cord's");
        drop(stop);
        assert!(own.unwrap().join().unwrap().is_err());
    }

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
