# A handler that returns disturbs nothing: the function is not interrupted, and state stays.
# file: cord.toml
[remote.work]
# file: work.py
import time

seen = []


def nap(seconds):
    time.sleep(seconds)
    seen.append(seconds)
    return len(seen)
# file: main.py
import signal

import work

beats = []
signal.signal(signal.SIGALRM, lambda number, frame: beats.append(number))
signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
print([work.nap(0.05) for _ in range(4)])
signal.setitimer(signal.ITIMER_REAL, 0)
print(len(beats) > 1)
