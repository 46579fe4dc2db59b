# Divide and conquer.
# file: main.py
from work import f


def total(values):
    if len(values) == 1:
        return f(values[0])  # ahead
    middle = len(values) // 2
    return total(values[:middle]) + total(values[middle:])  # ahead, ahead


print(total(list(range(8))))  # in place
