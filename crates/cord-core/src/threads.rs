//! Native threads beside Python's.

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

/// While it lives, this thread has a name of Cord's, which a thread that it starts has from its first
/// moment on.
struct Named([u8; 16]);

impl Named {
    fn new(name: &str) -> Named {
        let mut before = [0; 16];
        let mut short = [0; 16];
        let bytes = name.bytes().take(short.len() - 1);
        short
            .iter_mut()
            .zip(bytes)
            .for_each(|(to, from)| *to = from);
        // SAFETY: there is room for a name, and one ends with a zero.
        unsafe {
            libc::prctl(libc::PR_GET_NAME, before.as_mut_ptr());
            libc::prctl(libc::PR_SET_NAME, short.as_ptr());
        }
        Named(before)
    }
}

impl Drop for Named {
    fn drop(&mut self) {
        // SAFETY: as the kernel has given it.
        unsafe { libc::prctl(libc::PR_SET_NAME, self.0.as_ptr()) };
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
    let named = Named::new(name);
    let thread = std::thread::Builder::new()
        .name(name.to_owned())
        .spawn(body);
    drop(named);
    // SAFETY: `before` was filled above.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), std::ptr::null_mut()) };
    thread
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
    fn a_thread_has_its_name_from_its_first_moment_on() {
        let own = || std::fs::read_to_string("/proc/thread-self/comm").unwrap();
        let before = own();
        let named = Named::new("cord-test");
        let inherited = std::thread::spawn(own).join().unwrap();
        drop(named);
        assert_eq!((inherited.trim(), own()), ("cord-test", before));
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
