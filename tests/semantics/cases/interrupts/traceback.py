# stderr: whole
# The traceback of an interrupt that passes: the call, the function's line, the handler's.
# file: cord.toml
[remote.work]
# file: work.py
import os
import signal
import time


def wait(program):
    return os.kill(program, signal.SIGALRM), time.sleep(20)
# file: main.py
import os
import signal

import work


def on_alarm(number, frame):
    raise TimeoutError("slow")


signal.signal(signal.SIGALRM, on_alarm)
work.wait(os.getpid())
