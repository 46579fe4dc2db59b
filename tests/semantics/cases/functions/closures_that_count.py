# Functions that functions make count in one place, whoever calls them.
# file: cord.toml
[remote.work]
inline = false

[remote.alone]
independent = true
replicas = 2
inline = false
# file: work.py
import functools

_hits = 0


def track(function):
    @functools.wraps(function)
    def tracked(*args):
        global _hits
        _hits += 1
        return function(*args)

    return tracked


def hits():
    return _hits


@track
def double(x):
    return x * 2
# file: alone.py
def apply(function, items):
    return [function(item) for item in items]


def counter():
    n = 0

    def count():
        nonlocal n
        n += 1
        return n

    return count
# file: main.py
import alone
import work


def counter(n):
    def count():
        nonlocal n
        n += 1
        return n

    return count


@work.track
def triple(x):
    return 3 * x


own, made = counter(10), alone.counter()
for i in range(3):
    print(work.double(i), triple(i), work.hits())
    print(alone.apply(lambda x: own() + x, [1, 2]), own())
    print(alone.apply(lambda x: made() + x, [1, 2]), made())
