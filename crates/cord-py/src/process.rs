//! The few calls to the C library that Python has no cheap way to make.

use std::ffi::c_char;
use std::io;
use std::sync::atomic::{AtomicI32, Ordering};

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

extern "C" {
    static mut stdout: *mut libc::FILE;
    static mut stderr: *mut libc::FILE;
    /// Bytes that a stream holds back (stdio_ext.h).
    fn __fpending(stream: *mut libc::FILE) -> libc::size_t;
}

/// Whether C code has printed something that is still in its own buffers.
pub fn holds_back() -> bool {
    // SAFETY: both streams are set before main() and stay valid until the process ends.
    unsafe { __fpending(stdout) + __fpending(stderr) > 0 }
}

/// Writes out what C code holds back, in whatever file.
pub fn flush_c_streams() {
    // SAFETY: a null pointer stands for all output streams; the library locks each one itself.
    unsafe { libc::fflush(std::ptr::null_mut()) };
}

/// Ask the kernel to send `signal` to this process when its parent dies.
#[pyfunction]
fn set_parent_death_signal(signal: i32) -> PyResult<()> {
    // SAFETY: this option of prctl takes one integer and touches no memory of ours.
    let failed = unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, signal as libc::c_ulong) } != 0;
    if failed {
        return Err(PyOSError::new_err(io::Error::last_os_error().to_string()));
    }
    Ok(())
}

/// Become the parent of what this process's children leave behind when they end, where the kernel allows.
#[pyfunction]
fn adopt_orphans() {
    const YES: libc::c_ulong = 1;
    // SAFETY: this option of prctl takes one integer and touches no memory of ours.
    unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, YES) };
}

/// Fork, as `os.fork` does, a child that the program does not come across: `wait` for any child
/// passes it over, and its end sends no SIGCHLD. Only `waitpid` of its own process id with `__WALL`
/// finds it.
///
/// It is a child like any other where that cannot be had: on emulated systems; and with other
/// threads about, whose locks the C library keeps out of a child only in its own `fork`.
#[pyfunction]
fn fork_unseen(_py: Python<'_>) -> PyResult<i32> {
    // without a signal to tell its end by
    fork_by(|| {
        let pid = if is_alone() { clone(0) } else { -1 };
        if pid < 0 {
            // SAFETY: as `fork_by` says.
            libc::c_long::from(unsafe { libc::fork() })
        } else {
            pid
        }
    })
}

/// Fork a process that is not this one's child but its parent's, who is told of its end. This process
/// must have one thread only.
#[pyfunction]
fn fork_sibling(_py: Python<'_>) -> PyResult<i32> {
    if !is_alone() {
        return Err(PyOSError::new_err("there are other threads"));
    }
    fork_by(|| clone(libc::CLONE_PARENT as libc::c_ulong))
}

fn is_alone() -> bool {
    std::fs::read_dir("/proc/self/task").is_ok_and(|threads| threads.count() == 1)
}

/// A fork by the kernel's own call, for a process of one thread: nothing of the C library is locked.
fn clone(flags: libc::c_ulong) -> libc::c_long {
    const NONE: libc::c_ulong = 0;
    // SAFETY: without a stack for it the child goes on with a copy of this one's memory.
    unsafe { libc::syscall(libc::SYS_clone, flags, NONE, NONE, NONE, NONE) }
}

/// Forks, and tells the interpreter of it, whose lock is held from before until after in both processes.
fn fork_by(make: impl FnOnce() -> libc::c_long) -> PyResult<i32> {
    // SAFETY: the interpreter's lock is held, and each of its functions is called where it belongs.
    let forked = unsafe {
        pyo3::ffi::PyOS_BeforeFork();
        let pid = make();
        let forked = match i32::try_from(pid) {
            Ok(pid) if pid >= 0 => Ok(pid),
            _ => Err(io::Error::last_os_error()),
        };
        if pid == 0 {
            pyo3::ffi::PyOS_AfterFork_Child();
        } else {
            pyo3::ffi::PyOS_AfterFork_Parent();
        }
        forked
    };
    forked.map_err(PyErr::from)
}

/// The child that `wait_at_end` waits for.
static LAST: AtomicI32 = AtomicI32::new(0);

/// Wait for a child of this process's own after the interpreter has come to its end, and not before:
/// child and interpreter end at the same time. False where the interpreter has no room for it.
#[pyfunction]
fn wait_at_end(pid: i32) -> bool {
    LAST.store(pid, Ordering::Relaxed);
    // SAFETY: the function lives as long as the process, and needs nothing of the interpreter.
    unsafe { pyo3::ffi::Py_AtExit(Some(wait_for_last)) == 0 }
}

extern "C" fn wait_for_last() {
    let pid = LAST.load(Ordering::Relaxed);
    // SAFETY: no status is asked for. In a forked child, which has no such child, this fails at once.
    while unsafe { libc::waitpid(pid, std::ptr::null_mut(), libc::__WALL) } < 0
        && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted
    {}
}

/// Let C code's standard output come out line by line, as it does on a terminal.
#[pyfunction]
fn line_buffer_c_stdout() {
    // SAFETY: stdout is valid for the life of the process; with no buffer given none must outlive us.
    unsafe { libc::setvbuf(stdout, std::ptr::null_mut(), libc::_IOLBF, 0) };
}

/// Print bytes through the C library's own stream 1 or 2, as C code would: held back until flushed.
#[pyfunction]
fn write_c_stream(stream: i32, text: &[u8]) -> PyResult<()> {
    // SAFETY: both are set before main() and stay valid until the process ends.
    let file = match stream {
        1 => unsafe { stdout },
        2 => unsafe { stderr },
        _ => return Err(PyValueError::new_err("stream must be 1 or 2")),
    };
    // SAFETY: `text` is valid for its length; fwrite locks the stream itself.
    unsafe { libc::fwrite(text.as_ptr().cast(), 1, text.len(), file) };
    Ok(())
}

/// Name this process as `ps` and `top` show it (the kernel keeps 15 bytes).
#[pyfunction]
fn set_process_name(name: &str) {
    let mut short = [0 as c_char; 16];
    for (to, from) in short.iter_mut().zip(name.bytes().take(15)) {
        *to = from as c_char;
    }
    // SAFETY: `short` is NUL-terminated and lives through the call.
    unsafe { libc::prctl(libc::PR_SET_NAME, short.as_ptr()) };
}

/// Close the descriptors that are held back: somebody needs some.
#[pyfunction]
fn give_spare() {
    cord_os::spare::give();
}

/// Hold descriptors back again.
#[pyfunction]
fn keep_spare() {
    cord_os::spare::keep();
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(give_spare, module)?)?;
    module.add_function(wrap_pyfunction!(keep_spare, module)?)?;
    module.add_function(wrap_pyfunction!(set_parent_death_signal, module)?)?;
    module.add_function(wrap_pyfunction!(adopt_orphans, module)?)?;
    module.add_function(wrap_pyfunction!(fork_unseen, module)?)?;
    module.add_function(wrap_pyfunction!(fork_sibling, module)?)?;
    module.add_function(wrap_pyfunction!(wait_at_end, module)?)?;
    module.add_function(wrap_pyfunction!(line_buffer_c_stdout, module)?)?;
    module.add_function(wrap_pyfunction!(write_c_stream, module)?)?;
    module.add_function(wrap_pyfunction!(set_process_name, module)?)?;
    Ok(())
}
