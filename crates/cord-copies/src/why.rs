//! Why there is no copy, and why copies end: numbers that travel through shared memory, and words.

/// A signal, such as that of an invalid access.
pub const SIGNAL: u32 = 1;
/// A system call with an effect, or whose answer is not the program's.
pub const EFFECT: u32 = 2;
/// Nobody looked after it.
pub const ALONE: u32 = 3;
/// A call that must not be issued early.
pub const IMPURE: u32 = 4;
/// Arguments that cannot be encoded, or are too large.
pub const ARGUMENTS: u32 = 5;
/// Environment, working directory, `sys.path` or settings as they are cannot be told to a replica.
pub const WORLD: u32 = 6;
/// A value that is needed did not come.
pub const VALUE: u32 = 7;
/// No room for more.
pub const FULL: u32 = 8;
/// What only the program does, such as to end.
pub const FINISHED: u32 = 9;
/// Memory of a device is mapped, or too much is shared.
pub const MAPPINGS: u32 = 10;
/// Descriptors cannot be cut off.
pub const DESCRIPTORS: u32 = 11;
/// The kernel does not offer its filter.
pub const FILTER: u32 = 12;
/// The session is used by code that does not go by takes.
pub const SESSION: u32 = 13;
/// It writes more files, or more into them, than it may have of its own.
pub const FILES: u32 = 14;
/// It waits for a thread that it has not.
pub const WAIT: u32 = 15;
/// A call is given the name of a file that only the copy has.
pub const NAMED: u32 = 16;

/// What a copy was about to do, as far as the number of a system call tells.
fn effect(number: u32) -> String {
    let what = match libc::c_long::from(number) {
        libc::SYS_openat | libc::SYS_ftruncate | libc::SYS_pwrite64 | libc::SYS_fsync => {
            "to write a file, or open what is no file"
        }
        libc::SYS_write | libc::SYS_writev | libc::SYS_read | libc::SYS_readv => {
            "to use a pipe, a socket or a file that it cannot"
        }
        libc::SYS_clone | libc::SYS_clone3 | libc::SYS_execve => "to start a thread or a process",
        libc::SYS_wait4 | libc::SYS_waitid => "to wait for a process",
        libc::SYS_socket
        | libc::SYS_connect
        | libc::SYS_sendto
        | libc::SYS_recvfrom
        | libc::SYS_sendmsg
        | libc::SYS_recvmsg
        | libc::SYS_bind
        | libc::SYS_accept4 => "to use a socket",
        libc::SYS_ppoll | libc::SYS_pselect6 | libc::SYS_epoll_pwait | libc::SYS_epoll_ctl => {
            "to wait for descriptors"
        }
        libc::SYS_getrandom => "to ask for random bytes",
        libc::SYS_kill | libc::SYS_tgkill => "to send a signal",
        libc::SYS_unlinkat | libc::SYS_mkdirat | libc::SYS_renameat2 => "to change folders",
        libc::SYS_chdir | libc::SYS_fchdir => "to go into a folder that only it has",
        libc::SYS_flock | libc::SYS_fcntl => "to lock a file",
        libc::SYS_pipe2 | libc::SYS_eventfd2 | libc::SYS_memfd_create => {
            "to make a pipe or the like"
        }
        libc::SYS_newfstatat | libc::SYS_fstat | libc::SYS_statx | libc::SYS_lseek => {
            "to look at a file that it should have written"
        }
        _ => old_effect(number),
    };
    format!("it was about {what} (system call {number})")
}

/// Calls that newer architectures do not have.
#[cfg(target_arch = "x86_64")]
fn old_effect(number: u32) -> &'static str {
    match libc::c_long::from(number) {
        libc::SYS_poll | libc::SYS_select | libc::SYS_epoll_wait => "to wait for descriptors",
        libc::SYS_unlink | libc::SYS_mkdir | libc::SYS_rename | libc::SYS_rmdir => {
            "to change folders"
        }
        libc::SYS_fork | libc::SYS_vfork => "to start a thread or a process",
        libc::SYS_stat | libc::SYS_lstat => "to look at a file that it should have written",
        libc::SYS_open => "to write a file, or open what is no file",
        _ => "to do what would have an effect",
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn old_effect(_: u32) -> &'static str {
    "to do what would have an effect"
}

/// How a copy ended that has not said why.
pub fn silent(status: i32) -> String {
    if libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGSYS {
        // signals are blocked there, so it could not be looked at
        return "it was about to start a thread or a process".into();
    }
    match libc::WTERMSIG(status) {
        signal if libc::WIFSIGNALED(status) && signal != libc::SIGKILL => {
            words(SIGNAL, signal.unsigned_abs())
        }
        _ => words(0, 0),
    }
}

/// What a number says.
pub fn words(why: u32, detail: u32) -> String {
    match why {
        SIGNAL => format!("signal {detail}"),
        EFFECT => effect(detail),
        ALONE => "the program did not look after it".into(),
        IMPURE => "a call that is not pure and async".into(),
        ARGUMENTS => "arguments that cannot be sent".into(),
        WORLD => "an environment or settings that are not known".into(),
        VALUE => "a value that did not come".into(),
        FULL => "no room for more calls".into(),
        FINISHED => "what only the program does".into(),
        MAPPINGS => "shared memory that cannot be copied".into(),
        DESCRIPTORS => "descriptors that cannot be cut off".into(),
        FILTER => "the kernel does not allow filters".into(),
        WAIT => "a wait for another thread".into(),
        SESSION => "a use of the session that is no call".into(),
        FILES => "too many files, or too much in them".into(),
        NAMED => "a call with a file that only the copy has".into(),
        _ => "it was ended".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_are_told_in_words() {
        let number = u32::try_from(libc::SYS_connect).unwrap();
        let said = format!("it was about to use a socket (system call {number})");
        assert_eq!(words(EFFECT, number), said);
        assert!(words(EFFECT, 9999).contains("(system call 9999)"));
        assert_eq!(
            silent(libc::SIGSYS),
            "it was about to start a thread or a process"
        );
        assert_eq!(silent(libc::SIGKILL), "it was ended");
    }
}
