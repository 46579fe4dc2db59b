# Pure functions that take or return what is bound to its process: the program makes these calls.
# file: work.py
import threading


def first(items, n):
    return [x for _, x in zip(range(n), items)]


def lock(n):
    print("a lock for", n)
    return threading.Lock()


def squares(n):
    return (x * x for x in range(n))


class Stubborn(Exception):
    def __reduce__(self):
        raise TypeError("I stay")


def fail(n):
    raise Stubborn(n)


def apply(function, n):
    return function(n)
# file: outer.py
import work


def total(n):
    return sum(sum(work.squares(k)) for k in range(n)) + sum(work.first(iter(range(n)), 2))
# file: main.py
import outer
import work


class Odd:
    def __init__(self, n):
        self.n = n

    def __getstate__(self):
        print("never asked by the program")
        raise RuntimeError("not this one")

    def __iter__(self):
        return iter(range(self.n))


def described(n):
    try:
        return work.fail(n)
    except Exception as error:
        return type(error).__name__, error.args, error.__context__


taken = (x * x for x in range(20))
for n in range(5):
    print(work.first(taken, n))
print([list(work.squares(n)) for n in range(6)])
for n in range(4):
    with work.lock(n):
        print("held")
print([described(n) for n in range(3)])
held = {"n": 0}
guard = work.lock(9)


def counted(n):
    with guard:
        held["n"] += n
    return held["n"]


print([work.apply(counted, n) for n in range(5)], held)
print([outer.total(n) for n in range(6)])
print([work.first([n, n + 1, n + 2], 2) for n in range(8)])
# file: cord.toml
[remote.work]
replicas = 2
callstyle = "async"
pure = true
[remote.outer]
callstyle = "async"
pure = true
