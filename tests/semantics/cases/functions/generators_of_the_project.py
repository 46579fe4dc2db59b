# Generators that make calls: closed early, in rows, sent to, and as context managers.
# file: work.py
def nap(x, y=0):
    return x * 7 + y


def picky(x):
    if x == 3:
        raise ValueError(f"not {x}")
    return x
# file: main.py
from contextlib import contextmanager

from work import nap


def scores(xs):
    try:
        for x in xs:
            got = yield nap(x)
            if got:
                print("got", got, nap(got))
    finally:
        print("closed", nap(100))


@contextmanager
def around(x):
    value = nap(x)
    try:
        yield value
    finally:
        print("after", nap(value))


for value in scores(range(5)):
    print(value)
    if value == 14:
        break
kept = scores([1, 2, 3])
print(next(kept), kept.send(5), next(kept))
kept.close()


def inner(n):
    total = 0
    for value in scores(range(n)):
        total += value
        yield total
    return total


def outer():
    for n in (2, 3):
        result = yield from inner(n)
        print("inner gave", result)


print(list(outer()), sum(map(nap, scores([1, 2]))))
for x in range(3):
    with around(x) as value:
        print("in", value, nap(value, 1))
