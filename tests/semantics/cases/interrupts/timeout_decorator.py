# A decorator that limits the time of a remote call by an alarm. The function's own handlers and
# `finally` blocks run where it is interrupted; what comes of them is what the call gives.
# file: cord.toml
[remote.work]
# file: work.py
import time


def _log(line):
    with open("log.txt", "a") as log:
        log.write(line + "\n")


def lets_it_pass(seconds):
    print("passes: begins")
    _log("passes: begins")
    try:
        time.sleep(seconds)
        _log("passes: never")
    finally:
        print("passes: cleans up")
        _log("passes: cleans up")
    return "done"


def catches(seconds):
    print("catches: begins")
    try:
        time.sleep(seconds)
    except TimeoutError as error:
        print("catches:", type(error).__name__, error, error.args)
        _log("catches: " + str(error))
        return "stopped"
    return "done"


def raises_another(seconds):
    try:
        time.sleep(seconds)
    except TimeoutError as error:
        error.add_note("seen on the way")
        raise LookupError("gave up") from error


def computes(seconds):
    count = 0
    try:
        while True:
            count += 1
    except TimeoutError:
        return count > 0
# file: main.py
import functools
import signal

import work

raised = []


def limited(seconds):
    def decorate(function):
        def on_alarm(number, frame):
            raised.append(TimeoutError(f"{function.__name__} took too long"))
            raise raised[-1]

        @functools.wraps(function)
        def call(*args):
            before = signal.signal(signal.SIGALRM, on_alarm)
            signal.setitimer(signal.ITIMER_REAL, seconds)
            try:
                return function(*args)
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.signal(signal.SIGALRM, before)

        return call

    return decorate


print(work.lets_it_pass(0))
for function in (work.lets_it_pass, work.catches, work.raises_another, work.computes):
    print("->", function.__name__)
    try:
        print(limited(0.5)(function)(20))
    except TimeoutError as error:
        print("main:", error, error is raised[-1])
    except LookupError as error:
        print("main:", error, error.__cause__ is raised[-1], raised[-1].__notes__)
    print(open("log.txt").read())
print(limited(20)(work.lets_it_pass)(0))
