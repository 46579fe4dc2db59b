# A library sets a time limit for each call by an alarm and a timer, and restores what was set before.
# overlap: 4
# file: lib/limits.py
import signal


def each(function, items):
    results = []
    for item in items:
        before = signal.signal(signal.SIGALRM, lambda number, frame: None)
        signal.setitimer(signal.ITIMER_REAL, 60, 30)
        timer = signal.getitimer(signal.ITIMER_REAL)
        results.append(function(item, timer[0] > 50 and timer[1] == 30))
        left = signal.alarm(0)
        results.append(50 < left <= 60)
        signal.signal(signal.SIGALRM, before)
    return results
# file: main.py
import signal
import sys

sys.path.append("lib")
import limits
import work

signal.signal(signal.SIGALRM, signal.SIG_IGN)
print(limits.each(work.nap, range(40)), signal.getsignal(signal.SIGALRM))
