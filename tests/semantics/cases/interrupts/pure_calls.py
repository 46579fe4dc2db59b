# A pure function that gives the best that it has when it is interrupted, in a loop that runs ahead.
# file: work.py
import time


def search(start, patient):
    best = start
    try:
        print("searches from", start)
        while patient:
            best += 1
            time.sleep(0.01)
    except TimeoutError:
        print("interrupted")
        return start, best > start
    return start, best


def endless(x):
    print("begins", x)
    time.sleep(20)
# file: main.py
import signal

from work import endless, search


def on_alarm(number, frame):
    raise TimeoutError("enough")


signal.signal(signal.SIGALRM, on_alarm)
for start in range(1, 6):
    if start == 3:
        signal.setitimer(signal.ITIMER_REAL, 0.5)
    print(search(start, start == 3))
signal.setitimer(signal.ITIMER_REAL, 0.5)
try:
    endless(1)
except TimeoutError as error:
    print(error)
print(search(9, False))
