# A helper whose argument is a result is gone into, and finds its calls there.
# file: main.py
from work import less


def even(n):
    if n == 0:
        return True
    return odd(less(n))  # waits, ahead


def odd(n):
    if n == 0:
        return False
    return even(less(n))  # waits, ahead


print(even(7))  # in place
