# A remote function waits for another one: the innermost is interrupted, as in one process.
# file: cord.toml
[remote.outer]
[remote.inner]
# file: outer.py
import inner


def ask(catch):
    print("outer asks")
    try:
        return "outer got", inner.wait(catch)
    except TimeoutError as error:
        print("outer:", error)
        raise
    finally:
        print("outer is over", inner.seen())
# file: inner.py
import time

_seen = []


def wait(catch):
    print("inner waits")
    try:
        time.sleep(20)
    except TimeoutError as error:
        _seen.append(str(error))
        print("inner:", error)
        if catch:
            return "inner's"
        raise


def seen():
    return _seen
# file: main.py
import signal

import outer


class Slow(TimeoutError):
    pass


def on_alarm(number, frame):
    raise slow


slow = Slow("slow")
signal.signal(signal.SIGALRM, on_alarm)
for catch in (True, False):
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        print(outer.ask(catch))
    except Slow as error:
        print("main:", error is slow)
