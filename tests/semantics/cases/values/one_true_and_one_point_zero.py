# Values that are equal but not the same: 1, True and 1.0; 0.0 and -0.0; nan; "1" and b"1".
# file: work.py
import math


def look(x):
    if isinstance(x, float) and not math.isnan(x):
        return type(x).__name__, repr(x), math.copysign(1, x)
    return type(x).__name__, repr(x)


def same(a, b):
    return a is b, a == b
# file: main.py
import work

nan = float("nan")
for x in (1, True, 1.0, 1, 0, False, 0.0, -0.0, 0, nan, -nan, 1 + 0j, "1", b"1", bytearray(b"1")):
    print(work.look(x))
print([work.look(x) for x in [[1], [True], [1.0], (1,), (True,), {1: 1}, {True: 1}, {1: True}]])
x = 1
for _ in range(6):
    print(work.look(x), work.look([x, -x, (x, {x: x})]))
    x = {"int": 1.0, "float": True, "bool": 1}[type(x).__name__]
xs = [1]
print(work.same(xs, xs), work.same(xs, [1]), work.look([nan, -nan]))
