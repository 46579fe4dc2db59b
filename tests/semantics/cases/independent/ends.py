# Calls with effects that the program never comes to are not made: exits and exceptions on the way.
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


def fail(name):
    send(name)
    raise ValueError(name)


# file: main.py
import sys
from work import send

for number in range(9):
    if number == 4:
        break
    send(number)


def first(names):
    for name in names:
        if name.startswith("x"):
            return name
        send(name)
    return None


print(first(["a", "b", "xc", "d"]))

prices = {"p": 1, "q": 2, "s": 4}
try:
    for name in "pqrs":
        price = prices[name]
        send(name, price)
except KeyError as error:
    print("no price", error)

try:
    for text in ["1", "2", "three", "4"]:
        int(text)
        send(f"n{text}")
except ValueError as error:
    print(error)

lists = [[], [], None, []]
try:
    for number, kept in enumerate(lists):
        kept.append(send(f"l{number}"))
except AttributeError as error:
    print(error)

try:
    for number in range(5):
        send(f"t{number}", ("a", "b", "c")[number])
except IndexError as error:
    print(error)

try:
    for number in range(5):
        "unused"[number + 3]
        send(f"u{number}")
except IndexError as error:
    print(error)

table = {0: [], 1: []}
try:
    for number in range(5):
        table[number].append(send(f"w{number}"))
except KeyError as error:
    print("no row", error)

for number in range(5):
    assert number < 3
    send(f"v{number}")
