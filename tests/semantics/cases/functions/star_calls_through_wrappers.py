# Calls with stars through functions that are values: errors name what is called.
# file: work.py
def nap(x, y=0):
    return x * 7 + y


def picky(x):
    if x == 3:
        raise ValueError(f"not {x}")
    return x
# file: main.py
from functools import partial

from work import nap


def wrap(function):
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


def helper(a, b=2, *, c=3):
    return nap(a, b) + c


both = [nap, helper, wrap(nap), wrap(helper), partial(helper, c=1), partial(wrap(nap), y=1)]
for function in both:
    for args, kwargs in [((1,), {}), ((1, 2), {}), ((), {}), ((1, 2, 3), {}), ((1,), {"c": 9}), ((1,), {"z": 0})]:
        try:
            print(function(*args, **kwargs))
        except TypeError as error:
            print(error)
for function in both[:2]:
    for stars in (5, None):
        try:
            function(*stars)
        except TypeError as error:
            print(error)
        try:
            function(**stars)
        except TypeError as error:
            print(error)
