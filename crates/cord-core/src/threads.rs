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
}
