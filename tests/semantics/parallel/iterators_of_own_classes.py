# Objects of the program's classes are walked by scouts: alone, counted, together, and in between.
# overlap: 4
# file: main.py
from collections.abc import Iterator

from work import nap


class Numbers:
    """An iterable: its generator goes through what it holds."""

    def __init__(self, items):
        self.items = items

    def __iter__(self):
        for item in self.items:
            yield item * 2


class Countdown(Iterator):
    """An iterator that keeps its place in itself."""

    def __init__(self, start):
        self.left = start

    def __next__(self):
        if self.left == 0:
            raise StopIteration
        self.left -= 1
        return self.left


class Shelf:
    """An iterable with an iterator of another class."""

    def __init__(self, books):
        self.books = books

    def __iter__(self):
        return Reader(self)


class Reader:
    __slots__ = ("at", "shelf", "__weakref__")

    def __init__(self, shelf):
        self.shelf = shelf
        self.at = 0

    def __iter__(self):
        return self

    def __next__(self):
        try:
            book = self.shelf.books[self.at]
        except IndexError:
            raise StopIteration from None
        self.at += 1
        return len(book)


def total(numbers):
    found = 0
    for number in numbers:
        found += nap(number)
    return found


print(total(Countdown(12)))
for number in Shelf(["a" * n for n in range(12)]):
    print(nap(number))
for index, number in enumerate(Numbers(range(12))):
    print(index, nap(number))
for low, high in zip(Countdown(12), Numbers(range(20))):
    print(nap(low, high))
print(list(map(nap, Countdown(12))))
print([nap(number) for number in sorted(Numbers([3, 1, 2] * 4))])
begun = Countdown(14)
print(next(begun))
for place, number in enumerate(begun, start=3):
    print(place, nap(number), begun.left)
