# Iterators that several loops read, generators, and containers that change meanwhile.
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
from collections import deque
from work import send


def shared():
    numbers = iter(range(12))
    for first in numbers:
        if first % 2:
            send(f"a{first}")
            continue
        for second in numbers:
            send(f"b{second}", first)
            if second % 3 == 0:
                break


shared()


def nested():
    numbers = iter(range(9))
    for first in numbers:
        if first == 0:
            for second in zip(numbers, range(5)):
                send(f"c{second[0]}")
        send(f"d{first}")


nested()


def told(count):
    for number in range(count):
        print("made", number)
        yield number


for number in told(4):
    send(f"e{number}")
for number in map(str, range(3)):
    send(f"f{number}")
waiting = deque(["x", "y"])
while waiting:
    name = waiting.popleft()
    send(f"g{name}")
    if len(name) < 3:
        waiting.append(name + "z")
growing = [1, 2]
for number in growing:
    send(f"h{number}")
    if number < 5:
        growing.append(number + 2)
alias = growing
for number in range(3):
    send(f"i{number}", alias)
    growing += [number]
colours = {"red", "green", "blue", "black", "white"}
for colour in colours:
    if colour == "blue":
        break
    send(f"j{colour}")
colours.discard("red")
colours.add("pink")
with open("numbers", "w") as file:
    file.write("1\n2\n3\n")
with open("numbers") as file:
    for line in file:
        send(f"k{line.strip()}", file.closed)
