# What stands before a call in its own statement may keep it from being made.
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
from work import send

rows = {0: print, 1: print}
try:
    for number in range(5):
        rows[number](send(f"a{number}"))
except KeyError as error:
    print("no row", error)
try:
    for number in range(5):
        both = (rows[number], send(f"b{number}"))
except KeyError as error:
    print("no row", error)
try:
    both = [(rows[number], send(f"c{number}")) for number in range(5)]
except KeyError as error:
    print("no row", error)
try:
    for number in range(5):
        text = f"{rows[number]} {send(f'd{number}')}"
except KeyError as error:
    print("no row", error)
stack = [1, 2, 3]
try:
    while True:
        send("e", stack.pop())
except IndexError as error:
    print(error)
names = iter("abc")
try:
    while True:
        send("f", next(names))
except StopIteration:
    print("end")
for number in range(4):
    number > 1 and send(f"g{number}")
try:
    made = {rows[number]: send(f"h{number}") for number in range(4)}
except KeyError as error:
    print("no row", error)
import heapq
import random

heap = [3, 1, 2]
try:
    while True:
        send(f"heap{heap[0]}", heapq.heappop(heap))
except IndexError as error:
    print(error)
heap = [5, 4]
for _ in range(2):
    pair = (heap[0], heapq.heappop(heap))
    send(f"pair{pair}")
chance = random.Random(3)
for _ in range(3):
    send(f"i{chance.randrange(1000)}")
for number in map(send, "jk"):
    send(f"l{number}")
