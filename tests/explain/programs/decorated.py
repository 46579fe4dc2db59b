# The project's decorator stands around the helper.
# file: main.py
import functools

from work import f


def logged(function):
    @functools.wraps(function)
    def wrapper(*args):
        print("calling", args)
        return function(*args)  # ahead

    return wrapper


@logged
def score(x):
    return f(x)  # ahead


for x in range(5):
    print(score(x))  # ahead
