# A loop over the program's own generators runs ahead, whatever they are made of.
# overlap: 4
# file: main.py
import work


def numbers(count):
    number = 0
    while number < count:
        yield number
        number += 1


def even(items):
    for item in items:
        if item % 2 == 0:
            yield item


class Tree:
    def __init__(self, value, left=None, right=None):
        self.value = value
        self.parts = [part for part in (left, right) if part is not None]

    def __iter__(self):
        yield self.value
        for part in self.parts:
            yield from part


for number in even(numbers(12)):
    print(work.nap(number))
for index, number in enumerate(numbers(5)):
    print(index, work.nap(number, 1))
for value in Tree(20, Tree(21, Tree(22), Tree(23)), Tree(24)):
    print(work.nap(value))
for low, high in zip(numbers(6), (n * n for n in range(100, 106))):
    print(work.nap(low, high))
