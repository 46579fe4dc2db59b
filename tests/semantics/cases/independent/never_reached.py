# Calls with effects that the program does not come to, for all kinds of reasons: none of them is made.
# file: cord.toml
[remote.work]
replicas = 4
callstyle = "async"
independent = true
# file: work.py
import time


def send(name):
    with open(f"to_{name}", "a") as mail:
        mail.write("once\n")
    time.sleep(0.003)
    return None if name.endswith("3") else len(name)


# file: main.py
import sys

from work import send


class Closing:
    def __init__(self, out):
        self.out, self.left = out, 3

    def write(self, text):
        self.left -= 1
        if self.left < 0:
            raise BrokenPipeError("nobody reads")
        return self.out.write(text)


class Bar:
    """As a progress bar: it shows how far a loop is, and may fail to."""

    def __init__(self, values):
        self.values = values

    def __iter__(self):
        for value in self.values:
            if value == 3:
                raise OSError("no terminal")
            yield value


def added():
    total = 0
    for x in range(8):
        total += send(f"added{x}")
    return total


def looked_at():
    for x in range(8):
        if send(f"asked{x}") is None:
            break


def printed():
    out, sys.stdout = sys.stdout, Closing(sys.stdout)
    try:
        for x in range(8):
            print(send(f"printed{x}"))
    finally:
        sys.stdout = out


def with_a_bar():
    for x in Bar(range(8)):
        send(f"bar{x}")


def divided():
    for x in range(8):
        send(f"divided{x}")
        1 / (3 - x)


def ended():
    for x in range(8):
        send(f"ended{x}")
        if x == 3:
            sys.exit(4)


for way in (added, looked_at, printed, with_a_bar, divided, ended):
    try:
        print(way.__name__, way())
    except Exception as error:
        print(way.__name__, error)
