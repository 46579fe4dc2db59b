# Functions that are given the number of a descriptor of the program's.
# told: 3
# file: work.py
import fcntl
import os
import tempfile
import time


def four(fd):
    time.sleep(0.002)
    return os.read(fd, 4)


def back(fd):
    import os as system

    return system.lseek(fd, 0, 0)


def shared(fd):
    fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    return os.fstat(fd).st_size


def honest(n):
    time.sleep(0.002)
    fd, path = tempfile.mkstemp()
    os.write(fd, b"x" * n)
    os.lseek(fd, 0, 0)
    found = os.read(fd, 9)
    os.close(fd)
    os.unlink(path)
    return found


def said(n):
    os.write(1, b"said %d\n" % n)
    return n
# file: cord.toml
[remote.work]
replicas = 2
repeatable = true
# file: main.py
import os

import work

with open("text.txt", "w") as file:
    file.write("one two three four")
fd = os.open("text.txt", os.O_RDONLY)
for n in range(3):
    print(work.four(fd), os.lseek(fd, 0, os.SEEK_CUR), work.honest(n), work.said(n), flush=True)
for n in range(3):
    print(work.shared(fd), work.back(fd), work.four(fd))
os.close(fd)
