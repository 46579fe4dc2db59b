# Timers, blocked signals, variables that Python does not show, and what library functions set.
# told: 5
# file: work.py
import calendar
import os
import signal
import time


def timer(x):
    time.sleep(0.002)
    signal.alarm(1000 + x)
    return x


def blocks(x):
    time.sleep(0.002)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    return x


def variable(x):
    time.sleep(0.002)
    os.putenv("OWN", str(x))
    return x


def week(x):
    time.sleep(0.002)
    calendar.setfirstweekday(x)
    return x


def processors(x):
    time.sleep(0.002)
    os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
    return x
# file: main.py
import calendar
import os
import signal
import subprocess

import work

for x in range(4):
    print(work.timer(x), signal.getitimer(signal.ITIMER_REAL)[0] > 900)
    print(work.blocks(x), signal.SIGUSR1 in signal.pthread_sigmask(signal.SIG_BLOCK, ()))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGUSR1})
    print(work.variable(x), subprocess.getoutput("echo $OWN"))
    print(work.week(x), calendar.weekheader(2))
    print(work.processors(x), len(os.sched_getaffinity(0)))
