//! Native threads beside Python's.

use std::io;
use std::mem::MaybeUninit;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::time::{clock_gettime, ClockId};

/// For how long this thread has had a core.
pub fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Tells how long a thread waits for a core though it could run.
#[derive(Debug, Default)]
pub struct CoreWaits(Duration);

impl CoreWaits {
    /// What this thread has waited since it last asked; nothing where the kernel does not tell.
    pub fn since(&mut self) -> Duration {
        let total = waited_for_core().unwrap_or(self.0);
        total.saturating_sub(std::mem::replace(&mut self.0, total))
    }
}

/// The second of the numbers of `schedstat`, in nanoseconds: see proc(5).
fn waited_for_core() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanos = told.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(Duration::from_nanos(nanos))
}

/// Whether this is the thread that the process has begun with.
pub fn is_main_thread() -> bool {
    // SAFETY: both calls only ask.
    unsafe { libc::gettid() == libc::getpid() }
}

/// How many threads the process has beside the one that asks and these, which are not Cord's; as many as
/// there can be where nobody can tell.
pub fn threads_beside(known: &[i32]) -> usize {
    wait_for_names();
    // SAFETY: a question.
    let here = unsafe { libc::gettid() };
    let is_known = |number: &i32| *number == here || known.contains(number);
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else {
        return usize::MAX;
    };
    let others = threads.flatten().filter(|thread| {
        let name = thread.file_name();
        let number = name.to_str().and_then(|name| name.parse().ok());
        !number.as_ref().is_some_and(is_known) && !is_cords(&thread.path())
    });
    others.count()
}

/// Whether a thread was started by Cord: none of them is ever waited for by the program. So it is with one
/// that is not there any more.
fn is_cords(thread: &Path) -> bool {
    match std::fs::read(thread.join("comm")) {
        Ok(name) => name.starts_with(b"cord-"),
        Err(error) => matches!(error.raw_os_error(), Some(libc::ENOENT | libc::ESRCH)),
    }
}

/// So many threads of Cord's have been started and may not have their names yet.
static UNNAMED: AtomicUsize = AtomicUsize::new(0);
/// So long nobody waits for more than that.
const NAMING: Duration = Duration::from_millis(2);

/// Waits until each thread of Cord's has its name, without a system call: a thread gets it when it first runs.
fn wait_for_names() {
    let began = Instant::now();
    while UNNAMED.load(Ordering::Acquire) > 0 && began.elapsed() < NAMING {
        std::hint::spin_loop();
    }
}

/// Starts a thread that no signal is ever delivered to: signals are the program's, and must
/// interrupt what the program waits in.
pub fn spawn_quiet<F, T>(name: &str, body: F) -> io::Result<JoinHandle<T>>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    let mut all = MaybeUninit::<libc::sigset_t>::uninit();
    let mut before = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: both sets are initialised by the calls; a thread inherits the mask of its maker.
    unsafe {
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
    }
    UNNAMED.fetch_add(1, Ordering::AcqRel);
    let thread = std::thread::Builder::new()
        .name(name.to_owned())
        .spawn(move || {
            UNNAMED.fetch_sub(1, Ordering::AcqRel);
            body()
        });
    if thread.is_err() {
        UNNAMED.fetch_sub(1, Ordering::AcqRel);
    }
    // SAFETY: `before` was filled above.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), std::ptr::null_mut()) };
    thread
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn a_thread_waits_for_a_core_no_longer_than_time_has_passed() {
        let mut waits = CoreWaits::default();
        waits.since();
        let began = Instant::now();
        while began.elapsed() < Duration::from_millis(5) {
            std::hint::spin_loop();
        }
        assert!(waits.since() <= began.elapsed());
    }

    #[test]
    fn names_are_waited_for() {
        let named = spawn_quiet("cord-test", || {
            std::fs::read_to_string("/proc/thread-self/comm").unwrap()
        });
        assert_eq!(named.unwrap().join().unwrap().trim(), "cord-test");
        wait_for_names();
        let began = Instant::now();
        UNNAMED.fetch_add(1, Ordering::AcqRel);
        wait_for_names();
        UNNAMED.fetch_sub(1, Ordering::AcqRel);
        assert!(
            began.elapsed() >= NAMING,
            "one that never runs is not waited for longer"
        );
    }

    #[test]
    fn threads_of_others_are_told_from_cords() {
        let path =
            || std::fs::read_link("/proc/thread-self").map(|path| Path::new("/proc").join(path));
        let own = spawn_quiet("cord-test", move || is_cords(&path().unwrap())).unwrap();
        let (stop, stopped) = std::sync::mpsc::channel::<()>();
        let other = std::thread::spawn(move || stopped.recv());
        assert!(own.join().unwrap());
        assert!(threads_beside(&[]) > 0);
        assert!(is_cords(Path::new("/proc/self/task/0")), "one that is gone");
        drop(stop);
        assert!(other.join().unwrap().is_err());
    }
}
