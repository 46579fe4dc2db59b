//! Native threads beside Python's.

use std::ffi::{CStr, CString};
use std::io;
use std::mem::MaybeUninit;
use std::path::Path;
use std::thread::JoinHandle;
use std::time::Duration;

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

/// Starts a thread that no signal is ever delivered to: signals are the program's, and must
/// interrupt what the program waits in. It has its name from the first: a fork may come before it runs.
pub fn spawn_quiet<F, T>(name: &str, body: F) -> io::Result<JoinHandle<T>>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    let (own, first) = (this_name(), CString::new(name)?);
    let mut all = MaybeUninit::<libc::sigset_t>::uninit();
    let mut before = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: both sets are initialised by the calls; a thread inherits the mask of its maker.
    unsafe {
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
    }
    call_this(&first);
    let thread = std::thread::Builder::new()
        .name(name.to_owned())
        .spawn(body);
    call_this(&own);
    // SAFETY: `before` was filled above.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), std::ptr::null_mut()) };
    thread
}

/// The name of this thread.
fn this_name() -> CString {
    let mut name = [0_u8; 16];
    // SAFETY: the kernel writes as many bytes at most, and a zero behind a name.
    unsafe { libc::prctl(libc::PR_GET_NAME, name.as_mut_ptr()) };
    CStr::from_bytes_until_nul(&name).unwrap_or_default().into()
}

/// Names this thread; one that it starts has its name.
fn call_this(name: &CStr) {
    // SAFETY: the kernel reads up to the zero.
    unsafe { libc::prctl(libc::PR_SET_NAME, name.as_ptr()) };
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

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
    fn a_thread_has_its_name_before_it_runs() {
        let named = |thread: std::fs::DirEntry| std::fs::read_to_string(thread.path().join("comm"));
        let is_makers = |name: &String| name == "maker\n";
        let makers = move || {
            let threads = std::fs::read_dir("/proc/self/task").unwrap().flatten();
            threads
                .filter_map(|one| named(one).ok())
                .filter(is_makers)
                .count()
        };
        let maker = std::thread::Builder::new().name("maker".into());
        let counted = maker.spawn(move || {
            let counted =
                (0..64).map(|_| spawn_quiet("cord-test", || ()).map(|_| makers()).unwrap());
            counted.max()
        });
        assert_eq!(counted.unwrap().join().unwrap(), Some(1));
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
