"""Scouts change none of the program's objects and call none of its code.

Each row runs as a function and at module level, plain and under Cord; it shows its objects, and the
effects of its own special methods, after every call.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import NamedTuple

import pytest
from counted_run import Ran


class Row(NamedTuple):
    about: str
    text: str


OBJECTS = [
    Row("functions that are values and change something", "def add(x):\n    log.append(x)\n"
        "    return work.f(x)\ntable = {0: add, 1: work.f, 2: log.append, 3: Box}\n"
        "for i in range(8):\n    show(log)\n    table[i % 4](i) if i % 4 != 3 else table[3]()\n"
        "    work.f(i)"),
    Row("functions that are mapped and change something", "xs = [1, 2, 3]\n"
        "for r in map(lambda x: xs.append(x) if len(xs) < 6 else work.f(x), xs):\n"
        "    show(xs, r)\nshow(sorted(xs, key=lambda x: log.append(x) or work.f(-x)), log)"),
    Row("a list that is appended to", "xs = []\nfor i in range(3):\n    xs.append(i)\n"
        "    work.f(xs)\n    show(xs)"),
    Row("a list shared under two names", "xs = [1]\nys = xs\nfor i in range(3):\n    work.f(i)\n"
        "    show(ys)\n    xs.append(i)\n    work.f(ys)"),
    Row("a list inside a list", "xs = [[]]\nfor i in range(3):\n    work.f(i)\n    show(xs)\n"
        "    xs[0].append(i)\n    work.f(xs)"),
    Row("a list in a dict by a local name", "d = {'k': []}\nfor i in range(3):\n    row = d['k']\n"
        "    work.f(i)\n    show(d)\n    row.append(i)\n    work.f(row)"),
    Row("a stack that is emptied", "xs = [1, 2, 3]\nwhile xs:\n    show(xs)\n"
        "    work.f(xs.pop())"),
    Row("a dict that is filled", "d = {}\nfor i in range(3):\n    work.f(d)\n    show(d)\n"
        "    d[i] = i * i"),
    Row("a dict that is counted in", "d = {}\nfor w in 'abca':\n    d[w] = d.get(w, 0) + 1\n"
        "    work.f(w, d[w])\n    show(d)"),
    Row("del and setdefault", "d = {0: 0, 1: 1, 2: 2}\nfor i in range(3):\n    work.f(i)\n"
        "    show(d)\n    del d[i]\n    d.setdefault(i + 5, i)\n    work.f(d)"),
    Row("a set", "s = set()\nfor i in (1, 2, 1):\n    work.f(i)\n    show(s)\n    s.add(i)\n"
        "    work.f(len(s))"),
    Row("a bytearray", "b = bytearray()\nfor i in range(3):\n    work.f(i)\n    show(b)\n"
        "    b.append(i)\n    work.f(b)"),
    Row("a deque", "d = collections.deque([1, 2, 3])\nwhile d:\n    show(d)\n"
        "    work.f(d.popleft())"),
    Row("sorting and reversing", "xs = [3, 1, 2]\nfor i in range(3):\n    work.f(i)\n    show(xs)\n"
        "    xs.sort()\n    work.f(xs)\n    xs.reverse()\n    work.f(xs)"),
    Row("+= on a list", "xs = [1]\nys = xs\nfor i in range(3):\n    work.f(i)\n    show(ys)\n"
        "    xs += [i]\n    work.f(xs)"),
    Row("attributes", "box = Box()\nfor i in range(3):\n    work.f(i)\n    show(vars(box))\n"
        "    box.value += 1\n    work.f(box.value)"),
    Row("a list in an attribute", "box = Box()\nfor i in range(3):\n    work.f(i)\n"
        "    show(vars(box))\n    box.items.append(i)\n    work.f(box.items)"),
    Row("a list handed to a helper", "xs = []\nfor i in range(3):\n    fill(xs, i)\n"
        "    work.f(xs)\n"
        "    show(xs)"),
    Row("a default argument that is changed", "for i in range(3):\n    work.f(keep(i))\n"
        "    show(keep.__defaults__)"),
    Row("a global of a helper", "for i in range(3):\n    work.f(i)\n    show(log)\n    note(i)\n"
        "    work.f(len(log))"),
    Row("an iterator that is read by hand", "it = iter([1, 2, 3, 4, 5])\nfor i in range(2):\n"
        "    work.f(i)\n    show(next(it))\n    work.f(next(it))"),
    Row("an iterator that two loops share", "it = iter(range(6))\nfor x in it:\n    work.f(x)\n"
        "    show(x)\n    if x == 2:\n        break\nfor x in it:\n    work.f(x)\n    show(-x)"),
    Row("an iterator that is unpacked", "it = iter(range(6))\nwork.f(0)\na, b, *c = it\nwork.f(a)\n"
        "show(b, c, list(it))"),
    Row("an iterator that a slice takes in", "it = iter(range(3))\nxs = [9]\nwork.f(0)\nshow(xs)\n"
        "xs[0:0] = it\nwork.f(xs)\nshow(xs)"),
    Row("the argument list itself", "args = [1, [2]]\nfor i in range(3):\n    work.f(*args)\n"
        "    show(args)\n    args.append(i)"),
    Row("keyword arguments", "kw = {'a': 1}\nfor i in range(3):\n    work.f(i, str(kw))\n"
        "    show(kw)\n    kw['b'] = i"),
]  # fmt: skip

CODE = [
    Row("a property", "t = Telling()\nfor i in range(3):\n    work.f(t.computed)\n    show()"),
    Row("__getattr__", "t = Telling()\nfor i in range(3):\n    work.f(t.anything)\n    show()"),
    Row("__len__ and __bool__", "t = Telling()\nfor i in range(3):\n    if t:\n"
        "        work.f(len(t))\n    show()"),
    Row("__eq__", "t = Telling()\nfor i in range(3):\n    if t == i:\n        work.f(i)\n"
        "    work.f(i)\n    show()"),
    Row("__eq__ of elements", "ts = [Telling()]\nfor i in range(3):\n    work.f(ts.count(i))\n"
        "    show()"),
    Row("__contains__", "t = Telling()\nfor i in range(3):\n    work.f(i in t)\n    show()"),
    Row("__hash__", "d = {}\nt = Telling()\nfor i in range(3):\n    d[t] = i\n    work.f(len(d))\n"
        "    show()"),
    Row("__iter__", "t = Telling()\nfor i in t:\n    work.f(i)\n    show()"),
    Row("__iter__ in the middle", "t = Telling()\nfor i in range(2):\n    for j in t:\n"
        "        work.f(i, j)\n        show()"),
    Row("__next__ of an iterator", "it = iter(Telling())\nfor i in it:\n    work.f(i)\n    show()"),
    Row("a generator", "def numbers():\n    for i in range(3):\n        told.append(i)\n"
        "        yield i\nfor i in numbers():\n    work.f(i)\n    show()"),
    Row("map and filter", "for i in map(tell, filter(tell, [1, 2, 3])):\n    work.f(i)\n"
        "    show()"),
    Row("zip of a generator", "for i, j in zip([1, 2], (tell(i) for i in [3, 4])):\n"
        "    work.f(i, j)\n    show()"),
    Row("__getitem__", "t = Telling()\nfor i in range(3):\n    work.f(t[i])\n    show()"),
    Row("__missing__", "d = Missing()\nfor i in range(3):\n    work.f(d[i])\n    show(dict(d))"),
    Row("defaultdict", "d = collections.defaultdict(list)\nfor i in range(3):\n    work.f(d[i])\n"
        "    show(dict(d))"),
    Row("__add__", "t = Telling()\nfor i in range(3):\n    work.f(t + i)\n    work.f(i + t)\n"
        "    show()"),
    Row("__format__", "t = Telling()\nfor i in range(3):\n    work.f(f'{t}{i}')\n"
        "    work.f('{x}'.format(x=t))\n    work.f('%s' % t)\n    show()"),
    Row("__call__", "t = Telling()\nfor i in range(3):\n    work.f(t(i))\n    show()"),
    Row("key=", "for i in range(3):\n    work.f(sorted([3, 1, i], key=tell))\n    show()"),
    Row("a class as key=", "for i in range(3):\n    work.f(sorted([3, 1, i], key=Key))\n"
        "    show()"),
    Row("a context manager", "for i in range(3):\n    with Telling() as t:\n        work.f(i)\n"
        "    show()"),
    Row("a descriptor", "box = Described()\nfor i in range(3):\n    work.f(box.field)\n    show()"),
    Row("__index__", "t = Telling()\nfor i in range(3):\n    work.f([1, 2, 3][t:])\n    show()"),
    Row("a lambda and a closure", "def make(n):\n    return lambda: tell(n)\nt = make(5)\n"
        "for i in range(3):\n    work.f(t())\n    work.f((lambda: tell(i))())\n    show()"),
    Row("a decorated function", "for i in range(3):\n    work.f(counted(i))\n    show()"),
    Row("a helper with an effect", "for i in range(3):\n    work.f(tell(i))\n    show()"),
    Row("a method with an effect", "t = Telling()\nfor i in range(3):\n    work.f(t.method(i))\n"
        "    show()"),
    Row("print and write", "for i in range(3):\n    print('p', i)\n    work.f(i)\n    show()"),
    Row("random", "r = random.Random(1)\nfor i in range(3):\n    work.f(r.random())\n"
        "    show(r.random())"),
    Row("exceptions of an argument", "for w in ['1', 'x', '2']:\n    try:\n        work.f(int(w))\n"
        "    except ValueError as e:\n        show(e)"),
]  # fmt: skip

ROWS = [*OBJECTS, *CODE]

HEAD = """
import collections, random
import work

told = []
log = []

def show(*values):
    print(ROW, *values, told, log)

def tell(x):
    told.append(x)
    return x

def note(x):
    log.append(x)

def fill(xs, x):
    xs.append(x)

def keep(x, kept=[]):
    kept.append(x)
    return len(kept)

def count(function):
    def inner(x):
        told.append(function.__name__)
        return function(x)
    return inner

@count
def counted(x):
    return x

class Box:
    def __init__(self):
        self.value = 0
        self.items = []

class Key:
    def __init__(self, x):
        told.append(("Key", x))
        self.x = x

    def __lt__(self, other):
        told.append("<")
        return self.x < other.x

class Missing(dict):
    def __missing__(self, key):
        told.append(("missing", key))
        self[key] = key
        return key

class Field:
    def __get__(self, instance, owner=None):
        told.append("get")
        return 5

class Described:
    field = Field()

class Telling:
    @property
    def computed(self):
        return tell("computed")

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return tell(name)

    def method(self, x):
        return tell(x)

    def __len__(self):
        return tell(2)

    def __bool__(self):
        return tell(True)

    def __eq__(self, other):
        return tell(False)

    def __hash__(self):
        return tell(1)

    def __contains__(self, x):
        return tell(True)

    def __iter__(self):
        for i in range(3):
            yield tell(i)

    def __getitem__(self, x):
        return tell(x)

    def __add__(self, x):
        return tell(x)

    __radd__ = __add__

    def __str__(self):
        return tell("str")

    def __format__(self, spec):
        return tell("format")

    def __call__(self, x):
        return tell(x)

    def __index__(self):
        return tell(1)

    def __enter__(self):
        return tell(self)

    def __exit__(self, *_):
        tell("exit")
"""


def program() -> str:
    """All rows: each in a function, and each as code of the module."""
    parts = [HEAD]
    for index, row in enumerate(ROWS):
        text = row.text.replace("tell(self)", "self")
        fresh = f"told.clear()\nlog.clear()\nkeep.__defaults__[0].clear()\nROW = {index}\n"
        body = textwrap.indent(text, "    ")
        parts.append(f"def row_{index}():\n{body}\n{fresh}row_{index}()\n{fresh}{text}\n")
    return "\n".join(parts).replace("return tell(self)", "return self")


@pytest.fixture(scope="module")
def shown(cord_run: Callable[..., Ran]) -> tuple[Ran, Ran]:
    text = program()
    return cord_run(text, plain=True), cord_run(text, replicas=2)


def lines_of(row: Row, ran: Ran) -> list[str]:
    number = f"{ROWS.index(row)} "
    return [line for line in ran.lines if line.startswith(number)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.about)
def test_the_program_sees_what_it_sees_without_scouts(row: Row, shown: tuple[Ran, Ran]) -> None:
    plain, cord = shown
    assert lines_of(row, plain) != []
    assert lines_of(row, cord) == lines_of(row, plain)


def test_scouts_were_at_work(shown: tuple[Ran, Ran]) -> None:
    plain, cord = shown
    assert len(cord.lines) == len(plain.lines)
    assert cord.births > len(ROWS)
    assert len(cord.issued) > len(ROWS)
