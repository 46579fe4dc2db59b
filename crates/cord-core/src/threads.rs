//! Native threads beside Python's.

use std::io;
use std::mem::MaybeUninit;
use std::thread::JoinHandle;

/// Starts a thread that no signal is ever delivered to: signals are the program's, and must
/// interrupt what the program waits in.
pub fn spawn_quiet<F>(name: &str, body: F) -> io::Result<JoinHandle<()>>
where
    F: FnOnce() + Send + 'static,
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

/// Asks the kernel to run this thread soon when it wakes, even while every core is busy: it asks
/// for a short slice of time, which makes its turn come earlier without making it longer. Kernels
/// before Linux 6.12 take no notice; then replicas may wait a few milliseconds for their next call.
pub fn run_promptly() {
    #[repr(C)]
    #[derive(Default)]
    struct Attributes {
        size: u32,
        policy: u32,
        flags: u64,
        nice: i32,
        priority: u32,
        /// The slice asked for, in nanoseconds; the kernel takes nothing shorter than this.
        runtime: u64,
        deadline: u64,
        period: u64,
    }
    const SLICE: u64 = 100_000;
    const SIZE: u32 = std::mem::size_of::<Attributes>() as u32;
    let mut attributes = Attributes { size: SIZE, ..Attributes::default() };
    // SAFETY: the kernel reads or fills no more than `size` bytes, for the calling thread alone.
    unsafe {
        let got = libc::syscall(libc::SYS_sched_getattr, 0, &raw mut attributes, SIZE, 0);
        if got == 0 && attributes.policy == libc::SCHED_OTHER as u32 {
            attributes.runtime = SLICE;
            libc::syscall(libc::SYS_sched_setattr, 0, &raw mut attributes, 0);
        }
    }
}
