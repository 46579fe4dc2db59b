//! SIGUSR1, which asks for the state of a run, and SIGTSTP, before which the terminal is given back.
//!
//! Handlers, not a mask and a thread: a mask is inherited by what the program starts, and by its
//! threads; a handler ends with `exec`, and what Python tells of handlers are its own. They are put where
//! the program has none, and give way to any that it puts there. In a forked child they do what
//! happens without them.

use std::ffi::c_int;
use std::mem::{zeroed, MaybeUninit};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU8, Ordering};
use std::sync::OnceLock;

use rustix::mm::{mmap_anonymous, MapFlags, ProtFlags};

/// What takes the lines away from a terminal is never longer.
const MOST_BYTES: usize = 120;

/// What is to be written to a terminal so that it is as it was; nothing where it is. In memory shared
/// with the process that outlives this one, however it ends.
#[repr(C)]
struct Undo {
    length: AtomicU32,
    bytes: [AtomicU8; MOST_BYTES],
}

static UNDO: OnceLock<&'static Undo> = OnceLock::new();
/// The process whose handlers these are.
static PROCESS: AtomicU32 = AtomicU32::new(0);
static ASKED: AtomicBool = AtomicBool::new(false);

/// Before the process is forked that outlives this one: what will be done to a terminal is known to both.
///
/// # Errors
/// When there is no memory.
pub fn share() -> std::io::Result<()> {
    let (read, size) = (ProtFlags::READ | ProtFlags::WRITE, size_of::<Undo>());
    // SAFETY: a new mapping; zeros are a valid `Undo`, which is of atomics alone. It is never unmapped.
    let undo =
        unsafe { &*mmap_anonymous(null_mut(), size, read, MapFlags::SHARED)?.cast::<Undo>() };
    let _ = UNDO.set(undo);
    Ok(())
}

/// This is to be written to the terminal so that it is as it was.
pub fn note(bytes: &str) {
    let Some(undo) = UNDO.get().filter(|_| bytes.len() <= MOST_BYTES) else {
        return;
    };
    undo.length.store(0, Ordering::SeqCst);
    for (place, byte) in undo.bytes.iter().zip(bytes.bytes()) {
        place.store(byte, Ordering::Relaxed);
    }
    undo.length.store(bytes.len() as u32, Ordering::SeqCst);
}

/// Whether something is to be written.
pub fn is_noted() -> bool {
    let length = |undo: &&Undo| undo.length.load(Ordering::SeqCst);
    UNDO.get().map_or(0, length) > 0
}

/// Writes what was noted, once, if that is still a terminal. Allocates nothing: a signal's handler does it.
pub fn undo(terminal: c_int) {
    let Some(undo) = UNDO.get() else { return };
    let length = undo.length.swap(0, Ordering::SeqCst) as usize;
    let mut bytes = [0; MOST_BYTES];
    for (byte, place) in bytes.iter_mut().zip(&undo.bytes) {
        *byte = place.load(Ordering::Relaxed);
    }
    let length = length.min(MOST_BYTES);
    let mut size = MaybeUninit::<libc::winsize>::uninit();
    // SAFETY: there is room for the answer, and the bytes are there; that it may fail is nobody's concern.
    unsafe {
        if length > 0 && libc::ioctl(terminal, libc::TIOCGWINSZ, size.as_mut_ptr()) == 0 {
            libc::write(terminal, bytes.as_ptr().cast(), length);
        }
    }
}

/// Whether somebody has asked for the state since this was last asked.
pub fn is_asked() -> bool {
    ASKED.swap(false, Ordering::SeqCst)
}

/// Puts the handlers where there are none; that of a stop only where a terminal is drawn on.
pub fn install(draws: bool) {
    PROCESS.store(std::process::id(), Ordering::SeqCst);
    replace(
        libc::SIGUSR1,
        libc::SIG_DFL,
        on_question as *const () as usize,
    );
    if draws {
        replace(libc::SIGTSTP, libc::SIG_DFL, on_stop as *const () as usize);
    }
}

/// Takes them away, if they are there.
pub fn uninstall() {
    replace(
        libc::SIGUSR1,
        on_question as *const () as usize,
        libc::SIG_DFL,
    );
    replace(libc::SIGTSTP, on_stop as *const () as usize, libc::SIG_DFL);
}

/// What happens at a signal, where until now `before` does.
fn replace(signal: c_int, before: usize, handler: usize) {
    let mut found = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: both structures are there; zeros make a valid one of them. The handlers do only what may be
    // done in one.
    unsafe {
        if libc::sigaction(signal, null(), found.as_mut_ptr()) != 0
            || found.assume_init_ref().sa_sigaction != before
        {
            return;
        }
        let mut wanted: libc::sigaction = zeroed();
        wanted.sa_sigaction = handler;
        wanted.sa_flags = libc::SA_RESTART | libc::SA_ONSTACK;
        libc::sigaction(signal, &raw const wanted, null_mut());
    }
}

fn is_here() -> bool {
    PROCESS.load(Ordering::SeqCst) == std::process::id()
}

extern "C" fn on_question(signal: c_int) {
    match is_here() {
        true => ASKED.store(true, Ordering::SeqCst),
        false => as_without(signal),
    }
}

extern "C" fn on_stop(signal: c_int) {
    // SAFETY: the address of a variable of this thread's.
    let errno = unsafe { *libc::__errno_location() };
    if is_here() {
        undo(libc::STDERR_FILENO);
        as_without(signal);
        replace(signal, libc::SIG_DFL, on_stop as *const () as usize);
    } else {
        as_without(signal);
    }
    // SAFETY: as above.
    unsafe { *libc::__errno_location() = errno };
}

/// Does what happens where nobody handles the signal: this process ends, or stops until it is continued.
fn as_without(signal: c_int) {
    let mut only = MaybeUninit::<libc::sigset_t>::uninit();
    let mut before = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: the sets are initialised by the calls, all of which a handler may make.
    unsafe {
        let mut wanted: libc::sigaction = zeroed();
        wanted.sa_sigaction = libc::SIG_DFL;
        libc::sigaction(signal, &raw const wanted, null_mut());
        libc::sigemptyset(only.as_mut_ptr());
        libc::sigaddset(only.as_mut_ptr(), signal);
        libc::raise(signal);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, only.as_ptr(), before.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), null_mut());
    }
}
