# Handlers raise exceptions that only the main script knows: remote functions see them under their
# names and bases, the program gets its own objects back.
# file: cord.toml
[remote.work]
# file: work.py
import os
import signal
import time


def _sleep(program):
    os.kill(program, signal.SIGALRM)
    time.sleep(20)


def wait(program, catch):
    try:
        _sleep(program)
    except Exception as error:
        print("work:", type(error).__name__, [base.__name__ for base in type(error).__mro__[:3]])
        print("work:", error, isinstance(error, TimeoutError))
        if catch:
            return "caught"
        raise
    finally:
        print("work: finally")


def wrap(program):
    try:
        _sleep(program)
    except Exception as error:
        raise RuntimeError("wrapped") from error


def ignore(program):
    try:
        _sleep(program)
    except Exception:
        print("not one of these")
    finally:
        print("finally")
# file: main.py
import os
import signal

from work import ignore, wait, wrap


class Stopped(Exception):
    pass


class Slow(Stopped, TimeoutError):
    def __init__(self, job, limit):
        super().__init__(job, limit)
        self.job = job
        self.resource = open(__file__)

    def __str__(self):
        return f"{self.job} took more than {self.limit()}"

    def limit(self):
        return self.args[1]


class Job:
    def __init__(self, name):
        self.name = name

    def __str__(self):
        return f"job {self.name}"


class Leave(BaseException):
    pass


def alarm(error):
    def on_alarm(number, frame):
        raise error

    signal.signal(signal.SIGALRM, on_alarm)


slow = Slow(Job("a"), 2)
alarm(slow)
print(wait(os.getpid(), True))
alarm(slow)
try:
    wait(os.getpid(), False)
except Slow as error:
    print("main:", error is slow, error.job.name, error.resource.closed)
alarm(slow)
try:
    wrap(os.getpid())
except RuntimeError as error:
    print("main:", error, error.__cause__ is slow)
alarm(Leave("left"))
try:
    ignore(os.getpid())
except Leave as error:
    print("main:", repr(error))
