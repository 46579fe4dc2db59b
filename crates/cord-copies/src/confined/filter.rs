//! Which system calls a copy makes by itself: an allow list, as a program of the kernel's packet
//! filter. All others are trapped, and `trap.rs` says what becomes of them.

use std::io;

use crate::confined::waits;
use crate::system::stub;

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xc000_00b7;
/// No other is known.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const ARCHITECTURE: u32 = 0;

/// Offsets in what the kernel shows the filter.
const NUMBER: u32 = 0;
const ARCH: u32 = 4;
const ADDRESS_LOW: u32 = 8;
const ADDRESS_HIGH: u32 = 12;
const FIRST_ARGUMENT: u32 = 16;
const ARGUMENT: u32 = 8;

/// They change nothing but the copy's own memory, or tell it of itself what the program would see.
const ALLOWED: &[libc::c_long] = &[
    libc::SYS_brk,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_mprotect,
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_gettimeofday,
    libc::SYS_exit_group,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_getgroups,
    libc::SYS_getcwd,
    libc::SYS_uname,
    libc::SYS_sched_getaffinity,
    libc::SYS_getcpu,
];

fn statement(code: u32, k: u32) -> libc::sock_filter {
    libc::sock_filter {
        code: code as u16,
        jt: 0,
        jf: 0,
        k,
    }
}

fn load(offset: u32) -> libc::sock_filter {
    statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset)
}

fn give(verdict: u32) -> libc::sock_filter {
    statement(libc::BPF_RET | libc::BPF_K, verdict)
}

/// Goes on behind the next `skipped` statements unless what was loaded is `k`.
fn unless(k: u32, skipped: u8) -> libc::sock_filter {
    libc::sock_filter {
        code: (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16,
        jt: 0,
        jf: skipped,
        k,
    }
}

fn number(call: libc::c_long) -> u32 {
    u32::try_from(call).unwrap_or(u32::MAX)
}

fn program() -> Vec<libc::sock_filter> {
    let own = stub::address();
    let mut all = vec![
        load(ARCH),
        libc::sock_filter {
            jt: 1,
            jf: 0,
            ..unless(ARCHITECTURE, 0)
        },
        give(libc::SECCOMP_RET_KILL_PROCESS),
        load(ADDRESS_LOW),
        unless((own & 0xffff_ffff) as u32, 3),
        load(ADDRESS_HIGH),
        unless((own >> 32) as u32, 1),
        give(libc::SECCOMP_RET_ALLOW),
        load(NUMBER),
    ];
    for call in ALLOWED {
        all.extend([unless(number(*call), 1), give(libc::SECCOMP_RET_ALLOW)]);
    }
    // memory of one's own
    let private = (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS) as u32;
    let kind = private | libc::MAP_SHARED as u32;
    all.extend([
        unless(number(libc::SYS_mmap), 5),
        load(FIRST_ARGUMENT + 3 * ARGUMENT),
        statement(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, kind),
        unless(private, 1),
        give(libc::SECCOMP_RET_ALLOW),
        give(libc::SECCOMP_RET_TRAP),
    ]);
    all.extend(wakes());
    all
}

/// Waking is no effect where nobody else sees the memory; what waits is looked at.
fn wakes() -> Vec<libc::sock_filter> {
    let allowed = waits::WAKES.iter().flat_map(|wake| {
        [
            unless(number(libc::c_long::from(*wake)), 1),
            give(libc::SECCOMP_RET_ALLOW),
        ]
    });
    let allowed: Vec<_> = allowed.collect();
    let behind = u8::try_from(allowed.len() + 2).unwrap_or(u8::MAX);
    let kind = (libc::FUTEX_PRIVATE_FLAG | libc::FUTEX_CLOCK_REALTIME) as u32;
    let mut all = vec![
        unless(number(libc::SYS_futex), behind),
        load(FIRST_ARGUMENT + ARGUMENT),
        statement(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, !kind),
    ];
    all.extend(allowed);
    all.push(give(libc::SECCOMP_RET_TRAP));
    all
}

/// Whether the kernel offers filters at all.
pub fn is_there() -> bool {
    // SAFETY: no memory is touched; it says what this process is under.
    ARCHITECTURE != 0 && unsafe { libc::prctl(libc::PR_GET_SECCOMP) >= 0 }
}

/// Cuts this process, which must have one thread, off from now on.
///
/// # Errors
/// When the kernel does not allow it.
pub fn install() -> io::Result<()> {
    let mut all = program();
    let program = libc::sock_fprog {
        len: u16::try_from(all.len()).unwrap_or(0),
        filter: all.as_mut_ptr(),
    };
    // SAFETY: plain integers, and a program that lives through the call.
    let refused = unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
            || libc::prctl(
                libc::PR_SET_SECCOMP,
                libc::SECCOMP_MODE_FILTER,
                &raw const program,
            ) != 0
    };
    if refused {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_effect_is_on_the_list() {
        let effects = [
            libc::SYS_write,
            libc::SYS_openat,
            libc::SYS_unlinkat,
            libc::SYS_kill,
            libc::SYS_tgkill,
            libc::SYS_clone,
            libc::SYS_execve,
            libc::SYS_ioctl,
            libc::SYS_fcntl,
            libc::SYS_mmap,
            libc::SYS_io_uring_setup,
            libc::SYS_close,
            libc::SYS_read,
            libc::SYS_futex,
        ];
        assert!(effects.iter().all(|call| !ALLOWED.contains(call)));
    }

    #[test]
    fn the_program_is_within_the_bounds_of_the_kernel() {
        let all = program();
        assert!(all.len() < libc::BPF_MAXINSNS as usize);
        let last = all.last().unwrap();
        assert_eq!(
            last.k,
            libc::SECCOMP_RET_TRAP,
            "what is not listed is trapped"
        );
    }
}
