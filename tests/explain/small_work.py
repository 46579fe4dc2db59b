"""The remote module ``work`` of the programs in ``programs/``: small pure functions of numbers."""


def f(x):
    return (x * 7 + 3) % 10


def g(x, y=0):
    return (x * 3 + y) % 10


def h(x, y):
    return x + 2 * y


def pair(x):
    return x, x + 1


def neighbours(x):
    return [2 * x, 2 * x + 1] if x < 20 else []


def total(values):
    return sum(values)


def show(value):
    return repr(value)


def picky(x):
    if x % 3 == 2:
        raise ValueError(x)
    return x


def less(x):
    return x - 1
