# `functools.singledispatch` chooses the function by the class of the first argument.
# overlap: 3
# file: main.py
from functools import singledispatch

import work


class Square:
    def __init__(self, side):
        self.side = side


class Cube(Square):
    pass


class Disc:
    def __init__(self, radius):
        self.radius = radius


@singledispatch
def size(shape):
    return work.nap(shape)


@size.register
def _(shape: Square):
    return work.nap(shape.side, shape.side)


@size.register(Disc)
def of_disc(shape):
    return 3 * size(shape.radius)


total = 0
for i in range(24):
    total += size([Square(i), Cube(i), Disc(i), i][i % 4])
print(total)
