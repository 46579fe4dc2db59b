# Calls in every position a statement has for an expression.
# file: work.py
def f(x):
    return x


def kind(name):
    return {"err": ValueError, "base": dict, "pair": (KeyError, IndexError)}[name]


def make(text):
    return RuntimeError(text)
# file: main.py
import contextlib

import work
from work import f


def deco(n):
    def wrap(thing):
        print("deco", n, thing.__name__)
        return thing

    return wrap


@deco(f(1))
@deco(f(2))
def default(a=f(3), *, b=f(4)) -> f(5):
    return a, b


@deco(f(6))
class Made(work.kind("base"), metaclass=f(type)):
    field: f(7) = f(8)


value: f(9) = f(10)
print(default(), default.__annotations__, Made.field, Made.__annotations__, value, __annotations__)
cells = [0] * 6
cells[f(0)] = cells[f(1)] = f(11)
cells[f(2)] += f(12)
cells[f(3)], *rest, cells[f(4)] = f((1, 2, 3, 4))
for cells[f(5)] in f([7, 8]):
    print(cells)
del cells[f(0)], rest[f(-1)]
print(cells, rest)
with contextlib.nullcontext(f(13)) as a, contextlib.nullcontext(f(a + 1)) as cells[f(1)]:
    print(a, cells)
try:
    raise work.kind("err")(f(14)) from work.make("cause")
except work.kind("pair"):
    print("wrong")
except (work.kind("err"), OSError) as error:
    print(error, repr(error.__cause__))
assert f(True), f("unused")
try:
    assert f(0), f("message")
except AssertionError as error:
    print(error)
match f({"k": [1, 2]}):
    case {"k": [x, y]} if f(x) == 2:
        print("no")
    case {"k": [x, y]} if f(y) == 2:
        print("yes", x, y)
if f(0):
    pass
elif f(1):
    print("elif")
while f(len(cells)) > 3:
    cells.pop()
else:
    print("else", cells)
lambda: f(1 / 0)
f(15), f(16)
print(f(1) if f(0) else f(2), not f(3), -f(4), f(5) ** f(2), f("ab")[f(1)], f("abc")[f(0) : f(2)])
print(f"{f(1)}{f(2)!r:>{f(4)}}", *f([1, 2]), **f({"sep": "+", "end": f("!\n")}))
print([*f("xy"), f(1)], {**f({"a": 1}), "b": f(2)}, {f(1), *f([2])}, f(1) < f(2) < f(3) != f(4))
print((n := f(20)), n, (lambda x=f(21): (x, f(22)))(), f(f)(23), f(f(f))(f(24)))
