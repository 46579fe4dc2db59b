# What independent functions of the main script draw and change is the program's.
# file: cord.toml
[remote.main]
independent = true
replicas = 2
# file: main.py
import random

total = 0
seen = []


class Kept:
    n = 0


def add(x):
    global total
    total += x
    seen.append(x)
    Kept.n += 1
    return x


def choose(items):
    return random.choice(items)


random.seed(3)
for i in range(4):
    print(add(i), choose(range(100)))
print(total, seen, Kept.n, random.random())
