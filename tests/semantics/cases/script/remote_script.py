# The main script is itself the remote module; nothing guards its top level.
# file: cord.toml
[remote.main]
replicas = 2
callstyle = "async"
pure = true
only = ["score", "fib", "distance", "primes", "picky"]
# file: main.py
import functools
import math
from dataclasses import dataclass

print("starts once")
SCALE = 3


class Picky(Exception):
    pass


@dataclass
class Point:
    x: int
    y: int

    def norm(self):
        return scaled(math.hypot(self.x, self.y))


def scaled(value):
    return value * SCALE


def distance(a, b):
    """The distance of two points."""
    return scaled(math.dist((a.x, a.y), (b.x, b.y)))


def score(p, bonus=0, *, sign=1):
    return round(sign * (p.norm() + bonus), 6)


@functools.lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def sieve(limit):
    found = []
    for n in range(2, limit):
        if all(n % p for p in found):
            found.append(n)
            yield n


def primes(limit):
    return list(sieve(limit))


def picky(x):
    if x == 3:
        raise Picky(x)
    return Point(x, -x)


def total(points):
    return sum(score(p) for p in points)


points = [Point(i, i + 1) for i in range(4)]
for p in points:
    print(score(p), score(p, 1), score(p, sign=-1))
print(total(points), [fib(n) for n in range(12)])
print([[distance(a, b) for a in points[:2]] for b in points[2:]])
print(primes(30), distance.__doc__, distance.__name__, fib.__wrapped__.__name__)
SCALE = 5
print(total(points), list(map(score, points)), max(points, key=score))
made = []
try:
    for x in range(6):
        made.append(picky(x))
except Picky as error:
    print("picky", error, made, {type(p) is Point for p in made})
print(sorted(points, key=lambda p: -score(p)))
