"""``python confined_run.py HOW PROGRAM ARGS``: the program, confined as containers confine it.

HOW is one of ``CONFINED``, and ``PROGRAM ARGS`` what the same Python then runs. The filters deny
what the default profile of Docker denies to processes without further capabilities, which is the
``RuntimeDefault`` of Kubernetes, too; they are written for x86-64.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys

EPERM, ENOSYS = 1, 38
ALLOW, ERRNO = 0x7FFF0000, 0x00050000
LOAD, EQUAL, ANY_OF, RETURN = 0x20, 0x15, 0x45, 0x06
NUMBER, FIRST_ARGUMENT = 0, 16
NEW_PRIVILEGES, SECCOMP, BY_FILTER = 38, 22, 2
PRCTL, CLONE, CLONE3 = 157, 56, 435
NAMESPACES = 0x7E020000
# Denied without a look at their arguments.
DENIED = {
    "acct": 163,
    "add_key": 248,
    "bpf": 321,
    "chroot": 161,
    "clock_settime": 227,
    "delete_module": 176,
    "fanotify_init": 300,
    "finit_module": 313,
    "fsconfig": 431,
    "fsmount": 432,
    "fsopen": 430,
    "fspick": 433,
    "get_mempolicy": 239,
    "init_module": 175,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "io_uring_setup": 425,
    "ioperm": 173,
    "iopl": 172,
    "kcmp": 312,
    "kexec_file_load": 320,
    "kexec_load": 246,
    "keyctl": 250,
    "lookup_dcookie": 212,
    "mbind": 237,
    "migrate_pages": 256,
    "mount": 165,
    "mount_setattr": 442,
    "move_mount": 429,
    "move_pages": 279,
    "open_by_handle_at": 304,
    "open_tree": 428,
    "perf_event_open": 298,
    "pidfd_getfd": 438,
    "pivot_root": 155,
    "process_madvise": 440,
    "quotactl": 179,
    "quotactl_fd": 443,
    "reboot": 169,
    "request_key": 249,
    "set_mempolicy": 238,
    "setdomainname": 171,
    "sethostname": 170,
    "setns": 308,
    "settimeofday": 164,
    "swapoff": 168,
    "swapon": 167,
    "syslog": 103,
    "umount2": 166,
    "unshare": 272,
    "userfaultfd": 323,
    "vhangup": 153,
}
Statement = tuple[int, int, int, int]


def docker() -> list[Statement]:
    """Docker's default profile."""
    program: list[Statement] = [(LOAD, 0, 0, NUMBER)]
    for number in DENIED.values():
        program += [(EQUAL, 0, 1, number), (RETURN, 0, 0, ERRNO | EPERM)]
    program += [(EQUAL, 0, 1, CLONE3), (RETURN, 0, 0, ERRNO | ENOSYS)]
    program += [
        (EQUAL, 0, 3, CLONE),
        (LOAD, 0, 0, FIRST_ARGUMENT),
        (ANY_OF, 0, 1, NAMESPACES),
        (RETURN, 0, 0, ERRNO | EPERM),
    ]
    return [*program, (RETURN, 0, 0, ALLOW)]


def no_filters() -> list[Statement]:
    """A profile that denies further filters."""
    return [
        (LOAD, 0, 0, NUMBER),
        (EQUAL, 0, 3, PRCTL),
        (LOAD, 0, 0, FIRST_ARGUMENT),
        (EQUAL, 0, 1, SECCOMP),
        (RETURN, 0, 0, ERRNO | EPERM),
        (RETURN, 0, 0, ALLOW),
    ]


def install(program: list[Statement]) -> None:
    """Confine this process, and all that it starts."""
    libc = ctypes.CDLL(None, use_errno=True)
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *one) for one in program))
    head = ctypes.create_string_buffer(struct.pack("HP", len(program), ctypes.addressof(code)))
    if libc.prctl(NEW_PRIVILEGES, 1, 0, 0, 0) or libc.prctl(SECCOMP, BY_FILTER, head, 0, 0):
        raise OSError(ctypes.get_errno(), "no filter can be installed")


def become_nobody() -> None:
    """Give up all rights that this process has beyond those of anybody."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setresgid(65534, 65534, 65534)
        os.setresuid(65534, 65534, 65534)
    os.environ["HOME"] = "/nonexistent"


def restricted() -> None:
    """As a pod under the ``restricted`` standard: not root, no capabilities, no new privileges."""
    become_nobody()
    install(docker())


CONFINED = {
    "docker": lambda: install(docker()),
    "restricted": restricted,
    "nobody": become_nobody,
    "no_filters": lambda: install(no_filters()),
}

if __name__ == "__main__":
    CONFINED[sys.argv[1]]()
    os.execv(sys.executable, [sys.executable, *sys.argv[2:]])
