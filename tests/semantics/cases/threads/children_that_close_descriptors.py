# Children close all descriptors that they inherit, as daemons do, and read arrays that their parents
# were given: what the parents call and drop meanwhile is not seen there. They are forked by Python,
# by C code of which no hook of Python's hears, and by multiprocessing.
# file: cord.toml
[remote.work]
replicas = 1
# file: children.py
import os
import signal


def forked(fork, look):
    """Forks a child that closes all its descriptors, and then waits for a signal to look."""
    ready, says_ready = os.pipe()
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
    pid = fork()
    if pid == 0:
        os.closerange(3, says_ready)
        os.closerange(says_ready + 1, 20_000)
        os.write(says_ready, b"r")
        os.close(says_ready)
        signal.sigwait([signal.SIGUSR1])
        look()
        os._exit(0)
    os.close(says_ready)
    os.read(ready, 1)
    os.close(ready)
    return pid


def goes_on(pid):
    os.kill(pid, signal.SIGUSR1)
    return os.waitpid(pid, 0)[1]


# file: work.py
import os

import children
import numpy as np

SIZE = 400_000


def made(number):
    return np.full(SIZE, float(number))


def total(arrays):
    return float(sum(values.sum() for values in arrays))


def watched(values):
    """Has a child look at its argument later: its process id."""
    return children.forked(os.fork, lambda: leave_behind(values))


def leave_behind(values):
    with open("seen.txt", "w") as file:
        file.write(f"{values[0]} {values[-1]}\n")


def goes_on(pid):
    return children.goes_on(pid)


# file: main.py
import ctypes
import multiprocessing
import os
import signal

import children
import numpy as np
import work


def by_hand(fork):
    values = work.made(1)
    pid = children.forked(fork, lambda: print(values[0], values[-1], flush=True))
    values = None
    for number in range(110, 114):
        print(work.made(number)[7], end=" ", flush=True)
    print(children.goes_on(pid), flush=True)


def look(ready, values):
    ready.set()
    os.closerange(3, 20_000)
    signal.sigwait([signal.SIGUSR1])
    print(values[0], values[-1], flush=True)


def by_multiprocessing():
    context = multiprocessing.get_context("fork")
    values, ready = work.made(2), context.Event()
    child = context.Process(target=look, args=(ready, values))
    child.start()
    del values
    ready.wait()
    for number in range(120, 124):
        print(work.made(number)[7], end=" ", flush=True)
    os.kill(child.pid, signal.SIGUSR1)
    child.join()
    print(child.exitcode)


def by_a_remote_function():
    pid = work.watched(np.full(work.SIZE, 3.0))
    for number in range(130, 134):
        print(work.total([np.full(work.SIZE, float(number)) for _ in range(4)]), end=" ")
    print(work.goes_on(pid))
    with open("seen.txt") as seen:
        print(seen.read(), end="")


by_hand(os.fork)
by_hand(ctypes.CDLL(None).fork)
by_multiprocessing()
by_a_remote_function()
