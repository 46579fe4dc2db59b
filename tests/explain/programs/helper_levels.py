# A helper in a helper, called from a loop two levels up.
# file: main.py
from work import f


def cell(x, y):
    return f(x * 10 + y)  # ahead


def row(x):
    return [cell(x, y) for y in range(2)]  # ahead


def table(n):
    for x in range(n):
        print(row(x))  # ahead


table(4)  # in place
