"""The system calls of a program's own thread, plain and with a copy of it at each call.

`strace` tells them. Of interest are those that change something, or take something away, between
two marks that the program sets. Those on Cord's own descriptors, which have high numbers, are left
out, and so is what starts copies.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from difflib import unified_diff
from pathlib import Path

from program_case import Case, clean_environment

import cord

CALLS = """
openat open creat write pwrite64 writev pwritev pwritev2 read pread64 readv preadv sendfile
copy_file_range splice truncate ftruncate fallocate rename renameat renameat2 unlink unlinkat rmdir
mkdir mkdirat link linkat symlink symlinkat mknod mknodat chmod fchmod fchmodat chown fchown lchown
fchownat utimensat setxattr fsetxattr removexattr flock fcntl fsync fdatasync msync dup dup2 dup3
pipe2 socket socketpair bind listen connect accept4 sendto sendmsg recvfrom recvmsg shutdown
setsockopt kill tgkill tkill setitimer alarm timerfd_create timerfd_settime rt_sigaction chdir
fchdir umask setsid setpgid prlimit64 setpriority prctl ioctl clone clone3 fork vfork execve wait4
waitid epoll_create1 epoll_ctl eventfd2 inotify_init1 inotify_add_watch memfd_create shmget shmat
shmctl pidfd_open access lseek close
""".split()
BEGIN, END = "/begin of the program", "/end of the program"
OWN_FROM = 48  # Cord's descriptors have this number or more
LIMIT = 60.0
FORCED = Path(__file__).parent.parent / "copies" / "told_run.py"
# What a line is told without: numbers that the system chose, and addresses.
_CHOSEN = [
    (re.compile(r"(pipe|socket|UNIX[\w-]*|TCP[\w-]*|UDP[\w-]*|anon_inode):\[[^]]*\]"), r"\1"),
    (re.compile(r"0x[0-9a-f]+"), "ADDRESS"),
    (re.compile(r"(tmp|psm_|pym-\w+-|sem\.mp-|sem\.)\w{5,}"), "TEMPORARY"),
    (re.compile(r"^(shmget.* = )\d+"), r"\1N"),
    (re.compile(r"(port=htons\()\d+"), r"\1PORT"),
    (re.compile(r"((?:it|tv)_\w+=)\d+"), r"\1N"),
    (re.compile(r"/#\d+>"), "/NAMELESS>"),
    (re.compile(r"u64=\d+"), "u64=N"),
    (re.compile(r" /\* [^*]* \*/"), ""),
    (re.compile(r'(</dev/urandom>|-journal>), "(?:[^"\\]|\\.)*"'), r"\1, RANDOM"),
    # it tells of whoever else reads files there, as Cord does when it imports modules
    (re.compile(r"^(read\(\d+<anon_inode):inotify>.*"), r"\1:inotify>) = N"),
]
# Modules of the program are read once more, for replicas to import what the program has imported;
# and threads of Cord's have a name from the first.
_OWN = re.compile(r"memfd:cord|\(deleted\)/cord|<\./(seen|work)\.py>|PR_SET_NAME")
# what is imported, too: Python's library, and Cord's own modules
_IMPORTED = {
    sys.prefix,
    sys.base_prefix,
    os.path.dirname(os.__file__),
    os.path.dirname(os.path.dirname(cord.__file__)),
}
_OF_THE_SYSTEM = re.compile(
    "<("
    + "|".join(map(re.escape, ["/proc", "/sys", "/usr", "/lib", "/etc", *sorted(_IMPORTED)]))
    + ")"
)
_BY_CHANCE = ("--- SIGCHLD", "--- SIGALRM", "--- SIGUSR1")
_SET_OFF = re.compile(r"<(pipe|socket|anon_inode)")
_FIRST = re.compile(r"^\w+\((\d+)[<,)]")
_MADE = re.compile(r"^(clone|clone3|fork|vfork|wait4|waitid|kill|tgkill|tkill|getpid|pidfd_open)\(")


def is_there() -> bool:
    """Whether this machine has `strace`, and lets it work."""
    if shutil.which("strace") is None:
        return False
    tried = subprocess.run(["strace", "-qq", "-o", os.devnull, "true"], check=False)
    return tried.returncode == 0


def marked(case: Case) -> Case:
    """The program with its marks; what ends it behind them is left out."""
    body, _, _ = case.files["main.py"].rpartition("seen.report()\n")
    main = f"import os\nos.access({BEGIN!r}, 0)\n{body}os.access({END!r}, 0)\nos._exit(0)\n"
    return replace(case, files={**case.files, "main.py": main})


def calls_of(case: Case, folder: Path, *, copied: bool) -> list[str] | None:
    """The system calls of a run between the marks; None if it does not come to the second one."""
    case.write(folder)
    trace = folder.with_suffix(".trace")
    command = ["strace", "-qq", "-y", "-s", "60", "-o", str(trace)]
    command += ["-e", f"trace={','.join(CALLS)}"]
    way = [str(FORCED), "forced", str(folder.with_suffix(".json"))] if copied else []
    with open(folder / "stdin.txt", "rb") as stdin, open(folder.with_suffix(".out"), "wb") as out:
        process = subprocess.Popen(
            [*command, sys.executable, *way, "main.py"],
            cwd=folder,
            env=clean_environment(),
            stdin=stdin,
            stdout=out,
            stderr=out,
            start_new_session=True,
        )
        try:
            process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()
            return None
    lines = trace.read_text(errors="backslashreplace").splitlines()
    marks = (f'access("{BEGIN}', f'access("{END}')
    places = [at for at, line in enumerate(lines) if line.startswith(marks)]
    if len(places) != 2:
        return None
    told = [_told(line, folder) for line in lines[places[0] + 1 : places[1]]]
    # when a child or a timer ends or signals is chance, and so is which thread hears of it
    return [line for line in told if line and line not in _BY_CHANCE]


def _told(line: str, folder: Path) -> str | None:
    """What is compared of a line; None if it is not the program's."""
    line = line.replace(str(folder), ".").replace(str(folder.with_suffix("")), ".")
    if line.startswith("---"):
        return line.split(" {")[0]
    if _OWN.search(line) or _is_reading_only(line) or "flags=0)" in line or "CLONE_THREAD" in line:
        return None
    first = _FIRST.match(line)
    if first and int(first[1]) >= OWN_FROM:
        return None
    for pattern, text in _CHOSEN:
        line = pattern.sub(text, line)
    if _MADE.match(line):
        line = re.sub(r"\d{2,}", "N", line)
    return re.sub(r"\s+= ", " = ", line)


def _is_reading_only(line: str) -> bool:
    """Whether a line opens a file to read it, asks something, or is about the system's files."""
    if line.startswith(("openat(", "open(")):
        return "O_RDONLY" in line and "O_CREAT" not in line
    if line.startswith("fcntl("):
        return "F_SET" not in line and "F_DUPFD" not in line
    if line.startswith(("prlimit64(", "prctl(", "rt_sigaction(")):
        return ", NULL, " in line or "PR_GET" in line or "SIGRT" in line
    if re.match(r"close\(\d+<\.(/sub)?>", line):  # a folder in which modules are looked for
        return True
    if re.match(r"(read|lseek|close|pread64)\(\d+<\./[^>]*\.py>", line):  # of modules, the text
        return True
    if line.startswith(("read(", "lseek(", "close(", "pread64(")):
        return _OF_THE_SYSTEM.search(line) is not None
    return line.startswith(("access(", "ioctl(")) and "TCGETS" in line


def _is_order_by_chance(plain: list[str], cord: list[str]) -> bool:
    """Whether the same calls were made, and only those stand elsewhere that others set off.

    Those are calls about pipes and sockets: what a child or a thread has done first is chance.
    """
    if sorted(plain) != sorted(cord):
        return False
    moved = [line for line in unified_diff(plain, cord, n=0, lineterm="") if line[1:2].isalpha()]
    return all(_SET_OFF.search(line) for line in moved)


def difference(case: Case, root: Path) -> str | None:
    """How the calls differ, line by line; None where there is nothing to compare.

    That is a program which ends too early, or differs from itself.
    """
    case = marked(case)
    plain = calls_of(case, root / "plain", copied=False)
    if plain is None:
        return None
    cord = calls_of(case, root / "cords", copied=True)
    if cord is None:
        return "the program does not come to its end"
    if _is_order_by_chance(plain, cord):
        return ""
    if plain != cord and plain != calls_of(case, root / "again", copied=False):
        return None  # it differs from itself
    return "\n".join(unified_diff(plain, cord, "plain", "copied", n=1, lineterm=""))
