# A remote function starts a daemon: two forks, a session of its own, no descriptor left. It reads its
# argument later, and writes a file. The program does the same, and starts processes that close
# descriptors; its calls go on.
# file: cord.toml
[remote.work]
replicas = 1
# file: daemon.py
import os
import time


def start(name, values):
    """Starts a daemon that writes a file once it is told to, by another file."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    os.closerange(0, os.sysconf("SC_OPEN_MAX"))
    for _ in range(3):
        os.open(os.devnull, os.O_RDWR)
    while not os.path.exists("go"):
        time.sleep(0.01)
    with open(f"{name}.tmp", "w") as file:
        file.write(f"{file.fileno()} {values[0]} {values[-1]}\n")
    os.rename(f"{name}.tmp", name)
    os._exit(0)


def written(name):
    while not os.path.exists(name):
        time.sleep(0.01)
    with open(name) as file:
        return file.read()


# file: work.py
import daemon
import numpy as np


def made(number):
    return np.full(300_000, float(number))


def total(values):
    return float(values.sum())


def started(name, values):
    daemon.start(name, values)
    return name


# file: main.py
import os
import subprocess
import sys

import daemon
import work

print(work.started("theirs.txt", work.made(1)))
daemon.start("ours.txt", work.made(2))
for number in range(100, 106):
    print(work.made(number)[5], work.total(work.made(number)))
for close_fds in (True, False):
    code = "import os; os.closerange(3, os.sysconf('SC_OPEN_MAX')); print(open(os.devnull).fileno())"
    command = [sys.executable, "-c", code]
    process = subprocess.Popen(command, close_fds=close_fds, stdout=subprocess.PIPE)
    print(process.communicate(), process.returncode, work.total(work.made(number)))
command = [sys.executable, "-c", "print('after')"]
closing = lambda: os.closerange(3, os.sysconf("SC_OPEN_MAX"))
print(subprocess.run(command, preexec_fn=closing, close_fds=False).returncode, work.made(7)[7])
with open("go", "w"):
    print(daemon.written("ours.txt"), daemon.written("theirs.txt"))
print(work.made(8)[8])
