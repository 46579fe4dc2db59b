# The main script is the remote module: its functions catch the script's own exceptions.
# file: cord.toml
[remote.main]
only = ["work", "count"]
# file: main.py
import os
import signal
import time


class Slow(Exception):
    pass


steps = []


def work(name, program):
    steps.append(name)
    try:
        os.kill(program, signal.SIGALRM)
        time.sleep(20)
    except Slow as error:
        steps.append(f"{name} was {error}")
        return type(error) is Slow
    finally:
        steps.append(f"{name} is over")


def count():
    return len(steps)


def on_alarm(number, frame):
    raise Slow("slow")


signal.signal(signal.SIGALRM, on_alarm)
print(work("first", os.getpid()))
print(steps, count())
