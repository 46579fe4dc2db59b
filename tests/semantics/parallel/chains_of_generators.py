# Generators that make calls with what other generators give, which make calls themselves.
# overlap: 4
# file: main.py
from work import nap


def first(count):
    for number in range(count):
        yield nap(number)


def second(values):
    for value in values:
        yield nap(value, 1)


def third(values):
    for place, value in enumerate(values):
        yield place, nap(value + 1, 2)


class Source:
    def __iter__(self):
        for number in range(16):
            yield nap(number, 3)


for place, value in third(second(first(16))):
    print(place, value)
for value in second(Source()):
    print(value)
