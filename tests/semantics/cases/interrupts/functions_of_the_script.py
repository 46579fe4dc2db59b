# The main script is the remote module: its functions catch the script's own exceptions.
# file: cord.toml
[remote.main]
only = ["work", "count"]
# file: main.py
import signal
import time


class Slow(Exception):
    pass


steps = []


def work(name):
    steps.append(name)
    try:
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
signal.setitimer(signal.ITIMER_REAL, 0.2)
print(work("first"))
print(steps, count())
