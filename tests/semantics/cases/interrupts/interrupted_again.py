# A function that handles one interrupt is interrupted in that, and then once more.
# file: cord.toml
[remote.work]
# file: work.py
import os
import signal
import time


def _sleep(program):
    os.kill(program, signal.SIGALRM)
    time.sleep(20)


def insist(program):
    for number in range(3):
        try:
            _sleep(program)
        except TimeoutError as error:
            print(number, error, error.__context__)
    try:
        _sleep(program)
    except TimeoutError:
        _sleep(program)
# file: main.py
import os
import signal

import work

alarms = []


def on_alarm(number, frame):
    alarms.append(TimeoutError(f"alarm {len(alarms) + 1}"))
    raise alarms[-1]


signal.signal(signal.SIGALRM, on_alarm)
try:
    work.insist(os.getpid())
except TimeoutError as error:
    print("main:", error, error is alarms[4], error.__context__ is alarms[3])
