# stderr: whole
# The traceback of an interrupt that passes: the call, the function's line, the handler's.
# file: cord.toml
[remote.work]
# file: work.py
import time


def wait():
    time.sleep(20)
# file: main.py
import signal

import work


def on_alarm(number, frame):
    raise TimeoutError("slow")


signal.signal(signal.SIGALRM, on_alarm)
signal.setitimer(signal.ITIMER_REAL, 0.2)
work.wait()
