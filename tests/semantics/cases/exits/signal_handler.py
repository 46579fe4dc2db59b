# A handler for a timer signal runs between calls and raises out of one.
# file: work.py
import time


def nap(seconds):
    time.sleep(seconds)
    return seconds
# file: main.py
import signal

import work


class Alarm(Exception):
    pass


def on_alarm(number, frame):
    raise Alarm("too slow")


signal.signal(signal.SIGALRM, on_alarm)
print(work.nap(0))
signal.setitimer(signal.ITIMER_REAL, 0.15)
try:
    work.nap(30)
    print("never")
except Alarm as error:
    print("alarm:", error)
print(work.nap(0.001), work.nap(0.002))
