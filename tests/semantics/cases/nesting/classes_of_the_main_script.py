# Classes, functions and globals of the main script travel on from one remote function to another;
# what a call far out changes of them comes home through all of them.
# file: cord.toml
[remote.outer]
replicas = 1

[remote.inner]
replicas = 1

[remote.pure_outer]
replicas = 1
pure = true

[remote.pure_inner]
replicas = 1
pure = true
# file: inner.py
kept = []


def apply(function, point):
    kept.append(function)
    return function(point)


def keep(function):
    kept.append(function)


def again(point):
    return kept[-1](point), type(point) is type(kept[-1](point))
# file: outer.py
import inner


def apply(function, point):
    result = inner.apply(function, point)
    return result, type(result) is type(point), function(point)


def again(point):
    return inner.again(point)
# file: pure_inner.py
import pure_outer


def size(point, depth):
    return pure_outer.size(point, depth - 1) + 1 if depth else point.size()
# file: pure_outer.py
import pure_inner


def size(point, depth):
    inner = pure_inner.size(point, depth - 1) if depth else 0
    return point.size() + inner, type(point)(1, 1).size()


def sizes(points):
    return [pure_inner.size(point, 0) for point in points]
# file: main.py
import inner
import outer
import pure_inner
import pure_outer

FACTOR = 10
calls = []


class Point:
    made = 0

    def __init__(self, x, y):
        self.x, self.y = x, y

    def size(self):
        return (self.x + self.y) * FACTOR

    def __repr__(self):
        return f"Point({self.x}, {self.y})"


def mirrored(point):
    calls.append(point.x)
    return Point(point.y, point.x)


def counted(point):
    calls.append(-point.x)
    Point.made += 1
    return Point.made


print(outer.apply(mirrored, Point(1, 2)), calls)
print(outer.again(Point(3, 4)), calls)
print(inner.again(Point(5, 6)), calls)
inner.keep(counted)
print(outer.again(Point(5, 6)), calls)
print(inner.again(Point(7, 6)), calls)
print(pure_outer.sizes([Point(1, 2), Point(3, 4)]), pure_inner.size(Point(1, 2), 0))
FACTOR = 100
print(pure_outer.sizes([Point(1, 2), Point(3, 4)]), pure_inner.size(Point(1, 2), 0))
print(pure_outer.size(Point(7, 8), 0), calls)
print(outer.apply(lambda point: point.size(), Point(1, 1)), calls)
