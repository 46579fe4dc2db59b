# The project's own generators make the calls, alone and in a row.
# overlap: 3
# file: main.py
from work import nap


def scores(xs):
    for x in xs:
        yield nap(x)


def twice(values):
    for value in values:
        yield value * 2


def both(n):
    yield from scores(range(n))
    yield from map(nap, range(n))


print(list(scores(range(8))))
for value in twice(scores(range(8))):
    print(value)
print(sum(both(8)))
