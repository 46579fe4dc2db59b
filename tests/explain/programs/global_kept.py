# A constant at the top of the file.
# file: main.py
from work import f

SCALE = 3


def run(values):
    return [f(x * SCALE) for x in values]  # ahead


print(run(range(5)), run(range(3)))  # in place, ahead
