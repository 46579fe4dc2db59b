# Names that loops count up between calls with effects: numbers and texts, and objects that change in place.
# file: cord.toml
[remote.work]
replicas = 4
callstyle = "async"
independent = true
# file: work.py
import os
import time


def send(name, *more):
    with open(f"to_{name}", "a") as mail:  # one line for each time
        mail.write(f"{more}\n")
    time.sleep(0.003)
    return name


# file: main.py
from work import send


class Grows:
    def __init__(self):
        self.held = []

    def __iadd__(self, more):
        self.held.append(more)
        return self


def numbers(names):
    count, size, text = 0, 1.5, ""
    for name in names:
        count += 1
        size -= 0.5
        text += name
        send(name, count, size, text)
    return count, size, text


def lists(names):
    grown = []
    same = grown
    for name in names:
        grown += [name]
        send(name, list(same), len(grown))
    return same


def objects(names):
    grows = Grows()
    same = grows.held
    for name in names:
        grows += name
        send(name, len(same))
    return same


def fails(names):
    count = 0
    for name in names:
        send(name, count)
        count += 1 if name != "r" else None
    return count


print(numbers("abcdefgh"))
print(lists("ijklm"))
print(objects("nop"))
total = 0
for x in (1, 2, 3, 4):
    total += x
    send(f"total{x}", total)
try:
    fails("qrstu")
except TypeError as error:
    print(error)
