# Signals while the program works on beside a call: as if it still waited.
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
repeatable = true
# file: work.py
import os
import signal
import time


def step(x):
    time.sleep(0.4)
    return x + 1


def interrupting(pid):
    try:
        os.kill(pid, signal.SIGINT)
        time.sleep(20)
    except KeyboardInterrupt:
        print("interrupted")
        raise
    return "not interrupted"


# file: main.py
import os
import signal

import work


def local_work(n):
    total = 0
    for i in range(n):
        total += i * i % 7
    return total


def on_alarm(number, frame):
    raise TimeoutError("late")


def interrupted(found):
    r = y = "unset"
    try:
        r = work.interrupting(os.getpid())
        found.append(1)
        y = local_work(20_000_000_000)
        print(r, y)
    except KeyboardInterrupt as error:
        print(repr(error), r, y, found)


def timed():
    r = y = "unset"
    signal.signal(signal.SIGALRM, on_alarm)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        r = work.step(1)
        y = local_work(20_000_000_000)
        print(r, y)
    except TimeoutError as error:
        print(error, r, y)


interrupted([])
timed()
