# A function that handles one interrupt is interrupted in that, and then once more.
# file: cord.toml
[remote.work]
# file: work.py
import time


def insist():
    for number in range(3):
        try:
            time.sleep(20)
        except TimeoutError as error:
            print(number, error, error.__context__)
    try:
        time.sleep(20)
    except TimeoutError:
        time.sleep(20)
# file: main.py
import signal

import work

alarms = []


def on_alarm(number, frame):
    alarms.append(TimeoutError(f"alarm {len(alarms) + 1}"))
    raise alarms[-1]


signal.signal(signal.SIGALRM, on_alarm)
signal.setitimer(signal.ITIMER_REAL, 0.2, 0.2)
try:
    work.insist()
except TimeoutError as error:
    signal.setitimer(signal.ITIMER_REAL, 0)
    print("main:", error, error is alarms[4], error.__context__ is alarms[3])
