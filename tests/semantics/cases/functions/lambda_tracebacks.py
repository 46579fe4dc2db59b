# The traceback of a call inside lambdas, closures and mapped functions.
# stderr: whole
# file: work.py
def nap(x, y=0):
    return x * 7 + y


def picky(x):
    if x == 3:
        raise ValueError(f"not {x}")
    return x
# file: main.py
import functools

from work import picky


def logged(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)

    return wrapper


@logged
def score(x):
    check = lambda y: picky(y) + 1
    return sum(map(lambda z: check(z), range(x)))


def apply(function, xs):
    for x in sorted(xs, key=lambda x: -x):
        print(function(x))


table = {"score": score}
print(list(map(table["score"], range(4))))
apply(table["score"], [1, 5, 2])
