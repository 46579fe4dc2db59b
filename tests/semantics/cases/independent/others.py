# Other effects stand between, and calls that are pure or neither.
# file: cord.toml
[remote.work]
replicas = 4
callstyle = "async"
independent = true
[remote.other]
callstyle = "async"
functions.pure.pure = true
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


# file: other.py
made = []


def pure(number):
    return 6 // (3 - number)


def count():
    made.append(0)
    return len(made)


# file: main.py
import other
from work import send

for number in range(4):
    print(number)
    send(f"a{number}")
try:
    for number in range(6):
        value = other.pure(number)
        send(f"b{number}", value)
except ZeroDivisionError as error:
    print(error)
for number in range(4):
    other.count()
    send(f"c{number}", 1)
    print(other.count())
for number in range(6):
    if send(f"d{number}") == "d3":
        break
total = ""
for number in range(6):
    total += send(f"e{number}")
    if len(total) > 4:
        break
print(total)
for number in range(3):
    try:
        send(f"f{number}")
    finally:
        print("sent", number)
names = ["x", "y"]
for number in range(2):
    send(f"g{number}", names)
    names[number] = "z"
    send(f"h{number}", names)
