# A function that makes calls and that nobody calls.
# file: main.py
from work import f


def unused(values):
    a = f(values[0])  # in place
    return a + f(values[1])  # ahead


print("done")
