# Decorators of the project stand around the functions that make the calls.
# overlap: 3
# file: main.py
import functools

import work


def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        value = function(*args, **kwargs)
        print(function.__name__, args, kwargs, value)
        return value

    return wrapper


def scaled(factor):
    def decorate(function):
        def inner(x, *rest):
            return factor * function(x, *rest)

        return inner

    return decorate


@logged
@scaled(3)
def score(x, y):
    return work.nap(x, y)


class Tool:
    @logged
    def run(self, x):
        return work.nap(x)

    def __repr__(self):
        return "tool"


nap = logged(work.nap)
tool = Tool()
for i in range(9):
    print(score(i, 2))
print([nap(i, y=1) for i in range(9)], [tool.run(i) for i in range(9)])
