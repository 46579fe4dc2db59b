//! Native threads beside Python's.

use std::io;
use std::mem::MaybeUninit;
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::time::{clock_gettime, ClockId};

/// For how long this thread has had a core.
pub fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Whether this is the thread that the process has begun with.
pub fn is_main_thread() -> bool {
    // SAFETY: both calls only ask.
    unsafe { libc::gettid() == libc::getpid() }
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
    let thread = std::thread::Builder::new()
        .name(name.to_owned())
        .spawn(body);
    // SAFETY: `before` was filled above.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), std::ptr::null_mut()) };
    thread
}
