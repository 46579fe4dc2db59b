# A remote function waits for another one: the innermost is interrupted, as in one process.
# file: cord.toml
[remote.outer]
[remote.inner]
# file: outer.py
import inner


def ask(program, catch):
    print("outer asks")
    try:
        return "outer got", inner.wait(program, catch)
    except TimeoutError as error:
        print("outer:", error)
        raise
    finally:
        print("outer is over", inner.seen())
# file: inner.py
import os
import signal
import time

_seen = []


def wait(program, catch):
    print("inner waits")
    try:
        os.kill(program, signal.SIGALRM)
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
import os
import signal

import outer


class Slow(TimeoutError):
    pass


def on_alarm(number, frame):
    raise slow


slow = Slow("slow")
signal.signal(signal.SIGALRM, on_alarm)
for catch in (True, False):
    try:
        print(outer.ask(os.getpid(), catch))
    except Slow as error:
        print("main:", error is slow)
