"""What programs with effects use in their steps, and what they tell of themselves at the end."""

from __future__ import annotations

import asyncio
import fcntl
import os
import re
import signal
import sys
import threading
import time

HOME = os.getcwd()


def child(job):
    pid = os.fork()
    if not pid:
        try:
            job()
        finally:
            os._exit(0)
    return lambda: os.waitpid(pid, 0)[1]


def locked(path):
    def look():
        answer = 0
        with open(path) as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                answer = 1
        with open(path, "r+") as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                answer += 2
        os._exit(answer)

    return child(look)() >> 8


def ending(file, text):
    try:
        yield file.write(text)
    finally:
        file.close()


def plain(entry):
    entry.mtime = entry.uid = entry.gid = 0
    return entry


async def spoken(n):
    process = await asyncio.create_subprocess_exec("echo", str(n), stdout=asyncio.subprocess.PIPE)
    return (await process.communicate())[0]


def target(fd):
    path = os.readlink(f"/proc/self/fd/{fd}").replace(HOME, ".")
    return re.sub(r"(tmp|pym-|psm_)[\w-]+|\d+", "N", path)


def open_descriptors():
    for fd in range(48):
        try:
            about = os.fstat(fd)
        except OSError:
            continue
        at = os.lseek(fd, 0, os.SEEK_CUR) if fd > 2 and about.st_mode & 0o100000 else None
        flags = fcntl.fcntl(fd, fcntl.F_GETFL) if fd > 2 else 0
        yield fd, target(fd), oct(about.st_mode), at, oct(flags), os.get_inheritable(fd)


def files():
    for folder, folders, names in sorted(os.walk(HOME)):
        for name in sorted([*folders, *names]):
            if "__pycache__" in folder + name:
                continue
            about = os.lstat(os.path.join(folder, name))
            place = os.path.relpath(folder, HOME)
            told = re.sub(r"tmp\w+", "N", name)
            yield place, told, oct(about.st_mode), about.st_nlink, about.st_size


def own_signals():
    with open("/proc/self/status") as file:
        kept = re.findall(r"Sig(?:Blk|Ign|Cgt|Pnd):\s\w{8}(\w+)", file.read())
    kinds = [str(signal.getsignal(each)).split(" at ")[0] for each in range(1, 32)]
    return kept, kinds, [signal.getitimer(which)[0] > 0 for which in range(3)]


def children():
    try:
        return os.waitpid(-1, os.WNOHANG)[1]
    except ChildProcessError:
        return None


def report():
    sys.stdout = sys.__stdout__
    sys.stdout.flush()
    print("open", *open_descriptors(), sep="\n  ")
    print("files", *files(), sep="\n  ")
    print("signals", *own_signals())
    print("children", children(), "threads", threading.active_count())
    print("umask", os.umask(0o22), "at", os.getcwd().replace(HOME, "."), time.timezone)
    print("locked", {name: locked(name) for name in ("f1", "f2") if os.path.exists(name)})
    print("environment", sorted(name for name in os.environ if name in ("ROUND", "TZ")))
