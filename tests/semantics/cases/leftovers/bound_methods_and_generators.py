# What changes is the object of a method that has a name, or a generator or an open file that the module holds.
# told: 3
# file: work.py
import random
import time

rng = [random.Random(4)]
shuffle = rng[0].shuffle


def _numbers():
    number = 100
    while True:
        yield number
        number += 1


numbers = _numbers()
lines = open(__file__)


def mixed(count):
    time.sleep(0.002)
    items = list(range(count))
    shuffle(items)
    return items


def numbered(x):
    time.sleep(0.002)
    return next(numbers), x


def lined(x):
    time.sleep(0.002)
    return x, lines.readline()
# file: main.py
import work

for i in range(12):
    print(work.mixed(5), work.numbered(i), work.lined(i))
print(work.rng[0].random(), next(work.numbers))
